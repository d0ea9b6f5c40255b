"""Relative privacy: how much a release improves the score of a belief, and the law of that gain over the mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from whit.errors import InvalidInput
from whit.numerics import doubles_around, probability
from whit.persuasion.amount import ZERO, Amount
from whit.persuasion.beliefs import FiniteBelief, SampledBelief, limit
from whit.persuasion.classes import Table, Tabled, class_of, table_of
from whit.persuasion.scores import LogProbability, Score, require_score
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit

RELATIVE_SCORE = Quantity("relative privacy score", Unit.NUMBER)
EXCESS = Quantity("probability that the relative privacy score exceeds the limit", Unit.PROBABILITY)
AVERAGE_GAIN = Quantity("relative privacy score on average over the release", Unit.NUMBER)


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
        lower, upper = doubles_around(self.beyond(limit("kappa", kappa)))
        return self._told(EXCESS, lower, upper, {"kappa": kappa})

    def quantile(self, delta: float) -> Finding:
        """The smallest kappa of at least 0 that the gain exceeds with probability delta or less."""
        chance = probability("delta", delta, "Use a small number such as 1e-6.")
        lower, upper = smallest(self.gains, self.chances, Fraction(chance)).bracket()
        return self._told(RELATIVE_SCORE, lower, upper, {"delta": delta})

    def average(self) -> Finding:
        """The expected gain over the mechanism; infinite if one possible outcome has an infinite gain."""
        sums = [Fraction(0), Fraction(0)]
        for gain, chance in zip(self.gains, self.chances, strict=True):
            if gain.sign:
                value = gain.bracket()[0]
                return self._told(AVERAGE_GAIN, value, value, {})
            sums = [total + chance * Fraction(end) for total, end in zip(sums, gain.bracket(), strict=True)]
        return self._told(AVERAGE_GAIN, doubles_around(sums[0])[0], doubles_around(sums[1])[1], {})

    def _told(self, quantity: Quantity, lower: float, upper: float, more: dict[str, float]) -> Finding:
        inputs: dict[str, Tree] = {
            "score": self.score.name,
            "belief": repr(self.belief),
            "dataset": self.dataset,
            **more,
        }
        basis = Basis.of("relative-privacy")
        if isinstance(self.belief, SampledBelief):
            return Finding(quantity, upper, Direction.ABOUT, inputs, basis)
        return Finding(quantity, upper, Direction.EXACTLY, inputs, basis, lower)


def gain_law(mechanism: Tabled, belief: FiniteBelief, dataset: int, *, score: Score | None = None) -> GainLaw:
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
    mechanism: Tabled, belief: FiniteBelief, outcome: int, dataset: int, *, score: Score | None = None
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
    lower, upper = law.gains[law.outcomes.index(outcome)].bracket()
    return law._told(RELATIVE_SCORE, lower, upper, {"outcome": outcome})


def law_of(table: Table, score: Score, belief: FiniteBelief, dataset: int) -> GainLaw:
    """The law of the gain, without looking at the arguments; an outcome that the belief excludes leaves it as it is."""
    outcomes = tuple(table.possible(dataset))
    before = score.of(belief, dataset)
    gains = tuple(_gain(score, belief, dataset, before, table.column(outcome)) for outcome in outcomes)
    return GainLaw(score, belief, dataset, outcomes, gains, tuple(table.rows[dataset][each] for each in outcomes))


def _gain(score: Score, belief: FiniteBelief, dataset: int, before: Amount, chances: tuple[Fraction, ...]) -> Amount:
    if not any(chances[place] for place in belief.support()):
        return ZERO
    return before.minus(score.of(belief.updated(chances), dataset))


def beyond(gains: tuple[Amount, ...], chances: tuple[Fraction, ...], kappa: float) -> Fraction:
    """The probability of a gain above kappa."""
    return sum((p for gain, p in zip(gains, chances, strict=True) if gain.exceeds(kappa)), Fraction(0))


def smallest(gains: tuple[Amount, ...], chances: tuple[Fraction, ...], delta: Fraction) -> Amount:
    """The smallest kappa >= 0 that the gain exceeds with probability delta or less."""
    above, kappa = Fraction(0), ZERO
    remaining = list(range(len(gains)))
    while remaining:
        top = remaining[0]
        for place in remaining[1:]:
            top = place if gains[place].above(gains[top]) else top
        if not gains[top].above(ZERO):
            return kappa
        above += chances[top]
        if above > delta:
            return gains[top]
        remaining.remove(top)
    return kappa
