"""Tables in the JJ format, which tau-ARGUS and sdcTable write: cells with their levels, and equations between them.

A cell is a line `number value cost status lower upper LPL UPL SPL`. Its status is s or z if it is published, u if a
rule withholds it. One that was withheld to protect others has m in tau-ARGUS and x in sdcTable, whose w is a cell that
is never published at all. An equation is `right n : cell (times) ...`. (Manual of tau-ARGUS 4.1, section 5.5; sdcTable
0.34, `makeProblem` and `writeJJFormat`, which writes the number of cell 100,000 as 1e+05.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from whit.audit import Equation
from whit.errors import InvalidInput

PUBLISHED, PRIMARY, FURTHER = ("s", "z"), ("u",), ("m", "x", "w")
"""The marks of published cells, of those that a rule withholds, and of those that were withheld to protect others."""

_JJ = "Give a file that tau-ARGUS or sdcTable wrote, with the status of each cell."
_INDEX = r"\d{1,18}(?:e\+?\d{1,2})?"
_TERM = re.compile(rf"({_INDEX})\s*\(\s*(-?\d{{1,27}}(?:\.0*)?)\s*\)", flags=re.ASCII)


@dataclass(frozen=True)
class JJCell:
    """A cell: its name, its value, which is confidential if it is withheld, its mark, bounds, and required levels."""

    name: str
    value: Decimal
    status: str
    low: Decimal
    high: Decimal
    levels: tuple[Decimal, Decimal, Decimal]


@dataclass(frozen=True)
class JJTable:
    """The cells of a file, and its equations."""

    cells: tuple[JJCell, ...]
    equations: tuple[Equation, ...]


def read_jj(text: str, file: str) -> JJTable:
    """The cells and the equations of a JJ file; a right side must be whole in the last decimal of the values."""
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), start=1) if line.strip()]
    following = iter(lines)
    _number(file, *next(following, (1, "")))
    count = _number(file, *next(following, (2, "")))
    cells = tuple(_cell(file, *_next(following, file)) for _ in range(count))
    equations = _number(file, *next(following, (len(lines) + 1, "")))
    names = {cell.name for cell in cells}
    made = (_equation(file, at, line, names) for at, line in (_next(following, file) for _ in range(equations)))
    found = tuple(made)
    rest = next(following, None)
    if rest is not None:
        raise InvalidInput(f"{file}, line {rest[0]}:", f"must be the end after {equations} equations", rest[1], _JJ)
    return JJTable(cells, found)


def scaled_equations(table: JJTable, scale: Callable[[Decimal], int]) -> Iterator[Equation]:
    """The equations with their right sides in the unit of the values."""
    for equation in table.equations:
        yield Equation(equation.name, equation.terms, scale(Decimal(equation.right)))


def _next(following: Iterator[tuple[int, str]], file: str) -> tuple[int, str]:
    found = next(following, None)
    if found is None:
        raise InvalidInput(file, "must have as many lines as it says", "fewer", _JJ)
    return found


def _number(file: str, at: int, line: str) -> int:
    if not re.fullmatch(r"\d{1,9}", line, flags=re.ASCII):
        raise InvalidInput(f"{file}, line {at}:", "must be a whole number", line or "the end of the file", _JJ)
    return int(line)


def _cell(file: str, at: int, line: str) -> JJCell:
    parts = line.split()
    if len(parts) != 9 or parts[3].lower() not in (*PUBLISHED, *PRIMARY, *FURTHER):
        raise InvalidInput(
            f"{file}, line {at}:", "must be nine entries, the fourth a status", _without_value(parts), _JJ
        )
    try:
        value, *numbers = (Decimal(parts[place]) for place in (1, 4, 5, 6, 7, 8))
    except InvalidOperation as wrong:
        raise InvalidInput(f"{file}, line {at}:", "must have numbers", _without_value(parts), _JJ) from wrong
    if not all(each.is_finite() for each in (value, *numbers)):
        raise InvalidInput(f"{file}, line {at}:", "must have finite numbers", _without_value(parts), _JJ)
    low, high, below, above, sliding = numbers
    return JJCell(_cell_name(file, at, parts[0]), value, parts[3].lower(), low, high, (below, above, sliding))


def _cell_name(file: str, at: int, number: str) -> str:
    """The name of a cell by its number, however that is written.

    >>> _cell_name("table.jj", 3, "1e+05")
    'cell 100000'
    """
    if not re.fullmatch(_INDEX, number, flags=re.ASCII):
        raise InvalidInput(f"{file}, line {at}:", "must begin with the number of a cell", number, _JJ)
    return f"cell {int(Decimal(number))}"


def _without_value(parts: list[str]) -> str:
    """The first entry of a line and how many there are: the others may be confidential."""
    return f"{parts[0]} and {len(parts) - 1} more entries"


def _equation(file: str, at: int, line: str, names: set[str]) -> Equation:
    head, colon, body = line.partition(":")
    parts = head.split()
    terms = _TERM.findall(body)
    fits = colon and len(parts) == 2 and parts[1] == str(len(terms)) and not _TERM.sub("", body).strip()
    if not fits or not re.fullmatch(r"-?\d{1,27}(\.0*)?", parts[0], flags=re.ASCII):
        raise InvalidInput(f"{file}, line {at}:", "must be an equation", line, 'Write "0 3 : 0 (-1) 1 (1) 2 (1)".')
    found: dict[str, int] = {}
    for number, times in terms:
        name = _cell_name(file, at, number)
        if name not in names:
            raise InvalidInput(f"{file}, line {at}:", "must be about cells of the file", name, _JJ)
        found[name] = found.get(name, 0) + int(Decimal(times))
    return Equation(_name(found, at), dict(found.items()), int(Decimal(parts[0])))


def _name(terms: Mapping[str, int], at: int) -> str:
    """An equation by the total that it is about, if it has one, and its line."""
    totals = [cell for cell, times in terms.items() if times < 0]
    return f"{totals[0]} = its parts (line {at})" if len(totals) == 1 else f"line {at}"
