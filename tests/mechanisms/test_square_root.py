"""The square root of running sums: its numbers by fractions, and what it tells by going through all steps."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, pairwise
from math import comb, nextafter

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.mechanisms import Epochs, Once, Separated, SquareRootMechanism, ToeplitzMechanism, participation_of
from whit.mechanisms.square_root import square_root_column
from whit.setting import Neighbours


def test_each_number_is_the_least_double_that_is_not_below_the_fraction():
    for k, found in enumerate(islice(square_root_column(), 2000)):
        exact = Fraction(comb(2 * k, k), 4**k)
        assert Fraction(nextafter(found, 0.0)) < exact <= Fraction(found)


def test_the_column_times_itself_is_that_of_running_sums():
    column = [Fraction(comb(2 * k, k), 4**k) for k in range(40)]
    for n in range(40):
        assert sum(column[k] * column[n - k] for k in range(n + 1)) == 1


def largest_square(rounds: int, bands: int | None, sets: list[tuple[int, ...]]) -> Fraction:
    """The largest square of the change of C x by somebody who enters one of the sets of steps, by fractions."""
    kept = rounds if bands is None else bands
    column = [Fraction(comb(2 * k, k), 4**k) if k < kept else Fraction(0) for k in range(rounds)]
    changes = [
        [sum((column[row - s] for s in each if s <= row), Fraction(0)) for row in range(rounds)] for each in sets
    ]
    return max(sum((change**2 for change in each), Fraction(0)) for each in changes)


def mu(mechanism: SquareRootMechanism, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> float:
    return mechanism.loss(neighbours).mu


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 4))
def test_nobody_changes_more_than_is_said_and_somebody_changes_as_much(rounds, bands, by, at_most):
    few = min(bands, rounds)
    sizes = range(1, min(at_most, rounds) + 1)
    sets = [each for size in sizes for each in combinations(range(rounds), size)]
    sets = [each for each in sets if all(b - a >= by for a, b in pairwise(each))]
    truth = mpmath.sqrt(mpmath.mpf(0) + largest_square(rounds, few, sets)) / 2
    found = mu(SquareRootMechanism(2.0, rounds, few, Separated(by=by, at_most=at_most)))
    assert truth * (1 - mpmath.mpf(2) ** -50) <= found <= truth * (1 + mpmath.mpf(2) ** -50)


def test_in_epochs_the_first_step_tells_most():
    sets = [tuple(range(start, 12, 4)) for start in range(4)]
    truth = mpmath.sqrt(mpmath.mpf(0) + largest_square(12, None, sets))
    assert mu(SquareRootMechanism(1.0, 12, participation=Epochs(3))) == pytest.approx(float(truth), rel=1e-14)
    assert mu(SquareRootMechanism(1.0, 12, participation=Epochs(3)), Neighbours.REPLACE) == pytest.approx(
        2 * float(truth), rel=1e-14
    )


def test_it_is_the_toeplitz_mechanism_of_its_column():
    column = list(islice(square_root_column(), 64))
    by_name, by_column = (
        SquareRootMechanism(3.0, 64, participation=Epochs(4)),
        ToeplitzMechanism(3.0, column, 64, Epochs(4)),
    )
    assert by_name.loss() == by_column.loss()
    assert by_name.rows == 64


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0.0, 10), "sigma must be"),
        ((1.0, 0), "rounds must be a whole number of at least 1"),
        ((1.0, 10, 11), "bands must be at most the number of steps; got 11"),
        ((1.0, 10, 0), "bands must be a whole number of at least 1"),
        ((1.0, 10, None, "once"), "participation must be a participation"),
    ],
)
def test_what_is_no_such_mechanism_is_refused(arguments, said):
    with pytest.raises(InvalidInput, match=said):
        SquareRootMechanism(*arguments)


@pytest.mark.parametrize("participation", [Once(), Epochs(10), Separated(by=3), Separated(by=100, at_most=5)])
def test_a_participation_is_read_from_its_words(participation):
    assert participation_of(participation.words) == participation
    assert participation_of(f"  {participation.words.upper()} ") == participation


@pytest.mark.parametrize("text", ["", "daily", "0 apart", "ten epochs", "5", "3 apart at most 0 times", "-1 epochs"])
def test_other_words_are_refused(text):
    with pytest.raises(InvalidInput, match="must"):
        participation_of(text)


@pytest.mark.parametrize("rounds", [10**6 + 1, 10**15])
def test_more_rounds_than_can_be_listed_are_refused_before_they_take_memory(rounds):
    for made in (lambda: SquareRootMechanism(1.0, rounds), lambda: ToeplitzMechanism(1.0, [1.0, 0.5], rounds)):
        with pytest.raises(InvalidInput, match="rounds must be at most 1,000,000"):
            made()
