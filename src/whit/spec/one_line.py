"""Names and values in one line of text, such as epsilon=1, delta=1e-6."""

from __future__ import annotations

import re
from itertools import takewhile

from whit.errors import InvalidInput
from whit.spec.given import Given, Text, plain

_GROUP = re.compile(r"\d{3}\s*")
_UNPARTED = re.compile(r"(?<=[^,;\s])(?:\s*;\s*|\s+)(?=[A-Za-z][\w-]*\s*=)")
_SEMICOLON = re.compile(r"\s*;\s*(?=[A-Za-z][\w-]*\s*=)")
_WITH_COMMA = re.compile(r"(\s*[A-Za-z][\w-]*\s*=\s*[+-]?\d+),(\d+\s*%?\s*)")
_PAIRS = 'Write it as "name=value", several with commas between them, such as "{}".'
_SUCH = {"a limit": "posterior=0.3, prior=0.1", "a profile": "relative=4, absolute=0.2"}


def pairs(what: str, text: str) -> Given:
    """The names and values of a text.

    >>> dict(pairs("a promise", "epsilon=17.14, delta=1e-10").values)
    {'epsilon': '17.14', 'delta': '1e-10'}
    """
    _require_points(what, text)
    found: dict[str, object] = {}
    given = Given(found, Text(text))
    parts = text.split(",")
    for at, part in enumerate(parts):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise _no_pair(what, given, parts[at:])
        if plain(name) != "name" and _UNPARTED.search(value):
            parted = _UNPARTED.sub(", ", text.strip())
            raise InvalidInput(what, "must have a comma between its parts", text, f'Write "{parted}".')
        if plain(name) in given:
            raise InvalidInput(given.place(plain(name)), "must be given once", text, "Leave out one of them.")
        found[plain(name)] = value
    return given


def _require_points(what: str, text: str) -> None:
    """Refuse what is written as in German: commas in the numbers, and semicolons between the parts.

    >>> pairs("a limit", "posterior=0,3; prior=0,1")
    Traceback (most recent call last):
    whit.errors.InvalidInput: a limit must have points in its numbers and commas between its parts; \
got posterior=0,3; prior=0,1. Write "posterior=0.3, prior=0.1".
    """
    parts = _SEMICOLON.split(text)
    whole = all("," not in part or _WITH_COMMA.fullmatch(part) for part in parts)
    if len(parts) > 1 and whole and any("," in part for part in parts):
        rule = "must have points in its numbers and commas between its parts"
        meant = ", ".join(_WITH_COMMA.sub(r"\1.\2", part).strip() for part in parts)
        raise InvalidInput(what, rule, text, f'Write "{meant}".')


def _no_pair(what: str, given: Given, rest: list[str]) -> InvalidInput:
    """Why the first of these parts is no name with its value: it may be the rest of a number such as 20,000."""
    last, written = (list(given.values.items()) or [("", "")])[-1]
    groups = list(takewhile(_GROUP.fullmatch, rest))
    if groups and re.fullmatch(r"\d{1,3}", str(written)):
        number = ",".join((str(written), *groups)).strip()
        return given.invalid(last, "must be a number without commas", f"Write {number.replace(',', '')}.", number)
    if re.fullmatch(r"[+-]?\d+", str(written)) and re.fullmatch(r"\d+\s*", rest[0]):
        way_out = f"Write {written}.{rest[0].strip()}."
        return given.invalid(last, "must be a number with a point", way_out, f"{written},{rest[0].strip()}")
    return InvalidInput(
        what,
        "must be made of name=value",
        rest[0].strip() or "nothing between two commas",
        _PAIRS.format(_SUCH.get(what, "epsilon=1, delta=1e-6")),
    )
