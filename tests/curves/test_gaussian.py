"""The Gaussian pair against 50-digit arithmetic and published values."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.curves import GaussianLoss
from whit.errors import InvalidInput
from whit.numerics import Bracket, doubles, ordinals

MUS = st.one_of(st.floats(0.01, 10.0), st.sampled_from([1.5e-6, 1e-3, 140.0]))


def normal_sf(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.erfc(x / mpmath.sqrt(2)) / 2


def exact_delta(mu: float, epsilon: float) -> mpmath.mpf:
    with mpmath.workdps(60 + int(abs(epsilon))):
        m, t = mpmath.mpf(mu), mpmath.mpf(epsilon)
        return normal_sf(t / m - m / 2) - mpmath.exp(t) * normal_sf(t / m + m / 2)


def holds(bracket: Bracket, truth: mpmath.mpf) -> bool:
    lower, upper = (mpmath.exp(mpmath.mpf(float(end))) for end in (bracket.lower, bracket.upper))
    return bool(lower <= truth <= upper)


def relative_width(bracket: Bracket) -> float:
    return float(bracket.upper - bracket.lower)


@given(MUS, st.floats(-6.0, 12.0))
def test_the_profile_holds_the_exact_value_and_is_narrow(mu: float, standardised: float) -> None:
    epsilon = standardised * mu
    bracket = GaussianLoss(mu).log_delta(epsilon)
    assert holds(bracket, exact_delta(mu, epsilon))
    assert relative_width(bracket) < 1e-12


# Balle and Wang's closed form at mu = 1 in 25 digits; the last one is far below the smallest double.
REFERENCE = {
    1e-6: "0.3829246140105092452191254",
    0.1: "0.3523251716813666564804144",
    1.0: "0.1269367375066439458008296",
    3.0: "0.00153718536940095484694387",
    8.0: "3.650821687421790858460266e-15",
    15.0: "3.87512304169327145433189e-49",
    30.0: "4.709326318097522196981947e-193",
    50.0: "1.372352886866723939974438e-536",
}


@pytest.mark.parametrize("epsilon", REFERENCE)
def test_the_profile_at_mu_one_is_the_published_value(epsilon: float) -> None:
    bracket = GaussianLoss(1.0).log_delta(epsilon)
    truth = mpmath.mpf(REFERENCE[epsilon])
    assert abs(mpmath.exp(mpmath.mpf(float(bracket.mid))) / truth - 1) < mpmath.mpf("2e-12")
    assert mpmath.exp(mpmath.mpf(float(bracket.lower))) <= truth * (1 + mpmath.mpf("1e-24"))
    assert truth * (1 - mpmath.mpf("1e-24")) <= mpmath.exp(mpmath.mpf(float(bracket.upper)))


@given(MUS, st.floats(-8.0, 30.0))
def test_the_tail_is_normal(mu: float, standardised: float) -> None:
    loss = standardised * mu + mu * mu / 2
    truth = normal_sf(mpmath.mpf(loss) / mpmath.mpf(mu) - mpmath.mpf(mu) / 2)
    assert holds(GaussianLoss(mu).log_tail(loss), truth)
    assert GaussianLoss(mu).log_tail_closed(loss) == GaussianLoss(mu).log_tail(loss)


# dp_accounting's test of true-positive rates at extreme levels, mu = 1, to the digits printed there.
POWERS = {1e-3: 0.01830, 1e-5: 5.475e-4, 1e-7: 1.3385e-5, 1e-10: 4.1303e-8}


@pytest.mark.parametrize("level", POWERS)
def test_the_power_at_extreme_levels_is_the_published_one(level: float) -> None:
    assert float(np.exp(GaussianLoss(1.0).log_power(np.log(level)).mid)) == pytest.approx(POWERS[level], rel=3e-4)


@given(st.floats(0.01, 10.0), st.floats(-600.0, -1e-6))
def test_the_power_undoes_the_quantile(mu: float, log_level: float) -> None:
    """The threshold x with P[N(0,1) > x] = level, found in 50 digits, has power P[N(mu,1) > x]."""
    level = mpmath.exp(mpmath.mpf(log_level))
    start = mpmath.sqrt(-2 * mpmath.mpf(log_level)) if log_level < -2 else mpmath.mpf(0)
    threshold = mpmath.findroot(lambda x: mpmath.log(normal_sf(x)) - mpmath.log(level), start)
    bracket = GaussianLoss(mu).log_power(log_level)
    assert holds(bracket, normal_sf(threshold - mpmath.mpf(mu)))
    assert relative_width(bracket) < 1e-11


def test_the_ends_are_exact() -> None:
    loss = GaussianLoss(2.0)
    assert loss.log_delta(np.inf).upper == -np.inf
    assert loss.log_delta(-np.inf).lower > -1e-13
    assert loss.log_power(-np.inf).upper == -np.inf
    assert loss.log_power(0.0).lower == 0.0
    assert loss.log_infinity == -np.inf
    assert loss.reverse() is loss


@pytest.mark.parametrize("mu", [1.5e-6, 1.0, 141.0])
@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 710.0, 1e4, -710.0])
def test_extremes_stay_numbers(mu: float, epsilon: float) -> None:
    bracket = GaussianLoss(mu).log_delta(epsilon)
    assert -np.inf < bracket.lower <= bracket.upper <= 0.0


def test_a_mu_that_is_no_positive_number_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"mu must be .*; got -1.0. It is the sensitivity divided by"):
        GaussianLoss(-1.0)


@pytest.mark.parametrize("mu", [1e-300, 1e-200, 1e-160, 1e-100, 1e-20])
@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 1e-20, 1.0])
def test_a_delta_that_is_too_small_for_a_double_is_not_said_to_be_nothing(mu, epsilon):
    m, t = mpmath.mpf(mu), mpmath.mpf(epsilon)
    with mpmath.workdps(900):
        truth = (
            mpmath.ncdf(m / 2 - t / m) - mpmath.exp(t) * mpmath.ncdf(-m / 2 - t / m) if t / m < 40 else mpmath.mpf(0)
        )
    found = GaussianLoss(mu).log_delta(epsilon)
    assert float(found.upper) > -np.inf
    with np.errstate(under="ignore"):
        assert mpmath.exp(mpmath.mpf(float(found.lower))) <= truth or truth == 0
    assert truth <= mpmath.exp(mpmath.mpf(float(found.upper)))
    if truth > 0:
        assert mpmath.exp(mpmath.mpf(float(found.upper))) <= 3 * truth


@pytest.mark.parametrize("mu", [1e160, 1e300])
def test_a_power_beyond_all_bounds_is_at_most_one(mu):
    found = GaussianLoss(mu).log_power(np.log([1e-6, 0.05]))
    assert np.all(found.upper == 0.0)
    assert np.all(found.lower <= 0.0)


@pytest.mark.parametrize("mu", [6.430555243904294e19, 7.223843598384533e20, 1.7560663925850976e45, 1e17, 1e16])
@pytest.mark.parametrize("steps", [-3, 0, 1, 2, 40])
def test_the_tail_holds_where_the_argument_is_all_rounding(mu: float, steps: int) -> None:
    """There t/mu and mu/2 cancel, and what the difference has lost may be many standard deviations."""
    t = float(doubles(ordinals(mu * mu / 2) + steps))
    bracket = GaussianLoss(mu).log_tail(t)
    with mpmath.workdps(200):
        argument = mpmath.mpf(t) / mpmath.mpf(mu) - mpmath.mpf(mu) / 2
        truth = mpmath.log(mpmath.ncdf(-argument))
        assert bracket.lower <= truth <= bracket.upper
