"""The loss of an output: how often it exceeds a threshold, and the most powerful test, which rejects where it does.

Two tails are easily taken for one another (theorem pbdp-is-the-tail-from-the-profile). The mechanism's own tail answers
for the output as it stands. Whoever processes the output further may get a more telling verdict more often than that;
the tail that is proof against processing answers for every function of the output. It is the delta of pbdp, and never
the smaller one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import (
    POWER,
    Array,
    ComposedLoss,
    Curve,
    FinitePair,
    LossDistribution,
    Order,
    Orientation,
    Promise,
    questions,
    require_promise,
)
from whit.errors import NotImplied, require
from whit.numerics import Bracket, log1mexp, probability_array, smallest_true
from whit.semantics.testing.powers import LEVEL_WAY_OUT, logs_of, report
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Unit, echo

THRESHOLD = Quantity("smallest privacy loss that the test rejects", Unit.NUMBER)
AT_THE_THRESHOLD = Quantity("probability that the test rejects at its threshold", Unit.PROBABILITY)

# Farther out than any loss has a meaning.
_FARTHEST = 1e7
# Below this level the complement of a probability near 1 has lost too many digits.
_SMALL = 1e-3


@dataclass(frozen=True)
class LikelihoodRatioTest:
    """The most powerful test of Q against P at a level: rejects Q where the loss of the output exceeds a threshold.

    Attributes:
        threshold: the loss above which it always rejects, and below which it never does.
        at_the_threshold: the probability with which it rejects an output whose loss is the threshold.
        power: the probability that it rejects if P is true.
    """

    threshold: Finding
    at_the_threshold: Finding
    power: Finding

    def rejects(self, losses: ArrayLike) -> Finding:
        """The probability with which the test rejects an output of each loss."""
        t, coin = self.threshold.value, self.at_the_threshold.value
        found = np.asarray(losses, dtype=np.float64)
        value = np.where(found > t, 1.0, np.where(found == t, coin, 0.0))
        inputs = {"losses": echo(losses), "threshold": echo(t), "at_the_threshold": echo(coin)}
        return Finding(_REJECTION, value, Direction.ABOUT, inputs, self.power.basis)


_REJECTION = Quantity("probability that the test rejects the output", Unit.PROBABILITY)


def likelihood_ratio_test(
    mechanism: Promise,
    level: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    orientation: Orientation = Orientation.FORWARD,
) -> LikelihoodRatioTest:
    r"""The likelihood-ratio test of each level, of the second dataset against the first (or the other way round).

    >>> from whit.mechanisms import RandomizedResponse
    >>> test = likelihood_ratio_test(RandomizedResponse(1.0), 0.1)
    >>> print(test.threshold, "and", test.at_the_threshold, sep="\n")
    smallest privacy loss that the test rejects is about 1
    and
    probability that the test rejects at its threshold is about 37.2 %
    """
    curve = _one_pair(mechanism.curve(neighbours), orientation)
    face = curve.face
    assert isinstance(face, LossDistribution)  # a curve in the order of the loss is built with one
    levels = probability_array("level", level, LEVEL_WAY_OUT)
    logs, hair = logs_of("level", level, LEVEL_WAY_OUT)
    threshold, coin = _of_atoms(face, levels) if isinstance(face, FinitePair) else _of_law(face, levels)
    three = face.log_power(np.minimum(np.stack([logs - hair, logs, logs + hair]), 0.0))
    power = questions.probabilities(Bracket(three.lower.min(axis=0), three.mid[1], three.upper.max(axis=0)))
    inputs = {"promise": mechanism, "level": level, "neighbours": neighbours, "orientation": orientation}
    plain = {name: echo(value) for name, value in inputs.items()}
    basis = curve.basis | Basis.of("neyman-pearson")
    return LikelihoodRatioTest(
        Finding(THRESHOLD, threshold, Direction.ABOUT, plain, basis),
        Finding(AT_THE_THRESHOLD, coin, Direction.ABOUT, plain, basis),
        report(POWER, curve, power, inputs, "neyman-pearson"),
    )


def _one_pair(curve: Curve, orientation: Orientation) -> Curve:
    """The curve of one known pair in the orientation asked for; refused where there is more than one, or a bound."""
    way_out = "Use Orientation.FORWARD or Orientation.BACKWARD."
    one_way = orientation in (Orientation.FORWARD, Orientation.BACKWARD)
    require(one_way, name="orientation", rule="must be one of the two", value=orientation, way_out=way_out)
    if curve.order is not Order.LOSS or curve.direction is Direction.AT_MOST or not curve.face.is_one_pair:
        rule = "is not known: no single pair has a known law of the loss"
        raise NotImplied("the likelihood-ratio test", rule, curve.face, "Use a mechanism, or power() for the bound.")
    return curve if orientation is Orientation.FORWARD else curve.reverse()


def _of_atoms(pair: FinitePair, levels: Array) -> tuple[Array, Array]:
    """Threshold and coin from the atoms: those of large loss are taken first, as long as the level lasts."""
    nulls = np.exp((pair.log_masses - pair.losses)[::-1])
    sums = np.append(0.0, np.cumsum(nulls))
    at = np.searchsorted(sums[1:], levels, side="right")
    thresholds = np.append(pair.losses[::-1], -np.inf)
    masses = np.append(nulls, np.exp(pair.log_missing))
    left = np.maximum(levels - sums[at], 0.0)
    some = masses[at] > 0.0
    coin = np.where(some, left / np.where(some, masses[at], 1.0), 0.0)
    return thresholds[at], np.clip(coin, 0.0, 1.0)


def _of_law(face: LossDistribution, levels: Array) -> tuple[Array, Array]:
    """Threshold and coin from the tails: the smallest t with Q[Z > t] at most the level."""
    if isinstance(face, ComposedLoss):
        low, high = _narrowed(face, levels)
    else:
        ends = np.full(levels.shape, -_FARTHEST), np.full(levels.shape, _FARTHEST)
        high = smallest_true(lambda t: (_null_tail(face, t) <= levels) | (t >= _FARTHEST), *ends)
        low = high
    beyond, from_on = _null_tail(face, high), _null_tail_closed(face, low)
    atom = from_on - beyond
    some = atom > 1e-9 * from_on
    coin = np.where(some, (levels - beyond) / np.where(some, atom, 1.0), 0.0)
    threshold = np.where(np.abs(high) >= _FARTHEST, np.sign(high) * np.inf, high)
    return threshold, np.where(np.isfinite(threshold), np.clip(coin, 0.0, 1.0), 0.0)


def _narrowed(face: ComposedLoss, levels: Array) -> tuple[Array, Array]:
    """A narrow window around the threshold of a composition, by bisection of its tail; tails there are dear."""
    reach = -np.log(np.maximum(levels, 1e-300)) + 1.0
    low, high = np.full(levels.shape, -_FARTHEST), np.maximum(reach, 1.0)
    low = np.maximum(low, -4.0 * high - 200.0)
    for _ in range(45):
        middle = (low + high) / 2
        enough = _null_tail(face, middle) <= levels
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return low, high


def _null_tail(face: LossDistribution, t: Array) -> Array:
    """Q[Z > t], by the other order or, where it is small, as e^(-t) (P[Z > t] - D(t))."""
    return _null(face.reverse().log_tail_closed(-t).mid, face.log_tail(t).mid, face.log_delta(t).mid, t)


def _null_tail_closed(face: LossDistribution, t: Array) -> Array:
    """Q[Z >= t], likewise."""
    return _null(face.reverse().log_tail(-t).mid, face.log_tail_closed(t).mid, face.log_delta(t).mid, t)


def _null(log_rest: Array, log_tail: Array, log_delta: Array, t: Array) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        large = np.exp(log1mexp(np.minimum(log_rest, 0.0)))
        gap = np.minimum(log_delta - np.where(np.isfinite(log_tail), log_tail, 0.0), 0.0)
        small = np.exp(np.minimum(log_tail + log1mexp(gap) - t, 0.0))
    return np.where((large < _SMALL) & (t > 0.0), small, large)


PROCESSING_PROOF_TAIL = Quantity("probability that processing raises the odds beyond the loss", Unit.PROBABILITY)
OWN_TAIL = Quantity("probability that the output raises the odds beyond the loss", Unit.PROBABILITY)


def processing_proof_tail(promise: Promise, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
    """The largest probability with which a function of the output raises the odds by more than e^loss, at each loss.

    >>> from whit.mechanisms import Gaussian
    >>> print(processing_proof_tail(Gaussian(1.0), 1.0))
    probability that processing raises the odds beyond the loss is 58.3 % (rounded up)
    """
    curve = require_promise(promise).curve(neighbours)
    dear = isinstance(curve.face, ComposedLoss) and curve.direction is not Direction.AT_LEAST
    if dear and not promise.is_stated:
        found = curve.tail_from_profile(losses)
    else:
        found = promise.bounded_delta(losses, neighbours=neighbours)
    basis = found.basis | Basis.of("pbdp-is-the-tail-from-the-profile")
    inputs = {"promise": promise, "losses": losses, "neighbours": promise.relation(neighbours)}
    return replace(found, quantity=PROCESSING_PROOF_TAIL, inputs=inputs, basis=basis)


def own_tail(promise: Promise, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
    """The probability with which the output as it stands raises the odds by more than e^loss, at each loss.

    >>> from whit.mechanisms import Gaussian
    >>> print(own_tail(Gaussian(1.0), 1.0))
    probability that the output raises the odds beyond the loss is 30.9 % (rounded up)
    """
    curve = require_promise(promise).curve(neighbours)
    if promise.knows_tail(neighbours):
        found = promise.tail(losses, neighbours=neighbours)
    elif curve.direction is Direction.AT_LEAST:
        rule = "cannot be bounded by an audit, which knows tests and not the loss"
        way_out = "Ask processing_proof_tail, which it bounds from below."
        raise NotImplied("the tail of the loss", rule, curve.face, way_out)
    else:
        found = curve.tail_from_profile(losses)
    inputs = {"promise": promise, "losses": losses, "neighbours": promise.relation(neighbours)}
    return replace(found, quantity=OWN_TAIL, inputs=inputs)
