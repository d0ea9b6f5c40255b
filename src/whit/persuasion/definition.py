"""Persuasive privacy: whether every score, dataset and prior keeps its gain below kappa but for a probability delta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from whit.errors import require
from whit.numerics import probability
from whit.persuasion.amount import Amount
from whit.persuasion.beliefs import FiniteBelief, limit
from whit.persuasion.classes import AnyBelief, NeighbouringBeliefs, PriorClass, Tabled, TheseBeliefs, class_of, table_of
from whit.persuasion.relative import EXCESS, RELATIVE_SCORE, beyond, smallest
from whit.persuasion.scores import LogProbability, Score
from whit.persuasion.search import Found, Measure, Reached, Worst, worst_of
from whit.theory import Basis, Direction, Finding, Quantity, Tree, echo

_SCORES = "Give a score such as LogProbability(), or a list of them."


class Answer(Enum):
    """What can be said of a promise of persuasive privacy."""

    YES = "it is kept"
    NO = "it is broken"
    NOT_REFUTED = "no prior that breaks it was found, which proves nothing"


@dataclass(frozen=True)
class Assessed:
    """A number over all scores, datasets and priors, and where it is worst."""

    value: Finding
    worst: Worst

    def __str__(self) -> str:
        return (
            f"{self.value}; worst for {self.worst.score} on dataset {self.worst.dataset} with prior {self.worst.prior}"
        )


@dataclass(frozen=True)
class Verdict:
    """Whether a mechanism is private, the smallest delta at this kappa, and where it is worst; true if it is proved."""

    answer: Answer
    delta: Finding
    worst: Worst

    def __bool__(self) -> bool:
        return self.answer is Answer.YES


def satisfies(
    mechanism: Tabled,
    *,
    kappa: float,
    delta: float = 0.0,
    priors: PriorClass | FiniteBelief | None = None,
    scores: Score | Sequence[Score] | None = None,
) -> Verdict:
    """Whether, for each score, dataset and prior, the relative score exceeds kappa with probability delta or less.

    The priors are all those on two neighbours, and the score the negative log probability, if none are given.

    >>> from whit.mechanisms import Finite
    >>> satisfies(Finite([0.75, 0.25], [0.25, 0.75]), kappa=1.1).answer
    <Answer.YES: 'it is kept'>
    """
    chance = Fraction(probability("delta", delta, "Use a small number such as 1e-6."))
    found = _over_all(mechanism, _beyond(limit("kappa", kappa)), priors, scores)
    told = _told(EXCESS, found, {"kappa": kappa}, mechanism, priors, scores)
    return Verdict(_answer(found, chance, told), told, found.worst)


def smallest_delta(
    mechanism: Tabled,
    kappa: float,
    *,
    priors: PriorClass | FiniteBelief | None = None,
    scores: Score | Sequence[Score] | None = None,
) -> Assessed:
    """The smallest delta with which the mechanism is private at kappa, and where it is worst.

    >>> from whit.mechanisms import Finite
    >>> print(smallest_delta(Finite([0.75, 0.25], [0.25, 0.75]), 1.0).value)
    probability that the relative privacy score exceeds the limit is exactly 75 %
    """
    found = _over_all(mechanism, _beyond(limit("kappa", kappa)), priors, scores)
    return Assessed(_told(EXCESS, found, {"kappa": kappa}, mechanism, priors, scores), found.worst)


def smallest_kappa(
    mechanism: Tabled,
    delta: float = 0.0,
    *,
    priors: PriorClass | FiniteBelief | None = None,
    scores: Score | Sequence[Score] | None = None,
) -> Assessed:
    """The smallest kappa with which the mechanism is private at delta, and where it is worst.

    >>> from whit.mechanisms import Finite
    >>> print(smallest_kappa(Finite([0.75, 0.25], [0.25, 0.75])).value)
    relative privacy score is 1.1 (rounded up)
    """
    chance = Fraction(probability("delta", delta, "Use a small number such as 1e-6."))
    found = _over_all(mechanism, lambda gains, chances: smallest(gains, chances, chance), priors, scores)
    return Assessed(_told(RELATIVE_SCORE, found, {"delta": delta}, mechanism, priors, scores), found.worst)


def side_by_side(
    mechanism: Tabled,
    scores: Sequence[Score],
    delta: float = 0.0,
    *,
    priors: PriorClass | FiniteBelief | None = None,
) -> dict[str, Assessed]:
    """The smallest kappa under each of several scores, by the name of the score."""
    return {score.name: smallest_kappa(mechanism, delta, priors=priors, scores=score) for score in _scores(scores)}


def _beyond(kappa: float) -> Measure:
    return lambda gains, chances: Amount(beyond(gains, chances, kappa))


def _over_all(
    mechanism: Tabled,
    measure: Measure,
    priors: PriorClass | FiniteBelief | None,
    scores: Score | Sequence[Score] | None,
) -> Found | Reached:
    """The worst over the scores, of which the one that reaches furthest is named."""
    table = table_of(mechanism)
    chosen = class_of(NeighbouringBeliefs() if priors is None else priors, len(table.rows))
    found = [worst_of(table, score, chosen, measure) for score in _scores(scores)]
    top = found[0]
    for each in found[1:]:
        top = each if each.lower.above(top.lower) else top
    uppers = [each.upper for each in found if isinstance(each, Found)]
    if len(uppers) < len(found):
        return Reached(top.lower, top.worst)
    upper = uppers[0]
    for each_upper in uppers[1:]:
        upper = each_upper if each_upper.above(upper) else upper
    return Found(top.lower, upper, top.worst)


def _scores(scores: Score | Sequence[Score] | None) -> tuple[Score, ...]:
    if scores is None:
        return (LogProbability(),)
    listed = tuple(scores) if isinstance(scores, list | tuple) else (scores,)
    good = len(listed) > 0 and all(isinstance(score, Score) for score in listed)
    require(good, name="scores", rule="must be one score or several", value=scores, way_out=_SCORES)
    return listed


def _answer(found: Found | Reached, delta: Fraction, told: Finding) -> Answer:
    if told.direction is Direction.ABOUT:
        return Answer.NO if found.lower.rational > delta else Answer.NOT_REFUTED
    if found.lower.rational > delta:
        return Answer.NO
    kept = isinstance(found, Found) and found.upper.rational <= delta
    return Answer.YES if kept else Answer.NOT_REFUTED


def _told(
    quantity: Quantity,
    found: Found | Reached,
    more: dict[str, float],
    mechanism: Tabled,
    priors: PriorClass | FiniteBelief | None,
    scores: Score | Sequence[Score] | None,
) -> Finding:
    """The number with its direction: an interval where both sides are proved, else at least what was reached."""
    chosen = class_of(NeighbouringBeliefs() if priors is None else priors, len(table_of(mechanism).rows))
    names = [score.name for score in _scores(scores)]
    inputs: dict[str, Tree] = {"mechanism": repr(mechanism), "priors": repr(chosen), "scores": echo(names), **more}
    basis = _basis(chosen, _scores(scores))
    lower = found.lower.bracket()[0]
    if isinstance(chosen, TheseBeliefs) and chosen.estimated:
        return Finding(quantity, lower, Direction.ABOUT, inputs, basis)
    if isinstance(found, Reached):
        return Finding(quantity, lower, Direction.AT_LEAST, inputs, basis)
    return Finding(quantity, found.upper.bracket()[1], Direction.EXACTLY, inputs, basis, lower)


def _basis(priors: PriorClass, scores: tuple[Score, ...]) -> Basis:
    basis = Basis.of("relative-privacy")
    if isinstance(priors, NeighbouringBeliefs):
        by_log = any(isinstance(score, LogProbability) for score in scores)
        others = any(not isinstance(score, LogProbability) for score in scores)
        basis = basis | Basis.of("persuasion-probabilistic") if by_log else basis
        return basis | Basis.of("two-point-scores") if others else basis
    if isinstance(priors, AnyBelief) and any(isinstance(score, LogProbability) for score in scores):
        return basis | Basis.of("any-belief-log")
    return basis
