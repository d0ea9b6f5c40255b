"""Several releases together, and what becomes of a release: by the receiver's hand, and by the sender's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, NotImplied, require
from whit.numerics import add_up, probability
from whit.persuasion.beliefs import FiniteBelief, NeighbouringBeliefs, PriorClass, Priors, TheseBeliefs, class_of
from whit.persuasion.definition import Scores, smallest_delta, smallest_kappa
from whit.persuasion.relative import RELATIVE_SCORE, Table, TableLike, table_of
from whit.theory import Basis, Direction, Failure, Finding, Randomness, Tree, echo

Channel = Sequence[Sequence[Any]] | NDArray[np.float64]

_CHANNEL = "Give one row for each outcome, with the probabilities of what becomes of it."
_SECOND = "Give one second mechanism, or a list with one for each outcome of the first."


@dataclass(frozen=True)
class Conjugacy:
    """Whether each posterior of a class is again in the class, and the prior and outcome that lead out of it."""

    closed: bool
    exception: str


def conjugacy(mechanism: TableLike, priors: PriorClass | FiniteBelief) -> Conjugacy:
    """Whether the class of priors is closed under updating by the mechanism.

    Priors on two neighbours are, up to certainty: an outcome that excludes one of the two leaves a belief that is
    certain of the other. A certain belief has nothing to gain, so this exception does no harm.
    """
    table = table_of(mechanism)
    chosen = class_of(priors, len(table.rows))
    if isinstance(chosen, TheseBeliefs):
        return _of_list(table, chosen)
    if isinstance(chosen, NeighbouringBeliefs):
        for truth, other in table.neighbours():
            for outcome in table.possible(truth):
                if table.rows[other][outcome] == 0:
                    return Conjugacy(True, f"outcome {outcome} makes a prior on {truth} and {other} certain of {truth}")
    return Conjugacy(True, "")


def jointly(first: TableLike, second: TableLike | Sequence[TableLike]) -> Table:
    """Both outcomes as one: the second mechanism is one, or one for each outcome of the first.

    >>> jointly(Table([[0.5, 0.5], [1.0, 0.0]], [(0, 1)]), Table([[0.25, 0.75], [0.5, 0.5]]))
    Table of 2 datasets and 4 outcomes
    """
    one = table_of(first)
    seconds = _seconds(one, second)
    rows = [
        [p * q for p, second_table in zip(row, seconds, strict=True) for q in second_table.rows[dataset]]
        for dataset, row in enumerate(one.rows)
    ]
    return Table(rows, one.edges)


def composed_kappa(
    first: TableLike,
    second: TableLike | Sequence[TableLike],
    *,
    deltas: tuple[float, float] = (0.0, 0.0),
    priors: Priors = None,
    scores: Scores = None,
) -> Finding:
    """A kappa for both mechanisms together, at the sum of the deltas: the sum of the kappas of each.

    Refused if a posterior after the first is not among the priors, since then the second was never asked about it.

    >>> from whit.mechanisms import Finite
    >>> print(composed_kappa(Finite([0.75, 0.25], [0.25, 0.75]), Finite([0.75, 0.25], [0.25, 0.75])))
    relative privacy score is at most 2.2
    """
    one, chosen = table_of(first), NeighbouringBeliefs() if priors is None else priors
    closed = conjugacy(one, chosen)
    if not closed.closed:
        rule = "must hold every posterior after the first release, if releases are to be added up"
        raise NotImplied("the class of priors", rule, closed.exception, "Add the posteriors, or assess both jointly.")
    require(len(deltas) == 2, name="deltas", rule="must be two numbers", value=deltas, way_out="Use (0, 1e-6).")
    chances = [probability("deltas", delta, "Use two small numbers such as (0, 1e-6).") for delta in deltas]

    def kappa(mechanism: Table, delta: float) -> float:
        return float(smallest_kappa(mechanism, delta, priors=chosen, scores=scores).value.upper_bound())

    start = kappa(one, chances[0])
    follow = max(kappa(Table(each.rows, one.edges), chances[1]) for each in dict.fromkeys(_seconds(one, second)))
    inputs: dict[str, Tree] = {"first": repr(first), "second": repr(second), "deltas": echo(chances)}
    failure = Failure(min(float(add_up(*chances)), 1.0), Randomness.MECHANISM)
    basis = Basis.of("persuasion-composition", "relative-privacy") | Basis(failures=(failure,))
    total = float(add_up(start, follow))
    return Finding(RELATIVE_SCORE, total, Direction.AT_MOST, {**inputs, "priors": repr(chosen)}, basis)


def with_receiver(mechanism: TableLike, channel: Channel) -> Table:
    """The outcome together with what the receiver makes of it: nothing new is learnt from it."""
    table, rows = table_of(mechanism), _channel(mechanism, channel)
    joint = [[p * q for p, chances in zip(row, rows, strict=True) for q in chances] for row in table.rows]
    return Table(joint, table.edges)


def by_sender(mechanism: TableLike, channel: Channel) -> Table:
    """What the sender makes of the outcome, alone: a guarantee with a delta above 0 need not survive."""
    table, rows = table_of(mechanism), _channel(mechanism, channel)
    columns = list(zip(*rows, strict=True))
    processed = [[sum(map(mul, row, column), Fraction(0)) for column in columns] for row in table.rows]
    return Table(processed, table.edges)


def processed_delta(
    mechanism: TableLike, channel: Channel, kappa: float, *, priors: Priors = None, scores: Scores = None
) -> tuple[Finding, Finding]:
    """The smallest delta at kappa if the outcome and its processing are published, and if the processing alone is.

    The first is that of the mechanism itself. The second may be larger.
    """

    def delta(published: Table, key: str) -> Finding:
        value = smallest_delta(published, kappa, priors=priors, scores=scores).value
        return replace(value, basis=value.basis | Basis.of(key))

    joint = delta(with_receiver(mechanism, channel), "receiver-post-processing")
    return joint, delta(by_sender(mechanism, channel), "sender-post-processing")


def _of_list(table: Table, priors: TheseBeliefs) -> Conjugacy:
    known = {belief.weights for belief in priors.beliefs}
    for belief in priors.beliefs:
        for outcome in range(table.outcomes):
            chances = table.column(outcome)
            reached = any(chances[place] for place in belief.support())
            if reached and belief.updated(chances).weights not in known:
                return Conjugacy(False, f"outcome {outcome} takes {belief} out of the class")
    return Conjugacy(True, "")


def _seconds(first: Table, second: object) -> list[Table]:
    listed = list(second) if isinstance(second, list | tuple) else [second] * first.outcomes
    rule = f"must be one mechanism, or {first.outcomes} of them, about the same {len(first.rows)} datasets"
    tables = [table_of(each) for each in listed]
    fits = len(tables) == first.outcomes and all(len(each.rows) == len(first.rows) for each in tables)
    require(fits, name="second", rule=rule, value=f"{len(tables)} mechanisms", way_out=_SECOND)
    return tables


def _channel(mechanism: TableLike, channel: Channel) -> tuple[tuple[Fraction, ...], ...]:
    outcomes = table_of(mechanism).outcomes
    if not isinstance(channel, list | tuple | np.ndarray) or len(channel) != outcomes:
        raise InvalidInput("channel", f"must be a table with {outcomes} rows, one for each outcome", channel, _CHANNEL)
    return Table(channel).rows
