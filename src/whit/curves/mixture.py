"""Gaussian noise where the change is random: the mixture of N(m_i, 1), with weights p_i, against N(0, 1).

All m_i are at least 0, so that the loss L(a) = log sum of p_i e^{m_i a - m_i^2/2} rises with the outcome a, and every
best test rejects on one side of a threshold. At the threshold of the loss t the profile is a sum of positive parts,
D(t) = sum of p_i pdf(a - m_i) (M(a - m_i) - M(a)) with Mills's ratio M; likewise in the other order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves.face import Array, LossDistribution
from whit.errors import require
from whit.numerics import ULP, Bracket, log1mexp, logsumexp, normal, probability_vector, real_array

# Left of this the normal tail is 1 to all digits that count, and the difference of Mills ratios is not formed.
FAR_LEFT = -30.0
# Outcomes are looked for between these.
FARTHEST = 1e8
HALVINGS = 110
NEWTON_STEPS = 100
SPLITTING = 28

# A larger change over the deviation has losses that no double holds.
LARGEST_MEAN = 1e150

_WAY_OUT = "Pass changes of at least 0, over the standard deviation of the noise, and a probability for each."


@dataclass(frozen=True)
class GaussianMixtureLoss(LossDistribution):
    """The loss between the mixture and N(0, 1), or in the other order.

    means     the changes over the standard deviation of the noise, each at least 0 and one above it
    weights   their probabilities
    mixed     whether the mixture is the truth (P), or what it is compared with (Q)
    """

    theorems: ClassVar[tuple[str, ...]] = ("gaussian-mixture",)

    means: tuple[float, ...]
    weights: tuple[float, ...]
    mixed: bool = True

    def __post_init__(self) -> None:
        """Refuse what is no law of changes, and put it in order."""
        means = real_array("means", self.means, _WAY_OUT)
        weights = probability_vector("weights", self.weights, _WAY_OUT)
        good = means.shape == weights.shape and bool(np.all(np.isfinite(means) & (means >= 0)))
        require(good, name="means", rule="must be at least 0, one for each weight", value=self.means, way_out=_WAY_OUT)
        few = f"must be at most {LARGEST_MEAN:g}"
        small = bool(np.all(means <= LARGEST_MEAN))
        require(small, name="means", rule=few, value=self.means, way_out="Take such a change for an infinite loss.")
        kept = [each for each in np.unique(means) if weights[means == each].sum() > 0]
        require(len(kept) > 0 and kept[-1] > 0, name="means", rule="must not all be 0", value=means, way_out=_WAY_OUT)
        object.__setattr__(self, "means", tuple(map(float, kept)))
        object.__setattr__(self, "weights", tuple(float(weights[means == each].sum()) for each in kept))

    @property
    def _m(self) -> Array:
        return np.array(self.means)

    @property
    def _log_weights(self) -> Array:
        return np.asarray(np.log(self.weights) - np.log(np.sum(self.weights)))

    @property
    def log_infinity(self) -> float:
        """Minus infinity: every outcome is possible on both datasets."""
        return -np.inf

    def _exponents(self, a: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.multiply.outer(a, self._m) - self._m**2 / 2

    def _loss(self, a: Array) -> tuple[Array, Array]:
        """L(a), and a bound on its rounding and that of the means."""
        exponents = self._exponents(a)
        value = logsumexp(self._log_weights + exponents, axis=-1)
        parts = np.abs(a) * self.means[-1] + self.means[-1] ** 2
        error = 8 * ULP * (2 + np.max(np.abs(self._log_weights)) + parts)
        # Where all changes are small, the sum is close to 1, and what is above or below it keeps its own digits.
        small = parts < 0.5
        growth = np.expm1(np.where(small[..., None], exponents, 0.0)) @ np.exp(self._log_weights)
        own = ULP * (64 + 16 * float(np.max(np.abs(self._log_weights))) + 8 * len(self.means)) * parts
        return np.where(small, np.log1p(growth), value), np.where(small, own, error)

    def _outcomes(self, t: Array) -> tuple[Array, Array]:
        """Outcomes between which the one with the loss t lies; minus infinity where all losses may be above t."""
        lowest = float(self._log_weights[0]) if self.means[0] == 0.0 else -np.inf
        # Next to 0 the log of a weight is a difference, and rounded by as much as one next to 1.
        inside = t >= lowest - 16 * ULP * (1 + abs(lowest))
        low, high = np.full(t.shape, -np.inf), np.full(t.shape, -np.inf)
        if np.any(inside):
            low[inside], high[inside] = _around(self._loss, t[inside], self._near(t[inside]))
        return low, high

    def _near(self, t: Array) -> Array:
        """About where the loss is t. It is convex, and at least what the largest change says: Newton from the right."""
        start = (t - self._log_weights[-1]) / self.means[-1] + self.means[-1] / 2
        a = np.minimum(start, FARTHEST)
        for _ in range(NEWTON_STEPS):
            loss = self._loss(a)[0]
            slope = np.exp(self._log_weights + self._exponents(a) - loss[..., None]) @ self._m
            step = np.maximum(loss - t, 0.0) / np.maximum(slope, 1e-300)
            if np.all(step <= 4 * ULP * (1 + np.abs(a))):
                break
            a = np.maximum(a - step, -FARTHEST)
        return np.asarray(a)

    def _upper_part(self, a: Array) -> tuple[Array, Array]:
        """Log of the profile for a loss of at least 0, so that a > 0: the sum of P's excess above a. And its error."""
        shifted = np.subtract.outer(a, self._m)
        near = np.maximum(shifted, FAR_LEFT)
        difference = normal.mills_difference(near, np.broadcast_to(self._m, near.shape))
        with np.errstate(divide="ignore"):
            close = normal.log_pdf(near) + np.log(difference)
            rest = np.exp(normal.log_cdf(shifted)) + np.exp(normal.log_pdf(shifted)) * normal.mills(a)[..., None]
            far = np.log1p(-np.minimum(rest, 0.5))
        return self._summed(np.where(shifted < FAR_LEFT, far, close), shifted, a)

    def _lower_part(self, a: Array) -> tuple[Array, Array]:
        """Log of Q's excess below a, times e^t with t the loss: sum of p_i pdf(a - m_i) (M(-a) - M(m_i - a))."""
        shifted = np.subtract.outer(a, self._m)
        near = np.minimum(a, -FAR_LEFT)
        difference = normal.mills_difference(-near[..., None], np.broadcast_to(self._m, shifted.shape))
        with np.errstate(divide="ignore", over="ignore"):
            close = normal.log_pdf(shifted) + np.log(difference)
            # Far right M(-a) is next to all there is: p_i e^(m_i a - m_i^2/2) Phi(a), less Phi(a - m_i).
            whole = self._exponents(a) + normal.log_cdf(a)[..., None]
            far = whole + log1mexp(np.minimum(normal.log_cdf(shifted) - whole, 0.0))
        return self._summed(np.where((a > -FAR_LEFT)[..., None], far, close), shifted, a)

    def _summed(self, logs: Array, shifted: Array, a: Array) -> tuple[Array, Array]:
        """Log of the weighted sum, and a bound on its error."""
        parts = np.where(self._m > 0, logs, -np.inf) + self._log_weights
        size = np.max(shifted**2, axis=-1) + (np.abs(a) + self.means[-1]) * self.means[-1]
        error = 4 * normal.MILLS_DIFFERENCE_ERROR + ULP * (64 + 16 * size + 4 * np.max(np.abs(self._log_weights)))
        return logsumexp(parts, axis=-1), error

    def split(self, t: Array) -> Array:
        """About the v at which a replacement by the opposite changes, of loss t, has the loss v of its second half.

        At the outcome a the two halves have the losses L(a) and -L(-a), and both tests reject beyond a.
        """
        low, high = np.zeros(t.shape), np.maximum(self._near(t), 0.0)  # -L(-a) is at least 0 there
        for _ in range(SPLITTING):
            middle = np.sqrt((1 + low) * (1 + high)) - 1  # from small to very large outcomes
            below = self._loss(middle)[0] - self._loss(-middle)[0] <= t
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.maximum(-self._loss(-low)[0], 0.0)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile: a sum of positive parts on both sides of 0, in both orders."""
        t = np.asarray(epsilons, dtype=np.float64)
        finite = np.isfinite(t)
        asked = np.minimum(np.where(finite, t, 0.0), self._farthest)
        losses = np.maximum(asked, -self._farthest) * (1.0 if self.mixed else -1.0)
        low, high = self._outcomes(losses)
        upper_side = np.asarray((losses >= 0) if self.mixed else (losses > 0))
        ends = self._part(low, high, upper_side, asked)
        # Far left of 0 the part that is added to 1 - e^t is at most what it is here.
        far = t < -self._farthest
        return self._with_ends(t, (np.where(far, log1mexp(np.minimum(t, 0.0)) * (1 + 8 * ULP), ends[0]), ends[1]))

    @property
    def _farthest(self) -> float:
        """Farther out than this nothing is looked for: less is known there, and no more than here."""
        return FARTHEST / 2 * min(each for each in self.means if each > 0.0)

    def _with_ends(self, t: Array, ends: tuple[Array, Array]) -> Bracket:
        """The answers to finite questions; 1 at the lower infinity and 0 at the upper."""
        sure, finite = np.where(t > 0, -np.inf, 0.0), np.isfinite(t)
        lower = np.where(t > self._farthest, -np.inf, ends[0])
        low, high = (np.where(finite, np.minimum(end, 0.0), sure) for end in (lower, ends[1]))
        return Bracket(low, np.where(np.isfinite(low), (low + high) / 2, high), high)

    def _part(self, low: Array, high: Array, upper_side: NDArray[np.bool_], t: Array) -> tuple[Array, Array]:
        """The lower and the upper end: of the part itself for t >= 0, and of 1 - e^t plus it below 0."""
        # The upper part falls with the outcome, the lower part rises with it.
        least, most = np.where(upper_side, high, low), np.where(upper_side, low, high)
        found = []
        for place, sign in ((least, -1), (most, 1)):
            known = np.isfinite(place)
            a = np.where(known, place, np.where(upper_side, 1.0, -1.0))
            log, error = np.empty(a.shape), np.empty(a.shape)
            log[upper_side], error[upper_side] = self._upper_part(np.maximum(a[upper_side], 0.0))
            log[~upper_side], error[~upper_side] = self._lower_part(a[~upper_side])
            log = np.where(known, log + sign * (error + 8 * ULP * np.abs(t)), -np.inf) + (0.0 if self.mixed else t)
            whole = np.where(t < 0, np.logaddexp(log1mexp(np.minimum(t, 0.0)), log), log)
            rounded = whole + sign * 8 * ULP * (1 + np.abs(np.where(np.isfinite(whole), whole, 0.0)))
            # Changes so large that no outcome was found with more than this loss, or none with less: all may be told.
            lost = np.isneginf(place) if sign > 0 else np.zeros(place.shape, dtype=bool)
            lost = (lost & upper_side) | np.isposinf(place)
            bound = self._most(t)
            found.append(np.where(lost, bound if sign > 0 else -np.inf, np.minimum(rounded, bound)))
        return np.minimum(*found), np.maximum(*found)

    def _most(self, t: Array) -> Array:
        """The log of what no profile exceeds: from 0 on, for a removed record, the chance that anything changes."""
        return np.where((t >= 0) & self.mixed, min(self._log_changed, 0.0), 0.0)

    @property
    def _log_changed(self) -> float:
        """Log of the chance that anything changes, rounded up."""
        changed = math.fsum(w for m, w in zip(self.means, self.weights, strict=True) if m > 0.0)
        return math.log(changed / math.fsum(self.weights)) * (1 - 4 * ULP) + 8 * ULP

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]: of the mixture beyond the threshold, or of N(0, 1) before it."""
        t = np.asarray(losses, dtype=np.float64)
        finite = np.isfinite(t)
        asked = np.clip(np.where(finite, t, 0.0), -self._farthest, self._farthest)
        low, high = self._outcomes(asked if self.mixed else -asked)
        ends = (self._beyond(high)[0], self._beyond(low)[1]) if self.mixed else (_before(low)[0], _before(high)[1])
        return self._with_ends(t, (ends[0], np.where(t < -self._farthest, 0.0, ends[1])))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t], equal to log_tail: the loss has no atoms."""
        return self.log_tail(losses)

    def _beyond(self, a: Array) -> tuple[Array, Array]:
        """Log of the probability of more than a under the mixture, from below and above."""
        shifted = np.subtract.outer(np.maximum(a, -1e9), self._m)
        log = logsumexp(self._log_weights + normal.log_sf(shifted), axis=-1)
        error = self._tail_error(shifted)
        return np.where(np.isneginf(a), 0.0, log - error), np.where(np.isneginf(a), 0.0, log + error)

    def _tail_error(self, shifted: Array) -> Array:
        size = np.max(np.where(np.isfinite(shifted), shifted, 0.0) ** 2, axis=-1) + self.means[-1] ** 2
        own = 8 * ULP * float(np.max(np.abs(self._log_weights)))
        return np.asarray((4 * normal.LOG_TAIL_ERROR + 16 * ULP) * (4 + size) + own)

    def _before(self, a: Array) -> tuple[Array, Array]:
        """Log of the probability of at most a under the mixture, and a bound on its error."""
        shifted = np.subtract.outer(a, self._m)
        return logsumexp(self._log_weights + normal.log_cdf(shifted), axis=-1), self._tail_error(shifted)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power of the test that rejects on one side of a threshold."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inside = np.isfinite(levels) & (levels < 0)
        asked = np.where(inside, np.clip(levels, -1e12, -1e-300), -1.0)
        if self.mixed:
            a = -normal.quantile_of_log(asked)
            room = 8 * normal.QUANTILE_ERROR * (1 + np.abs(a))
            # Whoever changes nothing is told from nobody: beyond the level there is only the chance of a change.
            most = np.minimum(np.logaddexp(asked, self._log_changed) + 8 * ULP, 0.0)
            ends = self._beyond(a + room)[0], np.minimum(self._beyond(a - room)[1], most)
        else:
            low, high = _between(self._before, asked)
            unchanged = float(self._log_weights[0]) if self.means[0] == 0.0 else -np.inf
            most = np.minimum(asked - unchanged * (1 + 4 * ULP) + 8 * ULP, 0.0)  # P has so much of Q at least
            ends = _before(low)[0], np.minimum(_before(high)[1], most)
        sure = np.where(np.isneginf(levels), -np.inf, 0.0)
        # Below so small a level at least nothing, at most as much.
        least = np.where(levels < -1e12, -np.inf, ends[0])
        lower, upper = (np.where(inside, np.minimum(end, 0.0), sure) for end in (least, ends[1]))
        return Bracket(lower, np.where(np.isfinite(lower), (lower + upper) / 2, upper), upper)

    def reverse(self) -> GaussianMixtureLoss:
        """The pair in the other order."""
        return replace(self, mixed=not self.mixed)


def _before(a: Array) -> tuple[Array, Array]:
    """Log of the probability of at most a under N(0, 1), from below and above."""
    log = normal.log_cdf(a)
    error = 4 * normal.LOG_TAIL_ERROR * np.abs(np.where(np.isfinite(log), log, 0.0)) + 8 * ULP
    return log - error, np.where(np.isneginf(a), -np.inf, np.minimum(log + error, 0.0))


def _between(rising: Callable[[Array], tuple[Array, Array]], wanted: Array) -> tuple[Array, Array]:
    """Points at which a rising function is surely at most, and at least, what is wanted; infinite where none is."""
    low, high = np.full(wanted.shape, -FARTHEST), np.full(wanted.shape, FARTHEST)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        below = rising(middle)[0] <= wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return _around(rising, wanted, low)


def _around(rising: Callable[[Array], tuple[Array, Array]], wanted: Array, near: Array) -> tuple[Array, Array]:
    """The same, looked for further and further away from where the function is about what is wanted."""
    aims, starts, ends = wanted.ravel(), near.ravel(), []
    for sign in (-1.0, 1.0):
        found, left, step = np.full(aims.shape, sign * np.inf), np.arange(aims.size), 16 * ULP
        for _ in range(HALVINGS):
            tried = starts[left] + sign * step * (1 + np.abs(starts[left]))
            value, error = rising(tried)
            sure = (value + error <= aims[left]) if sign < 0 else (value - error >= aims[left])
            found[left[sure]] = tried[sure]
            left, step = left[~sure], 2 * step
            if not left.size:
                break
        ends.append(found.reshape(wanted.shape))
    return ends[0], ends[1]
