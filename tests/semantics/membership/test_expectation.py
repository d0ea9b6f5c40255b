"""The expected posterior: between its bounds, by sums and integrals that do not use the profile."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import Curve, FinitePair, Orientation, from_powers
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.guarantees.renyi_face import RenyiFace
from whit.mechanisms import Finite, Gaussian, Kernel, Laplace, PoissonSubsampled, RandomizedResponse, compose
from whit.semantics.membership import expected_posterior
from whit.theory import Direction

ROUNDING = 1e-7  # the gap between the two rules at which no cell is halved any more


def of_pair(p, q, prior):
    """The expectation in exact arithmetic; the vectors are taken as they are."""
    terms = [(mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(p, q, strict=True) if a > 0]
    start = mpmath.mpf(prior)
    return mpmath.fsum(a * start * a / (start * a + (1 - start) * b) for a, b in terms)


def of_gaussian(mu, prior):
    mu, start = mpmath.mpf(mu), mpmath.mpf(prior)
    centre = mpmath.log(start / (1 - start)) + mu * mu / 2

    def weighted(z):
        return mpmath.npdf(z) / (1 + mpmath.exp(-centre - mu * z))

    return mpmath.quad(weighted, [-15, -6, -3, -1, 0, 1, 3, 6, 15])


def of_laplace(epsilon, prior):
    """Atoms at both ends and the density e^((z - epsilon)/2)/4 between them."""
    start = mpmath.mpf(prior)

    def posterior(z):
        return start / (start + (1 - start) * mpmath.exp(-z))

    ends = posterior(epsilon) / 2 + mpmath.exp(-epsilon) / 2 * posterior(-epsilon)
    return ends + mpmath.quad(lambda z: mpmath.exp((z - epsilon) / 2) / 4 * posterior(z), [-epsilon, 0, epsilon])


@pytest.mark.parametrize("prior", [1e-15, 0.01, 0.5, 1 - 1e-12])
@pytest.mark.parametrize("mu", [1e-6, 0.3, 1.0, 6.0])
def test_gaussian_noise(mu, prior):
    found, truth = expected_posterior(Gaussian(1 / mu), prior), of_gaussian(mu, prior)
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(found.upper) - float(found.lower) <= 30 * ROUNDING * truth


@pytest.mark.parametrize("prior", [1e-6, 0.3, 0.99])
def test_laplace_noise(prior):
    found, truth = expected_posterior(Laplace(0.5), prior), of_laplace(2, prior)
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(found.upper) - float(found.lower) <= 3 * ROUNDING * truth


@settings(max_examples=30)
@given(finite_pairs(5), st.floats(1e-6, 1 - 1e-6))
def test_finite_pairs(vectors: Vectors, prior: float):
    found = expected_posterior(Finite(*vectors), prior, orientation=Orientation.FORWARD)
    truth = of_pair(*vectors, prior)
    assert float(found.lower) - 1e-15 <= truth <= float(found.upper) + 1e-15  # the vectors add up to 1 within that
    assert float(found.upper) - float(found.lower) <= 1e-11


@settings(max_examples=10)
@given(finite_pairs(5), st.floats(0.001, 0.999))
def test_a_promise_bounds_every_pair_that_keeps_it(vectors: Vectors, prior: float):
    curve = Curve.exact(FinitePair.of(*vectors))
    for epsilon in (0.0, 0.5):
        delta = float(curve.delta(epsilon).upper)
        bound = float(expected_posterior(ApproxDP(epsilon, delta), prior))
        assert bound >= max(of_pair(*vectors, prior), of_pair(*vectors[::-1], prior)) - 1e-15


@pytest.mark.parametrize("promise", [PureDP(1.0), ApproxDP(0.5, 1e-3), ZeroConcentratedDP(0.1), GaussianDP(0.5)])
def test_a_promise_has_a_bound_without_any_failure(promise):
    found = expected_posterior(promise, 0.4)
    assert found.direction is Direction.AT_MOST
    assert found.basis.failures == ()
    assert 0.4 < float(found) < 1.0


def test_randomized_response_is_the_worst_that_pure_privacy_allows():
    best, worst = expected_posterior(PureDP(1.0), 0.3), expected_posterior(RandomizedResponse(1.0), 0.3)
    assert float(best) == pytest.approx(float(worst.upper), rel=1e-6)
    assert float(best) >= float(worst.lower)


def test_an_audit_gives_a_lower_bound():
    found = expected_posterior(from_powers([0.05], [0.5]), 0.5)
    test = of_pair([0.5, 0.5], [0.05, 0.95], 0.5)
    assert found.direction is Direction.AT_LEAST
    assert float(found) <= test * (1 + 1e-15)
    assert float(found) == pytest.approx(float(test), rel=1e-6)


def test_of_many_pairs_the_one_with_the_largest_expectation_counts():
    rows = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.2, 0.3, 0.5]]
    found = expected_posterior(Kernel(rows, [(0, 1), (1, 2)]), 0.4)
    truth = max(of_pair(rows[a], rows[b], 0.4) for a, b in ((0, 1), (1, 0), (1, 2), (2, 1)))
    assert found.direction is Direction.EXACTLY
    assert float(found.lower) <= truth * (1 + 1e-14)
    assert float(found.upper) == pytest.approx(float(truth), rel=1e-12)


SMALLEST = 5e-324


def small_prior_of_laplace(epsilon, prior):
    """The limit for small priors, prior times E[e^Z], which is never below the truth."""
    grown, shrunk = mpmath.exp(epsilon), mpmath.exp(-2 * mpmath.mpf(epsilon))
    return mpmath.mpf(prior) * (2 * grown + shrunk) / 3


@pytest.mark.parametrize(
    ("epsilon", "prior"),
    [
        *((1.0, prior) for prior in (1e-121, 1e-200, 1e-308, 5.5e-309, 1e-310, 1e-318, SMALLEST)),
        *((100.0, prior) for prior in (1e-121, 1e-308, 1e-310, SMALLEST)),
        *((500.0, prior) for prior in (1e-300, 1e-310, SMALLEST)),
    ],
)
def test_the_smallest_priors_keep_their_digits(epsilon, prior):
    found, truth = expected_posterior(Laplace(1 / epsilon), prior), small_prior_of_laplace(1 / (1 / epsilon), prior)
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(found.upper) <= truth * (1 + 2e-6) + 8 * SMALLEST


@pytest.mark.parametrize("prior", [SMALLEST, 1e-322, 1e-310])
def test_the_smallest_priors_of_a_promise(prior):
    found, truth = float(expected_posterior(GaussianDP(1.0), prior)), mpmath.mpf(prior) * mpmath.e
    assert truth <= found <= truth * (1 + 1e-6) + 8 * SMALLEST


@pytest.mark.parametrize("prior", [SMALLEST, 1e-310])
@pytest.mark.parametrize("release", [ZeroConcentratedDP(1e4), Laplace(0.002), Laplace(0.01), PureDP(1e4)], ids=repr)
def test_the_smallest_priors_and_large_losses(release, prior):
    assert prior <= float(expected_posterior(release, prior).upper) <= 1.0


@pytest.mark.parametrize("prior", [SMALLEST, 3e-323, 1e-310, 1e-150])
def test_many_atoms_of_small_products_do_not_get_lost(prior):
    p, q = [0.5] + [0.0625] * 8, [0.0625] * 8 + [0.5]
    found, truth = expected_posterior(Finite(p, q), prior), of_pair(p, q, prior)
    assert float(found.lower) <= truth <= float(found.upper) <= truth * (1 + 1e-12) + 8 * SMALLEST


@pytest.mark.parametrize("prior", [[], np.zeros((2, 0))])
def test_no_prior_at_all_is_refused(prior):
    with pytest.raises(InvalidInput, match="must have a value; got an empty array"):
        expected_posterior(PureDP(1.0), prior)


def test_priors_of_any_shape_keep_it():
    priors = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    found = expected_posterior(PureDP(1.0), priors)
    assert found.value.shape == (2, 3)
    assert found.value[1, 0] == float(expected_posterior(PureDP(1.0), 0.4))


def test_both_orders_are_asked_unless_one_is_named():
    sample = PoissonSubsampled(Gaussian(1.0), rate=0.1)
    removed, added, worst = (
        float(expected_posterior(sample, 0.3, orientation=orientation).upper) for orientation in Orientation
    )
    assert worst == max(removed, added)
    assert removed != added


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_certain_prior_is_expected_to_stay(prior):
    assert float(expected_posterior(Gaussian(1.0), prior).upper) == prior


def test_what_is_no_orientation_is_refused():
    with pytest.raises(InvalidInput, match="orientation must be an Orientation"):
        expected_posterior(PureDP(1.0), 0.5, orientation="forward")


def test_what_is_no_prior_is_refused():
    with pytest.raises(InvalidInput, match="prior must be a probability"):
        expected_posterior(PureDP(1.0), 1.5)
    assert np.isfinite(float(expected_posterior(PureDP(1e4), 0.5)))


def test_a_rho_that_tells_everything_is_not_looked_at_ever_more_closely(monkeypatch):
    asked, log_delta = [], RenyiFace.log_delta

    def counted(face, epsilons):
        asked.append(np.size(epsilons))
        return log_delta(face, epsilons)

    monkeypatch.setattr(RenyiFace, "log_delta", counted)
    assert float(expected_posterior(ZeroConcentratedDP(1e300), 0.01)) == 1.0
    assert sum(asked) < 100_000


@pytest.mark.parametrize("prior", [0.5, 0.1, 1e-3])
def test_different_laplace_noises_together_agree_with_a_double_integral(prior):
    """Each loss is a with 1/2, -a with e^-a / 2, and between them it has the density e^((z - a)/2) / 4."""
    first, second = mpmath.mpf(1 / 0.709), mpmath.mpf(1 / 4.801)
    odds = mpmath.mpf(prior) / (1 - mpmath.mpf(prior))

    def over(a, of):
        dense = mpmath.quad(lambda z: of(z) * mpmath.exp((z - a) / 2) / 4, [-a, a])
        return of(a) / 2 + of(-a) * mpmath.exp(-a) / 2 + dense

    truth = over(first, lambda z: over(second, lambda w: 1 / (1 + mpmath.exp(-z - w) / odds)))
    found = expected_posterior(compose(Laplace(0.709), Laplace(4.801)), prior)
    assert found.lower <= truth * (1 + mpmath.mpf("1e-13"))
    assert found.upper >= truth * (1 - mpmath.mpf("1e-13"))
    assert found.upper - found.lower <= 3e-5 * found.upper
