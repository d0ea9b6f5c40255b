"""Posterior, ratio, difference and odds at a prior: one loss, four ways to say it."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss, Order, largest_loss
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import (
    FDP,
    ApproxDP,
    GaussianDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    SemanticPrivacy,
    ZeroConcentratedDP,
)
from whit.mechanisms import (
    DiscreteGaussian,
    Finite,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    compose,
)
from whit.semantics.membership import difference, odds, posterior, ratio
from whit.setting import Neighbours, Sensitivity
from whit.theory import Basis, Direction

QUESTIONS = (posterior, ratio, difference, odds)
EVERYTHING = [
    PureDP(1.0),
    ApproxDP(0.5, 1e-6),
    ProbabilisticDP(0.5, 1e-3),
    ProbabilisticDP(0.5, 1e-3, sides=1),
    ZeroConcentratedDP(0.07),
    RenyiDP({2.0: 0.1, 8.0: 0.5}),
    GaussianDP(0.5),
    SemanticPrivacy(0.2),
    FDP(GaussianLoss(0.8)),
    Gaussian(1.0),
    Laplace(1.0),
    Geometric(1.0),
    DiscreteGaussian(2.0),
    RandomizedResponse(1.0),
    Finite([0.6, 0.4], [0.4, 0.6]),
    PoissonSubsampled(Gaussian(1.0), rate=0.1),
    compose(Gaussian(2.0), Gaussian(3.0)),
    Curve.exact(GaussianLoss(1.0)),
]


@pytest.mark.parametrize("promised", EVERYTHING, ids=lambda promised: repr(promised)[:40])
def test_every_promise_has_an_answer(promised):
    one = posterior(promised, 0.3, failure=0.05)
    two = posterior(promised, 0.3, failure=0.05, sides=2)
    assert one.direction is Direction.AT_MOST
    assert two.direction is Direction.AT_MOST
    assert two.is_two_sided
    assert two.lower <= two.upper
    # More is asked of two sides; some tails are computed in two ways, each with its own rounding.
    assert 0.3 < one.value <= two.upper * (1 + 1e-12) < 1.0
    assert [failure.probability for failure in two.basis.failures] == [0.05]


@pytest.mark.parametrize("promised", [PureDP(1.3), ApproxDP(0.5, 1e-6), Gaussian(1.0)])
@pytest.mark.parametrize("prior", [1e-15, 0.29, 0.5, 1 - 1e-12])
def test_the_four_are_one_bound_on_the_loss(promised, prior):
    t, p = mpmath.mpf(float(largest_loss(promised, 0.01))), mpmath.mpf(prior)
    truth = p / (p + (1 - p) * mpmath.exp(-t))
    expected = (truth, truth / p, truth - p, truth / (1 - truth))
    for question, value in zip(QUESTIONS, expected, strict=True):
        found = float(question(promised, prior, failure=0.01))
        assert found >= value
        assert found == pytest.approx(float(value), rel=1e-14)


def test_the_interval_is_that_of_the_opposite_turned_round():
    """Two-sided, what holds for a fact at prior p holds for its opposite at prior 1 - p."""
    fact, opposite = (posterior(PureDP(1.0), p, sides=2) for p in (0.25, 0.75))
    assert float(fact.lower) == pytest.approx(1 - float(opposite.upper), rel=1e-14)
    assert float(fact.upper) == pytest.approx(1 - float(opposite.lower), rel=1e-14)


def test_replacing_is_asked_of_the_replaced_record():
    count = Gaussian(1.0, sensitivity=Sensitivity.histogram())
    added, replaced = (float(posterior(count, 0.5, failure=0.01, neighbours=n)) for n in tuple(Neighbours)[:2])
    assert added < replaced
    pure = PureDP(1.0)
    assert float(odds(pure, 0.5, neighbours=Neighbours.REPLACE)) == pytest.approx(math.e**2, rel=1e-14)


def test_a_mechanism_that_can_tell_all_does():
    assert float(posterior(Gaussian(1.0), 0.5)) == 1.0
    tells = Finite([0.9, 0.1, 0.0], [0.9, 0.0, 0.1])
    assert float(posterior(tells, 0.01, failure=0.05)) == 1.0
    assert float(posterior(tells, 0.01, failure=0.2)) == pytest.approx(0.01, rel=1e-12)


def test_a_prior_of_zero_or_one_is_not_moved():
    found = posterior(Gaussian(1.0), [0.0, 1.0], sides=2)
    assert found.lower.tolist() == found.upper.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 710.0, 1e4])
def test_extreme_promises_are_ordinary(epsilon):
    priors = np.array([0.0, 1e-15, 0.5, 1 - 1e-16, 1.0])
    for question in QUESTIONS:
        found = question(PureDP(epsilon), priors, sides=2)
        assert not np.isnan([found.lower, found.upper]).any()
        assert np.all(found.lower <= found.upper)


def test_priors_and_failures_broadcast():
    found = posterior(ZeroConcentratedDP(0.07), np.array([[0.1], [0.5], [0.9]]), failure=[0.01, 0.05])
    assert found.value.shape == (3, 2)
    assert found.value[1, 0] == float(posterior(ZeroConcentratedDP(0.07), 0.5, failure=0.01))
    assert found.basis.failures[0].probability == 0.05


def test_a_million_priors_are_one_call_and_a_short_record():
    priors = np.linspace(0.0, 1.0, 1_000_000)
    found = posterior(PureDP(1.0), priors, sides=2)
    assert found.upper.shape == priors.shape
    assert found.inputs["prior"] == {"count": 1_000_000, "smallest": 0.0, "largest": 1.0}


def test_an_estimate_stays_an_estimate():
    about = Curve(GaussianLoss(1.0), Direction.ABOUT, Order.LOSS, Basis.of("gaussian-profile"))
    found = posterior(about, 0.5, failure=0.01, sides=2)
    assert found.direction is Direction.ABOUT
    assert found.lower is found.upper is None


def test_as_a_float_two_sides_are_their_upper_bound():
    answer = posterior(PureDP(1.0), 0.5, sides=2)
    assert float(answer) == answer.upper
    assert repr(answer) == "<Finding: posterior probability is between 26.8 % and 73.2 %>"


def test_of_many_numbers_two_sides_tell_the_worst():
    answer = posterior(PureDP(1.0), [0.1, 0.5], sides=2)
    assert str(answer) == "posterior probability is between 26.8 % and 73.2 % (the largest of 2 values)"


def test_ends_that_cross_are_refused():
    answer, other = posterior(PureDP(1.0), 0.5, sides=2), posterior(PureDP(2.0), 0.5, sides=2)
    with pytest.raises(InvalidInput, match="must have its lower end at or below its upper end"):
        replace(answer, other_end=other.upper)


def test_one_side_knows_nothing_below():
    answer = posterior(PureDP(1.0), 0.5)
    assert answer.lower is None
    assert not answer.is_two_sided
    two = posterior(PureDP(1.0), 0.5, sides=2)
    assert (two.bound.value, two.bound.other_end) == (answer.value, None)
    assert (two.below.value, two.below.direction) == (two.lower, Direction.AT_LEAST)


def test_what_is_not_promised_is_refused():
    with pytest.raises(NotImplied, match="Ask with failure=1e-05 or more"):
        posterior(ApproxDP(1.0, 1e-6), 0.5)
    lower = Curve(GaussianLoss(1.0), Direction.AT_LEAST, Order.LOSS, Basis.of("gaussian-profile"))
    with pytest.raises(NotImplied, match="cannot be bounded by a curve that is a lower bound"):
        posterior(lower, 0.5, failure=0.01)


@pytest.mark.parametrize("prior", [-0.1, 1.1, "half", None, [[0.5], [0.5, 0.5]], float("nan")])
def test_what_is_no_prior_is_refused(prior):
    with pytest.raises(InvalidInput, match="prior must be a"):
        posterior(PureDP(1.0), prior)


def test_what_is_no_promise_is_refused():
    with pytest.raises(InvalidInput, match="must be a promise, a mechanism or a curve"):
        posterior(1.0, 0.5)


def test_priors_and_failures_that_do_not_pair_are_refused():
    with pytest.raises(Incompatible, match=r"shapes \(2,\) and \(3,\)"):
        posterior(PureDP(1.0), [0.1, 0.2], failure=[0.1, 0.2, 0.3])


def test_rows_of_different_lengths_are_no_failures():
    for ask in QUESTIONS:
        with pytest.raises(InvalidInput, match="failure must be a number or an array of numbers"):
            ask(PureDP(1.0), 0.5, failure=[[0.1], [0.2, 0.3]])


@pytest.mark.parametrize("neighbours", [[Neighbours.REPLACE], {}, set(), np.zeros(2), "replace"], ids=repr)
def test_what_is_no_relation_is_refused(neighbours):
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours|must be a member of Neighbours"):
        posterior(PureDP(1.0), 0.5, neighbours=neighbours)


@pytest.mark.parametrize("loss", [745.0, 1e4])
def test_no_difference_exceeds_one(loss):
    assert float(difference(PureDP(loss), 5e-324)) == 1.0


@pytest.mark.parametrize(
    ("promise", "prior", "failure", "short"),
    [
        (PureDP(60.0), 0.5, 0.0, True),
        (ZeroConcentratedDP(19.776), 0.5, 0.01, True),
        (PureDP(60.0), [0.1, 0.2], 0.0, True),
        (PureDP(60.0), [0.1, 1.0], 0.0, True),  # of the one who was not certain before
        (PureDP(60.0), 1.0, 0.0, False),
        (Gaussian(1.0), 0.5, 0.0, False),
        (PureDP(1.0), 0.5, 0.0, False),
    ],
)
def test_a_finite_loss_makes_nobody_certain_though_the_bound_is_rounded_up_to_it(promise, prior, failure, short):
    found = posterior(promise, prior, failure=failure)
    assert found.short_of_certainty is short
    if short:
        assert found.largest == 1.0
        assert "may exceed 99.9 %" in str(found)
