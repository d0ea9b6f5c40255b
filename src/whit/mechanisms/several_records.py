"""All records of one person on a Poisson sample, where each is drawn by itself: the change has a binomial law."""

from __future__ import annotations

import math
from fractions import Fraction

from whit.curves import (
    LARGEST_MEAN,
    FinitePair,
    GaussianLoss,
    GaussianMixtureLoss,
    LossDistribution,
    identical,
    sampled,
)
from whit.errors import Incompatible, TooCostly
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import surely_infinite
from whit.numerics import count

# More records of one person than this are not gone through.
MOST_RECORDS = 1024
# A smaller chance counts as this: a double holds it with all digits, and a larger chance of a change tells more.
RAREST = 1e-290

_RECORDS = "Use the number of records that one person has at most, such as 3."


def require_records(records: object, mechanism: Mechanism) -> int:
    """The number of records, if the loss of so many is known for this noise."""
    number = count("records", records, _RECORDS)
    if number > 1 and not isinstance(mechanism, Gaussian):
        way_out = "Use Gaussian noise, or sample people instead of records."
        raise Incompatible("records", "above 1 are known for Gaussian noise only", mechanism, way_out)
    if number > MOST_RECORDS:
        raise TooCostly("records", f"must be at most {MOST_RECORDS}", number, "Cut what one person contributes.")
    return number


def of_several_records(one: LossDistribution, rate: float, records: int) -> LossDistribution:
    """The loss where all records of a person are removed, each of which has been drawn with this chance.

    >>> of_several_records(GaussianLoss(1.0), 0.5, 2)
    GaussianMixtureLoss(means=(0.0, 1.0, 2.0), weights=(0.25, 0.5, 0.25), mixed=True)
    """
    if rate == 0.0 or (isinstance(one, FinitePair) and not one.log_infinity > -math.inf):
        return identical()
    if not isinstance(one, GaussianLoss) or one.mu * records > LARGEST_MEAN:
        # Without noise, or next to none, all that counts is whether any record is drawn.
        return sampled(surely_infinite(), _up(1 - (1 - Fraction(rate)) ** records))
    if rate == 1.0:
        return GaussianLoss(_up(records * Fraction(one.mu)))
    chances = _binomial(rate, records)
    # Of numbers of records that are too rare for a double, only the largest is kept.
    kept = [number for number, chance in enumerate(chances) if chance >= RAREST or number == records]
    means = [_up(number * Fraction(one.mu)) for number in kept]
    return GaussianMixtureLoss(tuple(means), tuple(max(chances[number], RAREST) for number in kept))


def _binomial(rate: float, number: int) -> list[float]:
    """The chances that none, one, ... of so many records are drawn, each rounded once."""
    drawn, all_ways = rate.as_integer_ratio()
    kept = all_ways - drawn
    return [math.comb(number, k) * drawn**k * kept ** (number - k) / all_ways**number for k in range(number + 1)]


def _up(number: Fraction) -> float:
    """The smallest double that is not below the number."""
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else math.nextafter(nearest, math.inf)
