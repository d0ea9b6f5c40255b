"""Analysts who choose Gaussian noise on the way, by simulation, against what holds at every moment and at the end.

Each analyst spends a total of mu^2 on releases whose size depends on the loss so far, and watches whether the loss ever
reaches an aim. By Chernoff's bound a rate of x in n draws with a chance of at most p < x has a probability of at most
e^{-n KL(x, p)}; over all comparisons the alarm is set off by chance with probability at most FALSE_ALARM. The same
check, with the bound at the end in the place of that at every moment, finds analysts who break it: it has the power to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import mpmath
import numpy as np
import pytest

from whit.curves import EverGaussianLoss
from whit.mechanisms import Gaussian

FALSE_ALARM = 1e-6
DRAWS, STEPS = 60_000, 50
CASES = [(0.14, 1.0), (1.0, 2.0), (5.26, 5.0)]

Array = np.ndarray


class Now(NamedTuple):
    """The share of the budget that is left, how far the loss is to its aim, and how many steps are left."""

    left: Array
    at: Array
    steps: int


Share = Callable[[Now], Array]
"""What to spend of the share that is left."""

ANALYSTS: dict[str, Share] = {
    "evenly": lambda now: np.full_like(now.left, 1 / now.steps),
    "all at once": lambda now: np.ones_like(now.left),
    "half and half again": lambda now: np.full_like(now.left, 0.5),
    "a tenth of what is left": lambda now: np.full_like(now.left, 0.1),
    "evenly, and stops half way": lambda now: np.where(now.at >= 0.5, 0.0, 1 / now.steps),
    "evenly, and stops when behind": lambda now: np.where(now.at < -0.5, 0.0, 1 / now.steps),
    "bold while behind": lambda now: np.where(now.at < 0.5, 0.5, 1 / now.steps),
    "bold while ahead": lambda now: np.where(now.at > 0.0, 0.5, 1 / now.steps),
    "bold when far behind": lambda now: np.where(now.at < -0.5, 1.0, 1 / now.steps),
    "bold when near": lambda now: np.where(now.at > 0.7, 1.0, 1 / now.steps),
    "careful when near": lambda now: np.where(now.at > 0.7, 0.3 / now.steps, 1 / now.steps),
    "more the further it is": lambda now: np.clip(1 - now.at, 0.02, 1.0) / 5,
    "more the nearer it is": lambda now: np.clip(now.at, 0.02, 1.0) / 5,
    "all of it at a loss": lambda now: np.where(now.at < 0.0, 1.0, 0.05),
    "all of it at a gain": lambda now: np.where(now.at > 0.25, 1.0, 0.05),
    "slowly at first": lambda now: np.where(now.left > 0.5, 0.5 / now.steps, 2 / now.steps).clip(0, 1),
    "slowly at last": lambda now: np.where(now.left > 0.5, 0.2, 0.5 / now.steps),
    "by turns": lambda now: np.full_like(now.left, 0.3 if now.steps % 2 else 0.01),
    "in two halves": lambda now: np.full_like(now.left, 0.5 if now.steps == STEPS else 1 / now.steps),
    "as the square of what is missing": lambda now: np.clip((1 - now.at) ** 2, 0.0, 1.0) / 3,
    "by the last digit of the loss": lambda now: np.where(np.floor(now.at * 1000) % 2 == 0, 0.2, 0.02),
}


def often(square: float, aim: float, share: Share, seed: int) -> float:
    """How often the loss ever reaches the aim: a release of size m adds a normal loss of mean m/2 and variance m."""
    rng, loss, spent = np.random.default_rng(seed), np.zeros(DRAWS), np.zeros(DRAWS)
    reached = np.zeros(DRAWS, dtype=bool)
    for steps in range(STEPS, 0, -1):
        left = np.maximum(1 - spent / square, 0.0)
        size = np.where(reached, 0.0, np.clip(share(Now(left, loss / aim, steps)), 0.0, 1.0) * left * square)
        loss, spent = loss + rng.normal(size / 2, np.sqrt(size)), spent + size
        reached |= loss >= aim
    assert spent.max() <= square * (1 + 1e-12)
    return float(reached.mean())


@cache
def rates(square: float, aim: float) -> dict[str, float]:
    return {name: often(square, aim, share, seed) for seed, (name, share) in enumerate(ANALYSTS.items())}


def alarms(square: float, aim: float, bound: float) -> list[str]:
    """The analysts who reach the aim more often than the bound, beyond chance."""
    limit = math.log(len(ANALYSTS) * len(CASES) / FALSE_ALARM)
    found = rates(square, aim).items()
    return [name for name, rate in found if rate > bound and DRAWS * divergence(rate, bound) > limit]


def divergence(x: float, p: float) -> float:
    """KL between coins of probability x and p."""
    parts = ((a, b) for a, b in ((x, p), (1 - x, 1 - p)) if a > 0)
    return sum(a * math.log(a / b) for a, b in parts)


def test_there_are_twenty_analysts_and_more():
    assert len(ANALYSTS) > 20


@pytest.mark.parametrize(("square", "aim"), CASES)
def test_no_analyst_exceeds_what_holds_at_every_moment(square, aim):
    bound = float(EverGaussianLoss(math.sqrt(square)).log_tail(aim).exp().upper)
    mu = mpmath.sqrt(mpmath.mpf(square))
    formula = mpmath.ncdf(mu / 2 - aim / mu) + mpmath.exp(aim) * mpmath.ncdf(-mu / 2 - aim / mu)
    assert bound == pytest.approx(float(formula), rel=1e-12)
    assert alarms(square, aim, bound) == []


@pytest.mark.parametrize(("square", "aim"), CASES)
def test_some_analysts_break_what_holds_at_the_end(square, aim):
    """So the difference is real, and the check would have found a bound that is too small by as much."""
    end = float(Gaussian(1 / math.sqrt(square)).tail(aim).upper)
    found = alarms(square, aim, end)
    assert "evenly" in found
    assert "all at once" not in found
    assert len(found) >= 5
