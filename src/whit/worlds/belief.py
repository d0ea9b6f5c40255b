"""What an adversary believes about the data: a probability for each dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.setting import Adversary
from whit.worlds.event import Event, holds
from whit.worlds.rational import Number, distribution
from whit.worlds.universe import ABSENT, Dataset, Record, Universe

Chances: TypeAlias = Mapping[Record, Number]
"""Probabilities of what can stand at the place of one person; what is not listed is impossible."""

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
            clean = _listed(_checked(universe), weights)
        else:
            clean = distribution("a belief", weights, _ALL)
        rule = f"must have a probability for each of {len(_checked(universe).datasets)} datasets"
        fits = len(clean) == len(universe.datasets)
        require(fits, name="a belief", rule=rule, value=f"{len(clean)} of them", way_out=_ALL)
        object.__setattr__(self, "universe", universe)
        object.__setattr__(self, "weights", clean)

    @classmethod
    def uniform(cls, universe: Universe) -> Belief:
        """All datasets alike."""
        size = len(_checked(universe).datasets)
        return cls(universe, [Fraction(1, size)] * size)

    @classmethod
    def product(cls, universe: Universe, people: Sequence[Chances]) -> Belief:
        """People independent of each other, each with chances of their own."""
        rule = f"must have chances for each of {_checked(universe).people} people"
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
        at = _checked(universe).person(person)
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
        rest = tuple(record for record in _checked(universe).records if record not in sensitive)
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


def _checked(universe: object) -> Universe:
    if isinstance(universe, Universe):
        return universe
    raise InvalidInput("universe", "must be a Universe", universe, _UNIVERSE)


def _listed(universe: Universe, chances: Mapping[Dataset, Number]) -> tuple[Fraction, ...]:
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
