"""Invariants beside noisy queries: against conditioning by hand, on a small made-up state of the 2020 Census."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput
from whit.mechanisms import DiscreteGaussian, Gaussian, Laplace
from whit.persuasion import Factors, GaussianBelief, Together, Totals
from whit.plans import (
    Epsilon,
    Kind,
    Plan,
    Query,
    Sigma,
    Unprotected,
    census_2020,
    invariants_release,
)
from whit.setting import PERSON
from whit.theory import Direction

DETAILED = ("HHGQ x VOTINGAGE x HISPANIC x CENRACE", "Block")
BLOCK = np.repeat(np.arange(6), 10)  # 60 addresses in 6 blocks, the first three of which are one county
CELL = 2 * BLOCK + np.arange(60) % 2  # two categories in each block
STATE = np.zeros(60, dtype=int)


def quarters(first, second):
    """The addresses that are group quarters, by county."""
    codes = np.full(60, -1)
    codes[first], codes[second] = 0, 1
    return codes


def state(first=(9, 19), second=(39, 59), prior=None):
    exact = {"state totals": STATE, "group quarters": quarters(list(first), list(second))}
    prior = np.full(60, 2.0) if prior is None else prior
    return invariants_release(census_2020.plan(), prior, invariants=exact, noisy={DETAILED: CELL}, mean=2.5)


def columns(codes, cells):
    return (np.asarray(codes)[None, :] == np.arange(cells)[:, None]).astype(float)


def by_hand(a, s, w):
    """The share explained of each record, by a pseudo-inverse of the whole matrix."""
    c = s @ a.T
    return np.diag(c @ np.linalg.pinv(a @ c + np.diag(w), rcond=1e-12) @ c.T) / np.diag(s)


@pytest.mark.parametrize("correlated", [False, True])
def test_the_three_shares_are_those_of_conditioning_by_hand(correlated):
    loadings = np.linspace(0.1, 1.0, 60)
    prior = Factors(np.full(60, 1.5), loadings) if correlated else np.full(60, 2.0)
    s = 1.5 * np.eye(60) + np.outer(loadings, loadings) if correlated else 2.0 * np.eye(60)
    sigma_squared = float(census_2020.plan().spread(_detailed()))
    exact = np.vstack([columns(STATE, 1), columns(quarters([9, 19], [39, 59]), 2)])
    cells, loud = columns(CELL, 12), np.full(12, sigma_squared)
    found = state(prior=prior).explained()
    assert found.invariants.value == pytest.approx(by_hand(exact, s, np.zeros(3)), rel=1e-9)
    assert found.noisy.value == pytest.approx(by_hand(cells, s, loud), rel=1e-9)
    both = by_hand(np.vstack([exact, cells]), s, np.concatenate([np.zeros(3), loud]))
    assert found.both.value == pytest.approx(both, rel=1e-9)


def test_both_never_explain_less_than_one_of_them():
    found, kappa = state().explained(), state().kappa_predicted(0.01)
    for three in (found, kappa):
        assert np.all(three.both.value >= np.maximum(three.invariants.value, three.noisy.value) - 1e-12)


def test_the_kappa_of_noisy_cells_of_five_is_the_closed_form():
    """R^2 = v/(5 v + sigma^2), and kappa is the squared normal quantile minus log(1 - R^2)."""
    spread = census_2020.plan().spread(_detailed())
    sigma_squared = mpmath.mpf(spread.numerator) / spread.denominator
    assert float(mpmath.sqrt(sigma_squared)) == pytest.approx(3.17458, abs=1e-5)
    share = 2 / (10 + sigma_squared)
    quantile = mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(0.01))
    exact = quantile**2 - mpmath.log(1 - share)
    found = state().kappa_predicted(0.01).noisy.value
    assert np.all(found >= float(exact) * (1 - 1e-15))
    assert found == pytest.approx(np.full(60, float(exact)), rel=1e-9)


def _detailed():
    return next(each.kind for each in census_2020.plan().table if (each.name, each.kind.level) == DETAILED)


def test_a_county_with_one_group_quarters_tells_its_residents_whatever_the_noise():
    three = state(first=[9])
    alone, noisy, both = three.kappa_predicted(0.01).most_exposed
    assert (alone.record, both.record) == (9, 9)
    assert np.isinf(alone.kappa)
    assert np.isinf(both.kappa)
    assert np.isfinite(noisy.kappa)
    assert "record 9 is determined" in str(both)


def test_with_two_in_each_county_the_group_quarters_are_exposed_most():
    alone, _, both = state().kappa_predicted(0.01).most_exposed
    assert alone.record in (9, 19, 39, 59)
    assert both.record in (9, 19, 39, 59)
    assert np.isfinite(both.kappa)
    assert both.kappa > alone.kappa


def test_the_share_is_what_the_belief_loses_of_its_variance():
    three = state()
    statistics = Together(Totals(STATE, quarters([9, 19], [39, 59])), Totals(CELL))
    belief = GaussianBelief(2.5, np.full(60, 2.0))
    after = belief.after(statistics, statistics.of(np.full(60, 3.0)), noise=three.both.noise)
    assert 1.0 - after.covariance.variances / 2.0 == pytest.approx(three.explained().both.value, abs=1e-9)


def test_without_noise_the_reach_is_kept_at_any_delta():
    found = state().kappa_within(4.0, 0.01).invariants
    share = np.full(60, 1 / 56.0)  # of the 56 other addresses, whose total is the state's less the group quarters'
    share[[9, 19, 39, 59]] = 0.5
    assert np.all(found.value >= 4.0 - np.log1p(-share) - 1e-14)
    assert found.value == pytest.approx(4.0 - np.log1p(-share), rel=1e-9)


def small(law, amount):
    query = Query("persons", Kind((), "Town", amount, law))
    return Plan.of([query], name="small", levels=["Town"], unit=PERSON, unprotected=[Unprotected("all", "By law.")])


def of_small(plan, invariants=None, noisy=None, prior=(1.0, 1.0, 1.0)):
    exact = {"all": [0, 0, 0]} if invariants is None else invariants
    loud = {("persons", "Town"): [0, 0, 1]} if noisy is None else noisy
    return invariants_release(plan, prior, invariants=exact, noisy=loud)


@pytest.mark.parametrize(("law", "direction"), [(Gaussian, Direction.AT_MOST), (DiscreteGaussian, Direction.ABOUT)])
def test_what_discrete_noise_tells_is_called_an_estimate(law, direction):
    three = of_small(small(law, Sigma("3"))).explained()
    assert three.invariants.direction is Direction.AT_MOST
    assert three.noisy.direction is three.both.direction is direction
    assert three.noisy.value == pytest.approx([1 / 11, 1 / 11, 1 / 10], rel=1e-12)
    assert str(three).count("\n") == 2


GAUSSIAN = small(Gaussian, Sigma("3"))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"plan": "census"}, "plan must be a Plan"),
        ({"invariants": {}}, "invariants must have at least one table"),
        ({"invariants": [0, 0, 0]}, "invariants must have at least one table"),
        ({"invariants": {"homes": [0, 0, 0]}}, "must be unprotected in the plan; got homes. Use one of all"),
        ({"invariants": {"all": [0.5, 0, 0]}}, "codes must be whole numbers"),
        ({"invariants": {"all": [0, 0]}}, "must be about the same records|about the 3 records"),
        ({"noisy": {}}, "noisy must have at least one table"),
        ({"noisy": {"persons": [0, 0, 1]}}, "a key of noisy must be a name and a level"),
        ({"noisy": {("persons", "County"): [0, 0, 1]}}, "must name one query of the plan"),
        ({"noisy": {("persons", "Town"): [0, 1]}}, "must be about the same records"),
        ({"prior": [1.0, -1.0, 1.0]}, "variances must be a list of finite numbers above 0"),
        ({"prior": [1.0, 1.0]}, "must be about the 2 records"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(given, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        of_small(**{"plan": GAUSSIAN, **given})


def test_laplace_noise_is_refused():
    with pytest.raises(Incompatible, match="must have Gaussian noise; got Laplace"):
        of_small(small(Laplace, Epsilon("1")))
