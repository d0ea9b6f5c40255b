"""How far beliefs with and without a person can be apart, and which delta is small enough for so many people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Promise, below_certainty
from whit.errors import Unreachable, require
from whit.numerics import ULP, Bracket, add_up, largest_true, probability_array, real_array, up
from whit.semantics.counterfactual.profile import (
    CounterfactualWorld,
    Profile,
    Sides,
    checked,
    not_bounded,
    numbers_of_people,
    together,
    world_of,
)
from whit.setting import FAILURE_WAY_OUT, Knowledge, failures
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

DISTANCE = Quantity(
    "distance between the posteriors with and without the person", Unit.PROBABILITY, key="total_variation"
)


@dataclass(frozen=True)
class Way:
    """One theorem: a sure bound at delta 0, and what a delta costs beside it.

    For every epsilon, the mean over the outputs of what the distance has above sure(epsilon) is at most
    e^(log_cost(epsilon)) delta. `least_failure` is the smallest ratio of that cost to 1 - sure(epsilon).
    """

    sure: Callable[[Array], Array]
    log_cost: Callable[[Array], Array]
    least_failure: float
    pure_key: str
    key: str

    def distance(self, epsilons: Array, log_deltas: Array, log_people_per_failure: Array) -> Array:
        """The sure bound plus cost times delta times people over failure, rounded up and cut at 1."""
        total = self.log_cost(epsilons) + log_deltas + log_people_per_failure
        size = epsilons + np.abs(log_people_per_failure) + np.where(np.isfinite(log_deltas), np.abs(log_deltas), 0.0)
        # Three sums of a few terms of these sizes, and functions good to some units in the last place.
        extra = Bracket.exact(np.minimum(total + 24 * ULP + 8 * ULP * size, 1.0)).exp().upper
        return np.minimum(add_up(self.sure(epsilons), np.where(np.isneginf(log_deltas), 0.0, extra)), 1.0)


def _tanh_up(x: Array) -> Array:
    return np.where(x == 0.0, 0.0, np.minimum(up(np.tanh(x), 4), 1.0))


FIXED = Way(
    sure=lambda t: _tanh_up(t / 2),
    log_cost=lambda t: (
        np.log(2.0) - np.logaddexp(0.0, t) + np.log1p(1 / (1 + np.sqrt(-np.expm1(-2 * np.minimum(t, 700.0)))))
    ),
    least_failure=1.5,
    pure_key="pure-to-semantic",
    key="beliefs-but-for-failure",
)
"""The record is dropped or replaced by a fixed one: tanh(t/2), and 2/(1 + e^t) (1 + 1/(1 + sqrt(1 - e^(-2t))))."""

SAMPLED = Way(
    sure=lambda t: _tanh_up(t / 4),
    log_cost=lambda t: np.log(2.0) - np.logaddexp(0.0, t / 2),
    least_failure=1.0,
    pure_key="beliefs-posterior-sample",
    key="beliefs-posterior-sample",
)
"""The world without the person tells as much of everyone else as the actual one: tanh(t/4), and 2/(1 + e^(t/2))."""


def total_variation(
    promise: Promise,
    *,
    failure: ArrayLike = 0.0,
    people: ArrayLike = 1,
    world: CounterfactualWorld | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> Finding:
    """The largest distance between the posterior with the person's record in the data and the posterior without it.

    Both are beliefs about all the data, of an adversary who sees the output; the distance is the most by which they
    differ on any statement. Without a failure the bound holds for every output and every belief, right or wrong. With
    one, it holds for all of so many people at once, except with that probability over the data, drawn from the
    adversary's own belief, and over the noise: of an adversary who is wrong about the data nothing is said.

    Args:
        promise: a promise, a mechanism or a curve.
        failure: probability that the bound is exceeded for one of the people; 0 asks for what always holds.
        people: how many people it is to hold for at once.
        world: what stands in the place of the record; by default what the promise's own neighbours speak of.
        knows: what the adversary knows of everyone else.

    >>> from whit.guarantees import ApproxDP, PureDP
    >>> print(total_variation(PureDP(1.0)))
    distance between the posteriors with and without the person is at most 46.3 %
    >>> print(total_variation(PureDP(1.0), world=CounterfactualWorld.POSTERIOR_SAMPLE))
    distance between the posteriors with and without the person is at most 46.3 %
    >>> print(total_variation(ApproxDP(1.0, 1e-9), failure=0.001, people=10_000))
    distance between the posteriors with and without the person is at most 47.1 %, except with probability 0.1 %
    """
    allowed, counts = together(failure=failures(failure), people=numbers_of_people(people))
    chosen = world_of(world, promise)
    sides = Sides.of(promise, chosen, Knowledge.checked(knows))
    ways = ((sides.alike, SAMPLED), (sides.unlike, FIXED))
    answers = [_answer(profile, way, allowed, counts) for profile, way in ways if profile is not None]
    if not any(each.implied.any() for each in answers):
        least = min(each.least_failure for each in answers)
        way_out = "Allow a larger failure, ask for fewer people at once, or use a promise with a smaller delta."
        raise not_bounded("the distance between the posteriors", least, failure, way_out)
    best = min(answers, key=lambda each: float(np.sum(each.value)))
    inputs: dict[str, Any] = {"promise": promise, "failure": failure, "people": people, "world": chosen, "knows": knows}
    found = Finding(DISTANCE, best.value, best.direction, inputs, best.basis)
    return below_certainty(found, promise, None)


@dataclass(frozen=True)
class _Answer:
    """What one way gives: the bound and where there is one (1 elsewhere), its basis, and the least failure it needs."""

    value: Array
    implied: Array
    direction: Direction
    basis: Basis
    least_failure: float


def _answer(profile: Profile, way: Way, allowed: Array, counts: Array) -> _Answer:
    sure = float(way.sure(np.asarray(profile.sure)))
    least = np.minimum(way.least_failure * float(np.exp(profile.log_rest)) * counts, 1.0)
    room = allowed > least
    scale = np.log(counts) - np.log(np.where(room, allowed, 1.0))
    value = np.full(allowed.shape, sure)
    if room.any():
        chance = float(np.min(allowed[room] / counts[room]))
        found = profile.least(lambda t, log_d: way.distance(t, log_d, scale[..., None]), allowed.shape, chance=chance)
        value = np.minimum(np.where(room, found, 1.0), sure)
    failing = bool(np.any(value < sure))
    over = (Failure(float(np.max(allowed)), Randomness.BELIEF),) if failing else ()
    basis = profile.basis | Basis.of(way.key if failing else way.pure_key) | Basis(failures=over)
    implied = room | np.isfinite(profile.sure)
    return _Answer(value, implied, profile.direction, basis, float(np.min(least)))


ENOUGH = Quantity("largest delta that meets the distance", Unit.NUMBER, certain=True)

EPSILON_WAY_OUT = "Use a number such as 0.5."
DISTANCE_WAY_OUT = "Use the largest acceptable distance between the posteriors, such as 0.25."


def delta_for_people(
    people: ArrayLike,
    *,
    epsilon: ArrayLike,
    distance: ArrayLike,
    failure: ArrayLike,
    world: CounterfactualWorld = CounterfactualWorld.DEFAULT_RECORD,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> Finding:
    """The largest delta for which (epsilon, delta)-differential privacy keeps beliefs within the distance.

    The promise is one under the neighbours of the world, and the bound that of total_variation: it holds for all the
    people at once, except with the failure probability over data drawn from the adversary's own belief and over the
    noise. Refused where epsilon alone, with delta 0, is too much.

    >>> print(delta_for_people(10_000, epsilon=0.5, distance=0.25, failure=0.001))
    largest delta that meets the distance is at least 4.32e-10 (failure probability 0.1 %)
    """
    counts, eps, limit, allowed = together(
        people=numbers_of_people(people),
        epsilon=epsilons(epsilon),
        distance=distances(distance),
        failure=positive_failures(failure),
    )
    way = _way(checked(world), Knowledge.checked(knows))
    scale = np.log(counts) - np.log(allowed)

    def keeps(deltas: Array) -> NDArray[np.bool_]:
        with np.errstate(divide="ignore"):
            return np.asarray(way.distance(eps, np.log(deltas), scale) <= limit)

    _require_reachable(way.sure(eps), limit, distance)
    found = largest_true(keeps, np.zeros(eps.shape), np.ones(eps.shape))
    basis = Basis.of(way.key) | Basis(failures=(Failure(float(np.max(allowed)), Randomness.BELIEF),))
    inputs: dict[str, Any] = {"people": people, "epsilon": epsilon, "distance": distance, "failure": failure}
    inputs |= {"world": world, "knows": knows}
    return Finding(ENOUGH, found, Direction.AT_LEAST, inputs, basis)


def _way(world: CounterfactualWorld, knows: Knowledge) -> Way:
    """The theorem that applies to a promise known only by epsilon and delta."""
    rest_known = knows is Knowledge.EVERYONE_ELSE and world is CounterfactualWorld.DEFAULT_RECORD
    return SAMPLED if rest_known or world is CounterfactualWorld.POSTERIOR_SAMPLE else FIXED


def epsilons(epsilon: ArrayLike) -> Array:
    """Finite numbers of at least 0, as an array."""
    array = real_array("epsilon", epsilon, EPSILON_WAY_OUT)
    legal = bool(np.all((array >= 0) & np.isfinite(array)))
    rule = "must be finite and at least 0"
    require(legal, name="epsilon", rule=rule, value=epsilon, way_out=EPSILON_WAY_OUT)
    return array


def distances(distance: ArrayLike) -> Array:
    """Distances below 1, as an array: a distance of 1 would be no limit."""
    array = probability_array("distance", distance, DISTANCE_WAY_OUT)
    legal = bool(np.all(array < 1))
    require(legal, name="distance", rule="must be below 1", value=distance, way_out=DISTANCE_WAY_OUT)
    return array


def positive_failures(failure: ArrayLike) -> Array:
    """Probabilities of failure above 0, as an array."""
    array = failures(failure)
    legal = bool(np.all(array > 0))
    require(legal, name="failure", rule="must be above 0", value=failure, way_out=FAILURE_WAY_OUT)
    return array


def _require_reachable(sure: Array, limit: Array, distance: ArrayLike) -> None:
    if not np.all(sure <= limit):
        least = float(np.max(np.where(sure <= limit, 0.0, sure)))
        rule = f"must be at least {least:.4g}, which epsilon alone can move beliefs by"
        raise Unreachable("distance", rule, distance, "Allow a larger distance, or use a smaller epsilon.")
