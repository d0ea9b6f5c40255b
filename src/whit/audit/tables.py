"""Tables as publications: dimensions with their hierarchies, and the equation of every total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from whit.audit.publication import Cell, Equation, Publication, adds_up
from whit.audit.statement import Exact, Statement, Suppressed, whole
from whit.errors import InvalidInput, require

Codes: TypeAlias = tuple[str, ...]
"""A cell of a table: one code for each dimension."""

WITHHELD = Suppressed()
"""What is said about a cell of a table that is in none of the lists."""


@dataclass(frozen=True)
class Hierarchy:
    """The codes of one dimension, and which codes each total is made of; hierarchies may overlap.

    >>> Hierarchy({"all": ("young", "old"), "old": ("65 to 79", "80 or over")}).codes
    ('all', 'young', 'old', '65 to 79', '80 or over')
    """

    parts: Mapping[str, tuple[str, ...]]

    def __init__(self, parts: Mapping[str, Sequence[str]]) -> None:
        kept = {total: tuple(each) for total, each in parts.items()}
        for total, codes in kept.items():
            fits = bool(codes) and len({total, *codes}) == len(codes) + 1
            way_out = "List each part of a total once, and not the total itself."
            require(fits, name=f"the parts of {total}", rule="must be different codes", value=codes, way_out=way_out)
        object.__setattr__(self, "parts", MappingProxyType(kept))

    @classmethod
    def flat(cls, codes: Sequence[str], *, total: str = "all") -> Hierarchy:
        """Codes and their total.

        >>> Hierarchy.flat(("women", "men")).codes
        ('all', 'women', 'men')
        """
        return cls({total: codes})

    @property
    def codes(self) -> tuple[str, ...]:
        """Every code, each once."""
        return tuple(dict.fromkeys(code for total, parts in self.parts.items() for code in (total, *parts)))

    def __hash__(self) -> int:
        """That of its parts."""
        return hash(tuple(self.parts.items()))


def table(dimensions: Sequence[Hierarchy], published: Mapping[tuple[str, ...], Statement]) -> Publication:
    """A table of any number of dimensions: what is published, and the equation of every total in every line.

    A cell that is not in the list counts as suppressed, by a rule that tells nothing.
    """
    cells = {cell: cell for cell in product(*(dimension.codes for dimension in dimensions))}
    unknown = sorted(published.keys() - cells.keys())
    if unknown:
        way_out = "Use one code of each dimension, in their order."
        raise InvalidInput("published", "must be about cells of the table", unknown[0], way_out)
    return Publication({cell: published.get(cell, WITHHELD) for cell in cells}, totals(dimensions, cells))


def totals(dimensions: Sequence[Hierarchy], cells: Mapping[Codes, Codes]) -> Iterator[Equation]:
    """The equation of every total of one dimension, in every line of the others.

    cells   each cell of the table by itself: all equations share these objects, which saves memory in large tables
    """
    for place, dimension in enumerate(dimensions):
        others = [(each.codes if other != place else ("",)) for other, each in enumerate(dimensions)]
        for line in product(*others):
            for total, parts in dimension.parts.items():
                summed = [cells[with_code(line, place, code)] for code in (total, *parts)]
                yield adds_up(summed[0], summed[1:])


def with_code(line: tuple[str, ...], place: int, code: str) -> tuple[str, ...]:
    """A line of a table at one of its codes."""
    return (*line[:place], code, *line[place + 1 :])


def two_way(
    cells: Sequence[Sequence[int | Statement | None]],
    *,
    rows: Sequence[int | Statement | None],
    columns: Sequence[int | Statement | None],
    total: int | Statement | None = None,
) -> Publication:
    """A table of rows and columns with its totals: a number is exact, None is suppressed.

    Rows and columns are named by their numbers from "1" on, and their totals by "all".

    >>> len(two_way([[None, None], [None, None]], rows=[3, 7], columns=[4, 6]).equations)
    6
    """
    shape = (len(rows), len(columns))
    fits = len(cells) == shape[0] and all(len(line) == shape[1] for line in cells)
    way_out = "Give one list for each row, and in it one entry for each column."
    require(fits, name="cells", rule=f"must have {shape[0]} rows of {shape[1]}", value=cells, way_out=way_out)
    # The total comes last on both sides, as in print.
    lines = [[*line, end] for line, end in zip([*cells, columns], [*rows, total], strict=True)]
    codes = [[*map(str, range(1, length + 1)), "all"] for length in shape]
    published: dict[tuple[str, ...], Statement] = {
        (row, column): entry(lines[i][j]) for i, row in enumerate(codes[0]) for j, column in enumerate(codes[1])
    }
    return table([Hierarchy.flat(each[:-1]) for each in codes], published)


def entry(value: int | Statement | None) -> Statement:
    """What an entry of a printed table says."""
    if isinstance(value, Statement):
        return value
    return WITHHELD if value is None else Exact(whole("a cell", value))


def inner(row: int, column: int) -> Cell:
    """The cell of a two-way table in a row and a column, counted from 1.

    >>> inner(1, 3)
    ('1', '3')
    """
    return str(row), str(column)
