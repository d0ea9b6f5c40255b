"""What might have become of one person's record: dropped, replaced by a fixed one, or by one that is like the rest.

The adversary knows which of them was done and still asks about the true record. What the release then says about the
person is what it says about everybody.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from whit.errors import InvalidInput, require
from whit.worlds.belief import Belief
from whit.worlds.universe import ABSENT, Dataset, Record

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]
"""For each dataset the probabilities of the outcomes."""


class Alteration(ABC):
    """A change of one person's record before the release sees it."""

    person: int

    @abstractmethod
    def of(self, kernel: Rows, belief: Belief) -> Rows:
        """The law of the outcome on the altered data, dataset by dataset of the true data."""


@dataclass(frozen=True)
class Dropped(Alteration):
    """The record is left out."""

    person: int

    def of(self, kernel: Rows, belief: Belief) -> Rows:
        """Each row is that of the dataset without the person."""
        way_out = "Replace the record, or use a universe in which people can be absent."
        possible = ABSENT in belief.universe.options
        require(possible, name="a dropped record", rule="needs people who can be absent", value=self, way_out=way_out)
        return _moved(kernel, belief, self.person, ABSENT)


@dataclass(frozen=True)
class Replaced(Alteration):
    """Whatever the record is, this one is used in its place."""

    person: int
    record: Record

    def of(self, kernel: Rows, belief: Belief) -> Rows:
        """Each row is that of the dataset with the default record."""
        return _moved(kernel, belief, self.person, belief.universe.option(self.record))


@dataclass(frozen=True)
class Resampled(Alteration):
    """The record is drawn anew, as the adversary would guess it if they knew everyone else's records.

    Where the belief rules out everyone else's records there is nothing to draw from, and the record stays. This
    changes no posterior.
    """

    person: int

    def of(self, kernel: Rows, belief: Belief) -> Rows:
        """Each row is the mean of the rows with the same rest, weighted by the belief."""
        universe = belief.universe
        person = universe.person(self.person)
        groups: defaultdict[Dataset, list[int]] = defaultdict(list)
        for place in range(len(universe.datasets)):
            groups[universe.rest(place, person)].append(place)
        rows = list(kernel)
        for group in groups.values():
            total = sum((belief.weights[place] for place in group), start=Fraction(0))
            if total > 0:
                mean = _mean([belief.weights[place] / total for place in group], [kernel[place] for place in group])
                for place in group:
                    rows[place] = mean
        return tuple(rows)


def altering(alteration: object) -> Alteration:
    """An alteration, or a refusal."""
    if isinstance(alteration, Alteration):
        return alteration
    way_out = "Use Dropped(0), Replaced(0, record) or Resampled(0)."
    raise InvalidInput("an alteration", "must say what becomes of one record", alteration, way_out)


def _moved(kernel: Rows, belief: Belief, person: int, record: Record) -> Rows:
    universe = belief.universe
    at = universe.person(person)
    return tuple(kernel[universe.altered(place, at, record)] for place in range(len(universe.datasets)))


def _mean(weights: Sequence[Fraction], rows: Sequence[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    columns = zip(*rows, strict=True)
    return tuple(sum((w * value for w, value in zip(weights, column, strict=True)), Fraction(0)) for column in columns)
