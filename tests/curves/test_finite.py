"""Finite pairs against exact arithmetic over all sets of outcomes."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import FinitePair, enumerated, identical, log_ratio, self_composed
from whit.errors import InvalidInput, TooCostly
from whit.numerics import ULP, Bracket, doubles_around

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


# Enumerated compositions against brute force and against 25-digit references


def product_vectors(*pairs: Vectors) -> tuple[list[mpmath.mpf], list[mpmath.mpf]]:
    """All products of probabilities, in 50 digits."""
    ps = [mpmath.fprod(mpmath.mpf(float(x)) for x in choice) for choice in itertools.product(*(p for p, _ in pairs))]
    qs = [mpmath.fprod(mpmath.mpf(float(x)) for x in choice) for choice in itertools.product(*(q for _, q in pairs))]
    return ps, qs


def exact_delta(ps: list[mpmath.mpf], qs: list[mpmath.mpf], epsilon: float) -> mpmath.mpf:
    factor = mpmath.exp(mpmath.mpf(epsilon))
    # Vectors of doubles add up to 1 only within rounding, and delta is a probability.
    return min(mpmath.fsum(max(p - factor * q, mpmath.mpf(0)) for p, q in zip(ps, qs, strict=True)), mpmath.mpf(1))


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
    assert (
        abs(referee.delta(p, q, 0.1) - exact_delta([mpmath.mpf(x) for x in p], [mpmath.mpf(x) for x in q], 0.1)) < 1e-40
    )


def test_two_losses_that_all_but_agree_compose():
    """Their sums round to the same double: they are put together."""
    pair = FinitePair.of([0.0, 0.7692307692307693, 0.23076923076923075], [10 / 23, 10 / 23, 3 / 23])
    assert len(pair.losses) == 2
    both = self_composed(pair, 2)
    truth = exact_delta(
        *product_vectors(*[([0.0, 0.7692307692307693, 0.23076923076923075], [10 / 23, 10 / 23, 3 / 23])] * 2), 1.0
    )
    assert holds(both.log_delta(1.0), truth)


def test_an_error_of_the_losses_below_the_rounding_of_the_question_still_counts() -> None:
    """The largest loss may be a hair above 40, by less than half of what lies between doubles there."""
    logs = np.array([-40.0, 0.0]) - np.log1p(np.exp(-40.0))
    pair = FinitePair(np.array([-40.0, 40.0]), logs, mass_error=1e-12, loss_error=3e-15)
    assert pair.log_tail(40.0).upper > -1e-9
    assert pair.log_tail_closed(40.0).lower == -np.inf


@given(st.floats(300.0, 700.0), st.floats(0.01, 0.99))
def test_the_masses_of_the_reversed_pair_are_known_as_closely_as_it_says(loss: float, share: float) -> None:
    """The mass under Q of the largest loss is p e^-loss: the log of it is rounded by as much as it is large."""
    logs = np.log([1 - share, share])
    pair = FinitePair(np.array([-np.log1p(share / (1 - share)), loss]), logs, mass_error=8 * ULP)
    turned = pair.reverse()
    with mpmath.workdps(50):
        truth = mpmath.mpf(float(logs[1])) - mpmath.mpf(loss)
        assert abs(mpmath.mpf(float(turned.log_masses[0])) - truth) <= turned.mass_error - pair.mass_error


@pytest.mark.parametrize("error", [8e-16, 5e-15, 1.2e-14])
def test_an_atom_that_may_lie_on_either_side_is_in_the_upper_tail_and_not_in_the_lower_one(error):
    """Near 16 doubles lie up to 4e-15 apart: an error of the loss that a sum would lose still counts."""
    rest = np.log1p(np.exp(-16.0))
    pair = FinitePair(np.array([-16.0, 16.0]), np.array([-16.0 - rest, -rest]), loss_error=error)
    # The largest double below the largest loss that it may be, and the smallest above the smallest.
    just_below, just_above = doubles_around(16 + Fraction(error))[0], doubles_around(16 - Fraction(error))[1]
    for t in (16.0, just_below):
        assert pair.log_tail(t).upper > -1e-6
    for t in (16.0, just_above):
        assert pair.log_tail_closed(t).lower == -np.inf


@pytest.mark.parametrize("finite", [1e-18, 1e-17, 3e-17])
def test_a_finite_part_that_is_nothing_beside_the_infinite_mass_does_not_round_the_lower_bound_up(finite):
    log_infinity = math.log(0.01)
    log_top = math.log(finite)
    losses = np.array([0.0, 1.0])
    rest = math.log(0.99 - finite)
    missing = math.log(1 - (0.99 - finite) - finite * math.exp(-1.0))
    found = FinitePair(losses, np.array([rest, log_top]), log_infinity, missing).log_delta(0.5)
    with mpmath.workdps(60):
        part = mpmath.exp(mpmath.mpf(log_top)) * -mpmath.expm1(mpmath.mpf(-0.5))
        truth = mpmath.log(mpmath.exp(mpmath.mpf(log_infinity)) + part)
    assert found.lower <= truth <= found.upper


def test_the_errors_of_a_pair_cover_the_rounding_of_its_losses():
    vectors = [0.125, 0.5, 0.3125, 0.0625], [0.625, 0.1875, 0.125, 0.0625]
    pair = FinitePair.of(*vectors)
    with mpmath.workdps(50):
        truths = sorted(mpmath.log(mpmath.mpf(p) / q) for p, q in zip(*vectors, strict=True))
        errors = [abs(loss - truth) for loss, truth in zip(pair.losses, truths, strict=True)]
    assert 0 < max(errors) <= pair.loss_error


@pytest.mark.parametrize("rare", [1e-5, 1e-17, 1e-30])
def test_the_power_at_a_tiny_level_is_held_to_its_rounding(rare):
    """The best test rejects in a part of the outcome with the largest loss: its power is the level times e to that."""
    pair = FinitePair.of([0.25, 0.75], [rare, 1.0 - rare])
    for level in -np.linspace(80.0, 700.0, 200):
        found = pair.log_power(level)
        with mpmath.workdps(50):
            truth = mpmath.mpf(float(level)) + mpmath.log(mpmath.mpf(0.25) / mpmath.mpf(rare))
            assert mpmath.mpf(float(found.lower)) <= truth <= mpmath.mpf(float(found.upper))
            assert truth - mpmath.mpf(float(found.lower)) < 1e-11


@pytest.mark.parametrize("rare", [1e-30, 1e-200, 3e-300])
def test_the_error_of_the_masses_covers_the_rounding_of_the_rarest(rare):
    """The log of a small mass is a large number, and is rounded by more."""
    for share in np.linspace(1.0, 2.0, 30):
        pair = FinitePair.of([rare * share, 1.0], [0.5, 0.5])
        with mpmath.workdps(50):
            assert abs(mpmath.mpf(float(pair.log_masses[0])) - mpmath.log(mpmath.mpf(rare * share))) <= pair.mass_error
