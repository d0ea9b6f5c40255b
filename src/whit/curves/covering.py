"""The smallest mu of a Gaussian curve that lies nowhere below a given one.

A profile is convex in x = e^t, so that it lies below its chords, and a Gaussian profile above its tangents. So it is
enough to compare, over every cell between two points, one line above the one with one tangent of the other. What lies
beyond the last point is bounded by the transform of the loss.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from whit.curves import contour
from whit.curves.composition import kinds, pair_of
from whit.curves.discrete_gaussian import CutLoss
from whit.curves.face import Array, Face, LossDistribution
from whit.curves.far_out import large_enough
from whit.curves.finite import FinitePair
from whit.curves.gaussian import GaussianLoss
from whit.curves.numerical import ComposedLoss
from whit.curves.promise import Promise
from whit.errors import NotImplied, require
from whit.numerics import ULP, distinct, log_expm1, logsubexp, normal, probability
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Unit

COVERING_MU = Quantity("mu of the covering Gaussian curve", Unit.NUMBER)

# How small delta is, in logs, where the search ends and the transform takes over: a closed form goes further.
FARTHEST, FAR = -600.0, -250.0
# Cells at first, and rounds in which those next to the largest are halved: each makes the error a quarter.
CELLS, ROUNDS, NEAREST = 100, 11, 1e-4
WINDOW = 0.1
# So many times closer than two points are apart, in logs of delta, each is to be known.
CLOSEST = 50.0
# By how much more than its limit a mu is tried beyond the last point.
MARGINS = np.geomspace(1e-5, 3.0, 400)
# From this width on both ends are one number but for arithmetic.
SETTLED = 1e-6


def covering_mu(promise: Promise, *, least_error: float = 0.0, neighbours: Neighbours | None = None) -> Finding:
    """The smallest mu such that no test has more power than under mu-Gaussian differential privacy.

    With a least error above 0 only tests are compared whose errors are both at least that. The answer is then about
    them alone, and no promise of Gaussian privacy. Infinite where no mu covers, or none is proved to.

    >>> from whit.curves import Curve, LaplaceLoss
    >>> print(covering_mu(Curve.exact(LaplaceLoss(1.0))))
    mu of the covering Gaussian curve is 1.04 (rounded up)
    """
    least = probability("least_error", least_error, "Use 0 for all tests, or a level such as 1e-6.")
    require(least < 0.5, name="least_error", rule="must be below 0.5", value=least, way_out="Use a level such as 1e-6.")
    curve = promise.curve(neighbours)
    if curve.direction in (Direction.AT_LEAST, Direction.ABOUT):
        rule = "cannot be read off a curve that is no upper bound"
        raise NotImplied(COVERING_MU.name, rule, curve.face, "Use the curve of a mechanism or of a promise.")
    lower, upper = _ends(curve.face, least)
    inputs = {"promise": promise, "neighbours": promise.relation(neighbours), "least_error": least}
    basis = curve.basis | Basis.of("covering-mu")
    close = curve.direction is Direction.EXACTLY and (upper == lower or upper * (1 - SETTLED) <= lower)
    # Of a promise only the upper end is one: a release that keeps it may need less.
    below = lower if curve.direction is Direction.EXACTLY else None
    return Finding(COVERING_MU, upper, Direction.EXACTLY if close else Direction.AT_MOST, inputs, basis, below)


@lru_cache(maxsize=64)
def _ends(face: Face, least: float) -> tuple[float, float]:
    """Two ends of the smallest mu, for both orders of the pair."""
    if isinstance(face, GaussianLoss):
        return face.ends
    orders = {face, face.reverse()}
    if least == 0.0:
        if any(_log_infinity(each) > -np.inf for each in orders):
            return math.inf, math.inf
        tails = [_Tail.of(each) for each in orders if _has_transform(each) and pair_of(each) is None]
        for tail in tails:
            if tail.is_gaussian:
                return tail.limit, tail.by_parts
    found = [_of_order(each, least) for each in orders]
    return max(lower for lower, _ in found), max(upper for _, upper in found)


def _of_order(face: Face, least: float) -> tuple[float, float]:
    """Two ends of the smallest mu for the epsilons from 0 on, in one order of the pair."""
    known = pair_of(face)
    if known is not None:
        return _Cells.at_atoms(known, least).ends(known)
    if not _has_transform(face):  # then there is no bound beyond the last point either
        return 0.0, math.inf
    tail = _Tail.of(face)
    # What is listed has a part cut off, which counts as an infinite loss; the transform has not.
    face = tail.whole if isinstance(face, CutLoss) else face
    end = tail.end(face, least)
    if end == 0.0:  # no loss is above 0
        return 0.0, 0.0
    if math.isinf(end):  # nothing is known of the losses far out
        return 0.0, tail.by_parts
    cells = _Cells.over(face, np.append(0.0, end * np.geomspace(NEAREST, 1.0, CELLS)), least)
    for each in range(ROUNDS):
        cells = cells.refined(face, WINDOW * 4.0**-each)
    lower, upper = cells.ends(face)
    if least > 0.0:
        return lower, min(upper, tail.by_parts)
    return max(lower, tail.limit), min(max(upper, tail.mu_beyond(cells.end)), tail.by_parts)


def _log_infinity(face: Face) -> float:
    return face.log_infinity if isinstance(face, LossDistribution) else float(face.log_delta(np.inf).upper)


def _has_transform(face: Face) -> bool:
    try:
        kinds(face)
    except NotImplied:
        return False
    return True


@dataclass(frozen=True)
class _Cells:
    """Points t from 0 on, with logs of numbers that the profile does not exceed there, and how closely they are known.

    least   the smallest error of a test that counts
    """

    t: Array
    logs: Array
    widths: Array
    least: float

    @classmethod
    def over(cls, face: Face, t: Array, least: float) -> _Cells:
        """At these points, except those that rounding would not tell from their neighbours; the last one is kept."""
        logs, widths = _known(face, t)
        kept = [0]
        for place in range(1, len(t) - 1):
            if logs[kept[-1]] > logs[place] + CLOSEST * (widths[kept[-1]] + widths[place]):
                kept.append(place)
        kept.append(len(t) - 1)
        return cls(t[kept], np.minimum.accumulate(logs[kept]), widths[kept], least)

    @classmethod
    def at_atoms(cls, pair: FinitePair, least: float) -> _Cells:
        """At the losses themselves, between which the profile is straight."""
        inside = pair.losses[pair.losses > 0.0]
        # Just beyond the last one only infinite loss is left.
        end = np.max(inside, initial=0.0) * (1 + 1e-12) + 4 * pair.loss_error + 1e-15
        t = distinct(np.concatenate([[0.0], inside, [end]]))
        # A profile falls, so that rounding need not let it rise.
        logs = np.minimum.accumulate(pair.log_delta(t).upper)
        return cls(t, logs, np.zeros(len(t)), least)

    @property
    def end(self) -> float:
        """The last point."""
        return float(self.t[-1])

    @cached_property
    def levels(self) -> Array:
        """Logs of the slopes of the chords. Any level gives a bound; that of a cell further right is never larger."""
        slopes = logsubexp(self.logs[:-1], self.logs[1:]) - log_expm1(np.diff(self.t)) - self.t[:-1]
        return np.minimum(np.maximum.accumulate(slopes[::-1])[::-1], 0.0)

    @cached_property
    def powers(self) -> Array:
        """Logs of D(x) + x times the level, of the larger end of each cell."""
        lines = [np.logaddexp(self.logs[at], self.t[at] + self.levels) for at in (slice(None, -1), slice(1, None))]
        return np.maximum(*lines)

    @cached_property
    def counted(self) -> tuple[int, int]:
        """The points between which both errors are at least the least one."""
        if self.least == 0.0:
            return 0, len(self.levels)
        first = int(np.sum(self.powers > math.log1p(-self.least)))
        return first, max(int(np.sum(self.levels >= math.log(self.least))), first)

    @cached_property
    def needed(self) -> tuple[Array, Array]:
        """Logs of powers and their levels that a mu must allow: one of each cell, and those at both ends."""
        first, last = self.counted
        powers, levels = list(self.powers[first:last]), list(self.levels[first:last])
        if self.least > 0.0:
            levels.append(math.log(self.least))
            powers.append(float(np.logaddexp(self.logs[last], self.t[last] + levels[-1])))
        if first > 0:
            powers.append(math.log1p(-self.least))
            levels.append(float(logsubexp(powers[-1], min(self.logs[first], powers[-1])) - self.t[first]))
        return np.array(powers), np.array(levels)

    def refined(self, face: Face, window: float) -> _Cells:
        """With the cells halved that need nearly the largest mu, as far as their ends can be told apart."""
        mus, (first, last) = _mu_up(*self.needed), self.counted
        wide = np.zeros(len(self.levels), dtype=bool)
        wide[first:last] = mus[: last - first] >= (1 - window) * np.max(mus)
        if self.least > 0.0:
            for end in (first, last):
                wide[max(end - 1, 0) : end + 1] = True
        wide &= self.logs[:-1] > self.logs[1:] + 2 * CLOSEST * (self.widths[:-1] + self.widths[1:])
        middles = 0.5 * (self.t[:-1] + self.t[1:])[wide]
        more = (middles, *_known(face, middles))
        t, logs, widths = (np.append(*each) for each in zip((self.t, self.logs, self.widths), more, strict=True))
        order = np.argsort(t, kind="stable")
        return _Cells(t[order], np.minimum.accumulate(logs[order]), widths[order], self.least)

    def ends(self, face: Face) -> tuple[float, float]:
        """The largest mu that is needed, and from below what the power at that level needs."""
        powers, levels = self.needed
        mus = _mu_up(powers, levels)
        upper, level = float(np.max(mus)), float(levels[np.argmax(mus)])
        if not math.isfinite(level) or level >= 0.0:
            return 0.0, upper
        power = min(float(face.log_power(level).lower), math.log1p(-self.least))
        far, near = (float(normal.quantile_of_log(each)) for each in (power, level))
        return min(max(far - near - 1e-12 * (2 + abs(far) + abs(near)), 0.0), upper), upper


def _known(face: Face, t: Array) -> tuple[Array, Array]:
    """Logs that the profile does not exceed, and how far they may lie above it."""
    found = face.log_delta(t)
    known = np.isfinite(found.upper)
    return found.upper, np.where(known, found.upper - np.where(known, found.mid, 0.0), 0.0)


def _mu_up(powers: Array, levels: Array) -> Array:
    """The mu at which each level has each power, by their logs, rounded up; 0 where there is no power."""
    empty = np.isneginf(powers)
    sure = np.where(empty, -1.0, powers)
    slack = 8 * ULP * (2 + np.abs(sure) + 2 * np.where(np.isfinite(levels), np.abs(levels), 0.0))
    far, near = normal.quantile_of_log(np.minimum(sure + slack, 0.0)), normal.quantile_of_log(levels)
    with np.errstate(invalid="ignore"):
        mus = far - near + 4 * normal.QUANTILE_ERROR * (2 + np.abs(far) + np.abs(near))
    return np.where(empty, 0.0, np.where(np.isnan(mus), np.inf, np.maximum(mus, 0.0)))


@dataclass(frozen=True)
class _Tail:
    """What the transform says of large losses: E[e^(sZ)] is at most e^(rho s (s + 1) + s most) for all s > 0.

    Attributes:
        whole: the loss by its transform.
        rho: from Gaussian noise, on a sample or with a random change, and from discrete Gaussian noise.
        most: the sum of the largest losses of everything else.
        by_parts: the root of the sum of squares of mus that cover the parts; infinite where one has none.
        is_gaussian: whether all of it is Gaussian noise, on a sample or not.
    """

    whole: ComposedLoss
    rho: float
    most: float
    by_parts: float
    is_gaussian: bool

    @classmethod
    def of(cls, face: Face) -> _Tail:
        """From the kinds of a face; refused where there are none."""
        counts, slack = kinds(face)
        rho, most, squares, gaussian = 0.0, slack.loss, 0.0, True
        for kind, copies in counts.items():
            own = _own_rho(kind)
            # In the other order the loss of a sample has a bound; what covers it is the same.
            gaussian = gaussian and own > 0.0 and not isinstance(kind, contour.DiscreteGaussianKind)
            largest = 0.0 if own > 0.0 else max(kind.loss_range[1], 0.0)
            rho, most = rho + copies * own, most + copies * largest
            squares += copies * _own_square(kind, own or _own_rho(kind.reverse()))
        by_parts = math.sqrt(squares) * (1 + 1e-12) if squares < math.inf else math.inf
        return cls(ComposedLoss(contour.Composition(counts), slack), rho * (1 + 1e-13), most, by_parts, gaussian)

    @property
    def limit(self) -> float:
        """The mu that the smallest levels need."""
        return math.sqrt(2 * self.rho) * (1 - 1e-12) if math.isfinite(self.rho) else 0.0

    def end(self, face: Face, least: float) -> float:
        """Where the search ends: at the largest loss, or where delta is next to nothing.

        With a least level a it need not go beyond log(1/a): from there on no slope is larger.
        """
        if least > 0.0:
            return -math.log(least) if self.rho > 0.0 else min(-math.log(least), self.most * (1 + 1e-12))
        if self.rho == 0.0:
            return self.most * (1 + 1e-12)
        return large_enough(self.whole, FAR if isinstance(face, ComposedLoss) else FARTHEST)

    def mu_beyond(self, start: float) -> float:
        """The smallest mu that is seen to cover from a point on; 0 where no loss is larger."""
        if self.rho == 0.0:
            return 0.0
        # A larger mu covers as well, but far above it is no longer seen.
        least = math.sqrt(2 * self.rho)
        tried = least * (1 + MARGINS)
        seen = [self._covered(mu, start) for mu in tried.tolist()]
        return float(tried[seen.index(True)]) if True in seen else math.inf

    def _covered(self, mu: float, start: float) -> bool:
        """Whether e^(-(t - most - rho)^2 / 4 rho) is at most the Gaussian profile of mu from the start on.

        That profile is at least pdf(a) mu / ((a + mu)^2 + 3) with a = t/mu - mu/2 >= 0. The difference of the logs
        grows with t once its slope is above 0 without the last term, which falls by at most 1/(sqrt(3) mu) for each t.
        """
        larger, gap = mu * mu / 2, start - self.most - self.rho
        a = start / mu - mu / 2
        if a < 0 or gap < 0:
            return False
        rises = gap / (2 * self.rho) - (start - larger) / (2 * larger) >= 1 / (math.sqrt(3) * mu)
        floor = float(normal.log_pdf(a)) + math.log(mu / ((a + mu) ** 2 + 3))
        return rises and larger > self.rho and floor + gap**2 / (4 * self.rho) >= 1e-9 * (1 + abs(floor))


def _own_rho(kind: contour.Kind) -> float:
    """Rho of a kind that has no largest loss; 0 where it has one."""
    if isinstance(kind, contour.GaussianKind):
        return kind.mu * kind.mu / 2  # infinite where a power would be an error
    if isinstance(kind, contour.SubsampledGaussianKind | contour.GaussianMixtureKind):
        contour.require_usual(kind.sigma)
        return 1 / (2 * kind.sigma**2)
    if isinstance(kind, contour.DiscreteGaussianKind):
        return kind.shift**2 / (2 * kind.sigma2)
    return 0.0


def _own_square(kind: contour.Kind, rho: float) -> float:
    """The square of a mu that covers a kind: of Gaussian noise 2 rho, of a largest loss that of randomized response.

    A replaced record on a sample is there before and after with the same probability. Where it is, both values lie
    2 / sigma apart at most, and mixtures with one common part are no further apart than what is mixed.
    """
    if isinstance(kind, contour.ReplacedGaussianKind):
        return 4 / kind.sigma**2
    if isinstance(kind, contour.DiscreteGaussianKind) or max(kind.infinity_mass, kind.reverse_infinity_mass) > 0.0:
        return math.inf
    if rho > 0.0:
        return 2 * rho
    largest = max(abs(end) for end in kind.loss_range)
    return math.inf if math.isinf(largest) else 4 * float(normal.quantile_of_log(-np.logaddexp(0.0, largest))) ** 2
