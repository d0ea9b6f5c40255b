"""The worlds without a person, and the privacy profile that bounds what changes between them.

The posteriors of an adversary who does not know everyone else are mixtures over many pairs of neighbours. A profile
that bounds every pair bounds every mixture of them; a tail of the loss or the power of one pair would not.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Curve, LossDistribution, Promise, questions, require_promise, sum_of_largest
from whit.errors import InvalidInput, NotImplied, require
from whit.numerics import doubles, ordinals, real_array
from whit.setting import Knowledge, Neighbours
from whit.theory import Basis, Direction, Unit, number_text

_WORLD = "Use CounterfactualWorld.DROPPED, DEFAULT_RECORD or POSTERIOR_SAMPLE."


class CounterfactualWorld(Enum):
    """A world without the person: what becomes of their record there; the value is a sentence that says it.

    In each of them the adversary knows in which world they are, and believes the same of the data as in the actual one.
    They differ in what the release is run on, and so in which neighbours a promise has to be about:

    DROPPED           the release is run on one record less: neighbours add or remove a record
    DEFAULT_RECORD    a fixed record takes the place: neighbours replace a record
    POSTERIOR_SAMPLE  a record drawn from what the rest of the data tells of the person takes the place: neighbours
                      replace a record. What the output tells of everyone else is then the same in both worlds, and so
                      the bounds are half as large in the exponent.

    Where the adversary knows everyone else, the output of the world without the person tells them nothing, and the
    three are one: their posterior there is their prior.

    >>> CounterfactualWorld.DROPPED.neighbours
    Neighbours.ADD_REMOVE
    """

    DROPPED = "The release is run on the data without the person's record."
    DEFAULT_RECORD = "The release is run on the data with a fixed record in the place of the person's own."
    POSTERIOR_SAMPLE = (
        "The release is run on the data with a record in the place of the person's own that is drawn from what the "
        "adversary would believe of it if they knew everyone else."
    )

    @property
    def neighbours(self) -> Neighbours:
        """The relation between the actual data and those of this world, which the promise must be about."""
        return Neighbours.ADD_REMOVE if self is CounterfactualWorld.DROPPED else Neighbours.REPLACE

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"CounterfactualWorld.{self.name}"


def world_of(world: CounterfactualWorld | None, promise: Promise) -> CounterfactualWorld:
    """The world asked for; if none is, the one that the promise's own neighbours speak of."""
    if world is not None:
        return checked(world)
    relation = require_promise(promise).relation()
    if relation is None:
        rule = "must be given for a curve, which does not say between which neighbours it is"
        raise InvalidInput("world", rule, None, _WORLD)
    return CounterfactualWorld.DROPPED if relation is Neighbours.ADD_REMOVE else CounterfactualWorld.DEFAULT_RECORD


def checked(world: CounterfactualWorld) -> CounterfactualWorld:
    """The world, if it is one."""
    known_one, rule = isinstance(world, CounterfactualWorld), "must be one of CounterfactualWorld"
    require(known_one, name="world", rule=rule, value=world, way_out=_WORLD)
    return world


Objective = Callable[[Array, Array], Array]
"""Maps epsilons and the logs of their deltas, along a last axis, to values each of which is a valid bound."""

# At which epsilons the profile is read at first; then again and again around the best one. Any of them gives a bound.
EPSILONS = np.append(0.0, np.exp(np.linspace(np.log(1e-9), np.log(1e5), 60)))
STEP = float(np.log(EPSILONS[2] / EPSILONS[1]))
# Up to where they are read at once, and the log of a delta that no failure is as small as.
NEAR = int(np.searchsorted(EPSILONS, 1.0))
NEGLIGIBLE = -1000.0
# Beside a chance above this, a delta that only a dear integral knows is next to nothing.
ORDINARY_CHANCE = 1e-9
# Where a dear integral could lower an answer by no more than this share of it, it is not asked for.
UNSEEN = 1e-6
# Where it could lower it by no more than this share, it is asked for only next to the best of the places without it.
SLIGHT = 1e-3
# How many points are read around the best one, and how often: a known loss answers many at once as quickly as few.
FEW_POINTS, MANY_ZOOMS = 17, 5
MANY_POINTS, FEW_ZOOMS = 257, 2
# Into how many parts a search for the first epsilon cuts what is left of the doubles, at each step.
PARTS = 8
# No epsilon beyond this one is searched for; that of pure differential privacy is known without.
FARTHEST = 1e7
# A failure probability beyond this one is no way out.
LARGEST_FAILURE = 0.5

