"""What every question has in common: the part of a bracket that a direction allows, turned around where it falls."""

from __future__ import annotations

import pytest

from whit.curves import Curve, GaussianLoss, Order
from whit.numerics import Bracket
from whit.semantics.testing.powers import report
from whit.setting import Knowledge
from whit.theory import Basis, Direction, Finding, Quantity, Unit

RISK = Quantity("risk", Unit.PROBABILITY)
ALLOWANCE = Quantity("allowance", Unit.PROBABILITY, less_is_worse=True)
BRACKET = Bracket(0.1, 0.2, 1.3)


def curve(direction: Direction) -> Curve:
    return Curve(GaussianLoss(1.0), direction, Order.PROFILE, Basis.of("hockey-stick"))


@pytest.mark.parametrize(
    ("direction", "quantity", "expected"),
    [
        (Direction.AT_MOST, RISK, (1.0, Direction.AT_MOST)),
        (Direction.AT_LEAST, RISK, (0.1, Direction.AT_LEAST)),
        (Direction.ABOUT, RISK, (0.2, Direction.ABOUT)),
        (Direction.AT_MOST, ALLOWANCE, (0.1, Direction.AT_LEAST)),
        (Direction.AT_LEAST, ALLOWANCE, (1.0, Direction.AT_MOST)),
        (Direction.ABOUT, ALLOWANCE, (0.2, Direction.ABOUT)),
    ],
)
def test_a_bound_is_reported_on_its_side(
    direction: Direction, quantity: Quantity, expected: tuple[float, Direction]
) -> None:
    found = report(quantity, curve(direction), BRACKET, {"level": 0.5}, "neyman-pearson")
    assert isinstance(found, Finding)
    assert (found.value, found.direction) == expected
    assert found.other_end is None
    assert found.basis.theorems == ("hockey-stick", "neyman-pearson")


@pytest.mark.parametrize(("quantity", "safe"), [(RISK, 1.0), (ALLOWANCE, 0.1)])
def test_an_exact_curve_gives_both_ends_and_the_safe_one_as_the_value(quantity: Quantity, safe: float) -> None:
    found = report(quantity, curve(Direction.EXACTLY), BRACKET, {"knows": Knowledge.ANY_BELIEF}, "neyman-pearson")
    assert found.direction is Direction.EXACTLY
    assert (found.lower, found.value, found.upper) == (0.1, safe, 1.0)
    assert found.inputs["knows"] == "ANY_BELIEF"
    assert repr(Knowledge.ANY_BELIEF) == "Knowledge.ANY_BELIEF"
