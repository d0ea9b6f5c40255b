"""Of a number read off a curve only that end is told which the curve allows."""

from __future__ import annotations

import pytest

from whit.curves import Curve, GaussianLoss, Order
from whit.numerics import Bracket
from whit.semantics.membership.told import told
from whit.theory import Basis, Direction, Interval, Quantity, Unit

CHANCE = Quantity("chance", Unit.PROBABILITY)


def answer(direction: Direction):
    curve = Curve(GaussianLoss(1.0), direction, Order.LOSS, Basis.of("gaussian-profile"))
    return told(CHANCE, Bracket(-0.1, 0.5, 1.2), curve, {}, Basis.of("posterior-odds"))


@pytest.mark.parametrize(
    ("direction", "value"), [(Direction.AT_MOST, 1.0), (Direction.AT_LEAST, 0.0), (Direction.ABOUT, 0.5)]
)
def test_a_bound_gives_its_own_end_cut_to_a_probability(direction, value):
    found = answer(direction)
    assert found.direction is direction
    assert found.value == value


def test_an_exact_curve_gives_an_interval_with_both_bases():
    found = answer(Direction.EXACTLY)
    assert isinstance(found, Interval)
    assert found.basis.theorems == ("gaussian-profile", "posterior-odds")
