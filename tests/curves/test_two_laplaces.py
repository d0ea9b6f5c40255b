"""Two Laplace releases in closed form against splines in many digits."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb
from summed_laws import Splines, with_bits

from whit.curves.two_laplaces import TwoLaplaces

PAIRS = [(1.0, 1.3125), (0.5, 0.5), (0.003, 2.5), (2.9, 0.0625), (0.0021, 0.0015)]


def thresholds(largest: float, other: float, rng: np.random.Generator) -> list[float]:
    """Random ones, those next to the largest loss, and those next to where the atoms of the two meet."""
    whole = largest + other
    near = whole * (1 - 10.0 ** rng.uniform(-9, -1, size=5))
    return [*rng.uniform(-0.999, 1.0, size=10) * whole, *near, largest - other + 1e-9, other - largest - 1e-9, 0.0]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_profile_and_the_tail_are_those_of_the_splines(pair):
    with_bits(384)
    law = Splines({pair[0]: 2} if pair[0] == pair[1] else dict.fromkeys(pair, 1))
    found, rng = TwoLaplaces(*pair), np.random.default_rng(3)
    for t in thresholds(pair[0], pair[1], rng):
        p, q = law.above(arb(t))
        delta, tail = found.log_delta(t), found.log_tail_closed(t)
        for bracket, truth in ((delta, p - arb(t).exp() * q), (tail, p)):
            assert arb(float(bracket.lower)) <= truth.log()
            assert arb(float(bracket.upper)) >= truth.log()
        # Next to the largest loss the threshold itself is rounded.
        assert delta.upper - delta.lower < 1e-12 + 1e-14 * sum(pair) / (sum(pair) - t)


def test_below_all_losses_and_above_them():
    found = TwoLaplaces(1.0, 0.5)
    assert np.exp(found.log_delta(-3.0).mid) == pytest.approx(-np.expm1(-3.0), abs=1e-14)
    assert np.all(np.isneginf(found.log_delta([1.5 + 1e-9, 1e300, np.inf]).upper))
    assert np.all(found.log_delta([-1e300, -np.inf]).upper == 0.0)
    assert found.log_tail_closed(-1e300).upper == 0.0
    assert np.isneginf(found.log_tail_closed(2.0).upper)


def test_the_largest_loss_has_a_quarter_of_the_mass():
    """The tail that is asked for at the last corner of a polygon."""
    tail = TwoLaplaces(1.0, 0.5).log_tail_closed(1.5 - 1e-12).exp()
    assert tail.lower <= 0.25 + 1e-12
    assert tail.lower == pytest.approx(0.25, abs=1e-10)
