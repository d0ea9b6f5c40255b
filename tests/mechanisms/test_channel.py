"""Channels as tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.mechanisms.finite import after, channel_matrix


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
