"""Rho, mu, sigma and epsilon: the same noise, said in four ways."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.plans import Epsilon, Mu, Rho, Sigma
from whit.plans.amounts import AMOUNTS

numbers = st.fractions(min_value=Fraction(1, 1000), max_value=1000)
shares = st.fractions(min_value=Fraction(1, 1000), max_value=1)
cells = st.integers(min_value=1, max_value=9)


@given(numbers, shares, cells, numbers)
def test_rho_is_half_the_square_of_mu(mu, share, number, change):
    assert Mu(mu).spread(share, number, change) == Rho(mu**2 / 2).spread(share, number, change)


@given(numbers, numbers, cells)
def test_the_variance_of_a_rho_gives_the_rho_back(rho, change, number):
    variance = Rho(rho).spread(Fraction(1), number, change)
    assert number * change**2 / (2 * variance) == rho


@given(st.sampled_from([Rho, Mu, Sigma]), numbers, shares, cells, numbers)
def test_half_of_a_gaussian_budget_is_twice_the_variance(kind, value, share, number, change):
    half, whole = (kind(value).spread(part, number, change) for part in (share / 2, share))
    assert half == 2 * whole


@given(numbers, shares, cells, numbers)
def test_half_of_an_epsilon_is_twice_the_scale(value, share, number, change):
    assert Epsilon(value).spread(share / 2, number, change) == 2 * Epsilon(value).spread(share, number, change)


@given(st.sampled_from(list(AMOUNTS.values())), numbers, cells, numbers, numbers)
def test_so_many_times_the_noise_is_so_many_times_the_deviation_or_scale(kind, value, number, change, factor):
    before, after = (each.spread(Fraction(1), number, change) for each in (kind(value), kind(value).with_noise(factor)))
    assert after == before * factor ** kind(value).noise_power


@pytest.mark.parametrize("kind", AMOUNTS.values())
@pytest.mark.parametrize("wrong", [0, -1, "-0.5"])
def test_an_amount_is_above_zero(kind, wrong):
    with pytest.raises(InvalidInput, match=f"{kind.word} must be above 0"):
        kind(wrong)


def test_amounts_of_different_kinds_differ():
    assert Rho("1/2") == Rho("0.5")
    assert Rho(1) != Mu(1)
    assert repr(Rho("0.5")) == "Rho('1/2')"
