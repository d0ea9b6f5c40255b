"""Numbers of one question that are paired with each other: their shapes must go together."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from whit.curves import Array
from whit.errors import Incompatible

_RULE = "must have shapes that go together"


def paired(way_out: str, **arrays: Array) -> tuple[Array, ...]:
    """The arrays, each with the shape of all of them together; refused with two shapes that cannot be paired.

    >>> import numpy as np
    >>> paired("Use one level, or one for each prior.", level=np.zeros(2), prior=np.zeros(3))
    Traceback (most recent call last):
    whit.errors.Incompatible: level and prior must have shapes that go together; got shapes (2,) and (3,). Use one
    level, or one for each prior.
    """
    for (one, first), (other, second) in combinations(arrays.items(), 2):
        try:
            np.broadcast_shapes(first.shape, second.shape)
        except ValueError as apart:
            found = f"shapes {first.shape} and {second.shape}"
            raise Incompatible(f"{one} and {other}", _RULE, found, way_out) from apart
    return np.broadcast_arrays(*arrays.values())
