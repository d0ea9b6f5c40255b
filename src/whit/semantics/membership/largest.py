"""The largest loss that a promise allows, refused with a way out where it proves nothing."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Curve
from whit.errors import InvalidInput, NotImplied, require
from whit.guarantees import Promise
from whit.mechanisms import Release
from whit.numerics import probability_array
from whit.semantics.promised import Promised, largest_loss
from whit.setting import Neighbours
from whit.theory import Direction, Finding

PRIOR_WAY_OUT = "Use the adversary's probability before the release, such as 0.5."
FAILURE_WAY_OUT = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."

# Chances of failure that are offered where the one asked for gives nothing.
_OFFERED = np.array([1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9, 0.99])
_ELSE = "Use a promise that bounds the loss, such as PureDP(1.0), or the mechanism itself."


def prior_array(prior: ArrayLike) -> Array:
    """Priors, 0 and 1 included."""
    return _unmasked_probabilities("prior", prior, PRIOR_WAY_OUT)


def failure_array(failure: ArrayLike) -> Array:
    """Chances of failure, 0 and 1 included."""
    return _unmasked_probabilities("failure", failure, FAILURE_WAY_OUT)


def one_or_two(sides: object) -> int:
    """The number of sides."""
    if not isinstance(sides, bool) and isinstance(sides, Integral) and sides in (1, 2):
        return int(sides)
    raise InvalidInput("sides", "must be 1 or 2", sides, "Use 2 to bound drops as well.")


def proved_loss(promised: Promised, failure: ArrayLike, sides: int, neighbours: Neighbours | None) -> Finding:
    """The largest loss but for the failure: infinite for a mechanism that has such losses, refused for a promise.

    >>> from whit.guarantees import ApproxDP
    >>> proved_loss(ApproxDP(1.0, 1e-6), 0.0, 1, None)
    Traceback (most recent call last):
    whit.errors.NotImplied: the posterior is not bounded by this promise with a failure of 0 (not above its delta,
    1e-06); got ApproxDP(epsilon=1.0, delta=1e-06). Ask with failure=1e-05 or more.
    """
    failure_array(failure)
    loss = largest_loss(promised, failure, sides=one_or_two(sides), neighbours=neighbours)
    nothing = np.isinf(loss.value)
    if not np.any(nothing) or _is_exact(promised):
        return loss
    asked = float(np.max(np.asarray(failure, dtype=np.float64)[nothing]))
    rule = f"is not bounded by this promise with a failure of {asked:g}{_delta(promised, neighbours, asked)}"
    raise NotImplied("the posterior", rule, promised, _way_out(promised, sides, neighbours))


def _is_exact(promised: Promised) -> bool:
    """Whether an infinite loss is what the mechanism does, and not what is left unproved."""
    return isinstance(promised, Release) or (isinstance(promised, Curve) and promised.direction is Direction.EXACTLY)


def _delta(promised: Promised, neighbours: Neighbours | None, asked: float) -> str:
    """The delta of the promise, where that is the reason."""
    if not isinstance(promised, Promise):
        return ""
    restated = promised if neighbours is None else promised.under(neighbours)
    delta = restated.parameters.get("delta")
    return f" (not above its delta, {delta:g})" if isinstance(delta, float) and asked <= delta else ""


def _way_out(promised: Promised, sides: int, neighbours: Neighbours | None) -> str:
    """The smallest of the offered chances of failure with which there is an answer."""
    enough = np.isfinite(largest_loss(promised, _OFFERED, sides=sides, neighbours=neighbours).value)
    return f"Ask with failure={_OFFERED[enough][0]:g} or more." if np.any(enough) else _ELSE


def _unmasked_probabilities(name: str, values: ArrayLike, way_out: str) -> Array:
    """The probabilities; one that is masked is not known, and is refused."""
    whole = not np.any(getattr(values, "mask", False))  # np.ma.is_masked would load all of numpy.ma for this
    require(whole, name=name, rule="must have no masked values", value="a masked array", way_out=way_out)
    return probability_array(name, values, way_out)
