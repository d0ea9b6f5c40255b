"""An answer depends on its own question only, and a bound moves with what is asked as the truth does.

An upper bound on delta never rises with epsilon, one on power never falls with the level, and neither falls when the
parameter of a promise allows more. What is asked beside a question does not change its answer.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.assessment import assess
from whit.curves import Promise
from whit.errors import WhitError
from whit.guarantees import (
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from whit.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
)
from whit.semantics.membership import posterior
from whit.setting import Adversary
from whit.theory import Finding

EPSILONS = np.array([0.0, 5e-324, 1e-300, 1e-17, 1e-16, 1e-12, 1e-9, 0.003, 0.05, 0.3, 0.31, 0.77, 1.0, 2.0, 8.0, 40.0])
LEVELS = np.array([1e-300, 1e-100, 1e-15, 1e-6, 1e-3, 0.01, 0.05, 0.3, 0.5, 0.9, 0.999, 1 - 1e-9])
DELTAS = np.array([1e-300, 1e-100, 1e-12, 1e-6, 1e-3, 0.01, 0.5])
QUESTIONS = {"delta": EPSILONS, "epsilon": DELTAS, "power": LEVELS, "tail": EPSILONS, "two_sided_tail": EPSILONS}

GUARANTEES: list[Promise] = [
    PureDP(1.0),
    ApproxDP(1.0, 1e-6),
    ProbabilisticDP(1.0, 1e-3),
    ProbabilisticallyBoundedDP(1.0, 0.01),
    ZeroConcentratedDP(0.1),
    ZeroConcentratedDP(1e-29),
    ZeroConcentratedDP(1e300),
    RenyiDP({2.0: 1e-12, 64.0: 8e-12}),
    RenyiDP({2.0: 0.1, 32.0: 1.6}),
    GaussianDP(1.0),
    GaussianDP(0.01),
]
MECHANISMS: list[Promise] = [
    Gaussian(1.0),
    Gaussian(30.0),
    Laplace(1.0),
    Geometric(0.7),
    DiscreteGaussian(2.0),
    RandomizedResponse(1.0),
    PoissonSubsampled(Gaussian(1.0), 0.01),
    PoissonSubsampled(Laplace(3.0), 0.3),
    PoissonSubsampled(Gaussian(0.5), 1e-12),
]
PROMISES = GUARANTEES + MECHANISMS
COMPOSITIONS: list[Promise] = [Laplace(4.0).times(3), PoissonSubsampled(Gaussian(1.0), 0.1).times(3)]

each_promise = pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: str(promise)[:60])


def asked(promise: Promise, question: str, at: object) -> Finding | None:
    """The answer; None where the promise says nothing on it."""
    try:
        return getattr(promise, question)(at)
    except WhitError:
        return None


def ends(finding: Finding) -> np.ndarray:
    """All that the finding holds of its number: its value, and its ends if it has them."""
    parts = (finding.value, finding.lower, finding.upper)
    return np.array([part for part in parts if part is not None], dtype=float)


@each_promise
@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_does_not_depend_on_what_else_is_asked(promise: Promise, question: str) -> None:
    grid = QUESTIONS[question]
    together, turned = asked(promise, question, np.tile(grid, 3)), asked(promise, question, grid[::-1].copy())
    if together is None or turned is None:
        assert asked(promise, question, float(grid[0])) is None
        return
    alone = np.array([ends(getattr(promise, question)(float(x))) for x in grid]).T
    np.testing.assert_array_equal(ends(together), np.tile(alone, 3))
    np.testing.assert_array_equal(ends(turned), alone[:, ::-1])


@pytest.mark.parametrize("promise", COMPOSITIONS, ids=str)
@pytest.mark.parametrize("question", ["delta", "tail"])
def test_the_answers_of_a_composition_hold_one_number_whatever_else_is_asked(promise: Promise, question: str) -> None:
    """Questions about a composition share their lines of integration: the ends differ, the truth between them not."""
    grid = np.array([0.003, 0.05, 0.3, 0.31, 0.7])
    together, alone = getattr(promise, question)(grid), [getattr(promise, question)(float(x)) for x in grid]
    assert np.all(np.asarray(together.lower) <= [each.upper for each in alone])
    assert np.all(np.asarray(together.upper) >= [each.lower for each in alone])


@each_promise
def test_an_upper_bound_on_delta_never_rises_with_epsilon(promise: Promise) -> None:
    """Epsilons below 1e-12 move delta by less than its rounding."""
    grid = np.append(0.0, np.geomspace(1e-12, 50.0, 250))
    found = asked(promise, "delta", grid)
    assert found is None or np.all(np.diff(np.asarray(found.upper, dtype=np.float64)) <= 0.0)


@each_promise
def test_an_upper_bound_on_power_never_falls_with_the_level(promise: Promise) -> None:
    found = asked(promise, "power", LEVELS)
    assert found is None or np.all(np.diff(np.asarray(found.upper, dtype=np.float64)) >= 0.0)


RHOS = [5e-324, 1e-320, 1e-310, 1e-300, 1e-150, 1e-100, 1e-50, 1e-40, 1e-35, 1e-33, 1e-31, 1e-29, 1e-26, 1e-23]
RHOS += [1e-20, 1e-16, 1e-12, 1e-8, 1e-4, 0.01, 1.0, 100.0, 1e4, 1e20, 1e100, 1e200, 1e300, 1.7e308]


@pytest.mark.parametrize("question", ["delta", "epsilon", "power"])
def test_no_upper_bound_falls_when_rho_rises(question: str) -> None:
    found = [np.asarray(getattr(ZeroConcentratedDP(rho), question)(QUESTIONS[question]).upper) for rho in RHOS]
    for (smaller, before), (larger, after) in pairwise(zip(RHOS, found, strict=True)):
        assert np.all(before <= after), (smaller, larger)


@settings(max_examples=60)
@given(st.floats(-60.0, 5.0), st.floats(0.5, 4.0), st.floats(-300.0, -1e-6))
def test_the_power_never_falls_when_rho_rises_somewhere(place: float, step: float, log_level: float) -> None:
    less, more = (ZeroConcentratedDP(10.0**x).power(10.0**log_level).upper for x in (place, place + step))
    assert less <= more


@pytest.mark.parametrize("level", [1e-300, 1e-20, 0.01, 0.3])
@pytest.mark.parametrize("rho", [5e-324, 1e-320, 1e-28, 1e-26, 1e-22])
def test_a_tiny_rho_leaves_the_power_near_the_level(rho: float, level: float) -> None:
    """Pinsker allows sqrt(rho/2) more than the level; order 1e10 allows at most e^{1e10 rho} level^{1 - 1e-10}."""
    power = ZeroConcentratedDP(rho).power(level).upper
    assert level <= power <= level * (1 + 1e-6)


@pytest.mark.parametrize("promise", [ZeroConcentratedDP(1e300), ZeroConcentratedDP(4e307), Gaussian(1e-100)], ids=str)
def test_a_promise_of_nothing_is_answered_without_a_warning(promise: Promise) -> None:
    """Warnings are errors here."""
    assert promise.delta(1.0).upper == 1.0
    assert promise.power(1e-300).upper == 1.0
    assert promise.epsilon(1e-6).upper > 1e100
    assert assess(promise, Adversary(prior=1e-300), failure=1e-300).power.value == 1.0


def test_a_prior_and_a_failure_that_are_next_to_nothing_are_answered_without_a_warning() -> None:
    assert posterior(Gaussian(1e-100), prior=1e-300, failure=1e-300).upper == 1.0
