"""The Gaussian mechanism on a Poisson sample: P = (1 - q) N(0, sigma^2) + q N(1, sigma^2) against Q = N(0, sigma^2).

The loss is Z(x) = log(1 - q + q e^{(2x - 1) / 2 sigma^2}), and with k = c + 1 the transform is
M(c + it) = integral of f(x) e^{itZ(x)}, f = phi_sigma e^{kZ}. Everything used about it is proved here.

*Quadrature.* The trapezoid rule with step d errs by at most 2 N / (e^{2 pi a / d} - 1) if the integrand is analytic
in the strip |Im x| < a and its modulus integrates to at most N on every line in it (Trefethen and Weideman 2014,
Theorem 5.1). On the line Im x = beta sigma^2 with beta <= pi/2 the number under the logarithm is w = 1 - q + r e^{i
beta}, r > 0. So |arg w| <= beta, cos(beta/2) |w|_0 <= |w| <= |w|_0 with |w|_0 = 1 - q + r, and |phi_sigma| grows by
e^{beta^2 sigma^2 / 2}. Hence N <= M(c) exp(beta^2 sigma^2 / 2 + |t| beta) cos(beta/2)^{-max(-k, 0)}.

*Cut.* Beyond max(k, 1) and below min(k, 0), log f falls at least as fast as a Gaussian, (log f)' = (-x + k p(x)) /
sigma^2 with p = q e^{...} / w in (0, 1); ten sigma further on, all that is left out is below e^-49 of the whole.

*Decay.* Z rises, so phi(t) = integral of g(z) e^{itz} dz / M(c) with g = f / Z', and one integration by parts gives
|phi(t)| <= TV(g) / (|t| M(c)). Since Z' = p / sigma^2 and p' = p (1 - p) / sigma^2,

    sigma^2 (log g)' = (k + 1) p(x) - (x + 1) .

All its zeros lie between -1 and k. A line meets the sigmoid (k + 1) p at most three times, and only once if the slope
of the sigmoid, at most (k + 1) / 4 sigma^2, is at most 1. So g has at most two maxima, TV(g) <= 4 sup g, or 2 sup g;
between -1 and k the slope of log g is at most |k + 1| / sigma^2, so that a grid bounds sup g.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from whit.curves.contour.cover import TooManyNodes
from whit.curves.contour.floating import UNIT, Real, short_mantissa
from whit.curves.contour.rules import Rule, RuleKind, Tilted
from whit.errors import require

HALF_PI = 0.5 * math.pi
WINDOW = 10.0
MOST_POINTS = 1 << 18
GRID = 4000
# Beyond this exponent Z is the exponent plus log q, to double precision.
LARGE = 600.0


def require_rate(rate: float) -> None:
    """Refuse a sampling rate outside of (0, 1)."""
    require(
        0 < rate < 1,
        name="rate",
        rule="must be in (0, 1)",
        value=rate,
        way_out="At rate 1 use the mechanism itself; at rate 0 nothing is released.",
    )


@dataclass(frozen=True)
class SubsampledGaussianKind(RuleKind):
    """Someone is removed from a Poisson sample of the given rate; `reverse()` is the adding of someone."""

    sigma: float
    rate: float

    def __post_init__(self) -> None:
        require(
            math.isfinite(self.sigma) and self.sigma > 0,
            name="sigma",
            rule="must be a finite number above 0",
            value=self.sigma,
            way_out="It is the noise multiplier: the standard deviation divided by the sensitivity.",
        )
        require_rate(self.rate)

    def tilted(self, c: float, reach: float) -> Tilted:
        """The rule for the tilt, fine enough for the next power of two above the reach."""
        return _tilted(self, c, 2.0 ** math.ceil(math.log2(reach)) if reach > 0 else 0.0)

    def loss(self, x: Real) -> Real:
        """Z(x)."""
        exponent = (x - 0.5) / self.sigma**2
        small = np.log1p(self.rate * np.expm1(np.minimum(exponent, LARGE)))
        large = (
            exponent + math.log(self.rate) + np.log1p((1 - self.rate) / self.rate * np.exp(-np.maximum(exponent, 0.0)))
        )
        return np.where(exponent < LARGE, small, large)

    def log_density(self, x: Real) -> Real:
        """log phi_sigma(x)."""
        return -0.5 * (x / self.sigma) ** 2 - math.log(self.sigma * math.sqrt(2 * math.pi))

    def rule(self, c: float, reach: float) -> Rule:
        """The trapezoid rule at tilt c for |t| <= reach, with its error."""
        step = self._step(c, reach)
        x = self._points(c, step)
        losses = self.loss(x)
        log_masses = self.log_density(x) + losses + math.log(step)
        exponents = log_masses + c * losses
        keep = (exponents > exponents.max() - 90) | (log_masses > log_masses.max() - 90)
        slack = 1 + np.abs(x - 0.5) / self.sigma**2
        loss_error = 8 * UNIT * (4 + slack) * np.abs(losses) / (1 - self.rate)
        mass_error = 8 * UNIT * (4 + 0.5 * (x / self.sigma) ** 2 + np.abs(log_masses)) + loss_error
        parts = (losses[keep], log_masses[keep], 0.0, loss_error[keep], mass_error[keep])
        return Rule(*parts, quadrature_error=_QuadratureError(self.sigma, c + 1, step))

    def _step(self, c: float, reach: float) -> float:
        """A step whose quadrature error is below e^-40 at beta = pi/2."""
        depth = 42 + 0.5 * (HALF_PI * self.sigma) ** 2 + HALF_PI * reach + 0.35 * max(-(c + 1), 0.0)
        return short_mantissa(2 * math.pi * HALF_PI * self.sigma**2 / depth)

    def _points(self, c: float, step: float) -> Real:
        """Multiples of the step over the window, each an exact double."""
        k = c + 1
        low = math.floor((min(k, 0.0) - WINDOW * self.sigma) / step)
        high = math.ceil((max(k, 1.0) + WINDOW * self.sigma) / step)
        if high - low > MOST_POINTS:
            raise TooManyNodes(high - low)
        return step * np.arange(low, high + 1, dtype=np.float64)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """By the decay TV(g) / |t| far out, and by the modulus at the middle of each interval before that."""
        decay = _decay(self, c)
        bound = np.minimum(decay / np.maximum(start, 1e-300), 1.0)
        near = np.flatnonzero((start < 3 * decay) & (stop - start < 4 * decay))
        if copies > 1 and len(near):
            rule = self.tilted(c, float(stop[near].max()))
            bound[near] = np.minimum(bound[near], rule.modulus_bound(start[near], stop[near]))
        logs: Real = np.log(bound)
        return logs

    def cost(self, reach: float) -> float:
        """A quarter for each point of the window: a sine and a cosine."""
        return 5 * self.sigma / self._step(0.0, reach)

    @property
    def loss_range(self) -> tuple[float, float]:
        """From log(1 - q) upwards."""
        return math.log1p(-self.rate), math.inf


@dataclass(frozen=True)
class _QuadratureError:
    """The bound of the trapezoid rule, relative to M(c), at the best of some lines; and that of what is cut off.

    The sum left of the window is at most f(low) sigma/10 <= f(m) e^-50 sigma/10 with m = min(k, 0), while M(c) is at
    least 0.63 f(m) sigma^2 / (2|k| + sigma), since |(log f)'| <= (2|k| + sigma) / sigma^2 within sigma of m; likewise
    on the right.
    """

    sigma: float
    k: float
    step: float

    def __call__(self, t: Real) -> Real:
        beta = HALF_PI * np.arange(1, 9)[:, None] / 8
        exponent = 0.5 * (beta * self.sigma) ** 2 + np.abs(t) * beta - max(-self.k, 0.0) * np.log(np.cos(0.5 * beta))
        exponent = exponent - 2 * math.pi * beta * self.sigma**2 / self.step
        cut = 1e-22 * (1 + 2 * (abs(self.k) + 1) / self.sigma)
        error: Real = 4 * np.exp(np.minimum(exponent.min(axis=0), 0.0)) + cut
        return error


@lru_cache(maxsize=1024)
def _tilted(kind: SubsampledGaussianKind, c: float, reach: float) -> Tilted:
    return Tilted.of(kind.rule(c, reach), c)


@lru_cache(maxsize=1024)
def _decay(kind: SubsampledGaussianKind, c: float) -> float:
    """TV(g) / M(c), so that |phi(t)| is at most this divided by |t|."""
    k, variance = c + 1, kind.sigma**2
    x = np.linspace(min(-1.0, k), max(-1.0, k), GRID + 1)
    loss = kind.loss(x)
    # Z' = p / sigma^2, and p = q e^{exponent} / w = e^{log q + exponent - Z}
    log_slope = math.log(kind.rate) + (x - 0.5) / variance - loss - math.log(variance)
    log_g = kind.log_density(x) + k * loss - log_slope
    margin = (k + 1) ** 2 / (2 * GRID * variance)
    maxima = 1 if k + 1 <= 4 * variance else 2
    log_sup = float(log_g.max()) + margin - kind.tilted(c, 0.0).log_scale
    return 2 * maxima * math.exp(min(log_sup, 600.0)) * (1 + 1e-9)
