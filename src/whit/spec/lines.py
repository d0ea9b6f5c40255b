"""On which line of a TOML text a key stands; tomllib itself does not say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

Path = tuple[str | int, ...]
"""Where something stands: names of tables and keys, and a number for one of several tables of a name."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_QUOTES = ('"' * 3, "'" * 3)


def line_of(text: str, path: Path) -> int | None:
    r"""The line of a key or of a table, counted from 1; nothing if it cannot be found.

    >>> line_of("[promise]\nrho = 1\n", ("promise", "rho"))
    2
    >>> line_of("[[adversary]]\nprior = 1\n[[adversary]]\nprior = 2\n", ("adversary", 1, "prior"))
    4
    """
    wanted = tuple(_plain(part) if isinstance(part, str) else part for part in path)
    table: Path = ()
    seen: Counter[str] = Counter()
    for number, line in _outside_of_texts(text):
        if header := _HEADER.match(line):
            table = _table(header, seen)
            if table == wanted:
                return number
        elif (key := _KEY.match(line)) and _starts(wanted, (*table, *_names(key[1]))):
            return number
    return None


def _starts(path: Path, found: Path) -> bool:
    """Whether the key is what is looked for, or a table written on one line that holds it."""
    return path[: len(found)] == found


def _table(header: re.Match[str], seen: Counter[str]) -> Path:
    """The path of a header; the tables of one name are counted, and a table inside of one belongs to the last."""
    first, *rest = _names(header[2])
    if header[1] == "[[" and not rest:
        seen[first] += 1
    return (first, seen[first] - 1, *rest) if seen[first] else (first, *rest)


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(_plain(name.strip().strip("\"'")) for name in dotted.split("."))


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")


def _outside_of_texts(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not inside of a text of several lines."""
    inside = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not inside:
            yield number, line
        for quotes in _QUOTES:
            if inside in ("", quotes) and line.count(quotes) % 2:
                inside = "" if inside else quotes
