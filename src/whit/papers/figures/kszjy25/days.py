"""Figures 4 and 5: a release a day, each with rho = 0.01, about the same people.

The paper goes from rho to (epsilon, delta) and from there to a tail of the loss. The tail follows from rho itself, and
more closely; and where the noise is known to be Gaussian it is known exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from whit.curves import largest_loss
from whit.guarantees import ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.papers.kszjy25.releases import after_days
from whit.semantics.membership import DifferenceAtAnyPrior, PosteriorFrom, Risk
from whit.telling.plots import Axis, Mark, Panel, Picture, panels

Array = NDArray[np.float64]

FAILURE = 0.01
DAILY = ZeroConcentratedDP(0.01)
NOISE = Gaussian(1 / math.sqrt(2 * 0.01))
PAPER, BY_RHO, KNOWN = "the paper's way", "by rho itself", "Gaussian noise, known"

START = (1, 2, 3, 5, 7, 10, 13, 17, 21, 25, 30, 36, 42, 50, 58, 68, 79, 95, 112, 130)
YEAR = (*START, 150, 175, 202, 246, 290, 326, 365)

BEYOND_99 = {PAPER: 58, BY_RHO: 79, KNOWN: 112}
"""The first day with a posterior above 99 %, by what is known."""

BEYOND_98 = {PAPER: 202, BY_RHO: 246, KNOWN: 326}
"""The first day with a difference above 98 %, by what is known."""


@dataclass(frozen=True)
class Over:
    """A risk over so many days, by what is known of the releases."""

    risk: Risk
    days: tuple[int, ...]

    def by(self, loss_after: Callable[[int], float]) -> Array:
        """The risk after each day, by the largest loss."""
        return self.risk.at(np.array([loss_after(day) for day in self.days]))

    def shown(self, y: Axis, printed: Sequence[int], beyond: Mapping[str, int]) -> list[Panel]:
        """The two panels: the days that the paper names, and those at which each line passes the limit."""
        x = Axis("days", 0.0, float(self.days[-1]))
        found = {PAPER: self.by(_paper), BY_RHO: self.by(_rho), KNOWN: self.by(_known)}
        lines = {name: (self.days, numbers) for name, numbers in found.items()}
        here = [self._mark(found[PAPER], day) for day in printed]
        there = [self._mark(found[name], day) for name, day in beyond.items()]
        left = Panel("as the paper has it", x, y, {PAPER: lines[PAPER]}, here)
        return [left, Panel("what whit adds", x, y, lines, there)]

    def _mark(self, numbers: Array, day: int) -> Mark:
        return Mark(str(day), float(day), float(numbers[self.days.index(day)]))


def _paper(day: int) -> float:
    """From rho by (epsilon, delta), with the best delta each day (erratum 000.4)."""
    return after_days(DAILY, day, FAILURE).stated_epsilon


@cache
def _rho(day: int) -> float:
    """From rho itself."""
    return float(largest_loss(DAILY.times(day), FAILURE, sides=2))


@cache
def _known(day: int) -> float:
    """From Gaussian noise with this rho."""
    return float(largest_loss(NOISE.times(day), FAILURE, sides=2))


def figure_4() -> Picture:
    """The posterior over the days."""
    y = Axis("largest posterior", 0.5, 1.04, percent=True)
    shown = Over(PosteriorFrom(0.5), START).shown(y, (7, 30, 58), BEYOND_99)
    caption = (
        "One release of rho 0.01 a day: the posterior from prior 50 %, but for one chance in a hundred. Left: 7, 30 and"
        " 58 days are marked, the last being the first above 99 %. Right: from rho itself, without (epsilon, delta)"
        " on the way, that day is 79, and 112 where the noise is known to be Gaussian."
    )
    return panels(shown, title="KSZJY25 Figure 4: the posterior after daily releases", caption=caption)


def figure_5() -> Picture:
    """The difference over the days."""
    y = Axis("largest difference", 0.0, 1.08, percent=True)
    shown = Over(DifferenceAtAnyPrior(), YEAR).shown(y, (7, 30, 202), BEYOND_98)
    caption = (
        "One release of rho 0.01 a day: the posterior less the prior at the worst prior, but for one chance in a"
        " hundred. Left: 7, 30 and 202 days are marked, the last being the first above 98 %. Right: from rho itself,"
        " without (epsilon, delta) on the way, that day is 246, and 326 where the noise is known to be Gaussian."
    )
    return panels(shown, title="KSZJY25 Figure 5: the difference after daily releases", caption=caption)
