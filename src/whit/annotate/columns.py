"""Which columns of a table state a promise, which words are the same for every row, and what is added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from whit import mechanisms, spec
from whit.annotate.grid import require_digits
from whit.annotate.lookup import Answers, Charges
from whit.annotate.rounding import Rounding
from whit.annotate.setting import ADVERSARY, ASKED, GRAINS, OF_A_KIND, heads
from whit.errors import Incompatible, InvalidInput, unknown_name
from whit.ledger import Book, book_of

ROLES = (*ADVERSARY, *ASKED, "limit")
"""The words beside those of a promise."""

USUAL = ("releases", "sampling_rate", "neighbours", "sensitivity")
"""The words beside a promise that a column is taken for by its name alone."""

KEY = "whit_key_"
"""What the names of the columns begin with that engines join by."""


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
        known = (*OF_A_KIND, *known_words())
        for word in (*self.columns, *self.same):
            if word not in known:
                raise unknown_name("a word of a setting", word, known)
        if bool(self.unit) != bool(self.book):
            way_out = 'Give both, such as unit="person", book="zcdp", or neither.'
            raise Incompatible("unit and book", "go together", self.unit or self.book, way_out)
        if self.book:
            book_of(self.book)

    def answers(self, table: Mapping[str, bool]) -> Answers:
        """How settings of rows are found and answered, for a table with these columns; True stands for numbers."""
        read = self._read(table)
        found = Answers(
            read, self.same, self._roundings(read, table), self.prefix, bool({"limit"} & {*read, *self.same})
        )
        self._require_free(table, found.names)
        return found

    def charges(self, table: Mapping[str, bool]) -> Charges:
        """How charges of rows are found, for a table with these columns."""
        read = self._read(table)
        for word in ROLES:
            if word in read:
                way_out = f"Give it in same={{{word!r}: ...}}, or leave out unit and book."
                raise Incompatible(f"column {read[word]}", "must be the same for all rows of a unit", word, way_out)
        if self.unit not in table:
            raise unknown_name("the column of the unit", self.unit, list(table), parameter="unit")
        promised = {word: value for word, value in self.same.items() if word not in ROLES}
        return Charges(read, {**promised, "book": self.book}, self._roundings(read, table), coordinates(self._book))

    def totals(self) -> Answers:
        """How the totals of units are answered."""
        about = {word: value for word, value in self.same.items() if word in (*ROLES, "neighbours")}
        totals = coordinates(self._book)
        found = Answers(
            {name: name for name in totals},
            {**about, "book": self.book},
            dict.fromkeys(totals, Rounding(self.digits)) if self.digits else {},
            self.prefix,
            "limit" in self.same,
        )
        self._require_free(
            {self.unit: False, "charges": True, **dict.fromkeys(coordinates(self._book), True)}, found.names
        )
        return found

    @property
    def _book(self) -> Book:
        return book_of(self.book)

    def _read(self, table: Mapping[str, bool]) -> dict[str, str]:
        """The column of each word; columns that are not there, and a table without any, are refused."""
        chosen = dict(self.columns) or {word: name for name in table if (word := spec.plain(name)) in guessed_words()}
        for word, name in chosen.items():
            if name not in table:
                raise unknown_name(f"the column of {word}", name, list(table), parameter="columns")
            if word in self.same:
                way_out = "Leave out one or the other."
                raise Incompatible(f"column {name}", "must not be given for every row as well", word, way_out)
        found = {word: name for word, name in chosen.items() if name != self.unit}
        if not found:
            way_out = 'Name the columns, such as columns={"epsilon": "eps"}.'
            raise InvalidInput("a table", "must have a column that states a promise", ", ".join(table), way_out)
        if "kind" in found and "parameter" not in found:
            raise InvalidInput("column kind", "goes with a column parameter", ", ".join(found), "Give both.")
        return found

    def _roundings(self, read: Mapping[str, str], table: Mapping[str, bool]) -> dict[str, Rounding]:
        """How each word is rounded that may be: numbers that are known to tell more, or less, as they grow."""
        if not self.digits:
            return {}
        by_word = {word: Rounding.of(word, self.digits) for word, name in read.items() if table[name]}
        found = {word: rounding for word, rounding in by_word.items() if rounding is not None}
        if "kind" in read and table[read["parameter"]]:
            found["parameter"] = Rounding(self.digits, by_kind=True)
        return found

    def _require_free(self, table: Iterable[str], names: Sequence[str]) -> None:
        """Refuse a table that has one of the new columns already."""
        for name in table:
            if name in names or name.startswith(KEY):
                way_out = 'Use a prefix such as "risk_", or rename the column.'
                raise Incompatible(f"column {name}", "must not be in the table already", name, way_out)


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
