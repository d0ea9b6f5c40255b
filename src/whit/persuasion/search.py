"""The worst prior of a class: closed forms, certified bounds where two datasets are left, and a search elsewhere.

A measure turns the gains of the outcomes and their probabilities into one amount that grows with each gain: the
probability beyond a limit, or the smallest limit for a probability.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product

import numpy as np

from whit.persuasion.amount import Amount, log_ratio
from whit.persuasion.beliefs import AnyBelief, FiniteBelief, NeighbouringBeliefs, PriorClass, TheseBeliefs
from whit.persuasion.relative import Table, law_of
from whit.persuasion.scores import LogProbability, Score

Measure = Callable[[tuple[Amount, ...], tuple[Fraction, ...]], Amount]

CELLS = 800
"""How many pieces of the unit interval of weights are looked at, over all pairs of neighbours."""

DRAWS = 60
"""How many random priors are tried for each dataset, before the best is improved."""

_TINY = Fraction(1, 2**60)
_CLOSE = 1e-7  # bounds that differ by less, relatively, are not brought closer
_WEIGHTS = (*(Fraction(1, 2**power) for power in (60, 20, 7, 3, 1)), Fraction(7, 8))


@dataclass(frozen=True)
class Worst:
    """Where the most is lost: the score, the dataset that is the truth, and the prior.

    The prior is a belief, or the limit of beliefs, in words.
    """

    score: str
    dataset: int
    prior: FiniteBelief | str


@dataclass(frozen=True)
class LowerBound:
    """What a search saw: the measure reaches lower, at the place named; what it does elsewhere is not known."""

    lower: Amount
    worst: Worst

    def below(self, upper: Amount) -> Bounds:
        """The same, once it is proved that the measure nowhere exceeds upper."""
        return Bounds(self.lower, self.worst, upper)


@dataclass(frozen=True)
class Bounds(LowerBound):
    """What a search proved: the measure reaches lower, at the place named, and nowhere exceeds upper."""

    upper: Amount


def furthest(bounds: Iterable[LowerBound]) -> LowerBound:
    """The one that reaches furthest, the first of equals."""
    return max(bounds, key=lambda each: each.lower)


def worst_of(table: Table, score: Score, priors: PriorClass, measure: Measure) -> LowerBound:
    """The largest value of a measure over all datasets and all priors of a class; Bounds where both sides are known."""
    if isinstance(priors, TheseBeliefs):
        places = product(priors.beliefs, range(len(table.rows)))
        best = furthest(_at(table, score, belief, dataset, measure) for belief, dataset in places)
        return best.below(best.lower)
    if isinstance(priors, AnyBelief):
        return _any(table, score, priors, measure)
    if isinstance(score, LogProbability):
        best = _by_log(table, table.neighbours(), measure)
        return best.below(best.lower)
    return _neighbours(table, score, priors, measure)


def _at(table: Table, score: Score, belief: FiniteBelief, dataset: int, measure: Measure) -> LowerBound:
    law = law_of(table, score, belief, dataset)
    return LowerBound(measure(law.gains, law.chances), Worst(score.name, dataset, belief))


def _by_log(table: Table, pairs: Iterable[tuple[int, int]], measure: Measure) -> LowerBound:
    """Two datasets and the log score: the gains grow to log p/q as the weight of the truth falls to 0."""

    def at_weight_zero(truth: int, other: int) -> LowerBound:
        prior = f"datasets {truth} and {other}, the weight of {truth} falling to 0"
        value = measure(_log_ratios(table, truth, other), table.chances(truth))
        return LowerBound(value, Worst(LogProbability().name, truth, prior))

    return furthest(at_weight_zero(*pair) for pair in pairs)


def _log_ratios(table: Table, truth: int, other: int) -> tuple[Amount, ...]:
    return tuple(log_ratio(p, q) for p, q in zip(table.rows[truth], table.rows[other], strict=True) if p > 0)


# A proper score of two points falls as the weight of the truth grows. So over the weights from a to b a gain is at
# most what is gained from a to the posterior of b. Pieces of the unit interval are halved, the worst bound first.


@dataclass(frozen=True)
class _Piece:
    """Weights from a to b on the truth, the other weight being on one neighbour."""

    truth: int
    other: int
    a: Fraction
    b: Fraction

    def halves(self) -> tuple[_Piece, _Piece]:
        # Halved in the logarithm near 0, where the worst priors often are.
        middle = (self.a + self.b) / 2 if self.a else self.b / 4
        return _Piece(self.truth, self.other, self.a, middle), _Piece(self.truth, self.other, middle, self.b)


def _neighbours(table: Table, score: Score, priors: NeighbouringBeliefs, measure: Measure) -> LowerBound:
    best = furthest(
        _at(table, score, priors.at(truth, other, weight, len(table.rows)), truth, measure)
        for (truth, other), weight in product(table.neighbours(), _WEIGHTS)
    )
    return _bounded(table, score, priors, measure, best) if score.proper else best


def _bounded(table: Table, score: Score, priors: NeighbouringBeliefs, measure: Measure, best: LowerBound) -> Bounds:
    """Lower and upper bounds by halving the piece with the largest upper bound."""
    pieces = [_Piece(truth, other, Fraction(0), Fraction(1)) for truth, other in table.neighbours()]
    heap = [_ranked(place, _upper(table, score, priors, measure, piece), piece) for place, piece in enumerate(pieces)]
    heapq.heapify(heap)
    for made in range(len(heap), CELLS, 2):
        upper, piece = heap[0][2], heap[0][3]
        if not _apart(best.lower, upper) or (upper.sign > 0 and piece.b < _TINY):
            break  # the bounds meet, or near weight 0 there is none
        heapq.heappop(heap)
        belief = priors.at(piece.truth, piece.other, piece.halves()[0].b, len(table.rows))
        best = furthest((best, _at(table, score, belief, piece.truth, measure)))
        for place, half in enumerate(piece.halves()):
            heapq.heappush(heap, _ranked(made + place, _upper(table, score, priors, measure, half), half))
    return best.below(max(best.lower, heap[0][2]))


def _ranked(place: int, bound: Amount, piece: _Piece) -> tuple[float, int, Amount, _Piece]:
    """A piece with its bound, so that the largest bound comes first and no two are equal."""
    return -bound.bracket()[1], place, bound, piece


def _upper(table: Table, score: Score, priors: NeighbouringBeliefs, measure: Measure, piece: _Piece) -> Amount:
    """An upper bound on the measure over a piece: each gain from its worst prior to its best posterior."""
    size = len(table.rows)
    before = score.of(priors.at(piece.truth, piece.other, piece.a, size), piece.truth)
    gains = []
    for outcome in table.possible(piece.truth):
        p, q = table.rows[piece.truth][outcome], table.rows[piece.other][outcome]
        most = piece.b * p / (piece.b * p + (1 - piece.b) * q) if piece.b < 1 else Fraction(1)
        gains.append(before.minus(score.of(priors.at(piece.truth, piece.other, most, size), piece.truth)))
    return measure(tuple(gains), table.chances(piece.truth))


def _apart(lower: Amount, upper: Amount) -> bool:
    low, high = lower.bracket()[0], upper.bracket()[1]
    return upper > lower and high - low > _CLOSE * max(abs(low), 1e-9)


def _any(table: Table, score: Score, priors: AnyBelief, measure: Measure) -> LowerBound:
    """Any prior: by the log score, no gain is above the largest log ratio of two rows."""
    size = len(table.rows)
    tries = ((truth, belief) for truth in range(size) for belief in _candidates(truth, size, priors))
    best = furthest(_at(table, score, belief, truth, measure) for truth, belief in tries)
    best = _improved(table, score, priors, measure, best)
    if not isinstance(score, LogProbability) or size == 1:
        return best
    pairs = list(permutations(range(size), 2))
    largest = max(ratio for pair in pairs for ratio in _log_ratios(table, *pair))
    return furthest((_by_log(table, pairs, measure), best)).below(measure((largest,), (Fraction(1),)))


def _candidates(truth: int, size: int, priors: AnyBelief) -> Iterator[FiniteBelief]:
    """Two-point priors and random ones, the same on every run."""
    random = np.random.default_rng(truth)
    for other in (*range(truth), *range(truth + 1, size)):
        for weight in _WEIGHTS:
            yield priors.at(truth, other, weight, size)
    for draw in range(DRAWS if size > 1 else 1):
        weights = random.dirichlet(np.full(size, (1.0, 0.3)[draw % 2]))
        yield FiniteBelief(weights.tolist(), priors.points)


def _improved(table: Table, score: Score, priors: AnyBelief, measure: Measure, best: LowerBound) -> LowerBound:
    """The best prior found, moved at random as long as that is worse for the sender."""
    random = np.random.default_rng(len(table.rows))
    for _ in range(2 * DRAWS):
        prior = best.worst.prior
        assert isinstance(prior, FiniteBelief)
        weights = np.array([float(weight) for weight in prior.weights]) * np.exp(random.normal(0.0, 0.5, prior.size))
        moved = FiniteBelief((weights / weights.sum()).tolist(), priors.points)
        best = furthest((best, _at(table, score, moved, best.worst.dataset, measure)))
    return best
