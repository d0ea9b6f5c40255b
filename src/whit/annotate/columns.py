"""Which columns of a table state a promise, which words are the same for every row, and what is added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from whit import mechanisms, spec
from whit.annotate.compute import Computing
from whit.annotate.grid import require_digits
from whit.annotate.lookup import Answers, Charges
from whit.annotate.rounding import Rounding
from whit.annotate.setting import ADVERSARY, ASKED, BETWEEN, GRAINS, OF_A_KIND, heads
from whit.errors import Incompatible, InvalidInput, require, require_kind, unknown_name
from whit.ledger import Book, book_of
from whit.notations import one_column
from whit.setting import Neighbours

ROLES = (*ADVERSARY, *ASKED, "limit")
"""The words beside those of a promise."""

USUAL = ("releases", "sampling_rate", "neighbours", "sensitivity")
"""The words beside a promise that a column is taken for by its name alone."""

KEY = "whit_key_"
"""What the names of the columns begin with that engines join by."""


class Holds(Enum):
    """What the cells of a column hold."""

    NUMBERS = "numbers"
    WORDS = "words"
    SEVERAL = "lists or records"


@dataclass(frozen=True)
class RiskColumns:
    """What is read from a table, and what is added to it.

    Attributes:
        columns: the column of each word, such as {"rho": "charge"}. Without any, columns are taken by their names:
            epsilon, delta, rho, mu and the kinds of noise; or kind, parameter and count; releases, sampling_rate,
            neighbours and sensitivity; prior, knows, block, failure, level and limit.
        same: words that are the same for every row, such as {"prior": 0.1, "limit": "posterior=0.3, prior=0.1"}.
        digits: parameters are rounded to so many significant digits, to the safe side; 0 rounds nothing.
        prefix: what the names of new columns begin with.
        unit: the column that says whom a row charges. Rows are then charges, and there is one new row for each unit.
            Totals are about added and removed records, or about the neighbours in `same`.
        book: the currency in which charges add up, such as zcdp; it goes with unit.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    same: Mapping[str, object] = field(default_factory=dict)
    digits: int = 0
    prefix: str = ""
    unit: str = ""
    book: str = ""

    def __post_init__(self) -> None:
        require_digits(self.digits)
        _require_names(self)
        known = (*OF_A_KIND, *known_words())
        for word in (*self.columns, *self.same):
            if word not in known:
                raise unknown_name("a word of a setting", word, known)
        if bool(self.unit) != bool(self.book):
            way_out = 'Give both, such as unit="person", book="zcdp", or neither.'
            raise Incompatible("unit and book", "go together", self.unit or self.book, way_out)
        if self.book:
            book_of(self.book)


def settled(columns: object, computing: object) -> tuple[RiskColumns, Computing]:
    """What is read and how it is computed: the usual where it is left out, and nothing of another kind."""
    found = (RiskColumns() if columns is None else columns, Computing() if computing is None else computing)
    for name, kind, value in zip(("columns", "computing"), (RiskColumns, Computing), found, strict=True):
        require_kind(kind, value, name=name, way_out=f"Use whit.annotate.{kind.__name__}(...), or leave it out.")
    return found  # type: ignore[return-value]  # each is of its kind


def _require_names(columns: RiskColumns) -> None:
    """Refuse what is no mapping, and names that are no texts."""
    for name, value in (("columns", columns.columns), ("same", columns.same)):
        require_kind(Mapping, value, name=name, way_out='Use a value by name, such as {"rho": "charge"}.')
    named = {f"the column of {word}": name for word, name in columns.columns.items()}
    for name, text in {**named, "prefix": columns.prefix, "unit": columns.unit, "book": columns.book}.items():
        require(isinstance(text, str), name=name, rule="must be a text", value=text, way_out="Put it in quotes.")


def answers_for(columns: RiskColumns, table: Mapping[str, Holds]) -> Answers:
    """How settings of rows are found and answered, for a table with these columns."""
    read = _read(columns, table)
    found = Answers(
        read, columns.same, _roundings(columns, read, table), columns.prefix, bool({"limit"} & {*read, *columns.same})
    )
    _require_free(table, found.names)
    return found


def charges_for(columns: RiskColumns, table: Mapping[str, Holds]) -> Charges:
    """How charges of rows are found, for a table with these columns."""
    read = _read(columns, table)
    for word in ROLES:
        if word in read:
            way_out = f"State {word} once, as what is the same for all rows; or leave out unit and book."
            raise Incompatible(f"column {read[word]}", "must be the same for all rows of a unit", word, way_out)
    if columns.unit not in table:
        raise unknown_name("the column of the unit", columns.unit, list(table), parameter="unit")
    _require_one_value(columns.unit, table)
    promised = {word: value for word, value in columns.same.items() if word not in ROLES}
    same = {**promised, "book": columns.book, BETWEEN: _between(columns)}
    return Charges(read, same, _roundings(columns, read, table), coordinates(book_of(columns.book)))


