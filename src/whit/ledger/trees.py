"""Plain trees, as JSON has them, read strictly: whoever can write a chain of hashes can write any value into it.

What is not as a ledger writes it raises ValueError; whoever reads the tree says which place of the ledger it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from whit.errors import InvalidInput

LONGEST_NAME = 200

_NAME = 'Use a name such as "patients 2026".'
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z", flags=re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}")


def fields_of(tree: Any, *, needed: Iterable[str], allowed: Iterable[str] = ()) -> dict[str, Any]:
    """A table that has each field that is needed, and none beyond those that are allowed."""
    if not isinstance(tree, dict) or not set(needed) <= tree.keys() <= {*needed, *allowed}:
        raise ValueError(tree)
    return tree


def text_of(value: Any) -> str:
    """A text that can be written anywhere; JSON can also name halves of a letter, which no file takes."""
    if not isinstance(value, str):
        raise ValueError(value)
    value.encode("utf-8")
    return value


def texts_of(value: Any) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list):
        raise ValueError(value)
    return tuple(map(text_of, value))


def whole_of(value: Any, *, least: int = 0) -> int:
    """A whole number; neither true nor false, which Python takes for 1 and 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**62:
        raise ValueError(value)
    return value


def time_of(value: Any) -> str:
    """A time in UTC as the ledger writes it: two of them are in the order of their texts."""
    if not _TIME.fullmatch(text_of(value)):
        raise ValueError(value)
    datetime.fromisoformat(value)
    return text_of(value)


def time_text(at: datetime) -> str:
    """A time as the ledger writes it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def digest_of(value: Any) -> str:
    """A SHA-256 in hexadecimal."""
    if not _DIGEST.fullmatch(text_of(value)):
        raise ValueError(value)
    return text_of(value)


def named(what: str, name: object) -> str:
    """A name: one line of printable letters, not empty."""
    good = isinstance(name, str) and name == " ".join(name.split()) and 0 < len(name) <= LONGEST_NAME
    if not (good and isinstance(name, str) and name.isprintable()):
        raise InvalidInput(what, "must be a short name without blanks around it", name, _NAME)
    return name
