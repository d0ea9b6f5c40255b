"""The values of a command as a schema: names, types, words and ranges, as the grammar reads them."""

from __future__ import annotations

from typing import Any

from whit import mechanisms, spec
from whit.apps.asking.fields import Field, Taken
from whit.apps.asking.request import Command, Promises
from whit.mechanisms import Detail, Written

Schema = dict[str, Any]

_WRITTEN = r"^\s*[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d+)?\s*"
TEXT: Schema = {"type": "string", "minLength": 1, "maxLength": spec.LONGEST_TEXT}
NUMBER: Schema = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": f"{_WRITTEN}$"}]}
CHANCE: Schema = {
    "anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string", "pattern": f"{_WRITTEN}%?\\s*$"}]
}
NUMBERS: Schema = {"anyOf": [{"type": "array", "items": NUMBER, "minItems": 1}, NUMBER, TEXT]}
ROWS: Schema = {"anyOf": [{"type": "array", "items": {"type": "array", "items": NUMBER}, "minItems": 1}, TEXT]}
FILE: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
_CELLS: Schema = {"anyOf": [{"type": "number"}, {"type": "array", "items": {"type": "number"}, "minItems": 1}]}
CHANGE: Schema = {"anyOf": [{"type": "number"}, {"type": "array", "items": _CELLS, "minItems": 2, "maxItems": 2}, TEXT]}
SPAN: Schema = {"anyOf": [{"type": "array", "items": CHANCE, "minItems": 1, "maxItems": 2}, CHANCE, TEXT]}
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
        return whole(field.most)
    if field.taken is Taken.TERMS:
        ref = {"$ref": f"#/$defs/{TERMS[field.name]}"} if field.name in TERMS else {"type": "object"}
        return {"anyOf": [TEXT, ref]}
    if field.taken is Taken.FILE:
        return {"anyOf": [FILE, TEXT]}
    simple = {Taken.YES_NO: {"type": "boolean"}, Taken.CHANGE: CHANGE, Taken.NUMBERS: NUMBERS, Taken.TEXT: TEXT}
    words: Schema = {"enum": list(field.words)}
    return words if field.taken is Taken.WORD else simple[field.taken]


def whole(most: int | None = None) -> Schema:
    """The schema of a whole number of at least 1."""
    return {
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": most or spec.MOST},
            {"type": "string", "pattern": r"^\s*\d+\s*$"},
        ]
    }


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
    wholes: Schema = {"anyOf": [whole(), {"type": "array", "items": whole(), "minItems": 1}, TEXT]}
    neighbours: Schema = {"enum": [word.replace("_", "-") for word in spec.NEIGHBOURS]}
    return {
        Written.NUMBER: number,
        Written.WHOLE: whole(),
        Written.WHOLES: wholes,
        Written.YES_NO: {"type": "boolean"},
        Written.NUMBERS: NUMBERS,
        Written.ROWS: ROWS,
        Written.NEIGHBOURS: neighbours,
        Written.PARTICIPATION: TEXT,
    }[detail.written]


def term_schemas(command: Command) -> dict[str, Schema]:
    """The schemas of promises, limits and profiles that a request may have as tables."""
    used = {TERMS[each.name] for each in command.fields if each.taken is Taken.TERMS and each.name in TERMS}
    return {name: made() for name, made in _MADE.items() if name in used}


def _table(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(sorted(properties.items())), "additionalProperties": False}


def _promise() -> Schema:
    neighbours: Schema = {"enum": [word.replace("_", "-") for word in spec.NEIGHBOURS]}
    beside = {"noise": TEXT, "sensitivity": CHANGE, "changes": {"enum": list(spec.CHANGES)}, "name": TEXT}
    return _table({**details(), **beside, "neighbours": neighbours, "releases": whole()})


def _limit() -> Schema:
    numbers = {name: NUMBER if name == "ratio" else CHANCE for name in spec.LIMITS}
    who: dict[str, Schema] = {"knows": _words(spec.KNOWS), "when": _words(spec.WHEN), "block": whole()}
    return _table({**numbers, "prior": SPAN, "level": CHANCE, "baseline": CHANCE, **who})


def _profile() -> Schema:
    heads = {"relative": NUMBER, "absolute": CHANCE, "difference": CHANCE, "table": {"anyOf": [ROWS, TEXT]}}
    return _table({**heads, "inclusion": SPAN, "value": SPAN})


def _words(words: Any) -> Schema:
    return {"enum": [spelled for word in words for spelled in dict.fromkeys((word.replace("_", "-"), word))]}


_MADE = {"promise": _promise, "limit": _limit, "profile": _profile}
