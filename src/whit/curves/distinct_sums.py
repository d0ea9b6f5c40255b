"""Finite pairs whose losses lie on one lattice: the sums are few however many the releases are, and are all listed.

Of three losses that lie evenly apart, two hundred copies have twenty thousand multisets and 401 different sums. Losses
are counted in steps of the lattice, so that equal sums meet whatever their rounding; what separates a loss from its
place is kept as an error of the loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray

from whit.curves.face import Array
from whit.curves.finite import FinitePair, either, infinity_error_of
from whit.numerics import ULP

# Two lists of half as many sums are put together in a tenth of a second.
MOST_SUMS = 4096
# Losses this close to a lattice, in units of the last place of the largest, lie on it but for rounding.
ROUNDING = 64
# A lattice with more places than this between two losses of a pair is one by chance.
MOST_STEPS = 10_000


@dataclass(frozen=True)
class Lattice:
    """Evenly spaced places, on which the losses of each pair lie from its smallest one on.

    >>> Lattice.of([FinitePair.of([0.5, 0.25, 0.25], [0.25, 0.25, 0.5])]).unit
    0.6931471805599453
    """

    unit: float

    @classmethod
    def of(cls, pairs: Iterable[FinitePair]) -> Lattice | None:
        """The coarsest lattice that all the pairs share; none where they share none but by chance."""
        known = list(pairs)
        gaps = [np.diff(pair.losses) for pair in known]
        error = max((rounding_of(pair) for pair in known), default=0.0)
        unit = 0.0
        for gap in sorted({float(each) for every in gaps for each in every}):
            unit = _common_measure(gap, unit, error)
            if unit <= 0.0 or unit < gap / MOST_STEPS:
                return None
        lattice = cls(unit) if unit > 0 else None
        return lattice if lattice and all(lattice.deviation(pair) <= rounding_of(pair) for pair in known) else None

    def steps(self, pair: FinitePair) -> NDArray[np.int64]:
        """How many places each loss of a pair lies above the smallest."""
        return np.asarray(np.rint((pair.losses - pair.losses[0]) / self.unit), dtype=np.int64)

    def log_masses(self, pair: FinitePair) -> Array:
        """The logs of the masses at consecutive places; minus infinity where the pair has none."""
        steps = self.steps(pair)
        logs = np.full(int(steps[-1]) + 1, -np.inf)
        logs[steps] = pair.log_masses
        return logs

    def deviation(self, pair: FinitePair) -> float:
        """By how much a loss of the pair may lie beside its place, with the rounding of this very calculation."""
        beside = np.abs(pair.losses - pair.losses[0] - self.steps(pair) * self.unit)
        return float(np.max(beside)) + 4 * ULP * float(np.max(np.abs(pair.losses)))


def rounding_of(pair: FinitePair) -> float:
    """How far from a lattice its losses may lie by rounding alone."""
    return 4 * pair.loss_error + ROUNDING * ULP * float(np.max(np.abs(pair.losses), initial=0.0))


def _common_measure(larger: float, smaller: float, error: float) -> float:
    """The largest number that divides both, up to the error: Euclid's algorithm."""
    # Each remainder carries the errors of all quotients before it, of which the last may be as large as MOST_STEPS.
    while smaller > MOST_STEPS * error:
        larger, smaller = smaller, abs(larger - smaller * round(larger / smaller))
    return larger


def few_distinct_sums(pairs: Mapping[FinitePair, int]) -> Lattice | None:
    """The lattice of the pairs, if they have one and so many copies have few different sums on it."""
    if any(len(pair.losses) == 0 for pair in pairs):
        return None
    lattice = Lattice.of(pairs)
    if lattice is None:
        return None
    sums = 1 + sum(int(lattice.steps(pair)[-1]) * copies for pair, copies in pairs.items())
    return lattice if sums <= MOST_SUMS else None


def summed(pairs: Mapping[FinitePair, int], lattice: Lattice) -> FinitePair:
    """The loss of all the pairs together, each taken as often as its count says."""
    parts = (_copies(pair, copies, lattice) for pair, copies in pairs.items())
    return reduce(partial(_together, lattice), parts)


def _copies(pair: FinitePair, copies: int, lattice: Lattice) -> FinitePair:
    """So many independent copies, by doubling."""
    if copies == 1:
        return pair
    half = _copies(pair, copies // 2, lattice)
    whole = _together(lattice, half, half)
    return _together(lattice, whole, pair) if copies % 2 else whole


def _together(lattice: Lattice, first: FinitePair, second: FinitePair) -> FinitePair:
    """The loss of two independent releases, each sum at its place on the lattice."""
    log_masses, rounding = convolved_logs(lattice.log_masses(first), lattice.log_masses(second))
    reached = np.flatnonzero(np.isfinite(log_masses))
    losses = first.losses[0] + second.losses[0] + reached * lattice.unit
    beside = lattice.deviation(first) + lattice.deviation(second) + 4 * ULP * float(np.max(np.abs(losses)))
    return FinitePair(
        losses,
        log_masses[reached],
        either(first.log_infinity, second.log_infinity),
        either(first.log_missing, second.log_missing),
        first.mass_error + second.mass_error + rounding,
        first.loss_error + second.loss_error + beside,
        infinity_error_of(first, second),
    )


def convolved_logs(first: Array, second: Array) -> tuple[Array, float]:
    """Logs of the masses of a sum, given those of its two terms, and a bound on their relative errors.

    Each sum is taken in units of its largest term, so that nothing is too small for a double; only positive terms are
    added. A term is e to a sum of three logs, and each is rounded by at most half a unit of the largest one.
    """
    short, long = (first, second) if len(first) <= len(second) else (second, first)
    size = len(short) + len(long) - 1
    largest = np.full(size, -np.inf)
    for place, log_mass in enumerate(short):
        window = largest[place : place + len(long)]
        np.maximum(window, log_mass + long, out=window)
    scale = np.where(np.isfinite(largest), largest, 0.0)
    totals = np.zeros(size)
    for place, log_mass in enumerate(short):
        if np.isfinite(log_mass):
            span = slice(place, place + len(long))
            with np.errstate(under="ignore"):  # what vanishes beside the largest term is nothing beside the rounding
                totals[span] += np.exp(log_mass + long - scale[span])
    with np.errstate(divide="ignore"):
        logs = np.log(totals) + largest
    finite = np.concatenate([each[np.isfinite(each)] for each in (first, second, logs)])
    return logs, ULP * (8 + len(short) + 4 * float(np.max(np.abs(finite), initial=0.0)))
