"""Validators: each returns the clean value, or raises InvalidInput with name, rule, value and way out.

The caller supplies the name of the parameter and the way out; the rule is written here, once.

>>> probability("delta", 0.25, "Use a small number such as 1e-6.")
0.25
>>> probability("delta", 1.5, "Use a small number such as 1e-6.")
Traceback (most recent call last):
whit.errors.InvalidInput: delta must be a probability in [0, 1]; got 1.5. Use a small number such as 1e-6.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import combinations
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import Incompatible, InvalidInput, require

VECTOR_TOLERANCE = 1e-9
"""How far from 1 a vector of probabilities may sum."""

_DOUBLES = int(sys.float_info.max)
_WHOLE = "must be a whole number of at least 1"

MOST = 10**15
"""The largest number of releases or of people."""


def number(name: str, value: object, way_out: str) -> float:
    """A real number, infinite or not; never nan, a bool, a text or an array."""
    return _real(name, "must be a number", value, way_out, lambda x: not math.isnan(x))


def finite(name: str, value: object, way_out: str) -> float:
    """A finite number."""
    return _real(name, "must be a finite number", value, way_out, math.isfinite)


def nonnegative(name: str, value: object, way_out: str) -> float:
    """A number of at least 0; infinity is allowed."""
    return _real(name, "must be a number of at least 0", value, way_out, lambda x: x >= 0.0)


def positive(name: str, value: object, way_out: str) -> float:
    """A number above 0; infinity is allowed."""
    return _real(name, "must be a number above 0", value, way_out, lambda x: x > 0.0)


def finite_nonnegative(name: str, value: object, way_out: str) -> float:
    """A finite number of at least 0."""
    return _real(name, "must be a finite number of at least 0", value, way_out, lambda x: 0.0 <= x < math.inf)


def finite_positive(name: str, value: object, way_out: str) -> float:
    """A finite number above 0."""
    return _real(name, "must be a finite number above 0", value, way_out, lambda x: 0.0 < x < math.inf)


def probability(name: str, value: object, way_out: str) -> float:
    """A probability, 0 and 1 included."""
    return _real(name, "must be a probability in [0, 1]", value, way_out, lambda x: 0.0 <= x <= 1.0)


def open_probability(name: str, value: object, way_out: str) -> float:
    """A probability strictly between 0 and 1."""
    rule = "must be a probability strictly between 0 and 1"
    return _real(name, rule, value, way_out, lambda x: 0.0 < x < 1.0)


def count(name: str, value: object, way_out: str) -> int:
    """A whole number of at least 1, given as an integer (3, not 3.0)."""
    whole = _whole(name, value, way_out)
    require(whole <= _DOUBLES, name=name, rule=f"{_WHOLE} that fits a double", value=whole, way_out=way_out)
    return whole


def _whole(name: str, value: object, way_out: str) -> int:
    """A whole number of at least 1, of any length."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InvalidInput(name, _WHOLE, value, way_out)
    return int(value)


def few(name: str, number: object, way_out: str) -> int:
    """A whole number of at least 1, and not beyond all that is ever counted."""
    k = _whole(name, number, way_out)
    require(k <= MOST, name=name, rule=f"must be a whole number of at most {MOST:.0e}", value=_size(k), way_out=way_out)
    return k


def _size(number: int) -> str:
    """A number, or how long it is: the longest are not written out."""
    return str(number) if number < 10**30 else f"a number of more than {number.bit_length() * 3 // 10} digits"


def real_array(name: str, values: object, way_out: str) -> NDArray[np.float64]:
    """A number or numbers of any shape as a float64 array without nan."""
    rule = "must be a number or an array of numbers"
    try:
        array = np.asarray(values)
    except ValueError as ragged:  # rows of different lengths
        raise InvalidInput(name, rule, values, way_out) from ragged
    require(array.dtype.kind in "iuf", name=name, rule=rule, value=values, way_out=way_out)
    clean = np.asarray(array, dtype=np.float64)
    _require_everywhere(name, rule, clean, ~np.isnan(clean), way_out)
    return clean


def probability_array(name: str, values: object, way_out: str) -> NDArray[np.float64]:
    """A probability or probabilities of any shape as a float64 array."""
    clean = real_array(name, values, way_out)
    rule = "must be a probability in [0, 1] or an array of them"
    _require_everywhere(name, rule, clean, (clean >= 0.0) & (clean <= 1.0), way_out)
    return clean


def unmasked_probabilities(name: str, values: ArrayLike, way_out: str) -> NDArray[np.float64]:
    """Probabilities of any shape; one that is masked is not known, and is refused."""
    whole = not np.any(getattr(values, "mask", False))  # np.ma.is_masked would load all of numpy.ma for this
    require(whole, name=name, rule="must have no masked values", value="a masked array", way_out=way_out)
    return probability_array(name, values, way_out)


def probability_vector(name: str, values: object, way_out: str) -> NDArray[np.float64]:
    """A list of probabilities that sum to 1; it is never rescaled."""
    clean = probability_array(name, values, way_out)
    rule = "must be a list of probabilities with sum 1"
    require(clean.ndim == 1 and clean.size > 0, name=name, rule=rule, value=values, way_out=way_out)
    total = math.fsum(clean)
    shown_total = f"a list with sum {total!r}"
    require(abs(total - 1.0) <= VECTOR_TOLERANCE, name=name, rule=rule, value=shown_total, way_out=way_out)
    return clean


def paired(way_out: str, **arrays: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """The arrays, each with the shape of all of them together; refused with two shapes that cannot be paired.

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
            raise Incompatible(f"{one} and {other}", "must have shapes that go together", found, way_out) from apart
    return tuple(map(np.asarray, np.broadcast_arrays(*arrays.values())))


def _real(name: str, rule: str, value: object, way_out: str, legal: Callable[[float], bool]) -> float:
    """The value as a float, if it is one real number and a legal one; nan is never legal."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidInput(name, rule, repr(value) if isinstance(value, str) else value, way_out)
    try:
        clean = float(value)
    except OverflowError as too_large:  # an int beyond the doubles
        raise InvalidInput(name, f"{rule} that fits a double", value, way_out) from too_large
    require(legal(clean), name=name, rule=rule, value=value, way_out=way_out)
    return clean


def _require_everywhere(
    name: str, rule: str, values: NDArray[np.float64], holds: NDArray[np.bool_], way_out: str
) -> None:
    """Raise InvalidInput about the first value for which the rule does not hold."""
    if holds.all():
        return
    position = tuple(int(i) for i in np.argwhere(~holds)[0])
    place = f" at position {', '.join(map(str, position))}" if position else ""
    raise InvalidInput(name, rule, f"{float(values[position])!r}{place}", way_out)
