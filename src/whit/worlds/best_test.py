"""The best test between two laws of the outcome, without rounding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

Vertex: TypeAlias = tuple[Fraction, Fraction]
"""The level and the power of a test."""


def vertices(null: Sequence[Fraction], alternative: Sequence[Fraction]) -> tuple[Vertex, ...]:
    """Levels and powers of the tests that reject at the outcomes with the largest ratio, from no outcome to all.

    Between two of them the best test decides by a coin.
    """
    seen = [pair for pair in zip(null, alternative, strict=True) if any(pair)]
    free = sum((power for level, power in seen if level == 0), start=Fraction(0))
    corners = [(Fraction(0), free)]
    for level, power in sorted((pair for pair in seen if pair[0] > 0), key=lambda pair: -pair[1] / pair[0]):
        corners.append((corners[-1][0] + level, corners[-1][1] + power))
    return tuple(corners)


def power_at(corners: Sequence[Vertex], level: Fraction) -> Fraction:
    """The power at a level, by chords between vertices in rising order of their levels."""
    for (left, low), (right, high) in pairwise(corners):
        if level <= right:
            return low + (high - low) * (level - left) / (right - left)
    return corners[-1][1]


def level_at(corners: Sequence[Vertex], power: Fraction) -> Fraction:
    """The smallest level of a test with at least this power."""
    if power <= corners[0][1]:
        return corners[0][0]
    for (left, low), (right, high) in pairwise(corners):
        if power <= high:
            return left + (right - left) * (power - low) / (high - low)
    return corners[-1][0]


def hull(curves: Iterable[Sequence[Vertex]]) -> tuple[Vertex, ...]:
    """The vertices of the smallest concave curve above all of the given ones."""
    best: dict[Fraction, Fraction] = {}
    for level, power in (corner for corners in curves for corner in corners):
        best[level] = max(power, best.get(level, power))
    kept: list[Vertex] = []
    for corner in sorted(best.items()):
        while len(kept) > 1 and not _turns_right(kept[-2], kept[-1], corner):
            kept.pop()
        kept.append(corner)
    return tuple(kept)


def _turns_right(first: Vertex, second: Vertex, third: Vertex) -> bool:
    rise, run = second[1] - first[1], second[0] - first[0]
    return rise * (third[0] - second[0]) > (third[1] - second[1]) * run
