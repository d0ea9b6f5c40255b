"""Keys of rows and what is looked up by them: the distinct keys of a table become settings, and settings answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whit.annotate.compute import BadSetting, Computing
from whit.annotate.rounding import Rounding
from whit.annotate.setting import Plain, Setting, answer_of, basis_id
from whit.display import pyarrow
from whit.errors import WhitError
from whit.spec import plain

NUMBERS = ("posterior", "posterior_ever", "ratio", "difference", "power")
"""The new columns that are numbers."""

LOOKED_AT = 40
"""So many settings are computed once more to say what rounding costs."""


@dataclass(frozen=True)
class Looked:
    """What is joined back.

    Attributes:
        table: the keys, and what was found for each, as an Arrow table.
        basis: what the answers rest on, by id.
        cost: a sentence that says what rounding cost; empty where nothing was rounded.
    """

    table: Any
    basis: Mapping[str, Plain]
    cost: str = ""


@dataclass(frozen=True)
class Keys:
    """The columns of a table that state a setting.

    Attributes:
        read: the column of each word.
        same: the words that are the same for all rows.
        roundings: how words are rounded.
    """

    read: Mapping[str, str]
    same: Mapping[str, object]
    roundings: Mapping[str, Rounding]

    @property
    def keys(self) -> dict[str, str]:
        """The words, each by the name of its key."""
        return {f"whit_key_{at}": word for at, word in enumerate(self.read)}

    def rounded(self, word: str) -> tuple[Rounding, tuple[str, ...]] | None:
        """How a word is rounded, and the columns that this takes; nothing if it stays as it is."""
        if word not in self.roundings:
            return None
        rounding = self.roundings[word]
        columns = (self.read[word], *([self.read["kind"]] if rounding.by_kind else []))
        return rounding, columns

    def key_table(self, table: Any) -> Any:
        """The key columns of an Arrow table, rounded."""
        arrow, found = pyarrow(), {}
        for key, word in self.keys.items():
            how = self.rounded(word)
            columns = [_decoded(table[name]) for name in (how[1] if how else (self.read[word],))]
            found[key] = how[0].column(*columns) if how else columns[0]
        return arrow.table(found)

    def settings(self, table: Any) -> list[Setting]:
        """The setting of each row of a table of keys."""
        words = list(self.keys.values())
        rows = zip(*(table[key].to_pylist() for key in self.keys), strict=True)
        return [self._setting(dict(zip(words, row, strict=True))) for row in rows]

    def _setting(self, row: dict[str, Any]) -> Setting:
        """What one row says; an empty cell says nothing."""
        stated = {word: value for word, value in row.items() if value is not None}
        return Setting({**self.same, **stated}, self.read)


@dataclass(frozen=True)
class Answers(Keys):
    """Settings that are answered.

    Attributes:
        prefix: what the names of new columns begin with.
        limited: whether there is a limit.
        summed: whether they are totals, which hold for the neighbours that a column then names.
    """

    prefix: str = ""
    limited: bool = False
    summed: bool = False

    @property
    def _columns(self) -> dict[str, str]:
        """The new columns by what they hold, with their types."""
        limit = {"limit_used": "float64", "within": "bool"} if self.limited else {}
        used = {f"{word}_used": "float64" for word in self.roundings}
        about = {"neighbours": "string"} if self.summed else {}
        return {**about, **dict.fromkeys(NUMBERS, "float64"), **limit, "direction": "string", "basis": "string", **used}

    @property
    def names(self) -> list[str]:
        """The names of the new columns."""
        return [f"{self.prefix}{name}" for name in self._columns]

    def look_up(self, keys: Any, computing: Computing) -> Looked:
        """The answers to every key of a table; the first that is refused is raised as a BadSetting."""
        return self.looked(keys, computing.answers(self.settings(keys)))

    def looked(self, keys: Any, rows: Sequence[Plain]) -> Looked:
        """What is joined back, from answers that are known."""
        basis = {basis_id(row["basis"]): row["basis"] for row in rows}
        return Looked(self.with_answers(keys, rows), basis, self._cost(self.settings(keys), rows))

    def with_answers(self, keys: Any, rows: Sequence[Plain]) -> Any:
        """A table of keys with the answers beside them."""
        arrow, used = pyarrow(), {f"{word}_used": key for key, word in self.keys.items() if word in self.roundings}
        for name, kind in self._columns.items():
            if name in used:
                column = keys[used[name]].cast(kind if not self._whole(keys, used[name]) else "int64")
            elif name == "basis":
                column = arrow.array([basis_id(row["basis"]) for row in rows], kind)
            else:
                column = arrow.array([row.get(name) for row in rows], kind)
            keys = keys.append_column(f"{self.prefix}{name}", column)
        return keys

    def _whole(self, keys: Any, key: str) -> bool:
        return bool(pyarrow().types.is_int64(keys.schema.field(key).type))

    def _cost(self, settings: Sequence[Setting], rows: Sequence[Plain]) -> str:
        """How much rounding raised the posterior at most, in settings from first to last."""
        if not self.roundings or not rows:
            return ""
        stride = max(1, len(rows) // LOOKED_AT)
        pairs = list(zip(settings, rows, strict=True))[::stride][:LOOKED_AT]
        costs = []
        for setting, row in pairs:
            less = self._less(setting)
            if less is not None and less["posterior"] is not None and row["posterior"] is not None:
                costs.append(row["posterior"] - less["posterior"])
        digits = next(iter(self.roundings.values())).digits
        most = f"by at most {max(costs, default=0.0):.2g} in {len(costs)} settings, from the first to the last"
        grid = f"Parameters are rounded to {digits} significant digits, to the safe side"
        return f"{grid}. This raises the posterior {most}."

    def _less(self, setting: Setting) -> Plain | None:
        """The answers next to a setting on the grid; nothing where there are none."""
        words = dict(setting.words)
        for word, rounding in self.roundings.items():
            value = words.get(word)
            side = Rounding.of(plain(str(words.get("kind"))), rounding.digits) if rounding.by_kind else rounding
            if isinstance(value, int | float) and value > 0 and side is not None:
                words[word] = side.step(value)
        try:
            return answer_of(Setting(words, setting.columns))
        except WhitError:
            return None


@dataclass(frozen=True)
class Charges(Keys):
    """Settings that are charged.

    Attributes:
        totals: the names of the charges: one, or two in the book of the sums.
    """

    totals: tuple[str, ...] = ("total",)

    def look_up(self, keys: Any, computing: Computing) -> Looked:
        """The charges of every key of a table, in whole grains."""
        return self.looked(keys, computing.charges(self.settings(keys)))

    def looked(self, keys: Any, rows: Sequence[Plain]) -> Looked:
        """What is joined back, from charges that are known."""
        for name in self.totals:
            keys = keys.append_column(name, pyarrow().array([row[name] for row in rows], "int64"))
        return Looked(keys, {})


def _decoded(column: Any) -> Any:
    """A column in one piece, its values themselves and not their codes in a dictionary."""
    whole = column.combine_chunks()
    return whole.dictionary_decode() if pyarrow().types.is_dictionary(whole.type) else whole


def distinct(keys: Any) -> Any:
    """The keys, each once: -0 and 0 are one, as they are for whoever joins by them."""
    rows = zip(*(column.to_pylist() for column in keys.columns), strict=True)
    first = {row: at for at, row in reversed(list(enumerate(rows)))}
    return keys.take(pyarrow().array(sorted(first.values()), "int64"))


def found_by(lookup: Answers | Charges, keys: Any, computing: Computing, place: Callable[[Plain], str]) -> Looked:
    """What is looked up by distinct keys; a refusal names the place of the first row with its key."""
    computing.require_few(keys.num_rows)
    once = distinct(keys)
    try:
        return lookup.look_up(once, computing)
    except BadSetting as bad:
        where = place(once.slice(bad.at, 1).to_pylist()[0])
        raise bad.error.renamed(f"{where}: {bad.error.name}") from bad.error
