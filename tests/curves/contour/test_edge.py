"""Next to the largest loss: bounds without an integral hold the exact law, and meet where they are used."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from bounded_sums import DIGITS, BoundedSum
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds_by_hand import of_pair

from whit.curves.contour import (
    AtomsKind,
    Composition,
    Edge,
    EpsilonDeltaKind,
    GaussianKind,
    Kind,
    LaplaceKind,
    RandomizedResponseKind,
    SubsampledLaplaceKind,
    delta_bracket,
    tail_bracket,
)

LOSSES = st.floats(0.02, 12.0)
GAPS = st.floats(-17.0, 1.3).map(lambda digits: 10**digits)


def composition(laplace: list[float], coins: list[float]) -> Composition:
    counts: dict[Kind, int] = {}
    for kind in [*map(LaplaceKind, laplace), *map(RandomizedResponseKind, coins)]:
        counts[kind] = counts.get(kind, 0) + 1
    return Composition(counts)


def log(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.log(x) if x > 0 else -mpmath.inf


@settings(max_examples=60)
@given(st.lists(LOSSES, min_size=1, max_size=3), st.lists(LOSSES, max_size=2), GAPS)
def test_profile_and_tails_of_laplace_noise_and_coins_are_held(laplace, coins, gap):
    edge, exact = Edge(composition(laplace, coins)), BoundedSum(laplace, coins)
    t = float(exact.largest) - gap
    with mpmath.workdps(DIGITS):
        true_gap = exact.largest - mpmath.mpf(t)
        delta, tail = log(exact.delta(true_gap)), log(exact.tail(true_gap))
    lower, upper = edge.log_delta(np.array([t]))
    assert lower[0] <= delta <= upper[0]
    lower, upper = edge.log_tail(np.array([t]))
    assert lower[0] <= tail <= upper[0]


@settings(max_examples=60)
@given(st.lists(LOSSES, min_size=1, max_size=3), st.lists(LOSSES, max_size=2), GAPS)
def test_the_power_of_laplace_noise_and_coins_is_held(laplace, coins, gap):
    """The best test at the level Q[Z > t] rejects above t, and has the power P[Z > t]."""
    edge, exact = Edge(composition(laplace, coins)), BoundedSum(laplace, coins)
    with mpmath.workdps(DIGITS):
        level, power = mpmath.log(exact.null_tail(gap)), mpmath.log(exact.tail(gap))
        asked = float(level)
        # The power is concave in the level: its log moves by no more than that of the level.
        moved = abs(level - asked)
    found = edge.log_power(np.array([asked]))
    assert found.lower[0] <= power + moved
    assert power - moved <= found.upper[0]


def test_what_is_impossible_above_the_largest_loss_is_said_to_be():
    edge = Edge(composition([1.0], [0.1, 0.2]))
    above = np.array([1.3000000000000003, 2.0])
    assert np.all(edge.log_delta(above)[1] == -np.inf)
    assert np.all(edge.log_tail(above)[1] == -np.inf)


def test_the_largest_loss_is_the_exact_sum_rounded_to_either_side():
    """0.1 + 0.7 + 0.2, each the double, is no double; the one that is nearest lies below it."""
    low, high = composition([0.1], [0.7, 0.2]).highest_loss
    with mpmath.workdps(50):
        exact = mpmath.mpf(0.1) + mpmath.mpf(0.7) + mpmath.mpf(0.2)
        assert low < exact < high
    assert high == np.nextafter(low, 2.0)
    assert delta_bracket(composition([0.1], [0.7, 0.2]), low).log_delta.upper > -np.inf


@pytest.mark.parametrize("gap", [5e-15, 2e-14, 1e-13, 1e-9])
def test_the_profile_of_two_laplace_releases_is_known_next_to_their_largest_loss(gap):
    """It was between 0 and 1 here: where the integrand does not fall off, there is no integral of a relative width."""
    t = 1.5 - gap
    found, delta = delta_bracket(composition([1.0, 0.5], []), t).log_delta, BoundedSum([1.0, 0.5], []).delta(1.5 - t)
    assert found.lower <= mpmath.log(delta) <= found.upper
    assert found.upper - found.lower < 2e-9


def test_the_profile_is_known_at_every_double_below_the_largest_loss():
    epsilons = 2.0 - 2.0**-52 * np.arange(1.0, 41.0)
    found, exact = delta_bracket(composition([1.0], [1.0]), epsilons).log_delta, BoundedSum([1.0], [1.0])
    for lower, upper, t in zip(found.lower, found.upper, epsilons, strict=True):
        assert lower <= mpmath.log(exact.delta(2.0 - t)) <= upper
    assert np.max(found.upper - found.lower) < 1e-12


def test_the_tail_is_known_next_to_the_largest_loss():
    gaps = np.array([5e-15, 1e-13, 1e-9])
    found, exact = tail_bracket(composition([1.0, 0.5], []), 1.5 - gaps).log_open, BoundedSum([1.0, 0.5], [])
    for lower, upper, t in zip(found.lower, found.upper, 1.5 - gaps, strict=True):
        assert lower <= mpmath.log(exact.tail(1.5 - t)) <= upper
    assert np.max(found.upper - found.lower) < 1e-8


ATOMS = of_pair((0.5, 0.3, 0.2), (0.3, 0.3, 0.4))


def masses_at_the_top() -> list[tuple[Kind, mpmath.mpf]]:
    """Kinds with atoms, and the probability of their largest loss by hand."""
    with mpmath.workdps(50):
        reversed_mass = mpmath.mpf(ATOMS.masses[2]) * mpmath.exp(-mpmath.mpf(ATOMS.losses[2]))
        coin = (1 - mpmath.mpf(0.01)) / (1 + mpmath.exp(-mpmath.mpf(0.7)))
        return [(ATOMS, mpmath.mpf(0.5)), (ATOMS.reverse(), reversed_mass), (EpsilonDeltaKind(0.7, 0.01), coin)]


@pytest.mark.parametrize(("kind", "mass"), masses_at_the_top())
def test_one_kind_alone_is_held_closely_at_its_largest_loss(kind, mass):
    """Next to the largest loss of one release the profile is (1 - e^{-g}) times the atom there."""
    edge, (_, largest) = Edge(Composition({kind: 1})), kind.loss_range
    t = largest - np.array([1e-3, 1e-2, 0.1])
    with mpmath.workdps(50):
        truth = [mpmath.log(-mpmath.expm1(mpmath.mpf(x) - mpmath.mpf(largest)) * mass) for x in t]
    lower, upper = edge.log_delta(t)
    assert all(low <= true <= high for low, true, high in zip(lower, truth, upper, strict=True))
    assert np.max(upper - lower) < 1e-13


def test_a_further_atom_is_counted_from_its_own_distance_on():
    kind = AtomsKind((1.0, 0.0, -0.5), (0.4, 0.4, 0.2), 0.0, 0.6 - 0.4 * np.exp(-1.0) - 0.2 * np.exp(0.5))
    near = kind.top.log_near(np.array([0.5, 1.0 - 1e-9, 1.0 + 1e-9, 2.0]))
    np.testing.assert_allclose(np.exp(near), [0.4, 0.4, 0.8, 1.0], rtol=1e-12)


@pytest.mark.parametrize("kind", [GaussianKind(1.0), SubsampledLaplaceKind(1.0, 0.1)])
def test_where_no_atom_is_known_little_is_said_and_that_holds(kind):
    edge = Edge(Composition({kind: 2, LaplaceKind(0.5): 1}))
    t = np.array([0.0, 0.3, 0.6])
    found = delta_bracket(edge.composition, t, strict=False).log_delta
    lower, upper = edge.log_delta(t)
    assert np.all(lower == -np.inf)
    assert np.all(found.lower <= upper)
    assert np.all(edge.log_power(np.array([-30.0, -1.0])).lower == -np.inf)
