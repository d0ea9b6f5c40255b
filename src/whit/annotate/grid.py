"""Numbers rounded to the safe side on a grid of decimals: so many significant digits, never on the other side.

Nothing is computed from a number: it is compared with the doubles of the grid. So a number of the grid stays as it is,
and no rounding of a machine enters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import require

Array = NDArray[np.float64]

MOST_DIGITS = 6
"""The most digits of a grid: with more of them nearly every number is one of its own."""

# Below and above these powers of ten a grid would leave the ordinary doubles.
_FIRST, _LAST = -307, 308
_POWERS = np.array([float(f"1e{power}") for power in range(_FIRST, _LAST + 1)])
_TENS = 10 ** np.arange(19, dtype=np.int64)


def require_digits(digits: object) -> None:
    """Refuse digits that are not a whole number from 0, which is no grid, to the most there are."""
    whole = isinstance(digits, int) and not isinstance(digits, bool) and 0 <= digits <= MOST_DIGITS
    rule, way_out = f"must be a whole number from 0 to {MOST_DIGITS}", "Use 3; 0 rounds nothing."
    require(whole, name="digits", rule=rule, value=digits, way_out=way_out)


def rounded_up(values: ArrayLike, digits: int) -> Array:
    """The smallest number of so many significant digits that is not below each value; what is not above 0 stays.

    >>> rounded_up([0.12345, 0.123, 0.0, 9.999], 3).tolist()
    [0.124, 0.123, 0.0, 10.0]
    """
    return _on_grid(values, digits, lambda grid, some: grid[np.searchsorted(grid, some, side="left")])


def rounded_down(values: ArrayLike, digits: int) -> Array:
    """The largest number of so many significant digits that is not above each value; what is not above 0 stays.

    >>> rounded_down([0.12345, 0.123, 0.0, 9.999], 3).tolist()
    [0.123, 0.123, 0.0, 9.99]
    """
    return _on_grid(values, digits, lambda grid, some: grid[np.searchsorted(grid, some, side="right") - 1])


def whole_rounded_up(values: ArrayLike, digits: int) -> NDArray[np.int64]:
    """The same for whole numbers; one for which the grid ends stays as it is.

    >>> whole_rounded_up([12345, 123, 0], 3).tolist()
    [12400, 123, 0]
    """
    array = np.asarray(values, dtype=np.int64)
    length = np.searchsorted(_TENS, array, side="right")
    unit = _TENS[np.maximum(length - digits, 0)]
    missing = -array % unit
    room = array <= np.iinfo(np.int64).max - unit
    return np.where(room & (array > 0), array + np.where(room, missing, 0), array)


def _on_grid(values: ArrayLike, digits: int, choose: Callable[[Array, Array], Array]) -> Array:
    """Each value by the grid of its decade; what has none stays, and is refused or exact further on."""
    array = np.asarray(values, dtype=np.float64)
    found = array.copy()
    ordinary = (array >= _POWERS[0]) & (array < _POWERS[-1])
    decades = np.where(ordinary, np.searchsorted(_POWERS, array, side="right"), 0)
    for decade in np.flatnonzero(np.bincount(decades.ravel())):
        if decade:
            some = decades == decade
            found[some] = choose(_decade(int(decade) - 1 + _FIRST, digits), array[some])
    return found


@lru_cache(maxsize=64)
def _decade(power: int, digits: int) -> Array:
    """Every number of so many digits from one power of ten to the next, each as the double nearest to it."""
    first = 10 ** (digits - 1)
    grid = np.array([float(f"{digit}e{power - digits + 1}") for digit in range(first, 10 * first + 1)])
    grid.setflags(write=False)
    return grid
