"""Tables of a TOML file, read key by key; whatever is wrong is named by its file, line and key."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

from whit.errors import Incompatible, InvalidInput, NotImplied, Unreachable
from whit.telling.reports.lines import Path, line_of


@dataclass(frozen=True)
class Entry:
    """One table of a file.

    Attributes:
        file: name of the file.
        text: all of the file.
        path: where the table stands.
        values: what it holds.
    """

    file: str
    text: str
    path: Path
    values: Mapping[str, Any]

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def only(self, known: tuple[str, ...], *, needed: tuple[str, ...] = ()) -> Entry:
        """The table itself, if it holds none but the known keys, and all that are needed."""
        for key in self.values:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
                way_out = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(known)}."
                raise InvalidInput(self.place(key), "is not a known key", key, way_out)
        for key in needed:
            if key not in self.values:
                raise InvalidInput(self.place(key), "must be given", "nothing", f"State {key} there.")
        return self

    def table(self, key: str) -> Entry:
        """The table of this name inside; an empty one if there is none."""
        values = self.values.get(key, {})
        if not isinstance(values, Mapping):
            raise InvalidInput(self.place(key), "must be a table", values, f"Write [{key}] on a line of its own.")
        return Entry(self.file, self.text, (*self.path, key), values)

    def tables(self, key: str) -> tuple[Entry, ...]:
        """The tables of this name, of which there may be several."""
        rows = self.values.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise InvalidInput(self.place(key), "must be a list of tables", rows, f"Write [[{key}]] above each.")
        return tuple(Entry(self.file, self.text, (*self.path, key, n), row) for n, row in enumerate(rows))

    def words(self, key: str, otherwise: str = "") -> str:
        """A text; what is given otherwise if the key is not there."""
        found = self.values.get(key, otherwise)
        if not isinstance(found, str) or (key in self and not found.strip()):
            raise InvalidInput(self.place(key), "must be a text that is not empty", repr(found), "Put it in quotes.")
        return " ".join(found.split())

    def list_of_words(self, key: str) -> tuple[str, ...]:
        """Texts; none if the key is not there."""
        found = self.values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, str) and each.strip() for each in found):
            way_out = 'Write it as ["one", "two"].'
            raise InvalidInput(self.place(key), "must be a list of texts", repr(found), way_out)
        return tuple(" ".join(each.split()) for each in found)

    def one_of(self, key: str, words: Mapping[str, Any], otherwise: str) -> Any:
        """What a word stands for."""
        word = self.values.get(key, otherwise)
        if not isinstance(word, str) or word not in words:
            rule = "must be one of the words for it"
            raise InvalidInput(self.place(key), rule, repr(word), f"Use one of {', '.join(words)}.")
        return words[word]

    def place(self, key: str = "") -> str:
        """Where a key of the table stands, or the table itself, for a message."""
        line = line_of(self.text, (*self.path, key) if key else self.path) or line_of(self.text, self.path)
        names = ".".join(str(part) for part in self.path if isinstance(part, str))
        where = f"{self.file}, line {line}" if line else self.file
        return ", ".join(part for part in (where, f"[{names}]" if names else "", key) if part)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Put the place before the name of what is wrong inside; that name is often the key."""
        try:
            yield
        except (InvalidInput, Incompatible, NotImplied, Unreachable) as wrong:
            if wrong.name.startswith(self.file):
                raise
            key = wrong.name if wrong.name in self.values else ""
            name = self.place(key) if key else f"{self.place()}: {wrong.name}"
            raise type(wrong)(name, wrong.rule, wrong.value, wrong.way_out) from wrong


def read(path: File) -> Entry:
    """The whole of a TOML file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else "it is not text in UTF-8"
        rule = "must be a file that can be read"
        raise InvalidInput("the source of a report", rule, str(path), f"It cannot, because: {why}.") from wrong
    return parsed(text, path.name)


def parsed(text: str, file: str = "the report") -> Entry:
    """The whole of a TOML text."""
    try:
        return Entry(file, text, (), tomllib.loads(text))
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidInput(file, "must be TOML", str(wrong), "Correct that line.") from wrong
