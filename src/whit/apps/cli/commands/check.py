"""`whit check`: whether a promise keeps to profiles and limits, for pipelines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from whit import spec
from whit.apps.cli.commands.assess import not_always
from whit.apps.cli.group import NO_ANSWER
from whit.apps.cli.options import REQUIREMENTS, PromiseCommand, filled_in, json_option, required
from whit.apps.cli.output import Answers, Named, Table, sentence, tell, working
from whit.policy import Outcome, Verdict
from whit.policy import check as decided

CODES = {Outcome.KEPT: 0, Outcome.BROKEN: 1, Outcome.OPEN: NO_ANSWER}
"""The exit code of each outcome."""

SAID = {Outcome.KEPT: "Kept.", Outcome.BROKEN: "Not kept.", Outcome.OPEN: "Open: not shown either way."}
"""The outcome of all together, in words."""


@click.command(cls=PromiseCommand, short_help="Whether a promise keeps to profiles and limits: exit code 0, 1 or 3.")
@filled_in(*REQUIREMENTS, "failure", "sides")
@click.option("--remedy", is_flag=True, help="Also find the parameter with which such a release keeps to each of them.")
@json_option
def check(form: spec.Form, remedy: bool, as_json: bool) -> None:
    """Exit code 0 if a promise keeps to all that you accept, 1 if it does not, 3 if neither is shown.

    What you accept are the limits and profiles of the options, of --requirements FILE and of --from FILE, all of them.
    A plan is checked by `whit plan` with the same exit codes.
    """
    series, wanted, asked = form.series, required(form), form.asked
    with working("Checking"):
        verdict = decided(
            series.one,
            [requirement for _, requirement in wanted.named],
            releases=series.releases,
            failure=asked.failure,
            sides=asked.sides,
            neighbours=series.relation,
            remedy=remedy,
        )
    echoed: dict[str, Any] = {"promise": repr(series.together), "wanted": [text for text, _ in wanted.named]}
    echoed |= {"failure": asked.failure, "sides": asked.sides}
    answers = verdict_answers("check", echoed, repr(series.together), wanted, verdict)
    hint = not_always(form) if verdict.outcome is Outcome.BROKEN else ()
    answers = replace(answers, notes=(*answers.notes[:-1], *hint, *answers.notes[-1:]))
    tell(answers, verdict_table(wanted, verdict, series.title), as_json=as_json)
    click.get_current_context().exit(CODES[verdict.outcome])


def verdict_answers(
    command: str, asked: dict[str, Any], of: str, wanted: spec.Requirements, verdict: Verdict
) -> Answers:
    """The verdict as answers: the numbers that decide, and the whole of it."""
    parts = _parts(wanted, verdict)
    numbers = tuple(Named(text, of, part.number) for text, part in parts if part.number is not None)
    remedies = [f"{text}: {part.remedy.parameter}." for text, part in parts if part.remedy is not None]
    trees = [part.to_dict() for part in verdict.parts]
    result = {"outcome": verdict.outcome.name, "kept": verdict.kept, "parts": trees}
    return Answers(command, asked, numbers, (*remedies, *verdict.notices, SAID[verdict.outcome]), result)


def verdict_table(wanted: spec.Requirements, verdict: Verdict, title: str = "") -> Table:
    """A row for each thing that must hold."""
    rows = [(text, part.outcome.value, _why(part)) for text, part in _parts(wanted, verdict)]
    return Table(("what must hold", "verdict", "why"), rows, title)


def _parts(wanted: spec.Requirements, verdict: Verdict) -> list[tuple[str, Verdict]]:
    """What is decided of each thing that must hold, by how it was written."""
    return [(text, part) for (text, _), part in zip(wanted.named, verdict.parts, strict=True)]


def _why(part: Verdict) -> str:
    """The reason; where there is no answer, also what would have one."""
    if part.cause is None:
        return part.reason
    said = sentence(part.cause)
    return said[:1].upper() + said[1:]
