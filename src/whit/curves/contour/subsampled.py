"""Gaussian and Laplace noise on a Poisson sample: P = (1 - q) N(0) + q N(1) against Q = N(0).

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

*Doubling.* 1 - cos 2y <= 4 (1 - cos y), and |phi|^2 is a mean of cosines: 1 - |phi(2t)|^2 <= 4 (1 - |phi(t)|^2). What
|phi| has lost at 2^n t it has lost at t, up to a factor: with the decay d, and d < 2^n |t|,

    |phi(t)|^2 <= 1 - 4^-n (1 - (d / 2^n t)^2) ,

which falls in |t|, and at the best n is about 1 - t^2 / 4 d^2.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from whit.curves.contour.bounded import require_epsilon, smallest_sine
from whit.curves.contour.composition import TooManyNodes
from whit.curves.contour.floating import UNIT, Real, short_mantissa
from whit.curves.contour.rules import EXPONENT_LIMIT, FAR_BELOW_ONE, Rule, RuleKind, Tilted, by_value
from whit.errors import TooCostly, require
from whit.numerics import finite_positive

HALF_PI = 0.5 * math.pi
WINDOW = 10.0
MOST_POINTS = 1 << 18
GRID = 4000
# So many tilts or more are summed together, if no two of them are further apart than so many sigma.
FEW_TILTS = 3
TOGETHER = 4 * WINDOW
# Beyond this exponent e^l - 1 is e^l, to double precision and far more.
LARGE = 600.0
# What all copies together leave of this log, or less, no answer can show: no closer bound is worth its nodes.
GONE = -300.0
# A modulus is looked at from no further than so many decays, and amid no wider an interval than so many.
NEAR, WIDE = 3.0, 4.0
# With a larger decay / t than this, the same at 2^n t says nothing that a double could hold.
NO_GAIN = 1e7
# Beyond these the square of sigma is no double any more.
SMALLEST_NOISE, LARGEST_NOISE = 1e-150, 1e150


def require_rate(rate: float) -> None:
    """Refuse a sampling rate outside of (0, 1)."""
    way_out = "At rate 1 use the mechanism itself; at rate 0 nothing is released."
    require(0 < rate < 1, name="rate", rule="must be in (0, 1)", value=rate, way_out=way_out)


def require_usual(sigma: float) -> None:
    """Refuse noise whose square is no double."""
    if not SMALLEST_NOISE <= sigma <= LARGEST_NOISE:
        rule = f"must be from {SMALLEST_NOISE:.0e} to {LARGEST_NOISE:.0e} times what one record changes, if composed"
        raise TooCostly("noise on a sample", rule, sigma, "Use noise of a usual size, such as 1.")


class SampledKind(RuleKind):
    """Noise on a Poisson sample of the given rate, from which someone is removed; `reverse()` is the adding of someone.

    It is hashable, so that a rule is made once for each tilt and reach.
    """

    rate: float

    @abstractmethod
    def rule(self, c: float, reach: float) -> Rule:
        """The rule at tilt c, good for |t| <= reach."""

    def tilted(self, c: float, reach: float) -> Tilted:
        """The rule for the tilt, fine enough for the next power of two above the reach."""
        return _tilted(self, c, 2.0 ** math.ceil(math.log2(reach)) if reach > 0 else 0.0)

    def _sampled(self, plain: Real) -> Real:
        """The loss log(1 - q + q e^l) for each plain loss l; where e^l would overflow, log(1 + e^{l + log q})."""
        small = np.log1p(self.rate * np.expm1(np.minimum(plain, LARGE)))
        # A sum of l, log q and a third part would cancel where q e^l is small all the same.
        large = np.logaddexp(0.0, np.maximum(plain, LARGE) + math.log(self.rate))
        return np.where(plain < LARGE, small, large)

    def _log_sharpened(self, logs: Real, decay: float, c: float, start: Real, stop: Real, copies: int) -> Real:
        """Log of the bound, by the modulus at the middle of each interval where the decay says little."""
        near = np.flatnonzero((start < NEAR * decay) & (stop - start < WIDE * decay) & (logs > GONE / copies))
        if copies > 1 and len(near):
            rule = self.tilted(c, float(stop[near].max()))
            logs[near] = np.minimum(logs[near], np.log(rule.modulus_bound(start[near], stop[near])))
        return logs


@lru_cache(maxsize=2048)
def _tilted(kind: SampledKind, c: float, reach: float) -> Tilted:
    return Tilted.of(kind.rule(c, reach), c)


class RandomChangeKind(SampledKind):
    """Gaussian noise of this sigma, where the change is random and at most 1: all that is used of its law is below.

    The mean of the change, given the outcome, lies between 0 and 1 and rises with the outcome: p(x) above.
    """

    sigma: float

    @abstractmethod
    def loss(self, x: Real) -> Real:
        """Z(x)."""

    @abstractmethod
    def loss_error(self, x: Real, losses: Real) -> Real:
        """A bound on the rounding of the losses."""

    @abstractmethod
    def decay(self, c: float) -> float:
        """TV(g) / M(c), so that |phi(t)| is at most this divided by |t|."""

    def log_density(self, x: Real) -> Real:
        """log phi_sigma(x)."""
        return -0.5 * (x / self.sigma) ** 2 - math.log(self.sigma * math.sqrt(2 * math.pi))

    def log_law(self, x: Real, losses: Real) -> Real:
        """Log of the density of P at x, where these are the losses."""
        return self.log_density(x) + losses

    def exponents(self, c: float) -> tuple[float, ...]:
        """The powers to which f has what is under each logarithm of Z: k alone where there is one."""
        return (c + 1,)

    def between(self, c: float) -> tuple[float, float]:
        """Left of the one f rises and right of the other it falls, each at least like a Gaussian from there on."""
        return min(c + 1, 0.0), max(c + 1, 0.0)

    def rule(self, c: float, reach: float) -> Rule:
        """The trapezoid rule at tilt c for |t| <= reach, with its error."""
        step = self._step(c, reach)
        x = self._points(c, c, step)
        losses = self.loss(x)
        log_masses = self.log_law(x, losses) + math.log(step)
        exponents = log_masses + c * losses
        keep = (exponents > exponents.max() - 90) | (log_masses > log_masses.max() - 90)
        loss_error = self.loss_error(x, losses)
        mass_error = 8 * UNIT * (4 + 0.5 * (x / self.sigma) ** 2 + np.abs(log_masses)) + loss_error
        parts = (losses[keep], log_masses[keep], 0.0, loss_error[keep], mass_error[keep])
        return Rule(*parts, quadrature_error=_QuadratureError(self.sigma, self.exponents(c), step))

    def _step(self, c: float, reach: float) -> float:
        """A step whose quadrature error is below e^-40 at beta = pi/2."""
        require_usual(self.sigma)
        powers = self.exponents(c)
        depth = 42 + 0.5 * (HALF_PI * self.sigma) ** 2 + len(powers) * HALF_PI * reach + 0.35 * _below(powers)
        return short_mantissa(2 * math.pi * HALF_PI * self.sigma**2 / depth)

    def _points(self, lowest: float, highest: float, step: float) -> Real:
        """Multiples of the step over the window of all tilts between these two, each an exact double."""
        left, right = self.between(lowest)[0], max(self.between(highest)[1], 1.0)
        low = math.floor((left - WINDOW * self.sigma) / step)
        high = math.ceil((right + WINDOW * self.sigma) / step)
        if high - low > MOST_POINTS:
            raise TooManyNodes(high - low)
        return step * np.arange(low, high + 1, dtype=np.float64)

    def log_mgf_real(self, c: Real) -> Real:
        """Many tilts at once, those near each other by one rule with the window of them all."""
        if c.size < FEW_TILTS:
            return super().log_mgf_real(c)
        result = np.empty(c.shape)
        for _, index in by_value(np.floor(c / (TOGETHER * self.sigma))):
            result[index] = self._near_each_other(c[index])
        return result

    def _near_each_other(self, c: Real) -> Real:
        """log M at tilts that share a rule: by sum p expm1(cz), where that neither overflows nor cancels."""
        lowest, highest = float(c.min()), float(c.max())
        step = min(self._step(lowest, 0.0), self._step(highest, 0.0))
        x = self._points(lowest, highest, step)
        losses = self.loss(x)
        log_masses = self.log_law(x, losses) + math.log(step)
        exponents = np.multiply.outer(c, losses)
        shifted = exponents + log_masses
        top = shifted.max(axis=1)
        logs = top + np.log(np.exp(shifted - top[:, None]).sum(axis=1))
        near = np.flatnonzero((exponents.max(axis=1) <= EXPONENT_LIMIT) & (logs >= FAR_BELOW_ONE))
        logs[near] = np.log1p(np.expm1(exponents[near]) @ np.exp(log_masses))
        return np.asarray(logs, dtype=np.float64)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """By the decay TV(g) / |t| far out, by doubling before that, and by the modulus amid each interval."""
        decay = self.decay(c)
        return self._log_sharpened(log_by_decay(decay, start), decay, c, start, stop, copies)

    def cost(self, reach: float) -> float:
        """A quarter for each point of the window: a sine and a cosine."""
        return 5 * self.sigma / self._step(0.0, reach)

    def dear_until(self, c: float) -> float:
        """As far as a modulus is looked at."""
        return (NEAR + WIDE) * self.decay(c)


@dataclass(frozen=True)
class SubsampledGaussianKind(RandomChangeKind):
    """Gaussian noise on a Poisson sample; sigma is the noise multiplier."""

    sigma: float
    rate: float

    def __post_init__(self) -> None:
        way_out = "It is the noise multiplier: the standard deviation divided by the sensitivity."
        finite_positive("sigma", self.sigma, way_out)
        require_rate(self.rate)

    def loss(self, x: Real) -> Real:
        """Z(x)."""
        return self._sampled((x - 0.5) / self.sigma**2)

    def loss_error(self, x: Real, losses: Real) -> Real:
        """A few units of each part; next to log(1 - q) the parts cancel."""
        slack = 1 + np.abs(x - 0.5) / self.sigma**2
        return 8 * UNIT * (4 + slack) * np.abs(losses) / (1 - self.rate)

    def decay(self, c: float) -> float:
        """As derived above."""
        return _decay(self, c)

    @property
    def loss_range(self) -> tuple[float, float]:
        """From log(1 - q) upwards."""
        return math.log1p(-self.rate) * (1 + 32 * UNIT), math.inf


@dataclass(frozen=True)
class _QuadratureError:
    """The bound of the trapezoid rule, relative to M(c), at the best of some lines; and that of what is cut off.

    The sum left of the window is at most f(low) sigma/10 <= f(m) e^-50 sigma/10 with m = min(k, 0), while M(c) is at
    least 0.63 f(m) sigma^2 / (2|k| + sigma), since |(log f)'| <= (2|k| + sigma) / sigma^2 within sigma of m; likewise
    on the right. Where f has several powers, |k| is the sum of their sizes, and m what is left of all its modes.
    """

    sigma: float
    powers: tuple[float, ...]
    step: float

    def __call__(self, t: Real) -> Real:
        beta = HALF_PI * np.arange(1, 9)[:, None] / 8
        turned = len(self.powers) * np.abs(t) * beta
        exponent = 0.5 * (beta * self.sigma) ** 2 + turned - _below(self.powers) * np.log(np.cos(0.5 * beta))
        exponent = exponent - 2 * math.pi * beta * self.sigma**2 / self.step
        cut = 1e-22 * (1 + 2 * (sum(map(abs, self.powers)) + 1) / self.sigma)
        error: Real = 4 * np.exp(np.minimum(exponent.min(axis=0), 0.0)) + cut
        return error


def _below(powers: tuple[float, ...]) -> float:
    """By how much powers are below 0, all together."""
    return sum(max(-power, 0.0) for power in powers)


def log_by_decay(decay: float, start: Real) -> Real:
    """A bound on log |phi(t)| for all t from each start on: by decay / t, and by the same at 2^n t."""
    share = decay / np.maximum(start, 1e-300)
    before = np.clip(share, 1.0, NO_GAIN)
    doublings = np.floor(np.log2(before))
    # The best number of doublings is log2 of the share and a half, which need not be whole.
    parts = [0.25 ** (doublings + more) for more in (0.0, 1.0, 2.0)]
    gain = np.max([part * (1 - before**2 * part - 1e-9) for part in parts], axis=0)
    lost = np.where(before < NO_GAIN, np.clip(gain, 0.0, 1.0), 0.0)
    return np.asarray(np.minimum(np.log(np.minimum(share, 1.0)), 0.5 * np.log1p(-lost * (1 - 1e-9))))


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


NODES = 40
MOST_PANELS = 4096
QUADRATURE = 1e-20


def small_quadrature_error(t: Real) -> Real:
    """The bound e^-55, with room for the reach of the rule."""
    return np.full_like(t, QUADRATURE)


@dataclass(frozen=True)
class SubsampledLaplaceKind(SampledKind):
    """Laplace noise on a Poisson sample; epsilon is the largest loss without sampling."""

    epsilon: float
    rate: float

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        require_rate(self.rate)

    def loss(self, x: Real) -> Real:
        """Z(x)."""
        return self._sampled(self.epsilon * (2 * x - 1))

    def rule(self, c: float, reach: float) -> Rule:
        """The two atoms, and Gauss' rule on panels in between."""
        x, log_weights = self._nodes(c, reach)
        x, log_weights = np.append(x, [0.0, 1.0]), np.append(log_weights, [math.log(0.5), math.log(0.5)])
        losses = self.loss(x)
        log_masses = log_weights - self.epsilon * x + losses
        slack = 8 * UNIT * (4 + np.abs(self.epsilon * (2 * x - 1)))
        loss_error = (slack * np.abs(losses) + 8 * UNIT * self.epsilon) / (1 - self.rate)
        mass_error = 64 * UNIT + 4 * UNIT * (self.epsilon + np.abs(log_masses)) + loss_error
        return Rule(losses, log_masses, 0.0, loss_error, mass_error, small_quadrature_error)

    def _nodes(self, c: float, reach: float) -> tuple[Real, Real]:
        """Nodes in (0, 1) and the logarithms of their weights under the density of Q without e^{-epsilon x}."""
        rate = 2.125 + 4.25 * abs(c + 1) + 3.75 * reach
        half = min(2 * math.pi / 15, 30 / rate) / self.epsilon
        panels = max(1, math.ceil(0.5 / half))
        if panels > MOST_PANELS:
            raise TooManyNodes(panels * NODES)
        y, weights = _gauss()
        half = 0.5 / panels
        centres = half * (2 * np.arange(panels) + 1)
        x = (centres[:, None] + half * y).ravel()
        return x, np.tile(np.log(weights), panels) + math.log(0.5 * self.epsilon * half)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """By the atoms and the decay of the rest far out, and by the middle of each interval before that."""
        atoms, ratio, decay = _laplace_decay(self, c)
        gap = 0.5 * float(self.loss(np.ones(1))[0] - self.loss(np.zeros(1))[0])
        sine = smallest_sine(gap, start, stop)
        bound = np.minimum(atoms * np.sqrt(1 - ratio * sine**2) + decay / np.maximum(start, 1e-300), 1.0)
        return self._log_sharpened(np.log(bound), decay, c, start, stop, copies)

    def cost(self, reach: float) -> float:
        """A quarter for each node: a sine and a cosine."""
        return 0.25 * NODES * (1 + self.epsilon * (1 + 0.07 * reach))

    @property
    def loss_range(self) -> tuple[float, float]:
        """The two atoms, rounded outwards: the lower one is the log of a difference from 1, which cancels."""
        low, high = map(float, self.loss(np.array([0.0, 1.0])))
        return low * (1 + 32 * UNIT * math.exp(-low)), high * (1 + 32 * UNIT)


