"""The law of the posterior is that of the loss, seen through Bayes's rule."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import Curve, GaussianLoss, LaplaceLoss, Order, Orientation
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP
from whit.mechanisms import Finite, Gaussian, Kernel, Laplace, PoissonSubsampled, compose
from whit.semantics.membership import PosteriorLaw, distribution, posterior
from whit.theory import Basis, Direction

LEVELS = np.array([0.0, 1e-9, 0.01, 0.3, 0.5, 0.9, 0.999, 1 - 1e-12, 1.0])
THRESHOLDS = np.array([0.0, 1e-9, 0.05, 0.3, 0.5, 0.9, 1 - 1e-12, 1.0])


def logit(x):
    return mpmath.log(mpmath.mpf(x) / (1 - mpmath.mpf(x)))


@pytest.mark.parametrize("prior", [1e-15, 0.3, 0.5, 1 - 1e-9])
@pytest.mark.parametrize("mu", [0.01, 1.0, 7.0])
def test_gaussian_noise_in_closed_form(mu, prior):
    law = distribution(Gaussian(1 / mu), prior)
    exact = mpmath.mpf(law.curve.face.mu)
    tail, cdf = law.tail(THRESHOLDS), law.cdf(THRESHOLDS)
    for i, x in enumerate(THRESHOLDS):
        inner = 0.0 < x < 1.0
        truth = mpmath.ncdf(-(logit(x) - logit(prior)) / exact + exact / 2) if inner else mpmath.mpf(1.0 - x)
        assert tail.lower[i] <= truth <= tail.upper[i]
        assert cdf.lower[i] <= 1 - truth <= cdf.upper[i]
        assert tail.upper[i] - tail.lower[i] < 1e-12


@pytest.mark.parametrize("prior", [1e-15, 0.3, 1 - 1e-9])
@pytest.mark.parametrize("mu", [0.01, 1.0, 7.0])
def test_gaussian_quantiles_in_closed_form(mu, prior):
    law = distribution(Gaussian(1 / mu), prior)
    exact = mpmath.mpf(law.curve.face.mu)
    found = law.quantile(LEVELS[1:-1])
    for i, q in enumerate(LEVELS[1:-1]):
        normal = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(q) - 1)
        truth = 1 / (1 + mpmath.exp(-(logit(prior) + exact * exact / 2 + exact * normal)))
        assert found.lower[i] <= truth <= found.upper[i]
        assert found.upper[i] - found.lower[i] <= 1e-12 * truth


@pytest.mark.parametrize("direction", [Direction.AT_MOST, Direction.AT_LEAST, Direction.ABOUT])
def test_of_a_law_only_that_end_is_reported_which_the_curve_allows(direction):
    exact = distribution(Curve.exact(GaussianLoss(1.0)), 0.3).tail(0.6)
    bound = distribution(Curve(GaussianLoss(1.0), direction, Order.LOSS, Basis.of("gaussian-profile")), 0.3).tail(0.6)
    ends = {Direction.AT_MOST: exact.upper, Direction.AT_LEAST: exact.lower}
    assert bound.direction is direction
    assert bound.other_end is None
    assert bound.value == pytest.approx(ends.get(direction, exact.value), rel=1e-13)
    assert direction is Direction.ABOUT or bound.value == ends[direction]


def test_an_exact_law_gives_both_ends_with_both_bases():
    found = distribution(Curve.exact(GaussianLoss(1.0)), 0.3).tail(0.6)
    assert found.direction is Direction.EXACTLY
    assert found.lower < found.upper == found.value
    assert found.basis.theorems == (*GaussianLoss(1.0).theorems, "posterior-odds")


def test_the_ends_of_the_levels_are_the_ends_of_the_posteriors():
    for mechanism in (Gaussian(1.0), PoissonSubsampled(Gaussian(1.0), rate=0.1)):
        found = distribution(mechanism, 0.3).quantile([0.0, 1.0])
        assert found.upper.tolist() == [0.0, 1.0]
        assert found.lower[1] > 1 - 1e-15


def exact_tail(p, q, prior, x):
    """The P-probability of outcomes with a posterior above x, each posterior compared in rational arithmetic."""
    start = mpmath.mpf(prior)
    return mpmath.fsum(
        mpmath.mpf(a)
        for a, b in zip(p, q, strict=True)
        if a > 0 and start * mpmath.mpf(a) > mpmath.mpf(x) * (start * mpmath.mpf(a) + (1 - start) * mpmath.mpf(b))
    )


@settings(max_examples=30)
@given(finite_pairs(5), st.floats(1e-6, 1 - 1e-6), st.floats(0.0, 1.0))
def test_finite_pairs(vectors: Vectors, prior: float, x: float):
    law, truth = distribution(Finite(*vectors), prior), exact_tail(*vectors, prior, x)
    for found, value in ((law.tail(x), truth), (law.cdf(x), 1 - truth)):
        assert float(found.lower) - 1e-15 <= value <= float(found.upper) + 1e-15  # the vectors add up to 1 within that
    other = distribution(Finite(*vectors), prior, orientation=Orientation.BACKWARD).tail(x)
    backward = exact_tail(*vectors[::-1], prior, x)
    assert float(other.lower) - 1e-15 <= backward <= float(other.upper) + 1e-15


@settings(max_examples=30)
@given(finite_pairs(5), st.floats(1e-6, 1 - 1e-6), st.floats(0.001, 0.999))
def test_a_quantile_is_exceeded_with_at_most_the_rest(vectors: Vectors, prior: float, level: float):
    law = distribution(Finite(*vectors), prior)
    found = law.quantile(level)
    above, below = float(found.upper), float(found.lower)
    assert exact_tail(*vectors, prior, above) <= 1 - level + 1e-12
    if below > 0.0:
        assert exact_tail(*vectors, prior, below * (1 - 1e-9)) >= 1 - level - 1e-12


@pytest.mark.parametrize(
    "mechanism", [Laplace(1.0), PoissonSubsampled(Laplace(1.0), rate=0.2), compose(Laplace(2.0), Gaussian(3.0))]
)
def test_quantile_and_tail_are_inverse(mechanism):
    law = distribution(mechanism, 0.3)
    levels = np.array([0.05, 0.3, 0.45])
    found = law.quantile(levels)
    assert np.all(law.tail(found.upper).lower <= 1 - levels)
    assert np.all(law.tail(found.lower - 1e-9).upper >= 1 - levels)
    assert np.all(found.upper - found.lower < 1e-8)


def test_the_bound_with_a_failure_is_the_quantile():
    mechanism = Gaussian(1.0)
    bound = float(posterior(mechanism, 0.3, failure=0.01))
    assert bound == pytest.approx(float(distribution(mechanism, 0.3).quantile(0.99).upper), rel=1e-9)


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_certain_prior_has_a_law_of_one_point(prior):
    law = distribution(Gaussian(1.0), prior)
    assert law.tail(THRESHOLDS).upper.tolist() == (THRESHOLDS < prior).astype(float).tolist()
    assert law.quantile(LEVELS).upper.tolist() == [prior] * len(LEVELS)
    assert float(law.mean().upper) == prior


def test_an_infinite_loss_makes_the_posterior_one_and_no_more():
    law = distribution(Finite([0.9, 0.1, 0.0], [0.9, 0.0, 0.1]), 0.5)
    assert float(law.tail(1.0).upper) == 0.0
    assert float(law.tail(1 - 1e-12).upper) == pytest.approx(0.1, rel=1e-12)


def test_a_bound_on_the_loss_gives_bounds_of_its_own_kind():
    curve = Curve(LaplaceLoss(1.0), Direction.AT_MOST, Order.LOSS, Basis.of("laplace-profile"))
    law = distribution(curve, 0.3)
    assert law.tail(0.4).direction is law.quantile(0.4).direction is law.mean().direction is Direction.AT_MOST
    assert law.cdf(0.4).direction is Direction.AT_LEAST


@pytest.mark.parametrize("promise", [PureDP(1.0), ApproxDP(1.0, 1e-6), GaussianDP(1.0)])
def test_a_bound_on_the_profile_has_no_law(promise):
    with pytest.raises(NotImplied, match=r"cannot be found from a bound on the profile.*Ask for the posterior"):
        distribution(promise, 0.5)


def test_several_pairs_have_no_one_law():
    with pytest.raises(NotImplied, match="several pairs of neighbours"):
        distribution(Kernel([[0.6, 0.4], [0.5, 0.5], [0.4, 0.6]], [(0, 1), (1, 2)]), 0.5)


def test_two_orders_at_once_are_refused():
    with pytest.raises(InvalidInput, match="one of the two orders"):
        distribution(Gaussian(1.0), 0.5, orientation=Orientation.WORST)


def test_wrong_numbers_are_refused():
    law = distribution(Gaussian(1.0), 0.5)
    with pytest.raises(InvalidInput, match="posteriors must be a probability"):
        law.tail(1.5)
    with pytest.raises(InvalidInput, match="levels must be a probability"):
        law.quantile(-0.5)
    with pytest.raises(InvalidInput, match="prior must be a probability"):
        distribution(Gaussian(1.0), [0.5, 0.6])


def test_a_law_is_a_value():
    assert distribution(Gaussian(1.0), 0.5) == PosteriorLaw(Gaussian(1.0), 0.5)
    assert distribution(Gaussian(1.0), 0.5).tail(0.9).inputs["orientation"] == "FORWARD"
    assert GaussianLoss(1.0) == distribution(Gaussian(1.0), 0.5).curve.face


def test_the_mean_keeps_its_digits_at_the_smallest_priors():
    mean, truth = distribution(Laplace(1.0), 1e-310).mean(), mpmath.mpf(1e-310) * (2 * mpmath.e + mpmath.exp(-2)) / 3
    assert float(mean.lower) <= truth <= float(mean.upper) <= truth * (1 + 1e-6)
