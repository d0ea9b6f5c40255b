"""What may be said of a number that was read off a curve."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from whit.curves import Curve
from whit.numerics import Bracket
from whit.theory import Basis, Direction, Finding, Interval, Quantity, Tree


def told(
    quantity: Quantity, bracket: Bracket, curve: Curve, came_from: Mapping[str, Tree], basis: Basis
) -> Finding | Interval:
    """An interval of an exact curve, else the end that the direction of the curve allows; it increases with the curve.

    The bracket is one of probabilities, and is cut at 0 and 1.
    """
    lower, mid, upper = (np.clip(end, 0.0, 1.0) for end in (bracket.lower, bracket.mid, bracket.upper))
    whole = curve.basis | basis
    if curve.direction is Direction.EXACTLY:
        return Interval.of(quantity, lower, mid, upper, came_from, whole)
    value = {Direction.AT_MOST: upper, Direction.AT_LEAST: lower, Direction.ABOUT: mid}[curve.direction]
    return Finding(quantity, value, curve.direction, came_from, whole)
