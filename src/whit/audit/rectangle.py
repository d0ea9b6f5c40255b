"""Whole rectangles of withheld cells with both margins known, counted in two halves.

A table with at most four columns is two tables of at most two columns each, beside each other. How many those are is a
sum of signs and binomial coefficients, and what is left to go through is how each row is shared between the halves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.audit.component import Component

Whole: TypeAlias = NDArray[np.int64]

MOST_SHARES = 20_000_000
"""The most ways to share the rows between two halves that are gone through."""

BLOCK = 1_000_000
"""So many of them at once."""

LARGEST = 2**62
"""What fits a machine number, with room for a sum of two."""


def number_of_rectangle(component: Component, limits: tuple[tuple[int, int], ...]) -> int | None:
    """How many tables a component has if it is a whole rectangle with both margins; None if it is not, or too large."""
    margins = _margins(component, limits)
    if margins is None:
        return None
    if min(*margins[0], *margins[1]) < 0:
        return 0
    ways = [each for each in (margins, margins[::-1]) if _is_quick(*each)]
    if not ways or sum(margins[0]) != sum(margins[1]):
        return 0 if ways else None
    return _in_two_halves(*min(ways, key=lambda each: _shares(each[0])))


def _is_quick(rows: Sequence[int], columns: Sequence[int]) -> bool:
    """Whether two halves do, the ways to share are not too many, and every number on the way is a machine number."""
    largest = (max(columns) + len(rows)) ** (len(rows) - 1) * 2 ** len(rows)
    return len(rows) > 1 and len(columns) <= 4 and _shares(rows) <= MOST_SHARES and largest < LARGEST


def _shares(rows: Sequence[int]) -> int:
    """In how many ways all rows but the largest can be shared."""
    return math.prod(row + 1 for row in sorted(rows)[:-1])


def _margins(component: Component, limits: tuple[tuple[int, int], ...]) -> tuple[list[int], list[int]] | None:
    """The row sums and the column sums, if every row meets every column in one cell, and nothing else is known.

    They are sums of what each cell has above the least that it can be, so that the cells of both halves begin at 0.
    """
    lines: list[list[int]] = [[] for _ in component.cells]
    for line, terms in enumerate(component.terms):
        if len(set(terms.values())) != 1 or abs(next(iter(terms.values()))) != 1:
            return None
        for place in terms:
            lines[place].append(line)
    if any(len(each) != 2 for each in lines):
        return None
    rows = {0} | {line for line in range(len(component.terms)) if [0, line] not in lines}
    columns = [line for line in range(len(component.terms)) if line not in rows]
    met = {(first, second) if first in rows else (second, first) for first, second in lines}
    if met != {(row, column) for row in rows for column in columns} or len(met) != len(component.cells):
        return None
    sums = [next(iter(terms.values())) * right for terms, right in zip(component.terms, component.right, strict=True)]
    for (first, second), (low, _) in zip(lines, limits, strict=True):
        sums[first] -= low
        sums[second] -= low
    for (first, second), (low, high) in zip(lines, limits, strict=True):
        if high - low < min(sums[first], sums[second]):
            return None
    return [sums[line] for line in sorted(rows)], [sums[line] for line in columns]


def _in_two_halves(rows: Sequence[int], columns: Sequence[int]) -> int:
    """The tables with these margins: over all ways to share the rows, the left halves times the right halves."""
    *others, last = sorted(rows)
    half = (len(columns) + 1) // 2
    left, right = columns[:half], columns[half:]
    shares, total = math.prod(row + 1 for row in others), 0
    for start in range(0, shares, BLOCK):
        codes = np.arange(start, min(start + BLOCK, shares), dtype=np.int64)
        shared = (
            np.stack(np.unravel_index(codes, [row + 1 for row in others])) if others else np.zeros((0, 1), np.int64)
        )
        rest = sum(left) - shared.sum(axis=0)
        fits = (rest >= 0) & (rest <= last)
        table = np.vstack([shared[:, fits], rest[fits]])
        whole = np.array([*others, last], dtype=np.int64)[:, None]
        total += products(_halves(table, left), _halves(whole - table, right))
    return total


def _halves(rows: Whole, columns: Sequence[int]) -> Whole:
    """How many tables of one or two columns have these row sums: signs and binomial coefficients."""
    if len(columns) < 2:
        return np.ones(rows.shape[1], dtype=np.int64)
    free = len(rows) - 1
    found = np.zeros(rows.shape[1], dtype=np.int64)
    for size in range(len(rows) + 1):
        for some in combinations(range(len(rows)), size):
            left = columns[0] - (rows[list(some)] + 1).sum(axis=0)
            found += (-1) ** size * _binomial(left + free, free) * (left >= 0)
    return found


def _binomial(above: Any, below: int) -> Any:
    """The binomial coefficient of each number."""
    product = np.ones_like(above)
    for step in range(below):
        product = product * (above - step) // (step + 1)
    return product


def products(first: Whole, second: Whole) -> int:
    """The sum of the products, of any size."""
    largest = int(first.max(initial=0)) * int(second.max(initial=0)) * max(len(first), 1)
    if largest < LARGEST:
        return int(first @ second)
    return sum(int(a) * int(b) for a, b in zip(first, second, strict=True))
