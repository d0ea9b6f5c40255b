"""The largest gain of one record under several scores, once its normal belief has moved and narrowed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.errors import NotImplied
from whit.numerics import ULP, Bracket, finite, finite_positive, normal, smallest_true, up
from whit.persuasion.linear_model import Array, Covariance
from whit.persuasion.scores import DawidSebastiani, IntervalScore, LogProbability, RankedProbability, Score
from whit.persuasion.solution import Solution
from whit.theory import Basis, Direction, Finding, Quantity, Unit, echo

HIT = Quantity("probability that the interval holds the record", Unit.PROBABILITY)

_FLAT = 1.0 / math.sqrt(math.pi)
_FAR = 40.0  # standard deviations, beyond which the normal law has less than any double
_RANKED_ERROR = 2e-14  # of the ranked score of a standard normal law, relative to 1 + |z|


@dataclass(frozen=True, eq=False)
class Shift:
    """How the normal belief about each record changes, in units of its prior standard deviation.

    deviation   the prior standard deviation
    signed      by how much the mean moves, estimated
    far         an upper bound on the size of that
    share       R^2, an upper bound: 1 minus the posterior variance
    least       R^2, a lower bound
    squared     an upper bound on b^2/R^2
    """

    deviation: Array
    signed: Array
    far: Array
    share: Array
    least: Array
    squared: Array

    @classmethod
    def of(
        cls, covariance: Covariance, solution: Solution, shift: Array, off: Array, length: float, share: Array
    ) -> Shift:
        """From the shift of the mean with its error, and d' V^- d."""
        variances = covariance.variances
        deviation = np.sqrt(variances)
        size = np.abs(shift) + off
        far = np.where(size > 0.0, up(size, 2), 0.0)
        some = solution.lower > 0.0
        with np.errstate(over="ignore"):
            own = up(far * far / np.where(some, solution.lower, 1.0), 4)
        squared = np.where(some, np.minimum(own, up(length, 4)), up(length, 4))
        squared = np.where(solution.touched, squared, 0.0)
        least = np.minimum(np.maximum(solution.lower / variances * (1.0 - 1e-14), 0.0), share)
        away = np.where(far > 0.0, up(far / deviation, 4), 0.0)
        return cls(deviation, shift / deviation, away, share, least, squared)


def largest_gain(score: Score, moved: Shift) -> Array:
    """An upper bound on the relative score of each record over all its values."""
    if isinstance(score, DawidSebastiani):
        return with_shrinkage(moved.squared, moved.share)
    if isinstance(score, LogProbability):
        return np.asarray(0.5 * with_shrinkage(moved.squared, moved.share))
    if isinstance(score, RankedProbability):
        return _ranked(moved)
    if isinstance(score, IntervalScore):
        return np.where((moved.far > 0.0) & (moved.share > 0.0), 1.0, 0.0)
    way_out = "Use LogProbability, RankedProbability, IntervalScore or DawidSebastiani."
    raise NotImplied("a score of a normal belief", "must be one with a known largest gain", score.name, way_out)


def interval_hit(length: object, *, deviation: object = 1.0, off_centre: object = 0.0) -> Finding:
    """The probability that an interval of this length holds a normal record, if its middle is this far off the mean.

    The receiver's best choice is off_centre = 0: the interval score is then expected to be 1 minus this.

    >>> print(interval_hit(1.0))
    probability that the interval holds the record is 38.3 % (rounded up)
    """
    way_out = "Use a length above 0, such as 1."
    half, spread = finite_positive("length", length, way_out) / 2.0, finite_positive("deviation", deviation, way_out)
    centre = abs(finite("off_centre", off_centre, "Use a distance such as 0.5."))
    near, far = (min(max(end / spread, -_FAR), _FAR) for end in (centre - half, centre + half))
    first, second = float(normal.sf(near)), float(normal.sf(far))  # beyond 40 deviations it is 0 to any double
    bracket = Bracket.around(first - second, 4.0 * (normal.TAIL_ERROR + ULP) * (first + second) * (1.0 + far * far))
    inputs = {"length": echo(length), "deviation": echo(deviation), "off_centre": echo(off_centre)}
    return Finding.of_bracket(HIT, bracket, Direction.EXACTLY, inputs, Basis.of("privacy-score-proper"))


def with_shrinkage(squared: Array, share: Array) -> Array:
    """b^2/R^2 - log(1 - R^2), rounded up; nothing where nothing is explained, infinite where everything is."""
    sure = share >= 1.0
    total = up(squared + up(-np.log1p(-np.where(sure, 0.0, share)), 2), 2)
    return np.where(sure, np.inf, np.where(share > 0.0, total, 0.0))


def farthest(reach: float, least_noisy: Array, noisy: Array, delta: float) -> Array:
    """The square of the smallest q with P[|b/R| > q] at most delta, for each record.

    b/R is normal; its variance is the share of noise, between two bounds, and the square of its mean is at most reach
    times the rest of it.
    """
    middle = up(np.sqrt(reach * (1.0 - least_noisy)), 4) if reach > 0 else np.zeros(least_noisy.shape)
    quiet = noisy == 0.0
    if delta <= 0.0:
        return np.where(quiet, up(reach), np.inf)
    spread = np.where(quiet, 1.0, up(np.sqrt(noisy), 2))

    def enough(q: Array) -> NDArray[np.bool_]:
        beyond = normal.sf((q - middle) / spread) + normal.sf((q + middle) / spread)
        return np.asarray(up(beyond * (1.0 + 4.0 * normal.TAIL_ERROR), 4) <= delta)

    found = smallest_true(enough, middle, middle * (1.0 + 1e-9) + _FAR)
    return np.where(quiet, up(reach) if reach > 0 else 0.0, up(found * found, 2))


def _ranked(moved: Shift) -> Array:
    """s a K(b/a) with a = 1 - q: convex in a, so largest at one of the ends between which a is known."""
    ends = [up(share / (1.0 + np.sqrt(1.0 - share)), 4) for share in (moved.share, moved.least)]
    gains = [moved.deviation * _perspective(narrowed, moved.far) for narrowed in ends]
    return np.where(moved.share > 0.0, up(np.maximum(*gains) * (1.0 + 1e-15), 2), 0.0)


def _perspective(narrowed: Array, far: Array) -> Array:
    """a K(b/a), which tends to |b| as a falls to 0."""
    some = narrowed > 1e-300
    safe = np.where(some, narrowed, 1.0)
    z = np.minimum(far / safe, 1e300)
    ranked = z * (1.0 - 2.0 * normal.sf(z)) + 2.0 * normal.pdf(z) - _FLAT
    return np.where(some, safe * (ranked + _RANKED_ERROR * (1.0 + z)), far)
