"""What every question has in common: the part of a bracket that a direction allows, turned around where it falls."""

from __future__ import annotations

import pytest

from whit.curves import Curve, GaussianLoss, Order
from whit.numerics import Bracket
from whit.semantics.testing.asked import Rest, told
from whit.theory import Basis, Direction, Finding, Interval, Quantity, Unit

RISK = Quantity("risk", Unit.PROBABILITY)
BRACKET = Bracket(0.1, 0.2, 1.3)


def curve(direction: Direction) -> Curve:
    return Curve(GaussianLoss(1.0), direction, Order.PROFILE, Basis.of("hockey-stick"))


@pytest.mark.parametrize(
    ("direction", "falls", "expected"),
    [
        (Direction.AT_MOST, False, (1.0, Direction.AT_MOST)),
        (Direction.AT_LEAST, False, (0.1, Direction.AT_LEAST)),
        (Direction.ABOUT, False, (0.2, Direction.ABOUT)),
        (Direction.AT_MOST, True, (0.1, Direction.AT_LEAST)),
        (Direction.AT_LEAST, True, (1.0, Direction.AT_MOST)),
        (Direction.ABOUT, True, (0.2, Direction.ABOUT)),
    ],
)
def test_a_bound_is_reported_on_its_side(direction: Direction, falls: bool, expected: tuple[float, Direction]) -> None:
    found = told(RISK, curve(direction), BRACKET, {"level": 0.5}, "neyman-pearson", falls=falls)
    assert isinstance(found, Finding)
    assert (found.value, found.direction) == expected
    assert found.basis.theorems == ("hockey-stick", "neyman-pearson")


def test_an_exact_curve_gives_an_interval() -> None:
    found = told(RISK, curve(Direction.EXACTLY), BRACKET, {"rest": Rest.RANDOM}, "neyman-pearson", falls=True)
    assert isinstance(found, Interval)
    assert (found.lower.value, found.mid.value, found.upper.value) == (0.1, 0.2, 1.0)
    assert found.inputs["rest"] == "RANDOM"
    assert repr(Rest.RANDOM) == "Rest.RANDOM"
