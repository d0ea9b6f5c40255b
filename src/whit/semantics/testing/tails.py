"""Two tails that are easily taken for one another (T10).

How often is the loss of an output beyond a threshold? The mechanism's own tail answers for the output as it stands.
Whoever processes the output further may get a more telling verdict more often than that; the tail that is proof
against processing answers for every function of the output. It is the delta of pbdp, and never the smaller one.
"""

from __future__ import annotations

from dataclasses import replace

from numpy.typing import ArrayLike

from whit.curves import ComposedLoss, Curve, Order
from whit.errors import NotImplied
from whit.guarantees import Promise, bounded_delta
from whit.semantics.promised import Promised, curve_between
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Interval, Quantity, Tree, Unit, echo

PROCESSING_PROOF_TAIL = Quantity(
    "probability with which processing can raise the odds beyond the loss", Unit.PROBABILITY
)
OWN_TAIL = Quantity("probability with which the output itself raises the odds beyond the loss", Unit.PROBABILITY)


def processing_proof_tail(
    promised: Promised, losses: ArrayLike, *, neighbours: Neighbours | None = None
) -> Finding | Interval:
    """The largest probability with which a function of the output raises the odds by more than e^loss, at each loss.

    >>> from whit.mechanisms import Gaussian
    >>> print(processing_proof_tail(Gaussian(1.0), 1.0))
    probability with which processing can raise the odds beyond the loss is 58.3 % (rounded up)
    """
    curve = curve_between(promised, neighbours)
    inputs: dict[str, Tree] = {"promise": echo(promised), "losses": echo(losses), "neighbours": echo(neighbours)}
    if isinstance(promised, Promise):
        found = (promised if neighbours is None else promised.under(neighbours)).bounded_delta(losses)
    elif isinstance(curve.face, ComposedLoss) and curve.direction is not Direction.AT_LEAST:
        found = curve.tail_from_profile(losses)
    else:
        found = bounded_delta(curve, losses)
    return _renamed(found, PROCESSING_PROOF_TAIL, inputs, Basis.of("pbdp-is-the-tail-from-the-profile"))


def own_tail(promised: Promised, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
    """The probability with which the output as it stands raises the odds by more than e^loss, at each loss.

    >>> from whit.mechanisms import Gaussian
    >>> print(own_tail(Gaussian(1.0), 1.0))
    probability with which the output itself raises the odds beyond the loss is 30.9 % (rounded up)
    """
    inputs: dict[str, Tree] = {"promise": echo(promised), "losses": echo(losses), "neighbours": echo(neighbours)}
    if isinstance(promised, Promise):
        stated = promised if neighbours is None else promised.under(neighbours)
        return _renamed(stated.tail(losses), OWN_TAIL, inputs, Basis())
    return _renamed(_of_curve(curve_between(promised, neighbours), losses), OWN_TAIL, inputs, Basis())


def _of_curve(curve: Curve, losses: ArrayLike) -> Finding | Interval:
    if curve.order is Order.LOSS:
        return curve.tail(losses)
    if curve.direction is Direction.AT_LEAST:
        rule = "cannot be bounded by an audit, which knows tests and not the loss"
        raise NotImplied(
            "the tail of the loss", rule, curve.face, "Ask processing_proof_tail, which it bounds from below."
        )
    return curve.tail_from_profile(losses)


def _renamed(
    found: Finding | Interval, quantity: Quantity, inputs: dict[str, Tree], basis: Basis
) -> Finding | Interval:
    """The same numbers under the name that they have here."""
    if isinstance(found, Finding):
        return replace(found, quantity=quantity, inputs=inputs, basis=found.basis | basis)
    parts = (
        replace(part, quantity=quantity, inputs=inputs, basis=part.basis | basis)
        for part in (found.lower, found.mid, found.upper)
    )
    return Interval(*parts)
