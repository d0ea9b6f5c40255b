"""One promise in the words of every kind: its epsilon, delta, rho, mu, Rényi divergence and power, in one table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from whit.assessment.assess import answered
from whit.curves import Promise, require_promise, sure_loss
from whit.errors import Unreachable
from whit.guarantees import ZeroConcentratedDP, convert
from whit.setting import Neighbours
from whit.theory import Answer, Direction, Finding, Quantity, Unit, number_text

RHO = Quantity("rho", Unit.NUMBER)


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

    >>> from whit.mechanisms import Gaussian
    >>> print(views(Gaussian(2.0))["mu"])
    mu of the covering Gaussian curve is exactly 0.5
    """
    require_promise(promise)
    asked: dict[str, Callable[[], Finding]] = {
        "epsilon": lambda: _finite(sure_loss(promise, neighbours), promise, "epsilon without a delta"),
        f"epsilon at delta {_plain(delta)}": lambda: promise.epsilon(delta, neighbours=neighbours),
        f"delta at epsilon {_plain(epsilon)}": lambda: promise.delta(epsilon, neighbours=neighbours),
        "rho": lambda: _rho(promise, neighbours),
        "mu": lambda: _finite(promise.covering_mu(neighbours=neighbours), promise, "mu"),
        **{
            f"Rényi divergence of order {order:g}": partial(promise.renyi, order, neighbours=neighbours)
            for order in orders
        },
        f"power at level {_plain(level)}": lambda: promise.power(level, neighbours=neighbours),
    }
    return {name: answered(ask) for name, ask in asked.items()}


def _plain(value: float) -> str:
    return number_text(value, Direction.EXACTLY, Unit.NUMBER, digits=6)


def _finite(found: Finding, promise: Promise, name: str) -> Finding:
    if found.largest < math.inf:
        return found
    raise Unreachable(name, "does not follow from what is known", promise, "Ask for epsilon with a delta.")


def _rho(promise: Promise, neighbours: Neighbours | None) -> Finding:
    found = convert(promise, to=ZeroConcentratedDP, neighbours=neighbours)
    assert isinstance(found.result, ZeroConcentratedDP)  # as asked
    # What is stated by its rho rests on what its curve does.
    basis = found.basis if found.path else promise.curve(neighbours).basis
    return Finding(RHO, found.result.rho, Direction.AT_MOST, {"promise": promise}, basis)
