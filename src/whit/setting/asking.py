"""How a question is asked: with which chance of failure, and of rises alone or of falls as well."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, require
from whit.numerics import probability, probability_array

FAILURE_WAY_OUT = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."


def one_failure(failure: object) -> float:
    """The chance with which a statement may be false, 0 and 1 included."""
    return probability("failure", failure, FAILURE_WAY_OUT)


def failures(failure: ArrayLike) -> NDArray[np.float64]:
    """The chances with which statements may be false, 0 and 1 included."""
    return unmasked_probabilities("failure", failure, FAILURE_WAY_OUT)


def one_or_two(sides: object) -> int:
    """The number of sides: 1 for rises of a belief alone, 2 for falls as well."""
    if not isinstance(sides, bool) and isinstance(sides, Integral) and sides in (1, 2):
        return int(sides)
    raise InvalidInput("sides", "must be 1 or 2", sides, "Use 2 to bound falls as well.")


def unmasked_probabilities(name: str, values: ArrayLike, way_out: str) -> NDArray[np.float64]:
    """Probabilities of any shape; one that is masked is not known, and is refused."""
    whole = not np.any(getattr(values, "mask", False))  # np.ma.is_masked would load all of numpy.ma for this
    require(whole, name=name, rule="must have no masked values", value="a masked array", way_out=way_out)
    return probability_array(name, values, way_out)
