"""The smallest Gaussian curve above another: by closed forms, and by levels and powers that share no code with it."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, FinitePair, covering_mu, from_powers
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, convert
from whit.mechanisms import (
    Deterministic,
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    SimpleRandomSample,
    compose,
)
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction

NORMAL = NormalDist()


def needed(level, power):
    """The mu at which a level has a power."""
    return NORMAL.inv_cdf(power) - NORMAL.inv_cdf(level)


def of_vertices(p, q):
    """The mu that a finite pair needs: its power is straight between the vertices, the Gaussian one is concave."""
    order = np.argsort(-p / q)
    with mpmath.workdps(40):
        laws = [[mpmath.mpf(each) for each in law[order]] for law in (p, q)]
        sides = [[mpmath.fsum(law[:cut]) / mpmath.fsum(law) for cut in range(1, len(law))] for law in laws]
        return float(max(exact_quantile(power) - exact_quantile(level) for power, level in zip(*sides, strict=True)))


def exact_quantile(probability):
    """The normal quantile in many digits."""
    return mpmath.sqrt(2) * mpmath.erfinv(2 * probability - 1)


@pytest.mark.parametrize("epsilon", [0.01, 0.75, 1.0, 2.0, 8.0])
def test_randomized_response_needs_the_mu_of_pure_privacy(epsilon):
    truth = -2 * NORMAL.inv_cdf(1 / (1 + math.exp(epsilon)))
    for told in (RandomizedResponse(epsilon), Geometric(epsilon), PureDP(epsilon)):
        found = told.covering_mu()
        assert found.lower is None or found.lower * (1 - 1e-9) <= truth
        assert truth <= found.upper
        assert found.upper == pytest.approx(truth, rel=1e-9)


def test_random_finite_pairs_need_the_mu_of_their_worst_vertex():
    random = np.random.default_rng(5)
    for size in (2, 3, 5, 12):
        for _ in range(6):
            p, q = random.dirichlet(np.ones(size)), random.dirichlet(np.ones(size))
            found = Curve.exact(FinitePair.of(p, q)).covering_mu()
            truth = of_vertices(p, q)
            assert found.lower <= truth * (1 + 1e-12)
            assert truth <= found.upper * (1 + 1e-12)
            assert found.upper <= truth * (1 + 1e-8)


@pytest.mark.parametrize("scale", [0.2, 1.0, 5.0])
def test_laplace_noise_needs_the_mu_of_the_middle_of_its_curve(scale):
    """Up to the level e^(-1/scale)/2 the power is e^(1/scale) times it; then it is 1 - e^(-1/scale)/(4 level)."""
    loss = 1 / scale
    corner = math.exp(-loss) / 2
    levels = np.linspace(corner, 0.5, 20_001)
    worst = max(needed(level, 1 - math.exp(-loss) / (4 * level)) for level in levels.tolist())
    found = Laplace(scale).covering_mu()
    assert worst <= found.upper <= worst * (1 + 1e-7)


@pytest.mark.parametrize(
    "told",
    [
        compose(Laplace(1.0), Gaussian(1.0)),
        Laplace(2.0).times(7),
        PoissonSubsampled(Laplace(1.0), 0.1),
        DiscreteGaussian(1.0),
        DiscreteGaussian(2.0).times(10),
        compose(RandomizedResponse(0.5).times(20), Gaussian(3.0)),
    ],
)
def test_no_level_needs_more_and_some_level_nearly_as_much(told):
    found = told.covering_mu()
    levels = np.concatenate([np.geomspace(1e-30, 0.02, 12), np.linspace(0.03, 0.7, 36)])
    powers = told.power(levels)
    assert np.all([needed(*each) <= found.upper * (1 + 1e-9) for each in zip(levels, powers.lower, strict=True)])
    assert found.upper <= 1.03 * found.lower
    assert max(needed(*each) for each in zip(levels, powers.upper, strict=True)) >= 0.98 * found.lower


def test_noise_on_a_sample_needs_the_mu_of_the_noise_without_sampling():
    found = PoissonSubsampled(Gaussian(2.0), 0.01).times(100).covering_mu()
    assert found.lower <= 5.0 <= found.upper <= 5.0 * (1 + 1e-9)


@pytest.mark.parametrize("sigma", [0.01, 0.05, 0.4, 1.0, 50.0])
@pytest.mark.parametrize("rate", [0.01, 0.5, 0.99])
def test_a_replaced_record_on_a_sample_is_covered_by_the_noise_without_sampling(sigma, rate):
    """Its losses have no bound, and the search for the end of them ended in a nan."""
    cells = Gaussian(sigma, sensitivity=Sensitivity.histogram())
    found = covering_mu(PoissonSubsampled(cells, rate), neighbours=Neighbours.REPLACE)
    assert found.upper == pytest.approx(2 / sigma, rel=1e-9)
    assert found.direction is Direction.AT_MOST
    # Records that move the answer in opposite directions, and a test that looks for an output above a threshold.
    half = NormalDist(1 / sigma, 1), NormalDist(-1 / sigma, 1), NORMAL
    for threshold in np.linspace(-3, 3 + 1 / sigma, 25):
        there, gone, absent = (1 - law.cdf(threshold) for law in half)
        level, power = ((1 - rate) * absent + rate * value for value in (gone, there))
        if 1e-12 < level < power < 1 - 1e-12:
            assert needed(level, power) <= found.upper


def test_with_a_least_error_only_that_level_counts_for_noise_on_a_sample():
    """The power at level a is (1 - q) a + q Phi(z + mu) for a removed record, and needs the more the smaller a is."""
    rate, sigma, least = 0.01, 1.0, 1e-4
    z = NORMAL.inv_cdf(least)
    truth = needed(least, (1 - rate) * least + rate * NORMAL.cdf(z + 1 / sigma))
    found = PoissonSubsampled(Gaussian(sigma), rate).covering_mu(least_error=least)
    assert truth <= found.upper <= truth * (1 + 1e-6)
    levels = np.geomspace(least, 0.5, 30)
    powers = PoissonSubsampled(Gaussian(sigma), rate).power(levels).lower
    assert np.all([needed(*each) <= found.upper for each in zip(levels, powers, strict=True)])


def test_a_published_sample_needs_a_mu_for_tests_with_errors_only():
    """Of 10 out of 100 records: at level a the power is 1/10 + 9/10 times a/(9/10)."""
    told = SimpleRandomSample(10, 100)
    assert told.covering_mu().value == math.inf
    found = told.covering_mu(least_error=1e-6)
    truth = needed(1e-6, 0.1 + 0.9 * 1e-6)
    assert truth <= found.upper * (1 + 1e-12)
    assert found.upper <= 1.001 * truth


@pytest.mark.parametrize("told", [Deterministic(), ApproxDP(1.0, 1e-300), ZeroConcentratedDP(0.5)])
def test_where_none_covers_or_none_is_known_it_is_infinite(told):
    assert told.covering_mu().value == math.inf


def test_what_is_gaussian_needs_itself_and_nothing_told_none():
    assert Gaussian(4.0).times(4).covering_mu().value == 0.5
    assert GaussianDP(0.3).covering_mu().value == 0.3
    assert PureDP(0.0).covering_mu().value == 0.0


def test_a_promise_that_follows_names_the_theorem():
    found = convert(Laplace(1.0), to=GaussianDP)
    assert "covering-mu" in found.basis.theorems
    assert found.result.mu == pytest.approx(float(Laplace(1.0).covering_mu()), rel=1e-12)
    assert convert(Gaussian(2.0), to=GaussianDP).result.mu == pytest.approx(0.5, rel=1e-12)
    powers, levels = found.result.power(np.geomspace(1e-9, 0.9, 40)), np.geomspace(1e-9, 0.9, 40)
    assert np.all(powers.value >= Laplace(1.0).power(levels).lower)


@pytest.mark.parametrize("least", [0.5, 1.0])
def test_errors_of_a_half_or_more_are_refused(least):
    with pytest.raises(InvalidInput, match="must be below 0.5"):
        Gaussian(1.0).covering_mu(least_error=least)


def test_a_curve_from_below_has_no_cover():
    with pytest.raises(NotImplied, match="is no upper bound"):
        from_powers([0.1], [0.3]).covering_mu()


def test_of_a_promise_the_mu_that_covers_is_an_upper_bound():
    assert PureDP(1.0).covering_mu().direction is Direction.AT_MOST
    assert Laplace(1.0).covering_mu().direction is Direction.EXACTLY


@pytest.mark.parametrize("sigma", [0.3, 2.0, 3.0, 10.0])
@pytest.mark.parametrize("releases", [1, 3, 12])
def test_the_mu_of_gaussian_noise_lies_between_its_ends_without_rounding(sigma, releases):
    found = Gaussian(sigma).times(releases).covering_mu()
    square = releases / Fraction(sigma) ** 2
    assert Fraction(found.lower) ** 2 <= square <= Fraction(found.upper) ** 2
    assert found.upper <= found.lower * (1 + 1e-14)
    assert (found.lower == found.upper) is (Fraction(found.upper) ** 2 == square)
