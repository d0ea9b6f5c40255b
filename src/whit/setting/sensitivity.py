"""The most that the exact answer can differ between neighbours."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from whit.errors import InvalidInput, require
from whit.numerics import finite_nonnegative
from whit.setting.neighbours import Neighbours

_WAY_OUT = "Give the largest change as a number, or as a tuple with the change of each cell that can change."


@dataclass(frozen=True, init=False, repr=False)
class Sensitivity:
    """The largest change of the exact answer when one record is added or removed, and when one is replaced.

    Each is one number, or a tuple of changes, one for every released cell that one record can change: replacing a
    record of a histogram takes one from a cell and gives one to another, (1, 1). Both are kept as tuples without
    zeros. Changes are distances, so none is negative.

    >>> histogram = Sensitivity(add_remove=1, replace=(1, 1))
    >>> histogram.l1(Neighbours.REPLACE)
    2.0
    >>> Sensitivity(add_remove=1, replace=3)
    Traceback (most recent call last):
    whit.errors.InvalidInput: replace must total at most twice add_remove, as it removes one record and adds another;
    got 3.0 against 1.0. Raise add_remove, or lower replace.
    """

    add_remove: tuple[float, ...]
    replace: tuple[float, ...]

    def __init__(self, *, add_remove: float | Sequence[float], replace: float | Sequence[float]) -> None:
        object.__setattr__(self, "add_remove", _cells("add_remove", add_remove))
        object.__setattr__(self, "replace", _cells("replace", replace))
        require(
            _total(self.replace) <= 2 * _total(self.add_remove),
            name="replace",
            rule="must total at most twice add_remove, as it removes one record and adds another",
            value=f"{math.fsum(self.replace)!r} against {math.fsum(self.add_remove)!r}",
            way_out="Raise add_remove, or lower replace.",
        )

    @classmethod
    def count(cls) -> Sensitivity:
        """The sensitivity of one count of records: 1 either way."""
        return cls(add_remove=1.0, replace=1.0)

    @classmethod
    def histogram(cls) -> Sensitivity:
        """The sensitivity of counts in cells of which each record is in one: a replacement changes two cells by 1."""
        return cls(add_remove=1.0, replace=(1.0, 1.0))

    def changes(self, neighbours: Neighbours) -> tuple[float, ...]:
        """The change of each cell that can change between neighbours; local neighbours replace a record."""
        return self.add_remove if Neighbours.checked(neighbours) is Neighbours.ADD_REMOVE else self.replace

    def l1(self, neighbours: Neighbours) -> float:
        """The sum of the changes, rounded up."""
        changes = self.changes(neighbours)
        nearest = math.fsum(changes)
        return nearest if Fraction(nearest) >= _total(changes) else math.nextafter(nearest, math.inf)

    def l2(self, neighbours: Neighbours) -> float:
        """The root of the sum of the squared changes, rounded up.

        >>> Sensitivity.histogram().l2(Neighbours.REPLACE)
        1.4142135623730951
        """
        changes = self.changes(neighbours)
        nearest = math.hypot(*changes)
        enough = Fraction(nearest) ** 2 >= sum(Fraction(change) ** 2 for change in changes)
        return nearest if enough else math.nextafter(nearest, math.inf)

    def to_dict(self) -> dict[str, list[float]]:
        """The changes by relation."""
        return {"add_remove": list(self.add_remove), "replace": list(self.replace)}

    def __repr__(self) -> str:
        """The expression that rebuilds the sensitivity, with a number in place of a tuple of one."""
        return f"Sensitivity(add_remove={_shortest(self.add_remove)!r}, replace={_shortest(self.replace)!r})"


def _cells(name: str, changes: object) -> tuple[float, ...]:
    """The changes as floats, one for each cell that changes."""
    given = tuple(changes) if isinstance(changes, Sequence) and not isinstance(changes, str) else (changes,)
    cells = tuple(finite_nonnegative(name, change, _WAY_OUT) for change in given)
    if _total(cells) > Fraction(sys.float_info.max):
        raise InvalidInput(name, "must have a sum that fits a double", changes, _WAY_OUT)
    return tuple(cell for cell in cells if cell > 0.0)


def _total(changes: tuple[float, ...]) -> Fraction:
    """The sum without rounding."""
    return sum((Fraction(change) for change in changes), start=Fraction(0))


def _shortest(cells: tuple[float, ...]) -> float | tuple[float, ...]:
    """A number if at most one cell changes, else the tuple."""
    return cells if len(cells) > 1 else math.fsum(cells)
