"""`whit compare`: several promises side by side."""

from __future__ import annotations

from dataclasses import replace

from whit import spec
from whit.apps.asking.answers import Answers, Table, Told, named, unanswered_code
from whit.apps.asking.commands.assess import form_inputs, who
from whit.apps.asking.fields import ADVERSARY
from whit.apps.asking.hints import NOT_ALWAYS, hint_of
from whit.apps.asking.request import Command, Promises, Request, names_of
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import in_options
from whit.assessment import Comparison
from whit.assessment import compare as compared
from whit.errors import InvalidInput
from whit.theory import echo

_SEVERAL = 'Give --promise "epsilon=1" --promise "rho=0.1", or --from FILE with several [[promise]].'


def answer(request: Request) -> Told:
    """The same questions put to several promises, one line each."""
    form = request.form
    if not form.promises:
        raise InvalidInput("what is compared", "must be at least one promise", "none", _SEVERAL)
    if "worst_prior" in form.asked.names:
        raise InvalidInput("--question", "must be one number to compare by", "worst-prior", "Leave it out.")
    promises = dict(zip(names_of(form), form.promises, strict=True))
    if len(promises) < len(form.promises):
        raise InvalidInput("names of promises", "must differ", ", ".join(names_of(form)), 'Add "name=..." to one.')
    with working("Comparing"):
        found = {asker: _comparison(form, asker, promises) for asker in form.askers}
    asked = {"promises": {name: echo(each.together) for name, each in promises.items()}, **form_inputs(form)}
    answers = tuple(
        each
        for asker, one in found.items()
        for row in one
        for each in named(row.name, zip(one.questions, one.answers(row), strict=True), by=asker.name)
    )
    notices = tuple(dict.fromkeys(one.notice for one in found.values() if one.notice))
    told = Answers("compare", asked, answers, (*notices, *_hints(form, found)))
    tables = tuple(_table(form, asker, one) for asker, one in found.items())
    return Told(told, tables=tables, notes=told.notes, code=unanswered_code(told))


COMMAND = Command(
    "compare",
    answer,
    form=(*ADVERSARY, "baseline", "failure", "sides", "level", "question"),
    promises=Promises.SEVERAL,
)
"""The same questions put to several promises."""


def _hints(form: spec.Form, found: dict[spec.Asker, Comparison]) -> tuple[str, ...]:
    """What to ask instead, where only certainty bounds the belief that a promise allows."""
    posteriors = [row.answers.posterior.worst for one in found.values() for row in one]
    if all(each is None or float(each) < 1.0 for each in posteriors):
        return ()
    who, failure = [asker.adversary for asker in form.askers], form.asked.failure
    hints = [hint_of(each.together, who, neighbours=each.relation, failure=failure) for each in form.promises]
    return (NOT_ALWAYS,) if (NOT_ALWAYS,) in hints else next((hint for hint in hints if hint), ())


def _comparison(form: spec.Form, asker: spec.Asker, promises: dict[str, spec.Series]) -> Comparison:
    """The comparison that one adversary asks for, with its reasons in the words of the command line."""
    found = compared(
        {name: each.together for name, each in promises.items()},
        asker.adversary,
        neighbours={name: each.relation for name, each in promises.items()},
        **form.asked.options,
    )
    return replace(found, rows=tuple(replace(row, answers=in_options(row.answers)) for row in found))


def _table(form: spec.Form, asker: spec.Asker, found: Comparison) -> Table:
    return Table(*found.cells(), f"{asker.name}: {who(form, asker)}" if asker.name else who(form, asker))
