"""The distance between beliefs with and without a person."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, SemanticPrivacy, ZeroConcentratedDP, convert
from whit.guarantees.conversions import level_with_failure
from whit.mechanisms import Gaussian, Geometric
from whit.semantics.counterfactual import CounterfactualWorld, total_variation
from whit.semantics.counterfactual.profile import not_bounded
from whit.setting import Knowledge, Neighbours, Sensitivity
from whit.theory import Direction

REPLACE = Neighbours.REPLACE
REST_KNOWN = Knowledge.EVERYONE_ELSE


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 0.1, 1.0, 5.0, 30.0])
def test_pure_privacy_gives_tanh_of_half_epsilon_and_of_a_quarter_where_the_rest_is_known(epsilon):
    half, quarter = mpmath.tanh(mpmath.mpf(epsilon) / 2), mpmath.tanh(mpmath.mpf(epsilon) / 4)
    replaced = PureDP(epsilon, neighbours=REPLACE)
    cases = {
        half: [
            total_variation(PureDP(epsilon)),
            total_variation(PureDP(epsilon), knows=REST_KNOWN),
            total_variation(replaced),
        ],
        quarter: [
            total_variation(replaced, knows=REST_KNOWN),
            total_variation(replaced, world=CounterfactualWorld.POSTERIOR_SAMPLE),
            total_variation(replaced, world=CounterfactualWorld.DROPPED, knows=REST_KNOWN),
        ],
    }
    for truth, findings in cases.items():
        for found in findings:
            assert found.direction is Direction.AT_MOST
            assert found.basis.failures == ()
            assert truth <= float(found) <= float(truth) * (1 + 1e-14)


@pytest.mark.parametrize("epsilon", [710.0, 1e4])
def test_a_huge_epsilon_gives_1_and_is_no_error(epsilon):
    assert float(total_variation(PureDP(epsilon))) == 1.0


def test_it_agrees_with_the_conversion_to_semantic_privacy_in_closed_form():
    for promise in (PureDP(0.7), PureDP(0.7, neighbours=REPLACE)):
        for knows in Knowledge:
            level = convert(promise, to=SemanticPrivacy, knows=knows).result.level
            assert float(total_variation(promise, knows=knows)) == pytest.approx(level, rel=1e-14)


def cost(e):
    return 2 / (1 + mpmath.exp(e)) * (1 + 1 / (1 + mpmath.sqrt(1 - mpmath.exp(-2 * e))))


def formula(epsilon, delta, people, failure):
    """tanh(e/2) + n k(e) delta / failure, with the cost k(e)."""
    e = mpmath.mpf(epsilon)
    return mpmath.tanh(e / 2) + people * cost(e) * mpmath.mpf(delta) / mpmath.mpf(failure)


@pytest.mark.parametrize("people", [1, 10_000, 330_000_000])
@pytest.mark.parametrize("failure", [4e-4, 0.05])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 1e-14), (0.1, 1e-300), (1.0, 1e-14), (5.0, 1e-13)])
def test_a_stated_point_gives_the_formula_at_that_point(epsilon, delta, people, failure):
    found = float(total_variation(ApproxDP(epsilon, delta), failure=failure, people=people))
    # Beyond its epsilon the delta of a stated point is the same, and close to 0 the cost falls faster than tanh rises.
    beyond = (0, *(mpmath.mpf(10) ** (-k / 200) for k in range(2000)))
    truth = min(formula(epsilon + t, delta, people, failure) for t in beyond)
    assert truth * (1 - mpmath.mpf("1e-5")) <= found <= float(truth) * (1 + 1e-10)
    assert found >= mpmath.tanh(mpmath.mpf(epsilon) / 2)


@pytest.mark.parametrize("failure", [4e-4, 0.002, 0.1])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-9), (1.0, 1e-12), (3.0, 1e-10)])
def test_it_is_below_what_conditioning_on_a_good_set_gives(epsilon, delta, failure):
    conditioned = float(level_with_failure(epsilon, delta, population=10_000, failure=failure))
    assert float(total_variation(ApproxDP(epsilon, delta), failure=failure, people=10_000)) < conditioned


def test_the_example_of_the_theory_falls_below_its_threshold_bounds():
    """Epsilon 1, delta 1e-12, 10 000 people: 0.4822 and 0.4711 by a threshold of the loss, 0.4622 without one."""
    failures = [4e-4, 0.002]
    by_threshold = [float(level_with_failure(1.0, 1e-12, population=10_000, failure=each)) for each in failures]
    assert by_threshold == pytest.approx([0.4822, 0.4711], abs=1e-4)
    found = total_variation(ApproxDP(1.0, 1e-12), failure=failures, people=10_000).value
    truth = [float(formula(1.0, 1e-12, 10_000, failure)) for failure in failures]
    assert found == pytest.approx(truth, rel=1e-9)
    assert max(truth) < 0.46214


def test_a_vanishing_delta_leads_to_the_bound_of_pure_privacy():
    for world, knows in (
        (CounterfactualWorld.DROPPED, Knowledge.ANY_BELIEF),
        (CounterfactualWorld.POSTERIOR_SAMPLE, Knowledge.ANY_BELIEF),
    ):
        relation = world.neighbours
        pure = float(total_variation(PureDP(1.0, neighbours=relation), world=world, knows=knows))
        near = total_variation(ApproxDP(1.0, 1e-300, neighbours=relation), failure=1e-6, world=world, knows=knows)
        assert pure <= float(near) <= pure * (1 + 1e-8)
        assert near.basis.failures[0].probability == 1e-6


def test_the_whole_curve_is_used():
    """Gaussian noise: the least of tanh(t/2) + n k(t) delta(t)/failure over t, by mpmath."""
    mu, people, failure = mpmath.mpf(1) / 2, 1000, mpmath.mpf("1e-3")

    def bound(t):
        delta = mpmath.ncdf(mu / 2 - t / mu) - mpmath.exp(t) * mpmath.ncdf(-mu / 2 - t / mu)
        return mpmath.tanh(t / 2) + people * cost(t) * delta / failure

    truth = min(bound(mpmath.mpf(k) / 100) for k in range(150, 450))
    for promised in (GaussianDP(0.5), Gaussian(2.0)):
        found = float(total_variation(promised, failure=1e-3, people=1000))
        assert found == pytest.approx(float(truth), rel=2e-5)  # the grid of mpmath is the coarser one
    point = ApproxDP(3.0, float(GaussianDP(0.5).delta(3.0).upper))
    assert found < float(total_variation(point, failure=1e-3, people=1000)) < 1.0


def test_compositions_mechanisms_and_curves_are_answered():
    noisy = Gaussian(20.0)
    many = float(total_variation(noisy.times(16), failure=0.01))
    assert many == pytest.approx(float(total_variation(Gaussian(5.0), failure=0.01)), rel=1e-9)
    curve = Curve.exact(GaussianLoss(0.2))
    assert float(total_variation(curve, failure=0.01, world=CounterfactualWorld.DROPPED)) == pytest.approx(
        many, rel=1e-9
    )
    assert float(total_variation(ZeroConcentratedDP(0.02), failure=0.01)) >= many


def test_a_mechanism_knows_how_far_a_replaced_record_shows():
    """A count: replacing a record changes it by one, not by two."""
    count = Geometric(1.0, sensitivity=Sensitivity.count())
    known = float(total_variation(count, knows=REST_KNOWN))
    assert known == pytest.approx(float(mpmath.tanh(0.25)), rel=1e-9)
    assert float(total_variation(PureDP(1.0), knows=REST_KNOWN)) == pytest.approx(float(mpmath.tanh(0.5)))


def test_failures_and_people_broadcast_and_more_of_the_one_or_fewer_of_the_other_help():
    failures, people = np.array([[1e-4], [1e-2], [0.5]]), np.array([1, 100, 10_000])
    found = total_variation(GaussianDP(0.3), failure=failures, people=people).value
    assert found.shape == (3, 3)
    assert np.all(np.diff(found, axis=0) < 0)
    assert np.all(np.diff(found, axis=1) > 0)
    one = total_variation(GaussianDP(0.3), failure=1e-2, people=100)
    assert float(one) == pytest.approx(found[1, 1], rel=1e-12)


def test_where_nothing_can_be_said_the_error_names_the_smallest_failure():
    with pytest.raises(NotImplied, match=r"has no bound at a failure probability of 1\.5 % or less"):
        total_variation(ApproxDP(1.0, 1e-6), failure=0.001, people=10_000)
    with pytest.raises(NotImplied, match=r"at a failure probability of 1 % or less;"):
        total_variation(
            ApproxDP(1.0, 1e-6, neighbours=REPLACE), people=10_000, world=CounterfactualWorld.POSTERIOR_SAMPLE
        )
    for promise in (GaussianDP(1.0), ZeroConcentratedDP(0.5), RenyiDP({2: 0.1})):
        with pytest.raises(NotImplied, match="has no bound without a failure probability;"):
            total_variation(promise)
    assert float(total_variation(ApproxDP(1.0, 1e-6), failure=0.0151, people=10_000)) < 1.0


def test_of_several_failures_those_that_say_nothing_give_1():
    found = total_variation(ApproxDP(1.0, 1e-6), failure=[0.0, 0.001, 0.1], people=10_000).value
    assert found[:2].tolist() == [1.0, 1.0]
    assert found[2] < 1.0


def test_the_finding_names_its_theorem_its_failure_and_its_world():
    found = total_variation(ApproxDP(1.0, 1e-9), failure=0.01, people=50)
    assert found.basis.theorems[-1] == "beliefs-but-for-failure"
    assert found.basis.failures[0].probability == 0.01
    assert "belief-is-right" in found.basis.assumptions
    assert found.inputs["world"] == "DROPPED"
    assert total_variation(PureDP(1.0)).basis.theorems[-1] == "pure-to-semantic"


def test_a_promise_about_replaced_records_says_nothing_of_dropped_ones():
    with pytest.raises(NotImplied, match="does not follow from one under"):
        total_variation(PureDP(1.0, neighbours=REPLACE), world=CounterfactualWorld.DROPPED)


def test_bad_input_is_refused_in_a_sentence():
    with pytest.raises(InvalidInput, match=r"failure must be a probability in \[0, 1\]"):
        total_variation(PureDP(1.0), failure=1.5)
    with pytest.raises(InvalidInput, match="people must be a whole number"):
        total_variation(PureDP(1.0), people=0)
    with pytest.raises(InvalidInput, match="promise must be a promise"):
        total_variation(1.0)
    with pytest.raises(InvalidInput, match="world must be one of CounterfactualWorld"):
        total_variation(PureDP(1.0), world="dropped")


def test_an_empty_failure_is_refused():
    with pytest.raises(InvalidInput, match="failure must be a number or an array with at least one"):
        total_variation(PureDP(1.0), failure=[])


@pytest.mark.parametrize(
    ("least", "rule", "way_out"),
    [
        (0.0, "has no bound without a failure probability", "Allow more."),
        (0.015, "has no bound at a failure probability of 1.5 % or less", "Allow more."),
        (0.99996, "has no bound at a failure probability of 99.996 % or less", "Use a promise with a smaller delta."),
        (1.0 - 2**-53, "has no bound at a failure probability of 99", "Use a promise with a smaller delta."),
        (1.0, "is not bounded by this promise at any failure probability", "Use a promise with a smaller delta."),
        (7.0, "is not bounded by this promise at any failure probability", "Use a promise with a smaller delta."),
    ],
)
def test_no_failure_above_one_is_ever_advised(least, rule, way_out):
    refused = not_bounded("the ratio", least, 0.0, "Allow more.")
    assert refused.rule.startswith(rule)
    assert refused.way_out == way_out
