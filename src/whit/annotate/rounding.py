"""A column of parameters, rounded to the safe side: up where a larger number tells more, down where it tells less."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.annotate.grid import rounded_down, rounded_up, whole_rounded_up
from whit.display import pyarrow
from whit.numerics import doubles_around
from whit.spec import plain

Doubles: TypeAlias = NDArray[np.float64]

EXACT = 2.0**53
"""Every whole number up to here is a double."""

UP = ("epsilon", "delta", "rho", "mu", "sampling_rate")
"""Parameters that tell more as they grow."""

DOWN = ("gaussian", "laplace")
"""Scales of noise that tell less as they grow; that of a discrete Gaussian need not."""


@dataclass(frozen=True)
class Rounding:
    """How one column is rounded.

    Attributes:
        digits: the significant digits that are left.
        down: whether the safe side is below.
        by_kind: whether the side depends on a column of kinds; what is of another kind stays as it is.
        whole: whether the numbers are whole ones of 64 bits, and stay so: grains of a total.
    """

    digits: int
    down: bool = False
    by_kind: bool = False
    whole: bool = False

    @classmethod
    def of(cls, word: str, digits: int) -> Rounding | None:
        """The rounding of a word; nothing for one that is not rounded."""
        return cls(digits, down=word in DOWN) if word in (*UP, *DOWN) else None

    def column(self, numbers: Any, kinds: Any = None) -> Any:
        """An Arrow array of numbers with each of them rounded; empty cells stay empty."""
        arrow = pyarrow()
        if self.whole:
            whole = numbers.fill_null(0).to_numpy(zero_copy_only=False)
            return arrow.array(whole_rounded_up(whole, self.digits), mask=_empty(numbers))
        return arrow.array(self._rounded(*_doubles(numbers), kinds), mask=_empty(numbers))

    def step(self, number: float) -> float:
        """The number of the grid next to one of it, on the other side: no parameter was further away."""
        if isinstance(number, int):
            unit: int = 10 ** max(0, len(str(number)) - self.digits)
            return max(0, number - unit)
        towards = np.inf if self.down else 0.0
        beyond = np.nextafter(number, towards)
        return float((rounded_up if self.down else rounded_down)([beyond], self.digits)[0])

    def _rounded(self, below: Doubles, above: Doubles, kinds: Any) -> Doubles:
        if not self.by_kind:
            return rounded_down(below, self.digits) if self.down else rounded_up(above, self.digits)
        codes = kinds.dictionary_encode()
        words = [plain(str(each)) for each in codes.dictionary.to_pylist()]
        places = codes.indices.fill_null(len(words)).to_numpy(zero_copy_only=False)
        up, down = (np.array([word in side for word in words] + [False])[places] for side in (UP, DOWN))
        found = above.copy()
        found[up] = rounded_up(above[up], self.digits)
        found[down] = rounded_down(below[down], self.digits)
        return found


def _doubles(numbers: Any) -> tuple[Doubles, Doubles]:
    """The doubles below and above each number: two where it is a whole one that no double is."""
    nearest = numbers.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    if not pyarrow().types.is_integer(numbers.type):
        return nearest, nearest
    below, above = nearest.copy(), nearest.copy()
    for at in np.flatnonzero(np.abs(nearest) >= EXACT):
        below[at], above[at] = doubles_around(Fraction(numbers[int(at)].as_py()))
    return below, above


def _empty(numbers: Any) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = numbers.is_null().to_numpy(zero_copy_only=False)
    return found
