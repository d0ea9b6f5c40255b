"""Questions about a curve: the far side of the loss, the law of the posterior, and the curve of pbdp.

Each is held against a closed form or against brute force.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from ends import middle
from hypothesis import given
from pairs import finite_pairs

from whit.curves import (
    ChordProfile,
    Curve,
    FinitePair,
    GaussianLoss,
    LaplaceLoss,
    Order,
    Orientation,
    SubsampledLoss,
    composed,
    lower_tail,
    posterior_tail,
    two_sided_tail,
)
from whit.curves.questions import bounded_delta, bounded_epsilon, probabilities
from whit.errors import InvalidInput, NotImplied
from whit.numerics import Bracket
from whit.theory import Basis, Direction

# The far side, and both sides


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
    assert two_sided_tail(curve, 1.0).upper == 0.0
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


# The law of the posterior


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
        np.asarray(found.upper), [float(mpmath.ncdf(0.5)), float(mpmath.ncdf(0.5 - mpmath.log(9)))], rtol=1e-12
    )
    assert np.all(found.lower <= found.upper)
    assert "posterior-odds" in found.basis.theorems


def test_a_smaller_prior_needs_a_larger_loss() -> None:
    curve = Curve.exact(GaussianLoss(1.0))
    tails = [float(posterior_tail(curve, 0.9, prior=prior)) for prior in (0.5, 0.1, 0.01, 1e-15)]
    assert tails == sorted(tails, reverse=True)
    assert tails[-1] > 0


def test_the_ends_of_the_posterior() -> None:
    found = posterior_tail(Curve.exact(GaussianLoss(1.0)), [0.0, 1.0], prior=0.3, orientation=Orientation.FORWARD)
    np.testing.assert_array_equal(np.asarray(found.upper), [1.0, 0.0])


def test_a_profile_does_not_know_the_law_of_the_posterior() -> None:
    curve = Curve(ChordProfile.of([1.0], [1e-6]), Direction.AT_MOST, Order.PROFILE, Basis.of("profile-chords"))
    with pytest.raises(NotImplied, match=r"the tail of the privacy loss cannot be read off a curve"):
        posterior_tail(curve, 0.9, prior=0.5)


def test_a_prior_that_is_certain_is_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"prior must .*; got 1.0?. Use a probability such as 0.5; at 0 and 1 nothing"
    ):
        posterior_tail(Curve.exact(GaussianLoss(1.0)), 0.9, prior=1.0)


# The curve of pbdp: of the Gaussian in closed form, and of pairs that can give themselves away


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.001, 0.1, 0.7])
def test_the_epsilon_of_a_gaussian(mu, delta):
    """The level of a test of power delta is Phi(Phi^-1(delta) - mu)."""
    quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(delta) - 1)
    expected = float(mpmath.log(delta / mpmath.ncdf(quantile - mu)))
    found = bounded_epsilon(Curve.exact(GaussianLoss(mu)), delta)
    assert found.direction is Direction.EXACTLY
    assert float(middle(found)) == pytest.approx(expected, rel=1e-12)
    assert float(middle(bounded_delta(Curve.exact(GaussianLoss(mu)), float(middle(found))))) == pytest.approx(
        delta, rel=1e-9
    )


def test_where_a_test_of_level_zero_has_the_power_epsilon_is_infinite():
    curve = Curve.exact(FinitePair.of([0.1, 0.5, 0.4, 0.0], [0.0, 0.4, 0.5, 0.1]))
    assert float(bounded_epsilon(curve, 0.05)) == np.inf
    assert float(bounded_epsilon(curve, 0.1)) == np.inf
    # Power 0.6 is reached with the second outcome, at level 0.4.
    assert float(middle(bounded_epsilon(curve, 0.6))) == pytest.approx(np.log(0.6 / 0.4), rel=1e-12)


def test_an_epsilon_that_no_test_reaches_needs_the_infinite_mass_alone():
    curve = Curve.exact(FinitePair.of([0.1, 0.5, 0.4, 0.0], [0.0, 0.4, 0.5, 0.1]))
    # The line e^5 l meets the edge 0.1 + 1.25 l.
    assert float(middle(bounded_delta(curve, 5.0))) == pytest.approx(0.1 / (1 - 1.25 * np.exp(-5.0)), rel=1e-12)
    assert float(middle(bounded_delta(curve, 800.0))) == pytest.approx(0.1, rel=1e-12)
    assert float(bounded_delta(curve, 0.0)) == 1.0


# The epsilon of the worse order


def test_the_worse_order_is_found_whichever_comes_first():
    """The worst is the larger of both orders asked for by themselves: the shortcut past the second changes nothing."""
    for removed in (True, False):
        many = composed({Curve.exact(SubsampledLoss(GaussianLoss(0.5), 0.001, removed)): 100_000})
        deltas = np.array([1e-12, 1e-6, 0.05, 0.9])
        each = [many.epsilon(deltas, orientation=way) for way in (Orientation.FORWARD, Orientation.BACKWARD)]
        worst = many.epsilon(deltas)
        for end in ("lower", "upper"):
            both = [np.asarray(getattr(one, end)) for one in each]
            np.testing.assert_array_equal(getattr(worst, end), np.maximum(*both))
        assert float(many.epsilon(1e-6).upper) == float(worst.upper[1])


def test_orders_that_cross_are_both_asked():
    """Two samples of very different kinds, one removed from and one added to: each order is the worse one somewhere."""
    parts = {
        Curve.exact(SubsampledLoss(GaussianLoss(3.0), 0.01, True)): 3,
        Curve.exact(SubsampledLoss(GaussianLoss(0.8), 0.4, False)): 40,
    }
    many = composed(parts)
    deltas = np.geomspace(1e-9, 0.3, 7)
    each = [many.epsilon(deltas, orientation=way) for way in (Orientation.FORWARD, Orientation.BACKWARD)]
    larger = np.asarray(each[0].lower) > np.asarray(each[1].upper)
    assert larger.any()
    assert not larger.all()
    worst = many.epsilon(deltas)
    np.testing.assert_array_equal(worst.upper, np.maximum(each[0].upper, each[1].upper))


def test_no_probability_exceeds_one():
    found = probabilities(Bracket(np.array([-1.0, 0.0]), np.array([0.0, 1e-9]), np.array([1e-9, 1e-3])))
    assert found.upper.tolist() == [1.0, 1.0]
    assert found.mid.tolist() == [1.0, 1.0]
    assert found.lower[0] < np.exp(-1.0)
