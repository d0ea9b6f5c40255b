"""Numbers far out of what anybody promises: an answer, or a sentence that says why there is none; never nan.

Inputs that fuzzing found, and those of an earlier review.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit import Laplace, assess
from whit.curves import GaussianLoss, Replacement, SubsampledLoss, composed, largest_loss
from whit.errors import InvalidInput, TooCostly, WhitError
from whit.guarantees import GaussianDP, PureDP
from whit.guarantees.guarantee import root_of_squares_up
from whit.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    PermuteAndFlip,
    PoissonSubsampled,
    RandomizedResponse,
    compose,
)
from whit.semantics.testing import power
from whit.setting import Neighbours, Sensitivity
from whit.theory import Finding

FAR = [
    Geometric(1e308),
    RandomizedResponse(1e308).times(10**6),
    Laplace(1e-10).times(3),
    PoissonSubsampled(Laplace(1e-5), rate=1e-3).times(4),
    PureDP(1e308),
    GaussianDP(1e308),
    Laplace(3.0).times(10**15),
    Laplace(0.3).times(10**13),
    Gaussian(1e-300, sensitivity=Sensitivity(add_remove=1e10, replace=1e10)),
    compose(DiscreteGaussian(1e7).times(10**15), PureDP(0.1)),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("promise", FAR, ids=str)
def test_every_question_has_a_number_or_a_reason(promise):
    found = answers(promise)
    assert isinstance(found, list) or found.endswith(".")
    for each in found if isinstance(found, list) else []:
        assert not np.isnan(np.asarray(each.value)).any()


def answers(promise) -> list[Finding] | str:
    """The numbers, or why there are none."""
    try:
        found = assess(promise)
    except WhitError as refused:
        return str(refused)
    return [each for each in vars(found).values() if isinstance(each, Finding)]


def test_losses_that_no_double_comes_near_are_not_added_up():
    with pytest.raises(TooCostly, match="the privacy loss must be at most 10,000 in each release"):
        composed({Laplace(1e-5).curve(): 2})
    assert composed({Laplace(1e-3).curve(): 2}).face.largest_loss == pytest.approx(2000.0)


@pytest.mark.parametrize("other", [Laplace(3.0), Geometric(1.0), PureDP(1.0)])
def test_gaussian_noise_whose_mu_has_no_square_is_refused_beside_other_noise(other):
    with pytest.raises(TooCostly, match=r"Gaussian noise must be at least about 1e-150 times .*; got 1e-200. Such a"):
        compose(Gaussian(1e-200), other).delta(1.0)


def test_a_root_of_squares_beyond_the_doubles_is_infinite_and_refused():
    assert root_of_squares_up([1e308], 1000) == math.inf
    with pytest.raises(InvalidInput, match="mu of all together must be a number that a double holds; got more"):
        GaussianDP(1e308).times(1000)


@pytest.mark.parametrize(
    "ask", [lambda: PermuteAndFlip(0.5).group(2**31), lambda: PermuteAndFlip(0.5).between_contents(2**31, None)]
)
def test_a_block_of_more_people_than_steps_are_followed_is_refused(ask):
    with pytest.raises(TooCostly, match="the people who depend on each other must be few enough for 10,000 steps"):
        ask()


def test_the_loss_of_hardly_any_noise_in_a_year_is_a_number_at_every_failure():
    # One release with such noise has the loss 1/(2 sigma^2) in all cases that a double can tell from none.
    sigma, releases = 1.002e-4, 365
    found = np.asarray(largest_loss(DiscreteGaussian(sigma).times(releases), np.array([1e-9, 0.01, 0.5])).value)
    assert np.all(np.isfinite(found))
    assert np.all(found >= releases / (2 * sigma**2) * (1 - 1e-9))


def test_what_surely_tells_everything_has_a_power_next_to_one():
    for promise in (Laplace(3.0).times(10**15), compose(Laplace(1.0).times(10**15), Geometric(50.0))):
        found = power(promise, 0.05)
        assert 0.999 < found.largest <= 1.0


@pytest.mark.parametrize("noise", [10.0, 1e4, 1e7])
def test_a_composition_on_too_many_places_is_refused_before_it_takes_memory(noise):
    with pytest.raises(TooCostly, match=r"losses of at most 709|at most 2,097,152 places of a lattice"):
        power(compose(DiscreteGaussian(noise).times(10**15), PureDP(0.1)), 0.05)


@pytest.mark.parametrize(
    ("sigma", "change", "releases"),
    [(1e300, 1e-20, 10**15), (1e308, 1e-15, 10**15), (1e300, 1e-12, 7), (7e307, 3e-9, 3)],
)
def test_the_ends_of_a_mu_next_to_nothing_hold_the_truth(sigma, change, releases):
    noise = Gaussian(sigma, sensitivity=Sensitivity(add_remove=change, replace=change)).times(releases)
    face = noise.curve(Neighbours.ADD_REMOVE).face
    assert isinstance(face, GaussianLoss)
    low, high = face.ends
    truth = Fraction(change) ** 2 * releases / Fraction(sigma) ** 2
    assert Fraction(low) ** 2 <= truth <= Fraction(high) ** 2
    assert high <= low * (1 + 1e-6) + 100 * math.ulp(0.0)


@pytest.mark.parametrize("mu", [1e160, 1e300])
def test_a_replaced_record_on_a_sample_with_hardly_any_noise_is_given_away_where_it_is_drawn(mu):
    loss = SubsampledLoss(GaussianLoss(mu), rate=0.1, removed=True)
    found = float(np.exp(Replacement(loss).log_delta(1.0).upper))
    assert 0.1 <= found <= 1.0


@pytest.mark.parametrize("sigma", [1e-200, 1e200])
def test_a_mu_that_covers_a_sample_is_refused_where_the_square_of_the_noise_is_no_double(sigma):
    with pytest.raises(TooCostly, match="noise on a sample must be from 1e-150 to 1e[+]150 times"):
        PoissonSubsampled(Gaussian(sigma), rate=0.1).covering_mu()


HUGE = Sensitivity(add_remove=1e200, replace=1e200)


@pytest.mark.parametrize(
    ("ask", "name"), [(Gaussian(1e-200, sensitivity=HUGE), "mu"), (Laplace(1e-200, sensitivity=HUGE), "epsilon")]
)
def test_a_change_that_is_more_times_the_noise_than_a_double_holds_is_refused(ask, name):
    with pytest.raises(InvalidInput, match=f"{name} must be a finite number above 0; got inf"):
        ask.curve()


@pytest.mark.parametrize("releases", [2, 1000])
def test_a_sample_with_hardly_any_noise_is_refused_in_a_sentence(releases):
    with pytest.raises(TooCostly, match="the power must be that of losses which an integral can follow"):
        power(PoissonSubsampled(Gaussian(1e-5), 0.1).times(releases), 0.05)
