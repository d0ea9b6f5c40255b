"""A loss between two lists of atoms: what is cut off counts as nothing below and as an infinite loss above."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from whit.curves import CutLoss, FinitePair

CUT = 1e-3


@dataclass(frozen=True)
class Coin(CutLoss):
    """Randomized response with epsilon 1, of which a thousandth is cut off."""

    @property
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        losses = np.array([-1.0, 1.0])
        logs = np.log1p(-CUT) - np.logaddexp(0.0, -losses)
        below = FinitePair(losses, logs, mass_error=2 * CUT)
        return below, FinitePair(losses, logs, math.log(CUT), math.log(CUT))


def true_delta(epsilon: float) -> float:
    return (math.e - math.exp(epsilon)) / (1 + math.e)


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 0.9])
def test_delta_lies_between_and_what_is_cut_off_is_added_above(epsilon):
    found = Coin().log_delta(epsilon)
    lower, upper = math.exp(float(found.lower)), math.exp(float(found.upper))
    assert lower <= true_delta(epsilon) <= upper
    assert upper == pytest.approx((1 - CUT) * true_delta(epsilon) + CUT, rel=1e-9)


def test_the_tails_lie_between():
    for tail, loss in ((Coin().log_tail, 0.0), (Coin().log_tail_closed, 1.0)):
        found, truth = tail(loss), math.e / (1 + math.e)
        assert math.exp(float(found.lower)) <= truth <= math.exp(float(found.upper))
        assert math.exp(float(found.upper)) == pytest.approx((1 - CUT) * truth + CUT, rel=1e-9)


def test_nothing_that_was_cut_off_is_an_outcome_that_one_dataset_rules_out():
    loss = Coin()
    assert loss.log_infinity == -math.inf
    assert loss.log_cut == math.log(CUT)
    assert float(loss.epsilon(-math.inf).upper) == math.inf
    assert float(loss.log_power(-math.inf).upper) == -math.inf
    assert loss.reverse() is loss
