"""The far side of the loss: how probable it is that an output speaks strongly against the dataset that it came from."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.curve import Curve, oriented
from whit.curves.face import Array, Face, LossDistribution
from whit.curves.order import Order, Orientation
from whit.errors import NotImplied, require
from whit.numerics import ULP, Bracket, add_down, add_up, log1mexp, real_array
from whit.theory import Quantity, Unit, from_curve

LOWER_TAIL = Quantity("probability that the privacy loss falls below minus the threshold", Unit.PROBABILITY)
TWO_SIDED_TAIL = Quantity("probability that the privacy loss is beyond the threshold on either side", Unit.PROBABILITY)

_WAY_OUT = "Use numbers such as 0.5 and 1."


@from_curve(LOWER_TAIL, by="far-side")
def lower_tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The probability P[Z < -t] at each threshold t >= 0.

    >>> from whit.curves import Curve, GaussianLoss
    >>> print(lower_tail(Curve.exact(GaussianLoss(1.0)), 1.0))
    probability that the privacy loss falls below minus the threshold is 6.69 % (rounded up)
    """
    t = thresholds(losses)
    return oriented(_known(curve), orientation, lambda face: _below(face, t))


@from_curve(TWO_SIDED_TAIL, by="far-side")
def two_sided_tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The probability P[Z > t] + P[Z < -t] at each threshold t >= 0.

    >>> from whit.curves import Curve, GaussianLoss
    >>> print(two_sided_tail(Curve.exact(GaussianLoss(1.0)), 1.0))
    probability that the privacy loss is beyond the threshold on either side is 37.6 % (rounded up)
    """
    t = thresholds(losses)
    return oriented(_known(curve), orientation, lambda face: _beyond(face, t))


def thresholds(losses: ArrayLike) -> Array:
    """Thresholds of at least 0, as an array."""
    t = real_array("losses", losses, _WAY_OUT)
    rule = "must be at least 0 where the far side is asked for"
    require(bool(np.all(t >= 0)), name="losses", rule=rule, value=losses, way_out=_WAY_OUT)
    return t


def _known(curve: Curve) -> Curve:
    if curve.order is Order.LOSS:
        return curve
    rule = "cannot be read off a curve that dominates only in the order of the profile"
    way_out = "Use tail_from_profile, and e^(-t) times it for the far side; or pass the mechanism itself."
    raise NotImplied(TWO_SIDED_TAIL.name, rule, curve.face, way_out)


def _beyond(face: Face, t: Array) -> Bracket:
    assert isinstance(face, LossDistribution)  # a curve in the order of the loss is built with one
    near, far = face.log_tail(t).exp(), _below(face, t)
    return Bracket(add_down(near.lower, far.lower), near.mid + far.mid, add_up(near.upper, far.upper))


def _below(face: Face, t: Array) -> Bracket:
    """P[Z < -t]: what is left of P[Z >= -t], and never more than e^{-t} times what the other order has beyond t."""
    assert isinstance(face, LossDistribution)  # as above
    rest = face.log_tail_closed(-t)
    ends = [log1mexp(np.minimum(end, 0.0)) for end in (rest.upper, rest.mid, rest.lower)]
    # log1mexp is good to a few units in the last place, of its own size and of 1.
    hair = [8 * ULP * (1 + np.abs(np.where(np.isfinite(end), end, 0.0))) for end in ends]
    most = add_up(face.reverse().log_tail(t).upper, -t)
    own = (ends[0] - hair[0], ends[1], ends[2] + hair[2])
    return Bracket(*(np.minimum(end, np.minimum(most, 0.0)) for end in own)).exp()
