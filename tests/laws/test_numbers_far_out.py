"""Numbers far out of what anybody promises: an answer, or a sentence that says why there is none; never nan.

Inputs that fuzzing found, and those of an earlier review.
"""

from __future__ import annotations

import math

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
)
from whit.setting import Sensitivity
from whit.theory import Finding

FAR = [
    Geometric(1e308),
    RandomizedResponse(1e308).times(10**6),
    Laplace(1e-10).times(3),
    PoissonSubsampled(Laplace(1e-5), rate=1e-3).times(4),
    PureDP(1e308),
    GaussianDP(1e308),
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


def test_a_root_of_squares_beyond_the_doubles_is_infinite_and_refused():
    assert root_of_squares_up([1e308], 1000) == math.inf
    with pytest.raises(InvalidInput, match="mu must be a finite number of at least 0; got inf"):
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
