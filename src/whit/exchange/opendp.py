"""Measurements of OpenDP: a live one by its own map, a serialized one by the noise that it states.

A live measurement is asked what it promises for inputs at a distance `d_in`. That is an upper bound, since the library
rounds up. `opendp.serialize` writes a measurement as JSON, without its map: of that the scale of the noise is read, and
`d_in` is how much one unit of privacy changes the number to which the noise is added.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from whit.curves import Curve, Promise
from whit.curves import from_opendp as from_profile
from whit.errors import InvalidInput, NotImplied, require, shown, unknown_name
from whit.exchange.dp_events import together
from whit.exchange.learned import Learned, OpenPoint, field_of, list_of, log_above_one, number_of
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse, compose
from whit.numerics import nearest_up
from whit.setting import Neighbours, Sensitivity

NEIGHBOURS = {
    "SymmetricDistance": Neighbours.ADD_REMOVE,
    "InsertDeleteDistance": Neighbours.ADD_REMOVE,
    "ChangeOneDistance": Neighbours.REPLACE,
    "HammingDistance": Neighbours.REPLACE,
    "DiscreteDistance": Neighbours.LOCAL,
}
"""What a metric of the input says about neighbours; others are about numbers, not about records."""

INNER = {
    "make_chain_mt": "measurement1",
    "make_pureDP_to_zCDP": "measurement",
    "make_zCDP_to_approxDP": "measurement",
    "make_fix_delta": "measurement",
    "make_approximate": "measurement",
}
"""Combinators that state the same release in another way, and the measurement inside them."""

WHOLE = frozenset(("i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "usize", "int"))
"""The types of whole numbers, to which noise on whole numbers is added."""

REAL = frozenset(("f32", "f64", "float"))
"""The types of numbers to which noise with a density is added."""

TYPED = ("T", "TO", "TA", "TIA", "TOA", "TV")
"""The arguments that name a type of numbers."""

_GRANTED = ("make_privacy_filter", "make_adaptive_composition")
_D_IN = "Pass d_in, the distance between neighbouring inputs, such as 1."


def from_opendp(measurement: Any, *, d_in: float | None = None) -> Learned:
    """What a measurement promises.

    measurement   a measurement, or the tree that `opendp.serialize` writes
    d_in          the distance between neighbouring inputs

    >>> tree = {"__function__": "make_randomized_response_bool", "__kwargs__": {"prob": 0.75}}
    >>> print(from_opendp(tree).promise.epsilon(0.0))
    epsilon is 1.1 (rounded up)
    """
    if isinstance(measurement, Mapping):
        points = (OpenPoint.UNIT, OpenPoint.NEIGHBOURS, OpenPoint.GRID)
        return Learned(_of_tree(measurement, "measurement", d_in), "OpenDP measurement", points)
    if _is_context(measurement):
        return _of_context(measurement)
    if d_in is None:
        raise InvalidInput("d_in", "must be given for a measurement", "nothing", _D_IN)
    if not hasattr(measurement, "map"):
        way_out = "Use from_odometer(odometer, queryable, d_in=1): the queryable does not say what its loss measures."
        raise InvalidInput("the measurement", "must be one that has a map", type(measurement).__name__, way_out)
    return _learned(measurement, [measurement.map(d_in)], "OpenDP measurement")


def from_odometer(odometer: Any, queryable: Any, *, d_in: float) -> Learned:
    """What was spent through an odometer of OpenDP, by its own loss.

    odometer    what `make_fully_adaptive_composition` makes; it says what its loss measures
    queryable   the odometer on its data, which has the loss so far
    d_in        the distance between neighbouring inputs
    """
    number_of(d_in, "d_in")  # passed on as it is: the library tells whole numbers from others
    return _learned(odometer, [queryable.privacy_loss(d_in)], "OpenDP odometer", OpenPoint.SPENT)


def is_opendp(value: object) -> bool:
    """Whether something is a measurement, a context or an odometer of OpenDP, or a tree of one."""
    if isinstance(value, Mapping):
        return "__function__" in value and "__kwargs__" in value
    if type(value).__name__ in ("Odometer", "OdometerQueryable") and hasattr(value, "invoke"):
        return True
    measurement = type(value).__name__ == "Measurement" and hasattr(value, "output_measure") and hasattr(value, "map")
    return measurement or _is_context(value)


def _is_context(value: object) -> bool:
    return all(hasattr(value, name) for name in ("accountant", "current_privacy_loss", "d_in"))


def _of_context(context: Any) -> Learned:
    """What the queries of a context have spent: one loss, or one for each query."""
    spent = context.current_privacy_loss()
    each = list(spent) if isinstance(spent, list) else [spent]
    return _learned(context.accountant, each, "OpenDP context", OpenPoint.SPENT)


def _learned(measured: Any, losses: Sequence[Any], source: str, *points: OpenPoint) -> Learned:
    """The promise of losses that a measurement or an odometer measures."""
    neighbours = NEIGHBOURS.get(str(measured.input_metric).partition("(")[0])
    stated = [_stated(str(measured.output_measure), loss, neighbours or Neighbours.ADD_REMOVE) for loss in losses]
    nothing: list[Promise] = [PureDP(0.0, neighbours=neighbours or Neighbours.ADD_REMOVE)]
    promise = (stated or nothing)[0] if len(stated) < 2 else together(Counter(stated))
    left_open = [OpenPoint.UNIT, *([] if neighbours else [OpenPoint.NEIGHBOURS]), *points]
    return Learned(promise, source, tuple(left_open), neighbours if isinstance(promise, Curve) else None)


def _stated(measure: str, loss: Any, neighbours: Neighbours) -> Any:
    """The promise that a measure and its loss state."""
    if measure == "MaxDivergence":
        return PureDP(number_of(loss, "loss"), neighbours=neighbours)
    if measure == "ZeroConcentratedDivergence":
        return ZeroConcentratedDP(number_of(loss, "loss"), neighbours=neighbours)
    if measure == "Approximate(MaxDivergence)":
        return ApproxDP(number_of(loss[0], "loss[0]"), number_of(loss[1], "loss[1]"), neighbours=neighbours)
    if measure == "SmoothedMaxDivergence":
        return from_profile(loss)
    way_out = "Fix a delta with make_fix_delta, or state the measure as one of these."
    raise NotImplied("the measure of the measurement", "must be one that is a promise of whit", measure, way_out)


def _of_tree(tree: Any, path: str, d_in: float | None) -> Promise:
    if not is_opendp(tree):
        raise InvalidInput(path, "must be a serialized measurement", tree, "Use the text that opendp.serialize writes.")
    name, given = str(tree["__function__"]), tree["__kwargs__"]
    if name in INNER:
        return _of_tree(field_of(given, INNER[name], path), f"{path}.{INNER[name]}", d_in)
    if name in ("make_composition", "make_basic_composition", "make_sequential_composition"):
        return _composed(field_of(given, "measurements", path), f"{path}.measurements", d_in)
    if name == "make_randomized_response_bool":
        return _response(number_of(field_of(given, "prob", path), f"{path}.prob"), 2, path)
    if name in ("make_laplace", "make_geometric", "make_gaussian"):
        return _noise(name, given, path, d_in)
    if name in _GRANTED:
        return _granted(name, given, path, d_in)
    known = ["make_laplace", "make_geometric", "make_gaussian", "make_composition", "make_chain_mt", *_GRANTED]
    raise unknown_name(f"{path}.__function__", name, known)


def _composed(trees: object, path: str, d_in: float | None) -> Promise:
    some = isinstance(trees, Sequence) and not isinstance(trees, str) and len(trees) > 0
    if not isinstance(trees, Sequence) or not some:
        raise InvalidInput(path, "must be a list of measurements", trees, "Compose at least one measurement.")
    parts: list[Any] = [_of_tree(each, f"{path}[{place}]", d_in) for place, each in enumerate(trees)]
    whole: Promise = parts[0] if len(parts) == 1 else compose(*parts)
    return whole


def _granted(name: str, given: Mapping[str, Any], path: str, d_in: float | None) -> Promise:
    """What a filter lets through, or what the queries of an adaptive composition may spend, for its own `d_in`."""
    own = given.get("d_in")
    if d_in is not None and own is not None:
        covered = isinstance(own, int | float) and number_of(d_in, "d_in") <= own
        rule = f"must be at most {shown(own)}, for which {path} says what is lost"
        require(covered, name="d_in", rule=rule, value=d_in, way_out="Make the measurement for the larger change.")
    inside = field_of(given, "odometer", path) if name == "make_privacy_filter" else {"__kwargs__": given}
    measure = _measure(field_of(field_of(inside, "__kwargs__", path), "output_measure", path), f"{path}.output_measure")
    losses = [field_of(given, "d_out", path)] if name == "make_privacy_filter" else field_of(given, "d_mids", path)
    stated = [_stated(measure, loss, Neighbours.ADD_REMOVE) for loss in list_of(losses, f"{path}.d_mids")]
    return together(Counter(stated))


def _measure(tree: object, path: str) -> str:
    """A serialized measure, as the live one calls itself."""
    name = str(field_of(tree, "__function__", path))
    if name == "approximate":
        return f"Approximate({_measure(field_of(field_of(tree, '__kwargs__', path), 'measure', path), path)})"
    return "".join(word.capitalize() for word in name.split("_"))


def _response(right: float, categories: int, path: str) -> RandomizedResponse:
    """A true answer with this probability, and one of the others else."""
    fits = 1 / categories <= right < 1
    rule = f"must be at least 1/{categories} and below 1"
    require(
        fits, name=f"{path}.prob", rule=rule, value=right, way_out="At 1 every answer is true, and nothing is hidden."
    )
    ratio = Fraction(right) * (categories - 1) / (1 - Fraction(right))
    return RandomizedResponse(log_above_one(ratio - 1), categories=categories)


def _noise(name: str, given: Mapping[str, Any], path: str, d_in: float | None) -> Promise:
    """The noise of one measurement, on as large a change as somebody says; of several cells, on the worst change.

    For a vector, `d_in` is the sum of the changes for Laplace noise, and the root of the sum of their squares for
    Gaussian noise. One cell that changes by all of it is the worst change for noise with a density. It is so for
    geometric noise: the chance that is left, the sum of min(p, e^epsilon q), is e^((epsilon - change/scale)/2) at each
    loss of one cell. That of several cells is at least the product of theirs. For discrete Gaussian noise it is not so:
    several small changes may be worse, and rho covers them.
    """
    if d_in is None:
        raise InvalidInput("d_in", "must be given for serialized noise", "nothing", _D_IN)
    scale = number_of(field_of(given, "scale", path), f"{path}.scale")
    change = number_of(d_in, "d_in")
    sensitivity = Sensitivity(add_remove=change, replace=change)
    types = _types(given)
    whole = name == "make_geometric" or (bool(types) and types <= WHOLE)
    real = not whole and bool(types) and types <= REAL
    if real:
        return (Gaussian if name == "make_gaussian" else Laplace)(scale, sensitivity=sensitivity)
    if whole and name == "make_gaussian" and (change == 1 or _is_one_cell(given)):
        return DiscreteGaussian(scale, sensitivity=sensitivity)
    way_out = "Without noise nothing bounds the risk."
    require(1 / sys.float_info.max < scale, name=f"{path}.scale", rule="must be above 0", value=scale, way_out=way_out)
    if whole and name != "make_gaussian":
        return Geometric(math.nextafter(1 / scale, math.inf), sensitivity=sensitivity)
    loss = Fraction(change) / Fraction(scale)
    # What holds whether the noise is on whole numbers or not, and on however many of them.
    if name == "make_gaussian":
        return ZeroConcentratedDP(_number_up(loss**2 / 2, f"{path}.scale", scale))
    return PureDP(_number_up(loss, f"{path}.scale", scale))


def _number_up(number: Fraction, path: str, scale: float) -> float:
    """A parameter of a promise as a double that is no smaller."""
    rule, way_out = "must be large enough for the loss to fit a double", "Without noise nothing bounds the risk."
    require(number <= Fraction(sys.float_info.max), name=path, rule=rule, value=scale, way_out=way_out)
    return nearest_up(number)


def _is_one_cell(given: Mapping[str, Any]) -> bool:
    """Whether noise is known to be added to one number."""
    domain = given.get("input_domain")
    return isinstance(domain, Mapping) and domain.get("__function__") == "atom_domain"


def _types(given: Mapping[str, Any]) -> frozenset[str]:
    """The types of numbers that stand somewhere in the domain of the input."""
    waiting: list[Any] = [given.get("input_domain")]
    names = set[str]()
    while waiting:
        found = waiting.pop()
        if isinstance(found, Mapping):
            names.update(str(found[key]) for key in TYPED if key in found)
            waiting.extend(found.values())
    return frozenset(names & (WHOLE | REAL))
