"""Random small instances of noise that is added to an answer, or to the steps of a linear release."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

from mpmath import mp, mpf
from small_instances import Cdf, Instance, binned, eighths, grid, parts, present, told

from whit.mechanisms import (
    Composed,
    CorrelatedGaussian,
    Deterministic,
    DiscreteGaussian,
    Epochs,
    FullChange,
    Gaussian,
    Geometric,
    Laplace,
    MatrixMechanism,
    Mechanism,
    Mixture,
    MixtureOfGaussians,
    Once,
    Participation,
    PostProcessed,
    Separated,
    SquareRootMechanism,
    Staircase,
    ToeplitzMechanism,
    TreeAggregation,
    Tulap,
)
from whit.setting import Neighbours, Sensitivity
from whit.worlds import Dataset, Universe

BOTH = (Neighbours.ADD_REMOVE, Neighbours.REPLACE)
Rows = Sequence[Sequence[float]]


def gaussian_cdf(sigma: float) -> Cdf:
    return lambda x: mp.ncdf(x / mpf(sigma))


def laplace_cdf(scale: float) -> Cdf:
    def cdf(x: Any) -> Any:
        half = mp.exp(-abs(x) / mpf(scale)) / 2
        return half if x < 0 else 1 - half

    return cdf


def geometric_cdf(epsilon: float) -> Cdf:
    """Chances that fall by e^epsilon at each step from 0."""

    def cdf(x: Any) -> Any:
        b = mp.exp(-mpf(epsilon))
        place = int(mp.floor(x))
        return b**-place / (1 + b) if place < 0 else 1 - b ** (place + 1) / (1 + b)

    return cdf


def discrete_gaussian_cdf(sigma: float) -> Cdf:
    """Chances in proportion to the density at whole numbers; beyond 20 sigma there is less than 1e-80."""
    reach = int(20 * sigma) + 1
    with mp.workdps(60):
        heights = [mp.exp(-(mpf(k) ** 2) / (2 * mpf(sigma) ** 2)) for k in range(-reach, reach + 1)]
        total = mp.fsum(heights)

    def cdf(x: Any) -> Any:
        last = int(mp.floor(x)) + reach
        return mp.fsum(heights[: max(last + 1, 0)]) / total

    return cdf


def staircase_cdf(epsilon: float, gamma: float, step: float = 1.0) -> Cdf:
    """The first plateau is gamma steps wide to each side, the others one step, each lower by e^epsilon."""

    def cdf(x: Any) -> Any:
        b, far, half = mp.exp(-mpf(epsilon)), abs(x) / mpf(step), mpf(gamma)
        height = 1 / (2 * (half + b / (1 - b)))
        plateau = int(mp.floor(far - half)) + 1
        before = half + (b - b**plateau) / (1 - b)
        within = height * (far if far < half else before + b**plateau * (far - (plateau - 1 + half)))
        return mpf(1) / 2 + (within if x > 0 else -within)

    return cdf


def tulap_cdf(epsilon: float, delta: float) -> Cdf:
    """A staircase with plateaus between the steps, of which an equal share is cut off at both ends."""

    def cdf(x: Any) -> Any:
        b, lost = mp.exp(-mpf(epsilon)), mpf(delta)
        share = 2 * lost * b / (1 - b + 2 * lost * b)
        return min(max((staircase_cdf(epsilon, 0.5)(x) - share / 2) / (1 - share), mpf(0)), mpf(1))

    return cdf


def summed(mechanism: Mechanism, cdf: Cdf, records: Sequence[float], spread: float, random: Random) -> Instance:
    """A sum of records with noise, told in bins that reach as far as some spreads of the noise."""
    people = random.randint(1, 2)
    width = max(math.ceil(spread), 1)
    low, high = people * min(0.0, *records), people * max(0.0, *records)
    edges = grid(low - 6 * width, high + 6 * width, width / 8)
    law = lambda dataset: binned(cdf, {mpf(sum(present(dataset))): mpf(1)}, edges)  # noqa: E731
    return Instance(mechanism, Universe(people, tuple(records)), law, random.choice(BOTH))


def two_records(random: Random, *, whole: bool = False) -> tuple[list[float], Sensitivity]:
    """The largest record and another one, and what sensitivity they have."""
    largest = float(random.randint(1, 2)) if whole else eighths(random, 0.5, 2)
    other = float(-random.randint(0, int(largest))) if whole else -eighths(random, 0, largest)
    return [largest, other], Sensitivity(add_remove=largest, replace=largest - other)


def gaussian(random: Random) -> Instance:
    records, sensitivity = two_records(random)
    sigma = eighths(random, 0.5, 3)
    return summed(Gaussian(sigma, sensitivity=sensitivity), gaussian_cdf(sigma), records, sigma, random)


def laplace(random: Random) -> Instance:
    records, sensitivity = two_records(random)
    scale = eighths(random, 0.5, 3)
    return summed(Laplace(scale, sensitivity=sensitivity), laplace_cdf(scale), records, scale, random)


def geometric(random: Random) -> Instance:
    records, sensitivity = two_records(random, whole=True)
    epsilon = eighths(random, 0.25, 2)
    return summed(Geometric(epsilon, sensitivity=sensitivity), geometric_cdf(epsilon), records, 2 / epsilon, random)


def discrete_gaussian(random: Random) -> Instance:
    records, sensitivity = two_records(random, whole=True)
    sigma = eighths(random, 0.5, 3)
    mechanism = DiscreteGaussian(sigma, sensitivity=sensitivity)
    return summed(mechanism, discrete_gaussian_cdf(sigma), records, sigma, random)


def staircase(random: Random) -> Instance:
    records, sensitivity = two_records(random)
    epsilon, gamma = eighths(random, 0.5, 2), eighths(random, 0, 1)
    mechanism = Staircase(epsilon, gamma=gamma, sensitivity=sensitivity)
    return summed(mechanism, staircase_cdf(epsilon, gamma), records, 1 / epsilon, random)


def tulap(random: Random) -> Instance:
    epsilon, delta = eighths(random, 0.5, 2), random.choice((0.0, 1 / 64, 1 / 8))
    return summed(Tulap(epsilon, delta), tulap_cdf(epsilon, delta), [1.0, 0.0], 1.0, random)


def processed(random: Random) -> Instance:
    """Noise that is cut at zero: what is below falls into the first bin."""
    scale = eighths(random, 0.5, 3)
    edges = grid(0, 8 * scale, scale / 8)
    law = lambda dataset: binned(laplace_cdf(scale), {mpf(sum(present(dataset))): mpf(1)}, edges)  # noqa: E731
    return Instance(PostProcessed(Laplace(scale), "cut at zero"), Universe(random.randint(1, 3), (1,)), law)


def full_change(random: Random) -> Instance:
    """Somebody whose record is the largest one."""
    epsilon = eighths(random, 0.25, 2)
    return summed(FullChange(Geometric(epsilon)), geometric_cdf(epsilon), [1.0, 0.0], 2 / epsilon, random)


def deterministic(random: Random) -> Instance:
    people = random.randint(1, 4)
    law = lambda dataset: told(sum(present(dataset)), range(people + 1))  # noqa: E731
    return Instance(Deterministic(), Universe(people, (1,)), law)


def counted(dataset: Dataset, epsilon: float) -> list[Any]:
    """A count with geometric noise, cut at some distance."""
    return binned(geometric_cdf(epsilon), {mpf(len(present(dataset))): mpf(1)}, grid(-6.5, 8.5, 1))


def composed(random: Random) -> Instance:
    """Two counts with noise of their own."""
    first, second = eighths(random, 0.25, 1.5), eighths(random, 0.25, 1.5)

    def law(dataset: Dataset) -> list[Any]:
        return [a * b for a in counted(dataset, first) for b in counted(dataset, second)]

    return Instance(Composed((Geometric(first), 1), (Geometric(second), 1)), Universe(random.randint(1, 2), (1,)), law)


def mixture(random: Random) -> Instance:
    """One of two kinds of noise, told or not."""
    epsilons = eighths(random, 0.25, 1), eighths(random, 1, 2)
    weights, published = parts(random, 2), random.random() < 0.5
    mechanism = Mixture([Geometric(each) for each in epsilons], [float(each) for each in weights], published=published)

    def law(dataset: Dataset) -> list[Any]:
        first, second = (
            [mpf(w.numerator) / w.denominator * each for each in counted(dataset, epsilon)]
            for w, epsilon in zip(weights, epsilons, strict=True)
        )
        return [*first, *second] if published else [a + b for a, b in zip(first, second, strict=True)]

    return Instance(mechanism, Universe(random.randint(1, 3), (1,)), law)


def mixture_of_gaussians(random: Random) -> Instance:
    """Each record changes the answer by a random amount."""
    sigma, amounts, chances = eighths(random, 0.5, 2), [0.0, 1.0, eighths(random, 1.5, 3)], parts(random, 3)
    edges = grid(-6 * sigma, 6 + 6 * sigma, sigma / 8)

    def law(dataset: Dataset) -> list[Any]:
        totals = {mpf(0): mpf(1)}
        for _ in present(dataset):
            more: dict[Any, Any] = {}
            for (total, chance), (amount, share) in product(totals.items(), zip(amounts, chances, strict=True)):
                at = total + mpf(amount)
                more[at] = more.get(at, mpf(0)) + chance * share.numerator / share.denominator
            totals = more
        return binned(gaussian_cdf(sigma), totals, edges)

    mechanism = MixtureOfGaussians(sigma, amounts, [float(each) for each in chances])
    return Instance(mechanism, Universe(random.randint(1, 2), (1,)), law)


def projected(centres: Sequence[Any], deviation: Any) -> Callable[[Dataset], list[Any]]:
    """One number of a vector with Gaussian noise; each record moves its centre by the number of its place."""
    spread = max(abs(each) for each in centres)
    edges = [deviation * each / 8 + spread / 2 * sign for each in range(-48, 49) for sign in (-1, 1)]
    edges = sorted({*edges, mpf(0)})
    return lambda dataset: binned(
        lambda x: mp.ncdf(x / deviation),
        {sum((centres[int(each)] for each in present(dataset)), mpf(0)): mpf(1)},
        edges,
    )


def correlated(random: Random) -> Instance:
    """The combination of the cells that tells most, for a random covariance and random changes."""
    a, b, c = eighths(random, 0.5, 2), eighths(random, -1, 1), eighths(random, 0.5, 2)
    covariance = [[a * a, a * b], [a * b, b * b + c * c]]
    changes = [[eighths(random, -1, 1), eighths(random, -1, 1)] for _ in range(2)] + [[1.0, 0.5]]
    replaced = [[x - y for x, y in zip(one, two, strict=True)] for one, two in combinations(changes, 2)]
    neighbours = random.choice(BOTH)

    def best(vectors: Sequence[Sequence[float]]) -> Any:
        inverse = mp.matrix(covariance) ** -1
        known = [mp.matrix(each) for each in vectors]
        return inverse * max(known, key=lambda s: (s.T * inverse * s)[0])

    with mp.workdps(60):
        direction = best(changes if neighbours is Neighbours.ADD_REMOVE else replaced)
        deviation = mp.sqrt((direction.T * mp.matrix(covariance) * direction)[0])
        law = projected([(direction.T * mp.matrix(each))[0] for each in changes], deviation)
    mechanism = CorrelatedGaussian(covariance, add_remove=changes, replace=replaced)
    return Instance(mechanism, Universe(1, (0, 1, 2)), law, neighbours)


def sets_of(participation: Participation, steps: int) -> list[tuple[int, ...]]:
    """The steps that one person may enter together, by trying all sets."""
    if isinstance(participation, Once):
        return [(each,) for each in range(steps)]
    if isinstance(participation, Epochs):
        length = steps // participation.number
        return [tuple(range(each, steps, length)) for each in range(length)]
    assert isinstance(participation, Separated)
    most = participation.at_most or steps
    found = [each for size in range(1, most + 1) for each in combinations(range(steps), size)]
    return [each for each in found if all(b - a >= participation.by for a, b in pairwise(each))]


def linear(mechanism: Mechanism, sigma: float, rows: Rows, sets: Sequence[tuple[int, ...]], random: Random) -> Instance:
    """A person with the contributions that move C x most, or the opposite ones; told along that move."""

    def moved(contributions: dict[int, int]) -> list[Fraction]:
        return [sum((Fraction(row[step]) * sign for step, sign in contributions.items()), Fraction(0)) for row in rows]

    signed = [dict(zip(s, signs, strict=True)) for s in sets for signs in product((1, -1), repeat=len(s))]
    square = max(sum((each * each for each in moved(contributions)), Fraction(0)) for contributions in signed)
    with mp.workdps(60):
        length = mp.sqrt(mpf(square.numerator) / square.denominator)
        law = projected([length, -length], mpf(sigma))
    return Instance(mechanism, Universe(random.randint(1, 2), (0, 1)), law, random.choice(BOTH))


def drawn_participation(random: Random, steps: int) -> Participation:
    return random.choice((Once(), Epochs(2), Separated(by=random.randint(2, steps - 1), at_most=2)))


def lower(column: Sequence[float], steps: int) -> list[list[float]]:
    """The matrix whose columns are the first one, moved down."""
    full = [*column, *[0.0] * steps][:steps]
    return [[full[i - j] if i >= j else 0.0 for j in range(steps)] for i in range(steps)]


def matrix(random: Random) -> Instance:
    sigma, steps = eighths(random, 1, 4), 4
    rows = [[eighths(random, -1, 1) if j < i else float(i == j) for j in range(steps)] for i in range(steps)]
    participation = drawn_participation(random, steps)
    mechanism = MatrixMechanism(sigma, rows, participation)
    return linear(mechanism, sigma, rows, sets_of(participation, steps), random)


def toeplitz(random: Random) -> Instance:
    sigma, steps = eighths(random, 1, 4), 4
    column = [1.0, eighths(random, -1, 1), eighths(random, 0, 1)]
    participation = drawn_participation(random, steps)
    mechanism = ToeplitzMechanism(sigma, column, steps, participation)
    return linear(mechanism, sigma, lower(column, steps), sets_of(participation, steps), random)


def square_root(random: Random) -> Instance:
    sigma, steps, bands = eighths(random, 1, 4), 4, random.randint(1, 4)
    column = [1.0, 1 / 2, 3 / 8, 5 / 16][:bands]
    participation = drawn_participation(random, steps)
    mechanism = SquareRootMechanism(sigma, steps, bands, participation)
    return linear(mechanism, sigma, lower(column, steps), sets_of(participation, steps), random)


def tree(random: Random) -> Instance:
    """Each node is the sum of the steps below it, for as many of them as are complete."""
    sigma, rounds = eighths(random, 1, 4), [random.randint(1, 5) for _ in range(random.randint(1, 2))]
    everywhere = random.random() < 0.5
    starts = [sum(rounds[:place]) for place in range(len(rounds))]
    rows = [
        [float(start + node * 2**level <= step < start + (node + 1) * 2**level) for step in range(sum(rounds))]
        for start, many in zip(starts, rounds, strict=True)
        for level in range(many.bit_length())
        for node in range(many >> level)
    ]
    trees = [range(start, start + many) for start, many in zip(starts, rounds, strict=True)]
    sets = list(product(*trees)) if everywhere else [(step,) for step in range(sum(rounds))]
    return linear(TreeAggregation(sigma, rounds, in_each_tree=everywhere), sigma, rows, sets, random)


DRAWN: dict[type[Mechanism], Callable[[Random], Instance]] = {
    Gaussian: gaussian,
    Laplace: laplace,
    Geometric: geometric,
    DiscreteGaussian: discrete_gaussian,
    Staircase: staircase,
    Tulap: tulap,
    Deterministic: deterministic,
    PostProcessed: processed,
    FullChange: full_change,
    Composed: composed,
    Mixture: mixture,
    MixtureOfGaussians: mixture_of_gaussians,
    CorrelatedGaussian: correlated,
    MatrixMechanism: matrix,
    ToeplitzMechanism: toeplitz,
    SquareRootMechanism: square_root,
    TreeAggregation: tree,
}
