"""Releases whose promise is looked at: made, planned with one value of the parameter, or estimated for a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from whit.curves import Curve, Order, Promise, composed, estimated_sum
from whit.errors import InvalidInput, NoPromise
from whit.guarantees import Composition, Guarantee
from whit.mechanisms import AdditiveNoise, Mechanism, compose
from whit.policy.families import Family
from whit.setting import Neighbours
from whit.theory import Direction

_SPENT = "Pass what was promised before, such as [PureDP(0.5)] or [Gaussian(10.0).times(12)]."
Releases: TypeAlias = Callable[[Neighbours | None], Promise]
"""What releases promise together, between neighbours of a relation, or of their own if none is named."""


@dataclass(frozen=True)
class Made:
    """Releases by what they promise together."""

    promise: Promise

    def __call__(self, relation: Neighbours | None = None) -> Promise:
        """What is promised, whatever the relation."""
        return self.promise


@dataclass(frozen=True)
class Planned:
    """Releases of a family with one value of the parameter, after what was released before."""

    family: Family
    value: float
    spent: tuple[Promise, ...]

    def __call__(self, relation: Neighbours | None = None) -> Promise:
        """All of them together; between neighbours that differ by an added record if no relation is named."""
        known = Neighbours.ADD_REMOVE if relation is None else relation
        return together(self.family.all(self.value, known), self.spent, known)


@dataclass(frozen=True)
class Estimated(Planned):
    """The same to a few digits where the family has an estimate, or where noise on samples is among all releases."""

    def __call__(self, relation: Neighbours | None = None) -> Promise:
        """An estimate for a search, or the releases themselves."""
        known = Neighbours.ADD_REMOVE if relation is None else relation
        found = self._beside_spent(known) if self.spent else self.family.about(self.value, known)
        return super().__call__(relation) if found is None else found

    @property
    def exists(self) -> bool:
        """Whether there is an estimate; what was released before has one where the releases themselves take long."""
        known = self.family.relations[0]
        return (self._beside_spent(known) if self.spent else self.family.about(self.value, known)) is not None

    def _beside_spent(self, relation: Neighbours) -> Curve | None:
        """About all releases, where some of them are noise on samples; None where all are known in closed form."""
        several = (self.family.all(self.value, relation), *self.spent)
        parts = [each for promise in several for each in promise.composed_of or ((promise, 1),)]
        if all(isinstance(part, Guarantee | AdditiveNoise) for part, _ in parts):
            return None
        every = [(part.composable(relation), times) for part, times in parts]
        pair = estimated_sum([(curve.face, times) for curve, times in every])
        return None if pair is None else Curve(pair, Direction.ABOUT, Order.PROFILE, every[0][0].basis)


def earlier(spent: object) -> tuple[Promise, ...]:
    """The earlier releases as a tuple; a single one may stand alone.

    >>> from whit.guarantees import PureDP
    >>> earlier(PureDP(0.5))
    (PureDP(epsilon=0.5),)
    """
    given = spent if isinstance(spent, Sequence) and not isinstance(spent, str) else (spent,)
    for each in given:
        NoPromise.stop(each)
        if not isinstance(each, Promise):
            raise InvalidInput("spent", "must be promises, mechanisms or curves", each, _SPENT)
    return tuple(given)


def together(now: Promise, spent: Sequence[Promise], relation: Neighbours) -> Promise:
    """The new release and the earlier ones as one, between neighbours of this relation.

    Mechanisms compose by their losses and promises by their rules; where both are among them, their curves compose.

    >>> from whit.guarantees import PureDP
    >>> together(PureDP(0.25), [PureDP(0.5)], Neighbours.ADD_REMOVE)
    <Composition of PureDP(epsilon=0.25), PureDP(epsilon=0.5): PureDP(epsilon=0.75) by basic-composition>
    """
    everything = [now, *spent]
    mechanisms = [each for each in everything if isinstance(each, Mechanism)]
    promises = [each for each in everything if isinstance(each, Guarantee | Composition)]
    if not spent:
        return now
    if len(mechanisms) == len(everything):
        return compose(*mechanisms)
    if len(promises) < len(everything):
        return composed([each.composable(relation) for each in everything])
    if len({each.neighbours for each in promises}) > 1:
        promises = [each.under(relation) for each in promises]
    return compose(*promises)
