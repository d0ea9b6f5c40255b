"""The worst prior is where a search over all priors finds it."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss, Order
from whit.errors import NotImplied
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.semantics.membership import difference, known_loss, posterior, ratio, worst_prior
from whit.setting import Knowledge
from whit.theory import Basis, Direction, Finding

GRID = np.linspace(0.0, 1.0, 20001)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 1.8, 5.0, 20.0])
def test_the_largest_difference_is_there(epsilon):
    change = difference(PureDP(epsilon), GRID, sides=2)
    worst = worst_prior(PureDP(epsilon)).difference
    assert GRID[np.argmax(change.upper)] == pytest.approx(float(worst.when_true), abs=1e-4)
    assert GRID[np.argmin(change.lower)] == pytest.approx(float(worst.when_false), abs=1e-4)


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1.8, 700.0, 1e4])
def test_it_is_exact_to_within_its_slack(epsilon):
    worst = worst_prior(PureDP(epsilon)).difference
    for found, sign in ((worst.when_true, 1), (worst.when_false, -1)):
        truth = 1 / (1 + mpmath.exp(sign * mpmath.mpf(epsilon) / 2))
        assert found.lower <= truth <= found.upper or truth < 1e-320


@pytest.mark.parametrize("knows", list(Knowledge))
def test_exactly_is_said_of_the_bound_and_the_bound_is_lower_beyond_it(knows):
    """Below the lower end the bound on the rise grows, above the upper end it falls: its largest lies between."""
    loss = mpmath.mpf(float(known_loss(Gaussian(2.0), 0.01, knows=knows)))

    def rise(prior: mpmath.mpf) -> mpmath.mpf:
        return prior / (prior + (1 - prior) * mpmath.exp(-loss)) - prior

    found = worst_prior(Gaussian(2.0), failure=0.01, knows=knows).difference.when_true
    assert found.direction is Direction.EXACTLY
    with mpmath.workdps(60):
        ends = [mpmath.mpf(float(found.lower)), mpmath.mpf(float(found.upper))]
        width = ends[1] - ends[0]
        assert rise(ends[0] - width) < rise(ends[0])
        assert rise(ends[1] + width) < rise(ends[1])


def test_the_posterior_there_is_the_other_worst_prior():
    promise = ApproxDP(1.8, 1e-5)
    worst = worst_prior(promise, failure=0.05, sides=2).difference
    there = posterior(promise, float(worst.when_true), failure=0.05, sides=2).upper
    assert float(there) == pytest.approx(float(worst.when_false), rel=1e-13)


def test_the_ratio_grows_towards_the_ends():
    factors = ratio(PureDP(1.0), GRID).value
    assert np.all(np.diff(factors) < 0)
    worst = worst_prior(PureDP(1.0)).ratio
    assert (float(worst.when_true), float(worst.when_false)) == (0.0, 1.0)


def test_an_array_of_failures_gives_an_array_of_priors():
    found = worst_prior(ZeroConcentratedDP(0.07), failure=[0.001, 0.1])
    assert found.difference.when_true.value.shape == found.ratio.when_false.value.shape == (2,)


def test_an_estimate_stays_an_estimate():
    about = Curve(GaussianLoss(1.0), Direction.ABOUT, Order.LOSS, Basis.of("gaussian-profile"))
    assert worst_prior(about, failure=0.01).difference.when_true.direction is Direction.ABOUT


def test_what_is_not_promised_is_refused():
    with pytest.raises(NotImplied, match="is not bounded by this promise"):
        worst_prior(ZeroConcentratedDP(0.07))


def test_a_place_that_is_not_reached_is_called_so_by_every_door():
    """No belief rises from 0 or from 1, so a worst prior there is a limit; JSON keeps that, and so does a table."""
    worst = worst_prior(Gaussian(2.0), failure=0.01).ratio
    for found, end in ((worst.when_true, "0 %"), (worst.when_false, "100 %")):
        assert str(found).endswith(f"is close to {end} (failure probability 1 %)")
        assert found.brief() == f"close to {end}"
        assert Finding.from_json(found.to_json()) == found
        assert str(Finding.from_json(found.to_json())) == str(found)
    several = worst_prior(Gaussian(2.0), failure=np.array([0.01, 0.1])).ratio.when_false
    assert "close to 100 %" in str(several)


def test_without_a_loss_that_is_bounded_the_rise_is_worst_next_to_the_ends():
    worst = worst_prior(Gaussian(4.8)).difference
    assert str(worst.when_true) == "worst prior of a true fact for the increase is close to 0 %"
    assert str(worst.when_false) == "worst prior of a false fact for the increase is close to 100 %"


def test_a_place_that_is_reached_is_a_number():
    """Of a fact that says nothing the worst prior is one half: 1 / (1 + e^0)."""
    said = str(worst_prior(PureDP(0.0)).difference)
    assert said.startswith("worst prior of a true fact for the increase is 50 %")
