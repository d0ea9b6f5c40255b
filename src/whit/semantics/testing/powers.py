"""Level and power of tests between neighbours: the largest power, the smallest level, and power minus level.

A promise about Rényi divergences says more of tests than the usual conversion to (epsilon, delta) keeps. Its bound on
the power is concave in the level (theorem profile-from-power), so that chords bound it between the levels looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import (
    LOG_POWER,
    POWER,
    Array,
    Curve,
    Face,
    LossDistribution,
    Promise,
    below_certainty,
    questions,
    require_promise,
)
from whit.errors import NotImplied, require
from whit.numerics import ULP, Bracket, add_down, add_up, probability_array, real_array
from whit.setting import Knowledge, Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Unit

_SMALLEST = -46.0
_POINTS = 25
_ZOOMS = 7
# Of a smaller gap, by its log, the rounding of the powers leaves nothing.
_SMALLEST_GAP = -27.0
# The log of a cost that no power makes up for; a larger one is taken as this, since it may be no double.
_DEAREST = 700.0
# Where the profile of a curve is read that is not the curve of one pair: chords between lie above it.
_EPSILONS = (0.0, *np.geomspace(1e-4, 700.0, 600).tolist())


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Two neighbours between which somebody tests, and what that somebody knows of everyone else."""

    promise: Promise
    neighbours: Neighbours | None
    knows: Knowledge
    curve: Curve = field(init=False)

    def __post_init__(self) -> None:
        """Find the curve between neighbours; for one who does not know everyone else, a bound on the mixtures."""
        known = require_promise(self.promise).known_by(self.knows) is Knowledge.EVERYONE_ELSE
        curve = self.promise.curve(self.neighbours)
        if self.promise.power_theorem:
            curve = replace(curve, basis=curve.basis | Basis.of(self.promise.power_theorem))
        object.__setattr__(self, "curve", curve if known else _mixed(self.promise, curve))

    def worst_order(self, ask: Callable[[Face], Bracket]) -> Bracket:
        """The larger answer of the two orders of the pair."""
        return questions.worst_order(self.curve.face, ask)

    def report(self, quantity: Quantity, bracket: Bracket, *keys: str, **numbers: ArrayLike) -> Finding:
        """What the direction of the curve allows to say of the bracket, by these theorems, for these numbers."""
        relation = self.promise.relation(self.neighbours)
        inputs = {"promise": self.promise, **numbers, "neighbours": relation, "knows": self.knows}
        found = report(quantity, self.curve, bracket, inputs, *keys)
        return below_certainty(found, self.promise, self.neighbours, over_all=True, **numbers)


def _mixed(promise: Promise, curve: Curve) -> Curve:
    """The curve as a bound on every mixture of neighbours (KAA22, Theorems 6.4 and 6.5)."""
    if curve.direction is Direction.AT_LEAST:
        rule = "is not bounded from below by tests of somebody who knows everyone else"
        way_out = "Ask with {knows}."
        suggested = {"knows": Knowledge.EVERYONE_ELSE}
        raise NotImplied("a test by somebody who does not", rule, curve.face, way_out, suggested=suggested)
    whole = curve if promise.has_concave_power(curve.face) else _by_chords(curve)
    keys = ("power-is-concave", "tests-when-the-rest-is-random")
    whole = whole.by_profile()
    return replace(whole, basis=whole.basis | Basis.of(*keys))


@lru_cache(maxsize=16)
def _by_chords(curve: Curve) -> Curve:
    """The curve by chords of its profile: read once for all questions about a promise, since it may be dear."""
    return curve.as_profile(_EPSILONS)


def logs_of(name: str, values: ArrayLike, way_out: str) -> tuple[Array, Array]:
    """The logs of probabilities, and how far rounding may have moved them."""
    with np.errstate(divide="ignore"):
        logs = np.log(probability_array(name, values, way_out))
    return np.asarray(logs), np.asarray(4 * ULP * np.where(np.isfinite(logs), np.abs(logs), 0.0))


def log_probabilities(name: str, values: ArrayLike) -> Array:
    """Logs of probabilities as an array, refused where one is above 0."""
    way_out = "Pass the natural log of a probability, such as -700."
    logs = real_array(name, values, way_out)
    require(bool(np.all(logs <= 0)), name=name, rule="must be at most 0", value=values, way_out=way_out)
    return logs


