from __future__ import annotations

import inspect
import math
import typing
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

from whit.errors import InvalidInput, UnknownKey
from whit.numerics import Bracket
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit, from_curve, reported

AT_MOST, AT_LEAST, EXACTLY, ABOUT = Direction
POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY)
POWER = Quantity("power", Unit.PROBABILITY)
EPSILON = Quantity("epsilon", Unit.NUMBER)


class Side(Enum):
    LEFT = "left"


@reported(POSTERIOR, by="hockey-stick", direction=AT_MOST)
def posterior(prior: float, odds: float = 2.0, *, side: Side = Side.LEFT) -> float:
    """Bayes."""
    return prior * odds / (prior * odds + 1.0 - prior)


@reported(EPSILON, by="cells", direction=EXACTLY, slack=1e-15)
def identity(value: typing.Any) -> float:
    return value


class Relation(Enum):
    NEAR = "near"
    FAR = "far"


@dataclass(frozen=True)
class Sketch:
    """What looks like the curve of a promise: a direction, a basis, and something to read off."""

    direction: Direction
    basis: Basis = Basis(("gaussian-profile",), (Failure(0.1, Randomness.MECHANISM),), 1e-12, 0.0)  # noqa: RUF009

    def curve(self, neighbours: Relation | None = None) -> Sketch:
        return self

    def relation(self, neighbours: Relation | None = None) -> Relation:
        return neighbours or Relation.NEAR


@dataclass(frozen=True)
class Promised:
    """What looks like a promise: it has a curve of another direction under another relation."""

    def curve(self, neighbours: Relation | None = None) -> Sketch:
        return Sketch(AT_LEAST if neighbours is Relation.FAR else AT_MOST)

    def relation(self, neighbours: Relation | None = None) -> Relation:
        return neighbours or Relation.NEAR


@from_curve(POWER, by="neyman-pearson")
def power(curve: Sketch, level: float, *, width: float = 0.125) -> Bracket:
    """The best test."""
    return Bracket.around(level, width)


@dataclass(frozen=True)
class SketchWithMethod(Sketch):
    power = power


# Reported


def test_the_kernel_reports_a_finding():
    expected = Finding(POSTERIOR, 0.75, AT_MOST, {"prior": 0.5, "odds": 3.0, "side": "LEFT"}, Basis.of("hockey-stick"))
    assert posterior(0.5, 3.0) == expected
    assert posterior(odds=3.0, prior=0.5) == expected


def test_the_kernel_stays_within_reach():
    assert posterior.kernel(0.5, 3.0) == 0.75
    assert posterior.kernel(np.array([0.5]), 3.0) == np.array([0.75])


def test_inputs_are_echoed_with_their_defaults():
    assert dict(posterior(0.5).inputs) == {"prior": 0.5, "odds": 2.0, "side": "LEFT"}


def test_arrays_are_echoed_as_lists():
    many = posterior(np.array([0.0, 0.5, 1.0]))
    assert many.value.tolist() == [0.0, 2.0 / 3.0, 1.0]
    assert many.inputs["prior"] == [0.0, 0.5, 1.0]


def test_variable_arguments_are_echoed():
    @reported(EPSILON, by="losses-add", direction=EXACTLY)
    def total(*parts: float, **named: float) -> float:
        return math.fsum((*parts, *named.values()))

    assert dict(total(1.0, 2.0, third=3.0).inputs) == {"parts": [1.0, 2.0], "named": {"third": 3.0}}
    assert float(total(1.0, 2.0, third=3.0)) == 6.0


@pytest.mark.parametrize("direction", Direction)
def test_the_direction_is_the_one_stated(direction):
    @reported(EPSILON, by="cells", direction=direction)
    def half() -> float:
        return 0.5

    assert half().direction is direction


def test_slack_goes_into_the_basis():
    assert identity(0.5).basis == Basis(("cells",), slack=1e-15)


def test_name_documentation_and_signature_are_those_of_the_kernel():
    assert (posterior.__name__, posterior.__doc__, posterior.__module__) == ("posterior", "Bayes.", __name__)
    signature = inspect.signature(posterior)
    assert list(signature.parameters) == ["prior", "odds", "side"]
    assert signature.return_annotation is Finding
    assert typing.get_type_hints(posterior)["return"] is Finding
    assert inspect.signature(power).return_annotation is Finding


