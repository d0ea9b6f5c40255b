"""One release on a Poisson sample, in closed form from the pair (P, Q) of the mechanism itself.

With rate q, removing a record compares the mixture (1 - q) Q + q P with Q, and adding one compares Q with the mixture.
The same tests tell the mixture and P from Q, so every answer is one of the mechanism's own, moved and weighted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves.discrete_gaussian import CutLoss
from whit.curves.face import SMALLEST_LOG_LEVEL, Array, LossDistribution
from whit.curves.finite import FinitePair, identical, merged_atoms
from whit.curves.gaussian import GaussianLoss
from whit.curves.laplace import LaplaceLoss
from whit.errors import NotImplied
from whit.numerics import (
    ULP,
    Bracket,
    add_up,
    down,
    largest_true,
    log1mexp,
    log_expm1,
    open_probability,
    probability,
    up,
)

# An epsilon beyond this is as good as infinite.
FARTHEST = 1e300
# The lowest log of a level of the mechanism itself that is looked at.
LOWEST = -1e301
# Beyond this e^t is too large for a double, or soon will be.
LARGE = 700.0
# A quotient beyond this is not formed.
OVERFLOWING = 1e300
# Log of a probability that is too small to matter, and large enough for products of a few of them.
RARE_LOG = -300.0
# The quotient (e^t - 1)/q is rounded twice; expm1 may be two doubles off.
QUOTIENT_ERROR = 8 * ULP


@dataclass(frozen=True)
class SubsampledLoss(LossDistribution):
    """The loss of one Gaussian or Laplace release on a Poisson sample.

    removed   whether the mixture is the truth (a record is removed) or Q is (a record is added)
    """

    theorems: ClassVar[tuple[str, ...]] = ("poisson-subsampling",)

    base: GaussianLoss | LaplaceLoss
    rate: float
    removed: bool = True

    def __post_init__(self) -> None:
        """Refuse a rate outside of (0, 1)."""
        way_out = "At rate 1 use the mechanism itself; at rate 0 nothing is released."
        object.__setattr__(self, "rate", open_probability("rate", self.rate, way_out))

    @property
    def log_infinity(self) -> float:
        """Minus infinity: every outcome is possible on both datasets."""
        return -np.inf

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of q D(s(t)) for a removed record, and of e^t q e^{s(-t)} D(-s(-t)) for an added one.

        Here s(t) = log(1 + (e^t - 1)/q) is the loss of the mechanism behind the sampled loss t. Where there is none,
        the profile of a removed record is 1 - e^t, that of an added one 0.
        """
        t = np.asarray(epsilons, dtype=np.float64)
        finite = np.clip(t, -FARTHEST, FARTHEST)
        found = self._profile_of_removed(finite) if self.removed else self._profile_of_added(finite)
        return _with_ends(found, t)

    def _profile_of_removed(self, t: Array) -> Bracket:
        """The weighted profile and, for losses below all of the mixture, 1 - e^t: at least that it is everywhere."""
        plain = _plain_losses(t, self.rate)
        asked, log_rate = self.base.log_delta(plain), np.log(self.rate)
        moved = _widened([log_rate + end for end in (asked.lower[2], asked.mid[1], asked.upper[0])], abs(log_rate))
        beyond = _widened([log1mexp(np.minimum(t, 0.0))] * 3)
        upper = np.where(np.isneginf(plain[0]), np.maximum(moved.upper, beyond.upper), moved.upper)
        middle = np.where(np.isneginf(plain[1]), beyond.mid, moved.mid)
        return Bracket(np.minimum(np.maximum(moved.lower, beyond.lower), upper), middle, upper)

    def _profile_of_added(self, t: Array) -> Bracket:
        """The weighted profile: it rises with s(-t), weight and all."""
        plain = _plain_losses(-t, self.rate)
        asked, log_rate = self.base.log_delta(-plain), np.log(self.rate)
        # Up to 0 the weight is a sum of two positive parts; beyond, their difference cancels, but s(-t) holds its log.
        whole = np.log(self.rate - (1 - self.rate) * np.expm1(np.minimum(t, 0.0)))
        log_weights = np.where(t > 0, t + (log_rate + plain), whole)
        parts = np.where(t > 0, t + abs(log_rate) + _size(plain), _size(whole))
        ends = [log_weights[row] + end for row, end in enumerate((asked.lower[0], asked.mid[1], asked.upper[2]))]
        return _widened(ends, np.max(parts, axis=0))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]: the mechanism's own tails on both sides, at the loss behind t."""
        t = np.asarray(losses, dtype=np.float64)
        finite = np.clip(t, -FARTHEST, FARTHEST)
        if not self.removed:
            # The base is symmetric: under Q the loss lies below s as often as under P it lies above -s.
            tail = self.base.log_tail(-_plain_losses(-finite, self.rate))
            return _with_ends(Bracket(tail.lower[0], tail.mid[1], tail.upper[2]), t)
        plain = _plain_losses(finite, self.rate)
        tail = self._tail_of_mixture(plain)
        ends = zip((2, 1, 0), tail.ends, strict=True)
        return _with_ends(Bracket(*(np.where(np.isneginf(plain[row]), 0.0, end[row]) for row, end in ends)), t)

    def _tail_of_mixture(self, s: Array) -> Bracket:
        """Log of the mass of base losses above s under the mixture.

        The base is symmetric: under Q the loss lies above s as often as under P it lies below -s.
        """
        below = self.base.log_tail_closed(-s)
        above = self.base.log_tail(s)
        # Far out the complement has no digits left; but under Q the losses above s have at most e^-s times their mass.
        most = np.minimum(add_up(above.upper, -s), 0.0)
        ends = (log1mexp(below.upper), log1mexp(below.mid), log1mexp(below.lower))
        return self._mixed(Bracket(*(np.minimum(end, most) for end in ends)), above)

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]: a hair earlier, since only Laplace noise has atoms."""
        t = np.asarray(losses, dtype=np.float64)
        earlier, now = self.log_tail(np.nextafter(t, -np.inf)), self.log_tail(t)
        return Bracket(now.lower, now.mid, np.maximum(earlier.upper, now.upper))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of (1 - q) level + q power for a removed record; for an added one the other way round."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        if self.removed:
            return self._mixed(Bracket.exact(levels), self.base.log_power(levels))
        inner = np.clip(levels, SMALLEST_LOG_LEVEL, -1e-300)
        # The test has the level a under P; its level under the mixture is q a + (1 - q) power(a).
        at = self._largest(lambda a: self._level(a).lower <= inner, inner.shape)
        sure = self._largest(lambda a: self._level(a).upper <= inner, inner.shape)
        # With hardly any noise, a is below all that is looked at. But (1 - q) power(a) is at most the level.
        most = _widened([inner - np.log1p(-self.rate)] * 3, abs(np.log1p(-self.rate)) + _size(inner)).upper
        upper, found = np.minimum(self.base.log_power(up(at)).upper, most), self.base.log_power(sure)
        lower = np.where(self._level(sure).upper <= inner, found.lower, inner)
        # A level that is smaller still has at most this power, and at least its own.
        guessed = np.where(levels < SMALLEST_LOG_LEVEL, np.maximum(levels, -1e308), lower)
        bounds = (guessed, np.clip(found.mid, guessed, upper), upper)
        known = np.where(np.isneginf(levels), -np.inf, 0.0)
        inside = np.isfinite(levels) & (levels < 0)
        return Bracket(*(np.where(inside, end, known) for end in bounds))

    def _level(self, log_a: Array) -> Bracket:
        """Log of q a + (1 - q) power(a)."""
        return self._mixed(self.base.log_power(log_a), Bracket.exact(log_a))

    def _largest(self, holds: Callable[[Array], NDArray[np.bool_]], shape: tuple[int, ...]) -> Array:
        """The largest log of a at which it holds; the lowest that is looked at where it holds nowhere."""
        return largest_true(lambda a: (a <= LOWEST) | holds(a), np.full(shape, LOWEST), np.zeros(shape))

    def _mixed(self, unsampled: Bracket, sampled: Bracket) -> Bracket:
        """Log of (1 - q) times the one plus q times the other."""
        log_rate, log_rest = np.log(self.rate), np.log1p(-self.rate)
        pairs = zip(*(part.ends for part in (unsampled, sampled)), strict=True)
        ends = [np.logaddexp(log_rest + a, log_rate + b) for a, b in pairs]
        return _widened(ends, abs(log_rate) + abs(log_rest))

    def reverse(self) -> SubsampledLoss:
        """Adding instead of removing, and back."""
        return replace(self, removed=not self.removed)


def sampled(loss: LossDistribution, rate: float) -> LossDistribution:
    """The loss of one release on a Poisson sample for a removed record, from that of the mechanism on everybody.

    >>> sampled(FinitePair.of([0.75, 0.25], [0.25, 0.75]), 0.5).losses.round(4).tolist()
    [-0.4055, 0.6931]
    """
    chance = probability("rate", rate, "It is the probability that a record is sampled, such as 0.01.")
    if chance == 0:
        return identical()
    if chance == 1:
        return loss
    if isinstance(loss, GaussianLoss | LaplaceLoss):
        return SubsampledLoss(loss, chance)
    if isinstance(loss, FinitePair | CutLoss):
        return sampled_pair(loss if isinstance(loss, FinitePair) else _without_rare(loss.atoms[1]), chance)
    way_out = "Use Gaussian noise instead."
    raise NotImplied("the loss of this noise on a sample", "is only known for one cell", loss, way_out)


def sampled_pair(pair: FinitePair, rate: float) -> FinitePair:
    """The pair ((1 - q) Q + q P, Q) of finitely many outcomes: each loss z becomes log(1 - q + q e^z).

    What P never produces has the loss log(1 - q); what Q never produces stays infinite, with q times its mass.
    """
    log_rate, log_rest = math.log(rate), math.log1p(-rate)
    growth = rate * np.expm1(np.minimum(pair.losses, LARGE))
    losses = np.where(np.abs(growth) < 0.5, np.log1p(growth), np.logaddexp(log_rest, log_rate + pair.losses))
    log_masses = pair.log_masses - pair.losses + losses
    if not np.isneginf(pair.log_missing):
        losses, log_masses = np.append(losses, log_rest), np.append(log_masses, pair.log_missing + log_rest)
    parts = float(np.max(np.abs(pair.losses), initial=0.0)) + abs(log_rate) + abs(log_rest)
    rounding = ULP * (16 + 8 * parts + 4 * float(np.max(np.abs(log_masses), initial=0.0)))
    return merged_atoms(
        losses,
        log_masses,
        log_infinity=pair.log_infinity + log_rate,
        log_missing=-np.inf,
        # A mass is the one under Q times e to the new loss, and both carry the error of the old loss.
        mass_error=pair.mass_error + 2 * pair.loss_error + pair.infinity_error + rounding,
        loss_error=pair.loss_error + 8 * ULP * parts,
        infinity_error=pair.infinity_error + ULP * (8 + 4 * abs(log_rate)),
    )


def _without_rare(pair: FinitePair) -> FinitePair:
    """A pair above this one: outcomes too rare for a transform count as infinite losses, on both sides."""
    log_nulls = pair.log_masses - pair.losses
    kept = np.maximum(pair.log_masses, log_nulls) > RARE_LOG
    infinity = np.logaddexp.reduce(np.append(pair.log_masses[~kept], pair.log_infinity))
    missing = np.logaddexp.reduce(np.append(log_nulls[~kept], pair.log_missing))
    rest = pair.losses[kept], pair.log_masses[kept], float(infinity), float(missing)
    return FinitePair(*rest, pair.mass_error, pair.loss_error, 1e-9)


def _plain_losses(t: Array, rate: float) -> Array:
    """The loss s = log(1 + (e^t - 1)/q) of the mechanism behind the sampled loss t: at least, about and at most.

    It is minus infinity where t lies below every sampled loss. Near there the sum cancels, so that each end takes the
    quotient at the end of what its rounding allows: one may be outside already while the other still is not.
    """
    with np.errstate(over="ignore", divide="ignore", under="ignore"):
        quotient = np.clip(np.expm1(np.minimum(t, LARGE)) / rate, -2.0, 2 * OVERFLOWING)
        spread = QUOTIENT_ERROR * np.abs(quotient)
        near = np.log1p(np.maximum(np.stack([quotient - spread, quotient, quotient + spread]), -1.0))
        # Where the quotient overflows, one beside it is nothing.
        log_growth, log_rate = log_expm1(np.maximum(t, 0.0)), np.log(rate)
        far = quotient > OVERFLOWING
        found = np.where(far, log_growth - log_rate, near)
    error = 4 * ULP * (_size(found) + np.where(far, abs(log_rate), 0.0))
    # Nothing is rounded at t = 0, and nothing below all losses; else the smallest doubles are, by less than one step.
    exact = (t == 0) | np.isneginf(found)
    return np.where(exact, found, np.stack([down(found[0] - error[0]), found[1], up(found[2] + error[2])]))


def _widened(ends: Sequence[Array], parts: Array | float = 0.0) -> Bracket:
    """Three logs of probabilities, with what rounds them and the parts that they are the sum of."""
    errors = [ULP * (16 + 4 * parts + 3 * _size(end)) for end in ends]
    low, high = ends[0] - errors[0], np.minimum(ends[2] + errors[2], 0.0)
    return Bracket(np.minimum(low, high), np.minimum(ends[1], 0.0), high)


def _size(x: Array) -> Array:
    """The absolute value, and 0 where it is infinite: an infinity is not rounded."""
    return np.where(np.isinf(x), 0.0, np.abs(x))


def _with_ends(found: Bracket, t: Array) -> Bracket:
    """The answers to finite questions, and what is asked at either infinity: 1 at the lower, 0 at the upper."""
    ends = np.where(t > 0, -np.inf, 0.0)
    return Bracket(*(np.where(np.isinf(t), ends, end) for end in found.ends))
