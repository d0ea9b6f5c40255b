"""The far side of the loss, against the closed form, against brute force, and in its sum with the near side."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from pairs import finite_pairs

from whit.curves import Curve, FinitePair, GaussianLoss, LaplaceLoss, Orientation, lower_tail, two_sided_tail
from whit.errors import InvalidInput, NotImplied


def below(p, q, t: float) -> mpmath.mpf:
    """P[Z < -t], outcome by outcome."""
    outcomes = zip(p, q, strict=True)
    losses = [(mpmath.mpf(a), mpmath.log(mpmath.mpf(a)) - mpmath.log(mpmath.mpf(b))) for a, b in outcomes if a and b]
    return mpmath.fsum(mass for mass, loss in losses if loss < -t)


@pytest.mark.parametrize("mu", [1e-3, 0.5, 3.0, 30.0])
@pytest.mark.parametrize("t", [0.0, 0.7, 5.0])
def test_gaussian_noise_has_its_closed_form(mu, t):
    found = lower_tail(Curve.exact(GaussianLoss(mu)), t)
    truth = mpmath.ncdf((-mpmath.mpf(t) - mpmath.mpf(mu) ** 2 / 2) / mu)
    assert float(found.lower) <= truth <= float(found.upper)
    both = two_sided_tail(Curve.exact(GaussianLoss(mu)), t)
    near = mpmath.ncdf(-(mpmath.mpf(t) - mpmath.mpf(mu) ** 2 / 2) / mu)
    assert float(both.lower) <= truth + near <= float(both.upper)
    assert float(both.upper) - float(both.lower) < 1e-12


@given(finite_pairs())
def test_random_pairs_agree_with_counting(pair):
    p, q = pair
    curve = Curve.exact(FinitePair.of(p, q))
    for t in (0.05, 0.6, 2.0):
        found = lower_tail(curve, t, orientation=Orientation.FORWARD)
        truth = below(p, q, t)
        assert float(found.lower) <= truth + mpmath.mpf(2) ** -40
        assert truth <= float(found.upper)
        assert float(found.upper) <= truth + 1e-12


def test_both_sides_of_a_symmetric_pair_are_exact():
    """Laplace noise: nothing lies beyond its largest loss on either side, and the far side has its atom."""
    curve = Curve.exact(LaplaceLoss(1.0))
    assert two_sided_tail(curve, 1.0).upper.value == 0.0
    found = lower_tail(curve, 0.999999)
    assert float(found.lower) <= mpmath.exp(-1) / 2 + 1e-6
    assert float(found.upper) >= mpmath.exp(-1) / 2


def test_the_far_side_is_refused_where_only_the_profile_is_known():
    profile = Curve.exact(GaussianLoss(1.0)).as_profile([0.0, 1.0, 2.0])
    with pytest.raises(NotImplied, match="cannot be read off a curve that dominates only in the order of the profile"):
        two_sided_tail(profile, 1.0)


def test_thresholds_below_zero_are_refused():
    with pytest.raises(InvalidInput, match="losses must be at least 0 where the far side is asked for"):
        lower_tail(Curve.exact(GaussianLoss(1.0)), [-1.0, np.inf])
