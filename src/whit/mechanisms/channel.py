"""Channels: what is done to an outcome after it is drawn, as a table of probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence

from numpy.typing import ArrayLike

from whit.curves import Array
from whit.errors import require
from whit.numerics import probability_vector, real_array


def channel_matrix(channel: ArrayLike, outcomes: int) -> Array:
    """The channel as a table: row i holds the probabilities of what becomes of outcome i, and adds up to 1."""
    way_out = "Give one row for each outcome, with the probabilities of what becomes of it."
    matrix = real_array("channel", channel, way_out)
    rule = f"must be a table with {outcomes} rows, one for each outcome"
    fits = matrix.ndim == 2 and len(matrix) == outcomes
    require(fits, name="channel", rule=rule, value=f"shape {matrix.shape}", way_out=way_out)
    for place, row in enumerate(matrix):
        probability_vector(f"row {place} of the channel", row, way_out)
    return matrix


def after(vector: Sequence[float], matrix: Array) -> list[float]:
    """The probabilities after the channel, each an accurate sum of products."""
    return [min(math.fsum(p * w for p, w in zip(vector, column, strict=True)), 1.0) for column in matrix.T]
