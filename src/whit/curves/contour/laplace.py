"""The Laplace mechanism: the loss has atoms at both ends and a density in between."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whit.curves.contour.floating import (
    ELEMENTARY,
    TINY,
    UNIT,
    Complex,
    Real,
    log1p,
    log1p_growth,
    sinh,
    sinh_error,
    sinhc_minus_one,
)
from whit.curves.contour.kind import Kind
from whit.curves.contour.randomized_response import PRODUCT_FORM_LIMIT, require_epsilon, smallest_sine


@dataclass(frozen=True)
class LaplaceKind(Kind):
    """Laplace noise whose loss is at most epsilon: M(s) = e^{-epsilon/2} (cosh y + epsilon/2 sinh(y)/y), with
    y = epsilon (s + 1/2).
    """  # noqa: D205

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

    def reverse(self) -> Kind:
        """This kind: it is symmetric."""
        return self
