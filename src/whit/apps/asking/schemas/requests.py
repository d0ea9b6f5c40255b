"""The values of a command as a schema: names, types, words and ranges, as the grammar reads them."""

from __future__ import annotations

import json
import re
from typing import Any

from whit import mechanisms, spec
from whit.apps.asking.fields import Field, Taken
from whit.apps.asking.request import Command, Promises
from whit.mechanisms import Detail, Written

Schema = dict[str, Any]

_WRITTEN = r"^\s*[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d+)?\s*"
TEXT, NUMBER, CHANCE, NUMBERS, ROWS, FILE, CHANGE, SPAN, WHOLE, NEIGHBOURS = (
    {"$ref": f"#/$defs/{name}"}
    for name in ("text", "number", "chance", "numbers", "rows", "file", "change", "span", "whole", "neighbours")
)


def _either(*several: Schema) -> Schema:
    return {"anyOf": list(several)}


def _list_of(items: Schema, **more: int) -> Schema:
    return {"type": "array", "items": items, "minItems": 1, **more}


BASIC: dict[str, Schema] = {
    "text": {"type": "string", "minLength": 1, "maxLength": spec.LONGEST_TEXT},
    "number": _either({"type": "number"}, {"type": "string", "pattern": f"{_WRITTEN}$"}),
    "chance": _either(
        {"type": "number", "minimum": 0, "maximum": 1}, {"type": "string", "pattern": f"{_WRITTEN}%?\\s*$"}
    ),
    "whole": _either(
        {"type": "integer", "minimum": 1, "maximum": spec.MOST}, {"type": "string", "pattern": r"^\s*\d+\s*$"}
    ),
    "numbers": _either(_list_of(NUMBER), NUMBER, TEXT),
    "rows": _either(_list_of(_list_of(NUMBER)), TEXT),
    "span": _either(_list_of(CHANCE, maxItems=2), CHANCE, TEXT),
    "change": _either(
        {"type": "number"},
        {
            "type": "array",
            "items": _either({"type": "number"}, _list_of({"type": "number"})),
            "minItems": 2,
            "maxItems": 2,
        },
        TEXT,
    ),
    "neighbours": {"enum": [word.replace("_", "-") for word in spec.NEIGHBOURS]},
    "file": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
        "required": ["text"],
        "additionalProperties": False,
    },
}
"""What values are made of, by name."""

TERMS = {"limit": "limit", "profile": "profile", "promise": "promise", "keeping": "promise", "spent": "promise"}
"""What each value that is made of name=value states."""


def request_schema(command: Command) -> Schema:
    """The schema of what may be asked of a command."""
    own = {each.name: field_schema(each) for each in command.fields}
    stated = {} if command.promises is Promises.NONE else details(whole=command.promises is not Promises.LIKE)
    properties = {**stated, **own}
    needed = [each.name for each in command.fields if each.needed]
    return {
        "type": "object",
        "properties": dict(sorted(properties.items())),
        "required": needed,
        "additionalProperties": False,
    }


def field_schema(field: Field) -> Schema:
    """The schema of one value."""
    one = _one(field)
    several: Schema = {"anyOf": [{"type": "array", "items": one}, one]} if field.many else one
    default = {} if field.default is None else {"default": field.default}
    return {"description": field.meaning, **several, **default}


def _one(field: Field) -> Schema:
    if field.taken is Taken.NUMBER:
        return CHANCE if field.name in spec.PROBABILITIES else NUMBER
    if field.taken is Taken.WHOLE:
        return WHOLE if field.most is None else {"type": "integer", "minimum": 1, "maximum": field.most}
    if field.taken is Taken.TERMS:
        ref = {"$ref": f"#/$defs/{TERMS[field.name]}"} if field.name in TERMS else {"type": "object"}
        return {"anyOf": [TEXT, ref]}
    if field.taken is Taken.FILE:
        return {"anyOf": [FILE, TEXT]}
    simple = {Taken.YES_NO: {"type": "boolean"}, Taken.CHANGE: CHANGE, Taken.NUMBERS: NUMBERS, Taken.TEXT: TEXT}
    words: Schema = {"enum": list(field.words)}
    return words if field.taken is Taken.WORD else simple[field.taken]


