"""The logistic pair against its own densities, in high precision."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import exp, log, mpf, quad

from whit.curves import Curve, LogisticPair, Order
from whit.errors import InvalidInput
from whit.theory import Basis, Direction

SHIFTS = (1e-9, 0.01, 0.5, 1.0, 3.0, 20.0)


def by_the_density(shift: float, t: float) -> mpf:
    """D(t) as an integral of (p - e^t q)+ over the outputs, q logistic and p moved by the shift."""

    def density(x):
        return exp(-x) / (1 + exp(-x)) ** 2

    # The ratio p/q rises with x, so that the integrand is positive from one point on: ((1 + e^-x)/(1 + e^(s-x)))^2 e^s.
    s, level = mpf(shift), exp(mpf(t))
    root = exp(s / 2) / exp(mpf(t) / 2)
    # root (1 + w) = 1 + e^s w, with w = e^-x
    w = (root - 1) / (exp(s) - root)
    start = -log(w)
    return quad(lambda x: density(x - s) - level * density(x), [start, start + 5, start + 50, start + 200 + 2 * s])


@pytest.mark.parametrize("shift", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("share", [-0.9, -0.3, 0.0, 0.4, 0.95])
def test_the_profile_is_that_of_two_logistic_densities(shift, share):
    t = share * shift
    bracket = LogisticPair(shift).log_delta(t)
    truth = log(by_the_density(shift, t))
    assert bracket.lower <= truth <= bracket.upper
    assert bracket.upper - bracket.lower < 1e-13


def profile(shift: float, t: float) -> mpf:
    s, x = mpf(shift), mpf(t)
    return (exp(s / 2) - exp(x / 2)) ** 2 / (exp(s) - 1)


@pytest.mark.parametrize("shift", SHIFTS)
def test_the_bracket_holds_the_closed_form(shift):
    face = LogisticPair(shift)
    for t in np.append(np.linspace(-shift, shift, 41)[:-1], shift * (1 - 1e-12)):
        bracket = face.log_delta(t)
        assert bracket.lower <= log(profile(shift, t)) <= bracket.upper
    beyond = face.log_delta([shift, 2 * shift, np.inf])
    assert np.all(np.isneginf(beyond.upper))
    below = face.log_delta(-3 * shift)
    assert below.lower <= log(1 - exp(mpf(-3 * shift))) <= below.upper


@pytest.mark.parametrize("shift", SHIFTS)
def test_the_odds_of_the_power_are_those_of_the_level_times_e_to_the_shift(shift):
    face = LogisticPair(shift)
    for level in (-1e5, -700.0, -30.0, -1.0, -0.1, -1e-9):
        bracket = face.log_power(level)
        odds = exp(mpf(level)) / (1 - exp(mpf(level))) * exp(mpf(shift))
        assert bracket.lower <= log(odds / (1 + odds)) <= bracket.upper
    assert face.log_power(0.0).lower == face.log_power(0.0).upper == 0.0
    assert np.isneginf(face.log_power(-np.inf).upper)


@pytest.mark.parametrize("shift", [*SHIFTS, 300.0])
@pytest.mark.parametrize("steps", [None, 16])
def test_the_finite_pair_is_nowhere_below_and_close(shift, steps):
    face = LogisticPair(shift)
    pair = face.pair(steps)
    t = np.linspace(-shift, shift, 301)[1:-1]
    assert np.all(pair.log_delta(t).upper >= face.log_delta(t).lower)
    inner = t[np.abs(t) < 0.8 * shift]
    if steps is None:
        assert np.all(pair.log_delta(inner).upper <= face.log_delta(inner).upper + 0.01)


def test_it_composes_as_an_upper_bound():
    curve = Curve(LogisticPair(0.5), Direction.AT_MOST, Order.PROFILE, Basis())
    twice = curve.times(2)
    assert twice.direction is Direction.AT_MOST
    assert float(curve.delta(0.2)) < float(twice.delta(0.2)) < float(LogisticPair(1.01).log_delta(0.2).exp().upper)


def test_a_shift_of_nothing_is_refused():
    with pytest.raises(InvalidInput, match="shift must be a finite number above 0; got 0.0. It is the width"):
        LogisticPair(0.0)
