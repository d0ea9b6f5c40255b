"""The Laplace mechanism on a Poisson sample: P = (1 - q) Lap(0) + q Lap(1) against Q = Lap(0), with loss bound epsilon.

The loss is Z = log(1 - q + q e^l) of the plain loss l = epsilon (2x - 1), x in [0, 1]: under Q it has atoms of mass
1/2 at x = 0 and e^{-epsilon}/2 at x = 1, and the density epsilon e^{-epsilon x}/2 in between. With k = c + 1 the
transform is the mean of e^{(k + it) Z} under Q.

*Quadrature.* Gauss' rule with n nodes errs by at most (64/15) B rho^{-2n} / (1 - rho^{-2}) on [-1, 1] if the
integrand is analytic and below B in the ellipse of parameter rho (Trefethen 2013, Theorem 19.3). On panels of
half-width eta take rho = 4: x moves by at most 17/8 eta along and 15/8 eta across the line. With beta = 15/4 epsilon
eta <= pi/2, as for the subsampled Gaussian, the integrand exceeds its value at the middle of the panel by a factor of
at most exp(epsilon eta (17/8 + 17/4 |k| + 15/4 |t|) + 0.1405 |k| beta^2), which the choice of eta keeps below e^36,
while the middle exceeds the mean over the panel by at most e^15. With n = 40, 4^{-80} = e^{-110.9} leaves an error
below e^-55 of M(c).

*Decay.* With g = density / Z', (log g)' = epsilon ((2k + 2) p - 3) changes sign at most once, since p rises. So one
integration by parts bounds the continuous part by 2 max(g(0) + g(1), g at the extremum) / |t|; the two atoms are
bounded as in randomized response.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from whit.curves.contour.cover import TooManyNodes
from whit.curves.contour.floating import UNIT, Real
from whit.curves.contour.randomized_response import require_epsilon, smallest_sine
from whit.curves.contour.rules import Rule, RuleKind, Tilted
from whit.curves.contour.subsampled_gaussian import LARGE, require_rate

NODES = 40
MOST_PANELS = 4096
QUADRATURE = 1e-20


def small_quadrature_error(t: Real) -> Real:
    """The bound e^-55, with room for the reach of the rule."""
    return np.full_like(t, QUADRATURE)


@dataclass(frozen=True)
class SubsampledLaplaceKind(RuleKind):
    """Someone is removed from a Poisson sample of the given rate; `reverse()` is the adding of someone."""

    epsilon: float
    rate: float

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        require_rate(self.rate)

    def tilted(self, c: float, reach: float) -> Tilted:
        """The rule for the tilt, fine enough for the next power of two above the reach."""
        return _tilted(self, c, 2.0 ** math.ceil(math.log2(reach)) if reach > 0 else 0.0)

    def loss(self, x: Real) -> Real:
        """Z(x); the plain loss is capped where e^l would overflow, and then Z = l + log q."""
        plain = self.epsilon * (2 * x - 1)
        small = np.log1p(self.rate * np.expm1(np.minimum(plain, LARGE)))
        large = plain + math.log(self.rate) + np.log1p((1 - self.rate) / self.rate * np.exp(-np.maximum(plain, 0.0)))
        return np.where(plain < LARGE, small, large)

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
        half = min(0.419, 30 / rate) / self.epsilon
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
        atoms, ratio, decay = _decay(self, c)
        gap = 0.5 * float(self.loss(np.ones(1))[0] - self.loss(np.zeros(1))[0])
        sine = smallest_sine(gap, start, stop)
        bound = np.minimum(atoms * np.sqrt(1 - ratio * sine**2) + decay / np.maximum(start, 1e-300), 1.0)
        near = np.flatnonzero((start < 3 * decay) & (stop - start < 4 * decay))
        if copies > 1 and len(near):
            rule = self.tilted(c, float(stop[near].max()))
            bound[near] = np.minimum(bound[near], rule.modulus_bound(start[near], stop[near]))
        logs: Real = np.log(bound)
        return logs

    def cost(self, reach: float) -> float:
        """A quarter for each node: a sine and a cosine."""
        return 0.25 * NODES * (1 + self.epsilon * (1 + 0.07 * reach))

    @property
    def loss_range(self) -> tuple[float, float]:
        """Of the two atoms."""
        low, high = self.loss(np.array([0.0, 1.0]))
        return float(low), float(high)


@lru_cache(maxsize=1)
def _gauss() -> tuple[Real, Real]:
    y, weights = np.polynomial.legendre.leggauss(NODES)
    return np.asarray(y, dtype=np.float64), np.asarray(weights, dtype=np.float64)


@lru_cache(maxsize=1024)
def _tilted(kind: SubsampledLaplaceKind, c: float, reach: float) -> Tilted:
    return Tilted.of(kind.rule(c, reach), c)


@lru_cache(maxsize=1024)
def _decay(kind: SubsampledLaplaceKind, c: float) -> tuple[float, float, float]:
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
    log_slope = math.log(2 * epsilon * rate) + epsilon * (2 * x - 1) - loss
    g = np.exp(math.log(0.5 * epsilon) - epsilon * x + k * loss - log_slope - log_scale)
    decay = 2 * max(float(g[0] + g[1]), float(g[2])) * (1 + 1e-9)
    return total * (1 + 1e-12), 4 * float(masses.prod()) / total**2 * (1 - 1e-12), decay
