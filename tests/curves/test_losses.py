"""The largest loss that a promise, a mechanism or a curve lets happen."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import referee
from hypothesis import given, settings
from pairs import finite_pairs

from whit.curves import (
    LARGEST_LOSS,
    ComposedLoss,
    Curve,
    FinitePair,
    GaussianLoss,
    Orientation,
    largest_loss,
    mixed_loss,
    sum_of_largest,
    sure_loss,
)
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import FDP, ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import (
    Composed,
    DiscreteGaussian,
    Finite,
    FullChange,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    compose,
)
from whit.semantics.testing import power
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Failure, Randomness


def test_pure_promises_hold_with_certainty():
    found = largest_loss(PureDP(1.0), [0.0, 1e-300, 0.4], sides=2)
    assert found.value.tolist() == [1.0, 1.0, 1.0]
    assert found.direction is Direction.AT_MOST


@pytest.mark.parametrize(("epsilon", "delta", "failure"), [(1.0, 1e-6, 0.01), (0.1, 1e-7, 0.01), (3.0, 1e-9, 1e-8)])
def test_approximate_promises_have_the_closed_form(epsilon, delta, failure):
    e, d, phi = map(mpmath.mpf, (epsilon, delta, failure))
    one = e - mpmath.log(1 - d / phi)
    two = mpmath.log((phi * mpmath.exp(e) + d) / (phi - d))
    for sides, truth in ((1, one), (2, two)):
        found = float(largest_loss(ApproxDP(epsilon, delta), failure, sides=sides))
        assert truth <= found <= truth + 1e-11


@pytest.mark.parametrize("rho", [1e-6, 0.1, 2.63])
def test_concentrated_promises_are_used_directly(rho):
    found = float(largest_loss(ZeroConcentratedDP(rho), 0.01))
    truth = mpmath.mpf(rho) + 2 * mpmath.sqrt(mpmath.mpf(rho) * mpmath.log(100))
    assert truth <= found <= truth * (1 + 1e-11) + 1e-12
    assert math.isinf(float(largest_loss(ZeroConcentratedDP(rho), 0.0)))


def test_known_noise_has_its_quantile():
    mu = 0.5
    truth = mu**2 / 2 + mu * float(mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf("0.01")))
    found = float(largest_loss(Gaussian(2.0), 0.01))
    assert truth - 1e-14 <= found <= truth + 1e-11


def test_a_promise_knows_less_than_the_noise_behind_it():
    by_noise, by_curve, by_rho = (
        float(largest_loss(each, 0.01)) for each in (Gaussian(2.0), GaussianDP(0.5), ZeroConcentratedDP(0.125))
    )
    assert by_noise < by_curve < by_rho + 0.2


def test_a_two_sided_promise_is_not_charged_twice():
    assert float(largest_loss(ProbabilisticDP(1.0, 0.01), 0.01, sides=2)) == 1.0
    one_sided = ProbabilisticDP(1.0, 0.01, sides=1)
    assert float(largest_loss(one_sided, 0.01)) == 1.0
    assert float(largest_loss(one_sided, 0.01, sides=2)) > 1.0


@settings(max_examples=15)
@given(finite_pairs())
def test_no_random_pair_exceeds_what_its_curve_allows(pair):
    """Exact curves, and the same curves known by their profile alone."""
    p, q = pair
    curve = Curve.exact(FinitePair.of(p, q))
    for known in (curve, curve.as_profile()):
        for failure in (0.0, 0.05, 0.4):
            t = float(largest_loss(known, failure))
            beyond = max(referee.tail(p, q, t), referee.tail(q, p, t)) if math.isfinite(t) else 0
            assert beyond <= failure


def test_the_relation_is_that_asked_for():
    assert float(largest_loss(PureDP(1.0), 0.0, neighbours=Neighbours.REPLACE)) == 2.0
    assert Laplace(1.0).curve(Neighbours.REPLACE).direction is Direction.EXACTLY


def test_the_failure_travels_with_the_number():
    found = largest_loss(ZeroConcentratedDP(0.1), [0.01, 0.02])
    assert found.basis.failures == (Failure(0.02, Randomness.MECHANISM),)
    assert found.inputs["sides"] == 1


def test_estimates_stay_estimates_and_lower_bounds_are_refused():
    exact = Curve.exact(GaussianLoss(1.0))
    about = Curve(exact.face, Direction.ABOUT, exact.order, exact.basis)
    assert largest_loss(about, 0.01).direction is Direction.ABOUT
    audit = Curve(exact.face, Direction.AT_LEAST, exact.order, exact.basis)
    with pytest.raises(NotImplied, match="the privacy loss cannot be bounded by a curve that is a lower bound"):
        largest_loss(audit, 0.01)


def test_extremes_are_ordinary():
    for promised in (ZeroConcentratedDP(1e-12), ZeroConcentratedDP(1e4), PureDP(1e4), PureDP(0.0), GaussianDP(30.0)):
        for sides in (1, 2):
            values = largest_loss(promised, [1e-300, 1e-9, 0.5, 1.0], sides=sides).value
            assert np.all(np.diff(values) <= 0)
            assert np.all(np.isfinite(values))
    assert float(largest_loss(RandomizedResponse(1.0), 0.0)) <= 1.0 + 1e-15


def test_several_promises_are_answered():
    for promised in (RenyiDP({2: 0.1, 8: 0.5}), FDP(lambda level: max(0.0, 1 - 3 * level, (1 - level) / 3))):
        assert 0.3 < float(largest_loss(promised, 0.1)) < 1.2


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((5, 0.01), {}, "promise must be a promise, a mechanism or a curve; got 5"),
        ((PureDP(1.0), 1.5), {}, "failure must be .*1.5"),
        ((PureDP(1.0), 0.1), {"sides": 3}, "sides must be 1 or 2; got 3"),
    ],
)
def test_wrong_input_is_answered_with_a_sentence(arguments, options, message):
    with pytest.raises(InvalidInput, match=message):
        largest_loss(*arguments, **options)


def test_few_different_releases_end_at_their_largest_loss():
    """The largest sum has probability 1/4: with a smaller failure nothing below it will do."""
    assert float(largest_loss(compose(Laplace(1.0), Laplace(2.0)), 0.01)) == pytest.approx(1.5, rel=1e-12)


@pytest.mark.slow
def test_infinite_loss_is_not_cut_at_the_largest_finite_one():
    leaky = compose(Finite([0.5, 0.5, 0.0], [0.0, 0.5, 0.5]), Laplace(1.0), Laplace(2.0))
    assert math.isinf(float(largest_loss(leaky, 0.3)))
    assert math.isfinite(float(largest_loss(leaky, 0.7)))
    assert float(largest_loss(FullChange(leaky), 0.7)) < 1.5


@pytest.mark.slow
def test_a_sample_is_judged_by_its_worse_order():
    """Adding and removing a record are not alike for a sample: the threshold must do for both."""
    curve = PoissonSubsampled(Gaussian(1.0), 0.3).times(3).curve()
    t = float(largest_loss(curve, 0.05))
    for each in (curve, curve.reverse()):
        assert float(each.tail(t, orientation=Orientation.FORWARD).lower) <= 0.05


@pytest.mark.parametrize("number", [10**5, 10**6])
def test_no_loss_of_a_composition_exceeds_the_sum_of_the_largest(number):
    loss, truth = Laplace(1024.0).times(number).curve().face, Fraction(number, 1024)
    assert isinstance(loss, ComposedLoss)
    assert truth <= Fraction(sum_of_largest(loss)) <= truth * (1 + Fraction(1, 10**12))


def test_a_composition_with_a_loss_without_bound_has_no_largest():
    loss = PoissonSubsampled(Gaussian(1.0), 0.1).times(100).curve().face
    assert isinstance(loss, ComposedLoss)
    assert sum_of_largest(loss) == math.inf


# The loss that is never exceeded


@pytest.mark.parametrize(
    ("promise", "truth"),
    [
        (PureDP(1.5), 1.5),
        (Laplace(4.0), 0.25),
        (Geometric(0.3), 0.3),
        (RandomizedResponse(1.0), 1.0),
        (Finite([0.75, 0.25], [0.25, 0.75]), math.log(3.0)),
        (Finite([0.5, 0.5], [0.5, 0.5]), 0.0),
        (Laplace(4.0).times(1000), 250.0),
        (RandomizedResponse(1.0).curve(), 1.0),
    ],
    ids=repr,
)
def test_the_sure_loss_is_the_largest_loss_there_is(promise, truth):
    found = sure_loss(promise)
    assert found.direction is Direction.AT_MOST
    assert found.quantity == LARGEST_LOSS
    assert truth <= float(found) <= truth * (1 + 1e-11)
    assert found.inputs["failure"] == 0.0


@pytest.mark.parametrize(
    "promise",
    [
        ApproxDP(1.0, 1e-9),
        ZeroConcentratedDP(0.1),
        GaussianDP(0.1),
        Gaussian(10.0),
        DiscreteGaussian(10.0),
        Finite([0.5, 0.5, 0.0], [0.5, 0.0, 0.5]),
        PoissonSubsampled(Gaussian(1.0), 0.1).times(100),
    ],
    ids=lambda promise: type(promise).__name__,
)
def test_a_loss_without_bound_is_never_sure(promise):
    assert float(sure_loss(promise)) == math.inf


@pytest.mark.parametrize(
    ("promise", "total"),
    [
        (Laplace(2.0).times(3), 1.5),
        (Geometric(1.5).times(2), 3.0),
        (compose(Laplace(2.0).times(3), PureDP(0.25)), 1.75),
    ],
    ids=["laplace", "geometric", "beside a promise"],
)
def test_sure_losses_that_a_double_holds_add_up_without_rounding(promise, total):
    assert float(sure_loss(promise)) == total


def test_the_sure_loss_is_that_of_the_relation():
    assert float(sure_loss(PureDP(1.0), Neighbours.REPLACE)) == 2.0
    assert float(sure_loss(Geometric(0.5, sensitivity=Sensitivity.histogram()), Neighbours.REPLACE)) == pytest.approx(
        1.0
    )
    assert sure_loss(Laplace(1.0), Neighbours.REPLACE).inputs["neighbours"] == "REPLACE"


def test_the_sure_losses_of_several_mechanisms_add_up():
    together = compose(Laplace(4.0).times(3), Geometric(0.5), RandomizedResponse(1.0))
    found = together.sure_loss(Neighbours.REPLACE)
    # A count changes by one if a record is replaced as well.
    assert 0.75 + 0.5 + 1.0 <= float(found) <= 2.25 * (1 + 1e-11)
    assert found.direction is Direction.AT_MOST
    assert "losses-add" in found.basis.theorems
    assert float(compose(Laplace(4.0), Gaussian(1.0)).sure_loss()) == math.inf
    with pytest.raises(NotImplied, match="the privacy loss is not known under the neighbours add-remove"):
        together.sure_loss(Neighbours.ADD_REMOVE)


def test_the_sure_losses_of_compositions_within_compositions_add_up():
    inner = compose(Laplace(4.0), Geometric(0.5))
    assert 1.5 <= float(Composed((inner, 2)).sure_loss()) <= 1.5 * (1 + 1e-11)


# The loss that mixing keeps


def test_without_a_failure_the_mixed_loss_is_the_sure_one():
    for promise in (PureDP(1.0), Laplace(2.0), GaussianDP(1.0)):
        for failure in (0.0, [0.0, 0.0]):
            found = mixed_loss(promise, failure)
            assert np.shape(found.value) == np.shape(failure)
            assert np.all(np.asarray(found.value) == float(sure_loss(promise)))


@pytest.mark.parametrize(
    "promise", [PureDP(1.0), Laplace(2.0), Gaussian(2.0), GaussianDP(0.5), ZeroConcentratedDP(0.1)]
)
def test_the_mixed_loss_lies_between_the_largest_and_the_sure_one(promise):
    chances = np.array([0.0, 1e-6, 0.01, 0.3])
    found = np.asarray(mixed_loss(promise, chances).value)
    assert np.all(found <= float(sure_loss(promise)))
    assert np.all(found >= np.asarray(largest_loss(promise, chances).value) * (1 - 1e-9))
    assert np.all(np.diff(found) <= 1e-9)


def test_a_mixture_of_gaussian_pairs_keeps_to_the_mixed_loss():
    """Two answers that are equally likely, 0 and 10, each with noise of deviation 1, and moved by 1: P[Z > t]."""
    failure = 0.05
    t = float(mixed_loss(Gaussian(1.0), failure))
    x = np.linspace(-15.0, 25.0, 400_001)
    first, second = (
        np.exp(-((x - a) ** 2) / 2) / 2 + np.exp(-((x - b) ** 2) / 2) / 2 for a, b in ((0.0, 10.0), (1.0, 9.0))
    )
    mass = first / first.sum()
    assert mass[np.log(first / second) > t].sum() <= failure


def test_the_mixed_loss_is_that_of_the_relation():
    under = mixed_loss(GaussianDP(0.5), 0.01, Neighbours.REPLACE)
    assert float(under) == float(mixed_loss(GaussianDP(1.0, neighbours=Neighbours.REPLACE), 0.01))


@pytest.mark.parametrize("ask", [sure_loss, lambda promise: mixed_loss(promise, 0.1)], ids=["sure", "mixed"])
def test_what_is_no_promise_is_refused(ask):
    with pytest.raises(InvalidInput, match="promise must be a promise, a mechanism or a curve; got 5"):
        ask(5)


@pytest.mark.parametrize("failure", [-0.1, 1.5, "often"])
def test_what_is_no_failure_is_refused(failure):
    with pytest.raises(InvalidInput, match="failure must be"):
        mixed_loss(PureDP(1.0), failure)


@pytest.mark.parametrize(("scale", "releases"), [(1e308, 4), (1e9, 1000), (0.5, 3)])
def test_what_is_never_exceeded_is_the_sum_of_the_largest_losses(scale, releases):
    """Each Laplace release loses at most one over its scale, and reaches it."""
    truth = Fraction(releases) / Fraction(scale)
    found = Fraction(float(largest_loss(Laplace(scale).times(releases), 0.0)))
    assert truth <= found <= truth * (1 + Fraction(1, 10**12)) + Fraction(5e-324)


def level_of_power(mu, power):
    """The level of the best test of N(0, 1) against N(mu, 1) that has this power, in many digits."""
    with mpmath.workdps(60):
        return mpmath.ncdf(mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(power) - 1) - mpmath.mpf(mu))


@pytest.mark.parametrize("mu", [0.003, 0.61, 1.0, 4.0])
@pytest.mark.parametrize("failure", [1e-9, 1e-6, 0.05, 0.7])
def test_gaussian_promises_have_the_closed_form(mu, failure):
    # P[Z > t] is at most the power that is e^t times its level: so t is the log of the failure over its level.
    truth = mpmath.log(mpmath.mpf(failure) / level_of_power(mu, failure))
    found = largest_loss(GaussianDP(mu), failure)
    assert float(truth) * (1 - 1e-15) <= float(found) <= float(truth) * (1 + 1e-11) + 3e-12
    assert float(GaussianDP(mu).beyond(found.value)) <= failure


@pytest.mark.parametrize("mu", [0.003, 0.61, 4.0])
@pytest.mark.parametrize("failure", [1e-9, 1e-6, 0.05, 0.7])
def test_mixtures_of_gaussian_noise_have_the_closed_form(mu, failure):
    truth = mpmath.log(mpmath.mpf(failure) / level_of_power(mu, failure))
    found = mixed_loss(Gaussian(sigma=1 / mu), failure)
    assert float(truth) * (1 - 1e-15) <= float(found) <= float(truth) * (1 + 1e-11) + 1e-12


def test_a_chance_of_0_is_answered_without_a_search_and_beside_others_as_alone(monkeypatch):
    """A profile of listed orders is dear: where nothing may fail, the largest loss alone is asked."""
    promise = RenyiDP({2.0: 0.5, 8.0: 3.0})
    alone = [float(largest_loss(promise, chance).value) for chance in (0.0, 0.01)]
    np.testing.assert_array_equal(largest_loss(promise, [0.0, 0.01]).value, alone)
    assert math.isinf(alone[0])
    assert math.isfinite(alone[1])
    bounded = RenyiDP({2.0: 0.5, math.inf: 1.5})
    assert 1.5 <= float(largest_loss(bounded, 0.0).value) <= 1.5 * (1 + 1e-12)
    monkeypatch.setattr(Curve, "epsilon", None)
    assert math.isinf(float(largest_loss(RenyiDP({2.0: 0.6, 8.0: 3.0}), 0.0).value))


CELLS = Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))


@pytest.mark.parametrize(
    "promise",
    [
        Laplace(20.0).times(365),
        Laplace(1.0, sensitivity=CELLS).times(12),
        compose(Gaussian(2.0).times(3), Laplace(4.0).times(2)),
        PoissonSubsampled(Gaussian(1.0), 0.01).times(10),
    ],
    ids=["equal", "cells", "different", "sampled"],
)
def test_the_mixed_loss_is_the_smallest_that_a_point_of_the_profile_gives(promise):
    """A search that begins with a rough profile finds no larger bound than a scan of the profile itself."""
    failure = 0.01
    start = float(promise.epsilon(failure))
    epsilons = start + np.geomspace(1e-3, 30.0, 400)
    deltas = np.asarray(promise.delta(epsilons).value)
    scanned = float(np.min((epsilons - np.log1p(-deltas / failure))[deltas < failure]))
    assert 0.5 * start < float(mixed_loss(promise, failure)) <= scanned * (1 + 1e-5)


def test_a_power_is_certain_only_with_all_of_the_chance_that_its_level_leaves():
    """A promise with epsilon and delta leaves a power of at most 1 - (1 - delta - level) / e^epsilon."""
    assert power(ApproxDP(60.0, 1e-9), 0.05).short_of_certainty
    assert power(ApproxDP(60.0, 0.47), 0.05).short_of_certainty
    assert not power(ApproxDP(60.0, 0.95), 0.05).short_of_certainty
