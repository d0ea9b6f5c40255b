"""Enumerated compositions against brute force and against 25-digit references."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import FinitePair, enumerated, identical, self_composed
from whit.errors import TooCostly
from whit.numerics import Bracket


def product_vectors(*pairs: Vectors) -> tuple[list[mpmath.mpf], list[mpmath.mpf]]:
    """All products of probabilities, in 50 digits."""
    ps = [mpmath.fprod(mpmath.mpf(float(x)) for x in choice) for choice in itertools.product(*(p for p, _ in pairs))]
    qs = [mpmath.fprod(mpmath.mpf(float(x)) for x in choice) for choice in itertools.product(*(q for _, q in pairs))]
    return ps, qs


def exact_delta(ps: list[mpmath.mpf], qs: list[mpmath.mpf], epsilon: float) -> mpmath.mpf:
    factor = mpmath.exp(mpmath.mpf(epsilon))
    # Vectors of doubles add up to 1 only within rounding, and delta is a probability.
    return min(mpmath.fsum(max(p - factor * q, mpmath.mpf(0)) for p, q in zip(ps, qs, strict=True)), mpmath.mpf(1))


def holds(bracket: Bracket, truth: mpmath.mpf) -> bool:
    lower, upper = (mpmath.exp(mpmath.mpf(float(end))) for end in (bracket.lower, bracket.upper))
    return bool(lower <= truth <= upper)


@given(finite_pairs(4), finite_pairs(4), st.floats(-5.0, 20.0))
def test_two_pairs_compose_to_all_products(first: Vectors, second: Vectors, epsilon: float) -> None:
    pair = enumerated({FinitePair.of(*first): 1, FinitePair.of(*second): 1})
    ps, qs = product_vectors(first, second)
    assert holds(pair.log_delta(epsilon), exact_delta(ps, qs, epsilon))
    infinite = mpmath.fsum(p for p, q in zip(ps, qs, strict=True) if q == 0)
    assert holds(pair.log_tail(np.inf), min(infinite, mpmath.mpf(1)))


# Nearer to 0 the fifty digits of the referee cancel.
@given(finite_pairs(3), st.integers(1, 5), st.floats(-5.0, 20.0).filter(lambda epsilon: abs(epsilon) > 1e-30))
def test_copies_compose_to_all_products(vectors: Vectors, count: int, epsilon: float) -> None:
    pair = self_composed(FinitePair.of(*vectors), count)
    truth = exact_delta(*product_vectors(*[vectors] * count), epsilon)
    assert holds(pair.log_delta(epsilon), truth)
    assert holds(pair.reverse().log_delta(epsilon), exact_delta(*product_vectors(*[vectors[::-1]] * count), epsilon))


def test_losses_on_a_lattice_stay_few() -> None:
    weights = np.exp(-0.3 * np.abs(np.arange(-5, 6)))
    pair = FinitePair.of(
        np.append(weights, 0.1) / (weights.sum() + 0.1), np.append(0.1, weights) / (weights.sum() + 0.1)
    )
    assert len(self_composed(pair, 50).losses) <= 50 * 60


def randomized_response(epsilon: float) -> FinitePair:
    """Truth with probability e^epsilon/(1 + e^epsilon), by its losses."""
    return FinitePair(np.array([-epsilon, epsilon]), -np.log1p(np.exp([epsilon, -epsilon])))


# 1000 randomized responses at epsilon 0.05: exact binomial sums in 25 digits.
REFERENCE = {
    0.0: "0.570665307563308224416802",
    1.0: "0.3523091152744320835722652",
    3.0: "0.0617822883779179905278219",
    5.0: "0.003079389257928478660086227",
    10.0: "2.854476714754187089463049e-9",
}


@pytest.mark.parametrize("epsilon", REFERENCE)
def test_a_thousand_randomized_responses_have_the_reference_profile(epsilon: float) -> None:
    bracket = self_composed(randomized_response(0.05), 1000).log_delta(epsilon)
    truth = mpmath.mpf(REFERENCE[epsilon])
    assert abs(mpmath.exp(mpmath.mpf(float(bracket.mid))) / truth - 1) < 1e-11
    assert holds(bracket, truth)


def test_a_million_copies_of_two_losses_are_one_step() -> None:
    pair = self_composed(randomized_response(1e-3), 10**6 - 1)
    assert len(pair.losses) == 10**6
    assert holds(Bracket.around(np.log(1.0), 1e-6), mpmath.mpf(float(np.exp(pair.log_tail(-np.inf).mid))))


def test_nothing_composed_is_nothing_learnt() -> None:
    assert enumerated({}).log_delta(0.0).upper == identical().log_delta(0.0).upper == -np.inf


def test_infinite_losses_accumulate() -> None:
    pair = FinitePair.of([0.9, 0.1, 0.0], [0.9, 0.0, 0.1])
    np.testing.assert_allclose(np.exp(self_composed(pair, 10).log_infinity), 1 - 0.9**10, rtol=1e-13)
    np.testing.assert_allclose(np.exp(self_composed(pair, 10).log_missing), 1 - 0.9**10, rtol=1e-13)


def test_too_many_atoms_are_refused_with_a_way_out() -> None:
    rng = np.random.default_rng(1)
    masses = rng.dirichlet(np.ones(5000), size=2)
    pair = FinitePair.of(masses[0], masses[1])
    with pytest.raises(
        TooCostly, match=r"exact enumeration must not need more than \d+ atoms; got 25000000 atoms. Use"
    ):
        enumerated({pair: 2})


def test_the_referee_knows_what_it_says() -> None:
    """The referee's maximum over sets is the sum of positive parts."""
    p, q = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5]
    exact = exact_delta(list(map(mpmath.mpf, p)), list(map(mpmath.mpf, q)), 0.1)
    assert abs(referee.delta(p, q, 0.1) - exact) < 1e-40


def test_two_losses_that_all_but_agree_compose():
    """Their sums round to the same double: they are put together."""
    pair = FinitePair.of([0.0, 0.7692307692307693, 0.23076923076923075], [10 / 23, 10 / 23, 3 / 23])
    assert len(pair.losses) == 2
    both = self_composed(pair, 2)
    truth = exact_delta(
        *product_vectors(*[([0.0, 0.7692307692307693, 0.23076923076923075], [10 / 23, 10 / 23, 3 / 23])] * 2), 1.0
    )
    assert holds(both.log_delta(1.0), truth)
