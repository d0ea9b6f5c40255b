"""One promise in the words of every kind: its epsilon, delta, rho, mu, Rényi divergence and power, in one table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from whit.assessment.assess import answered
from whit.curves import Promise, require_promise, sure_loss
from whit.errors import Unreachable
from whit.guarantees import GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP, convert
from whit.setting import Neighbours
from whit.theory import Answer, Direction, Finding, Quantity, Unit, number_text

SAME = 1e-9
"""Up to this share of it a number by another way differs by rounding alone."""


def views(
    promise: Promise,
    *,
    epsilon: float = 1.0,
    delta: float = 1e-6,
    orders: Sequence[float] = (2.0,),
    level: float = 0.05,
    neighbours: Neighbours | None = None,
) -> dict[str, Answer]:
    """The same promise as every kind has it, or a sentence where it has none.

    Each is the smaller of what the curve of the whole gives and what `convert` finds.

    >>> from whit.mechanisms import Gaussian
    >>> print(views(Gaussian(2.0))["mu"])
    mu of the covering Gaussian curve is exactly 0.5
    """
    require_promise(promise)
    by = partial(_by_conversion, promise, neighbours)
    asked: dict[str, list[Callable[[], Finding]]] = {
        "epsilon": [
            lambda: _sure_epsilon(promise, neighbours),
            lambda: by("epsilon", PureDP, lambda found: found.stated_epsilon),
        ],
        f"epsilon at delta {_plain(delta)}": [lambda: promise.epsilon(delta, neighbours=neighbours)],
        f"delta at epsilon {_plain(epsilon)}": [lambda: promise.delta(epsilon, neighbours=neighbours)],
        "rho": [lambda: by("rho", ZeroConcentratedDP, lambda found: found.rho)],
        "mu": [
            lambda: _finite(promise.covering_mu(neighbours=neighbours), promise, "mu"),
            lambda: by("mu", GaussianDP, lambda found: found.mu),
        ],
        **{f"Rényi divergence of order {order:g}": _divergence(promise, neighbours, order) for order in orders},
        f"power at level {_plain(level)}": [lambda: promise.power(level, neighbours=neighbours)],
    }
    return {name: _least(ways) for name, ways in asked.items()}


def _sure_epsilon(promise: Promise, neighbours: Neighbours | None) -> Finding:
    """The loss that is never exceeded: the epsilon at delta 0 itself where that is known exactly, else a bound."""
    bound = _finite(sure_loss(promise, neighbours), promise, "epsilon without a delta")
    found = promise.epsilon(0.0, neighbours=neighbours)
    return found if found.direction is Direction.EXACTLY and found.largest <= bound.largest * (1 + SAME) else bound


def _divergence(promise: Promise, neighbours: Neighbours | None, order: float) -> list[Callable[[], Finding]]:
    """The divergence of one order by both ways."""
    name = f"Rényi divergence of order {order:g}"
    return [
        lambda: promise.renyi(order, neighbours=neighbours),
        lambda: _by_conversion(promise, neighbours, name, RenyiDP, lambda found: found.orders[order], orders=[order]),
    ]


def _least(ways: Sequence[Callable[[], Finding]]) -> Answer:
    """The first answer unless it is no exact one, and a later one is smaller by more than rounding."""
    first, *others = ways
    found = answered(first)
    for other in others if found.worst is None or found.worst.direction is not Direction.EXACTLY else ():
        known, again = found.worst, answered(other)
        if again.worst is not None and (known is None or again.worst.largest < known.largest * (1 - SAME)):
            found = again
    return found


def _by_conversion(
    promise: Promise,
    neighbours: Neighbours | None,
    name: str,
    to: type[Guarantee],
    number: Callable[[Any], float],
    **free: Any,
) -> Finding:
    """The number of the best promise of a kind that follows."""
    found = convert(promise, to=to, neighbours=neighbours, **free)
    # What is stated by its own number rests on what its curve does.
    basis = found.basis if found.path else promise.curve(neighbours).basis
    inputs = {"promise": promise, "neighbours": promise.relation(neighbours)}
    return Finding(Quantity(name, Unit.NUMBER), number(found.result), Direction.AT_MOST, inputs, basis)


def _plain(value: float) -> str:
    return number_text(value, Direction.EXACTLY, Unit.NUMBER, digits=6)


def _finite(found: Finding, promise: Promise, name: str) -> Finding:
    if found.largest < math.inf:
        return found
    raise Unreachable(name, "does not follow from what is known", promise, "Ask for epsilon with a delta.")
