"""Few cells with discrete Gaussian noise: all sums of their losses, listed.

The variances of a plan are fractions, so the losses of all cells lie on one lattice. Where that has few points the sums
coincide, and a list is quicker and closer than a transform, which does not fade on a coarse lattice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from whit.curves import Array, CutLoss, DiscreteGaussianSum, FinitePair
from whit.numerics import ULP
from whit.plans.exact import root

MOST_POINTS = 2**15
"""A lattice with more points than this is left to the transform."""

LARGEST_LOSS = 400.0
"""So are losses beyond this: their probabilities under one dataset are too small for a double."""

# Noise beyond so many standard deviations is below the smallest double.
_REACH = 40

# Below this a sum of products of doubles does not keep its digits.
_FAINT = 1e-280

Groups = Mapping[Fraction, int]
"""Variances of discrete Gaussian noise, and how many cells that change by 1 have each of them."""


@dataclass(frozen=True)
class LatticeLoss(CutLoss):
    """The loss of cells with discrete Gaussian noise of several variances, by a list of all sums.

    Attributes:
        groups: the variances, each with the number of cells that have it and change by 1.
    """

    theorems: ClassVar[tuple[str, ...]] = ("discrete-gaussian-loss", "losses-add")

    groups: tuple[tuple[Fraction, int], ...]

    @cached_property
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        """The sums without and with what was cut off at both ends, which then counts as an infinite loss."""
        unit = _common([1 / variance for variance, _ in self.groups])
        masses: Array = np.ones(1)
        lowest, error, log_beyond = 0, 0.0, -math.inf
        for variance, cells in self.groups:
            law, step = DiscreteGaussianSum(root(variance), cells), int(1 / variance / unit)
            noise = np.arange(-law.reach - cells, law.reach + 1, dtype=np.float64)
            logs = law.log_masses(noise)
            spaced = np.zeros(step * (len(noise) - 1) + 1)
            spaced[::step] = np.exp(logs)
            masses, lowest = np.convolve(masses, spaced), lowest - step * (law.reach + cells)
            # The double nearest to sigma, the exponential, and a sum of positive products of doubles.
            error += law.mass_error(logs) + ULP * (8 + 8 * float(np.max(np.abs(logs))) + len(masses))
            log_beyond = float(np.logaddexp(log_beyond, law.log_beyond(law.reach)))
        offset = sum((Fraction(cells, 2) / variance for variance, cells in self.groups), Fraction(0))
        losses = float(unit) * (np.arange(len(masses)) + lowest) + float(offset)
        return _listed(np.asarray(losses), masses, error, log_beyond)


def can_be_listed(groups: Groups) -> bool:
    """Whether the sums of losses are few, and not too large.

    >>> can_be_listed({Fraction(16): 4, Fraction(8): 2}), can_be_listed({Fraction(16): 4, Fraction(9999): 2})
    (True, False)
    """
    unit = _common([1 / variance for variance in groups])
    # Of m cells with variance v the loss (2n + m)/2v reaches as far as the sum n of their noise, some sqrt(m v).
    reaches = {v: _REACH * math.sqrt(cells * v) + 1.5 * cells for v, cells in groups.items()}
    points = 2 * sum(reach / float(v * unit) for v, reach in reaches.items())
    largest = sum(reach / float(v) for v, reach in reaches.items())
    return points <= MOST_POINTS and largest <= LARGEST_LOSS


def _listed(losses: Array, masses: Array, error: float, log_beyond: float) -> tuple[FinitePair, FinitePair]:
    """The losses that have a probability, without and with what was cut off.

    Under either dataset both ends together hold at most twice what lies beyond the reach on one side; and what is too
    small for a double is no more than that under one dataset, and e^loss times as much under the other.
    """
    kept = masses > _FAINT
    faint = math.log(_FAINT) + math.log(len(masses)) + float(np.max(np.abs(losses)))
    cut = float(np.logaddexp(log_beyond + math.log(2.0), faint))
    loss_error = float(8 * ULP * np.max(np.abs(losses)))
    logs = np.log(masses[kept])
    below = FinitePair(losses[kept], logs, mass_error=error, loss_error=loss_error)
    return below, FinitePair(losses[kept], logs, cut, cut, error, loss_error)


def _common(steps: list[Fraction]) -> Fraction:
    """The largest fraction of which all are whole multiples."""
    denominator = math.lcm(*(step.denominator for step in steps))
    return Fraction(math.gcd(*(int(step * denominator) for step in steps)), denominator)
