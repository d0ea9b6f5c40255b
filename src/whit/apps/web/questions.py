"""Questions as pages: values in an address, the answer that `asking` gives, or what is wrong with them and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import Response

from whit import spec
from whit.apps.asking import Named, Told, ask
from whit.apps.web.apart import apart
from whit.apps.web.problems import problem, status_of, told
from whit.apps.web.rendering import is_json, page
from whit.apps.web.workers import workers_of
from whit.assessment import in_short
from whit.errors import WhitError
from whit.theory import Basis, assumption, theorem

CLOSED = frozenset(("epsilon", "delta", "rho", "mu", "gaussian"))
"""The words of promises for which any number of releases is a closed form."""

SLOW = frozenset(("laplace", "geometric", "discrete_gaussian"))
"""The words of noise whose releases are composed by numbers."""

_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")


class Support(NamedTuple):
    """What a number rests on: its name and text, the theorems with their titles, the assumptions in plain sentences."""

    name: str
    text: str
    theorems: tuple[tuple[str, str], ...]
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class Answered:
    """An answer, or what is wrong: the field and its sentence.

    Attributes:
        told: the answer; none if something is wrong.
        supports: what each number of the answer rests on.
        errors: what is wrong, by field; the field is empty where it is about none.
        status: the status of the page.
    """

    told: Told | None = None
    supports: tuple[Support, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    status: int = 200

    @classmethod
    def of(cls, told: Told) -> Answered:
        """An answer with what its numbers rest on."""
        return cls(told, tuple(supports(told.answers.named)))


def values_in(request: Request, names: Iterable[str], defaults: Mapping[str, str]) -> dict[str, str]:
    """The values of an address by name, empty where there is none; the defaults if the address has no question."""
    if not request.query_params:
        return {name: defaults.get(name, "") for name in names}
    return {name: request.query_params.get(name, "").strip() for name in names}


def answered(
    request: Request,
    command: str,
    values: Mapping[str, object],
    *,
    fields: Mapping[str, str] | None = None,
    called: Mapping[str, str] | None = None,
) -> Answered:
    """The answer of a command, worked out in a process that can be killed: a ready one, or its own where it takes long.

    Args:
        request: the request, for the processes and the limits of the application.
        command: the command.
        values: its values by name.
        fields: the fields of the form by the names of the values, where they differ.
        called: what errors call a field, where that is not the name of the value.
    """
    try:
        if is_slow(values):
            return apart(answered_here, command, dict(values), limits=request.app.state.settings.limits)
        return workers_of(request).run(answered_here, command, dict(values))
    except WhitError as wrong:
        return refused(wrong, fields, called)


def answered_here(command: str, values: Mapping[str, object]) -> Answered:
    """The answer of a command to somebody elsewhere: no value names a file of this machine."""
    with spec.without_files():
        return Answered.of(ask(command, values))


def refused(
    wrong: WhitError, fields: Mapping[str, str] | None = None, called: Mapping[str, str] | None = None
) -> Answered:
    """An error as what is wrong with a form."""
    field = (fields or {}).get(wrong.parameter, wrong.parameter)
    if called and field in called and plain(wrong.name).replace(" ", "_") == wrong.parameter:
        wrong = wrong.renamed(called[field])
    return Answered(errors=((field, plain(str(wrong))),), status=status_of(wrong))


def plain(text: str) -> str:
    """A sentence of the command line in the words of a form.

    >>> plain("--prior must be a probability; got 2. Use --prior 0.02.")
    'prior must be a probability; got 2. Use prior 0.02.'
    """
    return _OPTION.sub(lambda found: found[1].replace("-", " "), text)


def is_slow(values: Mapping[str, object]) -> bool:
    """Whether an answer may take long: a claim, a profile by a table, or noise without a closed form, several times."""
    stated = values.get("profile")
    if isinstance(stated, list) and any("table" in each for each in stated):
        return True
    words = {*values, str(values.get("for", "")).replace("-", "_")}
    many = any(str(values.get(name, "1")) not in ("", "1") for name in ("releases", "block"))
    return "claim" in words or "discrete_gaussian" in words or (many and bool(SLOW & words))


def supports(named: Sequence[Named]) -> Iterable[Support]:
    """What each number of some answers rests on; where there are several sorts of them, each says what it is of."""
    several = len({each.of for each in named}) > 1
    for each in named:
        found = each.answer.worst
        if found is not None:
            name = f"{each.name.replace('_', ' ').replace('.', ', ')}: {in_short(each.answer)}"
            yield support(f"{name} ({each.of})" if several else name, str(found), found.basis)


def support(name: str, text: str, basis: Basis) -> Support:
    """What one number rests on."""
    keys = tuple((key, theorem(key).title) for key in basis.theorems)
    assumed = dict.fromkeys(one for key, _ in keys for one in theorem(key).assumptions)
    return Support(name, text, keys, tuple(str(assumption(one).plain) for one in assumed))


def question_page(
    request: Request, template: str, found: Answered, asked: Mapping[str, Any], **values: Any
) -> Response:
    """The page of a question with its answer or its errors; as JSON the document of the answer, or the problem."""
    if found.errors and is_json(request):
        field, sentence = found.errors[0]
        return told(request, found.status, sentence, field=field)
    document: Mapping[str, Any] = {}
    if is_json(request):
        document = found.told.answers.document() if found.told else problem(found.status, "")
    shown = {"asked": asked, "told": found.told, "supports": found.supports, "errors": found.errors}
    return page(request, template, document, status=found.status, **shown, **values)
