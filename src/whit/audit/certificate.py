"""Proofs that a reader can add up: tables that are left, and sums of equations that cannot come out.

Possible       a table that is left: the adversary cannot conclude that it is otherwise
Unlimited      a table that is left and a change that may be made any number of times: a cell has no last value
Impossible     no table that is left has a cell between two ends: the adversary concludes as much
Counted        how many tables are left, to be counted again

The proof of an impossibility is a tree. At a leaf the equations, each times a whole number, make a sum that no values
within the ends can reach (Combination), or that has the wrong remainder (Remainder). Elsewhere the proof looks at one
cell (Split): either it is at most some number, or it is larger, and each case has its own proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn, TypeAlias

from whit.audit.publication import Cell

CellValues: TypeAlias = Mapping[str, int] | Mapping[tuple[str, ...], int] | Mapping[Cell, int]
"""A number for each of some cells."""


class Values(dict[Cell, int]):
    """A number for each of some cells, which nobody changes any more; so a table is added up once and shared."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("Values cannot be changed. Use dict(values) for a copy that can.")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[Values], tuple[dict[Cell, int]]]:
        """How a copy is made, since entries cannot be put in one by one."""
        return Values, (dict(self),)


def kept(values: CellValues) -> Values:
    """Values that nobody changes; those that are kept already stay the same object."""
    return values if isinstance(values, Values) else Values(values.items())


@dataclass(frozen=True, slots=True)
class Possible:
    """A table that is left, with a value for every cell.

    table     a table that is left, which certificates of one audit share
    instead   what this one has instead, in some cells

    >>> Possible({"a": 1, "b": 2}, {"a": 2, "b": 1})["a"]
    2
    """

    table: Mapping[Cell, int]
    instead: Mapping[Cell, int]

    def __init__(self, table: CellValues, instead: CellValues | None = None) -> None:
        object.__setattr__(self, "table", kept(table))
        object.__setattr__(self, "instead", kept(instead or {}))

    def __getitem__(self, cell: Cell) -> int:
        """The value of a cell."""
        return self.instead[cell] if cell in self.instead else self.table[cell]

    @property
    def values(self) -> dict[Cell, int]:
        """The whole table."""
        return {**self.table, **self.instead}


@dataclass(frozen=True, slots=True)
class Unlimited:
    """A table that is left, and a change that leads from it to further ones, as often as it is made.

    The change moves the cell, and upwards if that is what is claimed.
    """

    cell: Cell
    upwards: bool
    table: Mapping[Cell, int]
    change: Mapping[Cell, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", kept(self.table))
        object.__setattr__(self, "change", kept(self.change))


@dataclass(frozen=True, slots=True)
class Combination:
    """Equations, each times a whole number: their sum is beyond what values within the ends can reach."""

    multipliers: Mapping[str, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "multipliers", MappingProxyType(dict(self.multipliers)))


@dataclass(frozen=True, slots=True)
class Remainder:
    """Equations, each times a whole number, whose sum leaves another remainder than whole values can."""

    modulus: int
    multipliers: Mapping[str, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "multipliers", MappingProxyType(dict(self.multipliers)))


@dataclass(frozen=True, slots=True)
class Split:
    """Two cases: the cell is at most this number, or it is larger."""

    cell: Cell
    at: int
    below: Proof
    above: Proof


Proof: TypeAlias = Combination | Remainder | Split
"""Why no table is left."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """No table that is left has the cell between the two ends, either of which may be missing.

    Without a cell: no table is left at all, and the publication contradicts itself.
    """

    cell: Cell | None
    low: int | None
    high: int | None
    proof: Proof


@dataclass(frozen=True, slots=True)
class Counted:
    """So many tables are left; who verifies it counts them again."""

    number: int


Certificate: TypeAlias = Possible | Unlimited | Impossible | Counted
"""What can be verified in whole numbers."""


def leaves(proof: Proof) -> Iterator[Combination | Remainder]:
    """The sums that a proof rests on."""
    if isinstance(proof, Split):
        yield from leaves(proof.below)
        yield from leaves(proof.above)
    else:
        yield proof


def equations_used(proof: Proof) -> tuple[str, ...]:
    """The equations that a proof needs, each once.

    >>> equations_used(Combination({"row 1": 1, "row 2": 0, "column 1": -1}))
    ('row 1', 'column 1')
    """
    used = (name for leaf in leaves(proof) for name, times in leaf.multipliers.items() if times)
    return tuple(dict.fromkeys(used))
