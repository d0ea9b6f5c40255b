"""Linear statistics of n records and Gaussian priors about them, a few records at a time.

Statistics give the weights of the records in what is published. A covariance of the prior goes by its structure, so
that n records need no n x n matrix. It answers two questions: its diagonal, and S A' for the weights A' of some
statistics, a few rows at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, require
from whit.numerics import real_array

Array = NDArray[np.float64]

Rows = Callable[[slice], Array]
"""The rows of S A' for some records."""

PIECE = 4096
"""Records that are looked at together."""

_MATRIX = "Give one row for each statistic, with the weight of each record in it."
_CODES = "Give one array for each table, with the number of the cell of each record, or -1 for none."
_SINGULAR = "Give every record some uncertainty of its own, however little; what is known for sure needs no protection."


class Statistics(ABC):
    """Linear statistics: each is a weighted sum over the records."""

    records: int
    """The number of records."""

    number: int
    """The number of statistics."""

    @abstractmethod
    def weights(self, part: slice) -> Array:
        """The weights of some records: a row for each of them, a column for each statistic."""

    def of(self, data: ArrayLike) -> Array:
        """The statistics of these data."""
        values = np.asarray(data, dtype=np.float64)
        total = np.zeros(self.number)
        for part in pieces(self.records):
            total += values[part] @ self.weights(part)
        return total

    def __repr__(self) -> str:
        """The size."""
        return f"{type(self).__name__}: {self.number} statistics of {self.records} records"


@dataclass(frozen=True, init=False, repr=False, eq=False)
class LinearMap(Statistics):
    """Statistics by a matrix with a row for each of them and a column for each record."""

    matrix: Array

    def __init__(self, matrix: ArrayLike) -> None:
        table = np.atleast_2d(real_array("matrix", matrix, _MATRIX))
        good = table.ndim == 2 and table.size > 0 and bool(np.all(np.isfinite(table)))
        rule = "must be a table of finite numbers"
        require(good, name="matrix", rule=rule, value=f"shape {table.shape}", way_out=_MATRIX)
        object.__setattr__(self, "matrix", table)
        object.__setattr__(self, "number", len(table))
        object.__setattr__(self, "records", len(table.T))

    def weights(self, part: slice) -> Array:
        """Some columns, transposed."""
        return self.matrix[:, part].T


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Totals(Statistics):
    """Tables of totals: each table puts each record into one of its cells, or into none (-1).

    >>> Totals([0, 0, 1, 1], [0, 1, 0, -1]).of([1.0, 2.0, 3.0, 4.0]).tolist()
    [3.0, 7.0, 4.0, 2.0]
    """

    codes: tuple[NDArray[np.int64], ...]
    starts: tuple[int, ...]

    def __init__(self, *codes: ArrayLike) -> None:
        tables = tuple(_codes(table) for table in codes)
        require(len(tables) > 0, name="codes", rule="must name a table", value=codes, way_out=_CODES)
        same = len({len(table) for table in tables}) == 1
        require(same, name="codes", rule="must be arrays of one length", value="several", way_out=_CODES)
        sizes = [int(table.max()) + 1 for table in tables]
        object.__setattr__(self, "codes", tables)
        object.__setattr__(self, "starts", tuple(accumulate(sizes, initial=0)))
        object.__setattr__(self, "records", len(tables[0]))
        object.__setattr__(self, "number", self.starts[-1])

    def weights(self, part: slice) -> Array:
        """One in each cell that a record falls into."""
        rows = np.zeros((len(self.codes[0][part]), self.number))
        for table, start in zip(self.codes, self.starts, strict=False):
            cells = table[part]
            inside = np.flatnonzero(cells >= 0)
            rows[inside, start + cells[inside]] = 1.0
        return rows


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Means(Totals):
    """Tables of means: the totals of the cells, divided by the number of records in them."""

    def weights(self, part: slice) -> Array:
        """One over the size of each cell that a record falls into."""
        spans = zip(self.codes, self.starts, self.starts[1:], strict=False)
        sizes = [np.bincount(table[table >= 0], minlength=stop - start) for table, start, stop in spans]
        return np.asarray(super().weights(part) / np.maximum(np.concatenate(sizes), 1))


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Together(Statistics):
    """Several groups of statistics of the same records, published together."""

    groups: tuple[Statistics, ...]

    def __init__(self, *groups: Statistics) -> None:
        good = all(isinstance(group, Statistics) for group in groups)
        good = good and len({group.records for group in groups}) == 1
        rule = "must be about the same records"
        require(good, name="groups", rule=rule, value=groups, way_out="Give statistics of one set of records.")
        object.__setattr__(self, "groups", groups)
        object.__setattr__(self, "records", groups[0].records)
        object.__setattr__(self, "number", sum(group.number for group in groups))

    def weights(self, part: slice) -> Array:
        """The weights in all groups, side by side."""
        return np.hstack([group.weights(part) for group in self.groups])


