"""Covariances of the receiver's prior by their structure, so that n records need no n x n matrix.

A covariance answers two questions: its diagonal, and S A' for the weights A' of some statistics, a few rows at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, require
from whit.numerics import real_array
from whit.persuasion.statistics import Array, Statistics, pieces

Rows = Callable[[slice], Array]
"""The rows of S A' for some records."""

_SINGULAR = "Give every record some uncertainty of its own, however little; what is known for sure needs no protection."


class Covariance(ABC):
    """A positive definite covariance of the records."""

    @property
    @abstractmethod
    def variances(self) -> Array:
        """The diagonal."""

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.variances)

    @property
    @abstractmethod
    def terms(self) -> int:
        """How many products are added up in one entry of S A', at most."""

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

    def __init__(self, variances: ArrayLike) -> None:
        object.__setattr__(self, "diagonal", _variances("variances", variances))

    @property
    def variances(self) -> Array:
        """The variances."""
        return self.diagonal

    @property
    def terms(self) -> int:
        """One product."""
        return 1

    def against(self, statistics: Statistics, *, absolute: bool = False) -> Rows:
        """The weights times the variances."""
        return lambda part: self.diagonal[part, None] * _shown(statistics.weights(part), absolute)


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

    @property
    def variances(self) -> Array:
        """Own variance plus that of the factors."""
        return np.asarray(self.diagonal + np.einsum("ij,ij->i", self.loadings, self.loadings))

    @property
    def terms(self) -> int:
        """The records, the factors and the diagonal."""
        return self.records + int(self.loadings.shape[1]) + 2

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
        object.__setattr__(self, "starts", np.cumsum([0, *(len(block) for block in matrices)]))

    @property
    def variances(self) -> Array:
        """The diagonals of the blocks."""
        return np.concatenate([np.diag(block) for block in self.blocks])

    @property
    def terms(self) -> int:
        """The size of the largest block."""
        return max(len(block) for block in self.blocks)

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

    @property
    def variances(self) -> Array:
        """The diagonal."""
        return np.diag(self.matrix)

    @property
    def terms(self) -> int:
        """The records."""
        return self.records

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