@lru_cache(maxsize=1)
def _gauss() -> tuple[Real, Real]:
    y, weights = np.polynomial.legendre.leggauss(NODES)
    return np.asarray(y, dtype=np.float64), np.asarray(weights, dtype=np.float64)


@lru_cache(maxsize=1024)
def _laplace_decay(kind: SubsampledLaplaceKind, c: float) -> tuple[float, float, float]:
    """The tilted mass of both atoms, 4 a b / (a + b)^2 of the two, and the decay constant of the rest."""
    k, epsilon, rate = c + 1, kind.epsilon, kind.rate
    log_scale = kind.tilted(c, 0.0).log_scale
    ends = np.array([0.0, 1.0])
    masses = np.exp(math.log(0.5) - epsilon * ends + k * kind.loss(ends) - log_scale)
    total = float(masses.sum())
    wanted = 3 / (2 * k + 2) if k > 0.5 else 1.0
    # p = q e^l / (1 - q + q e^l) takes the wanted value at l = log(wanted (1 - q) / (q (1 - wanted)))
    extremum = 1.0 if wanted >= 1 else 0.5 + 0.5 * math.log(wanted * (1 - rate) / (rate * (1 - wanted))) / epsilon
    x = np.append(ends, min(max(extremum, 0.0), 1.0))
    loss = kind.loss(x)
    log_slope = math.log(2) + math.log(epsilon) + math.log(rate) + epsilon * (2 * x - 1) - loss
    g = np.exp(math.log(0.5 * epsilon) - epsilon * x + k * loss - log_slope - log_scale)
    decay = 2 * max(float(g[0] + g[1]), float(g[2])) * (1 + 1e-9)
    return total * (1 + 1e-12), 4 * float(masses.prod()) / total**2 * (1 - 1e-12), decay
