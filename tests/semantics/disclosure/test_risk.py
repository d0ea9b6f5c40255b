"""Relative and absolute risk of disclosure: values, sides, extremes and sentences."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Geometric, RandomizedResponse
from whit.semantics.disclosure import (
    absolute_risk,
    inclusion_part,
    inclusion_ratio,
    relative_risk,
    relative_risk_at_any_prior,
    value_part,
    value_ratio,
)
from whit.setting import Neighbours
from whit.theory import Direction

EXTREMES = [0.0, 1e-15, 0.3, 1 - 1e-15, 1.0]


def theorem_1(epsilon: float, p: float, q: float) -> mpmath.mpf:
    e, p, q = mpmath.mpf(epsilon), mpmath.mpf(p), mpmath.mpf(q)
    return 1 / (p * q + p * (1 - q) * mpmath.exp(-2 * e) + (1 - p) * mpmath.exp(-e))


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 0.5, 3.0, 350.0])
def test_theorem_1_at_ordinary_and_extreme_beliefs(epsilon: float) -> None:
    p, q = (x.ravel() for x in np.meshgrid(EXTREMES, EXTREMES))
    found = relative_risk(PureDP(epsilon), inclusion=p, value=q)
    assert found.direction is Direction.AT_MOST
    for number, one, other in zip(np.asarray(found.value), p, q, strict=True):
        truth = theorem_1(epsilon, one, other)
        assert truth <= number <= truth * (1 + 1e-14)


@pytest.mark.parametrize("epsilon", [710.0, 1e4])
def test_a_huge_epsilon_bounds_the_risk_by_certainty(epsilon: float) -> None:
    assert float(relative_risk(PureDP(epsilon), inclusion=0.5, value=0.25)) == pytest.approx(8.0, rel=1e-14)
    assert float(absolute_risk(PureDP(epsilon), inclusion=0.5, value=0.25)) == pytest.approx(1.0, rel=1e-14)
    assert float(relative_risk(PureDP(epsilon), inclusion=0.0, value=0.0)) > 1e300


def test_absolute_risk_is_relative_risk_times_the_prior() -> None:
    for p, q in ((0.05, 0.1), (1.0, 0.5), (0.3, 1.0)):
        relative = float(relative_risk(PureDP(1.0), inclusion=p, value=q))
        absolute = float(absolute_risk(PureDP(1.0), inclusion=p, value=q))
        assert absolute == pytest.approx(relative * p * q, rel=1e-14)
        assert absolute >= mpmath.mpf(p) * q * theorem_1(1.0, p, q)


def test_a_prior_of_0_stays_0_and_one_of_1_stays_1() -> None:
    assert float(absolute_risk(PureDP(3.0), inclusion=0.0, value=0.4)) == 0.0
    assert float(absolute_risk(PureDP(3.0), inclusion=1.0, value=1.0)) == 1.0
    assert float(relative_risk(PureDP(3.0), inclusion=1.0, value=1.0)) == 1.0


def test_a_release_that_says_nothing_has_risk_1() -> None:
    assert np.all(np.asarray(relative_risk(PureDP(0.0), inclusion=EXTREMES, value=0.2).value) == 1.0)


def test_a_known_mechanism_has_less_risk_than_its_epsilon_alone() -> None:
    beliefs = {"inclusion": 1.0, "value": 0.1}
    assert float(relative_risk(Geometric(1.0), **beliefs)) < 0.6 * float(relative_risk(PureDP(1.0), **beliefs))


def test_risk_falls_with_failure_and_rises_with_the_promise() -> None:
    beliefs = {"inclusion": 0.3, "value": 0.2}
    chances = np.array([1e-4, 1e-3, 0.01, 0.1])
    found = np.asarray(relative_risk(ApproxDP(1.0, 1e-5), failure=chances, **beliefs).value)
    assert np.all(np.diff(found) <= 0)
    assert float(relative_risk(ApproxDP(1.1, 1e-5), failure=0.01, **beliefs)) > found[2]
    assert float(relative_risk(ZeroConcentratedDP(0.1), failure=0.01, **beliefs)) < float(
        relative_risk(ZeroConcentratedDP(0.2), failure=0.01, **beliefs)
    )


def test_a_failure_is_named_once_with_its_theorem() -> None:
    found = relative_risk(ApproxDP(1.0, 1e-5), inclusion=0.3, value=0.2, failure=0.01)
    assert [each.probability for each in found.basis.failures] == [0.01]
    assert "disclosure-with-failure" in found.basis.theorems
    assert "disclosure-with-failure" not in relative_risk(PureDP(1.0), inclusion=0.3, value=0.2).basis.theorems
    assert "others-do-not-depend-on-person" in found.basis.assumptions


def test_without_a_failure_a_delta_proves_no_more_than_certainty() -> None:
    assert float(relative_risk(ApproxDP(1.0, 1e-5), inclusion=0.5, value=0.5)) == pytest.approx(4.0, rel=1e-14)


def test_no_prior_beats_the_bound_at_any_prior() -> None:
    p, q = np.meshgrid(np.linspace(0, 1, 21), np.linspace(0, 1, 21))
    risks = np.asarray(relative_risk(PureDP(0.8), inclusion=p, value=q).value)
    worst = float(relative_risk_at_any_prior(PureDP(0.8)))
    assert risks.max() <= worst * (1 + 1e-14)
    assert mpmath.exp(mpmath.mpf(0.8) * 2) <= worst <= mpmath.exp(mpmath.mpf(0.8) * 2) * (1 + 1e-14)
    assert float(relative_risk_at_any_prior(Geometric(1.0))) == pytest.approx(math.e, rel=1e-12)


def test_the_factors_are_those_of_membership_and_of_known_inclusion() -> None:
    promise = PureDP(1.0)
    assert float(inclusion_part(promise, inclusion=0.05)) == float(relative_risk(promise, inclusion=0.05, value=1.0))
    assert float(value_part(promise, value=0.1)) == float(relative_risk(promise, inclusion=1.0, value=0.1))
    product = float(inclusion_part(promise, inclusion=0.05)) * float(value_part(promise, value=0.1))
    assert product >= float(relative_risk(promise, inclusion=0.05, value=0.1))


def test_the_ratios_are_the_exponentials_of_the_losses() -> None:
    assert float(inclusion_ratio(PureDP(1.0))) == pytest.approx(math.e, rel=1e-15)
    assert float(value_ratio(PureDP(1.0))) == pytest.approx(math.e**2, rel=1e-15)
    assert float(value_ratio(PureDP(1.0), swap=PureDP(1.5, neighbours=Neighbours.REPLACE))) == pytest.approx(
        math.exp(1.5)
    )
    assert float(inclusion_ratio(PureDP(1.0))) >= mpmath.e


def test_everything_broadcasts() -> None:
    found = relative_risk(ApproxDP(1.0, 1e-6), inclusion=[[0.1], [0.5]], value=[0.1, 0.2, 1.0], failure=0.01)
    assert np.shape(found.value) == (2, 3)
    one = relative_risk(ApproxDP(1.0, 1e-6), inclusion=0.5, value=0.2, failure=0.01)
    assert np.asarray(found.value)[1, 1] == float(one)


def test_a_local_promise_speaks_about_people_known_to_be_in_the_data() -> None:
    local = RandomizedResponse(1.0)
    found = float(relative_risk(local, inclusion=1.0, value=0.1))
    assert found == pytest.approx(1 / (0.1 + 0.9 * math.exp(-1)), rel=1e-12)


def test_a_promise_about_replacing_refuses_an_uncertain_inclusion() -> None:
    promise = PureDP(1.0, neighbours=Neighbours.REPLACE)
    with pytest.raises(NotImplied, match=r"a disclosure risk needs the loss of adding .* Use inclusion=1"):
        relative_risk(promise, inclusion=0.5, value=0.1)


def test_wrong_inputs_are_refused_with_a_sentence() -> None:
    with pytest.raises(InvalidInput, match="inclusion must be a probability"):
        relative_risk(PureDP(1.0), inclusion=1.5, value=0.1)
    with pytest.raises(InvalidInput, match="value must be a number"):
        relative_risk(PureDP(1.0), inclusion=0.5, value="much")
    with pytest.raises(InvalidInput, match="failure must be a probability"):
        absolute_risk(PureDP(1.0), inclusion=0.5, value=0.1, failure=-1)
    with pytest.raises(Incompatible, match="must have shapes that go together"):
        relative_risk(PureDP(1.0), inclusion=[0.1, 0.2], value=[0.1, 0.2, 0.3])
    with pytest.raises(InvalidInput, match="promise must be a promise"):
        relative_risk(1.0, inclusion=0.5, value=0.1)


@pytest.mark.parametrize(("inclusion", "value"), [(0.5, 1.0), (1.0, 0.5), (0.5, 0.5), (0.1, 1.0), (0.05, 0.2)])
@pytest.mark.parametrize("epsilon", [30.0, 40.0, 710.0, 1e4])
def test_the_relative_risk_is_no_more_than_that_of_certainty(inclusion, value, epsilon):
    found = float(relative_risk(PureDP(epsilon), inclusion=inclusion, value=value))
    certain = 1 / (Fraction(inclusion) * Fraction(value))
    assert found <= math.nextafter(float(certain), math.inf)
    assert found <= round(float(certain))  # 2, 4, 10 or 100, of which the double names are not above