def report(quantity: Quantity, curve: Curve, bracket: Bracket, inputs: Mapping[str, object], *keys: str) -> Finding:
    """The part of a bracket that the direction of the curve allows; an allowance falls where the curve rises."""
    direction = curve.direction.opposite if quantity.less_is_worse else curve.direction
    return Finding.of_bracket(quantity, bracket, direction, inputs, curve.basis | Basis.of(*keys))


LEVEL_WAY_OUT = "Use a rate of false alarms such as 0.05."


def power(
    promise: Promise,
    level: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The largest power of a test of one dataset against its neighbour, at each level.

    >>> from whit.guarantees import PureDP
    >>> print(power(PureDP(1.0), 0.05))
    power of the best test is at most 13.6 %
    """
    tests = Hypotheses(promise, neighbours, knows)
    bracket = worst_power(tests.curve.face, level)
    return tests.report(POWER, bracket, "neyman-pearson", level=level)


def log_power(
    promise: Promise,
    log_level: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """Log of the largest power, at each log of a level: for levels and powers too small for a double.

    >>> from whit.mechanisms import Gaussian
    >>> print(log_power(Gaussian(1.0), -2000.0))
    log of the power of the best test is -1937 (rounded up)
    """
    tests = Hypotheses(promise, neighbours, knows)
    logs = log_probabilities("log_level", log_level)
    bracket = tests.worst_order(lambda face: face.log_power(logs))
    return tests.report(LOG_POWER, bracket, "neyman-pearson", log_level=log_level)


def worst_power(face: Face, level: ArrayLike) -> Bracket:
    """The largest power at each level, of the worse order of the pair."""
    logs, hair = logs_of("level", level, LEVEL_WAY_OUT)
    three = questions.worst_order(face, lambda each: log_power_around(each, logs, hair))
    return questions.probabilities(Bracket(three.lower.min(axis=0), three.mid[1], three.upper.max(axis=0)))


def log_power_around(face: Face, logs: Array, hair: Array) -> Bracket:
    """Log of the power a hair before each level, at it, and a hair after it: the log of a level is rounded."""
    # Several questions ask about the same level.
    if logs.ndim == 0:
        return _log_power_around(face, float(logs), float(hair))
    return questions.log_power_around(face, logs, hair)


_log_power_around = lru_cache(maxsize=64)(questions.log_power_around)


LEVEL = Quantity("smallest level (false-positive rate) of a test with this power", Unit.PROBABILITY, less_is_worse=True)
LOG_LEVEL = Quantity("log of the smallest level of a test with this power", Unit.NUMBER, less_is_worse=True)

POWER_WAY_OUT = "Use a rate of hits such as 0.5."


def level(
    promise: Promise,
    power: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The smallest level at which a test of one dataset against its neighbour can have each power.

    >>> from whit.guarantees import PureDP
    >>> print(level(PureDP(1.0), 0.5))
    smallest level (false-positive rate) of a test with this power is at least 18.3 %
    """
    tests = Hypotheses(promise, neighbours, knows)
    logs, hair = logs_of("power", power, POWER_WAY_OUT)
    # The log of a power is rounded: the truth lies between the levels a hair earlier and a hair later.
    around = np.stack([logs - hair, logs, np.minimum(logs + hair, 0.0)])
    three = tests.worst_order(lambda face: face.log_level(around).reversed_sign()).reversed_sign()
    bracket = questions.probabilities(Bracket(three.lower.min(axis=0), three.mid[1], three.upper.max(axis=0)))
    return tests.report(LEVEL, bracket, "level-from-profile", power=power)


def log_level(
    promise: Promise,
    log_power: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """Log of the smallest level at which a test can have each power, which is given by its log.

    >>> from whit.mechanisms import Gaussian
    >>> print(log_level(Gaussian(0.01), -1.0))
    log of the smallest level of a test with this power is -5040 (rounded down)
    """
    tests = Hypotheses(promise, neighbours, knows)
    logs = log_probabilities("log_power", log_power)
    bracket = tests.worst_order(lambda face: face.log_level(logs).reversed_sign()).reversed_sign()
    return tests.report(LOG_LEVEL, bracket, "level-from-profile", log_power=log_power)


ADVANTAGE = Quantity("advantage of the best test", Unit.PROBABILITY, key="advantage")
ADVANTAGE_AT_LEVEL = Quantity("advantage of the best test at this level", Unit.PROBABILITY)


def advantage(
    promise: Promise, *, neighbours: Neighbours | None = None, knows: Knowledge = Knowledge.EVERYONE_ELSE
) -> Finding:
    """The largest power minus level over all tests: the total variation distance between the two outputs.

    >>> from whit.guarantees import PureDP
    >>> print(advantage(PureDP(1.0)))
    advantage of the best test is at most 46.3 %
    """
    tests = Hypotheses(promise, neighbours, knows)
    bracket = questions.probabilities(log_profile(promise, tests.curve, np.zeros(()), np.zeros(())))
    return tests.report(ADVANTAGE, bracket, "hockey-stick", "profile-from-power")


def advantage_at(
    promise: Promise,
    level: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The largest power minus level at each level.

    >>> from whit.guarantees import PureDP
    >>> print(advantage_at(PureDP(1.0), 0.05))
    advantage of the best test at this level is at most 8.6 %
    """
    tests = Hypotheses(promise, neighbours, knows)
    levels = probability_array("level", level, LEVEL_WAY_OUT)
    power = worst_power(tests.curve.face, levels)
    # A test that guesses has no advantage, and none has less.
    ends = (add_down(power.lower, -levels), power.mid - levels, add_up(power.upper, -levels))
    bracket = Bracket(*(np.maximum(end, 0.0) for end in ends))
    return tests.report(ADVANTAGE_AT_LEVEL, bracket, "neyman-pearson", level=level)


def log_profile(promise: Promise, curve: Curve, t: Array, hair: Array) -> Bracket:
    """Log of the profile of the worse order at each t >= 0, which is known to a hair.

    Of promises about Rényi divergences the power says more, and is asked as well.
    """
    three = questions.worst_order(
        curve.face, lambda face: face.log_delta(np.stack([np.maximum(t - hair, 0.0), t, t + hair]))
    )
    known = Bracket(three.lower.min(axis=0), three.mid[1], three.upper.max(axis=0))
    if not promise.by_divergences or isinstance(curve.face, LossDistribution) or curve.face.is_told_by_profile:
        return known
    finite = np.isfinite(t)
    earlier = np.where(finite, np.maximum(np.where(finite, t, 0.0) - hair, 0.0), 0.0)
    gaps = np.zeros(t.shape)
    if np.any(finite & (earlier == 0.0)):
        gaps[finite & (earlier == 0.0)] = curve.face.log_advantage().upper
    wanted = finite & (earlier > 0.0) & (known.upper > _SMALLEST_GAP)
    if wanted.any():
        gaps[wanted] = _log_gap(curve.face, earlier[wanted])
    return Bracket(*(np.minimum(end, gaps) for end in known.ends))


def _log_gap(face: Face, t: Array) -> Array:
    """Log of an upper bound on the largest power - e^t level, for a bound on the power that is concave."""
    shape, flat = t.shape, t.ravel()
    low, high = _SMALLEST - flat, np.zeros(flat.shape)
    least = np.full(flat.shape, np.inf)
    for _ in range(_ZOOMS):
        logs = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, _POINTS)
        power = face.log_power(logs).exp()
        cost = np.exp(np.minimum(flat[:, None] + logs, _DEAREST))
        best = np.clip(np.argmax(power.mid - cost, axis=1), 1, _POINTS - 2)
        least = np.minimum(least, _bound(np.exp(logs), power, cost, best))
        rows = np.arange(len(flat))
        low, high = logs[rows, best - 1], logs[rows, best + 1]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(least) + 4 * ULP).reshape(shape)


def _bound(levels: Array, power: Bracket, cost: Array, best: Array) -> Array:
    """The largest gap that chords around the best level allow; infinite where it may lie beyond them."""
    rows = np.arange(len(best))
    a, b, c = ((rows, best + step) for step in (-1, 0, 1))
    # The exponents of the costs are rounded, to a few units of their size.
    error = ULP * (256 - 4 * np.log(levels[a] + 5e-324)) * (1 + cost[c])
    with np.errstate(divide="ignore", invalid="ignore"):
        right = (power.lower[c] - power.upper[b]) / (levels[c] - levels[b])  # no more than the slope left of c
        left = (power.upper[b] - power.lower[a]) / (levels[b] - levels[a])  # no less than the slope right of a
        on_left = power.upper[b] - right * (levels[b] - levels[a]) - cost[a]
        on_right = power.upper[b] + left * (levels[c] - levels[b]) - cost[c]
    middle = power.upper[b] - cost[b]
    outside = np.maximum(power.upper[a] - cost[a], power.upper[c] - cost[c])
    certain = outside <= power.lower[b] - cost[b] - error
    largest = np.maximum(np.maximum(middle, on_left), on_right) + error
    return np.where(certain & np.isfinite(largest), np.maximum(largest, 0.0), np.inf)
