"""`whit convert`: a promise as another kind, and the theorems that show it."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from enum import Enum
from typing import Any

from whit import spec
from whit.apps.asking.answers import Answers, Named, Table, Told, assumption_table, named
from whit.apps.asking.fields import WHY, Field, Taken, number, one_of, whole
from whit.apps.asking.request import Command, Promises, Request
from whit.apps.asking.rows import capital
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import answer_in_options, in_words
from whit.assessment import in_short, promise_name, views
from whit.curves import Promise
from whit.errors import InvalidInput
from whit.guarantees import (
    Conversion,
    Guarantee,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    RenyiDP,
    SemanticPrivacy,
    kinds,
)
from whit.guarantees import convert as converted
from whit.setting import Neighbours
from whit.theory import Direction, Finding, Quantity, Unit, echo, exact_text, number_text

KINDS: dict[str, type[Guarantee]] = {
    **{kind.parameter.kind: kind for kind in kinds()},
    "renyi": RenyiDP,
    "probabilistic": ProbabilisticDP,
    "bounded": ProbabilisticallyBoundedDP,
    "beliefs": SemanticPrivacy,
}
"""The kinds of promise by their words."""

ALL = "all"
"""The word for a table of every kind."""

RELATIONS = [word.replace("_", "-") for word in spec.NEIGHBOURS]
"""The relations between datasets by their words."""

_OR_RELATIONS = " or ".join(RELATIONS)

_NAMES = {"delta": "at_delta", "epsilon": "at_epsilon", "neighbours": "under"}


_POINT = re.compile(" at | of order ")

_FREE = ("at_delta", "at_epsilon", "sides", "orders", "failure", "population")

OWN = (
    replace(one_of("to", [*KINDS, ALL], f"One of {', '.join(KINDS)}; or {ALL}.", "WORD"), needed=True),
    number("at_delta", "The delta of the result."),
    number("at_epsilon", "The epsilon of the result."),
    Field("sides", "For probabilistic: 1 or 2. The default is 2.", Taken.WHOLE, "NUMBER", most=2),
    Field("orders", "For renyi: orders such as 2,8,32.", Taken.NUMBERS, "LIST"),
    number("failure", "For beliefs: the probability with which the statement may fail."),
    whole("population", "For beliefs: the number of people in the data.", "NUMBER"),
    one_of("under", RELATIONS, f"The neighbours of the result: {_OR_RELATIONS}.", "WORD"),
    replace(whole("group", "The number of records that the result protects together.", "NUMBER"), default=1),
    WHY,
)


def answer(request: Request) -> Told:
    """The best promise of another kind, and the theorems used."""
    series, given, kind = request.form.together, request.given, request.word("to", {**KINDS, ALL: ALL})
    parameters, group = _parameters(given), given.whole("group")
    under = given.word("under", spec.NEIGHBOURS) if "under" in given else None
    relation, why = under or series.relation, bool(request.values["why"])
    if kind == ALL:
        return _all(series.together if group == 1 else series.together.group(group), relation, parameters, why=why)
    with working("Converting"), given.placed(delta="at_delta", epsilon="at_epsilon"):
        found = converted(series.together, to=kind, neighbours=relation, group=group, **parameters)
    word = next(word for word, each in KINDS.items() if each is kind)
    asked = {"promise": echo(series.together), "to": word, "group": group, "under": under and _plain(under)}
    values = {name: _plain(value) for name, value in found.result.parameters.items()}
    steps = [str(step) for step in found.path]
    theorems = list(found.basis.theorems)
    result = {"promise": echo(found.result), "parameters": values, "steps": steps, "theorems": theorems}
    answers = Answers("convert", {**asked, **parameters}, notes=tuple(steps), result=result)
    rounded = _in_six_digits(found.result)
    rows = [[name, _shown_value(value)] for name, value in found.result.parameters.items() if value is not None]
    tables = [Table(("parameter", "value"), rows)]
    tables += [_assumed(word, series.together, relation, found)] if why else []
    notes = (*(f"By: {step}" for step in steps), *_resting_on(theorems))
    title = series.title if group == 1 else f"{series.title}, for a group of {group:,} records"
    return Told(answers, f"{_subject(title)} implies {promise_name(rounded)}.", tuple(tables), notes)


COMMAND = Command("convert", answer, own=OWN, promises=Promises.ONE, names=_NAMES)
"""A promise as another kind, and the theorems that show it."""


def _subject(title: str) -> str:
    """What is promised, at the head of a sentence.

    >>> _subject("Gaussian noise, sigma = 2"), _subject("mu = 1")
    ('Gaussian noise, sigma = 2,', 'mu = 1')
    """
    first = title.partition(",")[0]
    return f"{title if ' = ' in first else capital(title)}{',' if ',' in title else ''}"


def _resting_on(theorems: list[str]) -> tuple[str, ...]:
    """The keys of the theorems, and how each is shown."""
    return (f"Rests on: {', '.join(theorems)}. whit theorem {theorems[0]} shows the first.",) if theorems else ()


def _assumed(word: str, promise: Promise, relation: Neighbours | None, found: Conversion) -> Table:
    """What the conversion assumes."""
    inputs = {"promise": promise, "neighbours": promise.relation(relation)}
    numbers = [each for each in found.result.parameters.values() if isinstance(each, float)]
    one = Finding(Quantity(word, Unit.NUMBER), max(numbers, default=0.0), Direction.AT_MOST, inputs, found.basis)
    return assumption_table([Named(word, "", one)])


def _parameters(given: spec.Given) -> dict[str, Any]:
    """What the result must have, by the names of the library."""
    found: dict[str, Any] = {}
    for name in (each for each in _FREE if each in given):
        if name == "orders":
            listed = given.values[name]
            listed = (
                listed.replace(",", " ").split()
                if isinstance(listed, str)
                else listed
                if isinstance(listed, list)
                else [listed]
            )
            found[name] = [spec.Given({name: each}).number(name) for each in listed]
        elif name in ("sides", "population"):
            found[name] = given.whole(name, **({"most": 2} if name == "sides" else {}))
        else:
            found[name.removeprefix("at_")] = given.number(name)
    return found


def _all(promise: Promise, relation: Neighbours | None, parameters: dict[str, Any], *, why: bool) -> Told:
    """The promise as every kind has it, with the theorems of each."""
    for name in parameters.keys() - {"delta", "epsilon", "orders"}:
        raise InvalidInput(
            f"--{name}", f"does not apply to --to {ALL}", parameters[name], "Leave it out, or name one kind."
        )
    with working("Converting"):
        every = views(promise, neighbours=relation, **parameters)
    found = {name: answer_in_options(answer) for name, answer in every.items()}
    asked = {"promise": echo(promise), "to": ALL, **parameters}
    rows = [
        (name, in_short(answer), ", ".join(answer.worst.basis.theorems)) if answer.worst else (name, "none", "")
        for name, answer in found.items()
    ]
    answers = Answers("convert", asked, named(promise_name(promise), found.items()))
    table = Table(("kind", "value", "rests on"), rows, promise_name(promise))
    of_kinds = [replace(each, name=_POINT.split(each.name)[0]) for each in answers.named]
    return Told(answers, tables=(table, assumption_table(of_kinds)) if why else (table,))


def _in_six_digits(promise: Guarantee) -> Guarantee:
    """The promise with numbers of six digits, rounded up: it follows too, since larger is weaker."""
    parameters = {name: _up(value) for name, value in promise.parameters.items()}
    return type(promise)(**parameters)


def _up(value: Any) -> Any:
    """A parameter rounded up; what is no number stays."""
    if hasattr(value, "items"):
        return {order: _up(each) for order, each in value.items()}
    text = number_text(value, Direction.AT_MOST, Unit.NUMBER, digits=6) if isinstance(value, float) else ""
    return float(text) if text and math.isfinite(value) else value


def _shown_value(value: Any) -> str:
    """A parameter in a table."""
    if hasattr(value, "items"):
        return ", ".join(f"{_upper(each)} at order {order:g}" for order, each in value.items())
    if isinstance(value, Enum):
        return str(in_words(value))
    return exact_text(value, Unit.NUMBER, digits=6).removeprefix("exactly ") if isinstance(value, float) else str(value)


def _upper(value: float) -> str:
    return number_text(value, Direction.AT_MOST, Unit.NUMBER, digits=6)


def _plain(value: Any) -> Any:
    """A parameter as JSON has it."""
    if isinstance(value, float | int | str):
        return value
    if hasattr(value, "items"):
        return {str(key): each for key, each in value.items()}
    return getattr(value, "name", str(value))
