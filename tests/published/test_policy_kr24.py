"""Kazan and Reiter (2024): what their profiles cost in noise, and the rules that they compare themselves with."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from published import golden

from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Geometric
from whit.policy.accuracy import Target, accuracy, crossing
from whit.policy.comparators import lee_clifton_epsilon, naive_epsilon, participation_posterior
from whit.policy.frontier import frontier
from whit.policy.profiles import capped
from whit.policy.recommend import recommend

CASES = golden("golden_policy.json", "KR24")
NOISES = [key for key in CASES if key.endswith(("-sd", "-p0"))]
SWITCHES = {key: case for key, case in golden("golden_mechanisms.json", "KR24").items() if "-sw-" in key}
DURHAM = Target(6.0, per=1000, of=4012)


def profile(inputs):
    fixed = {"value": float(inputs["q"])} if "q" in inputs else {"inclusion": float(inputs["p"])}
    return capped(relative=float(inputs["r"]), absolute=float(inputs["a"]), **fixed)


def test_the_cases_were_found():
    assert len(CASES) == 19
    assert len(NOISES) == 12
    assert len(SWITCHES) == 49


@pytest.mark.parametrize("key", NOISES)
def test_the_noise_of_a_profile_is_as_printed(key):
    case = CASES[key]
    found = accuracy(Geometric(profile(case["inputs"]).closed_form().epsilon))
    number = found.deviation if key.endswith("-sd") else found.exact
    assert float(number) == pytest.approx(float(case["value"]), rel=1e-12)


@pytest.mark.parametrize("key", [key for key in NOISES if key.endswith("-sd")])
def test_the_recommended_epsilon_is_not_on_the_unsafe_side_of_the_printed_noise(key):
    case = CASES[key]
    found = recommend(profile(case["inputs"]), PureDP)
    deviation = float(Geometric(float(found.parameter)).standard_deviation())
    assert deviation >= float(case["value"]) * (1 - 1e-14)
    assert deviation == pytest.approx(float(case["value"]), rel=1e-11)


def test_a_larger_relative_risk_buys_accuracy_as_in_table_1():
    keys = ("002-t1-A-sd", "002-t1-B-sd", "002-t1-C-sd")
    steps = frontier([profile(CASES[key]["inputs"]) for key in keys], Geometric)
    for key, step in zip(keys, steps, strict=True):
        assert float(step.accuracy.deviation) == pytest.approx(float(CASES[key]["value"]), rel=1e-9)


def test_the_target_of_durham_county_is_between_two_counts():
    assert float(DURHAM.count) == pytest.approx(float(CASES["002-ex3-threshold"]["value"]), rel=1e-12)
    actual = CASES["002-ex3-actual"]
    assert float(DURHAM.rate_of(actual["inputs"]["deaths"])) == pytest.approx(float(actual["value"]), rel=1e-12)


@pytest.mark.parametrize("key", list(SWITCHES))
def test_the_probability_of_crossing_the_target_is_as_in_figure_2(key):
    case = SWITCHES[key]
    r, a = (Fraction(case["inputs"][name]) for name in ("r", "a"))
    noise = Geometric(math.log((r - a) / (1 - a)))
    deviation = float(case["inputs"]["deviation"])
    # The authors round the change of the count; from below the target they have the count 23.
    count = 24 + round(4.012 * deviation) if deviation > 0 else 23
    assert float(crossing(noise, count=count, target=DURHAM)) == pytest.approx(float(case["value"]), rel=1e-12)


def test_no_profile_of_figure_2_meets_the_goal_of_less_than_ten_percent():
    aggressive = crossing(Geometric(math.log(9)), count=25, target=DURHAM)
    assert float(aggressive.upper) >= 0.1
    assert float(aggressive) == pytest.approx(0.1, rel=1e-14)


@pytest.mark.parametrize("key", ["002-d1-0.34", "002-d1-1.62"])
def test_lee_and_cliftons_rule_is_scaled_by_the_changes_of_the_statistic(key):
    case = CASES[key]
    changes = {"removal": float(case["inputs"]["dT"]), "exchange": float(case["inputs"]["dv"])}
    found = lee_clifton_epsilon(population=4, posterior=1 / 3, **changes)
    assert float(found) == pytest.approx(float(case["value"]), rel=1e-12)


def test_equal_changes_leave_the_epsilon_of_the_profile():
    case = CASES["002-d1-eps"]
    found = lee_clifton_epsilon(population=4, posterior=1 / 3, removal=1.0, exchange=1.0)
    assert float(found) == pytest.approx(float(case["value"]), rel=1e-12)


def test_the_bound_of_the_primer_is_as_in_equation_42():
    case = CASES["002-d2-eq42"]
    bound = float(participation_posterior(0.1, 0.5))
    assert bound >= float(case["value"]) * (1 - 1e-16)
    assert bound == pytest.approx(float(case["value"]), rel=1e-12)


@pytest.mark.parametrize(("risk", "printed"), [(1.5, "0.20"), (3.0, "0.55"), (6.0, "0.90")])
def test_the_baseline_of_section_4_is_the_naive_rule(risk, printed):
    assert f"{float(naive_epsilon(risk)):.2f}" == printed


def test_the_quoted_epsilon_of_the_census_is_not_that_of_the_best_conversion():
    case = CASES["002-intro-probe-17.14"]
    epsilon = float(ZeroConcentratedDP(2.56).epsilon(1e-10).upper)
    assert case["agrees"] is False
    assert epsilon == pytest.approx(float(case["value"]), rel=1e-12)
    assert epsilon > float(case["printed"])
