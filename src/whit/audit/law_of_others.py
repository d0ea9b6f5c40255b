"""How many of the others are in a count: their law in whole numbers, exact for few others and bounded for many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby

from whit.errors import TooCostly

MOST_BITS = 2**26
"""The most bits that all the probabilities have together if they are exact."""

MOST_OTHERS = 10**6
"""The most others whose law is bounded."""

SCALE = 2**256
"""What stands for the largest probability where the others are bounded; each bound is off by less than one a step."""


@dataclass(frozen=True)
class LawOfOthers:
    """The law of a whole number, times a constant: below and above, which are the same if it is exact.

    below, above   for each n the sum of the bounds over all numbers less than n
    """

    below: tuple[int, ...]
    above: tuple[int, ...]

    @classmethod
    def of(cls, chances: Sequence[Fraction]) -> LawOfOthers:
        """The law of how many of the others are in the count, from the chance of each."""
        groups = grouped(chances)
        bits = sum(size * chance.denominator.bit_length() for chance, size in groups.items())
        if bits * (len(chances) + 1) <= MOST_BITS:
            weights = [1]
            for chance, size in groups.items():
                weights = _convolved(weights, _binomial(size, chance))
            sums = tuple(accumulate(weights, initial=0))
            return cls(sums, sums)
        known_in, known_out = groups.pop(Fraction(1), 0), groups.pop(Fraction(0), 0)
        if len(groups) > 1:
            rule, way_out = f"must fit {MOST_BITS} bits", "Use fewer others, or one chance for all of them."
            raise TooCostly("the law of others with different chances", rule, f"{bits * len(chances)} bits", way_out)
        sides = [_bounded(size, chance) for chance, size in groups.items()] or [([1], [1])]
        shifted = [[0] * known_in + side + [0] * known_out for side in sides[0]]
        return cls(*(tuple(accumulate(side, initial=0)) for side in shifted))

    @property
    def is_exact(self) -> bool:
        """Whether nothing was rounded."""
        return self.below is self.above

    def between(self, low: int, high: int) -> tuple[int, int]:
        """Both bounds on the probability of the numbers from low to high."""
        first, last = (min(max(end, 0), len(self.below) - 1) for end in (low, high + 1))
        return self.below[last] - self.below[first], self.above[last] - self.above[first]


def grouped(chances: Sequence[Fraction]) -> dict[Fraction, int]:
    """How many others have each chance; the chances are in order."""
    return {chance: sum(1 for _ in same) for chance, same in groupby(chances)}


def _binomial(size: int, chance: Fraction) -> list[int]:
    """The binomial probabilities, times the denominator to the power of the size."""
    inside, outside = chance.numerator, chance.denominator - chance.numerator
    powers = list(accumulate(range(size), lambda power, _: power * outside, initial=1))
    weights, rising, choices = [], 1, 1
    for count in range(size + 1):
        weights.append(choices * rising * powers[size - count])
        rising *= inside
        choices = choices * (size - count) // (count + 1)
    return weights


def _convolved(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """The weights of a sum of two independent numbers."""
    out = [0] * (len(first) + len(second) - 1)
    for at, each in enumerate(first):
        for place, other in enumerate(second):
            out[at + place] += each * other
    return out


def _bounded(size: int, chance: Fraction) -> tuple[list[int], list[int]]:
    """Bounds on the binomial probabilities, times a constant: step by step from the most likely number outwards."""
    inside, outside = chance.numerator, chance.denominator - chance.numerator
    middle = min((size + 1) * inside // chance.denominator, size)
    below, above = [0] * (size + 1), [1] * (size + 1)
    below[middle] = above[middle] = SCALE
    # Probabilities fall from the middle outwards, so that an upper bound of 1 holds for all that follow.
    for count in range(middle + 1, size + 1):
        top, bottom = (size - count + 1) * inside, count * outside
        below[count], above[count] = _times(below[count - 1], above[count - 1], top, bottom)
        if above[count] == 1:
            break
    for count in range(middle - 1, -1, -1):
        top, bottom = (count + 1) * outside, (size - count) * inside
        below[count], above[count] = _times(below[count + 1], above[count + 1], top, bottom)
        if above[count] == 1:
            break
    return below, above


def _times(low: int, high: int, top: int, bottom: int) -> tuple[int, int]:
    """Two bounds times a fraction, the lower one rounded down and the upper one up."""
    return low * top // bottom, -(-high * top // bottom)
