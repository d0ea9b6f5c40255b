"""Relative privacy: mechanisms as tables, how much a release improves the score of a belief, and the law of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, require
from whit.mechanisms import Finite, Kernel
from whit.numerics import doubles_around, probability
from whit.persuasion.amount import ZERO, Amount
from whit.persuasion.beliefs import FiniteBelief, SampledBelief, class_of, exact_probabilities, limit
from whit.persuasion.scores import LogProbability, Score, require_score
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit

RELATIVE_SCORE = Quantity("relative privacy score", Unit.NUMBER)
EXCESS = Quantity("probability that the relative privacy score exceeds the limit", Unit.PROBABILITY)
AVERAGE_GAIN = Quantity("average relative privacy score", Unit.NUMBER)

_ROWS = "Give one row of probabilities for each dataset, all of one length."
_EDGES = "List pairs of different datasets, such as [(0, 1), (1, 2)]."


@dataclass(frozen=True, init=False, repr=False)
class Table:
    """Rows of probabilities, one for each dataset, and the pairs of datasets that are neighbours.

    Fractions are kept as they are; doubles are taken for what they are, each row divided by its exact sum.

    >>> Table([[0.75, 0.25], [0.25, 0.75]], edges=[(0, 1)])
    Table of 2 datasets and 2 outcomes
    """

    rows: tuple[tuple[Fraction, ...], ...]
    edges: tuple[tuple[int, int], ...]

    def __init__(self, rows: Sequence[Sequence[Any]] | NDArray[np.float64], edges: Sequence[Any] = ()) -> None:
        if not isinstance(rows, list | tuple | np.ndarray) or len(rows) == 0:
            raise InvalidInput("the rows of a table", "must be a list with a row for each dataset", rows, _ROWS)
        exact = tuple(exact_probabilities(f"row {place} of the table", row) for place, row in enumerate(rows))
        same = len({len(row) for row in exact}) == 1
        require(same, name="the rows of a table", rule="must have one length", value=rows, way_out=_ROWS)
        listed = isinstance(edges, list | tuple | np.ndarray)
        require(listed, name="edges", rule="must be a list of pairs", value=edges, way_out=_EDGES)
        for edge in edges:
            ends = list(edge) if isinstance(edge, list | tuple | np.ndarray) else []
            good = len(ends) == 2 and ends[0] != ends[1] and all(end in range(len(exact)) for end in ends)
            require(good, name="edges", rule="must be pairs of different datasets", value=edge, way_out=_EDGES)
        object.__setattr__(self, "rows", exact)
        object.__setattr__(self, "edges", tuple((int(first), int(second)) for first, second in edges))

    @property
    def outcomes(self) -> int:
        """The number of outcomes."""
        return len(self.rows[0])

    def column(self, outcome: int) -> tuple[Fraction, ...]:
        """The probability of one outcome on each dataset."""
        return tuple(row[outcome] for row in self.rows)

    def chances(self, dataset: int) -> tuple[Fraction, ...]:
        """The probabilities of the outcomes that can occur on a dataset."""
        return tuple(chance for chance in self.rows[dataset] if chance > 0)

    def possible(self, dataset: int) -> Iterator[int]:
        """The outcomes that can occur on a dataset."""
        return (outcome for outcome, chance in enumerate(self.rows[dataset]) if chance > 0)

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """The neighbouring pairs, each in both orders."""
        require(len(self.edges) > 0, name="edges", rule="must name a pair of neighbours", value=(), way_out=_EDGES)
        for first, second in self.edges:
            yield first, second
            yield second, first

    def __repr__(self) -> str:
        """The size."""
        return f"Table of {len(self.rows)} datasets and {self.outcomes} outcomes"


TableLike: TypeAlias = Table | Kernel | Finite
"""A mechanism with finitely many outcomes on finitely many datasets."""


def table_of(mechanism: object) -> Table:
    """The mechanism as a table in exact arithmetic."""
    if isinstance(mechanism, Table):
        return mechanism
    if isinstance(mechanism, Kernel):
        return Table(mechanism.matrix, mechanism.edges)
    if isinstance(mechanism, Finite):
        return Table((mechanism.p, mechanism.q), [(0, 1)])
    way_out = "Give a Table of probabilities, a Kernel or a Finite mechanism."
    raise InvalidInput("mechanism", "must have finitely many outcomes on finitely many datasets", mechanism, way_out)


@dataclass(frozen=True)
class GainLaw:
    """The law of the relative score on one dataset, for one prior and one score: a gain for each possible outcome."""

    score: Score
    belief: FiniteBelief
    dataset: int
    outcomes: tuple[int, ...]
    gains: tuple[Amount, ...]
    chances: tuple[Fraction, ...]

    def beyond(self, kappa: float) -> Fraction:
        """The probability of a gain above kappa, in exact arithmetic."""
        return beyond(self.gains, self.chances, kappa)

    def excess(self, kappa: float) -> Finding:
        """The probability that the gain exceeds kappa."""
        return self._finding(EXCESS, doubles_around(self.beyond(limit("kappa", kappa))), kappa=kappa)

    def quantile(self, delta: float) -> Finding:
        """The smallest kappa of at least 0 that the gain exceeds with probability delta or less."""
        chance = Fraction(probability("delta", delta, "Use a small number such as 1e-6."))
        return self._finding(RELATIVE_SCORE, smallest(self.gains, self.chances, chance).bracket(), delta=delta)

    def average(self) -> Finding:
        """The expected gain over the mechanism; infinite if one possible outcome has an infinite gain."""
        sums = [Fraction(0), Fraction(0)]
        for gain, chance in zip(self.gains, self.chances, strict=True):
            if gain.sign:
                return self._finding(AVERAGE_GAIN, gain.bracket())
            sums = [total + chance * Fraction(end) for total, end in zip(sums, gain.bracket(), strict=True)]
        return self._finding(AVERAGE_GAIN, (doubles_around(sums[0])[0], doubles_around(sums[1])[1]))

    def _finding(self, quantity: Quantity, ends: tuple[float, float], **more: float) -> Finding:
        inputs: dict[str, Tree] = {"score": self.score.name, "belief": repr(self.belief), "dataset": self.dataset}
        basis = Basis.of("relative-privacy")
        if isinstance(self.belief, SampledBelief):
            return Finding(quantity, ends[1], Direction.ABOUT, {**inputs, **more}, basis)
        return Finding(quantity, ends[1], Direction.EXACTLY, {**inputs, **more}, basis, ends[0])


def gain_law(mechanism: TableLike, belief: FiniteBelief, dataset: int, *, score: Score | None = None) -> GainLaw:
    """The law of S(prior) - S(posterior) when the data are this dataset and the outcome is drawn by the mechanism.

    The score is the negative log probability if none is given.

    >>> from whit.mechanisms import Finite
    >>> law = gain_law(Finite([0.75, 0.25], [0.25, 0.75]), FiniteBelief([0.5, 0.5]), 0)
    >>> print(law.excess(0.4))
    probability that the relative privacy score exceeds the limit is exactly 75 %
    """
    table = table_of(mechanism)
    class_of(belief, len(table.rows))
    if dataset not in range(len(table.rows)):
        rule = f"must be a whole number from 0 to {len(table.rows) - 1}"
        raise InvalidInput("dataset", rule, dataset, "Use the number of a row of the mechanism.")
    return law_of(table, LogProbability() if score is None else require_score(score), belief, dataset)


def relative_score(
    mechanism: TableLike, belief: FiniteBelief, outcome: int, dataset: int, *, score: Score | None = None
) -> Finding:
    """How much one outcome improves the score of a belief if the data are this dataset.

    >>> from whit.mechanisms import Finite
    >>> print(relative_score(Finite([0.75, 0.25], [0.25, 0.75]), FiniteBelief([0.5, 0.5]), 0, 0))
    relative privacy score is 0.406 (rounded up)
    """
    law = gain_law(mechanism, belief, dataset, score=score)
    if outcome not in law.outcomes:
        rule = f"must be one that can occur on dataset {dataset}: {list(law.outcomes)}"
        raise InvalidInput("outcome", rule, outcome, "Use the number of a column with a positive probability.")
    return law._finding(RELATIVE_SCORE, law.gains[law.outcomes.index(outcome)].bracket(), outcome=outcome)


def law_of(table: Table, score: Score, belief: FiniteBelief, dataset: int) -> GainLaw:
    """The law of the gain, without looking at the arguments; an outcome that the belief excludes leaves it as it is."""
    outcomes = tuple(table.possible(dataset))
    before = score.of(belief, dataset)
    gains = tuple(_gain(score, belief, dataset, before, table.column(outcome)) for outcome in outcomes)
    return GainLaw(score, belief, dataset, outcomes, gains, table.chances(dataset))


def _gain(score: Score, belief: FiniteBelief, dataset: int, before: Amount, chances: tuple[Fraction, ...]) -> Amount:
    if not any(chances[place] for place in belief.support()):
        return ZERO
    return before.minus(score.of(belief.updated(chances), dataset))


def beyond(gains: tuple[Amount, ...], chances: tuple[Fraction, ...], kappa: float) -> Fraction:
    """The probability of a gain above kappa."""
    return sum((p for gain, p in zip(gains, chances, strict=True) if gain.exceeds(kappa)), Fraction(0))


def smallest(gains: tuple[Amount, ...], chances: tuple[Fraction, ...], delta: Fraction) -> Amount:
    """The smallest kappa >= 0 that the gain exceeds with probability delta or less."""
    above, remaining = Fraction(0), [place for place, gain in enumerate(gains) if gain > ZERO]
    while remaining:
        top = max(remaining, key=lambda place: gains[place])
        above += chances[top]
        if above > delta:
            return gains[top]
        remaining.remove(top)
    return ZERO
