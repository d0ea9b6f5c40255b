from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput, UnknownKey
from whit.theory import THEOREMS, Basis, Failure, Randomness, theorem

failures = st.builds(Failure, st.floats(0.0, 0.3), st.sampled_from(Randomness))
bases = st.builds(
    Basis,
    st.lists(st.sampled_from(sorted(THEOREMS)), max_size=4).map(tuple),
    st.lists(failures, max_size=3).map(tuple),
    st.floats(0.0, 1e-3),
    st.floats(0.0, 1e-3),
)


def failure_over(basis: Basis, over: Randomness) -> float:
    return sum(failure.probability for failure in basis.failures if failure.over is over)


def close(first: float, second: float) -> bool:
    """Equal but for the rounding up of a few sums."""
    return abs(first - second) <= 1e-14 * max(first, second)


@given(bases)
def test_the_empty_basis_changes_nothing(basis):
    assert basis | Basis() == basis
    assert Basis() | basis == basis


@given(bases, bases, bases)
def test_union_is_associative_but_for_rounding(a, b, c):
    left, right = (a | b) | c, a | (b | c)
    assert left.theorems == right.theorems
    assert close(left.slack, right.slack)
    assert close(left.truncation, right.truncation)
    for over in Randomness:
        assert close(failure_over(left, over), failure_over(right, over))


@given(bases, bases)
def test_union_is_commutative_but_for_the_order_of_theorems(a, b):
    left, right = a | b, b | a
    assert set(left.theorems) == set(right.theorems)
    assert (left.failures, left.slack, left.truncation) == (right.failures, right.slack, right.truncation)


@given(bases, bases)
def test_union_keeps_the_order_of_first_mention(a, b):
    added = [key for key in b.theorems if key not in a.theorems]
    assert (a | b).theorems == (*a.theorems, *added)


@given(bases)
def test_what_is_the_same_theorem_twice_is_there_once(basis):
    assert (basis | basis).theorems == basis.theorems


@given(bases, bases)
def test_sums_are_never_below_the_exact_sum_and_at_most_one_double_above(a, b):
    both = a | b
    sums = [(both.slack, a.slack, b.slack), (both.truncation, a.truncation, b.truncation)]
    sums += [(failure_over(both, over), failure_over(a, over), failure_over(b, over)) for over in Randomness]
    for total, first, second in sums:
        exact = min(Fraction(1), Fraction(first) + Fraction(second))
        assert exact <= Fraction(total) <= exact * (1 + Fraction(1, 2**52))


@given(bases, bases)
def test_the_two_kinds_of_randomness_are_never_added(a, b):
    overs = [failure.over for failure in (a | b).failures]
    assert overs == [over for over in Randomness if failure_over(a, over) + failure_over(b, over) > 0.0]


def test_a_failure_is_at_most_certain():
    often = Basis(failures=(Failure(0.7, Randomness.SIMULATION),))
    assert (often | often).failures == (Failure(1.0, Randomness.SIMULATION),)


def test_a_failure_that_cannot_happen_is_left_out():
    assert Basis(failures=(Failure(0.0, Randomness.MECHANISM),)) == Basis()


def test_assumptions_follow_from_the_theorems_each_once():
    basis = Basis.of("gaussian-profile", "losses-add", "hockey-stick")
    expected = [*theorem("gaussian-profile").assumptions, "independent-noise", "worst-case-pair"]
    assert list(basis.assumptions) == expected


def test_an_unknown_theorem_is_refused_with_the_nearest_ones():
    with pytest.raises(UnknownKey, match="No theorem has the key hokey-stick. .*hockey-stick"):
        Basis.of("hokey-stick")


@pytest.mark.parametrize("name", ["slack", "truncation"])
@pytest.mark.parametrize("value", [-1e-9, float("nan"), float("inf"), "a lot"])
def test_slack_and_truncation_must_be_finite_and_not_negative(name, value):
    with pytest.raises(InvalidInput, match=f"{name} must be a finite number of at least 0; got .*nothing was rounded"):
        Basis(**{name: value})


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_a_failure_needs_a_probability(probability):
    with pytest.raises(InvalidInput, match="the probability of failure must be a probability"):
        Failure(probability, Randomness.MECHANISM)


def test_a_failure_needs_its_randomness():
    with pytest.raises(InvalidInput, match="the randomness of a failure must be a Randomness; got mechanism"):
        Failure(0.1, "mechanism")


def test_a_basis_is_joined_with_a_basis_only():
    with pytest.raises(TypeError, match="unsupported operand"):
        Basis() | "hockey-stick"


def test_one_theorem_in_place_of_another_stands_once():
    basis = Basis.of("gaussian-profile", "losses-add", "dominating-pairs-compose")
    found = basis.with_instead("losses-add", "dominating-pairs-compose")
    assert found.theorems == ("gaussian-profile", "dominating-pairs-compose")
    assert Basis.of("hockey-stick").with_instead("losses-add", "gaussian-profile") == Basis.of("hockey-stick")


@pytest.mark.parametrize(
    ("key", "drawn"),
    [
        ("poisson-subsampling", "drawn-by-itself"),
        ("sampled-records-of-one-person", "drawn-by-itself"),
        ("truncated-poisson-sample", "drawn-by-itself"),
        ("sampled-small-replacement", "drawn-by-itself"),
        ("sampling-without-replacement", "drawn-alike"),
        ("amplification-by-sampling", "drawn-as-stated"),
    ],
)
def test_what_counts_on_a_sample_says_how_it_is_drawn(key, drawn):
    assert drawn in Basis.of(key).assumptions
