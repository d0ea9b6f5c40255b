"""`whit check`: whether a release meets limits and risk profiles, for pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

# The ledger and the words of reports are loaded for a file that needs them.
from whit import ledger, spec, telling
from whit.apps.asking.answers import Answers, Named, Table, Told
from whit.apps.asking.audits import cell_tree
from whit.apps.asking.codes import NO_ANSWER
from whit.apps.asking.fields import REQUIREMENTS, yes_no
from whit.apps.asking.hints import HINTED, NOT_ALWAYS, has_no_bound
from whit.apps.asking.request import INSIDE, Command, Promises, Request, required
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import sentence
from whit.apps.asking.trees import raised_tree, remedy_tree, verdict_tree, wanted_trees
from whit.audit import cell_text
from whit.policy import Outcome, Verdict, worst_of
from whit.policy.tables import Audited, audited
from whit.theory import NEARLY_CERTAIN, echo

CODES = {Outcome.KEPT: 0, Outcome.BROKEN: 1, Outcome.OPEN: NO_ANSWER}
"""The exit code of each outcome."""


MOST_CELLS = 20
"""The most cells of a table that are named; JSON has all of them."""

NONE_ALONE = "No parameter of one promise alone would do"
"""What is said where several promises exceed a limit and no parameter of one of them helps."""

NOT_SEARCHED = (
    "Several promises exceed it together: whit recommend --from FILE finds the noise that all of them need, "
    "and with --for NAME the parameter of one of them."
)
"""What is said where the search would take too long."""

NOT_ALONE = "The parameter of one promise alone was not looked for: whit recommend --from FILE --for NAME finds it."
"""What is said where the noise of all was looked for, and that of each would take too long."""

NO_BOUND = "This release has no bound on beliefs that always holds, so a report refuses the file as it is."
"""What is said of a file that states no failure probability and needs one."""

REMEDY = yes_no("remedy", "Find the parameter with which such a release meets each of them.")


def answer(request: Request) -> Told:
    """The verdict, what decides it, and a row for each limit or profile."""
    form = request.form
    series, wanted, asked = form.together, required(form), form.asked
    with working("Checking"):
        verdict = spec.check_series(series, wanted, asked, remedy=request.values["remedy"])
        hint = _hint(form, wanted, verdict, is_file="from" in request.values)
        remedies = _remedies(form, wanted, verdict) if request.values["remedy"] else Beside()
    audit, account = _table(form), form.account
    echoed: dict[str, Any] = {"promise": echo(series.together), "wanted": wanted_trees(wanted)}
    echoed |= {"failure": asked.failure, "sides": asked.sides}
    answers = verdict_answers("check", echoed, series.title, wanted, verdict)
    result = {**answers.result, **remedies.tree}
    answers = replace(answers, notes=(*remedies.notes, *answers.notes, *hint), result=result)
    opening = f"{said_first(wanted, verdict)}\n\nAsked of: {series.title}."
    told = Told(answers, opening, (verdict_table(wanted, verdict),), answers.notes, code=CODES[verdict.outcome])
    told = told if audit is None else _with_table(told, verdict.outcome, *audit)
    return told if account is None else _with_account(told, form, account)


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
    answers = replace(told.answers, notes=notes, result={**told.answers.result, **_outcome_tree(worst), "audit": tree})
    return replace(told, answers=answers, opening=opening, tables=(*told.tables, table), notes=notes, code=CODES[worst])


def _with_account(told: Told, form: spec.Form, account: spec.LedgerAccount) -> Told:
    """The answer with what the ledger says: a release that has no room there is not allowed."""
    series, result = form.together, told.answers.result
    with working("Reading the ledger"):
        refusal = ledger.planned_refusal(account, form.about, series.together)
    if refusal is None:
        notes = (*told.notes, f"It fits account {account.account} of the ledger.")
        answers = replace(told.answers, notes=notes, result={**result, "ledger": ledger.fit_tree(refusal)})
        return replace(told, answers=answers, notes=notes)
    said = f"{Outcome.BROKEN.value}: the release does not fit the ledger: it {refusal.rule}."
    opening = f"{said}\nBy the limits of the file: {told.opening}"
    notes = (*told.notes, f"{refusal.way_out}{refusal.fitting(series)}")
    result = {**result, **_outcome_tree(Outcome.BROKEN), "ledger": ledger.fit_tree(refusal)}
    answers = replace(told.answers, notes=notes, result=result)
    return replace(told, answers=answers, opening=opening, notes=notes, code=CODES[Outcome.BROKEN])


def _outcome_tree(outcome: Outcome) -> dict[str, Any]:
    """The outcome as a document has it: its name, its word, and whether it is kept."""
    return {"outcome": outcome.name, "verdict": outcome.value, "kept": outcome is Outcome.KEPT}


COMMAND = Command(
    "check", answer, form=(*REQUIREMENTS, "failure", "sides"), own=(REMEDY,), promises=Promises.SEVERAL, inside=INSIDE
)
"""Whether a release meets limits and risk profiles."""


class Beside(NamedTuple):
    """What is said of the parameter of one of several promises, with the others as they are."""

    notes: tuple[str, ...] = ()
    tree: Mapping[str, Any] = {}


def _remedies(form: spec.Form, wanted: spec.Requirements, verdict: Verdict) -> Beside:
    """The parameter of each of several promises that would do alone, as reports say it."""
    stated = form.promises
    if len(stated) < 2 or verdict.outcome is not Outcome.BROKEN:
        return Beside()
    if not spec.are_raised(stated):
        return Beside((NOT_SEARCHED,))
    found, raised = spec.remedies_of(stated, wanted, form.asked), spec.raised_quickly(stated, wanted, form.asked)
    tree: dict[str, Any] = {"remedies": [{"promise": at + 1, **remedy_tree(each)} for at, each in found.items()]}
    tree |= {} if raised is None else {"remedy_of_all": raised_tree(raised)}
    if not spec.are_searched(stated):
        return Beside((*telling.remedy_sentences(stated, found, raised), NOT_ALONE), tree)
    alone = () if telling.remedy_sentences(stated, found) else (_none_alone(form, wanted),)
    return Beside((*telling.remedy_sentences(stated, found, raised), *alone), tree)


def _none_alone(form: spec.Form, wanted: spec.Requirements) -> str:
    """That no parameter of one promise would do, and which of them could be left out instead."""
    left = spec.without_one(form.promises, wanted, form.asked)
    kept = [each.called(at) for at, each in enumerate(form.promises, start=1) if left[at - 1] is Outcome.KEPT]
    if not kept:
        return f"{NONE_ALONE}, and leaving one out would not do either."
    return f"{NONE_ALONE}. It would do to leave out {' or '.join(kept)}."


def _hint(form: spec.Form, wanted: spec.Requirements, verdict: Verdict, *, is_file: bool) -> tuple[str, ...]:
    """That a failure probability helps, where nothing always holds and more is allowed or known with one."""
    series, failure = form.together, form.asked.failure
    if verdict.kept or not has_no_bound(series.together, neighbours=series.relation, failure=failure):
        return ()
    if verdict.outcome is Outcome.OPEN:  # of a whole file, in the words with which a report refuses it
        stated = any("failure" in each for each in form.questions)
        return () if stated or not is_file else (f"{NO_BOUND} {spec.WRITE_FAILURE}",)
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
    remedies = [f"{text}: {part.remedy.advice}." for text, part in parts if part.remedy is not None]
    trees = [verdict_tree(part) for part in verdict.parts]
    return Answers(
        command, asked, numbers, (*remedies, *verdict.notices), {**_outcome_tree(verdict.outcome), "parts": trees}
    )


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
