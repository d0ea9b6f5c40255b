"""TOML files and texts as tables that know their lines; whatever cannot be read is refused with a sentence."""

from __future__ import annotations

import os.path
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal

from whit.errors import InvalidInput, require, shown
from whit.files import content_of, from_home, place_beside, place_of, reason_of, resolved
from whit.notations import from_toml
from whit.spec.given import AsWritten, Given, Source, as_written, plain, tabled

Path = tuple[str | int, ...]
"""Where something stands: names of tables and keys, and a number for one of several tables of a name."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_WITH_COMMA = re.compile(r"(.*=\s*[+-]?\d+),(\d+)\s*(?:#.*)?")
_QUOTES = ('"' * 3, "'" * 3)
_TEXT = "Give what is in the file, as a text, and not its name."
_READ = "Give the path of a text file in UTF-8."
_CLOSED_WAY_OUT = "Give what is in it instead of its name."
_CLOSED: ContextVar[bool] = ContextVar("whit.without_files", default=False)
_BESIDE = "Put the file into the folder of the one that names it, and give its name."


@dataclass(frozen=True)
class Entry(Source):
    """A table of a file.

    Attributes:
        file: the name of the file.
        text: all that is in it.
        path: where the table stands; a number counts the tables of one name.
        folder: where the files lie that it may name; empty if it is no file.
    """

    file: str
    text: str
    path: Path = ()
    folder: str = ""

    def key(self, key: str) -> str:
        """The key itself."""
        return key

    def place(self, key: str) -> str:
        """File, line, table and key."""
        return f"{self._where(key)} {key}"

    def about(self, name: str) -> str:
        """File, line and table, and the name."""
        return f"{self._where('')}: {name}"

    def said(self, text: str) -> str:
        """The text, which nobody spells in the words of options."""
        return AsWritten(text)

    def stating(self, values: Mapping[str, object]) -> str:
        """Keys with their values, as TOML has them."""
        return ", ".join(f"{key} = {_toml(value)}" for key, value in values.items())

    def inside(self, *path: str | int) -> Entry:
        """A table inside of this one."""
        return replace(self, path=(*self.path, *path))

    def _where(self, key: str) -> str:
        line = line_of(self.text, (*self.path, key)) if key else None
        line = line or line_of(self.text, self.path)
        names = ".".join(part for part in self.path if isinstance(part, str))
        return f"{self.file}{f', line {line}' if line else ''}{f', [{names}]' if names else ':' if key else ''}"


def _toml(value: object) -> object:
    return (
        f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else as_written(value)
    )


def read(path: str | os.PathLike[str]) -> Given:
    """The whole of a TOML file."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidInput("a file", "must be named by its path", path, _READ, parameter="file")
    return parsed(read_text(path), str(path), folder=os.path.dirname(from_home(path)) or ".")


def parsed(text: str, file: str, *, folder: str = "") -> Given:
    """The whole of a TOML text; numbers keep their digits."""
    require(isinstance(text, str), name=file, rule="must be a text", value=text, way_out=_TEXT)
    try:
        found = from_toml(text, file, number=Decimal)
    except InvalidInput:
        raise
    except RecursionError as wrong:
        raise InvalidInput(
            file, "must be TOML that is not nested without end", "deep nesting", "Flatten it."
        ) from wrong
    except (ValueError, ArithmeticError) as wrong:
        said, at, where = str(wrong).partition(" (at ")
        if not at:  # not said by the reader of TOML: Python refuses thousands of digits, and exponents of twenty
            raise InvalidInput(file, "must have numbers of fewer digits", "too many", "Shorten the number.") from wrong
        lines = text.splitlines()
        line = int(where.split()[1].rstrip(",")) if where.startswith("line") else len(lines) + 1
        found_there = lines[line - 1].strip() if line <= len(lines) else "the end of the file"
        name = f"{file}, line {min(line, len(lines))}:"
        if said.startswith("Cannot") and (header := _HEADER.match(found_there)):
            way_out = f"Write [[{header[2]}]] above each if there may be several; else leave out one."
            raise InvalidInput(name, f"must have [{header[2]}] once", "it again", way_out) from wrong
        comma = _WITH_COMMA.fullmatch(found_there)
        way_out = f"Write {comma[1]}.{comma[2]}." if comma else "Correct the line."
        raise InvalidInput(name, f"must be TOML: {said.lower()}", found_there, way_out) from wrong
    return tabled(found, Entry(file, text, folder=folder))


def read_text(path: str | os.PathLike[str], *, beside: str | os.PathLike[str] | None = None) -> str:
    """The text of a file, without the mark that some editors put in front.

    Args:
        path: the file.
        beside: the folder that it must lie in, for a file that is named by another one.
    """
    require_files(path)
    file = place_of(path) if beside is None else place_beside(beside, path)
    try:
        if beside is not None and (not beside or not resolved(file).is_relative_to(resolved(place_of(beside)))):
            raise InvalidInput("a file", "must lie beside the one that names it", str(path), _BESIDE, parameter="file")
        if beside is not None and file.exists() and not file.is_file():
            raise InvalidInput("a file", "must be an ordinary file", str(path), _BESIDE, parameter="file")
        text = content_of(file).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")  # as text files are read everywhere
    except (OSError, ValueError) as wrong:
        if isinstance(wrong, InvalidInput):
            raise
        why = "it is not text" if isinstance(wrong, UnicodeDecodeError) else reason_of(wrong)
        name, rule = f"the file {shown(file.name or str(file))}", f"must be readable ({why})"
        raise InvalidInput(name, rule, str(path), _READ, parameter="file") from wrong


@contextmanager
def without_files() -> Iterator[None]:
    """Read no file inside: for somebody elsewhere, whose paths are none of this machine."""
    before = _CLOSED.set(True)
    try:
        yield
    finally:
        _CLOSED.reset(before)


def require_files(path: object) -> None:
    """Refuse a file where none is read."""
    if _CLOSED.get():
        raise InvalidInput("a file", "must not be named here", str(path), _CLOSED_WAY_OUT, parameter="file")


def line_of(text: str, path: Path) -> int | None:
    r"""The line of a key or of a table, counted from 1; nothing if it cannot be found.

    >>> line_of("[promise]\nrho = 1\n", ("promise", "rho"))
    2
    >>> line_of("[[adversary]]\nprior = 1\n[[adversary]]\nprior = 2\n", ("adversary", 1, "prior"))
    4
    """
    key_path = tuple(plain(part) if isinstance(part, str) else part for part in path)
    table: Path = ()
    seen: Counter[str] = Counter()
    for number, line in _outside_of_texts(text):
        if header := _HEADER.match(line):
            table = _table(header, seen)
            if table == key_path:
                return number
        elif key := _KEY.match(line):
            found = (*table, *_names(key[1]))
            if key_path[: len(found)] == found:  # the key itself, or a table on one line that holds it
                return number
    return None


def _table(header: re.Match[str], seen: Counter[str]) -> Path:
    """The path of a header; the tables of one name are counted, and a table inside of one belongs to the last."""
    first, *rest = _names(header[2])
    if header[1] == "[[" and not rest:
        seen[first] += 1
    return (first, seen[first] - 1, *rest) if seen[first] else (first, *rest)


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(plain(name.strip().strip("\"'")) for name in dotted.split("."))


def _outside_of_texts(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not inside of a text of several lines."""
    inside = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not inside:
            yield number, line
        for quotes in _QUOTES:
            if inside in ("", quotes) and line.count(quotes) % 2:
                inside = "" if inside else quotes
