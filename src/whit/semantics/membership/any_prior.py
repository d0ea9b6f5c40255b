"""What holds whatever the prior: the largest ratio, the largest difference and the ratio of the odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise
from whit.numerics import Bracket, up
from whit.semantics.membership.bounds import two_sided
from whit.semantics.membership.question import inputs, proved_loss
from whit.setting import Neighbours
from whit.theory import Basis, Finding, Quantity, Unit

LARGEST_RATIO = Quantity("ratio of posterior and prior probability at any prior", Unit.NUMBER)
LARGEST_DIFFERENCE = Quantity("posterior minus prior probability at any prior", Unit.NUMBER)
ODDS_RATIO = Quantity("ratio of posterior and prior odds", Unit.NUMBER)

# The error allowed to numpy's tanh, in doubles.
_TANH_ULPS = 4


def largest_ratio(
    promise: Promise, *, failure: ArrayLike = 0.0, sides: int = 1, neighbours: Neighbours | None = None
) -> Finding:
    """The largest factor by which the probability of the truth can rise, e^t; with `sides=2` also the smallest, e^-t.

    >>> from whit.guarantees import PureDP
    >>> print(largest_ratio(PureDP(1.0), sides=2))
    ratio of posterior and prior probability at any prior is between 0.367 and 2.72
    """
    loss = proved_loss(promise, failure, sides, neighbours)
    ends = _factors(loss)
    return _answer(LARGEST_RATIO, loss, ends, Basis.of("ratio-bounds"), promise, failure, sides, neighbours)


def largest_difference(
    promise: Promise, *, failure: ArrayLike = 0.0, sides: int = 1, neighbours: Neighbours | None = None
) -> Finding:
    """The most by which the probability of the truth can rise, tanh(t / 4); with `sides=2` also the most it can fall.

    >>> from whit.guarantees import PureDP
    >>> print(largest_difference(PureDP(1.0)))
    posterior minus prior probability at any prior is at most 0.245
    """
    loss = proved_loss(promise, failure, sides, neighbours)
    change = largest_change(np.asarray(loss.value))
    basis = Basis.of("difference-bounds")
    return _answer(LARGEST_DIFFERENCE, loss, (-change, change), basis, promise, failure, sides, neighbours)


def odds_ratio(
    promise: Promise, *, failure: ArrayLike = 0.0, sides: int = 1, neighbours: Neighbours | None = None
) -> Finding:
    """The largest factor by which the odds of the truth can rise, e^t, at every prior; with `sides=2` also e^-t.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> print(odds_ratio(ZeroConcentratedDP(0.07), failure=0.01))
    ratio of posterior and prior odds is at most 3.34
    """
    loss = proved_loss(promise, failure, sides, neighbours)
    basis = Basis.of("posterior-odds", "posterior-bounds")
    return _answer(ODDS_RATIO, loss, _factors(loss), basis, promise, failure, sides, neighbours)


def largest_change(t: Array) -> Array:
    """tanh(t / 4), rounded up."""
    return np.where(t == 0.0, 0.0, np.minimum(up(np.tanh(t / 4), _TANH_ULPS), 1.0))


def _factors(loss: Finding) -> tuple[Array, Array]:
    """e^-t rounded down and e^t rounded up."""
    t = np.asarray(loss.value)
    return Bracket.exact(-t).exp().lower, Bracket.exact(t).exp().upper


def _answer(
    quantity: Quantity,
    loss: Finding,
    ends: tuple[Array, Array],
    basis: Basis,
    promise: Promise,
    failure: ArrayLike,
    sides: int,
    neighbours: Neighbours | None,
) -> Finding:
    """The upper end, or both."""
    came_from = {**inputs(promise, neighbours, failure=failure), "sides": sides}
    if sides == 1:
        return Finding(quantity, ends[1], loss.direction, came_from, loss.basis | basis)
    return two_sided(quantity, ends[0], ends[1], loss, came_from, basis)