def totals_for(columns: RiskColumns) -> Answers:
    """How the totals of units are answered."""
    about = {word: value for word, value in columns.same.items() if word in ROLES}
    totals = coordinates(book_of(columns.book))
    found = Answers(
        {name: name for name in totals},
        {**about, "book": columns.book, BETWEEN: _between(columns)},
        dict.fromkeys(totals, Rounding(columns.digits, whole=True)) if columns.digits else {},
        columns.prefix,
        "limit" in columns.same,
        summed=True,
    )
    _require_free((columns.unit, "charges", *totals), found.names)
    return found


def _between(columns: RiskColumns) -> object:
    """The neighbours of the totals: those that are the same for all rows, else added and removed records."""
    return columns.same.get("neighbours", Neighbours.ADD_REMOVE.word)


def _read(columns: RiskColumns, table: Mapping[str, Holds]) -> dict[str, str]:
    """The column of each word; columns that are not there, and a table without any, are refused."""
    chosen = dict(columns.columns) or _guessed(table)
    for word, name in chosen.items():
        if name not in table:
            raise unknown_name(f"the column of {word}", name, list(table), parameter="columns")
        _require_one_value(name, table)
        if word in columns.same and not (columns.unit and word == "neighbours"):
            way_out = "Leave out one or the other."
            raise Incompatible(f"column {name}", "must not be given for every row as well", word, way_out)
    found = {word: name for word, name in chosen.items() if name != columns.unit}
    if not found:
        rule, way_out = "must have a column that states a promise", "Name the columns, such as {columns}."
        raise InvalidInput("a table", rule, ", ".join(table), way_out, suggested={"columns": {"epsilon": "eps"}})
    if "kind" in found and "parameter" not in found:
        raise InvalidInput("column kind", "goes with a column parameter", ", ".join(found), "Give both.")
    return found


def _guessed(table: Iterable[str]) -> dict[str, str]:
    """The columns that are taken by their names; two for one word are refused."""
    words, found = guessed_words(), dict[str, str]()
    for name in table:
        word = spec.plain(name)
        if word in found:
            raise one_column(found[word], name)
        if word in words:
            found[word] = name
    return found


def _roundings(columns: RiskColumns, read: Mapping[str, str], table: Mapping[str, Holds]) -> dict[str, Rounding]:
    """How each word is rounded that may be: numbers that are known to tell more, or less, as they grow."""
    if not columns.digits:
        return {}
    by_word = {word: Rounding.of(word, columns.digits) for word, name in read.items() if table[name] is Holds.NUMBERS}
    found = {word: rounding for word, rounding in by_word.items() if rounding is not None}
    if "kind" in read and table[read["parameter"]] is Holds.NUMBERS:
        found["parameter"] = Rounding(columns.digits, by_kind=True)
    return found


def _require_free(table: Iterable[str], names: Sequence[str]) -> None:
    """Refuse a table that has one of the new columns already."""
    for name in table:
        if name in names or name.startswith(KEY):
            way_out = 'Use a prefix such as "risk_", or rename the column.'
            raise Incompatible(f"column {name}", "must not be in the table already", name, way_out)


def _require_one_value(name: str, table: Mapping[str, Holds]) -> None:
    """Refuse a column that has several values in a row."""
    one = table[name] is not Holds.SEVERAL
    way_out = "Give each value a row or a column of its own."
    rule = "must hold one number or word in each row"
    require(one, name=f"column {name}", rule=rule, value=table[name].value, way_out=way_out)


def coordinates(book: Book) -> tuple[str, ...]:
    """The names of the totals of a book: one in most, two in the book of the sums of epsilon and delta."""
    return tuple(GRAINS)[: len(book.nothing)]


def guessed_words() -> set[str]:
    """The words that a column is taken for by its name."""
    return {*heads(), "delta", *USUAL, *OF_A_KIND, *ROLES}


def known_words() -> list[str]:
    """Every word that a setting may be stated with."""
    stated = [each.word for kind in spec.kinds() for each in mechanisms.stated_by(kind)]
    around = [each.word for layer in spec.layers(mechanisms.AROUND) for each in layer.around.details]
    return list(dict.fromkeys([*stated, *around, *(word for word in spec.BESIDE if word != "name"), *ROLES]))
