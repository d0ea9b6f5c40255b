"""One release on a Poisson sample, in closed form from the pair (P, Q) of the mechanism itself.

With rate q, removing a record compares the mixture (1 - q) Q + q P with Q, and adding one compares Q with the mixture.
The mixture is told from Q by the same tests as P, so every answer is one of the mechanism's own, moved and weighted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves.face import SMALLEST_LOG_LEVEL, Array, LossDistribution
from whit.curves.gaussian import GaussianLoss
from whit.curves.laplace import LaplaceLoss
from whit.numerics import ULP, Bracket, add_up, largest_true, log1mexp, open_probability, up


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
        """Log of q D(log((e^t - 1 + q)/q)) for a removed record; else of c D(log(e^t q/c)) with c = 1 - e^t (1 - q).

        Where the inner logarithm has no argument, the profile of a removed record is 1 - e^t, that of an added one 0.
        """
        t = np.asarray(epsilons, dtype=np.float64)
        inner, log_weight, inside = self._inner(t)
        moved = self._moved(inner, log_weight, inside)
        beyond = log1mexp(np.minimum(t, 0.0)) if self.removed else np.full(t.shape, -np.inf)
        rounding = ULP * (8 + 2 * np.where(np.isfinite(beyond), np.abs(beyond), 0.0))
        sides = (beyond - rounding, beyond, np.minimum(beyond + rounding, 0.0))
        ends = np.where(t > 0, -np.inf, 0.0)
        known = np.isfinite(t)
        return Bracket(*(np.where(known, np.where(inside, a, b), ends) for a, b in zip(moved, sides, strict=True)))

    def _inner(self, t: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
        """The epsilon at which the mechanism is asked, the log of the weight of its answer, and where there is one."""
        t = np.clip(t, -1e300, 1e300)
        finite = np.clip(t, -700.0, 700.0)
        growth = np.expm1(finite)
        argument = growth + self.rate if self.removed else self.rate - (1 - self.rate) * growth
        inside = argument > 0
        log_argument = np.log(np.where(inside, argument, 1.0))
        log_rate = np.log(self.rate)
        if self.removed:
            inner = np.where(t > 700.0, t, log_argument) - log_rate
            return inner, np.full(t.shape, log_rate), np.asarray(inside)
        return finite + log_rate - log_argument, log_argument, np.asarray(inside)

    def _moved(self, inner: Array, log_weight: Array, inside: NDArray[np.bool_]) -> tuple[Array, Array, Array]:
        """The mechanism's profile at the inner epsilon, a little earlier and a little later for its rounding."""
        # Near the end of its range the argument of the logarithm is a small difference of numbers up to the rate.
        cancelled = np.exp(np.clip(-log_weight if not self.removed else -inner, 0.0, 600.0))
        error = ULP * (16 + 4 * np.abs(inner)) * np.where(inside, cancelled, 1.0)
        place = np.where(inside, inner, 0.0)
        late, now, early = (self.base.log_delta(place + shift) for shift in (error, np.zeros_like(error), -error))
        rounding = ULP * (8 + 2 * np.abs(log_weight)) + (0.0 if self.removed else error)
        upper = np.minimum(early.upper + log_weight + rounding, 0.0)
        return np.minimum(late.lower + log_weight - rounding, upper), now.mid + log_weight, upper

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]: the mechanism's own tails on both sides, at the inner threshold."""
        t = np.asarray(losses, dtype=np.float64)
        inner, _, inside = replace(self, removed=True)._inner(t if self.removed else -t)
        error = ULP * (16 + 4 * np.abs(inner)) * np.exp(np.clip(-inner, 0.0, 600.0))
        ends = [self._tail_at(np.where(inside, inner, 0.0) + shift) for shift in (error, np.zeros_like(error), -error)]
        ends = ends if self.removed else ends[::-1]
        outside = 0.0 if self.removed else -np.inf
        bounds = (ends[0].lower, ends[1].mid, ends[2].upper)
        return Bracket(*(np.where(inside, end, outside) for end in bounds))

    def _tail_at(self, s: Array) -> Bracket:
        """Log of the mass of base losses above s under the mixture; for an added record, of those below s under Q.

        The base is symmetric: under Q the loss lies above s as often as under P it lies below -s.
        """
        if not self.removed:
            return self.base.log_tail(-s)
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
        at = largest_true(lambda a: self._level(a).lower <= inner, np.full(inner.shape, -1e301), np.zeros(inner.shape))
        sure = largest_true(
            lambda a: self._level(a).upper <= inner, np.full(inner.shape, -1e301), np.zeros(inner.shape)
        )
        upper, lower = self.base.log_power(up(at)).upper, self.base.log_power(sure)
        # A level that is smaller still has at most this power, and at least its own.
        guessed = np.where(levels < SMALLEST_LOG_LEVEL, np.maximum(levels, -1e308), lower.lower)
        bounds = (guessed, np.minimum(lower.mid, upper), upper)
        known = np.where(np.isneginf(levels), -np.inf, 0.0)
        inside = np.isfinite(levels) & (levels < 0)
        return Bracket(*(np.where(inside, end, known) for end in bounds))

    def _level(self, log_a: Array) -> Bracket:
        """Log of q a + (1 - q) power(a)."""
        return self._mixed(self.base.log_power(log_a), Bracket.exact(log_a))

    def _mixed(self, unsampled: Bracket, sampled: Bracket) -> Bracket:
        """Log of (1 - q) times the one plus q times the other."""
        log_rate, log_rest = np.log(self.rate), np.log1p(-self.rate)
        rounding = ULP * (8 + 2 * abs(log_rate))
        pairs = zip(*((part.lower, part.mid, part.upper) for part in (unsampled, sampled)), strict=True)
        ends = [np.logaddexp(log_rest + a, log_rate + b) for a, b in pairs]
        shifts = (-rounding, 0.0, rounding)
        return Bracket(*(np.minimum(end + shift, 0.0) for end, shift in zip(ends, shifts, strict=True)))

    def reverse(self) -> SubsampledLoss:
        """Adding instead of removing, and back."""
        return replace(self, removed=not self.removed)
