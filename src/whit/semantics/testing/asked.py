"""What every question about tests has in common: the curve that is asked, and how its answer is reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, ChordProfile, Curve, Face, LossDistribution, Order, TradeOff
from whit.errors import NotImplied, require
from whit.guarantees import ApproxDP, Known, Promise, PureDP
from whit.mechanisms import WorstLoss
from whit.numerics import ULP, Bracket, probability_array, real_array
from whit.semantics.promised import Promised, curve_between
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Interval, Quantity, echo

_KEYS: dict[type[Promise], str] = {PureDP: "power-under-pure", ApproxDP: "power-under-approximate"}

# Where the profile of a curve is read that is not the curve of one pair: chords between lie above it.
_EPSILONS = (0.0, *np.geomspace(1e-4, 700.0, 600).tolist())

_OPPOSITE = {Direction.AT_MOST: Direction.AT_LEAST, Direction.AT_LEAST: Direction.AT_MOST}


class Rest(Enum):
    """What the one who tests knows of everyone else; the value is a sentence that says it."""

    KNOWN = "The records of everyone else are known to the one who tests."
    RANDOM = "The records of everyone else are drawn by chance, in the same way whichever hypothesis is true."

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Rest.{self.name}"


def asked(promised: Promised, neighbours: Neighbours | None, rest: Rest) -> Curve:
    """The curve between neighbours; if everyone else is random, a bound on the curve between the mixtures."""
    known = isinstance(rest, Rest)
    require(known, name="rest", rule="must be one of Rest", value=rest, way_out="Use Rest.KNOWN or Rest.RANDOM.")
    curve = curve_between(promised, neighbours)
    key = _KEYS.get(type(promised)) if isinstance(promised, Promise) else None
    curve = replace(curve, basis=curve.basis | (Basis.of(key) if key else Basis()))
    return curve if rest is Rest.KNOWN else _mixed(promised, curve)


def _mixed(promised: Promised, curve: Curve) -> Curve:
    """The curve as a bound on every mixture of neighbours (KAA22, Theorems 6.4 and 6.5)."""
    if curve.direction is Direction.AT_LEAST:
        rule = "is not bounded from below by tests of somebody who knows everyone else"
        raise NotImplied("a test by somebody who does not", rule, curve.face, "Ask with Rest.KNOWN.")
    whole = curve if _concave(promised, curve.face) else curve.as_profile(_EPSILONS)
    keys = ("power-is-concave", "tests-when-the-rest-is-random")
    direction = Direction.combine(whole.direction, Direction.AT_MOST)
    return replace(whole, direction=direction, order=Order.PROFILE, basis=whole.basis | Basis.of(*keys))


def _concave(promised: Promised, face: Face) -> bool:
    """Whether the power bounds all mixtures as it stands: of a convex promise, or of one pair. Else its hull does."""
    if isinstance(promised, Promise):
        return promised.properties.convex.known is promised.properties.post_processing.known is Known.YES
    return isinstance(face, LossDistribution | ChordProfile | TradeOff) and not isinstance(face, WorstLoss)


def worst(face: Face, ask: Callable[[Face], Bracket]) -> Bracket:
    """The larger answer of the two orders of the pair."""
    backward = face.reverse()
    return ask(face) if backward is face else ask(face).maximum(ask(backward))


def probabilities(logs: Bracket) -> Bracket:
    """The probabilities of which these are the logs."""
    linear = logs.exp()
    return Bracket(*(np.minimum(end, 1.0) for end in (linear.lower, linear.mid, linear.upper)))


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


def told(
    quantity: Quantity,
    curve: Curve,
    bracket: Bracket,
    inputs: Mapping[str, object],
    *keys: str,
    falls: bool = False,
) -> Finding | Interval:
    """The part of a bracket that the direction of the curve allows; what falls as the curve rises is turned around."""
    lower = quantity.unit.capped(bracket.lower, Direction.AT_LEAST)
    upper = quantity.unit.capped(bracket.upper, Direction.AT_MOST)
    mid, basis = np.clip(bracket.mid, lower, upper), curve.basis | Basis.of(*keys)
    direction = _OPPOSITE.get(curve.direction, curve.direction) if falls else curve.direction
    echoed = {name: echo(value) for name, value in inputs.items()}
    if direction is Direction.EXACTLY:
        return Interval.of(quantity, lower, mid, upper, echoed, basis)
    value = {Direction.AT_MOST: upper, Direction.AT_LEAST: lower, Direction.ABOUT: mid}[direction]
    return Finding(quantity, value, direction, echoed, basis)