def pieces(records: int) -> Iterator[slice]:
    """The records, some at a time."""
    return (slice(start, min(start + PIECE, records)) for start in range(0, records, PIECE))


def statistics_of(published: Statistics | ArrayLike) -> Statistics:
    """Statistics, a matrix being taken as a linear map."""
    return published if isinstance(published, Statistics) else LinearMap(published)


class Covariance(ABC):
    """A positive definite covariance of the records."""

    variances: Array
    """The diagonal."""

    terms: int
    """How many products are added up in one entry of S A', at most."""

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.variances)

    @abstractmethod
    def against(self, statistics: Statistics, *, absolute: bool = False) -> Rows:
        """S A', or the same with absolute values everywhere, which bounds its rounding."""

    def __repr__(self) -> str:
        """The size."""
        return f"{type(self).__name__} of {self.records} records"


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Independent(Covariance):
    """Independent records: a variance for each."""

    diagonal: Array
    terms = 1

    def __init__(self, variances: ArrayLike) -> None:
        object.__setattr__(self, "diagonal", _variances("variances", variances))
        object.__setattr__(self, "variances", self.diagonal)

    def against(self, statistics: Statistics, *, absolute: bool = False) -> Rows:
        """The weights times the variances."""
        return lambda part: self.variances[part, None] * _shown(statistics.weights(part), absolute)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Factors(Covariance):
    """Independent parts and common factors: D + U U', with D diagonal and few columns in U."""

    diagonal: Array
    loadings: Array

    def __init__(self, variances: ArrayLike, loadings: ArrayLike) -> None:
        diagonal = _variances("variances", variances)
        way_out = "Give one row for each record, with its loading on each factor."
        table = real_array("loadings", loadings, way_out)
        table = table[:, None] if table.ndim == 1 else table
        good = table.ndim == 2 and len(table) == len(diagonal) and bool(np.all(np.isfinite(table)))
        rule = f"must be a table of finite numbers with {len(diagonal)} rows"
        require(good, name="loadings", rule=rule, value=f"shape {table.shape}", way_out=way_out)
        object.__setattr__(self, "diagonal", diagonal)
        object.__setattr__(self, "loadings", table)
        object.__setattr__(self, "variances", diagonal + np.einsum("ij,ij->i", table, table))
        object.__setattr__(self, "terms", len(diagonal) + int(table.shape[1]) + 2)

    def against(self, statistics: Statistics, *, absolute: bool = False) -> Rows:
        """D A' + U (U' A'), the inner product being made once."""
        loadings = _shown(self.loadings, absolute)
        inner = np.zeros((loadings.shape[1], statistics.number))
        for part in pieces(self.records):
            inner += loadings[part].T @ _shown(statistics.weights(part), absolute)

        def rows(part: slice) -> Array:
            own = self.diagonal[part, None] * _shown(statistics.weights(part), absolute)
            return np.asarray(own + loadings[part] @ inner)

        return rows


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Blocks(Covariance):
    """Independent groups of records, such as households: a covariance matrix for each, in order."""

    blocks: tuple[Array, ...]
    starts: Array

    def __init__(self, blocks: Sequence[ArrayLike]) -> None:
        listed = list(blocks) if isinstance(blocks, list | tuple | np.ndarray) else []
        require(len(listed) > 0, name="blocks", rule="must be at least one", value=blocks, way_out="Give a matrix.")
        matrices = tuple(_matrix(f"block {place}", block) for place, block in enumerate(listed))
        object.__setattr__(self, "blocks", matrices)
        sizes = [len(block) for block in matrices]
        object.__setattr__(self, "starts", np.cumsum([0, *sizes]))
        object.__setattr__(self, "variances", np.concatenate([np.diag(block) for block in matrices]))
        object.__setattr__(self, "terms", max(sizes))

    def against(self, statistics: Statistics, *, absolute: bool = False) -> Rows:
        """Each block times the weights of its records."""

        def rows(part: slice) -> Array:
            first = int(np.searchsorted(self.starts, part.start, side="right")) - 1
            last = int(np.searchsorted(self.starts, part.stop, side="left"))
            begin, end = int(self.starts[first]), int(self.starts[last])
            weights = _shown(statistics.weights(slice(begin, end)), absolute)
            result = np.empty_like(weights)
            for place in range(first, last):
                inside = slice(int(self.starts[place]) - begin, int(self.starts[place + 1]) - begin)
                result[inside] = _shown(self.blocks[place], absolute) @ weights[inside]
            return result[part.start - begin : part.stop - begin]

        return rows


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Full(Covariance):
    """Any covariance, as a matrix."""

    matrix: Array

    def __init__(self, matrix: ArrayLike) -> None:
        object.__setattr__(self, "matrix", _matrix("covariance", matrix))
        object.__setattr__(self, "variances", np.diag(self.matrix))
        object.__setattr__(self, "terms", len(self.matrix))

    def against(self, statistics: Statistics, *, absolute: bool = False) -> Rows:
        """Rows of the matrix times all weights."""
        weights = _shown(statistics.weights(slice(0, self.records)), absolute)
        return lambda part: np.asarray(_shown(self.matrix[part], absolute) @ weights)


