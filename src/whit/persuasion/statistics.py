"""What is published: linear statistics of n records, by the weights of the records, a few records at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, require
from whit.numerics import real_array

Array = NDArray[np.float64]

PIECE = 4096
"""Records that are looked at together."""

_MATRIX = "Give one row for each statistic, with the weight of each record in it."
_CODES = "Give one array for each table, with the number of the cell of each record, or -1 for none."


class Statistics(ABC):
    """Linear statistics: each is a weighted sum over the records."""

    @property
    @abstractmethod
    def records(self) -> int:
        """The number of records."""

    @property
    @abstractmethod
    def number(self) -> int:
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

    @property
    def records(self) -> int:
        """The number of columns."""
        return int(self.matrix.shape[1])

    @property
    def number(self) -> int:
        """The number of rows."""
        return int(self.matrix.shape[0])

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
        object.__setattr__(self, "starts", tuple(int(each) for each in np.cumsum([0, *sizes])))

    @property
    def records(self) -> int:
        """The length of the codes."""
        return len(self.codes[0])

    @property
    def number(self) -> int:
        """The number of cells in all tables."""
        return self.starts[-1]

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

    @property
    def records(self) -> int:
        """The number of records, the same for all."""
        return self.groups[0].records

    @property
    def number(self) -> int:
        """The number of statistics of all groups."""
        return sum(group.number for group in self.groups)

    def weights(self, part: slice) -> Array:
        """The weights in all groups, side by side."""
        return np.hstack([group.weights(part) for group in self.groups])


def pieces(records: int) -> Iterator[slice]:
    """The records, some at a time."""
    return (slice(start, min(start + PIECE, records)) for start in range(0, records, PIECE))


def statistics_of(published: Statistics | ArrayLike) -> Statistics:
    """Statistics, a matrix being taken as a linear map."""
    return published if isinstance(published, Statistics) else LinearMap(published)


def _codes(table: ArrayLike) -> NDArray[np.int64]:
    cells = np.asarray(table)
    good = cells.ndim == 1 and cells.size > 0 and cells.dtype.kind in "iu" and int(cells.min()) >= -1
    if not good or int(cells.max()) < 0:
        raise InvalidInput("codes", "must be whole numbers from -1, with a cell in use", table, _CODES)
    return cells.astype(np.int64)
