"""Persuasive privacy: whether every score, dataset and prior keeps its gain below kappa, except with probability delta.

Differential privacy is the case of priors on two neighbours and the log score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from numpy.typing import ArrayLike

from whit.curves import Promise, largest_loss
from whit.errors import require
from whit.numerics import doubles_around, probability
from whit.persuasion.amount import Amount, log_ratio
from whit.persuasion.beliefs import AnyBelief, NeighbouringBeliefs, PriorClass, Priors, TheseBeliefs, class_of, limit
from whit.persuasion.relative import EXCESS, RELATIVE_SCORE, TableLike, beyond, smallest, table_of
from whit.persuasion.scores import LogProbability, Score
from whit.persuasion.search import Bounds, LowerBound, Measure, Worst, furthest, worst_of
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit, echo

PROBABILISTIC_DELTA = Quantity("probability that the privacy loss exceeds epsilon", Unit.PROBABILITY)

Scores: TypeAlias = Score | Sequence[Score] | None
"""One score, several, or None for the negative log probability."""


class PromiseStatus(Enum):
    """What can be said of a promise of persuasive privacy."""

    YES = "it is kept"
    NO = "it is broken"
    NOT_REFUTED = "no prior that breaks it was found, which proves nothing"


@dataclass(frozen=True)
class WorstCase:
    """A number over all scores, datasets and priors, and where it is worst."""

    value: Finding
    worst: Worst

    def __str__(self) -> str:
        worst = self.worst
        return f"{self.value}; worst for {worst.score} on dataset {worst.dataset} with prior {worst.prior}"


@dataclass(frozen=True)
class Verdict:
    """Whether a mechanism is private, the smallest delta at this kappa, and where it is worst; true if it is proved."""

    answer: PromiseStatus
    delta: Finding
    worst: Worst

    def __bool__(self) -> bool:
        return self.answer is PromiseStatus.YES


def satisfies(
    mechanism: TableLike, *, kappa: float, delta: float = 0.0, priors: Priors = None, scores: Scores = None
) -> Verdict:
    """Whether, for each score, dataset and prior, the relative score exceeds kappa with probability delta or less.

    The priors are all those on two neighbours, and the score the negative log probability, if none are given.

    >>> from whit.mechanisms import Finite
    >>> satisfies(Finite([0.75, 0.25], [0.25, 0.75]), kappa=1.1).answer
    <PromiseStatus.YES: 'it is kept'>
    """
    chance = Fraction(probability("delta", delta, "Use a small number such as 1e-6."))
    bounds, value = _excess(mechanism, kappa, priors, scores)
    status = PromiseStatus.NOT_REFUTED
    if bounds.lower.rational > chance:
        status = PromiseStatus.NO
    elif value.proved and isinstance(bounds, Bounds) and bounds.upper.rational <= chance:
        status = PromiseStatus.YES
    return Verdict(status, value, bounds.worst)


def smallest_delta(mechanism: TableLike, kappa: float, *, priors: Priors = None, scores: Scores = None) -> WorstCase:
    """The smallest delta with which the mechanism is private at kappa, and where it is worst.

    >>> from whit.mechanisms import Finite
    >>> print(smallest_delta(Finite([0.75, 0.25], [0.25, 0.75]), 1.0).value)
    probability that the relative privacy score exceeds the limit is exactly 75 %
    """
    bounds, value = _excess(mechanism, kappa, priors, scores)
    return WorstCase(value, bounds.worst)


def smallest_kappa(
    mechanism: TableLike, delta: float = 0.0, *, priors: Priors = None, scores: Scores = None
) -> WorstCase:
    """The smallest kappa with which the mechanism is private at delta, and where it is worst.

    >>> from whit.mechanisms import Finite
    >>> print(smallest_kappa(Finite([0.75, 0.25], [0.25, 0.75])).value)
    relative privacy score is 1.1 (rounded up)
    """
    chance = Fraction(probability("delta", delta, "Use a small number such as 1e-6."))
    measure = partial(smallest, delta=chance)
    bounds, value = _over_all(mechanism, RELATIVE_SCORE, measure, priors, scores, delta=delta)
    return WorstCase(value, bounds.worst)


def side_by_side(
    mechanism: TableLike, scores: Sequence[Score], delta: float = 0.0, *, priors: Priors = None
) -> dict[str, WorstCase]:
    """The smallest kappa under each of several scores, by the name of the score."""
    return {score.name: smallest_kappa(mechanism, delta, priors=priors, scores=score) for score in _scores(scores)}


def probabilistic_delta(mechanism: TableLike, epsilon: float, *, sides: int = 1) -> Finding:
    """The smallest delta of probabilistic differential privacy at epsilon, in exact arithmetic.

    One-sided it is the delta of persuasive privacy for priors on two neighbours and the log score. Two-sided, outputs
    whose loss is below -epsilon count as well; it is at most larger by the factor 1 + e^(-epsilon).

    >>> from whit.mechanisms import Finite
    >>> print(probabilistic_delta(Finite([0.75, 0.25], [0.25, 0.75]), 1.0, sides=2))
    probability that the privacy loss exceeds epsilon is exactly 100 %
    """
    require(sides in (1, 2), name="sides", rule="must be 1 or 2", value=sides, way_out="Use 2 to count drops as well.")
    bound, table, largest = limit("epsilon", epsilon), table_of(mechanism), Fraction(0)
    for truth, other in table.neighbours():
        pairs = list(zip(table.rows[truth], table.rows[other], strict=True))
        above = sum((p for p, q in pairs if p > 0 and log_ratio(p, q).exceeds(bound)), Fraction(0))
        below = sum((p for p, q in pairs if p > 0 and q > 0 and log_ratio(q, p).exceeds(bound)), Fraction(0))
        largest = max(largest, above + (below if sides == 2 else 0))
    lower, upper = doubles_around(largest)
    inputs: dict[str, Tree] = {"mechanism": repr(mechanism), "epsilon": epsilon, "sides": sides}
    basis = Basis.of("persuasion-probabilistic") | (Basis.of("far-side") if sides == 2 else Basis())
    return Finding(PROBABILISTIC_DELTA, upper, Direction.EXACTLY, inputs, basis, lower)


def kappa_of_promise(promise: Promise, failure: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
    """The kappa that a promise or mechanism keeps at delta = failure, for priors on two neighbours and the log score.

    >>> from whit.guarantees import PureDP
    >>> print(kappa_of_promise(PureDP(1.0), 0.0))
    relative privacy score is at most 1
    """
    loss = largest_loss(promise, failure, sides=1, neighbours=neighbours)
    basis = loss.basis | Basis.of("persuasion-probabilistic")
    return Finding(RELATIVE_SCORE, loss.value, loss.direction, loss.inputs, basis)


def _excess(mechanism: TableLike, kappa: float, priors: Priors, scores: Scores) -> tuple[LowerBound, Finding]:
    """The largest probability of a gain above kappa."""
    most = limit("kappa", kappa)
    return _over_all(
        mechanism, EXCESS, lambda gains, chances: Amount(beyond(gains, chances, most)), priors, scores, kappa=kappa
    )


def _over_all(
    mechanism: TableLike, quantity: Quantity, measure: Measure, priors: Priors, scores: Scores, **more: float
) -> tuple[LowerBound, Finding]:
    """The worst over the scores, with the name of the one that reaches furthest, and the number with its direction.

    The number is an interval where both sides are proved, else at least what was reached.
    """
    table = table_of(mechanism)
    chosen = class_of(NeighbouringBeliefs() if priors is None else priors, len(table.rows))
    listed = _scores(scores)
    found = [worst_of(table, score, chosen, measure) for score in listed]
    best, uppers = furthest(found), [each.upper for each in found if isinstance(each, Bounds)]
    best = best.below(max(uppers)) if len(uppers) == len(found) else LowerBound(best.lower, best.worst)
    names = [score.name for score in listed]
    inputs: dict[str, Tree] = {"mechanism": repr(mechanism), "priors": repr(chosen), "scores": echo(names), **more}
    lower, basis = best.lower.bracket()[0], _basis(chosen, listed)
    if isinstance(chosen, TheseBeliefs) and chosen.estimated:
        return best, Finding(quantity, lower, Direction.ABOUT, inputs, basis)
    if isinstance(best, Bounds):
        return best, Finding(quantity, best.upper.bracket()[1], Direction.EXACTLY, inputs, basis, lower)
    return best, Finding(quantity, lower, Direction.AT_LEAST, inputs, basis)


def _scores(scores: Scores) -> tuple[Score, ...]:
    if scores is None:
        return (LogProbability(),)
    listed = tuple(scores) if isinstance(scores, list | tuple) else (scores,)
    good = len(listed) > 0 and all(isinstance(score, Score) for score in listed)
    way_out = "Give a score such as LogProbability(), or a list of them."
    require(good, name="scores", rule="must be one score or several", value=scores, way_out=way_out)
    return listed


def _basis(priors: PriorClass, scores: tuple[Score, ...]) -> Basis:
    logs = [isinstance(score, LogProbability) for score in scores]
    keys = ["relative-privacy"]
    if isinstance(priors, NeighbouringBeliefs):
        keys += ["persuasion-probabilistic"] if any(logs) else []
        keys += [] if all(logs) else ["two-point-scores"]
    elif isinstance(priors, AnyBelief) and any(logs):
        keys.append("any-belief-log")
    return Basis.of(*keys)
