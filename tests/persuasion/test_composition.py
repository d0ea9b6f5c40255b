"""Releases add up for closed classes; the receiver's processing is harmless and the sender's need not be."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.persuasion import (
    AnyBelief,
    FiniteBelief,
    NeighbouringBeliefs,
    Table,
    TheseBeliefs,
    by_sender,
    composed_kappa,
    conjugacy,
    jointly,
    processed_delta,
    smallest_delta,
    smallest_kappa,
    with_receiver,
)

RANDOM = np.random.default_rng(4)

# At kappa 0.7 the delta of this mechanism is 1/20, and 3/20 once the channel has merged its first two outcomes.
COUNTEREXAMPLE = (
    Table([[Fraction(1, 20), Fraction(2, 20), Fraction(17, 20)], [0, Fraction(1, 20), Fraction(19, 20)]], [(0, 1)]),
    ((1, 0), (1, 0), (0, 1)),
)


def random_table(outcomes: int = 3) -> Table:
    counts = RANDOM.integers(0, 5, size=(2, outcomes)) + np.eye(2, outcomes, dtype=int)
    return Table([[Fraction(int(each), int(row.sum())) for each in row] for row in counts], [(0, 1)])


def test_two_together_keep_the_sum_of_what_each_keeps():
    for _ in range(60):
        first, seconds = random_table(), [random_table() for _ in range(3)]
        bound = composed_kappa(first, seconds, deltas=(0.2, 0.3))
        truth = smallest_kappa(jointly(first, seconds), 0.5)
        assert float(truth.value.lower) <= float(bound.upper)


def test_the_sum_is_attained_by_two_equal_coins():
    coin = Table([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]], [(0, 1)])
    assert float(composed_kappa(coin, coin)) == pytest.approx(math.log(9), rel=1e-14)
    assert float(smallest_kappa(jointly(coin, coin)).value) == pytest.approx(math.log(9), rel=1e-14)


def test_two_neighbours_are_closed_up_to_certainty():
    first, _ = COUNTEREXAMPLE
    found = conjugacy(first, NeighbouringBeliefs())
    assert found.closed
    assert found.exception == "outcome 0 makes a prior on 0 and 1 certain of 0"
    assert conjugacy(first, AnyBelief()).exception == ""


def test_a_list_that_is_not_closed_is_refused():
    coin = Table([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]], [(0, 1)])
    even = FiniteBelief([Fraction(1, 2), Fraction(1, 2)])
    with pytest.raises(NotImplied, match="the class of priors must hold every posterior.*outcome 0"):
        composed_kappa(coin, coin, priors=TheseBeliefs(even))
    certain = TheseBeliefs(FiniteBelief([1, 0]), FiniteBelief([0, 1]))
    assert float(composed_kappa(coin, coin, priors=certain)) == 0.0


def test_what_the_receiver_adds_changes_nothing():
    for _ in range(40):
        table, channel = random_table(), RANDOM.dirichlet(np.ones(2), size=3).tolist()
        together = with_receiver(table, channel)
        for kappa in (0.0, 0.4, 1.0):
            assert smallest_delta(together, kappa).value.upper == smallest_delta(table, kappa).value.upper


def test_what_the_sender_merges_can_break_a_promise():
    table, channel = COUNTEREXAMPLE
    kept, broken = processed_delta(table, channel, 0.7)
    assert float(kept) == pytest.approx(0.05, rel=1e-15)
    assert float(broken) == pytest.approx(0.15, rel=1e-15)
    assert "sender-post-processing" in broken.basis.theorems


def test_without_delta_the_sender_cannot_break_it():
    for _ in range(40):
        table, channel = random_table(), RANDOM.dirichlet(np.ones(2), size=3).tolist()
        merged = smallest_kappa(by_sender(table, channel)).value
        assert float(merged.lower) <= float(smallest_kappa(table).value.upper) + 1e-12


@pytest.mark.parametrize("channel", [[[1, 0]], 3, [[0.5, 0.4]] * 3])
def test_a_wrong_channel_is_refused(channel):
    with pytest.raises(InvalidInput, match="channel must be a table|row 0 of the table"):
        by_sender(COUNTEREXAMPLE[0], channel)


def test_two_deltas_are_asked_for():
    with pytest.raises(InvalidInput, match="deltas must be two numbers"):
        composed_kappa(random_table(), random_table(), deltas=(0.1,))


def test_a_second_mechanism_must_fit_the_first():
    with pytest.raises(InvalidInput, match="mechanism must have finitely many outcomes"):
        jointly(random_table(), 3)
    with pytest.raises(InvalidInput, match="second must be one mechanism, or 3 of them"):
        jointly(random_table(), [random_table(), random_table()])
