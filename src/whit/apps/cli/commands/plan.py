"""`whit plan`: what many queries together leave somebody with a concern."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from whit import spec
from whit.apps.cli.commands.assess import form_inputs
from whit.apps.cli.commands.check import CODES, SAID, verdict_answers, verdict_table
from whit.apps.cli.options import ADVERSARY, Command, filled_in, json_option, shared, the_one_asker
from whit.apps.cli.output import Answers, Named, in_options, named, question_tables, say, show, tell, working
from whit.assessment import assess_one
from whit.plans import Exposure, Plan, costs, expose, recommend_scale
from whit.policy import Verdict, check

ASKED = ("posterior", "expected_posterior", "power", "advantage")
"""What is asked of the queries that a concern is exposed to."""


@click.command(cls=Command, short_help="What a set of queries tells about one concern.")
@click.argument("file", metavar=f"FILE|{spec.CENSUS}")
@shared(*spec.CONCERN)
@filled_in(*ADVERSARY, "failure", "sides", "level", "profile", "limit", "requirements", promises=False)
@click.option("--costs", "with_costs", is_flag=True, help="Also list what each query costs, the most costly first.")
@json_option
def plan(file: str, form: spec.Form, with_costs: bool, as_json: bool, **options: Any) -> None:
    """Which queries somebody with a concern is exposed to, and what these tell together.

    FILE is a plan in TOML. With --limit or --profile it is checked too, with the exit codes of `whit check`, and the
    factor on all noise that would just keep to it is found.
    """
    concern = spec.Given({name.rstrip("_"): value for name, value in options.items() if value})
    with working("Reading the plan"):
        release, wanted = spec.plan_named(file), form.requirements
        exposure = expose(release, spec.concern_of(concern))
    with working("Composing the queries"):
        found = [*_answers(exposure, form), *_factors(release, exposure, form)]
        verdict = _verdict(exposure, form) if wanted else None
    notes = [f"{exposure.number} of {len(release.table)} queries tell something about it.", exposure.reading]
    notes += [f"Not protected: {each.name} ({each.reason})." for each in exposure.unprotected]
    asked: dict[str, Any] = {"plan": release.name, "concern": str(exposure.concern), **form_inputs(form)}
    result: dict[str, Any] = {"queries": exposure.number, "of": len(release.table)}
    result |= {"costs": [str(each) for each in costs(exposure)]} if with_costs else {}
    answers = Answers("plan", asked, tuple(found), tuple(notes), result)
    if verdict is not None:
        decided = verdict_answers("plan", asked, str(exposure.concern), wanted, verdict)
        answers = replace(answers, named=(*found, *decided.named), result={**result, **decided.result})
    title = f"{release.name}: {exposure.concern}"
    tables = question_tables(replace(answers, named=tuple(found)), {"": title})
    tell(answers, *tables, as_json=as_json)
    if with_costs and not as_json:
        say("")
        rows = [[each.queries.names, each.queries.kind.level, str(each.share)] for each in costs(exposure)]
        show(("query", "level", "cost"), rows)
    if verdict is None:
        return
    if not as_json:
        show(*verdict_table(wanted, verdict))
        say(SAID[verdict.outcome])
    click.get_current_context().exit(CODES[verdict.outcome])


def _answers(exposure: Exposure, form: spec.Form) -> list[Named]:
    """The rho that the concern is exposed to, and the questions put to the noise of its queries."""
    adversary, asked = the_one_asker(form).adversary, {**form.asked.options, "questions": ASKED}
    found = in_options(assess_one(exposure.release, adversary, neighbours=exposure.neighbours, **asked))
    of = str(exposure.concern)
    return [Named("rho", of, exposure.rho), *named(of, found)]


def _factors(plan: Plan, exposure: Exposure, form: spec.Form) -> list[Named]:
    """The factor on all noise that just keeps to each thing that is acceptable."""
    wanted: tuple[tuple[str, Any], ...] = (*form.requirements.profiles, *form.requirements.limits)
    asked = form.asked
    scales = [
        recommend_scale(plan, {exposure.concern: each}, failure=asked.failure, sides=asked.sides) for _, each in wanted
    ]
    return [Named("factor", str(exposure.concern), scale.factor) for scale in scales]


def _verdict(exposure: Exposure, form: spec.Form) -> Verdict:
    """Whether the noise of the queries keeps to all that is acceptable."""
    wanted, asked = [each for _, each in form.requirements.named], form.asked
    relation = exposure.neighbours
    return check(exposure.release, wanted, failure=asked.failure, sides=asked.sides, neighbours=relation)
