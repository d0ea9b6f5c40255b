"""Random small instances of selections, thresholds, reports of one person, and tables of chances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

from drawn_noise import geometric_cdf, laplace_cdf
from mpmath import mp, mpf
from small_instances import Instance, binned, bits, eighths, grid, parts, present, told

from whit.guarantees import PureDP
from whit.mechanisms import (
    BestOfRuns,
    ExponentialMechanism,
    Finite,
    Kernel,
    Laplace,
    Mechanism,
    PartitionSelection,
    PermuteAndFlip,
    RandomizedResponse,
    Rappor,
    ReportNoisyMax,
    Shuffled,
    SparseVector,
    ThresholdedNoise,
    UnaryEncoding,
)
from whit.setting import Neighbours
from whit.worlds import Dataset, Universe

CANDIDATES = 3
Scores = Callable[[Dataset], list[float]]
# A function that is a sum of terms c e^(r x), between one break and the next.
Terms = list[tuple[Any, Any]]


def drawn_scores(random: Random) -> tuple[bool, Universe, Scores]:
    """Whether records only raise scores, the people, and the scores: public ones, and what each record adds.

    One record raises the last candidate alone; which is the one with the least public score.
    """
    monotone = random.random() < 0.5
    moves = (0, 1) if monotone else (-1, 1)
    worst = (*[moves[0]] * (CANDIDATES - 1), 1)
    other = tuple(random.choice(moves) for _ in range(CANDIDATES))
    spread = random.choice((1, 4, 16))
    public = sorted((eighths(random, -spread, spread) for _ in range(CANDIDATES)), reverse=True)
    universe = Universe(random.randint(1, 2), tuple(dict.fromkeys((worst, other))))

    def scores(dataset: Dataset) -> list[float]:
        return [base + sum(record[place] for record in present(dataset)) for place, base in enumerate(public)]

    return monotone, universe, scores


def shares(weights: Sequence[Any]) -> list[Any]:
    """Chances in proportion to the weights."""
    return [each / mp.fsum(weights) for each in weights]


def exponential(random: Random) -> Instance:
    monotone, universe, scores = drawn_scores(random)
    epsilon = eighths(random, 0.5, 2)
    law = lambda dataset: shares([mp.exp(mpf(epsilon) * mpf(each) / 2) for each in scores(dataset)])  # noqa: E731
    return Instance(ExponentialMechanism(epsilon, monotone=monotone), universe, law)


def permute_and_flip(random: Random) -> Instance:
    monotone, universe, scores = drawn_scores(random)
    epsilon = eighths(random, 0.5, 2)

    def law(dataset: Dataset) -> list[Any]:
        known = scores(dataset)
        found = [mpf(0)] * CANDIDATES
        for order in permutations(range(CANDIDATES)):
            left = mpf(1) / math.factorial(CANDIDATES)
            for candidate in order:
                accepted = mp.exp(mpf(epsilon) * (known[candidate] - max(known)) / 2)
                found[candidate] += left * accepted
                left *= 1 - accepted
        return found

    return Instance(PermuteAndFlip(epsilon, monotone=monotone), universe, law)


def below(centre: Any, scale: Any, right: bool) -> Terms:
    """The chance that Laplace noise about a centre is below x, to the right of the centre or to the left of it."""
    return (
        [(mpf(1), mpf(0)), (-mp.exp(centre / scale) / 2, -1 / scale)]
        if right
        else [(mp.exp(-centre / scale) / 2, 1 / scale)]
    )


def above(centre: Any, scale: Any, right: bool) -> Terms:
    """The chance that it is above x: the other way round."""
    return (
        [(mp.exp(centre / scale) / 2, -1 / scale)]
        if right
        else [(mpf(1), mpf(0)), (-mp.exp(-centre / scale) / 2, 1 / scale)]
    )


def density(centre: Any, scale: Any, right: bool) -> Terms:
    sign = -1 if right else 1
    return [(mp.exp(-sign * centre / scale) / (2 * scale), sign / scale)]


Factor = tuple[Callable[[Any, Any, bool], Terms], Any, Any]


def integral(factors: Sequence[Factor]) -> Any:
    """The integral of a product of such functions over all x, term by term between their centres."""
    ends = [-mp.inf, *sorted({centre for _, centre, _ in factors}), mp.inf]
    total = mpf(0)
    for low, high in pairwise(ends):
        each = [make(centre, scale, bool(centre <= low)) for make, centre, scale in factors]
        for chosen in product(*each):
            factor, rate = mp.fprod(c for c, _ in chosen), mp.fsum(r for _, r in chosen)
            if abs(rate) < mpf(10) ** -50:
                total += factor * (high - low)
            else:
                total += factor * (mp.exp(rate * high) - mp.exp(rate * low)) / rate
    return total


def noisy_max(random: Random) -> Instance:
    """The winner has some noisy score, and the others have less."""
    monotone, universe, scores = drawn_scores(random)
    epsilon = eighths(random, 0.5, 2)

    def law(dataset: Dataset) -> list[Any]:
        known, scale = [mpf(each) for each in scores(dataset)], 2 / mpf(epsilon)
        return [
            integral([(density if place == best else below, known[place], scale) for place in range(CANDIDATES)])
            for best in range(CANDIDATES)
        ]

    return Instance(ReportNoisyMax(epsilon, monotone=monotone), universe, law)


def sparse_vector(random: Random) -> Instance:
    """Each list of answers above and below has the chance of its parts, given the noisy threshold."""
    monotone, universe, scores = drawn_scores(random)
    epsilon, positives, share = eighths(random, 0.5, 2), random.randint(1, 2), random.choice((0.0625, 0.25, 0.5))
    mechanism = SparseVector(epsilon, positives=positives, monotone=monotone, threshold_share=share)
    told = {cut_after(each, positives) for each in product((0, 1), repeat=CANDIDATES)}

    def law(dataset: Dataset) -> list[Any]:
        known, rest = [mpf(each) for each in scores(dataset)], (1 - mpf(share)) * mpf(epsilon)
        scale = (1 if monotone else 2) * positives / rest
        threshold = (density, mpf(0), 1 / (mpf(share) * mpf(epsilon)))
        return [
            integral([threshold, *((above if bit else below, known[place], scale) for place, bit in enumerate(each))])
            for each in sorted(told)
        ]

    return Instance(mechanism, universe, law)


def cut_after(answers: Sequence[int], positives: int) -> tuple[int, ...]:
    """The answers until so many are above."""
    kept = [each for place, each in enumerate(answers) if sum(answers[:place]) < positives]
    return tuple(kept)


def partition(random: Random) -> Instance:
    """Chances that grow person by person as fast as epsilon and delta allow."""
    epsilon, delta, fewest = eighths(random, 0.25, 2), random.choice((1 / 64, 1 / 8, 1 / 4)), random.randint(1, 2)

    def law(dataset: Dataset) -> list[Any]:
        chance, ratio = mpf(0), mp.exp(mpf(epsilon))
        for _ in present(dataset)[fewest - 1 :]:
            chance = min(ratio * chance + delta, 1 - (1 - chance - delta) / ratio, mpf(1))
        return [chance, 1 - chance]

    return Instance(PartitionSelection(epsilon, delta, people=fewest), Universe(random.randint(3, 6), (1,)), law)


def thresholded(random: Random) -> Instance:
    """A noisy count from a threshold on; nothing, which comes first, below that or if nobody has the key."""
    scale, threshold = eighths(random, 0.5, 2), eighths(random, 1, 4)
    edges = grid(threshold, threshold + 8 * scale, scale / 8)

    def law(dataset: Dataset) -> list[Any]:
        number = len(present(dataset))
        return binned(laplace_cdf(scale), {mpf(number): mpf(1)}, edges) if number else told(0, range(len(edges) + 1))

    return Instance(ThresholdedNoise(Laplace(scale), threshold), Universe(random.randint(1, 5), (1,)), law)


PGF = Callable[[Any], Any]


def runs(random: Random) -> tuple[float, float, PGF]:
    """The mean and the shape of the number of runs, and the function that generates its chances."""
    mean, shape = eighths(random, 1.5, 6), random.choice((0.0, 1.0, math.inf))
    if shape == 1.0:
        return mean, shape, lambda x: x / (mean - (mean - 1) * x)
    if shape == math.inf:
        return mean, shape, lambda x: mp.exp(mean * (x - 1))
    with mp.workdps(60):
        stop = mp.findroot(lambda s: (1 / s - 1) / mp.log(1 / s) - mean, (mpf("0.01"), mpf("0.9")), solver="anderson")
    return mean, shape, lambda x: mp.log(1 - (1 - stop) * x) / mp.log(stop)


def best_of_runs(random: Random) -> Instance:
    """The largest of some noisy counts: all are at most a value with the chance that the function gives."""
    epsilon = eighths(random, 0.125, 1)
    mean, shape, generated = runs(random)

    def law(dataset: Dataset) -> list[Any]:
        one = binned(geometric_cdf(epsilon), {mpf(len(present(dataset))): mpf(1)}, grid(-2.5, 4.5, 1))
        most = [mpf(0), *(generated(mp.fsum(one[:place])) for place in range(len(one))), mpf(1)]
        return [b - a for a, b in pairwise(most)]

    return Instance(BestOfRuns(PureDP(epsilon), mean=mean, shape=shape), Universe(random.randint(1, 2), (1,)), law)


def local(mechanism: Mechanism, values: int, law: Callable[[int], Sequence[Any]]) -> Instance:
    """What one person reports of their value."""
    universe = Universe(1, tuple(range(values)), all_present=True)
    return Instance(mechanism, universe, lambda dataset: law(present(dataset)[0]), Neighbours.LOCAL)


def randomized_response(random: Random) -> Instance:
    epsilon, many = eighths(random, 0.5, 2), random.randint(2, 5)
    law = lambda own: shares([mp.exp(mpf(epsilon) * (own == each)) for each in range(many)])  # noqa: E731
    return local(RandomizedResponse(epsilon, categories=many), many, law)


def unary_encoding(random: Random) -> Instance:
    epsilon, many, symmetric = eighths(random, 0.5, 2), random.randint(2, 4), random.random() < 0.5

    def law(own: int) -> list[Any]:
        flipped = 1 / (1 + mp.exp(mpf(epsilon) / (2 if symmetric else 1)))
        raised = 1 - flipped if symmetric else mpf(1) / 2
        return bits([raised if each == own else flipped for each in range(many)])

    return local(UnaryEncoding(epsilon, symmetric=symmetric, categories=many), many, law)


def rappor(random: Random) -> Instance:
    """Bits that are kept once for all, and reports that are made of them."""
    f, p, q = eighths(random, 0.25, 0.875), eighths(random, 0.125, 0.5), eighths(random, 0.625, 0.875)
    hashes, reports = random.randint(1, 2), random.choice((1, 2, None))

    def of_bit(set_: bool) -> list[Any]:
        one = 1 - mpf(f) / 2 if set_ else mpf(f) / 2
        if reports is None:
            return [1 - one, one]
        pairs = zip(bits([mpf(p)] * reports), bits([mpf(q)] * reports), strict=True)
        return [(1 - one) * low + one * high for low, high in pairs]

    def law(own: int) -> list[Any]:
        laws = [of_bit(place // hashes == own) for place in range(2 * hashes)]
        return [mp.fprod(each) for each in product(*laws)]

    return local(Rappor(f, p=p, q=q, hashes=hashes, reports=reports), 2, law)


def shuffled(random: Random) -> Instance:
    """How many reports say 1."""
    epsilon, people = eighths(random, 0.5, 2), random.randint(2, 5)

    def law(dataset: Dataset) -> list[Any]:
        found, truth = [mpf(1)], 1 / (1 + mp.exp(-mpf(epsilon)))
        for value in present(dataset):
            one = truth if value else 1 - truth
            found = [a * (1 - one) + b * one for a, b in zip([*found, mpf(0)], [mpf(0), *found], strict=True)]
        return found

    universe = Universe(people, (0, 1), all_present=True)
    return Instance(Shuffled(RandomizedResponse(epsilon), people), universe, law, Neighbours.REPLACE)


def finite(random: Random) -> Instance:
    p, q = parts(random, 5), parts(random, 5)
    mechanism = Finite([float(each) for each in p], [float(each) for each in q])
    return Instance(mechanism, Universe(1, (1,)), lambda dataset: q if present(dataset) else p)


def kernel(random: Random) -> Instance:
    universe = Universe(2, (0, 1))
    rows = {dataset: parts(random, 4) for dataset in universe.datasets}
    matrix = [[float(each) for each in row] for row in rows.values()]
    edges = universe.neighbours(Neighbours.ADD_REMOVE)
    return Instance(Kernel(matrix, edges), universe, lambda dataset: rows[dataset])


DRAWN: dict[type[Mechanism], Callable[[Random], Instance]] = {
    RandomizedResponse: randomized_response,
    UnaryEncoding: unary_encoding,
    Rappor: rappor,
    Shuffled: shuffled,
    ExponentialMechanism: exponential,
    PermuteAndFlip: permute_and_flip,
    ReportNoisyMax: noisy_max,
    SparseVector: sparse_vector,
    BestOfRuns: best_of_runs,
    PartitionSelection: partition,
    ThresholdedNoise: thresholded,
    Finite: finite,
    Kernel: kernel,
}
