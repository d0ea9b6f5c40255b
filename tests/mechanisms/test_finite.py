"""Finite mechanisms against every event tried, and channels applied to them."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest
import referee
from ends import middle
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs, normalised

from whit.errors import InvalidInput, NotImplied
from whit.mechanisms import Finite, Kernel
from whit.mechanisms.finite import after, channel_matrix
from whit.setting import Neighbours
from whit.theory import Finding


@settings(max_examples=60)
@given(finite_pairs(5), st.floats(-3.0, 3.0))
def test_answers_are_those_of_the_referee_in_the_worse_order(vectors: Vectors, t: float) -> None:
    p, q = (each.tolist() for each in vectors)
    mechanism = Finite(p, q)
    delta = max(referee.delta(p, q, t), referee.delta(q, p, t))
    assert float(middle(mechanism.delta(t))) == pytest.approx(float(delta), abs=1e-12)
    power = max(referee.power(p, q, 0.05), referee.power(q, p, 0.05))
    assert float(middle(mechanism.power(0.05))) == pytest.approx(float(power), abs=1e-12)


@settings(max_examples=60)
@given(finite_pairs(4), st.integers(2, 4), st.randoms(use_true_random=False), st.floats(-3.0, 3.0))
def test_a_channel_never_raises_the_profile(vectors: Vectors, columns: int, random, t: float) -> None:
    mechanism = Finite(*vectors)
    weights = np.array([[random.random() ** 4 for _ in range(columns)] for _ in mechanism.p]) + 1e-6
    channel = np.array([normalised(row) for row in weights])
    after = mechanism.then(channel)
    # The new probabilities are doubles: each is off by a unit in the last place, and so is what is read off them.
    assert float(after.delta(t).lower) <= float(mechanism.delta(t).upper) + 1e-15 * math.exp(abs(t))
    assert float(after.power(0.1).lower) <= float(mechanism.power(0.1).upper) + 1e-15 * 10


def test_a_channel_that_renames_changes_nothing() -> None:
    mechanism = Finite([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
    renamed = mechanism.then(np.eye(3)[[2, 0, 1]])
    assert sorted(renamed.p) == sorted(mechanism.p)
    assert float(renamed.delta(0.3)) == pytest.approx(float(mechanism.delta(0.3)), rel=1e-14)


def ends(answer: Finding) -> tuple[float, float]:
    assert answer.lower is not None
    return float(answer.lower), float(answer.upper_bound())


def worst_ends(answers: Iterable[Finding]) -> tuple[float, float]:
    """The larger of the lower ends, and of the upper ends."""
    lower, upper = zip(*(ends(answer) for answer in answers), strict=True)
    return max(lower), max(upper)


@settings(max_examples=30)
@given(finite_pairs(4), finite_pairs(4), st.floats(-2.0, 2.0))
def test_a_kernel_is_as_bad_as_its_worst_edge(first: Vectors, second: Vectors, t: float) -> None:
    size = max(len(first[0]), len(second[0]))
    rows = [np.pad(row, (0, size - len(row))) for row in (*first, *second)]
    kernel = Kernel(rows, [(0, 1), (2, 3)])
    parts = [Finite(rows[0], rows[1]), Finite(rows[2], rows[3])]
    for ask in ("delta", "tail"):
        assert ends(getattr(kernel, ask)(t)) == worst_ends(getattr(part, ask)(t) for part in parts)
    assert ends(kernel.power(0.1)) == worst_ends(part.power(0.1) for part in parts)
    assert kernel.loss().log_infinity >= max(part.loss().log_infinity for part in parts)


def test_one_edge_is_a_pair_in_its_own_right() -> None:
    rows = [[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]]
    assert Kernel(rows, [(0, 1)]).loss().losses.tolist() == Finite(rows[0], rows[1]).loss().losses.tolist()


def test_a_channel_is_applied_to_every_row() -> None:
    kernel = Kernel([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3]], [(0, 1)], neighbours=Neighbours.REPLACE)
    merged = kernel.then([[1, 0], [0, 1], [0, 1]])
    assert merged == Kernel([[0.5, 0.5], [0.4, 0.6]], [(0, 1)], neighbours=Neighbours.REPLACE)


def test_the_pair_stands_for_one_relation_only() -> None:
    with pytest.raises(NotImplied, match=r"not known under the neighbours replace; got .* Use Neighbours\.ADD_REMOVE"):
        Finite([0.5, 0.5], [0.2, 0.8]).delta(1.0, neighbours=Neighbours.REPLACE)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: Finite([0.5, 0.6], [0.5, 0.5]),
            "p must be a list of probabilities with sum 1; got a list with sum 1.1",
        ),
        (lambda: Finite([0.5, 0.5], [1.0]), "q must have as many outcomes as p, which has 2; got 1 outcomes. Give"),
        (lambda: Finite([0.5, 0.5], [0.5, 0.5], neighbours="replace"), "neighbours must be one of Neighbours; got rep"),
        (lambda: Finite([1.0], [1.0]).then([[0.5, 0.4]]), "row 0 of the channel must be a list .* sum 0.9.* Give one"),
        (
            lambda: Finite([1.0], [1.0]).then([[1.0], [1.0]]),
            r"channel must be a table with 1 rows.*; got shape \(2, 1\)",
        ),
        (lambda: Kernel([[1.0], [1.0]], []), r"edges must have at least one pair of rows; got \[\]. List the pairs"),
        (
            lambda: Kernel([[1.0], [1.0]], [(0, 2)]),
            r"edges must be pairs of different rows from 0 to 1; got \(0, 2\). Li",
        ),
        (
            lambda: Kernel([[1.0], [1.0]], [(1, 1)]),
            r"edges must be pairs of different rows from 0 to 1; got \(1, 1\). Li",
        ),
        (
            lambda: Kernel([[1.0], [0.5]], [(0, 1)]),
            "row 1 of the matrix must be a list of probabilities with sum 1; got",
        ),
        (
            lambda: Finite([1.0], [1.0]).sample(np.random.default_rng(0), dataset=2),
            "dataset must be a whole number from",
        ),
    ],
)
def test_what_is_no_finite_mechanism_is_refused(build, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        build()


# Channels as tables


def test_probabilities_are_sums_over_what_becomes_of_each_outcome() -> None:
    matrix = channel_matrix([[0.25, 0.75], [1.0, 0.0]], 2)
    assert after((0.5, 0.5), matrix) == [0.625, 0.375]


def test_many_small_terms_keep_their_digits() -> None:
    size = 10_000
    matrix = channel_matrix(np.ones((size, 1)), size)
    assert after((1 / size,) * size, matrix) == [math.fsum([1 / size] * size)]


@pytest.mark.parametrize(
    ("channel", "message"),
    [
        ([0.5, 0.5], r"channel must be a table with 2 rows, one for each outcome; got shape \(2,\). Give one row"),
        ([[1.0], [0.5]], "row 1 of the channel must be a list of probabilities with sum 1; got .* Give one row"),
        ([[1.0], [2.0]], "row 1 of the channel must be .*; got 2.0 at position 0. Give one row"),
        ("cut", "channel must be a number or an array of numbers; got cut. Give one row"),
    ],
)
def test_what_is_no_channel_is_refused(channel: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        channel_matrix(channel, 2)