def covariance_of(covariance: Covariance | ArrayLike) -> Covariance:
    """A covariance: a list of variances is one of independent records, a matrix a full one."""
    if isinstance(covariance, Covariance):
        return covariance
    table = real_array("covariance", covariance, "Give variances, a matrix, or a structure such as Factors.")
    return Independent(table) if table.ndim == 1 else Full(table)


def _shown(values: Array, absolute: bool) -> Array:
    return np.abs(values) if absolute else values


def _variances(name: str, values: ArrayLike) -> Array:
    clean = real_array(name, values, "Give a variance for each record.")
    good = clean.ndim == 1 and clean.size > 0 and bool(np.all(np.isfinite(clean) & (clean > 0)))
    rule = "must be a list of finite numbers above 0, for a prior that is not singular"
    least = float(np.min(clean)) if clean.size else "an empty list"
    require(good, name=name, rule=rule, value=least, way_out=_SINGULAR)
    return clean


def _matrix(name: str, values: ArrayLike) -> Array:
    """A symmetric matrix that is positive definite by more than rounding."""
    table = real_array(name, values, "Give the covariance of every two records.")
    square = table.ndim == 2 and table.shape[0] == table.shape[1] and table.size > 0
    symmetric = square and bool(np.all(np.isfinite(table)) and np.array_equal(table, table.T))
    rule = "must be a symmetric matrix of finite numbers"
    require(symmetric, name=name, rule=rule, value=f"shape {table.shape}", way_out="Give (S + S') / 2.")
    if np.any(np.diag(table) <= 0):
        raise _singular(name)
    scale = np.sqrt(np.diag(table))
    try:
        root = np.linalg.cholesky(table / np.outer(scale, scale))
    except np.linalg.LinAlgError as not_definite:
        raise _singular(name) from not_definite
    if np.min(np.diag(root)) ** 2 <= 8 * len(table) * np.finfo(float).eps:
        raise _singular(name)
    return table


def _singular(name: str) -> InvalidInput:
    rule = "must be positive definite, for a prior that is not singular"
    return InvalidInput(name, rule, "a matrix that is not, or not by more than rounding", _SINGULAR)


def _codes(table: ArrayLike) -> NDArray[np.int64]:
    cells = np.asarray(table)
    good = cells.ndim == 1 and cells.size > 0 and cells.dtype.kind in "iu" and int(cells.min()) >= -1
    if not good or int(cells.max()) < 0:
        raise InvalidInput("codes", "must be whole numbers from -1, with a cell in use", table, _CODES)
    return cells.astype(np.int64)
