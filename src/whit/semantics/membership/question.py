"""What every question about beliefs has in common: the fact in doubt, the inputs, and the largest proved loss."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise, largest_loss, require_promise
from whit.errors import NotImplied, require
from whit.numerics import count
from whit.setting import Neighbours, failures, one_or_two, unmasked_probabilities
from whit.theory import Finding, Tree, echo

PRIOR_WAY_OUT = "Use the adversary's probability before the release, such as 0.5."

FACTS = {
    Neighbours.ADD_REMOVE: "that the person is in the data, or that they are not",
    Neighbours.REPLACE: "that the person's record is one of two given ones, or that it is the other",
    Neighbours.LOCAL: "that the record which the person holds is one of two given ones, or that it is the other",
}
"""What the prior and the posterior are about, under each relation: the fact or its opposite, whichever is true."""

OF_A_CURVE = "that the data are one of the two datasets that the curve compares, or that they are the other"

MOST_COUNTED = 2**53
"""From here on, a double cannot tell a number from the next."""

# Chances of failure that are offered where the one asked for gives nothing.
_OFFERED = np.array([1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9, 0.99])
_ELSE = "Use a promise that bounds the loss, such as pure differential privacy, or the mechanism itself."


def inputs(promise: Promise, neighbours: Neighbours | None, **numbers: ArrayLike) -> dict[str, Tree]:
    """What a finding came from: the promise, the relation, the fact in question and the numbers."""
    relation = require_promise(promise).relation(neighbours)
    return {
        "promise": echo(promise),
        "neighbours": echo(relation),
        "fact": OF_A_CURVE if relation is None else FACTS[relation],
        **{name: echo(value) for name, value in numbers.items()},
    }


def prior_array(prior: ArrayLike) -> Array:
    """Priors, 0 and 1 included."""
    return unmasked_probabilities("prior", prior, PRIOR_WAY_OUT)


def counted(name: str, value: object, way_out: str) -> int:
    """A whole number of at least 1 and at most 2^53.

    >>> counted("at_most", 10**400, "Use a number such as 365.")
    Traceback (most recent call last):
    whit.errors.InvalidInput: at_most must be a whole number of at most 2^53; got a larger one. Use a number such as
    365.
    """
    number = count(name, value, way_out)
    rule = "must be a whole number of at most 2^53"
    require(number <= MOST_COUNTED, name=name, rule=rule, value="a larger one", way_out=way_out)
    return number


def proved_loss(promise: Promise, failure: ArrayLike, sides: int, neighbours: Neighbours | None) -> Finding:
    """The largest loss except with the probability of failure; refused where a promise bounds none.

    An infinite loss of a mechanism is an answer: it has such losses.

    >>> from whit.guarantees import ApproxDP
    >>> proved_loss(ApproxDP(1.0, 1e-6), 0.0, 1, None)
    Traceback (most recent call last):
    whit.errors.NotImplied: the posterior is not bounded by this promise with a failure of 0 (not above its delta,
    1e-06); got ApproxDP(epsilon=1.0, delta=1e-06). Ask with failure=1e-05 or more.
    """
    chances = failures(failure)
    loss = largest_loss(promise, failure, sides=one_or_two(sides), neighbours=neighbours)
    nothing = np.isinf(loss.value)
    if not np.any(nothing) or promise.is_exact:
        return loss
    asked = float(np.max(chances[nothing]))
    rule = f"is not bounded by this promise with a failure of {asked:g}{_delta(promise, neighbours, asked)}"
    enough = np.isfinite(largest_loss(promise, _OFFERED, sides=sides, neighbours=neighbours).value)
    if not np.any(enough):
        raise NotImplied("the posterior", rule, promise, _ELSE, parameter="failure")
    suggested = {"failure": float(_OFFERED[enough][0])}
    way_out = "Ask with {failure} or more."
    raise NotImplied("the posterior", rule, promise, way_out, parameter="failure", suggested=suggested)


def _delta(promise: Promise, neighbours: Neighbours | None, asked: float) -> str:
    """The delta of the promise, where that is the reason."""
    delta = promise.stated_under(neighbours).get("delta")
    return f" (not above its delta, {delta:g})" if isinstance(delta, float) and asked <= delta else ""
