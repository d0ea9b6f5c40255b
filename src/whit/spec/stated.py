"""The values that a mechanism is stated with: read from options, texts and files, and written as a file again."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection
from dataclasses import MISSING, fields, replace
from typing import Any

from whit import guarantees, mechanisms
from whit.curves import Promise
from whit.errors import InvalidInput, NotImplied
from whit.mechanisms import Detail, Written
from whit.setting import Neighbours, Sensitivity
from whit.spec.given import Given, plain
from whit.spec.toml import Entry, read_text

NEIGHBOURS = {each.name.lower(): each for each in Neighbours}
"""The relations between datasets by their words."""

_ANSWERS = {"yes": True, "no": False, "true": True, "false": False}
_LIST = "Write numbers with blanks between them, or name a file of numbers such as strategy.csv."
_ROWS = 'Write rows with semicolons between them, such as "1 0; 0.5 1", or name a file such as strategy.csv.'
_FILE = re.compile(r"[/\\]|\.[A-Za-z]{2}\w*$")


def read(given: Given, details: Collection[Detail], *, head: str) -> dict[str, Any]:
    """The values that are given, by the names that the class has for them; what is needed beside the head is there."""
    for each in details:
        if each.needed and each.word not in given:
            rule = f"must be given with {given.key(head)}"
            first = each.meaning[:1] if each.meaning[1:2].isupper() else each.meaning[:1].lower()  # RAPPOR stays
            way_out = f"State {given.key(each.word)}: {first}{each.meaning[1:]}"
            said = given.source.said
            raise InvalidInput(given.place(each.word), said(rule), "nothing", said(way_out), parameter=each.word)
    return {each.name: value_of(given, each) for each in details if each.word in given}


def value_of(given: Given, detail: Detail) -> Any:
    """One value, or what its word stands for."""
    found = given.values[detail.word]
    if isinstance(found, str) and plain(found) in detail.words:
        return detail.words[plain(found)]
    return _READERS[detail.written](given, detail.word)


def _yes_or_no(given: Given, key: str) -> bool:
    found = given.values[key]
    return found if isinstance(found, bool) else given.word(key, _ANSWERS)


def _participation(given: Given, key: str) -> mechanisms.Participation:
    with given.placed(participation=key):
        return mechanisms.participation_of(given.words(key))


def _wholes(given: Given, key: str) -> int | list[int]:
    """One whole number, or several."""
    found = given.values[key]
    listed = found.split() if isinstance(found, str) else found if isinstance(found, list) else [found]
    numbers = [replace(given, values={key: each}).whole(key) for each in listed]
    return numbers[0] if len(numbers) == 1 else numbers


def _numbers(given: Given, key: str) -> list[float]:
    """A list of numbers: written out, or all those of a file."""
    found = given.values[key]
    if isinstance(found, str):
        text = _text(given, key, found)
        return [_number(given, key, each) for each in re.split(r"[,\s]+", text.strip())]
    return [_number(given, key, each) for each in (found if isinstance(found, list) else [found])]


def _rows(given: Given, key: str) -> list[list[float]]:
    """A table of numbers: written out, or a file with a line for each row."""
    found = given.values[key]
    if isinstance(found, str):
        lines = [line for line in re.split(r"[;\n]", _text(given, key, found)) if line.strip()]
        found = [re.split(r"[,\s]+", line.strip()) for line in lines]
    if not isinstance(found, list) or not found or not all(isinstance(row, list) for row in found):
        raise given.invalid(key, "must be rows of numbers", _ROWS)
    return [[_number(given, key, each) for each in row] for row in found]


def _text(given: Given, key: str, found: str) -> str:
    """The numbers of a text, or those of the file that it names: in a file, one that lies beside it."""
    if not _FILE.search(found.strip()):
        return found
    with given.placed(file=key):
        return read_text(found.strip(), beside=given.source.folder if isinstance(given.source, Entry) else None)


def _number(given: Given, key: str, value: object) -> float:
    """One of many numbers; only what is no ordinary double is looked at closely."""
    try:
        found = float(value) if isinstance(value, str) else 0.0
    except ValueError as wrong:
        raise given.invalid(key, "must be made of numbers", _LIST, value) from wrong
    if sys.float_info.min <= abs(found) <= sys.float_info.max:
        return found
    return replace(given, values={key: value}).number(key)


_READERS: dict[Written, Callable[[Given, str], Any]] = {
    Written.NUMBER: Given.number,
    Written.WHOLE: Given.whole,
    Written.WHOLES: _wholes,
    Written.YES_NO: _yes_or_no,
    Written.NUMBERS: _numbers,
    Written.ROWS: _rows,
    Written.NEIGHBOURS: lambda given, key: given.word(key, NEIGHBOURS),
    Written.PARTICIPATION: _participation,
}


def words_of(promise: Promise) -> dict[str, object]:
    """The names and values that state a promise in a file.

    >>> words_of(mechanisms.PoissonSubsampled(mechanisms.Gaussian(2.0), 0.1))
    {'gaussian': 2.0, 'sampling_rate': 0.1}
    """
    if isinstance(promise, mechanisms.FullChange):
        return {**words_of(promise.mechanism), "changes": "full"}
    within = mechanisms.inside(promise)
    if within is not None:
        return {**words_of(within), **_said(promise, type(promise).around.details)}  # type: ignore[attr-defined]
    details = mechanisms.stated_by(type(promise))
    if not details:
        rule, way_out = "have no words in options and files", "State it in Python, or state what it is made of."
        raise NotImplied("the parameters of this promise", rule, promise, way_out)
    return {**_said(promise, details), **_beside(promise)}


def _said(promise: Promise, details: Collection[Detail]) -> dict[str, object]:
    known: dict[str, Any] = mechanisms.arguments(promise)
    named: Any = promise
    usual = {each.name.removeprefix("stated_"): each.default for each in fields(named) if each.default is not MISSING}
    told = [each for each in details if each.needed or usual.get(each.name, MISSING) != known[each.name]]
    return {each.word: said for each in told if (said := _written(known[each.name], each)) is not None}


def _beside(promise: Promise) -> dict[str, object]:
    """The relation of a guarantee and the sensitivity of noise, where they are not the usual ones."""
    if isinstance(promise, guarantees.Guarantee) and promise.neighbours is not Neighbours.ADD_REMOVE:
        return {"neighbours": promise.neighbours.name.lower()}
    if isinstance(promise, mechanisms.AdditiveNoise) and promise.sensitivity != Sensitivity.count():
        change = promise.sensitivity
        return {"sensitivity": [list(change.add_remove), list(change.replace)]}
    return {}


def _written(value: object, detail: Detail) -> object:
    """A value as a file has it; nothing for one that is not set."""
    for word, meant in detail.words.items():
        if value == meant:
            return word
    if isinstance(value, mechanisms.Participation):
        return value.words
    if isinstance(value, Neighbours):
        return value.name.lower()
    if isinstance(value, tuple):
        return [list(each) if isinstance(each, tuple) else each for each in value]
    return value


def promise_to_toml(promise: Promise, *, releases: int = 1) -> str:
    """The table of a file that states a promise, and how many such releases there are.

    >>> print(promise_to_toml(mechanisms.Gaussian(2.0), releases=12))
    [promise]
    gaussian = 2.0
    releases = 12
    """
    import json  # costs as much as an answer, and few write files

    words = {**words_of(promise), **({} if releases == 1 else {"releases": releases})}
    return "\n".join(["[promise]", *(f"{name} = {json.dumps(value)}" for name, value in words.items())])
