"""The losses of releases, in the forms that recommendations need: with certainty, by the profile, and as tails."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from whit.curves import ComposedLoss, Curve, FinitePair, Order, two_sided_tail
from whit.guarantees import Known, Promise, PureDP
from whit.numerics import add_up, up
from whit.semantics import LARGEST_LOSS, Promised, curve_between, largest_loss, sum_of_largest
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Tree

FAR = 1e6
"""A loss that may exceed this is taken to have no bound."""


def sure_loss(promised: Promised, relation: Neighbours) -> Finding:
    """The loss that is never exceeded: the epsilon at which delta is 0; infinite where there is none."""
    inputs: dict[str, Tree] = {"promise": repr(promised), "failure": 0.0, "neighbours": relation.name}
    if isinstance(promised, PureDP):
        epsilon = promised.under(relation).stated_epsilon
        return Finding(LARGEST_LOSS, epsilon, Direction.AT_MOST, inputs, Basis.of("pure-is-probabilistic"))
    found = _never_exceeded(curve_between(promised, relation))
    return Finding(LARGEST_LOSS, found.value, found.direction, inputs, found.basis)


@lru_cache(maxsize=64)
def _never_exceeded(curve: Curve) -> Finding:
    """The epsilon at which delta is 0; infinite, which is never wrong, if there is none in reach."""
    if isinstance(curve.face, FinitePair):
        return _finite(curve, curve.face)
    if isinstance(curve.face, ComposedLoss):
        return _summed(curve, curve.face)
    beyond = curve.log_delta(FAR).worst
    if not np.isneginf(beyond.value):
        return replace(beyond, value=math.inf)
    return curve.epsilon(0.0).worst


def _finite(curve: Curve, pair: FinitePair) -> Finding:
    """The largest of finitely many losses, in either order."""
    surely = np.isneginf(pair.log_infinity) and np.isneginf(pair.log_missing)
    most = float(add_up(np.max(np.abs(pair.losses)), pair.loss_error)) if surely else math.inf
    side = Direction.combine(curve.direction, Direction.AT_MOST)
    return Finding(LARGEST_LOSS, most, side, {"curve": repr(curve)}, curve.basis)


def _summed(curve: Curve, loss: ComposedLoss) -> Finding:
    """The sum of the largest losses of the parts."""
    side = Direction.combine(curve.direction, Direction.AT_MOST)
    return Finding(LARGEST_LOSS, sum_of_largest(loss), side, {"curve": repr(curve)}, curve.basis)


@lru_cache(maxsize=64)
def _exceeded(promised: Promise | Curve, failure: float) -> Finding:
    return largest_loss(promised, failure)


def mixed_loss(promised: Promised, failure: float, relation: Neighbours) -> Finding:
    """The loss between neighbours in a form that stays true of adversaries who do not know the other records.

    They compare mixtures of the laws of the output. A bound by the profile survives that, the tail of a mechanism's own
    loss need not.
    """
    sure = sure_loss(promised, relation)
    if failure == 0.0:
        return sure
    kept = isinstance(promised, Promise) and promised.properties.convex.known is Known.YES
    asked = promised.under(relation) if isinstance(promised, Promise) and kept else _by_profile(promised, relation)
    found = _exceeded(asked, failure)
    return replace(found, value=np.asarray(np.minimum(found.value, sure.value)))


def mixed_tail(promised: Promised, loss: float, relation: Neighbours) -> float:
    """An upper bound on the probability that the loss exceeds a number, in the same form; for the search."""
    if isinstance(promised, Promise) and promised.properties.convex.known is Known.YES:
        return tail_beyond(promised, loss, 1, relation)
    return tail_beyond(_by_profile(promised, relation), loss, 1, relation)


def tail_beyond(promised: Promised, loss: float, sides: int, relation: Neighbours) -> float:
    """An upper bound on the probability that the loss exceeds a number, on one side or on both; for the search."""
    if isinstance(promised, Promise):
        restated = promised.under(relation)
        return float(restated.tail(loss) if sides == 1 else restated.two_sided_tail(loss))
    curve = curve_between(promised, relation)
    if curve.order is Order.PROFILE:
        far = math.exp(-loss) if sides == 2 else 0.0
        return min(float(up(float(curve.tail_from_profile(loss).worst) * (1 + far), 4)), 1.0)
    return float((curve.tail(loss) if sides == 1 else two_sided_tail(curve, loss)).worst)


def _by_profile(promised: Promised, relation: Neighbours) -> Curve:
    """The curve of a release, as a bound on the profile alone."""
    curve = curve_between(promised, relation)
    return replace(curve, order=Order.PROFILE, direction=Direction.combine(curve.direction, Direction.AT_MOST))
