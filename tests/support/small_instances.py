"""Instances of a mechanism in a small universe, and the most that some neighbours there are told apart.

The law of each dataset is worked out from the description of the mechanism alone, with far more digits than are needed;
what is claimed of it is lowered by more than its rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

from mpmath import mp, mpf

from whit.mechanisms import Mechanism
from whit.setting import Neighbours
from whit.worlds import ABSENT, Belief, Dataset, Universe, World

DIGITS = 60
# Chances are right to 1e-50 or so; each one is moved by more than that against the claim.
ROUNDING = Fraction(1, 10**40)
# Of outcomes that are rarer than this, too few digits are right for their ratio.
RARE = Fraction(1, 10**20)

Law = Callable[[Dataset], Sequence[Any]]
Cdf = Callable[[Any], Any]


def fraction(value: Any) -> Fraction:
    """The number itself, without rounding."""
    if not isinstance(value, mpf):
        return Fraction(value)
    sign, mantissa, exponent, _ = value._mpf_
    size: Fraction = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -size if sign else size


@dataclass(frozen=True)
class Instance:
    """A mechanism and what it tells of each dataset of a universe.

    everybody   whether it is only about neighbours of which the larger one holds everybody
    """

    mechanism: Mechanism
    universe: Universe
    law: Law
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    everybody: bool = False

    @cached_property
    def world(self) -> World:
        """The universe with the release."""

        def law(dataset: Dataset) -> list[Fraction]:
            with mp.workdps(DIGITS):
                return [max(fraction(each), Fraction(0)) for each in self.law(dataset)]

        return World.releasing(Belief.uniform(self.universe), law)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The places of neighbours, in both orders."""
        datasets = self.universe.datasets
        found = self.universe.neighbours(self.neighbours)
        kept = [(a, b) for a, b in found if not self.everybody or any(ABSENT not in datasets[each] for each in (a, b))]
        return [*kept, *((b, a) for a, b in kept)]

    def delta(self, epsilon: float) -> Fraction:
        """The largest delta between neighbours, or a little less."""
        with mp.workdps(DIGITS):
            ratio = fraction(mp.exp(mpf(epsilon))) * (1 + ROUNDING) ** 2 / (1 - ROUNDING)
        kernel = self.world.exact.kernel
        deltas = (
            sum((max(p - ratio * q, Fraction(0)) for p, q in zip(kernel[a], kernel[b], strict=True)), Fraction(0))
            for a, b in self.pairs
        )
        return max(max(deltas) * (1 - ROUNDING) - ROUNDING, Fraction(0))

    def loss(self) -> float:
        """The log of the largest ratio between the chances of an outcome that comes up, or a little less."""
        kernel = self.world.exact.kernel
        pairs = [(p, q) for a, b in self.pairs for p, q in zip(kernel[a], kernel[b], strict=True) if p > RARE]
        if any(q < ROUNDING for _, q in pairs):
            return math.inf
        ratio = max(p / q for p, q in pairs)
        with mp.workdps(DIGITS):
            return float(mp.log(mpf(ratio.numerator) / ratio.denominator)) * (1 - 2.0**-50)

    def power(self, level: Fraction) -> Fraction:
        """The largest power at a level between neighbours, or a little less."""
        datasets = self.universe.datasets
        powers = (self.world.power(level, null=datasets[a], alternative=datasets[b]) for a, b in self.pairs)
        # The answer of a world is rounded to the nearest double.
        return max(Fraction(float(each)) for each in powers) * (1 - Fraction(1, 2**52))


def present(dataset: Dataset) -> list[Any]:
    """The records that are there."""
    return [each for each in dataset if each is not ABSENT]


def eighths(random: Random, low: float, high: float) -> float:
    """A number of whole eighths, which is a double without rounding."""
    return random.randint(round(8 * low), round(8 * high)) / 8


def grid(low: float, high: float, step: float) -> list[Any]:
    """The ends of bins from low to high."""
    return [mpf(low) + mpf(step) * each for each in range(round((high - low) / step) + 1)]


def binned(cdf: Cdf, mixture: dict[Any, Any], edges: Sequence[Any]) -> list[Any]:
    """In which bin a random centre with noise falls; the first bin and the last one have no end."""
    below = [sum(chance * cdf(edge - centre) for centre, chance in mixture.items()) for edge in edges]
    return [b - a for a, b in zip([mpf(0), *below], [*below, mpf(1)], strict=True)]


def told(value: Any, values: Sequence[Any]) -> list[Any]:
    """The law that is certain of a value."""
    return [int(each == value) for each in values]


def parts(random: Random, number: int, whole: int = 64) -> list[Fraction]:
    """Random chances with a common denominator, all positive, which are doubles without rounding."""
    cuts = sorted(random.sample(range(1, whole), number - 1))
    return [Fraction(b - a, whole) for a, b in zip([0, *cuts], [*cuts, whole], strict=True)]


def bits(ones: Sequence[Any]) -> list[Any]:
    """The law of independent bits by the chance that each is 1."""
    laws = []
    for out in product((0, 1), repeat=len(ones)):
        chance = mpf(1)
        for one, bit in zip(ones, out, strict=True):
            chance *= one if bit else 1 - one
        laws.append(chance)
    return laws
