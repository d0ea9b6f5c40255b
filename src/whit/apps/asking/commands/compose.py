"""`whit compose`: several promises of different kinds about the same people, taken together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from whit import spec
from whit.apps.asking.answers import Answers, Named, Table, Told, assumption_table, unanswered_code
from whit.apps.asking.commands.assess import form_inputs, start_of, who
from whit.apps.asking.fields import ADVERSARY, WHY, Field, Taken
from whit.apps.asking.hints import hint_of
from whit.apps.asking.request import Command, Promises, Request, names_of, noises_of, the_one_asker, told_apart
from whit.apps.asking.rows import MAY_BE_CERTAIN, capital, is_unbounded
from whit.apps.asking.scope import scope_notes
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import in_options, in_words
from whit.assessment import CERTAIN, Asked, Unanswered, Unbounded, in_a_sentence, in_short
from whit.errors import InvalidInput
from whit.theory import Answer, Direction, Unit, echo, number_text

QUESTIONS = ("posterior", "power")
"""What is asked of all together, and of each part, unless other questions are asked."""

DELTA = 1e-6
"""The delta at which epsilon is asked for if none is given."""

ALL = "all together"
"""What the promises are called as one."""

_SEVERAL = (
    'Give each with --promise: --promise "epsilon=1, delta=1e-6, releases=3" --promise "gaussian=2, '
    'sampling-rate=0.01, releases=1000", or --from FILE with several [[promise]].'
)
_READ = "The rows do not add up to the whole, because risks do not add up."
_TOO_MUCH_DELTA = (
    "No known upper bound: the deltas of these promises together are at least as large as the delta asked about. "
    "Ask with a larger --at-delta."
)
_TOO_LITTLE_NOISE = (
    "No known upper bound: no number up to 1.8e308, the largest double, is known to be an epsilon at the delta asked "
    "about. More noise or a larger --at-delta may give one."
)
_NO_ANSWER = "No question has an answer about all promises together; the reasons stand below the table."

_AT = {"epsilon": "at_delta", "delta": "at_epsilon"}
"""At what a point of the curve is asked for."""

AT_DELTA = Field("at_delta", "Epsilon is asked for at this delta; repeatable.", Taken.NUMBER, "NUMBER", many=True)
AT_EPSILON = Field(
    "at_epsilon", "An epsilon at which delta is asked for; repeatable.", Taken.NUMBER, "NUMBER", many=True
)


def answer(request: Request) -> Told:
    """What all promises permit together, and what each of them adds."""
    form = request.form
    if len(form.promises) < 2:
        raise InvalidInput("what is composed", "must be at least two promises", str(len(form.promises)), _SEVERAL)
    asker, together, points = the_one_asker(form), form.together, _points(request.values)
    with working("Composing"):
        parts = _parts(form).items()
        found = {name: [*_curve(each, points), *_asked(form, asker, each)] for name, each in parts}
    answers = tuple(Named(name, of, answer) for of, all_of_it in found.items() for name, answer in all_of_it)
    relation = in_words(together.neighbours)
    stated = {name: echo(each.together) for name, each in zip(told_apart(names_of(form)), form.promises, strict=True)}
    asked: dict[str, Any] = {"promises": stated, "neighbours": relation, **points, **form_inputs(form)}
    start = start_of(form, together, asker)
    said = _opening(start, found[ALL])
    notes = (
        _READ,
        *_moved(form),
        *scope_notes(together),
        *_reasons(found[ALL]),
        *_hints(form, found[ALL], points["at_delta"]),
    )
    told = Answers("compose", asked, answers, notes, {"opening": said})
    head = ("promises", *(_said(name) for name, _ in found[ALL]))
    rows = [(of, *(_cell(name, answer, start) for name, answer in all_of_it)) for of, all_of_it in found.items()]
    tables = [Table(head, rows, f"neighbours {relation}; {who(form, asker)}")]
    tables += _why(form, found[ALL]) if request.values["why"] else []
    return Told(told, f"{said}\n\nAsked of: {together.title}.", tuple(tables), notes, code=_code(request, told, start))


COMMAND = Command(
    "compose",
    answer,
    form=(*ADVERSARY, "failure", "sides", "level", "question"),
    own=(AT_DELTA, AT_EPSILON, WHY),
    promises=Promises.SEVERAL,
)
"""Several promises of different kinds about the same people, taken together."""


def _opening(start: Asked, whole: Sequence[tuple[str, Answer]]) -> str:
    """What all promises permit together, in one sentence: the first question that has an answer."""
    found = [(name, answer.worst) for name, answer in whole if "." not in name and answer.worst is not None]
    said = next(filter(None, (in_a_sentence(name, worst, start) for name, worst in found)), "")
    certain = any(is_unbounded(Named(name, ALL, answer), start) for name, answer in whole)
    return said or (CERTAIN if certain else _NO_ANSWER)


def _code(request: Request, told: Answers, start: Asked) -> int:
    """The exit code: whether what was asked for by name has an answer about all promises together."""
    by_name = {*request.form.asked.names, *(what for what in ("epsilon", "delta") if request.values.get(_AT[what]))}
    whole = [each for each in told.named if each.of == ALL]
    asked = [each for each in whole if each.name.partition(".")[0] in by_name] or whole
    return unanswered_code(replace(told, named=tuple(asked)), {"": start})


def _reasons(whole: Sequence[tuple[str, Answer]]) -> tuple[str, ...]:
    """Why questions about all promises together have no answer, each reason once."""
    found: dict[str, list[str]] = {}
    for name, answer in whole:
        if isinstance(answer, Unanswered):
            found.setdefault(answer.reason, []).append(_said(name))
    return tuple(f"No answer to {' and '.join(names)}: {capital(reason)}" for reason, names in found.items())


def _cell(name: str, answer: Answer, start: Asked) -> str:
    """The number with its direction; a delta of at most 0 is 0."""
    if is_unbounded(Named(name, ALL, answer), start):
        return MAY_BE_CERTAIN
    none = name.startswith("delta.") and answer.worst is not None and float(answer.worst) == 0.0
    return "0" if none else in_short(answer)


def _points(values: Mapping[str, Any]) -> dict[str, list[float]]:
    """The deltas and epsilons that are asked about."""
    at_delta, at_epsilon = (
        [spec.Given({name: each}).number(name) for each in values.get(name, ())] for name in ("at_delta", "at_epsilon")
    )
    return {"at_delta": at_delta or ([] if at_epsilon else [DELTA]), "at_epsilon": at_epsilon}


def _parts(form: spec.Form) -> dict[str, spec.Series]:
    """All promises together, each by itself, and all but each: every one of them under the neighbours of all."""
    names, relation = told_apart(names_of(form)), form.together.neighbours
    several = [each.under(relation) for each in form.promises]
    only = {f"only {name}": spec.together_of([each]) for name, each in zip(names, several, strict=True)}
    others = [[each for other, each in enumerate(several) if other != at] for at in range(len(several))]
    rest = {f"all but {name}": spec.together_of(each) for name, each in zip(names, others, strict=True)}
    return {ALL: form.together, **only, **(rest if len(several) > 2 else {})}


def _curve(series: spec.Series, points: dict[str, list[float]]) -> list[tuple[str, Answer]]:
    promise, relation = series.together, series.relation
    found: list[tuple[str, Answer]] = []
    found += [(f"epsilon.{_digits(at)}", promise.epsilon(at, neighbours=relation)) for at in points["at_delta"]]
    return found + [(f"delta.{_digits(at)}", promise.delta(at, neighbours=relation)) for at in points["at_epsilon"]]


def _asked(form: spec.Form, asker: spec.Asker, series: spec.Series) -> list[tuple[str, Answer]]:
    names = form.asked.names or QUESTIONS
    found = in_options(spec.assess_series(series, asker, replace(form.asked, names=names)))
    return [(name, getattr(found, name)) for name in names]


def _digits(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER, digits=15)


def _said(name: str) -> str:
    """A question in words: epsilon at its delta, and delta at its epsilon."""
    what, dot, at = name.partition(".")
    other = {"epsilon": "delta", "delta": "epsilon"}.get(what, "")
    return f"{what} at {other} {at}" if dot and other else name.replace("_", " ")


def _why(form: spec.Form, whole: Sequence[tuple[str, Answer]]) -> list[Table]:
    """The theorems that the answers about all together rest on, and what they assume."""
    rows = [(_said(name), ", ".join(each.worst.basis.theorems if each.worst else ())) for name, each in whole]
    named = [Named(_said(name).partition(" at ")[0], ALL, each) for name, each in whole]
    assumes = assumption_table(named, noises_of(form))
    return [Table(("question", "by"), rows, f"What the answers about {ALL} rest on"), assumes]


def _moved(form: spec.Form) -> tuple[str, ...]:
    """Which promises were stated under other neighbours than those of the rows."""
    relation = form.together.neighbours
    named = zip(told_apart(names_of(form)), form.promises, strict=True)
    moved = [f"{name} ({in_words(each.neighbours)})" for name, each in named if each.neighbours is not relation]
    return (
        f"Every row is under the neighbours {in_words(relation)}. Stated under others: {'; '.join(moved)}.",
    ) * bool(moved)


def _hints(form: spec.Form, whole: Sequence[tuple[str, Answer]], at_delta: Sequence[float]) -> tuple[str, ...]:
    """What to ask instead, where an answer rules nothing out."""
    found = {name: float(answer.worst) for name, answer in whole if answer.worst is not None}
    found |= {name: 1.0 for name, answer in whole if name == "posterior" and isinstance(answer, Unbounded)}
    who, together = [asker.adversary for asker in form.askers], form.together
    several = [each.under(together.neighbours) for each in form.promises]
    deltas = math.fsum(float(each.together.delta(math.inf, neighbours=each.relation)) for each in several)
    without = [at for at in at_delta if math.isinf(found[f"epsilon.{_digits(at)}"])]
    hints = list(dict.fromkeys(_TOO_MUCH_DELTA if at <= deltas else _TOO_LITTLE_NOISE for at in without))
    if found.get("posterior", 0.0) < 1.0:
        return tuple(hints)
    return (*hints, *hint_of(together.together, who, neighbours=together.relation, failure=form.asked.failure))
