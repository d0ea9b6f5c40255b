"""Values of a request from a body of JSON or from a query; a file comes as its text, never as a path of the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from whit import spec
from whit.apps.asking import Command, Taken
from whit.errors import InvalidInput
from whit.notations import from_json

DEEPEST = 8
"""How many lists and tables may stand inside of each other."""

LONGEST = 100_000
"""The most values in one request."""

_JSON = 'Send an object such as {"epsilon": 1}.'
_UPLOAD = 'Send the file itself: {"name": "release.toml", "text": "..."}.'


def from_body(body: bytes) -> dict[str, Any]:
    """The values of a body: one JSON object, neither deep nor long, of text that can be written again."""
    try:
        found = from_json(body.decode("utf-8"), "the body", constant=_no_number)
    except InvalidInput:
        raise
    except RecursionError as deep:
        raise InvalidInput("the body", "must not be nested without end", "deep nesting", _JSON) from deep
    except ValueError as wrong:
        raise InvalidInput("the body", "must be JSON in UTF-8", "something else", _JSON) from wrong
    if not isinstance(found, dict):
        raise InvalidInput("the body", "must be one JSON object", type(found).__name__, _JSON)
    _require_plain(found)
    return found


def from_query(command: Command, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The values of a query; a name that may be given once is refused twice."""
    many = {each.name for each in command.fields if each.many}
    found: dict[str, Any] = {}
    for key, value in pairs:
        name = key.replace("-", "_")
        if name in many:
            found.setdefault(name, []).append(value)
        elif name in found:
            raise InvalidInput(key, "must be given once", "two of them", "Leave out one of them.", parameter=name)
        else:
            found[name] = value
    _require_plain(found)
    return found


def require_no_paths(command: Command, values: Mapping[str, Any]) -> None:
    """Refuse the path of a file: what is on the server is nobody's to name."""
    for each in command.fields:
        value = values.get(each.name)
        if each.taken is Taken.FILE and isinstance(value, str) and value != spec.CENSUS:
            raise InvalidInput(each.name, "must be the text of a file here", value, _UPLOAD, parameter=each.name)


def _no_number(text: str) -> NoReturn:
    raise InvalidInput("the body", "must have finite numbers", text, "Leave the value out, or use a number.")


def _require_plain(tree: object) -> None:
    """Refuse what is deep or long, and text with half a character in it, which no answer could repeat."""
    level, counted = [tree], 0
    for _ in range(DEEPEST):
        counted += len(level)
        if counted > LONGEST:
            raise InvalidInput("the body", f"must have at most {LONGEST:,} values", "more", "Send fewer.")
        texts = [each for each in level if isinstance(each, str)]
        if not all(map(_is_whole, texts)):
            raise InvalidInput("the body", "must be made of whole characters", "half of one", "Correct the text.")
        inside = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        names = [name for each in level if isinstance(each, dict) for name in each]
        level = [*names, *(one for some in inside for one in some)]
        if not level:
            return
    raise InvalidInput("the body", f"must be nested at most {DEEPEST} deep", "more", "Flatten it.")


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)
