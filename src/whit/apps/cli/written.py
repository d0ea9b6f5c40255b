"""`name=value, name=value`: how a promise, a profile or a limit is written in one option, and what its values mean."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from whit.errors import InvalidInput

Given = Mapping[str, object]
"""Parameters by name, as they were written: text from an option, numbers and lists from a file."""

_PAIRS = 'Write it as "name=value", several with commas between them, such as "epsilon=1, delta=1e-6".'


def pairs(what: str, text: str) -> dict[str, object]:
    """The names and values of a text.

    >>> pairs("the promise", "epsilon=17.14, delta=1e-10")
    {'epsilon': '17.14', 'delta': '1e-10'}
    """
    found: dict[str, object] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise InvalidInput(what, "must be made of name=value", repr(text), _PAIRS)
        if plain(name) in found:
            raise InvalidInput(what, f"must give {name} once", repr(text), "Leave out one of them.")
        found[plain(name)] = value
    return found


def plain(name: str) -> str:
    """The name with hyphens and underscores made one."""
    return name.strip().lower().replace("-", "_")


def shown(name: str) -> str:
    """The name as options have it."""
    return name.replace("_", "-")


def require_known(what: str, given: Collection[str], known: Collection[str]) -> None:
    """Refuse a name that nobody knows, and say which was perhaps meant."""
    for name in given:
        if name not in known:
            raise unknown(what, name, known)


def unknown(what: str, name: str, known: Collection[str]) -> InvalidInput:
    """The error about a name that nobody knows."""
    import difflib  # only a mistake needs it

    near = difflib.get_close_matches(plain(name), known, n=1)
    meant = f"Perhaps {shown(near[0])} is meant." if near else f"Use {', '.join(map(shown, known))}."
    return InvalidInput(what, f"does not know the name {shown(name)}", shown(name), meant)


def number(name: str, value: object) -> float:
    """One number; infinity and what is no number are refused.

    >>> number("epsilon", "17.14")
    17.14
    """
    try:
        found = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        found = math.nan
    if math.isfinite(found):
        return found
    raise InvalidInput(shown(name), "must be a number", repr(value), "Use a number such as 0.5 or 1e-6.")


def whole(name: str, value: object) -> int:
    """One whole number of at least 1."""
    found = number(name, value)
    if found >= 1 and found == int(found):
        return int(found)
    raise InvalidInput(shown(name), "must be a whole number of at least 1", repr(value), "Use a number such as 12.")


def span(name: str, value: object) -> tuple[float, float]:
    """Two numbers, written as 0.1..0.6 or as a list; one number is both ends.

    >>> span("inclusion", "0.1..0.6")
    (0.1, 0.6)
    """
    ends = value.split("..") if isinstance(value, str) else value if isinstance(value, list) else [value]
    if len(ends) not in (1, 2):
        raise InvalidInput(shown(name), "must be a number or a range", repr(value), "Use 0.1 or 0.1..0.6.")
    return number(name, ends[0]), number(name, ends[-1])
