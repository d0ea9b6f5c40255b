"""The tables of the explorer: losses and powers that whit gives, as whole numbers that were rounded up.

A loss is tabulated at equal steps of mu and read by the chord between two of them. As a function of mu each of the
losses is convex (theorem `losses-are-convex-in-mu`), so the chord is never below it. rho is mu^2/2, sigma is 1/mu.

A power is tabulated at unequal steps and read at the next larger mu, which needs no more than that a weaker promise
allows more. The steps are so small that the next power exceeds the last by at most `RISE`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from whit.curves import Promise, ever_loss, largest_loss, mixed_loss
from whit.guarantees import GaussianDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.theory import Basis

FAILURES = (1e-6, 1e-4, 0.001, 0.01, 0.05)
"""The failure probabilities for which there are losses."""

LEVELS = (0.001, 0.01, 0.05, 0.1, 0.2)
"""The false-positive rates for which there are powers."""

LARGEST, STEPS = 8, 160
"""The largest mu, and the number of equal steps up to it. Beyond the largest mu the explorer rules nothing out."""

LOSS_UNIT, POWER_UNIT, MU_UNIT = 100_000, 10_000, 10_000
"""How many units make up 1: of a loss, of a power, and of a mu beside a power."""

RISE = 18
"""The power rises by at most so many units from one entry to the next, unless these are one unit of mu apart."""

HAIR = 1e-3
"""Each loss is raised by this part of a unit first: more than rounding costs when the chord is read."""

BASIS = Basis.of("losses-are-convex-in-mu")
"""Why a chord is an upper bound."""


def make_tables() -> dict[str, Any]:
    """Every table by its name, with the numbers that it was made for."""
    losses = {
        "zcdp": _losses(lambda mu: ZeroConcentratedDP(mu**2 / 2), mixed_loss),
        "gdp": _losses(GaussianDP, mixed_loss),
        "gaussian_end": _losses(lambda mu: Gaussian(1 / mu), largest_loss),
        "gaussian_ever": _losses(lambda mu: Gaussian(1 / mu), ever_loss),
    }
    powers = {
        "zcdp": [_powers(lambda mu: ZeroConcentratedDP(mu**2 / 2), level) for level in LEVELS],
        "gdp": [_powers(GaussianDP, level) for level in LEVELS],
    }
    units = {"loss": LOSS_UNIT, "power": POWER_UNIT, "mu": MU_UNIT}
    made_for = {"failures": list(FAILURES), "levels": list(LEVELS), "largest": LARGEST, "steps": STEPS}
    return {**made_for, "units": units, "losses": losses, "powers": powers}


def _losses(promise_of: Callable[[float], Promise], loss: Callable[..., Any]) -> list[list[int]]:
    """For each failure the losses at equal steps of mu from 0 on, where nothing is lost."""
    mus = [LARGEST * step / STEPS for step in range(1, STEPS + 1)]
    found = np.array([loss(promise_of(mu), np.array(FAILURES)).value for mu in mus])
    return [[0, *(math.ceil(each * LOSS_UNIT + HAIR) for each in column)] for column in found.T]


def _powers(promise_of: Callable[[float], Promise], level: float) -> dict[str, list[int]]:
    """Mus, and a bound on the power at this level that holds up to each of them."""
    known = {0: math.ceil(level * POWER_UNIT)}
    asked = list(range(MU_UNIT // 8, LARGEST * MU_UNIT + 1, MU_UNIT // 8))
    while asked:
        known |= {mu: _units(promise_of(mu / MU_UNIT), level) for mu in asked}
        ends = sorted(known)
        steep = [(a, b) for a, b in pairwise(ends) if 2 * (known[b] - known[a]) > RISE]
        asked = [(a + b) // 2 for a, b in steep if b - a > 1]
    return _thinned(known)


def _units(promise: Promise, level: float) -> int:
    """The power in units, rounded up."""
    return math.ceil(float(promise.power(level)) * POWER_UNIT)


def _thinned(known: dict[int, int]) -> dict[str, list[int]]:
    """The entries that are needed for steps of at most `RISE`, up to the first that rules nothing out."""
    mus, last = [], known[0]
    ends = sorted(known)
    for mu, after in pairwise(ends):
        if known[after] > last + RISE or known[mu] == POWER_UNIT:
            mus.append(mu)
            last = known[mu]
        if known[mu] == POWER_UNIT:
            break
    return {"mu": mus, "power": [known[mu] for mu in mus]}
