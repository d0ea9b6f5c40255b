"""Two tails that are easily taken for one another (theorem pbdp-is-the-tail-from-the-profile).

How often is the loss of an output beyond a threshold? The mechanism's own tail answers for the output as it stands.
Whoever processes the output further may get a more telling verdict more often than that; the tail that is proof
against processing answers for every function of the output. It is the delta of pbdp, and never the smaller one.
"""

from __future__ import annotations

from dataclasses import replace

from numpy.typing import ArrayLike

from whit.curves import ComposedLoss, Promise, require_promise
from whit.errors import NotImplied
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Unit

PROCESSING_PROOF_TAIL = Quantity(
    "probability with which processing can raise the odds beyond the loss", Unit.PROBABILITY
)
OWN_TAIL = Quantity("probability with which the output itself raises the odds beyond the loss", Unit.PROBABILITY)


def processing_proof_tail(promise: Promise, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
    """The largest probability with which a function of the output raises the odds by more than e^loss, at each loss.

    >>> from whit.mechanisms import Gaussian
    >>> print(processing_proof_tail(Gaussian(1.0), 1.0))
    probability with which processing can raise the odds beyond the loss is 58.3 % (rounded up)
    """
    curve = require_promise(promise).curve(neighbours)
    dear = isinstance(curve.face, ComposedLoss) and curve.direction is not Direction.AT_LEAST
    if dear and not promise.is_stated:
        found = curve.tail_from_profile(losses)
    else:
        found = promise.bounded_delta(losses, neighbours=neighbours)
    basis = found.basis | Basis.of("pbdp-is-the-tail-from-the-profile")
    inputs = {"promise": promise, "losses": losses, "neighbours": promise.relation(neighbours)}
    return replace(found, quantity=PROCESSING_PROOF_TAIL, inputs=inputs, basis=basis)


def own_tail(promise: Promise, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
    """The probability with which the output as it stands raises the odds by more than e^loss, at each loss.

    >>> from whit.mechanisms import Gaussian
    >>> print(own_tail(Gaussian(1.0), 1.0))
    probability with which the output itself raises the odds beyond the loss is 30.9 % (rounded up)
    """
    curve = require_promise(promise).curve(neighbours)
    if promise.knows_tail(neighbours):
        found = promise.tail(losses, neighbours=neighbours)
    elif curve.direction is Direction.AT_LEAST:
        rule = "cannot be bounded by an audit, which knows tests and not the loss"
        way_out = "Ask processing_proof_tail, which it bounds from below."
        raise NotImplied("the tail of the loss", rule, curve.face, way_out)
    else:
        found = curve.tail_from_profile(losses)
    inputs = {"promise": promise, "losses": losses, "neighbours": promise.relation(neighbours)}
    return replace(found, quantity=OWN_TAIL, inputs=inputs)
