"""Random small instances of samples of the records, published or with noise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

from drawn_noise import BOTH, gaussian_cdf, geometric_cdf
from mpmath import mpf
from small_instances import Instance, binned, eighths, grid, present, told

from whit.mechanisms import (
    Gaussian,
    Geometric,
    Mechanism,
    PoissonSubsampled,
    SampledWithoutReplacement,
    SimpleRandomSample,
    TruncatedPoissonSample,
)
from whit.setting import Neighbours, Sensitivity
from whit.worlds import Dataset, Universe


def noisy_sum(epsilon: float, totals: Counter[int]) -> list[Any]:
    """A random whole number, given how often it comes up, with geometric noise that is cut at some distance."""
    whole = sum(totals.values())
    chances = {mpf(total): mpf(many) / whole for total, many in totals.items()}
    return binned(geometric_cdf(epsilon), chances, grid(-8.5, 8.5, 1))


def both_ways(random: Random) -> tuple[float, Geometric]:
    epsilon = eighths(random, 0.25, 1.5)
    return epsilon, Geometric(epsilon, sensitivity=Sensitivity(add_remove=1, replace=2))


def samples(values: Sequence[int], sixteenths: int, largest: int | None = None) -> Counter[int]:
    """How often each sum comes up, where each record is drawn so many times in sixteen; at most some are kept."""
    totals: Counter[int] = Counter()
    for drawn in product((False, True), repeat=len(values)):
        often = math.prod(sixteenths if each else 16 - sixteenths for each in drawn)
        chosen = [value for value, each in zip(values, drawn, strict=True) if each]
        few = largest is None or len(chosen) <= largest
        cuts = [tuple(chosen)] if few else list(combinations(chosen, largest or 0))
        for kept in cuts:
            # All numbers of subsets of up to four records divide this.
            totals[sum(kept)] += often * 12 // len(cuts)
    return totals


def poisson(random: Random) -> Instance:
    """Geometric noise on a Poisson sample of people."""
    if random.random() < 0.25:
        return several_records(random)
    epsilon, noise = both_ways(random)
    rate = random.randint(1, 15)
    law = lambda dataset: noisy_sum(epsilon, samples(present(dataset), rate))  # noqa: E731
    universe = Universe(random.randint(1, 2), (-1, 1))
    return Instance(PoissonSubsampled(noise, rate / 16), universe, law, random.choice(BOTH))


def several_records(random: Random) -> Instance:
    """Gaussian noise on a Poisson sample of records, of which each person has two."""
    sigma, rate = eighths(random, 0.5, 2), random.randint(1, 15)
    edges = grid(-6 * sigma, 4 + 6 * sigma, sigma / 8)

    def law(dataset: Dataset) -> list[Any]:
        totals = samples([1] * (2 * len(present(dataset))), rate)
        whole = totals.total()
        return binned(gaussian_cdf(sigma), {mpf(at): mpf(many) / whole for at, many in totals.items()}, edges)

    return Instance(PoissonSubsampled(Gaussian(sigma), rate / 16, 2), Universe(random.randint(1, 2), (1,)), law)


def truncated(random: Random) -> Instance:
    """That a sample is cut hides people, so that how many there are must be known."""
    epsilon, noise = both_ways(random)
    rate, people = random.randint(2, 14), random.randint(2, 4)
    largest = random.randint(1, people - 1)
    mechanism = TruncatedPoissonSample(noise, rate / 16, largest=largest, population=people)
    law = lambda dataset: noisy_sum(epsilon, samples(present(dataset), rate, largest))  # noqa: E731
    return Instance(mechanism, Universe(people, (-1, 1)), law, random.choice(BOTH), everybody=True)


def fixed_size(random: Random) -> Instance:
    epsilon, noise = both_ways(random)
    people = random.randint(2, 4)
    size = random.randint(1, people - 1)
    mechanism = SampledWithoutReplacement(noise, size=size, population=people)
    law = lambda dataset: noisy_sum(epsilon, Counter(map(sum, combinations(dataset, size))))  # noqa: E731
    return Instance(mechanism, Universe(people, (-1, 1), all_present=True), law, Neighbours.REPLACE)


def published(random: Random) -> Instance:
    """How many of a published sample have the one record and how many the other."""
    people = random.randint(2, 5)
    size, neighbours = random.randint(1, people - 1), random.choice(BOTH)

    def law(dataset: Dataset) -> list[Any]:
        values = present(dataset)
        if len(values) < size:
            return told(0, range(size + 1))
        ones = Counter(map(sum, combinations(values, size)))
        return [mpf(ones[number]) / ones.total() for number in range(size + 1)]

    return Instance(SimpleRandomSample(size, people), Universe(people, (0, 1)), law, neighbours, everybody=True)


DRAWN: dict[type[Mechanism], Callable[[Random], Instance]] = {
    SimpleRandomSample: published,
    PoissonSubsampled: poisson,
    SampledWithoutReplacement: fixed_size,
    TruncatedPoissonSample: truncated,
}
