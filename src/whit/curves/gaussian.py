"""The Gaussian pair N(0, 1) against N(mu, 1), in closed form: the loss is N(mu^2/2, mu^2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, LossDistribution
from whit.curves.gaussian_mean import LARGEST_MU, ratio_bounds
from whit.numerics import ULP, Bracket, down, finite_positive, normal, square_root, up

# Below this the density at a is so small that 1 - D keeps its digits without the difference of Mills ratios.
FAR_LEFT = -30.0
# Beyond this many standard deviations the square overflows; the log-probability there is below -1e299 all the same.
FARTHEST = 1e150
# A difference of Mills ratios below this has lost digits to underflow.
TINY = 1e-290
# A mu may be the root of a sum of squares of roots: it is then off by no more than so many units.
UNITS = 4
# Doubles below this are further apart than one in 2^53.
FAR_APART = 1e-290
# Up to so many kinds of Gaussian releases are added up without rounding.
FEW = 16
# Steps to the best start of a bound on the tail, and when it is close: an error of this share costs its square.
NEWTON_STEPS = 6
SETTLED = 1e-6


@dataclass(frozen=True)
class GaussianLoss(LossDistribution):
    """The loss of one Gaussian release, or of several: mu is sensitivity over standard deviation.

    Attributes:
        mu: that number.
        rounded: whether it is the double next to what it stands for, as a root mostly is.
        square: what it is the root of, where doubles are so far apart that more releases make much of the rounding.
    """

    theorems: ClassVar[tuple[str, ...]] = ("gaussian-profile",)

    mu: float
    rounded: bool = field(default=False, repr=False)
    square: Fraction | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse a mu that is not a positive number."""
        way_out = "It is the sensitivity divided by the standard deviation of the noise; use a number such as 1."
        object.__setattr__(self, "mu", finite_positive("mu", self.mu, way_out))

    @classmethod
    def of_square(cls, square: Fraction) -> GaussianLoss:
        """The loss whose mu has this square.

        >>> [GaussianLoss.of_square(Fraction(1, each)).rounded for each in (4, 3)]
        [False, True]
        """
        mu = square_root(square)
        rounded = math.isinf(mu) or Fraction(mu) ** 2 != square
        return cls(mu, rounded, square if rounded and mu < FAR_APART else None)

    @property
    def ends(self) -> tuple[float, float]:
        """Two numbers between which the mu lies that it stands for."""
        if not self.rounded:
            return self.mu, self.mu
        known = self.mu >= FAR_APART or self.square is not None
        return float(down(self.mu, UNITS)) if known else 0.0, float(up(self.mu, UNITS))

    @property
    def log_infinity(self) -> float:
        """Minus infinity: a Gaussian loss is always finite."""
        return -np.inf

    @property
    def is_endless(self) -> bool:
        """Always: a Gaussian loss has no bound."""
        return True

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of D(t) = Phi(mu/2 - t/mu) - e^t Phi(-mu/2 - t/mu), as pdf(a) (M(a) - M(a + mu)) with a = t/mu - mu/2.

        M is Mills's ratio. Where t < 0 the profile is 1 - e^t + e^t D(-t), a sum of positive terms.
        """
        t = np.asarray(epsilons, dtype=np.float64)
        positive = np.abs(t)
        near = self._near(positive)
        difference = normal.mills_difference(near, self.mu)
        log_d = self._log_delta_of_positive(positive, near, difference)
        mirrored = _mirror(t, log_d) if np.any(t < 0) else log_d
        found = _within(np.where(t < 0, mirrored, log_d), self._argument_error(positive))
        # Next to nothing is known from above only; from t = 0 on, and just below it, where it is all there is.
        unknown = (t > -TINY) & (difference <= TINY)
        return Bracket(np.where(unknown, -np.inf, found.lower), found.mid, found.upper)

    def _log_delta_of_positive(self, t: Array, near: Array, difference: Array) -> Array:
        a = self._standardised(t)
        middle = normal.log_pdf(near) + self._log_mills_difference(near, difference)
        if not np.any(a < FAR_LEFT):
            return np.where(np.isposinf(t), -np.inf, middle)
        left = np.minimum(a, FAR_LEFT)
        with np.errstate(invalid="ignore"):  # where it is not asked for
            rest = np.exp(normal.log_cdf(left)) + np.exp(normal.log_pdf(left)) * normal.mills(left + self.mu)
            far = np.log1p(-rest)
        return np.where(np.isposinf(t), -np.inf, np.where(a < FAR_LEFT, far, middle))

    def _near(self, t: Array) -> Array:
        a = self._standardised(t)
        return np.where(a < FAR_LEFT, 0.0, a)

    def _log_mills_difference(self, a: Array, difference: Array) -> Array:
        """Log of M(a) - M(a + mu); where that is too small for a double, of mu times the bound 1/max(a, 1)^2 of -M'."""
        small = np.log(self.mu) - 2 * np.log(np.maximum(a, 1.0))
        return np.where(difference > TINY, np.log(np.where(difference > TINY, difference, 1.0)), small)

    def _standardised(self, t: Array) -> Array:
        return self._scaled(t) - self.mu / 2

    def _scaled(self, t: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.clip(t / self.mu, -FARTHEST, FARTHEST)

    def _argument_error(self, t: Array) -> Array:
        """Bound on the error of a log-probability: (1 + a+) times that of its argument a, and a few units more.

        The argument is a difference that may cancel, so that a itself may be as much larger as its error. In that, mu
        is allowed four units: it may be the root of a sum of squares of roots.
        """
        scaled = np.where(np.isfinite(t), self._scaled(t), 0.0)
        a = np.maximum(scaled - self.mu / 2, 0.0)
        argument = ULP * (5 * np.abs(scaled) + 2 * self.mu)
        own = (ULP + normal.LOG_TAIL_ERROR) * (16 + a * a / 2)
        # The log of a tail moves by at most twice the density at a for each unit of a below 0, and that of delta too:
        # mu e^t Phi(-a - mu) is mu M(a + mu) times the density, and a + mu is at least mu/2. At -10 it is below 1e-21.
        slope = np.where(scaled - self.mu / 2 + argument < -10.0, 1e-20, 1 + a + argument)
        return normal.MILLS_DIFFERENCE_ERROR + slope * argument + own

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]: one minus the normal distribution function at t/mu - mu/2."""
        t = np.asarray(losses, dtype=np.float64)
        tail = normal.log_sf(self._standardised(t))
        return _within(np.where(np.isposinf(t), -np.inf, tail), self._argument_error(t))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t], equal to log_tail: the loss has no atoms."""
        return self.log_tail(losses)

    def quantile(self, chances: Array) -> Array:
        """About the loss that is exceeded with each chance: mu^2/2 plus mu times the normal quantile."""
        with np.errstate(over="ignore", divide="ignore"):
            return np.asarray(self.mu * (self.mu / 2 - normal.quantile_of_log(np.log(chances))))

    def best_start(self, losses: Array) -> Array:
        """The e at which P[Z > e] is e^t Q[Z > e], by Newton's method; nan where it has not come close.

        With h the hazard 1/M, the log of P[Z > e] / Q[Z > e] is the integral of h from a to a + mu, where a is
        e/mu - mu/2. The hazard is convex, so this is convex in e, and the steps from e = t, which is too far right, go
        left and never pass the zero.
        """
        e = np.where(np.isfinite(losses), losses, 1.0)
        t, settled = e, np.zeros(e.shape, dtype=bool)
        with np.errstate(all="ignore"):
            for _ in range(NEWTON_STEPS):
                a = self._near(e)
                far, difference = normal.mills(a + self.mu), normal.mills_difference(a, self.mu)
                step = (e - t + np.log1p(difference / far)) * (self.mu * far * (far + difference) / difference)
                # Each element stops by itself, so that it does not depend on what else is asked.
                e = np.where(np.isfinite(step) & ~settled, e - step, e)
                settled |= np.abs(step) < SETTLED * np.abs(t - e)
                if settled.all():
                    break
        return np.where(settled & (self._standardised(e) > FAR_LEFT), e, np.nan)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of Phi(Phi^{-1}(level) + mu)."""
        levels = np.asarray(log_levels, dtype=np.float64)
        inner = np.clip(levels, -1e300, -1e-300)
        quantile = normal.quantile_of_log(inner)
        # An error of the quantile costs its own density on the way in and again on the way out.
        with np.errstate(over="ignore"):  # then nothing is known from below
            argument = 8 * ULP * (np.abs(quantile) + self.mu)
            error = ULP * (32 + 8 * quantile**2) + argument * (1 + np.abs(quantile + self.mu) + argument)
        inside = _within(normal.log_cdf(quantile + self.mu), error)
        return _replaced(inside, levels)

    @property
    def mean_theorem(self) -> str:
        """That of a sum with few terms, where mu is not so large that they are many."""
        return "gaussian-expected-posterior" if self.mu <= LARGEST_MU else ""

    def mean_ratio(self, prior: float) -> tuple[float, float]:
        """The mean of the posterior over the prior."""
        return ratio_bounds(self.mu, prior)

    def reverse(self) -> GaussianLoss:
        """This pair: the Gaussian pair is symmetric."""
        return self


def _mirror(t: Array, log_d: Array) -> Array:
    """Log of 1 - e^t + e^t D(-t), from that of D(-t), where t is below 0."""
    left = np.where(t < 0, -t, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.logaddexp(np.log(-np.expm1(-left)), np.where(np.isposinf(left), -np.inf, log_d - left)))


def one_gaussian(counts: Mapping[GaussianLoss, int]) -> GaussianLoss:
    """The loss of Gaussian releases, each made so often: the squares of their mu add up."""
    total = math.fsum(face.mu * face.mu * copies for face, copies in counts.items())
    if 1e-280 < total < 1e280 and (len(counts) > FEW or any(face.rounded for face in counts)):
        return GaussianLoss(math.sqrt(total), rounded=True)
    # Where squares vanish or overflow they are added up exactly, however many there are.
    squares = (n * (face.square or Fraction(face.mu) ** 2) for face, n in counts.items())
    found = GaussianLoss.of_square(sum(squares, Fraction(0)))
    return replace(found, rounded=found.rounded or any(face.rounded for face in counts))


def _within(mid: Array, error: Array) -> Bracket:
    mid, unknown = np.minimum(mid, 0.0), np.isposinf(error)
    known = np.where(unknown, 0.0, error)
    upper = np.where(unknown, 0.0, np.minimum(mid + known, 0.0))
    return Bracket(np.where(unknown, -np.inf, mid - known), mid, upper)


def _replaced(inside: Bracket, levels: Array) -> Bracket:
    """Power 0 at level 0 and 1 at level 1, exactly."""

    def ends(values: Array) -> Array:
        return np.where(np.isneginf(levels), -np.inf, np.where(levels >= 0, 0.0, values))

    return Bracket(ends(inside.lower), ends(inside.mid), ends(inside.upper))
