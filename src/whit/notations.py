"""Texts in JSON and in TOML as plain values, read in one place; and that each column of a table is there once.

Python's own readers take the last of two values with the same key, read 1e-400 as 0, which would be perfect privacy,
and work for hours on a key of a million names. Here each of these is refused with a sentence.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from whit.errors import InvalidInput

DEEPEST_JSON = 500
"""How many lists and tables may stand inside of each other: a composition may hold another one."""

DEEPEST_TOML = 50
"""The same in what people write."""

LONGEST_KEY = 30
"""The most names of a key with dots in TOML: the work of its reader grows with their cube."""

LONGEST_WHOLE = 4300
"""The most digits of a whole number, which is what Python writes out."""

_TOO_LONG = 10**LONGEST_WHOLE
_IS_ZERO = re.compile(r"[+-]?[0_.:]*(?:e.*)?", flags=re.IGNORECASE | re.DOTALL)
_TEXTS = re.compile(
    r'''"""(?:[^\\]|\\.)*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\#[^\n]*''',
    flags=re.DOTALL,
)
"""Texts and comments of TOML; one that does not end reaches to the end, so that no letter is looked at twice."""

_BETWEEN_KEYS = re.compile(r"[^\w.\t -]+")


def from_json(text: str | bytes, name: str, *, constant: Callable[[str], object] | None = None) -> Any:
    """The values of a JSON text; ValueError if it is none, and RecursionError if it has no end of lists.

    Args:
        text: the text.
        name: what it is, for a message.
        constant: what NaN and Infinity stand for, which are no JSON; the floats if not given.

    >>> from_json('{"epsilon": 1.5}', "the file")
    {'epsilon': 1.5}
    """

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        require_once(found := dict(pairs), [key for key, _ in pairs], name)
        return found

    found = json.loads(
        text, object_pairs_hook=once, parse_float=lambda digits: double(digits, name), parse_constant=constant
    )
    require_bounded(found, name, deepest=DEEPEST_JSON)
    return found


def from_toml(text: str, name: str, *, number: Callable[[str], Any] | None = None) -> dict[str, Any]:
    r"""The values of a TOML text; ValueError if it is none, and RecursionError if it has no end of lists.

    Args:
        text: the text.
        name: what it is, for a message.
        number: what a number with a point or an exponent becomes; a double if not given.

    >>> from_toml("[promise]\nrho = 0.5", "the file")
    {'promise': {'rho': 0.5}}
    """
    import tomllib  # costs as much as an answer, and most commands read no file

    if any(chunk.count(".") >= LONGEST_KEY for chunk in _BETWEEN_KEYS.split(_TEXTS.sub("x", text))):
        raise InvalidInput(name, f"must have keys of at most {LONGEST_KEY} names", "a longer one", "Shorten the key.")
    found = tomllib.loads(text, parse_float=number or (lambda digits: double(digits, name)))
    require_bounded(found, name, deepest=DEEPEST_TOML)
    return found


def double(digits: str, name: str) -> float:
    """The double nearest to a number as it is written; one that would become 0 or infinite is refused.

    >>> double("1e-300", "the file")
    1e-300
    """
    found = float(digits)
    require_held(digits, found, name)
    return found


def require_held(digits: str, found: float, name: str) -> None:
    """Refuse a number whose digits say something else than the 0 or the infinity that a double made of them."""
    too_small = found == 0.0 and not _IS_ZERO.fullmatch(digits)
    if too_small or (found in (float("inf"), float("-inf")) and any(map(str.isdigit, digits))):
        rule = "must have numbers that a double holds"
        raise InvalidInput(name, rule, digits, "Use 0, or a number from 1e-300 to 1e300.")


def require_once(found: Mapping[Any, object], keys: Sequence[object], name: str) -> None:
    """Refuse a table that kept fewer keys than were written: nobody can tell which of two values is meant."""
    if len(found) < len(keys):
        twice = next(key for key, times in Counter(keys).items() if times > 1)
        raise InvalidInput(name, "must have each key once in a table", f"{twice} again", "Leave out one of them.")


def require_columns_once(names: Iterable[str], name: str = "the table") -> None:
    """Refuse two columns of one name; capitals and blanks around it tell nothing apart, and no name is none."""
    first: dict[str, str] = {}
    for column in names:
        same = column.strip().casefold()
        if same and same in first:
            raise one_column(first[same], column, name)
        first[same] = column


def one_column(first: str, second: str, name: str = "the table") -> InvalidInput:
    """The error about two columns, one of which would be read and the other not."""
    found = f"{first} twice" if first == second else f"{first} and {second}"
    return InvalidInput(name, "must have each column once", found, "Rename one of them, or leave it out.")


def require_bounded(tree: object, name: str, *, deepest: int) -> None:
    """Refuse what is too deep for whoever walks through it, and whole numbers that nobody can write out."""
    level = [tree]
    for _ in range(deepest + 1):
        if any(isinstance(each, int) and abs(each) >= _TOO_LONG for each in level):
            rule = f"must have whole numbers of at most {LONGEST_WHOLE:,} digits"
            raise InvalidInput(name, rule, "a longer one", "Shorten the number.")
        inside = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level = [one for some in inside for one in some]
        if not level:
            return
    raise InvalidInput(name, f"must be nested at most {deepest} deep", "deeper", "Flatten it.")
