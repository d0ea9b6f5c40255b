"""Randomized response, the extreme pure mechanism, and its (epsilon, delta) version with infinite losses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whit.curves.contour.floating import (
    ELEMENTARY,
    UNIT,
    Complex,
    Flags,
    Real,
    log1p,
    log1p_growth,
    sinh,
    sinh_error,
)
from whit.curves.contour.kind import Kind
from whit.errors import require

# Beyond this size of Re(epsilon (s + 1/2)) the product form could overflow, and 1 no longer cancels anything.
PRODUCT_FORM_LIMIT = 8.0


def require_epsilon(epsilon: float) -> None:
    """Refuse a loss bound that is not a finite number above 0."""
    require(
        math.isfinite(epsilon) and epsilon > 0,
        name="epsilon",
        rule="must be a finite number above 0",
        value=epsilon,
        way_out="Leave a mechanism of epsilon 0 out of the composition: it says nothing.",
    )


def smallest_sine(rate: float, start: Real, stop: Real) -> Real:
    """A lower bound on |sin(rate t)| over each interval.

    Between two zeros |sin| is concave, so the ends are the worst points unless a zero lies in between; the argument's
    rounding is taken off.
    """
    low, high = rate * start, rate * stop
    ends = np.minimum(np.abs(np.sin(low)), np.abs(np.sin(high))) - 8 * UNIT * (1 + high)
    crosses = np.floor(high / math.pi) > np.floor(low / math.pi)
    smallest: Real = np.where(crosses, 0.0, np.maximum(ends, 0.0))
    return smallest


@dataclass(frozen=True)
class RandomizedResponseKind(Kind):
    """The loss is +epsilon with probability e^epsilon / (1 + e^epsilon), else -epsilon: M(s) = cosh(y) /
    cosh(epsilon/2) with y = epsilon (s + 1/2).
    """  # noqa: D205

    epsilon: float

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)

    def log_mgf(self, s: Complex) -> Complex:
        """By the product form of M - 1 where losses are small, else by the larger exponential."""
        wide = self._is_wide(s)
        result = np.empty_like(s)
        if not wide.all():
            result[~wide] = log1p(self._excess(s[~wide]))
        result[wide] = self._log_by_larger_exponential(s[wide])
        return result

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """Errors of the two hyperbolic sines, or of the exponentials."""
        wide = self._is_wide(s)
        result = np.empty(s.shape)
        if not wide.all():
            result[~wide] = self._product_growth(s[~wide])
        result[wide] = self._exponential_growth(s[wide])
        return result

    def _is_wide(self, s: Complex) -> Flags:
        if self.epsilon > 2 * PRODUCT_FORM_LIMIT:
            return np.ones(s.shape, dtype=np.bool_)
        return np.abs(self.epsilon * (s.real + 0.5)) > PRODUCT_FORM_LIMIT

    def _halves(self, s: Complex) -> tuple[Complex, Complex]:
        half = 0.5 * self.epsilon
        return half * (s + 1), half * s

    def _excess(self, s: Complex) -> Complex:
        """M(s) - 1 = 2 sinh(epsilon (s + 1)/2) sinh(epsilon s/2) / cosh(epsilon/2): nothing cancels."""
        first, second = self._halves(s)
        return 2 * sinh(first) * sinh(second) / math.cosh(0.5 * self.epsilon)

    def _product_growth(self, s: Complex) -> Real:
        first, second = self._halves(s)
        error = sinh_error(first) * np.abs(sinh(second)) + sinh_error(second) * np.abs(sinh(first))
        excess = self._excess(s)
        return log1p_growth(excess, 2 * error / math.cosh(0.5 * self.epsilon) + 2 * ELEMENTARY * np.abs(excess))

    def _towards(self, s: Complex) -> Complex:
        """The one of y and -y that has the larger exponential."""
        y = self.epsilon * (s + 0.5)
        return np.where(y.real > 0, y, -y)

    def _log_by_larger_exponential(self, s: Complex) -> Complex:
        towards = self._towards(s)
        rest = log1p(np.exp(-2 * towards)) - math.log1p(math.exp(-self.epsilon))
        return towards - 0.5 * self.epsilon + rest

    def _exponential_growth(self, s: Complex) -> Real:
        towards = self._towards(s)
        back = np.exp(-2 * towards)
        exponent = 8 * UNIT * (np.abs(towards) + self.epsilon) + 4 * ELEMENTARY
        return exponent + log1p_growth(back, np.abs(back) * (2 * ELEMENTARY + 8 * UNIT * np.abs(towards)))

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """|M(c+it)|^2 / M(c)^2 = 1 - sin(epsilon t)^2 / cosh(epsilon (c + 1/2))^2."""
        tilt = math.cosh(min(self.epsilon * abs(c + 0.5), 300.0))
        sine = smallest_sine(self.epsilon, start, stop)
        return 0.5 * np.log1p(-np.minimum((sine / tilt) ** 2, 1 - UNIT)) + 4 * UNIT

    @property
    def loss_range(self) -> tuple[float, float]:
        """Minus epsilon to epsilon."""
        return -self.epsilon, self.epsilon

    @property
    def atoms(self) -> float:
        """Two."""
        return 2.0

    @property
    def lattice(self) -> tuple[float, int] | None:
        """Plus and minus epsilon."""
        return self.epsilon, 1

    def reverse(self) -> Kind:
        """This kind: it is symmetric."""
        return self


@dataclass(frozen=True)
class EpsilonDeltaKind(Kind):
    """The worst pair that (epsilon, delta) allows: infinite loss with probability delta, else randomized response."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        require(
            0 <= self.delta < 1,
            name="delta",
            rule="must be in [0, 1)",
            value=self.delta,
            way_out="With delta = 1 the promise allows everything to be revealed.",
        )

    @cached_property
    def finite(self) -> RandomizedResponseKind:
        """The law of the loss given that it is finite."""
        return RandomizedResponseKind(self.epsilon)

    def log_mgf(self, s: Complex) -> Complex:
        """Randomized response, scaled to the finite mass."""
        return self.finite.log_mgf(s) + math.log1p(-self.delta)

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """The error of randomized response, plus one logarithm and one sum."""
        own = self.finite.growth(s, log_mgf - math.log1p(-self.delta))
        return own + ELEMENTARY * abs(math.log1p(-self.delta)) + UNIT * np.abs(log_mgf)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """The bound of randomized response."""
        return self.finite.log_abs_bound(c, start, stop, copies)

    @property
    def loss_range(self) -> tuple[float, float]:
        """Minus epsilon to epsilon."""
        return -self.epsilon, self.epsilon

    @property
    def infinity_mass(self) -> float:
        """It is delta."""
        return self.delta

    @property
    def reverse_infinity_mass(self) -> float:
        """It is delta too."""
        return self.delta

    @property
    def atoms(self) -> float:
        """Two."""
        return 2.0

    @property
    def lattice(self) -> tuple[float, int] | None:
        """Plus and minus epsilon."""
        return self.epsilon, 1

    def reverse(self) -> Kind:
        """This kind: it is symmetric."""
        return self
