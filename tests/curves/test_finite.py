"""Finite pairs against exact arithmetic over all sets of outcomes."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import FinitePair, identical, log_ratio
from whit.errors import InvalidInput

# The referee works in 50 digits: a smaller epsilon would be 0 to it.
ORDINARY = st.floats(-20.0, 20.0).map(lambda epsilon: epsilon if abs(epsilon) > 1e-20 else 0.0)
EPSILONS = st.one_of(ORDINARY, st.sampled_from([0.0, 1e-12, -1e-12, 710.0, 1e4]))


def holds(bracket: object, truth: mpmath.mpf, index: tuple[int, ...] = ()) -> bool:
    """Whether e^lower <= truth <= e^upper, in 50 digits."""
    lower, upper = (mpmath.exp(mpmath.mpf(float(getattr(bracket, end)[index]))) for end in ("lower", "upper"))
    return bool(lower <= truth <= upper)


@given(finite_pairs(), EPSILONS)
def test_the_profile_holds_the_largest_difference_over_all_sets(vectors: Vectors, epsilon: float) -> None:
    p, q = vectors
    truth = min(referee.delta(list(p), list(q), epsilon), mpmath.mpf(1))
    assert holds(FinitePair.of(p, q).log_delta(epsilon), truth)


@given(finite_pairs(), EPSILONS)
def test_the_profile_is_narrow(vectors: Vectors, epsilon: float) -> None:
    bracket = FinitePair.of(*vectors).log_delta(epsilon).exp()
    assert bracket.upper - bracket.lower <= 1e-12


@given(finite_pairs(), EPSILONS, st.booleans())
def test_the_tail_is_the_sum_of_the_masses_beyond(vectors: Vectors, loss: float, closed: bool) -> None:
    p, q = vectors
    pair = FinitePair.of(p, q)
    bracket = pair.log_tail_closed(loss) if closed else pair.log_tail(loss)
    truth = min(referee.tail(list(p), list(q), loss, closed), mpmath.mpf(1))  # the vectors themselves are rounded
    assert holds(bracket, truth)


@given(finite_pairs(), st.one_of(st.floats(0.0, 1.0), st.floats(-300, -1).map(lambda x: 10.0**x)))
def test_the_power_is_that_of_the_neyman_pearson_test(vectors: Vectors, level: float) -> None:
    p, q = vectors
    truth = referee.power(list(p), list(q), level)
    with np.errstate(divide="ignore"):
        bracket = FinitePair.of(p, q).log_power(np.log(level))
    slack = mpmath.mpf(2) ** -50  # the level itself passes through a logarithm: relative error u |log level|
    slack *= 1 + abs(mpmath.log(level)) if level > 0 else 1
    exact = mpmath.mpf(truth.numerator) / truth.denominator
    assert mpmath.exp(mpmath.mpf(float(bracket.lower))) * (1 - slack) <= exact
    assert exact <= mpmath.exp(mpmath.mpf(float(bracket.upper))) * (1 + slack)


@given(finite_pairs(), EPSILONS)
def test_reversing_twice_changes_nothing(vectors: Vectors, epsilon: float) -> None:
    pair = FinitePair.of(*vectors)
    there, back = pair.log_delta(epsilon), pair.reverse().reverse().log_delta(epsilon)
    assert np.max([there.lower, back.lower]) <= np.min([there.upper, back.upper])


@given(finite_pairs(), EPSILONS)
def test_the_reverse_is_the_pair_with_its_vectors_exchanged(vectors: Vectors, epsilon: float) -> None:
    p, q = vectors
    assert holds(FinitePair.of(p, q).reverse().log_delta(epsilon), referee.delta(list(q), list(p), epsilon))


@given(finite_pairs(), st.floats(1e-12, 0.9))
def test_epsilon_inverts_the_profile_on_the_safe_side(vectors: Vectors, delta: float) -> None:
    pair = FinitePair.of(*vectors)
    epsilon = pair.epsilon(np.log(delta)).upper
    assert pair.log_delta(epsilon).upper <= np.log(delta) or np.isinf(epsilon)
    if np.isinf(epsilon):
        assert pair.log_delta(np.inf).upper > np.log(delta)
    elif epsilon > 0:
        # The log of a delta is rounded, so that a hair less is aimed at.
        assert pair.log_delta(np.nextafter(epsilon, 0.0)).upper > np.log(delta) * (1 + 1e-15)


def test_answers_have_the_shape_of_the_question() -> None:
    pair = FinitePair.of([0.7, 0.3], [0.4, 0.6])
    question = np.zeros((2, 3))
    assert pair.log_delta(question).shape == (2, 3)
    assert pair.log_tail(question).shape == (2, 3)
    assert pair.log_power(question - 1).shape == (2, 3)
    assert pair.epsilon(question - 1).shape == (2, 3)
    assert pair.log_delta(0.5).shape == ()


def test_infinite_questions_have_answers() -> None:
    pair = FinitePair.of([0.5, 0.3, 0.2, 0.0], [0.4, 0.3, 0.0, 0.3])
    np.testing.assert_allclose(np.exp(pair.log_delta([-np.inf, np.inf]).mid), [1.0, 0.2], rtol=1e-14)
    np.testing.assert_allclose(np.exp(pair.log_power([-np.inf, 0.0]).mid), [0.2, 1.0], rtol=1e-14)
    assert pair.epsilon(np.log(0.1)).mid == np.inf


def test_the_loss_of_nearly_equal_probabilities_keeps_its_digits() -> None:
    p, q = np.array([0.5]), np.array([0.5 * (1 - 2.0**-40)])
    truth = mpmath.log(mpmath.mpf(float(p[0])) / mpmath.mpf(float(q[0])))
    assert abs(log_ratio(p, q)[0] / float(truth) - 1) < 1e-15


@pytest.mark.parametrize("ratio", [1e-305, 1e-20, 0.3, 1.0, 3.0, 1e20, 1e305])
def test_the_loss_is_accurate_at_every_ratio(ratio: float) -> None:
    p, q = (np.array([0.5]), np.array([0.5 / ratio])) if ratio > 1 else (np.array([0.5 * ratio]), np.array([0.5]))
    truth = mpmath.log(mpmath.mpf(float(p[0])) / mpmath.mpf(float(q[0])))
    assert abs(float(log_ratio(p, q)[0]) - truth) <= 4 * 2.0**-53 * abs(truth)


def test_equal_distributions_are_told_apart_by_nobody() -> None:
    np.testing.assert_array_equal(np.exp(identical().log_delta([0.0, 1.0]).mid), 0.0)
    np.testing.assert_allclose(np.exp(identical().log_power(np.log([0.05, 0.5])).mid), [0.05, 0.5], rtol=1e-15)


def test_exact_losses_give_a_profile_of_exactly_zero_beyond_them() -> None:
    pair = FinitePair(np.array([-1.0, 1.0]), np.log([1 / (1 + np.e), np.e / (1 + np.e)]))
    assert pair.log_delta(1.0).upper == -np.inf
    assert pair.epsilon(-np.inf).upper == 1.0


def test_a_block_boundary_leaves_no_trace() -> None:
    rng = np.random.default_rng(7)
    masses = rng.exponential(size=2**12)
    pair = FinitePair.of(masses / masses.sum(), np.full(2**12, 2.0**-12))
    epsilons = np.linspace(0, 2, 1025)
    one_by_one = [float(pair.log_delta(eps).mid) for eps in epsilons[::128]]
    np.testing.assert_array_equal(pair.log_delta(epsilons).mid[::128], one_by_one)


def test_vectors_that_are_no_distributions_are_refused() -> None:
    with pytest.raises(
        InvalidInput,
        match=r"p must be a list of probabilities with sum 1; got a list with sum 0.9. Pass the probabilities",
    ):
        FinitePair.of([0.5, 0.4], [0.5, 0.5])
    with pytest.raises(InvalidInput, match=r"q must have as many outcomes as p, which has 2; got 3 outcomes"):
        FinitePair.of([0.5, 0.5], [0.5, 0.25, 0.25])


def test_atoms_that_are_no_distributions_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"losses must be finite and strictly increasing"):
        FinitePair(np.array([1.0, -1.0]), np.log([0.5, 0.5]))
    with pytest.raises(InvalidInput, match=r"losses and log_masses must be two lists of equal length"):
        FinitePair(np.array([1.0, 2.0]), np.zeros(1))
    with pytest.raises(InvalidInput, match=r"the masses under P must add up to 1; got 0.5"):
        FinitePair(np.zeros(1), np.log([0.5]), log_missing=np.log(0.5))
    with pytest.raises(InvalidInput, match=r"the masses under Q must add up to 1"):
        FinitePair(np.array([1.0]), np.zeros(1))


def test_atoms_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="read-only"):
        identical().losses[0] = 1.0


def test_the_repr_is_short() -> None:
    assert repr(identical()) == "<FinitePair: 1 losses, infinite with probability 0>"
