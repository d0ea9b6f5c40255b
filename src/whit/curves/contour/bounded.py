"""Kinds whose loss is at most epsilon: randomized response, its (epsilon, delta) version, and Laplace noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from whit.curves.contour.composition import Kind
from whit.curves.contour.floating import (
    ELEMENTARY,
    TINY,
    UNIT,
    Complex,
    Flags,
    Real,
    log1p,
    log1p_growth,
    sinh,
    sinh_error,
    sinhc_minus_one,
)
from whit.curves.contour.top import Top, coin_top, laplace_top
from whit.errors import require
from whit.numerics import finite_positive

# Beyond this size of Re(epsilon (s + 1/2)) the product form could overflow, and 1 no longer cancels anything.
PRODUCT_FORM_LIMIT = 8.0


def require_epsilon(epsilon: float) -> None:
    """Refuse a loss bound that is not a finite number above 0."""
    way_out = "Leave a mechanism of epsilon 0 out of the composition: it says nothing."
    finite_positive("epsilon", epsilon, way_out)


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

    symmetric: ClassVar[bool] = True

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
    def top(self) -> Top:
        """The larger of the two."""
        return coin_top(self.epsilon)

    @property
    def atoms(self) -> float:
        """Two."""
        return 2.0

    @property
    def lattice(self) -> tuple[float, int] | None:
        """Plus and minus epsilon."""
        return self.epsilon, 1


@dataclass(frozen=True)
class EpsilonDeltaKind(RandomizedResponseKind):
    """The worst pair that (epsilon, delta) allows: infinite loss with probability delta, else randomized response."""

    delta: float

    def __post_init__(self) -> None:
        super().__post_init__()
        way_out = "With delta = 1 the promise allows everything to be revealed."
        require(0 <= self.delta < 1, name="delta", rule="must be in [0, 1)", value=self.delta, way_out=way_out)

    def log_mgf(self, s: Complex) -> Complex:
        """Randomized response, scaled to the finite mass."""
        return super().log_mgf(s) + math.log1p(-self.delta)

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """The error of randomized response, plus one logarithm and one sum."""
        own = super().growth(s, log_mgf - math.log1p(-self.delta))
        return own + ELEMENTARY * abs(math.log1p(-self.delta)) + UNIT * np.abs(log_mgf)

    @property
    def top(self) -> Top:
        """That of randomized response, scaled to the finite mass."""
        return coin_top(self.epsilon, math.log1p(-self.delta))

    @property
    def infinity_mass(self) -> float:
        """It is delta."""
        return self.delta

    @property
    def reverse_infinity_mass(self) -> float:
        """It is delta too."""
        return self.delta


@dataclass(frozen=True)
class LaplaceKind(Kind):
    """Laplace noise whose loss is at most epsilon: M(s) = e^{-epsilon/2} (cosh y + epsilon/2 sinh(y)/y), with
    y = epsilon (s + 1/2).
    """  # noqa: D205

    symmetric: ClassVar[bool] = True

    epsilon: float

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)

    def log_mgf(self, s: Complex) -> Complex:
        """By second-order pieces where losses are small, by the larger exponential far out, else as it stands."""
        y = self.epsilon * (s + 0.5)
        far = np.abs(y.real) > PRODUCT_FORM_LIMIT
        result = np.empty_like(s)
        result[far] = self._log_far(y[far])
        result[~far] = (
            np.log(self._plain(y[~far])) - 0.5 * self.epsilon if self._is_large else log1p(self._excess(y[~far]))
        )
        return result

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """Errors of the pieces; or, far out, of the exponent and of the bracket beside it."""
        y = self.epsilon * (s + 0.5)
        far = np.abs(y.real) > PRODUCT_FORM_LIMIT
        result = np.empty(s.shape)
        result[far] = self._growth_far(y[far])
        near = y[~far]
        if self._is_large:
            result[~far] = np.log1p(self._plain_error(near) / np.maximum(np.abs(self._plain(near)), TINY))
            result[~far] += 4 * UNIT * np.abs(log_mgf[~far]) + 4 * UNIT * self.epsilon + 4 * ELEMENTARY
        else:
            result[~far] = log1p_growth(self._excess(near), self._excess_error(near))
        return result

    @property
    def _is_large(self) -> bool:
        """Whether M can be so small that M - 1 would lose it."""
        return self.epsilon > 2

    def _excess(self, y: Complex) -> Complex:
        """M - 1 as a sum of three pieces, each of second order in the loss, so that little cancels."""
        half = 0.5 * self.epsilon
        return math.exp(-half) * (2 * sinh(0.5 * y) ** 2 + half * sinhc_minus_one(y)) + self._excess_at_centre

    @cached_property
    def _excess_at_centre(self) -> float:
        """M(-1/2) - 1 = e^{-h} (1 + h) - 1 with h = epsilon/2, by its series."""
        half = 0.5 * self.epsilon
        return math.fsum((1 - k) / math.factorial(k) * (-half) ** k for k in range(2, 30))

    def _plain(self, y: Complex) -> Complex:
        """e^{epsilon/2} M."""
        return np.cosh(y) + 0.5 * self.epsilon * (1 + sinhc_minus_one(y))

    def _plain_error(self, y: Complex) -> Real:
        """Both terms are wrong by 8 ELEMENTARY of their largest size, and moved by the rounding of y."""
        size = np.cosh(y.real) * (1 + 0.5 * self.epsilon / np.maximum(np.abs(y), 0.5))
        error: Real = (8 * ELEMENTARY + 8 * UNIT * np.abs(y)) * size
        return error

    def _far_bracket(self, y: Complex) -> tuple[Complex, Complex]:
        """The one of y and -y that grows, x; and b with cosh y + h sinh(y)/y = e^x b / 2."""
        x = np.where(y.real > 0, y, -y)
        half = 0.5 * self.epsilon
        return x, (1 + half / x) + np.exp(-2 * x) * (1 - half / x)

    def _log_far(self, y: Complex) -> Complex:
        x, bracket = self._far_bracket(y)
        return x - 0.5 * self.epsilon + np.log(0.5 * bracket)

    def _growth_far(self, y: Complex) -> Real:
        x, bracket = self._far_bracket(y)
        error = (4 * ELEMENTARY + 8 * UNIT * np.abs(x) * np.exp(-2 * x.real)) * (1 + 0.5 * self.epsilon / np.abs(x))
        exponent = 8 * UNIT * (np.abs(x) + self.epsilon) + ELEMENTARY * np.abs(np.log(0.5 * bracket)) + ELEMENTARY
        growth: Real = exponent + np.log1p(error / np.abs(bracket))
        return growth

    def _excess_error(self, y: Complex) -> Real:
        """The pieces are wrong by some UNIT of their size, and y by 4 UNIT, which moves each along its slope."""
        half = 0.5 * self.epsilon
        sine = np.abs(sinh(0.5 * y))
        square = 4 * sine * sinh_error(0.5 * y) + 8 * UNIT * sine**2
        away = 2 * sinh_error(y) / np.maximum(np.abs(y), 1) + 8 * UNIT
        ratio = np.where(np.abs(y) < 1, 64 * UNIT * np.abs(y) ** 2, away)
        size = 2 * sine**2 + half * np.abs(sinhc_minus_one(y))
        pieces = math.exp(-half) * (square + half * ratio + 4 * ELEMENTARY * size)
        error: Real = pieces + 2 * ELEMENTARY * abs(self._excess_at_centre)
        return error

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """The triangle inequality over the two terms of M, with X = epsilon |c + 1/2| and Y = epsilon t:
        |cosh y|^2 = cosh(X)^2 - sin(Y)^2, and |sinh(y)/y| is at most sinh(X)/X and at most
        sqrt(sinh(X)^2 + sin(Y)^2) / |y|.
        """  # noqa: D205
        X, half = max(self.epsilon * abs(c + 0.5), 1e-12), 0.5 * self.epsilon
        inverse_cosh, tanh = 1 / math.cosh(min(X, 300.0)), math.tanh(X)
        sine = smallest_sine(self.epsilon, start, stop)
        largest = np.minimum(self.epsilon * stop, 1.0)
        hollow = np.sqrt(tanh**2 + (largest * inverse_cosh) ** 2) / np.hypot(X, self.epsilon * start)
        total = np.sqrt(1 - (sine * inverse_cosh) ** 2) + half * np.minimum(hollow, tanh / X)
        bound: Real = np.minimum(np.log(total) - math.log1p(half * tanh / X) + 16 * UNIT, 0.0)
        return bound

    @property
    def loss_range(self) -> tuple[float, float]:
        """Minus epsilon to epsilon."""
        return -self.epsilon, self.epsilon

    @property
    def top(self) -> Top:
        """An atom, and a density below it."""
        return laplace_top(self.epsilon)
