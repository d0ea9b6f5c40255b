"""Everybody whom a mechanism covers: those who change an answer by less, or take part in fewer of the releases.

The largest change is the easiest to tell, and its profile and power bound those of every smaller one. The tail of the
loss is another matter: whoever is in nine of ten releases can reveal more, with the same failure probability, than
somebody who is in all ten. A bound on beliefs that may fail must therefore hold for each of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit import curves
from whit.curves import Curve, DiscreteGaussianLoss, FinitePair, GaussianLoss, LossDistribution, Order, Promise
from whit.errors import NotImplied, TooCostly, require
from whit.mechanisms.mechanism import Mechanism
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

# Up to so many choices of releases that somebody takes part in are gone through one by one.
FEW = 32
# Equal releases with discrete Gaussian noise have more sums, and take a tenth of a second each.
FEW_DISCRETE = 12

MOST_STEPS = 10_000
"""The most steps between neighbours that are followed one by one."""


def everybody(mechanism: Mechanism, neighbours: Neighbours, sides: int) -> tuple[Curve, ...]:
    """Curves; one of them has at least the tail of each person whom the mechanism covers, for losses above 0."""
    curve = mechanism.curve(neighbours)
    if curve.order is Order.PROFILE:
        return (curve,)
    if isinstance(curve.face, GaussianLoss) or mechanism.grows_with_change(neighbours, sides):
        return (replace(curve, basis=curve.basis | Basis.of("tail-of-smaller-changes")),)
    steps = mechanism.steps(neighbours)
    if steps is None or not _are_few(steps):
        return (curve.by_profile(),)
    return tuple(_taken(steps))


def at_every_moment(mechanism: Mechanism, neighbours: Neighbours) -> Promise:
    """A curve whose tail bounds everybody's at any time on the way: by the noise if it is known, else by the profile.

    Whoever takes part in fewer of some equal releases, or changes Gaussian answers by less, walks less far.
    """
    curve = mechanism.curve(neighbours)
    if curve.order is Order.LOSS and isinstance(curve.face, GaussianLoss):
        return _ever(curve, curves.EverGaussianLoss(curve.face.mu))
    steps = mechanism.steps(neighbours) if curve.order is Order.LOSS else None
    if steps is not None and _are_equal_coins(steps):
        coin = next(iter(steps)).face
        assert isinstance(coin, FinitePair)  # coins are
        return _ever(curve, curves.EverCoins.of_coin(coin, steps.total()))
    return mechanism.mixed(neighbours)


def between_contents(mechanism: Mechanism, people: int, neighbours: Neighbours | None) -> Curve:
    """A bound between any two contents of a block of so many people, by one step for each of them.

    This person's own step is between neighbours of the relation. Each other person of the block may come, go or have
    another record, whichever changes more. Who is replaced is removed and added, if no more is known. Whoever sends a
    noisy record of their own adds one release.
    """
    require_all_neighbours(mechanism, "a promise to people who depend on each other")
    known, in_two = mechanism.relations, neighbours is Neighbours.REPLACE and _is_in_two_steps(mechanism)
    relation = mechanism.relation(Neighbours.ADD_REMOVE if in_two else neighbours)
    if relation is Neighbours.LOCAL:
        return mechanism.times(people).curve(relation).by_profile()
    own, others = mechanism.curve(relation), _changes_of_others(mechanism, relation) if people > 1 else []
    steps = people - 1 if Neighbours.REPLACE in known else 2 * (people - 1)
    require_few(steps)
    other = tuple(dict.fromkeys(each.face for each in others))
    step = Basis.of("groups-by-steps", *(("replacing-is-removing-and-adding",) if in_two else ()))
    basis = reduce(or_, (each.basis for each in (own, *others)), step)
    direction = Direction.combine(*(each.by_profile().direction for each in (own, *others)))
    face = curves.chained([*[(own.face,)] * (2 if in_two else 1), *[other] * steps])
    return Curve(face, direction, Order.PROFILE, basis)


def require_few(steps: int) -> None:
    """Refuse more steps than are followed one by one."""
    if steps > MOST_STEPS:
        rule = f"must be few enough for {MOST_STEPS:,} steps from one dataset to the other"
        raise TooCostly("the people who depend on each other", rule, f"{steps:,} steps", "Ask about fewer people.")


def require_all_neighbours(mechanism: Mechanism, name: str) -> None:
    """Refuse what is known of two datasets alone."""
    if mechanism.of_one_pair:
        way_out = "Pass a Kernel with the laws on all of them, or a guarantee."
        raise NotImplied(name, "does not follow from two datasets", mechanism, way_out)


def _is_in_two_steps(mechanism: Mechanism) -> bool:
    """Whether what a replaced record does is only known by removing it and adding another."""
    known = mechanism.relations
    return Neighbours.REPLACE not in known and Neighbours.ADD_REMOVE in known and not mechanism.knows_size


def _changes_of_others(mechanism: Mechanism, neighbours: Neighbours) -> list[Curve]:
    """The curves of all that may become of one other person of the block."""
    if not mechanism.knows_size:
        both = (Neighbours.ADD_REMOVE, Neighbours.REPLACE)
        return [mechanism.curve(each) for each in both if each in mechanism.relations]
    if neighbours is Neighbours.REPLACE:
        return [mechanism.curve(neighbours)]
    rule = "is not known where one of them comes or goes: the loss depends on how many people there are"
    way_out = "Ask about records that are replaced, with {neighbours}."
    suggested = {"neighbours": Neighbours.REPLACE}
    raise NotImplied("a promise to people who depend on each other", rule, mechanism, way_out, suggested=suggested)


def _ever(curve: Curve, face: LossDistribution) -> Curve:
    direction = Direction.combine(curve.direction, Direction.AT_MOST)
    return replace(curve, face=face, direction=direction, basis=curve.basis | Basis.of(*face.theorems))


def _are_few(steps: Counter[Curve]) -> bool:
    """Whether all choices can be gone through: sums of finitely many losses are quick, other sums are not."""
    if _are_equal_coins(steps):
        return True
    if len(steps) == 1 and isinstance(next(iter(steps)).face, DiscreteGaussianLoss):
        return steps.total() <= FEW_DISCRETE
    quick = all(isinstance(each.face, FinitePair) for each in steps) or steps.total() == 1
    return quick and math.prod(times + 1 for times in steps.values()) <= FEW + 1


def _are_equal_coins(steps: Counter[Curve]) -> bool:
    """Whether every step has the same loss, with two values of one size."""
    pair = next(iter(steps)).face if len(steps) == 1 else None
    if not isinstance(pair, FinitePair):
        return False
    finite = np.isneginf(pair.log_infinity) and np.isneginf(pair.log_missing)
    return bool(finite and pair.losses.size == 2 and pair.losses[0] == -pair.losses[1])


def _taken(steps: Counter[Curve]) -> Iterator[Curve]:
    """The curve of each choice of the releases that somebody takes part in, all of them first; not that of none."""
    # Of equal coins, two more have at least the tail: all of them, and all but one, are enough.
    least = max(steps.total() - 1, 0) if _are_equal_coins(steps) else 0
    for choice in product(*(range(times, least - 1, -1) for times in steps.values())):
        taken = {step: times for step, times in zip(steps, choice, strict=True) if times}
        if taken:
            one = next(iter(taken)) if sum(choice) == 1 else curves.composed(taken)
            yield replace(one, basis=one.basis | Basis.of("tail-of-fewer-releases"))


@dataclass(frozen=True, repr=False)
class FullChange(Mechanism):
    """A mechanism as it is for somebody whose record changes every answer by as much as the sensitivity says.

    Bounds on beliefs then hold for such a person, who takes part in every release, and for nobody else.

    >>> from whit.curves import largest_loss
    >>> from whit.mechanisms import Laplace
    >>> twice = Laplace(1.0).times(2)
    >>> print(largest_loss(twice, 0.5))
    privacy loss is at most 1.66, except with probability 50 %
    >>> print(largest_loss(FullChange(twice), 0.5))
    privacy loss is at most 0.834, except with probability 50 %
    """

    mechanism: Mechanism

    def __post_init__(self) -> None:
        """Refuse what is no mechanism."""
        way_out = "Pass a mechanism such as Laplace(1.0).times(2)."
        known = isinstance(self.mechanism, Mechanism)
        require(known, name="mechanism", rule="must be a mechanism", value=self.mechanism, way_out=way_out)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations of the mechanism."""
        return self.mechanism.relations

    @property
    def basis(self) -> Basis:
        """What the mechanism rests on, and that the change is the largest one."""
        return self.mechanism.basis | Basis.of("full-change")

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the mechanism."""
        curve = self.mechanism.curve(neighbours)
        return replace(curve, basis=curve.basis | Basis.of("full-change"))

    @property
    def of_one_pair(self) -> bool:  # type: ignore[override]
        """Whether that is so of what it is made of."""
        return self.mechanism.of_one_pair

    @property
    def knows_size(self) -> bool:  # type: ignore[override]
        """Whether the loss of the mechanism depends on how many people there are."""
        return self.mechanism.knows_size

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        return self.mechanism.loss(neighbours)

    def grows_with_change(self, neighbours: Neighbours, sides: int) -> bool:
        """True: nobody else is covered."""
        return True

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The loss that the mechanism never exceeds."""
        return self.mechanism.sure_loss(neighbours)

    def times(self, count: int) -> FullChange:
        """So many releases, each of which the record changes in full."""
        return FullChange(self.mechanism.times(count))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Draws of the mechanism, for simulation; not for release."""
        return self.mechanism.sample(rng, size)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"FullChange({self.mechanism!r})"
