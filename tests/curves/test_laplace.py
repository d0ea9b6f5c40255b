"""The Laplace pair against 50-digit integrals of the two densities."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import LaplaceLoss
from whit.errors import InvalidInput
from whit.numerics import Bracket

EPSILONS = st.one_of(st.floats(0.01, 20.0), st.sampled_from([1e-12, 1e-6, 710.0, 1e4]))
SHARES = st.one_of(st.floats(-1.5, 1.5), st.sampled_from([-1.0, 0.0, 1.0]))


def integral(epsilon: float, t: float) -> mpmath.mpf:
    """The integral of (p - e^t q)+ of Laplace densities about epsilon and 0, split where it has a kink."""
    e, t = mpmath.mpf(epsilon), mpmath.mpf(t)

    def gap(x: mpmath.mpf) -> mpmath.mpf:
        return max(mpmath.exp(-abs(x - e)) - mpmath.exp(t - abs(x)), mpmath.mpf(0)) / 2

    kinks = sorted({mpmath.mpf(0), e, min(max((t + e) / 2, mpmath.mpf(0)), e)})
    return mpmath.quad(gap, [-mpmath.inf, *kinks, mpmath.inf])


def exact_delta(epsilon: float, t: float) -> mpmath.mpf:
    e, t = mpmath.mpf(epsilon), mpmath.mpf(t)
    if t >= e:
        return mpmath.mpf(0)
    return -mpmath.expm1(t if t < -e else (t - e) / 2)


def holds(bracket: Bracket, truth: mpmath.mpf) -> bool:
    lower, upper = (mpmath.exp(mpmath.mpf(float(end))) for end in (bracket.lower, bracket.upper))
    return bool(lower <= truth <= upper)


def width(bracket: Bracket) -> float:
    return float(bracket.upper - bracket.lower) if np.isfinite(bracket.lower) else 0.0


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("share", [-1.3, -0.5, 0.0, 0.4, 0.9, 1.2])
def test_the_profile_is_the_integral_of_the_positive_part(epsilon: float, share: float) -> None:
    bracket = LaplaceLoss(epsilon).log_delta(share * epsilon)
    assert abs(mpmath.exp(mpmath.mpf(float(bracket.mid))) - integral(epsilon, share * epsilon)) < mpmath.mpf("1e-14")


@given(EPSILONS, SHARES)
def test_the_profile_holds_the_closed_form_and_is_narrow(epsilon: float, share: float) -> None:
    bracket = LaplaceLoss(epsilon).log_delta(share * epsilon)
    assert holds(bracket, exact_delta(epsilon, share * epsilon))
    assert width(bracket) < 1e-13


@given(EPSILONS, SHARES)
def test_the_tail_integrates_the_density_between_the_atoms(epsilon: float, share: float) -> None:
    t = share * epsilon
    e, x = mpmath.mpf(epsilon), mpmath.mpf(t)
    inner = 1 - mpmath.exp((x - e) / 2) / 2
    opened = mpmath.mpf(1) if x < -e else mpmath.mpf(0) if x >= e else inner
    closed = mpmath.mpf(1) if x <= -e else mpmath.mpf(0) if x > e else inner
    assert holds(LaplaceLoss(epsilon).log_tail(t), opened)
    assert holds(LaplaceLoss(epsilon).log_tail_closed(t), closed)


def test_the_density_between_the_atoms_completes_the_law() -> None:
    e = mpmath.mpf("1.7")
    between = mpmath.quad(lambda z: mpmath.exp((z - e) / 2) / 4, [-e, e])
    assert abs(between + mpmath.mpf("0.5") + mpmath.exp(-e) / 2 - 1) < mpmath.mpf("1e-40")


@settings(max_examples=60)
@given(EPSILONS, st.one_of(st.floats(-800.0, -1e-9), st.sampled_from([-1e4, -0.6931471805599453, -1e-15])))
def test_the_power_is_that_of_the_test_that_rejects_above_a_threshold(epsilon: float, log_level: float) -> None:
    with mpmath.workdps(60 + int((epsilon + abs(log_level)) / 2)):
        e, level = mpmath.mpf(epsilon), mpmath.exp(mpmath.mpf(log_level))
        # Reject above c: under Laplace noise about 0 the level is the tail beyond c, under noise about e the power.
        half = level <= mpmath.mpf("0.5")
        c = -mpmath.log(2 * level) if half else mpmath.log(2 * (1 - level))
        power = mpmath.exp(-(c - e)) / 2 if c >= e else 1 - mpmath.exp(c - e) / 2
        bracket = LaplaceLoss(epsilon).log_power(log_level)
        lower, upper = (mpmath.mpf(float(end)) for end in (bracket.lower, bracket.upper))
        assert lower <= mpmath.log(power) <= upper
    assert width(bracket) < 1e-13 + 1e-14 * (epsilon + abs(log_level))


def test_the_ends_are_exact() -> None:
    loss = LaplaceLoss(1.5)
    assert loss.log_delta(1.5).upper == -np.inf
    assert loss.log_delta(np.inf).upper == -np.inf
    assert loss.log_delta(-np.inf).mid == 0.0
    assert loss.log_power(-np.inf).upper == -np.inf
    assert loss.log_power(0.0).lower == 0.0
    assert loss.log_tail([-np.inf, np.inf]).mid.tolist() == [0.0, -np.inf]
    assert loss.log_infinity == -np.inf
    assert loss.reverse() is loss
    assert float(loss.epsilon(-np.inf).upper) == 1.5


@pytest.mark.parametrize("epsilon", [1e-12, 0.3, 710.0, 1e4])
def test_extremes_stay_numbers(epsilon: float) -> None:
    bracket = LaplaceLoss(epsilon).log_delta(np.array([0.0, epsilon / 2, -epsilon, -1e4]))
    assert np.all(np.isfinite(bracket.lower) & (bracket.upper <= 0.0))
    powers = LaplaceLoss(epsilon).log_power(np.array([-1e6, -epsilon, -1.0, -1e-300]))
    assert np.all(np.isfinite(powers.lower) & (powers.upper <= 0.0))


def test_an_uncertain_epsilon_widens_downwards_only() -> None:
    sure, unsure = LaplaceLoss(1.0), LaplaceLoss(1.0, loss_error=1e-3)
    for t in (-1.0, -0.9995, 0.0, 0.5, 0.9995):
        inner, outer = sure.log_delta(t), unsure.log_delta(t)
        assert outer.upper == inner.upper
        assert outer.lower < inner.lower or t == -1.0  # there it is 1 - e^t, whatever epsilon is
        for least in (0.999, 0.9993, 1.0):
            known = LaplaceLoss(least)
            assert outer.lower <= known.log_delta(t).upper
            assert unsure.log_tail(t).lower <= known.log_tail(t).upper
            assert known.log_tail(t).lower <= unsure.log_tail(t).upper
            assert unsure.log_power(-t * t).lower <= known.log_power(-t * t).upper


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0,), r"epsilon must be .*; got 0.0. It is the change of the answer"),
        ((1.0, 2.0), r"loss_error must be below epsilon; got 2.0. Use 0"),
        ((1.0, -1.0), r"loss_error must be .*; got -1.0. Use 0"),
    ],
)
def test_what_is_no_epsilon_is_refused(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        LaplaceLoss(*arguments)
