"""Example 3 of Kazan and Reiter (2024): the error of geometric noise on a count of infant deaths."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from published import golden

from whit.mechanisms import Geometric

CASES = golden("golden_mechanisms.json", "KR24")
ERRORS = [key for key in CASES if "-rmse-" in key]
SWITCHES = [key for key in CASES if "-sw-" in key]


def noise(case) -> Geometric:
    """The noise of profile (17) at q = 1: e^epsilon = (r - a)/(1 - a)."""
    r, a = (Fraction(case["inputs"][name]) for name in ("r", "a"))
    return Geometric(math.log((r - a) / (1 - a)))


def least_noise(case) -> int:
    """How large the noise must be to move the count across the threshold of 24."""
    deviation = float(case["inputs"]["deviation"])
    if deviation < 0:  # from a count of 23, it takes two to get above 24
        return 2
    return round(4.012 * deviation)


def test_the_cases_were_found():
    assert len(ERRORS) == 12
    assert len(SWITCHES) == 49


@pytest.mark.parametrize("key", ERRORS)
def test_the_root_mean_square_error_is_the_standard_deviation(key):
    assert float(noise(CASES[key]).standard_deviation()) == pytest.approx(float(CASES[key]["value"]), rel=1e-12)


@pytest.mark.parametrize("key", SWITCHES)
def test_the_probability_of_switching_is_the_tail_of_the_noise(key):
    case = CASES[key]
    tail = noise(case).noise_tail(least_noise(case))
    assert float(tail) == pytest.approx(float(case["value"]), rel=1e-12)


def test_the_most_aggressive_profile_does_not_get_below_ten_percent():
    case = CASES["002-ex3-sw-5-0.5-0.25"]
    assert case["printed"] == "<10%"
    assert case["errata"] == "002.6"
    assert float(noise(case).noise_tail(1).upper) >= 0.1
