"""What every question about tests has in common: the curve between the two hypotheses, and how a number is reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Curve, Order, Promise, require_promise
from whit.errors import NotImplied, require
from whit.numerics import ULP, Bracket, probability_array, real_array
from whit.setting import Knowledge, Neighbours
from whit.theory import Basis, Direction, Finding, Quantity

# Where the profile of a curve is read that is not the curve of one pair: chords between lie above it.
_EPSILONS = (0.0, *np.geomspace(1e-4, 700.0, 600).tolist())


def curve_of_tests(promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Curve:
    """The curve between neighbours; for one who does not know everyone else, a bound on the curve of the mixtures."""
    Knowledge.checked(knows)
    curve = require_promise(promise).curve(neighbours)
    if promise.power_theorem:
        curve = replace(curve, basis=curve.basis | Basis.of(promise.power_theorem))
    return curve if knows is Knowledge.EVERYONE_ELSE else _mixed(promise, curve)


def _mixed(promise: Promise, curve: Curve) -> Curve:
    """The curve as a bound on every mixture of neighbours (KAA22, Theorems 6.4 and 6.5)."""
    if curve.direction is Direction.AT_LEAST:
        rule = "is not bounded from below by tests of somebody who knows everyone else"
        way_out = "Ask with {knows}."
        suggested = {"knows": Knowledge.EVERYONE_ELSE}
        raise NotImplied("a test by somebody who does not", rule, curve.face, way_out, suggested=suggested)
    whole = curve if promise.has_concave_power(curve.face) else curve.as_profile(_EPSILONS)
    keys = ("power-is-concave", "tests-when-the-rest-is-random")
    direction = Direction.combine(whole.direction, Direction.AT_MOST)
    return replace(whole, direction=direction, order=Order.PROFILE, basis=whole.basis | Basis.of(*keys))


def logs_of(name: str, values: ArrayLike, way_out: str) -> tuple[Array, Array]:
    """The logs of probabilities, and how far rounding may have moved them."""
    with np.errstate(divide="ignore"):
        logs = np.log(probability_array(name, values, way_out))
    return np.asarray(logs), np.asarray(4 * ULP * np.where(np.isfinite(logs), np.abs(logs), 0.0))


def log_probabilities(name: str, values: ArrayLike) -> Array:
    """Logs of probabilities as an array, refused where one is above 0."""
    way_out = "Pass the natural log of a probability, such as -700."
    logs = real_array(name, values, way_out)
    require(bool(np.all(logs <= 0)), name=name, rule="must be at most 0", value=values, way_out=way_out)
    return logs


def report(quantity: Quantity, curve: Curve, bracket: Bracket, inputs: Mapping[str, object], *keys: str) -> Finding:
    """The part of a bracket that the direction of the curve allows; an allowance falls where the curve rises."""
    direction = curve.direction.opposite if quantity.less_is_worse else curve.direction
    return Finding.of_bracket(quantity, bracket, direction, inputs, curve.basis | Basis.of(*keys))
