"""delta(epsilon): reference values, both orientations, refinement, extremes, refusals."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from kinds_by_hand import of_pair

from whit.curves.contour import (
    Composition,
    DiscreteGaussianKind,
    EpsilonDeltaKind,
    GaussianKind,
    Kind,
    LaplaceKind,
    ProfileBracket,
    RandomizedResponseKind,
    SubsampledGaussianKind,
    SubsampledLaplaceKind,
    delta_bracket,
    delta_estimate,
)
from whit.curves.contour.profile import with_infinity
from whit.errors import InvalidInput, TooCostly

REFERENCE_KINDS: dict[str, dict[Kind, int]] = {
    "gauss1": {GaussianKind(1.0): 1},
    "gauss1000": {GaussianKind(1.0): 1000},
    "dg0.6": {DiscreteGaussianKind(0.36): 1},
    "dg1": {DiscreteGaussianKind(1.0): 1},
    "dg10": {DiscreteGaussianKind(100.0): 1},
    "dg100": {DiscreteGaussianKind(10000.0): 1},
    "rr": {RandomizedResponseKind(0.05): 1000},
    "laplace": {LaplaceKind(0.01): 10_000},
    "dpsgd_remove": {SubsampledGaussianKind(1.0, 0.01): 10_000},
    "dpsgd_add": {SubsampledGaussianKind(1.0, 0.01).reverse(): 10_000},
}


def assert_inside(found: ProfileBracket, truth: list[mpmath.mpf]) -> None:
    """Every true delta lies between the bounds, for delta and for 1 - delta."""
    with mpmath.workdps(40):
        for i, value in enumerate(truth):
            assert found.log_delta.lower[i] <= mpmath.log(value) <= found.log_delta.upper[i]
            if value < 1:
                log_complement = mpmath.log1p(-value)
                assert found.log_complement.lower[i] <= log_complement <= found.log_complement.upper[i]


def gaussian_delta(mu: float, epsilon: float) -> mpmath.mpf:
    """The closed form of Balle and Wang (2018)."""
    mu_, x = mpmath.mpf(mu), mpmath.mpf(epsilon)
    return mpmath.ncdf(mu_ / 2 - x / mu_) - mpmath.exp(x) * mpmath.ncdf(-mu_ / 2 - x / mu_)


@pytest.mark.parametrize("name", sorted(REFERENCE_KINDS))
def test_reference_values_lie_inside(name: str, reference: dict[str, Any]) -> None:
    table = reference[name]
    # gauss1000 is 1 to 25 digits at small epsilon; its complement is tested below
    known = {float(epsilon): mpmath.mpf(value) for epsilon, value in table.items() if mpmath.mpf(value) < 1}
    found = delta_bracket(Composition(REFERENCE_KINDS[name]), list(known))
    assert_inside(found, list(known.values()))
    assert float(np.expm1(found.log_delta.upper - found.log_delta.lower).max()) <= 1e-6


def test_census_lies_inside(census: Composition, reference: dict[str, Any]) -> None:
    table = reference["census"]
    found = delta_bracket(census, [float(epsilon) for epsilon in table])
    assert_inside(found, [mpmath.mpf(value) for value in table.values()])
    assert float(np.expm1(found.log_delta.upper - found.log_delta.lower).max()) <= 1e-6


def test_wrong_values_would_be_noticed(census: Composition, reference: dict[str, Any]) -> None:
    value = mpmath.mpf(reference["census"]["10"])
    found = delta_bracket(census, [10.0])
    assert not found.log_delta.lower[0] <= mpmath.log(value * (1 + mpmath.mpf("1e-6"))) <= found.log_delta.upper[0]
    assert not found.log_delta.lower[0] <= mpmath.log(value * (1 - mpmath.mpf("1e-6"))) <= found.log_delta.upper[0]


@pytest.mark.parametrize("mu", [1e-6, 0.03, 1.0, 7.0, 100.0])
def test_gaussian_closed_form_from_epsilon_0_to_10000(mu: float) -> None:
    epsilons = [0.0, 1e-12, 0.5 * mu * mu, 1.0, 710.0, 1e4]
    with mpmath.workdps(60):
        found = delta_bracket(Composition({GaussianKind(mu): 1}), epsilons)
        for i, epsilon in enumerate(epsilons):
            if epsilon > 1e3 * mu:  # log delta is below -500,000: by Mills' ratio it is near -(epsilon/mu - mu/2)^2 / 2
                near = -((epsilon / mu - mu / 2) ** 2) / 2
                assert found.log_delta.lower[i] <= near + 0.01 * abs(near)
                assert found.log_delta.upper[i] >= near + math.log(mu / epsilon) * 4 - 10
                continue
            truth = gaussian_delta(mu, epsilon)
            assert found.log_delta.lower[i] <= mpmath.log(truth) <= found.log_delta.upper[i]
            complement = mpmath.ncdf(epsilon / mpmath.mpf(mu) - mpmath.mpf(mu) / 2)
            complement += mpmath.exp(epsilon) * mpmath.ncdf(-mpmath.mpf(mu) / 2 - epsilon / mpmath.mpf(mu))
            assert found.log_complement.lower[i] <= mpmath.log(complement) <= found.log_complement.upper[i]


def test_delta_below_the_smallest_double() -> None:
    found = delta_bracket(Composition({GaussianKind(1.0): 1}), [50.0])
    with mpmath.workdps(30):
        truth = float(mpmath.log(mpmath.mpf("1.372352886866723939974438e-536")))
    assert found.log_delta.lower[0] <= truth <= found.log_delta.upper[0]
    assert float(found.log_delta.upper[0] - found.log_delta.lower[0]) < 1e-10


def test_complement_keeps_its_digits_where_delta_is_1() -> None:
    found = delta_bracket(Composition({GaussianKind(1.0): 1000}), [0.0, 300.0])
    assert found.by_complement.all()
    assert float((found.log_complement.upper - found.log_complement.lower).max()) < 1e-6
    with mpmath.workdps(60):
        mu = mpmath.sqrt(1000)
        for i, x in enumerate((0, 300)):
            truth = mpmath.ncdf(x / mu - mu / 2) + mpmath.exp(x) * mpmath.ncdf(-mu / 2 - x / mu)
            assert found.log_complement.lower[i] <= mpmath.log(truth) <= found.log_complement.upper[i]


@pytest.mark.parametrize("mu", [1, 3, 10])
def test_the_estimate_leads_near_the_truth_also_where_delta_is_nearly_1(mu: int) -> None:
    """It is a place to look first: within half a deviation of the loss."""
    xs = np.linspace(-mu * mu, 1.5 * mu * mu, 41)
    estimates = delta_estimate(Composition({GaussianKind(float(mu)): 1}), xs)
    for x, estimate in zip(xs.tolist(), estimates.tolist(), strict=True):
        near = [x - mu / 2, x + mu / 2]
        deltas = [mpmath.ncdf(mu / 2 - y / mu) - mpmath.exp(y) * mpmath.ncdf(-mu / 2 - y / mu) for y in near]
        assert deltas[1] <= mpmath.exp(estimate) + 1e-15
        assert mpmath.exp(estimate) - 1e-15 <= deltas[0]


MIXTURES: dict[str, dict[Kind, int]] = {
    "laplace": {LaplaceKind(0.3): 40},
    "one lattice": {RandomizedResponseKind(0.1): 30, RandomizedResponseKind(0.2): 5},
    "all kinds": {
        LaplaceKind(0.5): 3,
        GaussianKind(0.3): 2,
        RandomizedResponseKind(1.0): 1,
        DiscreteGaussianKind(2.0): 2,
        DiscreteGaussianKind(0.2): 1,
        SubsampledGaussianKind(1.0, 0.1): 4,
        SubsampledLaplaceKind(0.5, 0.2): 4,
        EpsilonDeltaKind(0.1, 1e-5): 2,
        of_pair((0.5, 0.3, 0.2), (0.2, 0.3, 0.5)): 2,
    },
}


@pytest.mark.parametrize("name", sorted(MIXTURES))
def test_orientations_agree(name: str) -> None:
    """delta_rev(x) = 1 - e^x + e^x delta(-x), and so 1 - delta_rev(x) = e^x (1 - delta(-x))."""
    forward, backward = Composition(MIXTURES[name]), Composition(MIXTURES[name]).reverse()
    x = np.array([-3.0, -1.0, -0.2, 0.0, 0.2, 1.0, 3.0])
    here, there = delta_bracket(forward, x), delta_bracket(backward, -x)
    assert np.all(there.log_complement.lower - x * -1 <= here.log_complement.upper + 1e-12)
    assert np.all(here.log_complement.lower <= there.log_complement.upper + x + 1e-12)


def test_negative_epsilon_of_a_single_laplace() -> None:
    """For -epsilon < x < epsilon the Laplace mechanism has delta(x) = 1 - e^{(x - epsilon)/2}."""
    x = np.array([-0.5, -0.1, -1e-12, 0.0, 0.3, 0.9])
    found = delta_bracket(Composition({LaplaceKind(1.0): 1}), x)
    truth = (x - 1.0) / 2
    assert np.all(found.log_complement.lower <= truth + 1e-15)
    assert np.all(truth - 1e-15 <= found.log_complement.upper)


@pytest.mark.parametrize("name", sorted(MIXTURES))
def test_a_tighter_request_is_never_wider(name: str) -> None:
    composition = Composition(MIXTURES[name])
    x = np.array([0.0, 0.31, 1.0, 2.5])
    before = delta_bracket(composition, x, 1e-2)
    for width in (1e-4, 1e-6, 1e-7, 1e-8):
        now = delta_bracket(composition, x, width)
        assert float(np.expm1(now.log_delta.upper - now.log_delta.lower).max()) <= width
        assert np.all(now.log_delta.lower >= before.log_delta.lower)
        assert np.all(now.log_delta.upper <= before.log_delta.upper)
        before = now


def test_infinite_mass_adds_up() -> None:
    """Beyond the largest loss only the infinite mass 1 - (1 - m)^n is left."""
    composition = Composition({EpsilonDeltaKind(0.1, 1e-6): 100, EpsilonDeltaKind(0.3, 1e-9): 7})
    found = delta_bracket(composition, [12.1, 100.0])
    truth = float(mpmath.log(1 - (1 - mpmath.mpf(1e-6)) ** 100 * (1 - mpmath.mpf(1e-9)) ** 7))
    np.testing.assert_allclose(found.log_delta.mid, truth, rtol=1e-12)


def test_optimal_composition_of_equal_promises() -> None:
    """Kairouz, Oh and Viswanath (2015): k copies of (epsilon, delta) by a binomial sum."""
    epsilon, delta, k, x = mpmath.mpf(0.25), mpmath.mpf(1e-7), 30, mpmath.mpf(1.5)
    p = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
    losses = [(2 * j - k) * epsilon for j in range(k + 1)]
    masses = [mpmath.binomial(k, j) * p**j * (1 - p) ** (k - j) for j in range(k + 1)]
    inner = sum(m * (1 - mpmath.exp(x - z)) for m, z in zip(masses, losses, strict=True) if z > x)
    truth = 1 - (1 - delta) ** k * (1 - inner)
    found = delta_bracket(Composition({EpsilonDeltaKind(0.25, 1e-7): 30}), [1.5])
    assert found.log_delta.lower[0] <= mpmath.log(truth) <= found.log_delta.upper[0]


def test_above_the_largest_loss_delta_is_zero() -> None:
    found = delta_bracket(Composition({LaplaceKind(1.0): 2}), [2.0, 2.5, 1e4])
    assert np.all(found.log_delta.upper == -np.inf)
    assert np.all(found.log_complement.lower == 0.0)


def test_within_rounding_of_the_largest_loss_only_an_upper_bound_is_given() -> None:
    found = delta_bracket(Composition({RandomizedResponseKind(0.1): 3}), [0.3])
    assert found.log_delta.lower[0] == -np.inf
    assert found.log_delta.upper[0] < math.log(1e-15)


def test_a_million_mechanisms_of_fifty_kinds() -> None:
    """Close to the Gaussian of the same total: the composition is near its limit."""
    kinds: dict[Kind, int] = {LaplaceKind(1e-4 * (1 + 0.03 * i)): 20_000 for i in range(50)}
    found = delta_bracket(Composition(kinds), [0.0, 0.3, 1.0])
    rho = sum(n * k.epsilon**2 / 2 for k, n in kinds.items() if isinstance(k, LaplaceKind))
    mu = math.sqrt(2 * rho)
    truth = [float(mpmath.log(gaussian_delta(mu, x))) for x in (0.0, 0.3, 1.0)]
    np.testing.assert_allclose(found.log_delta.mid, truth, atol=2e-3)
    assert found.nodes < 10_000


def test_shapes_are_kept() -> None:
    found = delta_bracket(Composition({GaussianKind(1.0): 1}), np.zeros((2, 3)))
    assert found.log_delta.shape == (2, 3)
    assert found.errors.round_off.shape == (2, 3)
    assert delta_bracket(Composition({GaussianKind(1.0): 1}), 0.0).log_delta.mid.shape == ()


def test_the_refusal_says_what_is_possible() -> None:
    composition = Composition({SubsampledGaussianKind(1.0, 0.01): 1})
    with pytest.raises(TooCostly, match=r"relative_width cannot be met .* at epsilon = 0; got 1e-09\. A width of"):
        delta_bracket(composition, [0.0], 1e-9)


def test_impossible_requests_are_refused() -> None:
    composition = Composition({GaussianKind(1.0): 1})
    with pytest.raises(InvalidInput, match="relative_width must be a number above 0; got 0"):
        delta_bracket(composition, [0.0], 0.0)
    with pytest.raises(InvalidInput, match="epsilons must be finite numbers"):
        delta_bracket(composition, [math.inf])


@pytest.mark.parametrize("size", [1.0, 50.0, 700.0, 5000.0])
def test_a_sum_with_the_mass_at_infinity_is_rounded_outwards(size):
    draws = np.random.default_rng(20261118).uniform(0.5, 1.5, (60, 2)) * size
    for finite, infinite in -draws:
        lower, _, upper = with_infinity(np.full((3, 1), finite), infinite)[:, 0]
        with mpmath.workdps(40):
            truth = mpmath.log(mpmath.exp(mpmath.mpf(finite)) + mpmath.exp(mpmath.mpf(infinite)))
            assert lower <= min(truth, 0) <= upper