PEOPLE_WAY_OUT = "Use the number of people that the bound must hold for at once, such as 10000, or 1 for one person."


@dataclass(frozen=True, eq=False)
class Profile:
    """The larger delta of the two orders at each epsilon.

    Attributes:
        curve: where it is read off.
        promise: what the curve is of.
        neighbours: between which neighbours.
    """

    curve: Curve
    promise: Promise
    neighbours: Neighbours

    @classmethod
    def of(cls, promise: Promise, neighbours: Neighbours) -> Profile:
        """The profile of a promise between such neighbours; a lower bound on the curve is refused."""
        known = _known(require_promise(promise), neighbours)
        curve = known.curve(neighbours)
        if curve.direction is Direction.AT_LEAST:
            rule = "cannot be bounded by a curve that is a lower bound"
            raise NotImplied("what the release changes", rule, curve.face, "Use a curve that is an upper bound.")
        return cls(curve, known, neighbours)

    @cached_property
    def sure(self) -> float:
        """The epsilon with delta 0; infinite where there is none."""
        if self.curve.face.is_endless:
            return np.inf
        if self.promise.is_stated and self._corner is not None and np.isneginf(self.log_rest):
            return self._corner
        if self._is_composed and np.isneginf(self.log_rest):
            return sum_of_largest(self.curve.face)  # to look for it in the profile would be dear
        return self._first_epsilon(-np.inf) if np.isneginf(self.log_rest) else np.inf

    @cached_property
    def log_rest(self) -> float:
        """Log of the delta that is left at every epsilon."""
        return float(self.log_delta(np.asarray(np.inf)) if self._is_composed else self._at_once[-1])

    @cached_property
    def corners(self) -> Array:
        """Where the profile has a corner that is worth to be read: at delta 0, and at what is left at every epsilon."""
        if self._corner is not None:
            found = self._corner
        elif self.promise.is_stated and np.isfinite(self.log_rest):
            found = self._first_epsilon(self.log_rest)
        else:  # a mechanism has no other corner, and may be slow
            found = self.sure
        return np.array([found] if np.isfinite(found) else [])

    @cached_property
    def _corner(self) -> float | None:
        return self.promise.corner(self.neighbours)

    @cached_property
    def _grid(self) -> Array:
        """What is read at EPSILONS; of a composition, which is dear, no further than there is a delta to speak of."""
        return self._read(self) if self._is_composed else self._at_once[: len(EPSILONS)]

    @property
    def _is_composed(self) -> bool:
        return self.curve.face.is_dear

    @cached_property
    def _at_once(self) -> Array:
        """What is read at EPSILONS, at the farthest epsilon that is looked at, and at infinity: in one question."""
        return self.log_delta(np.append(EPSILONS, [FARTHEST, np.inf]))

    @cached_property
    def _thrifty_grid(self) -> Array:
        """The same, but that a delta that is next to nothing is not looked at closely."""
        return self._read(replace(self, curve=replace(self.curve, face=self.curve.face.thrifty)))

    @staticmethod
    def _read(profile: Profile) -> Array:
        read = profile.log_delta(EPSILONS[:NEAR])
        for epsilon in EPSILONS[NEAR:]:
            if read[-1] < NEGLIGIBLE:
                break
            read = np.append(read, profile.log_delta(epsilon))
        # A delta is none the larger further out.
        return np.append(read, np.full(len(EPSILONS) - len(read), read[-1]))

    @property
    def direction(self) -> Direction:
        """On which side of the truth a bound by this profile lies."""
        return Direction.combine(self.curve.direction, Direction.AT_MOST)

    @property
    def basis(self) -> Basis:
        """What the curve rests on."""
        return self.curve.basis

    def log_delta(self, epsilons: Array) -> Array:
        """Log of the larger delta of the two orders."""
        return self._ends(epsilons)[1]

    def _ends(self, epsilons: Array) -> tuple[Array, Array]:
        """The same from below, and as it is used."""
        bracket = questions.worst_order(self.curve.face, lambda face: face.log_delta(epsilons))
        return bracket.lower, bracket.mid if self.curve.direction is Direction.ABOUT else bracket.upper

    def at_chances(self, chances: Array) -> Array | None:
        """Epsilon 0 and, along a last axis, the one that is exceeded with each chance, where that is in closed form.

        One of them has the smallest e - log(1 - D(e)/chance), whose slope is 0 where P[Z > e] is the chance.
        """
        face = self.curve.face
        quantile = face.quantile(chances) if face.reverse() is face else None
        return None if quantile is None else np.stack([np.zeros(chances.shape), np.maximum(quantile, 0.0)], axis=-1)

    @cached_property
    def _rough(self) -> Profile:
        """The profile as far as it is known without anything dear; itself where that is all."""
        rough = self.curve.face.rough
        return self if rough is self.curve.face else replace(self, curve=replace(self.curve, face=rough))

    def least(self, objective: Objective, shape: tuple[int, ...], *, chance: float = 0.0) -> Array:
        """The smallest value of the objective over the points of the profile, for each element of the shape.

        A delta that is next to nothing beside the chance is not looked at closely, but near the smallest value.
        """
        if self._rough is not self and self.direction is not Direction.ABOUT:
            lower, upper, place = self._rough._searched(objective, shape, self._rough._ends(EPSILONS), self.corners)
            if np.all(upper * (1 - UNSEEN) <= lower):
                return upper
            if np.all(upper * (1 - SLIGHT) <= lower):
                return np.minimum(upper, self._next_to(objective, place))
        dear = self._is_composed and chance > ORDINARY_CHANCE
        grid = self._thrifty_grid if dear else self._grid
        return self._searched(objective, shape, (grid,), self.corners)[0]

    def _next_to(self, objective: Objective, place: Array) -> Array:
        """The smallest value of the objective at some points around a place."""
        epsilons = place * np.exp(np.linspace(-STEP, STEP, MANY_POINTS) / FEW_POINTS)
        return np.asarray(objective(epsilons, self.log_delta(epsilons)).min(axis=-1))

    def _searched(
        self, objective: Objective, shape: tuple[int, ...], grids: tuple[Array, ...], corners: Array
    ) -> list[Array]:
        """The smallest values by both ends of the profile, or by the one that is used alone, and the place of the last.

        The last of the values is the one that is proved.
        """
        number = len(grids)
        more = self._ends(corners)[-number:] if corners.size else [corners] * number
        ends = [np.append(*each) for each in zip(grids, more, strict=True)]
        epsilons, *logs = (np.broadcast_to(each, (*shape, len(each))) for each in (np.append(EPSILONS, corners), *ends))
        face = self.curve.face
        quick = face.is_told_by_profile or (isinstance(face, LossDistribution) and not self._is_composed)
        points, zooms = (MANY_POINTS, FEW_ZOOMS) if quick else (FEW_POINTS, MANY_ZOOMS)
        step, smallest = STEP, [np.full(shape, np.inf)] * number
        for zoom in range(zooms + 1):
            values = [objective(epsilons, each) for each in logs]
            smallest = [np.minimum(each, some.min(axis=-1)) for each, some in zip(smallest, values, strict=True)]
            centre = np.take_along_axis(epsilons, values[-1].argmin(axis=-1)[..., None], axis=-1)
            if zoom < zooms:
                epsilons = np.maximum(centre, EPSILONS[1]) * np.exp(np.linspace(-step, step, points))
                logs = list(self._ends(epsilons)[-number:])
                step *= 2 / (points - 1)
        return [*smallest, centre]

    def _first_epsilon(self, log_delta: float) -> float:
        """The smallest epsilon with at most this delta, to the last double; infinite where none is found."""
        # A delta is none the smaller before the farthest epsilon: often one look is all.
        if self.promise.is_stated and not self._is_composed and self._at_once[-2] > log_delta:
            return np.inf
        enough = self._grid <= log_delta
        place = int(np.argmax(enough))
        if enough[place]:
            failing, holding = (int(each) for each in ordinals(EPSILONS[[max(place - 1, 0), place]]))
        else:
            failing, holding = (int(each) for each in ordinals([EPSILONS[-1], FARTHEST]))
            # Beyond the grid only a stated promise is searched, as only that is in closed form.
            if not self.promise.is_stated:
                return np.inf
        while holding > failing + 1:
            step = max((holding - failing) // PARTS, 1)
            between = np.arange(failing + step, holding, step)
            holds = np.append(self.log_delta(doubles(between)) <= log_delta, True)
            ends, first = [failing, *between.tolist(), holding], int(np.argmax(holds))
            failing, holding = ends[first], ends[first + 1]
        return float(doubles(holding))


def _known(promise: Promise, neighbours: Neighbours) -> Promise:
    """The promise itself; of a replaced record what removing and adding come to, if no more is known."""
    try:
        promise.curve(neighbours)
    except NotImplied as unknown:
        if neighbours is Neighbours.REPLACE:
            with suppress(NotImplied):
                return promise.between_contents(1, neighbours)
        raise unknown from None
    return promise


@dataclass(frozen=True)
class Sides:
    """What is known for the two kinds of theorems; at least one of them is.

    Attributes:
        alike: the profile between replaced records, where the output tells the same of everyone else in both worlds.
        unlike: the profile between the actual data and those of the world without the person, whatever it tells.
    """

    alike: Profile | None
    unlike: Profile | None

    @classmethod
    def of(cls, promise: Promise, world: CounterfactualWorld, knows: Knowledge) -> Sides:
        """The profiles that the question turns on. Where everyone else is known the three worlds are one."""
        rest_known = knows is Knowledge.EVERYONE_ELSE
        if world is CounterfactualWorld.POSTERIOR_SAMPLE or (
            rest_known and world is CounterfactualWorld.DEFAULT_RECORD
        ):
            return cls(Profile.of(promise, Neighbours.REPLACE), None)
        # A bare curve about a dropped record says nothing of a replaced one.
        replaced = _if_known(promise, Neighbours.REPLACE) if rest_known and promise.relation() is not None else None
        if replaced is None:
            return cls(None, Profile.of(promise, world.neighbours))
        return cls(replaced, _if_known(promise, world.neighbours))


def _if_known(promise: Promise, neighbours: Neighbours) -> Profile | None:
    try:
        return Profile.of(promise, neighbours)
    except NotImplied:
        return None


def numbers_of_people(people: ArrayLike) -> Array:
    """Whole numbers of at least 1, as an array."""
    counts = real_array("people", people, PEOPLE_WAY_OUT)
    whole = np.asarray(people).dtype.kind in "iu" and bool(np.all(counts >= 1))
    rule = "must be a whole number of at least 1, or an array of them"
    require(whole, name="people", rule=rule, value=people, way_out=PEOPLE_WAY_OUT)
    return counts


def together(**given: Array) -> list[Array]:
    """The arrays in one shape, none of them empty."""
    for name, each in given.items():
        rule = "must be a number or an array with at least one"
        require(each.size > 0, name=name, rule=rule, value="an empty array", way_out="Leave nothing empty.")
    try:
        return [np.asarray(each) for each in np.broadcast_arrays(*given.values())]
    except ValueError as apart:
        shapes = ", ".join(str(each.shape) for each in given.values())
        rule = "must be numbers, or arrays of shapes that fit each other"
        raise InvalidInput(" and ".join(given), rule, f"shapes {shapes}", "Use arrays of one shape.") from apart


def not_bounded(what: str, least: float, given: object, way_out: str) -> NotImplied:
    """The refusal where a promise bounds nothing, unless the failure probability is above the least."""
    least_text = number_text(least, Direction.AT_LEAST, Unit.PROBABILITY)
    rule = f"has no bound at a failure probability of {least_text} or less"
    if least == 0.0:
        rule = "has no bound without a failure probability"
    if least >= 1.0:
        rule = "is not bounded by this promise at any failure probability"
    if least > LARGEST_FAILURE:
        way_out = "Use a promise with a smaller delta."
    return NotImplied(what, rule, given, way_out, parameter="failure")
