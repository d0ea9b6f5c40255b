"""The law of the posterior against the law of the loss."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import ChordProfile, Curve, FinitePair, GaussianLoss, Order, Orientation, posterior_tail
from whit.errors import InvalidInput, NotImplied
from whit.theory import Basis, Direction


def test_randomized_response_moves_one_half_to_its_keep_probability() -> None:
    """KSZJY25 Example 1.1, rounded outwards: at epsilon 0.1 the posterior is 0.52498, with probability 0.52498."""
    keep = 1 / (1 + np.exp(-0.1))
    pair = Curve.exact(FinitePair.of([keep, 1 - keep], [1 - keep, keep]))
    assert float(posterior_tail(pair, 0.5249, prior=0.5)) == pytest.approx(keep, rel=1e-12)
    assert float(posterior_tail(pair, 0.5250, prior=0.5)) == 0.0


def test_the_gaussian_posterior_exceeds_by_its_normal_tail() -> None:
    """P[Z > log 9] with Z normal of mean 1/2 and variance 1 is 1 - Phi(log 9 - 1/2), at prior 1/2."""
    found = posterior_tail(Curve.exact(GaussianLoss(1.0)), [0.5, 0.9], prior=0.5)
    np.testing.assert_allclose(
        np.asarray(found.upper.value), [float(mpmath.ncdf(0.5)), float(mpmath.ncdf(0.5 - mpmath.log(9)))], rtol=1e-12
    )
    assert np.all(found.lower.value <= found.upper.value)
    assert "posterior-odds" in found.upper.basis.theorems


def test_a_smaller_prior_needs_a_larger_loss() -> None:
    curve = Curve.exact(GaussianLoss(1.0))
    tails = [float(posterior_tail(curve, 0.9, prior=prior)) for prior in (0.5, 0.1, 0.01, 1e-15)]
    assert tails == sorted(tails, reverse=True)
    assert tails[-1] > 0


def test_the_ends_of_the_posterior() -> None:
    found = posterior_tail(Curve.exact(GaussianLoss(1.0)), [0.0, 1.0], prior=0.3, orientation=Orientation.FORWARD)
    np.testing.assert_array_equal(np.asarray(found.upper.value), [1.0, 0.0])


def test_a_profile_does_not_know_the_law_of_the_posterior() -> None:
    curve = Curve(ChordProfile.of([1.0], [1e-6]), Direction.AT_MOST, Order.PROFILE, Basis.of("profile-chords"))
    with pytest.raises(NotImplied, match=r"the tail of the privacy loss cannot be read off a curve"):
        posterior_tail(curve, 0.9, prior=0.5)


def test_a_prior_that_is_certain_is_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"prior must .*; got 1.0?. Use a probability such as 0.5; at 0 and 1 nothing"
    ):
        posterior_tail(Curve.exact(GaussianLoss(1.0)), 0.9, prior=1.0)
