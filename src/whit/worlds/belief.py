"""What an adversary believes about the data, and what might have become of one person's record.

A belief is a probability for each dataset. A record may have been dropped, replaced by a fixed one, or by one that is
like the rest. The adversary knows which of them was done and still asks about the true record. What the release then
says about the person is what it says about everybody.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.setting import Adversary
from whit.worlds.exact import Number, distribution, mixture
from whit.worlds.universe import ABSENT, Dataset, Event, Record, Universe, holds

Chances: TypeAlias = Mapping[Record, Number]
"""Probabilities of what can stand at the place of one person; what is not listed is impossible."""

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]
"""For each dataset the probabilities of the outcomes."""

_UNIVERSE = "Use Universe(2, ('ill', 'well')) or the like."
_ALL = "Give a probability for each of universe.datasets, or by dataset for those that are possible."
_OWN = "Give probabilities by record, such as {'ill': 0.1, ABSENT: 0.9}."
_OTHERS = "Give probabilities by the records of everyone else, such as {('ill', 'well'): 1}."
_SENSITIVE = "Give some of the records, and leave others if the value is not certain."


@dataclass(frozen=True, init=False)
class Belief:
    """A probability for each dataset of a universe, of any kind: people may depend on each other.

    >>> two = Universe(2, (0, 1), all_present=True)
    >>> Belief(two, {(0, 0): 0.5, (1, 1): 0.5}).weights
    (Fraction(1, 2), Fraction(0, 1), Fraction(0, 1), Fraction(1, 2))
    """

    universe: Universe
    weights: tuple[Fraction, ...]

    def __init__(self, universe: Universe, weights: Sequence[Number] | Mapping[Dataset, Number]) -> None:
        if isinstance(weights, Mapping):
            clean = _by_dataset(_universe(universe), weights)
        else:
            clean = distribution("a belief", weights, _ALL)
        rule = f"must have a probability for each of {len(_universe(universe).datasets)} datasets"
        fits = len(clean) == len(universe.datasets)
        require(fits, name="a belief", rule=rule, value=f"{len(clean)} of them", way_out=_ALL)
        object.__setattr__(self, "universe", universe)
        object.__setattr__(self, "weights", clean)

    @classmethod
    def uniform(cls, universe: Universe) -> Belief:
        """All datasets alike."""
        size = len(_universe(universe).datasets)
        return cls(universe, [Fraction(1, size)] * size)

    @classmethod
    def product(cls, universe: Universe, people: Sequence[Chances]) -> Belief:
        """People independent of each other, each with chances of their own."""
        rule = f"must have chances for each of {_universe(universe).people} people"
        given: object = people
        fits = isinstance(given, Sequence) and len(given) == universe.people
        require(fits, name="people", rule=rule, value=people, way_out=_OWN)
        laws = [_own(universe, chances) for chances in people]
        return cls(universe, [prod(parts, start=Fraction(1)) for parts in product(*laws)])

    @classmethod
    def about(cls, universe: Universe, person: int, own: Chances, others: Mapping[Dataset, Number]) -> Belief:
        """One person independent of everyone else; the others may depend on each other.

        own      probabilities of what can stand at the place of the person
        others   probabilities of what can stand at the places of everyone else, in order
        """
        at = _universe(universe).person(person)
        rule = "must be probabilities by the records of everyone else"
        given: object = others
        fits = isinstance(given, Mapping) and all(isinstance(rest, tuple) for rest in given)
        require(fits, name="others", rule=rule, value=others, way_out=_OTHERS)
        rests = zip(others, distribution("others", others.values(), _OTHERS), strict=True)
        chances = tuple(zip(universe.options, _own(universe, own), strict=True))
        weights = [Fraction(0)] * len(universe.datasets)
        for rest, chance in rests:
            for record, part in chances:
                weights[universe.place((*rest[:at], record, *rest[at:]))] += chance * part
        return cls(universe, weights)

    @classmethod
    def knowing_everyone_else(cls, universe: Universe, person: int, own: Chances, others: Dataset) -> Belief:
        """The records of everyone else known for sure, one person uncertain.

        >>> Belief.knowing_everyone_else(Universe(2, (1,)), 0, {1: 0.5, ABSENT: 0.5}, (1,)).possible
        ((ABSENT, 1), (1, 1))
        """
        rule = "must be a tuple with the records of everyone else"
        require(
            isinstance(others, tuple), name="others", rule=rule, value=others, way_out="Use a tuple such as (1, 0)."
        )
        return cls.about(universe, person, own, {others: 1})

    @classmethod
    def of_adversary(
        cls,
        universe: Universe,
        adversary: Adversary,
        *,
        person: int,
        sensitive: Sequence[Record],
        others: Mapping[Dataset, Number],
    ) -> Belief:
        """Inclusion and value of one person, independent of everyone else (the adversary of KR24).

        The sensitive records share the value's probability evenly, the remaining records what is left of it.
        """
        known = isinstance(adversary, Adversary)
        way_out = "Use Adversary(inclusion=0.05, value=0.1)."
        require(known, name="adversary", rule="must be an Adversary", value=adversary, way_out=way_out)
        rest = tuple(record for record in _universe(universe).records if record not in sensitive)
        inclusion, value = Fraction(adversary.inclusion), Fraction(adversary.value)
        shares = ((tuple(sensitive), inclusion * value), (rest, inclusion * (1 - value)))
        own = {record: share / len(part) for part, share in shares for record in part}
        if sum(own.values()) != inclusion:
            rule = "must leave a record for each thing that the adversary thinks possible"
            raise Incompatible("sensitive", rule, sensitive, _SENSITIVE)
        return cls.about(universe, person, {**own, ABSENT: 1 - inclusion} if inclusion < 1 else own, others)

    @property
    def possible(self) -> tuple[Dataset, ...]:
        """The datasets that the belief does not rule out."""
        return tuple(x for x, weight in zip(self.universe.datasets, self.weights, strict=True) if weight > 0)

    def given(self, event: Event) -> Belief:
        """The belief of somebody who learns that the event is true, and nothing else."""
        true = holds(self.universe, event)
        kept = [weight if here else Fraction(0) for weight, here in zip(self.weights, true, strict=True)]
        total = sum(kept, start=Fraction(0))
        if total == 0:
            raise NotImplied("the belief given an event", "needs an event that it holds possible", event, _ALL)
        return Belief(self.universe, [weight / total for weight in kept])


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
        return _rows_with(kernel, belief, self.person, ABSENT)


@dataclass(frozen=True)
class Replaced(Alteration):
    """Whatever the record is, this one is used in its place."""

    person: int
    record: Record

    def of(self, kernel: Rows, belief: Belief) -> Rows:
        """Each row is that of the dataset with the default record."""
        return _rows_with(kernel, belief, self.person, belief.universe.option(self.record))


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
                shares = [belief.weights[place] / total for place in group]
                mean = mixture(shares, [kernel[place] for place in group])
                for place in group:
                    rows[place] = mean
        return tuple(rows)


def require_alteration(alteration: object) -> Alteration:
    """An alteration, or a refusal."""
    if isinstance(alteration, Alteration):
        return alteration
    way_out = "Use Dropped(0), Replaced(0, record) or Resampled(0)."
    raise InvalidInput("an alteration", "must say what becomes of one record", alteration, way_out)


def _universe(universe: object) -> Universe:
    if isinstance(universe, Universe):
        return universe
    raise InvalidInput("universe", "must be a Universe", universe, _UNIVERSE)


def _by_dataset(universe: Universe, chances: Mapping[Dataset, Number]) -> tuple[Fraction, ...]:
    """Probabilities by dataset, as a list of all."""
    weights = [Fraction(0)] * len(universe.datasets)
    for dataset, chance in zip(chances, distribution("a belief", chances.values(), _ALL), strict=True):
        weights[universe.place(dataset)] += chance
    return tuple(weights)


def _own(universe: Universe, chances: object) -> tuple[Fraction, ...]:
    """Probabilities of what can stand at the place of one person, option by option."""
    if not isinstance(chances, Mapping):
        raise InvalidInput("the chances of a person", "must be probabilities by record", chances, _OWN)
    clean = distribution("the chances of a person", chances.values(), _OWN)
    known = dict(zip(map(universe.option, chances), clean, strict=True))
    return tuple(known.get(option, Fraction(0)) for option in universe.options)


def _rows_with(kernel: Rows, belief: Belief, person: int, record: Record) -> Rows:
    universe = belief.universe
    at = universe.person(person)
    return tuple(kernel[universe.altered(place, at, record)] for place in range(len(universe.datasets)))
