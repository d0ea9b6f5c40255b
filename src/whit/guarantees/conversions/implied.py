"""The way back: which promise follows if what a release does to beliefs is bounded.

Each bound is understood to hold for every dataset and every person, whether the fact is true or not, and except with
the one chance of failure over the noise of the release. Without a failure pure differential privacy follows, with one a
bound on the loss that may fail as often: probabilistic differential privacy.

A bound on the rise alone would bound one order of the pair only, so every bound here is two-sided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import EPSILON, Array
from whit.errors import NotImplied, require
from whit.guarantees import ProbabilisticDP, PureDP
from whit.numerics import ULP, down, number, paired, probability, probability_array, real_array, up
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Tree, reported

_EPSILON = "Use a number such as 1."
_PRIOR = "Use the adversary's probability before the release, such as 0.5."
_LOWER = "Use the smallest posterior that is allowed, above 0 and not above the prior."
_UPPER = "Use the largest posterior that is allowed, below 1 and not below the prior."
_LOWEST = "Use the smallest factor that is allowed, above 0 and at most 1, such as 0.5."
_HIGHEST = "Use the largest factor that is allowed, at least 1, such as 2."
_DIFFERENCE = "Use the largest change of a probability that is allowed, such as 0.2."
_PAIRED = "Use one number, or as many of each."
_FAILURE = "Use the chance that the bound fails, such as 0.01; 0 if it always holds."

# Every formula is a chain of fewer operations than this on numbers of one sign, each good to a unit in the last place.
_ULPS = 12

# From here on log1p(x) is taken as the sum of the logs of which x is made, since x itself may overflow.
_LARGE = 1e8


@dataclass(frozen=True)
class Implied:
    """The promises that follow from a bound on beliefs, all of them at once, the one with the smallest loss first.

    Attributes:
        promises: what is promised.
        bound: the bound that it follows from, by names.
        basis: the theorem, and through it what must hold of the bound.
    """

    promises: tuple[PureDP | ProbabilisticDP, ...]
    bound: Mapping[str, Tree]
    basis: Basis

    @property
    def promise(self) -> PureDP | ProbabilisticDP:
        """The promise with the smallest bound on the loss; as differential privacy it says all that the others do."""
        return self.promises[0]

    def delta(self, epsilons: ArrayLike) -> Finding:
        """The smallest delta that follows at each epsilon."""
        return self._least(lambda promise: promise.delta(epsilons))

    def epsilon(self, deltas: ArrayLike) -> Finding:
        """The smallest epsilon that follows at each delta."""
        return self._least(lambda promise: promise.epsilon(deltas))

    def tail(self, losses: ArrayLike) -> Finding:
        """The largest probability that the loss exceeds each threshold."""
        return self._least(lambda promise: promise.tail(losses))

    def two_sided_tail(self, losses: ArrayLike) -> Finding:
        """The largest probability that the loss is beyond each threshold, above it or below its negative."""
        return self._least(lambda promise: promise.two_sided_tail(losses))

    def __str__(self) -> str:
        """What follows, in one line."""
        return f"{' and '.join(map(repr, self.promises))} from {', '.join(f'{k}={v!r}' for k, v in self.bound.items())}"

    def _least(self, ask: Callable[[PureDP | ProbabilisticDP], Finding]) -> Finding:
        """The smallest of the upper bounds, resting on all of them."""
        answers = [ask(promise) for promise in self.promises]
        basis = self.basis
        for answer in answers:
            basis = basis | answer.basis
        values = np.min([np.asarray(answer.value) for answer in answers], axis=0)
        return replace(answers[0], value=values, inputs={**answers[0].inputs, **self.bound}, basis=basis)


def implied_by_posterior(
    prior: float,
    *,
    lower: float,
    upper: float,
    failure: float = 0.0,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
) -> Implied:
    """What follows if from one prior the posterior always ends between these two, except with the failure probability.

    One prior is enough: the odds move by the same factor from each. A prior of 0 or 1 says nothing, as it never moves.

    >>> implied_by_posterior(0.5, lower=0.2, upper=0.8, failure=0.05).promise.sides
    2
    """
    start, low, high = number("prior", prior, _PRIOR), number("lower", lower, _LOWER), number("upper", upper, _UPPER)
    epsilon = float(epsilon_of_posterior.kernel(start, low, high))
    bound: dict[str, Tree] = {"prior": start, "lower": low, "upper": high}
    return _symmetric(epsilon, bound, failure, neighbours, "posterior-bound-to-promise")


def implied_by_odds(factor: float, *, failure: float = 0.0, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> Implied:
    """What follows if the odds rise or fall by at most this factor, from every prior or from one of them.

    >>> print(round(implied_by_odds(2.0).promise.stated_epsilon, 6))
    0.693147
    """
    most = number("factor", factor, _HIGHEST)
    epsilon = float(epsilon_of_odds.kernel(most))
    return _symmetric(epsilon, {"odds factor": most}, failure, neighbours, "posterior-bound-to-promise")


def implied_by_ratio(
    *, lowest: float, highest: float, failure: float = 0.0, neighbours: Neighbours = Neighbours.ADD_REMOVE
) -> Implied:
    """What follows if from every prior the posterior is at least `lowest` and at most `highest` times the prior.

    >>> found = implied_by_ratio(lowest=0.5, highest=2.0, failure=0.01).promise
    >>> round(found.stated_epsilon, 6), found.stated_delta, found.sides
    (0.693147, 0.01, 2)
    """
    low, high = number("lowest", lowest, _LOWEST), number("highest", highest, _HIGHEST)
    epsilon = float(epsilon_of_ratio.kernel(low, high))
    bound: dict[str, Tree] = {"lowest ratio": low, "highest ratio": high}
    return _symmetric(epsilon, bound, failure, neighbours, "ratio-bound-to-promise")


def implied_by_difference(
    difference: float, *, failure: float = 0.0, neighbours: Neighbours = Neighbours.ADD_REMOVE
) -> Implied:
    """What follows if the posterior is within this distance of every prior, except with the failure probability.

    The loss exceeds 4 artanh(difference) no more often than the bound fails: that is one side of it, and as much as
    differential privacy asks for. Both sides together exceed it a little more often, and no more often than the bound
    fails only from a larger loss on, which exists for a difference below 1/2.

    >>> for promise in implied_by_difference(0.2, failure=0.01).promises:
    ...     print(round(promise.stated_epsilon, 6), promise.stated_delta, promise.sides)
    0.81093 0.01 1
    0.847298 0.01 2
    """
    most, chance = number("difference", difference, _DIFFERENCE), probability("failure", failure, _FAILURE)
    epsilon = float(epsilon_of_difference.kernel(most))
    bound: dict[str, Tree] = {"difference": most, "failure": chance}
    _require_bounded(epsilon, "difference", difference, _DIFFERENCE)
    basis = Basis.of("difference-bound-to-promise")
    if chance == 0.0:
        return Implied((PureDP(epsilon, neighbours=neighbours),), bound, basis)
    promises = [ProbabilisticDP(epsilon, chance, sides=1, neighbours=neighbours)]
    both = float(both_sides_epsilon.kernel(epsilon))
    if np.isfinite(both):
        promises.append(ProbabilisticDP(both, chance, sides=2, neighbours=neighbours))
    return Implied(tuple(promises), bound, basis)


@reported(EPSILON, by="posterior-bound-to-promise", direction=Direction.AT_MOST)
def epsilon_of_posterior(prior: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> Array:
    """The largest loss with which a posterior stays between two numbers; unlimited where one of them is 0 or 1.

    >>> print(epsilon_of_posterior(0.5, 0.2, 0.8))
    epsilon is at most 1.39
    """
    p = probability_array("prior", prior, _PRIOR)
    low, high = probability_array("lower", lower, _LOWER), probability_array("upper", upper, _UPPER)
    p, low, high = paired(_PAIRED, prior=p, lower=low, upper=high)
    _require(np.all((p > 0.0) & (p < 1.0)), "prior", "must be above 0 and below 1, as no other moves", prior, _PRIOR)
    _require(np.all(low <= p), "lower", "must not be above the prior", lower, _LOWER)
    _require(np.all(high >= p), "upper", "must not be below the prior", upper, _UPPER)
    return np.maximum(_logits_apart(p, high), _logits_apart(low, p))


@reported(EPSILON, by="posterior-bound-to-promise", direction=Direction.AT_MOST)
def epsilon_of_odds(factor: ArrayLike) -> Array:
    """The largest loss with which odds move by at most this factor: its logarithm."""
    return _raised(np.log(_at_least_one("factor", factor)))


@reported(EPSILON, by="ratio-bound-to-promise", direction=Direction.AT_MOST)
def epsilon_of_ratio(lowest: ArrayLike, highest: ArrayLike) -> Array:
    """The largest loss with which the ratio of posterior and prior stays between two factors at every prior.

    >>> print(epsilon_of_ratio(0.5, 1.5))
    epsilon is at most 0.694
    """
    low, high = real_array("lowest", lowest, _LOWEST), _at_least_one("highest", highest)
    low, high = paired(_PAIRED, lowest=low, highest=high)
    _require(np.all((low >= 0.0) & (low <= 1.0)), "lowest", "must be between 0 and 1", lowest, _LOWEST)
    with np.errstate(divide="ignore"):
        return _raised(np.maximum(-np.log(low), np.log(high)))


@reported(EPSILON, by="difference-bound-to-promise", direction=Direction.AT_MOST)
def epsilon_of_difference(difference: ArrayLike) -> Array:
    """The largest loss on one side with which probabilities move by at most this much: 4 artanh(difference).

    >>> print(epsilon_of_difference(0.2))
    epsilon is at most 0.811
    """
    d = probability_array("difference", difference, _DIFFERENCE)
    with np.errstate(divide="ignore"):
        return _raised(2 * np.log1p(2 * d / (1 - d)))


@reported(EPSILON, by="difference-bound-to-promise", direction=Direction.AT_MOST)
def both_sides_epsilon(epsilon: ArrayLike) -> Array:
    """The loss that both sides together exceed no more often than a difference of tanh(epsilon / 4) is exceeded.

    It is log((3 e^(epsilon/2) - 1) / (3 - e^(epsilon/2))), and unlimited from epsilon = 2 log 3 on, where the
    difference is 1/2 and at the prior 1/2 no bound at all.

    >>> print(both_sides_epsilon([1.0, 2.0]))
    epsilon is at most 3.24 (the largest of 2 values)
    """
    grown = _grown(epsilon)
    room = np.maximum(down(2 - grown), 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        return np.where(grown == 0.0, 0.0, np.where(room > 0.0, _raised(np.log1p(_ratio(4 * grown, room))), np.inf))


@reported(EPSILON, by="difference-bound-to-promise", direction=Direction.AT_MOST)
def other_side_epsilon(epsilon: ArrayLike) -> Array:
    """How far the other side reaches at the prior that holds one side to epsilon.

    It is log((2 e^(epsilon/2) - 1) / (2 e^(epsilon/2) - e^epsilon)), and unlimited from epsilon = 2 log 2 on, where
    the difference of tanh(epsilon / 4) is as large as that prior.

    >>> print(other_side_epsilon(1.0))
    epsilon is at most 1.38
    """
    grown = _grown(epsilon)
    room = np.maximum(down(1 - grown), 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        moved = _ratio(grown * (2 + grown), (1 + grown) * room)
        return np.where(grown == 0.0, 0.0, np.where(room > 0.0, _raised(np.log1p(moved)), np.inf))


def _symmetric(epsilon: float, bound: Mapping[str, Tree], failure: float, neighbours: Neighbours, key: str) -> Implied:
    """What a bound of both sides by epsilon comes to."""
    chance = probability("failure", failure, _FAILURE)
    _require_bounded(
        epsilon, "a bound on beliefs", dict(bound), "Bound the posterior on both sides, away from 0 and 1."
    )
    if chance == 0.0:
        found: PureDP | ProbabilisticDP = PureDP(epsilon, neighbours=neighbours)
    else:
        found = ProbabilisticDP(epsilon, chance, sides=2, neighbours=neighbours)
    return Implied((found,), {**bound, "failure": chance}, Basis.of(key))


def _require_bounded(epsilon: float, name: str, value: object, way_out: str) -> None:
    if not np.isfinite(epsilon):
        raise NotImplied(name, "must exclude certainty on both sides to imply a promise", value, way_out)


def _require(legal: np.bool_, name: str, rule: str, value: object, way_out: str) -> None:
    require(bool(legal), name=name, rule=rule, value=value, way_out=way_out)


def _at_least_one(name: str, values: ArrayLike) -> Array:
    array = real_array(name, values, _HIGHEST)
    _require(np.all(array >= 1.0), name, "must be at least 1", values, _HIGHEST)
    return array


def _grown(epsilon: ArrayLike) -> Array:
    """e^(epsilon/2) - 1, rounded up."""
    eps = real_array("epsilon", epsilon, _EPSILON)
    _require(np.all(eps >= 0.0), "epsilon", "must be at least 0", epsilon, _EPSILON)
    return np.where(eps == 0.0, 0.0, up(np.expm1(np.minimum(eps / 2, 700.0)), 2))


def _ratio(above: Array, below: Array) -> Array:
    """The quotient; where there is nothing to divide by, any number."""
    return above / np.where(below > 0.0, below, 1.0)


def _logits_apart(low: Array, high: Array) -> Array:
    """log(high / (1 - high)) - log(low / (1 - low)) for low <= high, rounded up."""
    gap, rest = high - low, 1 - high
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        moved = np.where(gap == 0.0, 0.0, gap / low / rest)
        logs = [np.log(gap), -np.log(low), -np.log(rest)]
        error = 4 * ULP * sum(np.where(np.isfinite(each), np.abs(each), 0.0) for each in logs)
        summed = logs[0] + logs[1] + logs[2] + error + 1 / _LARGE
        return np.where(moved < _LARGE, _raised(np.log1p(np.minimum(moved, _LARGE))), _raised(summed))


def _raised(values: Array) -> Array:
    """Each number a few doubles further up; 0 and infinity are exact and stay."""
    return np.where(values == 0.0, 0.0, up(values, _ULPS))
