"""The least factor of noise for several releases together, against closed forms."""

from __future__ import annotations

import math

import pytest

from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace, compose
from whit.policy import are_quick, check, limits, recommend, recommend_together, scaled
from whit.setting import Sensitivity

POSTERIOR = limits.posterior(0.3, prior=0.1)


def test_gaussian_releases_are_one_whose_mu_is_the_root_of_their_squares():
    """Sensitivities 1, 2 and 4 with sigma 1, 2 and 4, twelve times each: mu is 6, and a factor divides it."""
    several = [
        (Gaussian(float(each), sensitivity=Sensitivity(add_remove=each, replace=each)), 12) for each in (1, 2, 4)
    ]
    found = recommend_together([POSTERIOR], several, failure=0.01)
    alone = float(recommend(POSTERIOR, Gaussian, failure=0.01).parameter)
    assert float(found.parameter) == pytest.approx(6 * alone, rel=1e-9)
    factor = float(found.parameter)
    assert check(compose(*(scaled(each, factor).times(n) for each, n in several)), POSTERIOR, failure=0.01).kept
    less = compose(*(scaled(each, factor * 0.9999).times(n) for each, n in several))
    assert not check(less, POSTERIOR, failure=0.01).kept


def test_losses_that_never_fail_add_up():
    found = recommend_together([POSTERIOR], [(Laplace(1.0), 3), (PureDP(0.5), 2)])
    assert float(found.parameter) == pytest.approx(4 / math.log(0.3 / 0.7 * 9), rel=1e-9)


def test_more_noise_divides_rho_by_the_square_and_epsilon_by_the_factor():
    assert scaled(PureDP(3.0), 2.0) == PureDP(1.5)
    assert scaled(ZeroConcentratedDP(1.0), 2.0) == ZeroConcentratedDP(0.25)
    assert scaled(Laplace(3.0), 2.0) == Laplace(6.0)


def test_no_factor_is_looked_for_where_one_answer_may_take_long():
    assert are_quick([(Gaussian(1.0), 999_999), (PureDP(0.1), 1)])
    assert not are_quick([(Gaussian(1.0), 10**6), (PureDP(0.1), 1)])
    found = check(compose(Laplace(1.0).times(10**9), PureDP(0.1)), POSTERIOR, failure=0.01, remedy=True)
    assert found.remedy is None
    assert any("No remedy was looked for" in each for each in found.notices)
