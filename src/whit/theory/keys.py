"""The keys of theorems and references, known without reading the texts.

A module that cites a theorem is checked against these when it is imported, which happens at every start; the texts
behind them are read when somebody wants to read one.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Collection
from functools import cache

from whit.errors import UnknownKey, nearest

FOLDER = os.path.dirname(__file__)
"""Where the texts are. (Not a Path: importing pathlib would cost as much as reading them.)"""

_TABLE = re.compile(r"^\[(.+)\]$", flags=re.MULTILINE)
_ENTRY = re.compile(r"^@\w+\{(.+),$", flags=re.MULTILINE)


def theorem_files(folder: str) -> list[str]:
    """The files of a folder that hold theorems, in order."""
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".toml")]


@cache
def theorem_keys() -> frozenset[str]:
    """The keys of all theorems."""
    return frozenset(key for path in theorem_files(os.path.join(FOLDER, "theorems")) for key in _heads(_TABLE, path))


@cache
def reference_keys() -> frozenset[str]:
    """The keys of all publications."""
    return frozenset(_heads(_ENTRY, os.path.join(FOLDER, "references.bib")))


def require_theorem(key: str) -> None:
    """Refuse a key that is no theorem's."""
    require_key("a theorem", key, theorem_keys())


def require_reference(key: str) -> None:
    """Refuse a key that is no publication's."""
    require_key("a reference", key, reference_keys())


def require_key(what: str, key: str, known: Collection[str]) -> None:
    """Refuse a key that is not known, and name those most like it."""
    if key in known:
        return
    near, some = nearest(str(key), known), ", ".join(sorted(known)[:3])
    way_out = (
        f"Perhaps one of these is meant: {', '.join(near)}." if near else f"There are {len(known)}, such as {some}."
    )
    raise UnknownKey(what, "must be known by its key", key, way_out)


def _heads(head: re.Pattern[str], path: str) -> list[str]:
    """What the lines that begin an entry of a file name."""
    with open(path, encoding="utf-8") as file:
        return head.findall(file.read())
