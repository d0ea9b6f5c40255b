"""What is drawn of an answer: the number on the safe side, in its own words."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from whit.assessment import promise_name
from whit.curves import Block, Promise
from whit.errors import InvalidInput, require
from whit.numerics import real_array
from whit.setting import Knowledge, Neighbours, When
from whit.telling.plots.layers import Array
from whit.telling.plots.style import COLOURS
from whit.telling.plots.texts import LONGEST_ALONE, LONGEST_NAME, cleaned, shortened
from whit.telling.plots.wording import ENGLISH, Words
from whit.theory import NEARLY_CERTAIN, Direction, Finding, Unit, number_text, says_nothing

_PROMISED = "Give a promise, a mechanism, or several of them by name."


def values(finding: Finding) -> Array:
    """The numbers of a finding as one row."""
    return np.atleast_1d(np.asarray(finding.value, dtype=np.float64))


def said(finding: Finding, place: int, words: Words = ENGLISH) -> str:
    """One of the numbers of a finding with its direction, to follow other words, such as at most 73.2 %."""
    return amount(float(values(finding.in_words)[place]), finding.direction, finding.quantity.unit, words)


def amount(number: float, direction: Direction, unit: Unit, words: Words = ENGLISH) -> str:
    """A number with its direction, on its safe side.

    >>> amount(0.7314, Direction.AT_MOST, Unit.PROBABILITY)
    'at most 73.2 %'
    """
    if says_nothing(number, direction, unit) and unit is Unit.PROBABILITY:
        return words("common.certain", number=percent(number, words))
    if direction is Direction.AT_MOST and unit is Unit.PROBABILITY and number > NEARLY_CERTAIN:
        return words("amount.possibly_exceeded", number=percent(float(NEARLY_CERTAIN), words))
    return words.directed("amount", direction, number=words.number(number, direction, unit))


def percent(probability: float, words: Words = ENGLISH) -> str:
    """A probability that was chosen, such as a prior, as text."""
    return words.number(probability, Direction.EXACTLY, Unit.PROBABILITY)


def plain(number: float) -> str:
    """A number that was chosen, such as an epsilon on an axis, as text."""
    return number_text(number, Direction.EXACTLY, Unit.NUMBER)


def certainty(failure: float, words: Words = ENGLISH) -> str:
    """How sure a bound is, as the end of a sentence."""
    return words("common.always") if failure == 0.0 else words("common.failure", failure=percent(failure, words))


def under(neighbours: Neighbours | None, words: Words = ENGLISH) -> str:
    """The relation that was named, as a sentence after others; that of the promise itself needs none."""
    return "" if neighbours is None else f" {words.neighbours(neighbours)}"


def knowing(knows: Knowledge, words: Words = ENGLISH) -> str:
    """What the adversary knows of everybody else, as a sentence after others; none where they may believe anything."""
    return f" {words('common.knowing')}" if knows is Knowledge.EVERYONE_ELSE else ""


def dependent(promised: Promise | Mapping[str, Promise], words: Words = ENGLISH) -> str:
    """How many people may depend on each other, as a sentence after others; none where nobody does."""
    sizes = {each.people for each in named(promised).values() if isinstance(each, Block)}
    return f" {words('common.dependent', people=str(max(sizes)))}" if sizes else ""


def ever(when: When, words: Words = ENGLISH) -> str:
    """When the adversary looks, as a sentence after others; none where it is at the end."""
    return f" {words('common.ever')}" if when is When.EVER else ""


def in_own_words(promised: Promise | Mapping[str, Promise], words: Words = ENGLISH) -> dict[str, str]:
    """What the lines of several releases are that somebody named, by their names: a name need not say how many."""
    several = {name: each.promise if isinstance(each, Block) else each for name, each in named(promised, words).items()}
    own = {name: words.promise(promise_name(each)) for name, each in several.items() if each.composed_of}
    unsaid = {name: text for name, text in own.items() if not all(part in name for part in text.split("; "))}
    return {name: shortened(text, LONGEST_ALONE) for name, text in unsaid.items()}


def named(promised: Promise | Mapping[str, Promise], words: Words = ENGLISH) -> dict[str, Promise]:
    """The promises of a picture by name; one promise is named by its parameters."""
    if isinstance(promised, Promise):
        return {words.promise(promise_name(promised)): promised}
    rule = "must be a promise, a mechanism or a curve, or a mapping from names to them"
    several = members(promised, Promise, name="promised", rule=rule, way_out=_PROMISED)
    return {words.promise(name): each for name, each in several.items()}


def members(given: object, kind: type, *, name: str, rule: str, way_out: str) -> dict[str, Any]:
    """The members of a mapping, all of one kind, by names that can stand beside a line; not too many to tell apart."""
    several = dict(given) if isinstance(given, Mapping) else {}
    if not several or not all(isinstance(each, kind) for each in several.values()):
        raise InvalidInput(name, rule, given, way_out)
    few = len(several) <= len(COLOURS)
    rule = f"must be at most {len(COLOURS)}, which can be told apart"
    require(few, name="the lines of a picture", rule=rule, value=len(several), way_out="Draw several pictures.")
    found: dict[str, Any] = {}
    for each, member in several.items():
        found[_line_name(each, found, LONGEST_NAME if len(several) > 1 else LONGEST_ALONE)] = member
    return found


def _line_name(name: object, others: Iterable[str], most: int) -> str:
    """The name as it is drawn; one that would look like another gets a number."""
    good = isinstance(name, str) and bool(name.strip())
    require(good, name="the name of a line", rule="must be a text", value=name, way_out="Use a word or two.")
    drawn = shortened(str(name), most)
    numbered = (f"{drawn} ({number})" for number in range(2, len(COLOURS) + 1))
    return drawn if drawn not in others else next(each for each in numbered if each not in others)


def places(name: str, given: ArrayLike, low: float, high: float) -> Array:
    """The numbers in increasing order, each once; at least two, since a line has two ends.

    >>> places("levels", [0.5, 0.1, 0.5], 0.0, 1.0).tolist()
    [0.1, 0.5]
    """
    way_out = f"Give at least two numbers from {low:g} to {high:g}."
    found = np.unique(np.ravel(real_array(name, given, way_out)))
    inside = found.size >= 2 and bool(np.all(np.isfinite(found) & (found >= low) & (found <= high)))
    rule = f"must be at least two numbers from {low:g} to {high:g}"
    require(inside, name=name, rule=rule, value=given, way_out=way_out)
    return found


def nearest(at: Array, wanted: float) -> int:
    """The place of the number that is nearest to the one wanted."""
    return int(np.argmin(np.abs(at - wanted)))


def chosen(at: Array, wanted: Iterable[float]) -> tuple[int, ...]:
    """The places of the numbers nearest to those wanted, each once."""
    return tuple(dict.fromkeys(nearest(at, number) for number in wanted))


Cell: TypeAlias = float | int | str

_WAY_OUT = "Ask for at least one point, and for as many of each column."


class Columns(Mapping[str, tuple[Cell, ...]]):
    """A table by its columns, each with its name: a mapping from names to numbers.

    >>> table = Columns({"prior": [0.1, 0.5], "posterior at most": [0.232, 0.732]})
    >>> table["prior"]
    (0.1, 0.5)
    >>> print(table.csv(), end="")
    prior,posterior at most
    0.1,0.232
    0.5,0.732
    """

    def __init__(self, columns: Mapping[str, object]) -> None:
        self._columns = {name: _cells(column) for name, column in columns.items()}
        lengths = {len(column) for column in self._columns.values()}
        shown = ", ".join(f"{name}: {len(column)}" for name, column in self._columns.items())
        rule = "must have columns of one length, with at least one row"
        good = len(lengths) == 1 and lengths != {0}
        require(good, name="the table of a picture", rule=rule, value=shown or "no column", way_out=_WAY_OUT)

    def __getitem__(self, name: str) -> tuple[Cell, ...]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __hash__(self) -> int:
        return hash(tuple(self._columns.items()))

    def __repr__(self) -> str:
        return f"<Columns: {', '.join(self)}; {len(self.rows())} rows>"

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows, each with a cell of every column."""
        return tuple(zip(*self._columns.values(), strict=True))

    def csv(self) -> str:
        """The table as text, with a line of names; numbers in all their digits, so that they can be read back."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self)
        writer.writerows(self.rows())
        return text.getvalue()


def _cells(column: object) -> tuple[Cell, ...]:
    """The cells of a column as plain numbers and words."""
    cells = np.ravel(np.asarray(column)).tolist()
    if all(isinstance(cell, float | int | str) for cell in cells):
        return tuple(cleaned(cell) if isinstance(cell, str) else cell for cell in cells)
    raise InvalidInput("a column of a table", "must hold numbers or words", column, "Use a list of numbers.")
