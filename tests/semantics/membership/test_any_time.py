"""Bounds at every moment with nothing fixed beforehand, against mpmath and against walks."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.semantics.membership import odometer, wrong_belief


def root(spent: float, expected: float, failure: float) -> mpmath.mpf:
    """The loss at which the mixture is 1/failure."""
    with mpmath.workdps(40):
        room = mpmath.mpf(spent) + mpmath.mpf(expected)

        def short(y):
            part = mpmath.log(2) + mpmath.log(mpmath.mpf(expected) / room) / 2 + y**2 / (4 * room)
            return part + mpmath.log(mpmath.ncdf(y / mpmath.sqrt(2 * room))) + mpmath.log(mpmath.mpf(failure))

        most = 3 * mpmath.sqrt(
            room * (1 + mpmath.log(room / mpmath.mpf(expected)) + mpmath.log(1 / mpmath.mpf(failure)))
        )
        return mpmath.mpf(spent) + mpmath.findroot(short, (mpmath.mpf(0), most), solver="anderson", tol=1e-25)


@pytest.mark.parametrize("spent", [1e-6, 0.01, 0.5, 3.0, 1e4])
@pytest.mark.parametrize("expected", [1e-3, 0.5, 10.0])
@pytest.mark.parametrize("failure", [0.3, 0.01, 1e-9])
def test_the_account_is_the_root_rounded_up(spent: float, expected: float, failure: float) -> None:
    found, truth = float(odometer(spent, expected=expected, failure=failure)), root(spent, expected, failure)
    assert found >= truth
    assert found <= float(truth) * (1 + 1e-11) + 1e-12


def test_a_sum_beyond_all_expectation_is_an_ordinary_one() -> None:
    for spent, expected in ((1e300, 1e-300), (1e-300, 1e300), (1e-12, 1e-12)):
        found = float(odometer(spent, expected=expected, failure=1e-15))
        assert spent < found < math.inf


def test_nothing_spent_is_nothing_learnt_and_more_is_more() -> None:
    assert float(odometer(0.0, expected=1.0, failure=0.01)) == 0.0
    found = [float(odometer(spent, expected=1.0, failure=0.01)) for spent in (0.01, 0.1, 1.0, 10.0)]
    assert found == sorted(found)


def test_an_analyst_who_stops_where_it_pays_keeps_to_the_account() -> None:
    """Rhos are chosen by the loss so far, and the worst moment counts: five standard errors, once in 3 million."""
    rng, walks, failure = np.random.default_rng(3), 20_000, 0.05
    grid = np.linspace(0.005, 4.0, 400)
    bounds = np.array([float(odometer(rho, expected=0.5, failure=failure)) for rho in grid])
    loss, spent, passed = np.zeros(walks), np.zeros(walks), np.zeros(walks, dtype=bool)
    for _ in range(150):
        rho = np.where(loss > spent, 0.02, 0.005)
        loss, spent = loss + rng.normal(rho, np.sqrt(2 * rho)), spent + rho
        passed |= loss > np.interp(spent, grid, bounds)
    assert 0.0 < passed.mean() <= failure + 5 * math.sqrt(failure / walks)


@pytest.mark.parametrize(("prior", "reach", "chance"), [(0.5, 0.99, 1 / 99), (0.1, 0.5, 1 / 9), (0.5, 0.4, 1.0)])
def test_a_wrong_belief_is_rare(prior: float, reach: float, chance: float) -> None:
    found = float(wrong_belief(prior, reach))
    assert chance * (1 - 1e-15) <= found <= chance * (1 + 1e-13)


def test_a_belief_in_what_is_false_by_simulation() -> None:
    """Gaussian releases without the person, watched for a hundred days: the chance is nearly reached."""
    rng, walks, mu = np.random.default_rng(8), 20_000, 0.5
    ratio = np.cumsum(rng.normal(-(mu**2) / 2, mu, size=(walks, 100)), axis=1).max(axis=1)
    often = np.mean(ratio >= math.log(9.0))  # from 1/2 to 0.9
    assert often <= float(wrong_belief(0.5, 0.9)) + 5 * math.sqrt(1 / 9 / walks)
    assert often > 0.06


def test_certain_beliefs_and_impossible_ones() -> None:
    assert wrong_belief([0.0, 1.0, 0.5], [0.5, 1.0, 1.0]).value.tolist() == [0.0, 1.0, 0.0]
    with pytest.raises(InvalidInput, match="expected"):
        odometer(0.5, expected=0.0, failure=0.01)
