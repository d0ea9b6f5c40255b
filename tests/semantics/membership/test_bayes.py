"""Bayes's rule is rounded outwards, keeps its digits at both ends of the priors, and never divides 0 by 0."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.semantics.membership import bayes

PRIORS = (0.0, 5e-324, 1e-300, 1e-15, 1e-3, 0.29, 0.5, 0.75, 1 - 1e-9, 1 - 1e-16, 1.0)
LOSSES = (0.0, 1e-300, 1e-12, 0.1, 1.8, 40.0, 709.0, 710.0, 745.0, 800.0, 1e4, np.inf)


def posterior(p, t):
    return p / (p + (1 - p) * mpmath.exp(-t))


def exact(name: str, p: float, t: float):
    """The formula in 50 digits and more, for a prior strictly between 0 and 1 and a finite loss."""
    p, t = mpmath.mpf(p), mpmath.mpf(t)
    with mpmath.workdps(800):
        return {
            "posterior_up": lambda: posterior(p, t),
            "posterior_down": lambda: posterior(p, t),
            "lowest_posterior": lambda: posterior(p, -t),
            "ratio_up": lambda: posterior(p, t) / p,
            "ratio_down": lambda: posterior(p, -t) / p,
            "difference_up": lambda: posterior(p, t) - p,
            "difference_down": lambda: posterior(p, -t) - p,
            "odds_up": lambda: p / (1 - p) * mpmath.exp(t),
            "odds_down": lambda: p / (1 - p) * mpmath.exp(-t),
        }[name]()


ABOVE = ("posterior_up", "ratio_up", "difference_up", "odds_up")
BELOW = ("posterior_down", "lowest_posterior", "ratio_down", "difference_down", "odds_down")
INNER = [(p, t) for p, t in itertools.product(PRIORS[1:-1], LOSSES[:-1])]
LARGEST, SMALLEST = float(np.finfo(np.float64).max), 1e-301


def at(name: str, p, t):
    return bayes.applied(getattr(bayes, name), p, t)


def check_outward_and_tight(name: str, p: float, t: float) -> None:
    truth, found = exact(name, p, t), float(at(name, p, t))
    assert (found >= truth) if name in ABOVE else (found <= truth)
    if SMALLEST < min(p, abs(truth)) and abs(truth) < LARGEST / 2:  # denormal numbers have no digits to keep
        assert abs(found / truth - 1) < 4e-15


@pytest.mark.parametrize("name", ABOVE + BELOW)
def test_each_formula_is_rounded_outwards_and_keeps_its_digits(name):
    for p, t in INNER:
        check_outward_and_tight(name, p, t)


@pytest.mark.parametrize("name", ABOVE + BELOW)
@given(st.floats(1e-12, 1 - 1e-12), st.floats(0.0, 50.0))
def test_so_it_is_at_random(name, p, t):
    check_outward_and_tight(name, p, t)


@pytest.mark.parametrize("name", ["posterior_up", "posterior_down"])
@given(st.floats(1e-12, 1 - 1e-12), st.floats(-800.0, 800.0))
def test_a_loss_of_either_sign_will_do(name, p, t):
    check_outward_and_tight(name, p, t)


@pytest.mark.parametrize("name", ABOVE + BELOW)
def test_nothing_is_nan_at_any_end(name):
    grid = at(name, np.array(PRIORS)[:, None], np.array(LOSSES))
    assert grid.shape == (len(PRIORS), len(LOSSES))
    assert not np.isnan(grid).any()


@pytest.mark.parametrize("t", LOSSES)
def test_a_certain_prior_stays_certain(t):
    for name in ("posterior_up", "lowest_posterior"):
        assert at(name, [0.0, 1.0], t).tolist() == [0.0, 1.0]
    for name in ("difference_up", "difference_down"):
        assert at(name, [0.0, 1.0], t).tolist() == [0.0, 0.0]
    for name in ("odds_up", "odds_down"):
        assert at(name, [0.0, 1.0], t).tolist() == [0.0, np.inf]
    for name in ("ratio_up", "ratio_down"):
        assert float(at(name, 1.0, t)) == 1.0


def test_a_loss_of_zero_teaches_nothing():
    priors = np.array(PRIORS)
    for name in ("posterior_up", "lowest_posterior"):
        assert np.array_equal(at(name, priors, 0.0), priors)
    assert np.array_equal(at("difference_up", priors, 0.0), np.zeros(len(PRIORS)))
    assert np.array_equal(at("ratio_up", priors, 0.0), np.ones(len(PRIORS)))


def test_an_infinite_loss_teaches_everything():
    inner = np.array(PRIORS[1:-1])
    assert np.array_equal(at("posterior_up", inner, np.inf), np.ones(inner.size))
    assert np.array_equal(at("lowest_posterior", inner, np.inf), np.zeros(inner.size))


def test_blocks_do_not_show():
    rng = np.random.default_rng(3)
    priors = rng.random(2 * bayes.BLOCK + 7)
    whole = at("posterior_up", priors, 0.7)
    assert np.array_equal(whole[:: bayes.BLOCK - 1], at("posterior_up", priors[:: bayes.BLOCK - 1], 0.7))


def test_priors_and_losses_broadcast():
    both = at("ratio_up", np.array([[0.1], [0.9]]), np.array([0.5, 1.0, 2.0]))
    assert both.shape == (2, 3)
    assert both[1, 2] == at("ratio_up", 0.9, 2.0)


@pytest.mark.parametrize("p", [0.5, 0.25, 0.1, 0.01])
@pytest.mark.parametrize("t", [30.0, 40.0, 710.0, 1e4, np.inf])
def test_what_certainty_would_be_is_not_exceeded(p, t):
    ratio, difference = (float(bayes.applied(f, p, t)) for f in (bayes.ratio_up, bayes.difference_up))
    assert ratio <= round(1 / p)
    assert Fraction(math.nextafter(difference, 0.0)) < 1 - Fraction(p)