def details(*, whole: bool = True) -> Schema:
    """The words of every kind of promise, and of what is made of it; without the head of each kind if not whole."""
    stated = [mechanisms.stated_by(kind)[0 if whole else 1 :] for kind in spec.kinds()]
    around = [each.around.details for each in spec.layers(mechanisms.AROUND)]
    found: dict[str, list[Detail]] = {}
    for each in (each for some in (*stated, *around) for each in some):
        found.setdefault(each.word, []).append(each)
    return {word: _detail(several) for word, several in found.items()}


def _detail(several: list[Detail]) -> Schema:
    """One word: kinds may give it different meanings."""
    schemas: list[Schema] = []
    for each in several:
        words = [{"enum": [word.replace("_", "-") for word in each.words]}] if each.words else []
        for one in (*words, _written(each)):
            schemas += [] if one in schemas else [one]
    meanings = list(dict.fromkeys(each.meaning for each in several))
    return {"description": " Or: ".join(meanings), **({"anyOf": schemas} if len(schemas) > 1 else schemas[0])}


def _written(detail: Detail) -> Schema:
    number = CHANCE if detail.word in spec.PROBABILITIES else NUMBER
    wholes: Schema = {"anyOf": [WHOLE, {"type": "array", "items": WHOLE, "minItems": 1}, TEXT]}
    return {
        Written.NUMBER: number,
        Written.WHOLE: WHOLE,
        Written.WHOLES: wholes,
        Written.YES_NO: {"type": "boolean"},
        Written.NUMBERS: NUMBERS,
        Written.ROWS: ROWS,
        Written.NEIGHBOURS: NEIGHBOURS,
        Written.PARTICIPATION: TEXT,
    }[detail.written]


def term_schemas(command: Command) -> dict[str, Schema]:
    """The schemas of promises, limits and profiles that a request may have as tables."""
    terms = {TERMS[each.name] for each in command.fields if each.taken is Taken.TERMS and each.name in TERMS}
    return {name: made() for name, made in _MADE.items() if name in terms}


def basic_schemas(*schemas: Schema) -> dict[str, Schema]:
    """What schemas are made of, by name: all that they refer to."""
    found: dict[str, Schema] = {}
    left = set(re.findall(r"#/\$defs/(\w+)", json.dumps(schemas))) & BASIC.keys()
    while left:
        name = left.pop()
        found[name] = BASIC[name]
        left |= set(re.findall(r"#/\$defs/(\w+)", json.dumps(BASIC[name]))) - found.keys()
    return dict(sorted(found.items()))


def _table(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(sorted(properties.items())), "additionalProperties": False}


def _promise() -> Schema:
    beside = {"noise": TEXT, "sensitivity": CHANGE, "changes": {"enum": list(spec.CHANGES)}, "name": TEXT}
    return _table({**details(), **beside, "neighbours": NEIGHBOURS, "releases": WHOLE})


def _limit() -> Schema:
    numbers = {name: NUMBER if name == "ratio" else CHANCE for name in spec.LIMITS}
    who: dict[str, Schema] = {"knows": _words(spec.KNOWS), "when": _words(spec.WHEN), "block": WHOLE}
    return _table({**numbers, "prior": SPAN, "level": CHANCE, "baseline": CHANCE, **who})


def _profile() -> Schema:
    heads = {"relative": NUMBER, "absolute": CHANCE, "difference": CHANCE, "table": {"anyOf": [ROWS, TEXT]}}
    return _table({**heads, "inclusion": SPAN, "value": SPAN})


def _words(words: Any) -> Schema:
    return {"enum": [spelled for word in words for spelled in dict.fromkeys((word.replace("_", "-"), word))]}


_MADE = {"promise": _promise, "limit": _limit, "profile": _profile}
