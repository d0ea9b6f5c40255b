"""What is published: statements about cells, and the equations that tie cells together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from whit.audit.statement import Statement, whole
from whit.errors import Incompatible, InvalidInput, require

Cell: TypeAlias = str | tuple[str, ...]
"""A cell of a table: a name, or one code for each dimension."""

Said: TypeAlias = tuple[Cell, Statement]
"""A cell, and what is said about it."""

Statements: TypeAlias = Mapping[str, Statement] | Mapping[tuple[str, ...], Statement] | Iterable[Said]
"""What is said about cells: by cell, or one after the other where a cell has several statements."""


def cell_text(cell: Cell) -> str:
    """A cell as sentences name it.

    >>> cell_text(("north", "2 to 4"))
    'north × 2 to 4'
    """
    return cell if isinstance(cell, str) else " × ".join(cell)


def cell_of(cell: object) -> Cell:
    """The cell, if it is one."""
    codes = cell if isinstance(cell, tuple) else (cell,)
    if not codes or not all(isinstance(code, str) for code in codes):
        raise InvalidInput("a cell", "must be a name or a tuple of codes", cell, "Use 'A' or ('north', 'women').")
    return cell  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Equation:
    """A sum of cells, each with a whole coefficient, that has a known value.

    name    how certificates and sentences refer to it
    terms   the coefficient of each cell
    right   the value of the sum

    >>> Equation("three counts", {"a": 1, "b": 1, "c": 1}, 12).right
    12
    """

    name: str
    terms: Mapping[Cell, int]
    right: int = 0

    def __post_init__(self) -> None:
        named = bool(self.name)
        require(named, name="name", rule="must be a text", value=self.name, way_out="Use a name such as 'row 1'.")
        kept = {cell_of(cell): each for cell, times in self.terms.items() if (each := whole("a coefficient", times))}
        object.__setattr__(self, "terms", MappingProxyType(kept))
        object.__setattr__(self, "right", whole("right", self.right))

    def reduced(self, terms: dict[Cell, int], right: int) -> Equation:
        """An equation of the same name with some of its terms."""
        found = object.__new__(Equation)  # what was checked once needs no second check
        for name, value in (("name", self.name), ("terms", MappingProxyType(terms)), ("right", right)):
            object.__setattr__(found, name, value)
        return found

    def __hash__(self) -> int:
        """That of its parts; the order of the terms does not matter."""
        return hash((self.name, frozenset(self.terms.items()), self.right))


def adds_up(total: Cell, parts: Iterable[Cell], *, name: str = "") -> Equation:
    """The equation by which a total is the sum of its parts.

    >>> adds_up("all", ["women", "men"]).name
    'all = women + men'
    """
    counted = Counter(parts)
    told = name or f"{cell_text(total)} = {sum_text(tuple(counted))}"
    terms = {cell: -times for cell, times in counted.items()}
    terms[total] = terms.get(total, 0) + 1
    return Equation(told, terms)


def untrue(equation: Equation, values: Mapping[Cell, int]) -> str:
    """That an equation does not hold, in numbers; empty where a value is missing, or where it holds.

    Numbers are whole ones, in units of the last digit of the publication.

    >>> untrue(adds_up("T", "ab"), {"T": 23, "a": 12, "b": 13})
    '23 is not 12 + 13'
    """
    if not all(cell in values for cell in equation.terms):
        return ""
    if sum(times * values[cell] for cell, times in equation.terms.items()) == equation.right:
        return ""
    sides = {sign: [values[c] * abs(t) for c, t in equation.terms.items() if t * sign > 0] for sign in (1, -1)}
    left, right = sides[1], [*sides[-1], *([equation.right] if equation.right or not sides[-1] else [])]
    return f"{_numbers_text(left)} is not {_numbers_text(right)}"


def _numbers_text(numbers: list[int]) -> str:
    """A sum of numbers; a long one by its value."""
    return " + ".join(map(str, numbers)) if 0 < len(numbers) <= LONGEST_SUM else str(sum(numbers))


def sum_text(parts: tuple[Cell, ...]) -> str:
    """A sum of cells as sentences name it; a long one by its first, its last and its length."""
    if len(parts) <= LONGEST_SUM:
        return " + ".join(map(cell_text, parts))
    return f"{cell_text(parts[0])} + ... + {cell_text(parts[-1])} ({len(parts)} parts)"


LONGEST_SUM = 8
"""The most parts that the name of a total lists."""


@dataclass(frozen=True)
class Publication:
    """Statements about cells, and equations between cells; a cell without a statement is one that was not published.

    A cell may have several statements, as in linked tables and in tables of several years: all of them hold.
    """

    statements: tuple[Said, ...]
    equations: tuple[Equation, ...]

    def __init__(self, statements: Statements, equations: Iterable[Equation] = ()) -> None:
        object.__setattr__(self, "statements", tuple(said(*pair) for pair in pairs_of(statements)))
        object.__setattr__(self, "equations", tuple(equations))
        twice = [name for name, times in Counter(each.name for each in self.equations).items() if times > 1]
        way_out = "Give every equation a name of its own."
        require(not twice, name="equations", rule="must have different names", value=twice, way_out=way_out)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell that a statement or an equation names, each once, in their order."""
        said = (cell for cell, _ in self.statements)
        return tuple(dict.fromkeys(chain(said, chain.from_iterable(each.terms for each in self.equations))))


def pairs_of(statements: Statements) -> Iterable[tuple[object, object]]:
    """Cells and what is said about them, one after the other."""
    return statements.items() if isinstance(statements, Mapping) else statements


def said(cell: object, statement: object) -> Said:
    """A cell and what is said about it, if that is a statement."""
    if not isinstance(statement, Statement):
        rule = f"must be a Statement about {cell_text(cell_of(cell))}"
        raise InvalidInput("what is said", rule, statement, "Use Exact(7), Rounded(10, 5), Suppressed() or another.")
    return cell_of(cell), statement


def together(*publications: Publication) -> Publication:
    """Everything that several publications say, of the same people and with the same names for the same cells.

    An equation that several of them have is kept once; two equations of one name that differ are refused.
    """
    equations: dict[str, Equation] = {}
    for equation in (each for publication in publications for each in publication.equations):
        if equations.setdefault(equation.name, equation) != equation:
            way_out = "Give them different names."
            raise Incompatible("equations of one name", "must be the same", equation.name, way_out)
    statements = dict.fromkeys(each for publication in publications for each in publication.statements)
    return Publication(list(statements), equations.values())
