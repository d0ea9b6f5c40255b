"""Differential privacy as persuasion: priors on two neighbours and the log score."""

from __future__ import annotations

from fractions import Fraction

from numpy.typing import ArrayLike

from whit.curves import Promise, largest_loss
from whit.errors import require
from whit.numerics import doubles_around
from whit.persuasion.amount import Amount
from whit.persuasion.beliefs import limit
from whit.persuasion.classes import Tabled, table_of
from whit.persuasion.relative import RELATIVE_SCORE
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit

PROBABILISTIC_DELTA = Quantity("probability that the loss exceeds epsilon", Unit.PROBABILITY)


def probabilistic_delta(mechanism: Tabled, epsilon: float, *, sides: int = 1) -> Finding:
    """The smallest delta of probabilistic differential privacy at epsilon, in exact arithmetic.

    One-sided it is the delta of persuasive privacy for priors on two neighbours and the log score. Two-sided, outputs
    whose loss is below -epsilon count as well; it is at most larger by the factor 1 + e^(-epsilon).

    >>> from whit.mechanisms import Finite
    >>> print(probabilistic_delta(Finite([0.75, 0.25], [0.25, 0.75]), 1.0, sides=2))
    probability that the loss exceeds epsilon is exactly 100 %
    """
    require(sides in (1, 2), name="sides", rule="must be 1 or 2", value=sides, way_out="Use 2 to count drops as well.")
    bound, table, largest = limit("epsilon", epsilon), table_of(mechanism), Fraction(0)
    for truth, other in table.neighbours():
        pairs = list(zip(table.rows[truth], table.rows[other], strict=True))
        above = sum((p for p, q in pairs if p > 0 and _exceeds(p, q, bound)), Fraction(0))
        below = sum((p for p, q in pairs if p > 0 and q > 0 and _exceeds(q, p, bound)), Fraction(0))
        largest = max(largest, above + (below if sides == 2 else 0))
    lower, upper = doubles_around(largest)
    inputs: dict[str, Tree] = {"mechanism": repr(mechanism), "epsilon": epsilon, "sides": sides}
    basis = Basis.of("persuasion-probabilistic") | (Basis.of("far-side") if sides == 2 else Basis())
    return Finding(PROBABILISTIC_DELTA, upper, Direction.EXACTLY, inputs, basis, lower)


def promised_kappa(promised: Promise, failure: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
    """The kappa that a promise or mechanism keeps at delta = failure, for priors on two neighbours and the log score.

    >>> from whit.guarantees import PureDP
    >>> print(promised_kappa(PureDP(1.0), 0.0))
    relative privacy score is at most 1
    """
    loss = largest_loss(promised, failure, sides=1, neighbours=neighbours)
    basis = loss.basis | Basis.of("persuasion-probabilistic")
    return Finding(RELATIVE_SCORE, loss.value, loss.direction, loss.inputs, basis)


def _exceeds(p: Fraction, q: Fraction, epsilon: float) -> bool:
    return (Amount(log_of=p / q) if q > 0 else Amount(sign=1)).exceeds(epsilon)