def test_a_bound_is_cut_at_what_its_unit_allows():
    @reported(POSTERIOR, by="tail-from-profile", direction=AT_MOST)
    def upper(value: float) -> float:
        return value

    @reported(POSTERIOR, by="cells", direction=AT_LEAST)
    def lower(value: float) -> float:
        return value

    assert (float(upper(1.3)), float(lower(-0.3))) == (1.0, 0.0)
    for function, value in ((upper, -0.3), (lower, 1.3)):
        with pytest.raises(InvalidInput, match="posterior probability must be a probability"):
            function(value)


def test_nan_is_refused():
    with pytest.raises(InvalidInput, match="epsilon must be a number or an array of numbers; got nan"):
        identity(math.nan)


def test_a_wrong_call_is_the_error_of_the_kernel():
    with pytest.raises(TypeError, match=r"posterior\(\) got an unexpected keyword argument 'odd'"):
        posterior(0.5, odd=3.0)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "decorator",
    [
        lambda: reported(POSTERIOR, by="hockeystick", direction=AT_MOST),
        lambda: from_curve(POSTERIOR, by="hockeystick"),
    ],
)
def test_an_unknown_key_stops_the_import(decorator):
    with pytest.raises(UnknownKey, match="No theorem has the key hockeystick. .*hockey-stick"):
        decorator()


# From a curve


@pytest.mark.parametrize(("direction", "value"), [(AT_MOST, 0.625), (AT_LEAST, 0.375), (ABOUT, 0.5)])
def test_a_curve_that_is_a_bound_gives_the_end_of_its_direction(direction, value):
    answer = power(Sketch(direction), 0.5)
    assert isinstance(answer, Finding)
    assert (answer.quantity, answer.value, answer.direction) == (POWER, value, direction)


def test_an_exact_curve_gives_both_ends():
    answer = power(Sketch(EXACTLY), 0.5)
    assert answer.direction is EXACTLY
    assert (answer.lower, answer.value, answer.upper) == (0.375, 0.625, 0.625)


def test_an_exact_curve_of_an_allowance_is_read_by_its_lower_end():
    @from_curve(Quantity("epsilon", Unit.NUMBER, less_is_worse=True), by="hockey-stick")
    def allowed(curve: Sketch) -> Bracket:
        return Bracket.around(0.5, 0.125)

    assert allowed(Sketch(EXACTLY)).value == 0.375


@pytest.mark.parametrize(("relation", "value"), [(None, 0.625), (Relation.NEAR, 0.625), (Relation.FAR, 0.375)])
def test_the_relation_that_is_named_chooses_the_curve(relation, value):
    answer = power(Promised(), 0.5, neighbours=relation)
    assert answer.value == value
    assert answer.inputs["neighbours"] == ("NEAR" if relation is None else relation.name)
    assert answer.inputs["promise"] == "Promised()"


@pytest.mark.parametrize("direction", Direction)
def test_the_basis_is_that_of_the_curve_and_the_theorem(direction):
    curve = Sketch(direction)
    assert power(curve, 0.5).basis == curve.basis | Basis.of("neyman-pearson")


@pytest.mark.parametrize("direction", Direction)
def test_the_promise_and_the_other_inputs_are_echoed(direction):
    curve = Sketch(direction)
    inputs = {"promise": repr(curve), "neighbours": "NEAR", "level": 0.5, "width": 0.125}
    assert dict(power(curve, 0.5).inputs) == inputs


@pytest.mark.parametrize("direction", Direction)
def test_a_reporting_function_is_a_method_of_a_class_of_curves(direction):
    curve = SketchWithMethod(direction)
    assert curve.power(0.5, width=0.25) == power(curve, 0.5, width=0.25)


def test_a_bracket_is_cut_at_what_the_unit_allows():
    wide = power(Sketch(EXACTLY), [0.0, 1.0])
    assert wide.lower.tolist() == [0.0, 0.875]
    assert wide.value.tolist() == [0.125, 1.0]
    assert wide.upper.tolist() == [0.125, 1.0]
    with pytest.raises(InvalidInput, match="power must be a probability"):
        power(Sketch(EXACTLY), 2.0)


@pytest.mark.parametrize("nonsense", ["a promise", None, 1.0])
def test_what_has_no_curve_is_refused(nonsense):
    with pytest.raises(InvalidInput, match="promise must be a promise, a mechanism or a curve; got .*Pass a promise"):
        power(nonsense, 0.5)


def test_the_kernel_on_a_curve_stays_within_reach():
    assert power.kernel(Sketch(AT_MOST), 0.5) == Bracket(0.375, 0.5, 0.625)
