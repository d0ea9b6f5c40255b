"""`whit check`: whether a release meets limits and risk profiles, for pipelines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from whit import spec
from whit.apps.asking.answers import Answers, Named, Table, Told
from whit.apps.asking.audits import cell_tree
from whit.apps.asking.codes import NO_ANSWER
from whit.apps.asking.fields import REQUIREMENTS, yes_no
from whit.apps.asking.hints import HINTED, NOT_ALWAYS, has_no_bound
from whit.apps.asking.request import INSIDE, Command, Promises, Request, required
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import sentence
from whit.apps.asking.trees import verdict_tree, wanted_trees
from whit.audit import cell_text
from whit.policy import Outcome, Verdict, worst_of
from whit.policy.tables import Audited, audited
from whit.theory import NEARLY_CERTAIN, echo

CODES = {Outcome.KEPT: 0, Outcome.BROKEN: 1, Outcome.OPEN: NO_ANSWER}
"""The exit code of each outcome."""


MOST_CELLS = 20
"""The most cells of a table that are named; JSON has all of them."""

REMEDY = yes_no("remedy", "Find the parameter with which such a release meets each of them.")


def answer(request: Request) -> Told:
    """The verdict, what decides it, and a row for each limit or profile."""
    form = request.form
    series, wanted, asked = form.together, required(form), form.asked
    with working("Checking"):
        verdict = spec.check_series(series, wanted, asked, remedy=request.values["remedy"])
        hint = _hint(form, wanted, verdict)
    audit = _table(form)
    echoed: dict[str, Any] = {"promise": echo(series.together), "wanted": wanted_trees(wanted)}
    echoed |= {"failure": asked.failure, "sides": asked.sides}
    answers = verdict_answers("check", echoed, series.title, wanted, verdict)
    answers = replace(answers, notes=(*answers.notes, *hint))
    opening = f"{said_first(wanted, verdict)}\n\nAsked of: {series.title}."
    told = Told(answers, opening, (verdict_table(wanted, verdict),), answers.notes, code=CODES[verdict.outcome])
    return told if audit is None else _with_table(told, verdict.outcome, *audit)


def _table(form: spec.Form) -> tuple[spec.AuditRead, Audited] | None:
    """The table without noise that the file names, audited as `whit audit` does it."""
    with working("Auditing the table"):
        return None if form.table is None else (form.table, audited(form.table.task))


def _with_table(told: Told, noisy: Outcome, read: spec.AuditRead, found: Audited) -> Told:
    """The answer with the outcome of the table without noise; the worse of both decides."""
    worst = worst_of([noisy, found.outcome])
    said = f"The table {read.name}, which has no noise: {found.headline}"
    opening = f"{worst.value}. {said}\nWith noise: {told.opening}"
    failing = (*found.failing, *found.unshown)
    shown = [(f"{read.name}: {cell_text(each.cell)}", each.outcome.value, each.why) for each in failing[:MOST_CELLS]]
    rest = len(failing) - len(shown)
    notes = (*told.notes, *([f"{rest} further cells are listed by whit audit {read.name}."] if rest else []))
    table = Table(("cell", "verdict", "why"), shown or [(read.name, found.outcome.value, found.headline)])
    tree = {"file": read.name, "outcome": found.outcome.name, "cells": [cell_tree(read, each) for each in found.found]}
    outcome = {"outcome": worst.name, "verdict": worst.value, "kept": worst is Outcome.KEPT}
    answers = replace(told.answers, notes=notes, result={**told.answers.result, **outcome, "audit": tree})
    return replace(told, answers=answers, opening=opening, tables=(*told.tables, table), notes=notes, code=CODES[worst])


COMMAND = Command(
    "check", answer, form=(*REQUIREMENTS, "failure", "sides"), own=(REMEDY,), promises=Promises.ONE, inside=INSIDE
)
"""Whether a release meets limits and risk profiles."""


def _hint(form: spec.Form, wanted: spec.Requirements, verdict: Verdict) -> tuple[str, ...]:
    """That a failure probability helps, where nothing always holds and more is allowed or known with one."""
    series, failure = form.together, form.asked.failure
    if verdict.outcome is not Outcome.BROKEN or not has_no_bound(
        series.together, neighbours=series.relation, failure=failure
    ):
        return ()
    again = spec.check_series(series, wanted, replace(form.asked, failure=HINTED))
    better = any(_says_more(after, before) for after, before in zip(again.parts, verdict.parts, strict=True))
    return (NOT_ALWAYS,) if better else ()


def _says_more(after: Verdict, before: Verdict) -> bool:
    """Whether a failure allows what was not, or leaves a bound that rules something out where there was none."""
    if after.kept is True or before.number is None or after.number is None:
        return after.kept is True and before.kept is not True
    return float(after.number) < float(NEARLY_CERTAIN) * float(before.number)


def said_first(wanted: spec.Requirements, verdict: Verdict) -> str:
    """The verdict in one sentence, with what decides it."""
    named = kinds_of(wanted)
    deciding = [(text, part) for text, part in _parts(wanted, verdict) if part.outcome is verdict.outcome]
    if verdict.outcome is Outcome.BROKEN:
        return f"{verdict.outcome.value}: the release {_over(named, deciding)}."
    which = _listed(named, (text for text, _ in deciding))
    if verdict.outcome is Outcome.OPEN:
        rest = f"whit can prove neither that the release meets {which} nor that it does not"
    else:
        rest = f"the release meets {which}"
    return f"{verdict.outcome.value}: {rest}."


def _over(named: dict[str, str], deciding: list[tuple[str, Verdict]]) -> str:
    """What a release exceeds, and what it may exceed, since only a bound on its risk does."""
    exceeded = [text for text, part in deciding if part.exceeds]
    possibly = [text for text, part in deciding if not part.exceeds and text not in exceeded]
    each = (("exceeds", exceeded), ("may exceed", possibly))
    return ", and ".join(f"{verb} {_listed(named, some)}" for verb, some in each if some)


def _listed(named: dict[str, str], texts: Iterable[str]) -> str:
    """What is accepted, each once: a range of priors is two limits."""
    return " and ".join(f"{named[text]} {text}" for text in dict.fromkeys(texts))


def kinds_of(wanted: spec.Requirements) -> dict[str, str]:
    """What each text that states something acceptable is: a profile, a limit, or a total."""
    groups = {"the profile": wanted.profiles, "the limit": wanted.limits, "the total": wanted.promises}
    return {text: kind for kind, some in groups.items() for text, _ in some}


def verdict_answers(
    command: str, asked: dict[str, Any], of: str, wanted: spec.Requirements, verdict: Verdict
) -> Answers:
    """The verdict as answers: the numbers that decide, and the whole of it."""
    parts = _parts(wanted, verdict)
    numbers = tuple(Named(text, of, part.number) for text, part in parts if part.number is not None)
    remedies = [f"{text}: {part.remedy.headline}." for text, part in parts if part.remedy is not None]
    trees = [verdict_tree(part) for part in verdict.parts]
    outcome = {"outcome": verdict.outcome.name, "verdict": verdict.outcome.value, "kept": verdict.kept}
    return Answers(command, asked, numbers, (*remedies, *verdict.notices), {**outcome, "parts": trees})


def verdict_table(wanted: spec.Requirements, verdict: Verdict, title: str = "") -> Table:
    """A row for each limit or profile."""
    rows = [(text, part.outcome.value, _why(part)) for text, part in _parts(wanted, verdict)]
    return Table(("limit or profile", "verdict", "why"), rows, title)


def _parts(wanted: spec.Requirements, verdict: Verdict) -> list[tuple[str, Verdict]]:
    """The verdict on each limit or profile, by how it was written."""
    return [(text, part) for (text, _), part in zip(wanted.named, verdict.parts, strict=True)]


def _why(part: Verdict) -> str:
    """The reason; where whit has no answer, also what to ask instead."""
    if part.cause is None:
        return part.reason
    said = sentence(COMMAND.in_own_names(part.cause))
    return said[:1].upper() + said[1:]
