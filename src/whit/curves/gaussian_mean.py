"""The mean of a posterior after Gaussian noise, by a sum over evenly spaced outcomes that errs by next to nothing.

The integrand is analytic in a strip about the real line, so that the trapezoid rule converges exponentially in the
number of its nodes. Every error of it is a share of the mean itself (theorem gaussian-expected-posterior).
"""

from __future__ import annotations

import math

import numpy as np

from whit.numerics import ULP

LARGEST_MU = 16.0
"""Beyond this the nodes are many, and the ratio of the posterior to the smallest prior is no double."""

REACH = 9.0
"""How many standard deviations beyond both means of the pair the nodes go."""

# What the rule and what is cut off may be off by, as shares of the mean: the first is met by the choice of the
# step, the second is sqrt(1 + mu^2/4) times the mass of the normal law beyond the reach, and a node on either side.
_OF_THE_RULE = ULP / 8
_CUT_OFF = ULP


def ratio_bounds(mu: float, prior: float) -> tuple[float, float]:
    """The mean posterior over the prior, from below and above, for a mu of at most LARGEST_MU.

    >>> below, above = ratio_bounds(1.0, 0.5)
    >>> print(f"{below:.10f} {above:.10f}")
    1.2040542656 1.2040542656
    """
    step = _step(mu)
    # The step is a power of two: no node is rounded.
    x = np.arange(-math.ceil(REACH / step), math.ceil((mu + REACH) / step) + 1) * step
    losses = mu * (mu / 2 + x)
    terms = np.exp(-x * x / 2) / (prior + (1.0 - prior) * np.exp(-losses))
    # A loss is rounded to a few units of its two parts, in which mu is allowed four units as everywhere.
    errors = ULP * (32 + x * x + 16 * (mu * mu + mu * np.abs(x)))
    scale = step / math.sqrt(2 * math.pi)
    slack = _OF_THE_RULE + _CUT_OFF + 8 * ULP
    return math.fsum(terms * (1 - errors)) * scale * (1 - slack), math.fsum(terms * (1 + errors)) * scale * (1 + slack)


def _step(mu: float) -> float:
    """The largest power of two up to 1/2 at which the bound on the error of the rule is small enough."""
    step = 0.5
    while _error_of_rule(mu, step) > _OF_THE_RULE:
        step /= 2
    return step


def _error_of_rule(mu: float, step: float) -> float:
    """2 sqrt(2) e^(a^2/2) / (e^(2 pi a / step) - 1) at the best half-width a of the strip, at most pi / 2 mu."""
    half = min(math.pi / (2 * mu), 2 * math.pi / step)
    return 2 * math.sqrt(2) * math.exp(half * half / 2 - 2 * math.pi * half / step) * (1 + 1e-6)
