"""Which delta is small enough for so many people."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array
from whit.errors import Unreachable, require
from whit.numerics import largest_true, probability_array, real_array
from whit.semantics.counterfactual.distance import FIXED, SAMPLED, Way
from whit.semantics.counterfactual.profile import numbers_of_people, together
from whit.semantics.counterfactual.world import CounterfactualWorld, checked
from whit.setting import FAILURE_WAY_OUT, Knowledge, failures
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

ENOUGH = Quantity("largest delta that is small enough", Unit.NUMBER)

EPSILON_WAY_OUT = "Use a number such as 0.5."
DISTANCE_WAY_OUT = "Use the largest acceptable distance between the beliefs, such as 0.25."


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
    people at once but for the probability of failure, over data drawn from the adversary's own belief and over the
    noise. Refused where epsilon alone, with delta 0, is too much.

    >>> print(delta_for_people(10_000, epsilon=0.5, distance=0.25, failure=0.001))
    largest delta that is small enough is at least 3.73e-10
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
    basis = Basis.of(way.key) | Basis(failures=(Failure(float(np.max(allowed)), Randomness.MECHANISM),))
    inputs: dict[str, Any] = {"people": people, "epsilon": epsilon, "distance": distance, "failure": failure}
    inputs |= {"world": world, "knows": knows}
    return Finding(ENOUGH, found, Direction.AT_LEAST, inputs, basis)


def _way(world: CounterfactualWorld, knows: Knowledge) -> Way:
    """The theorem that applies to a promise of which no more is known than epsilon and delta."""
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
