"""Rényi divergences of a pair, from the transform of its loss: log E_P[e^{sZ}] / s at the order 1 + s."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import contour
from whit.curves.composition import SMALLEST_MASS, kinds
from whit.curves.face import Array, Face, Orientation
from whit.curves.finite import FinitePair
from whit.curves.losses import SUMMED
from whit.curves.questions import oriented
from whit.errors import require
from whit.numerics import ULP, Bracket, logsumexp, real_array
from whit.theory import Quantity, Unit, from_curve

if TYPE_CHECKING:
    from whit.curves.curve import Curve

RENYI = Quantity("Rényi divergence", Unit.NUMBER)


@from_curve(RENYI, by="renyi-of-a-curve")
def renyi_divergence(curve: Curve, orders: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The Rényi divergence at each order above 1, in the worse order of the pair; at infinity the largest loss.

    >>> from whit.curves import Curve, LaplaceLoss
    >>> print(renyi_divergence(Curve.exact(LaplaceLoss(1.0)), 2.0))
    Rényi divergence is 0.62 (rounded up)
    """
    way_out = "Use orders such as 2, 8 and 32; infinity asks for the largest loss."
    alphas = real_array("orders", orders, way_out)
    require(bool(np.all(alphas > 1)), name="orders", rule="must be above 1", value=orders, way_out=way_out)
    return oriented(curve, orientation, lambda face: face.renyi(alphas - 1.0))


def renyi_of_loss(face: Face, excesses: Array) -> Bracket:
    """The divergence of one ordered pair at the orders 1 + s, for excesses s > 0; at infinity the largest loss.

    It is found from the transform, which bounds its own rounding; by the logs of masses that are too small for that.
    """
    if isinstance(face, FinitePair) and np.isfinite(face.log_infinity):
        return Bracket.exact(np.full(excesses.shape, np.inf))
    if isinstance(face, FinitePair) and _is_faint(face):
        return _by_logs(face, excesses)
    counts, slack = kinds(face)
    composition = contour.Composition(counts)
    if composition.log_infinity_mass > -np.inf:
        return Bracket.exact(np.full(excesses.shape, np.inf))
    finite = np.isfinite(excesses)
    asked = np.where(finite, excesses, 1.0)
    logs, errors = np.array([_moment(composition, excess) for excess in asked.ravel()]).T.reshape(2, *asked.shape)
    by_transform = _divided(logs, errors + slack.loss * asked + slack.mass, asked)
    return _joined(by_transform, finite, *composition.highest_loss, slack.loss)


def _joined(inside: Bracket, finite: NDArray[np.bool_], low: float, high: float, error: float) -> Bracket:
    """The divergences at finite orders, and at infinity the largest loss, whose sum is rounded: no order has more."""
    room = error + SUMMED * abs(high) if math.isfinite(high) else 0.0
    largest = (low - room, high, high + room)
    ends = [np.where(finite, end, most) for end, most in zip(inside.ends, largest, strict=True)]
    return Bracket(*(np.clip(end, 0.0, max(high + room, 0.0)) for end in ends))


def _moment(composition: contour.Composition, excess: float) -> tuple[float, float]:
    """Log E[e^{sZ}] and a bound on its error, which is infinite where it takes too many nodes to know."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            log, growth = composition.log_mgf_and_growth(np.array([excess], dtype=np.complex128))
    except contour.TooManyNodes:
        return 0.0, np.inf
    return (float(log[0].real), float(growth[0])) if np.isfinite(log[0].real + growth[0]) else (0.0, np.inf)


def _divided(logs: Array, errors: Array, excesses: Array) -> Bracket:
    """Logs of moments over the excess order, with what rounds them."""
    with np.errstate(over="ignore"):
        mid, room = logs / excesses, (errors + 4 * ULP * np.abs(logs)) / excesses
    return Bracket(mid - room, mid, mid + room)


def _is_faint(pair: FinitePair) -> bool:
    return bool(np.min(pair.log_masses, initial=0.0) < np.log(SMALLEST_MASS))


def _by_logs(pair: FinitePair, excesses: Array) -> Bracket:
    finite = np.isfinite(excesses)
    asked = np.where(finite, excesses, 1.0)
    terms = pair.log_masses + np.multiply.outer(asked, pair.losses)
    size = np.max(np.abs(pair.log_masses)) + asked * np.max(np.abs(pair.losses))
    errors = pair.mass_error + asked * pair.loss_error + ULP * (8 + 2 * terms.shape[-1] + 4 * size)
    highest = float(pair.losses[-1])
    return _joined(_divided(logsumexp(terms, axis=-1), errors, asked), finite, highest, highest, pair.loss_error)
