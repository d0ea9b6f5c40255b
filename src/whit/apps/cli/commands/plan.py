"""`whit plan`: what a set of queries reveals about one sensitive fact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
from click.shell_completion import CompletionItem

from whit import spec
from whit.apps.cli.commands.assess import NO_ANSWER, form_inputs, hint_of
from whit.apps.cli.commands.check import CODES, said_first, verdict_answers, verdict_table
from whit.apps.cli.options import ADVERSARY, Command, a_file, filled_in, json_option, shared, the_one_asker
from whit.apps.cli.output import Answers, Named, Table, in_options, named, question_tables, tell, working
from whit.apps.cli.rows import cell, in_order
from whit.assessment import Asked, assess_one, in_a_sentence
from whit.plans import Exposure, Plan, costs, expose, recommend_scale
from whit.policy import Verdict, check

ASKED = ("posterior", "expected_posterior", "power", "advantage")
"""What is asked of the queries that a concern is exposed to."""


def _a_plan(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What the shell completes: the plan that comes with whit, else the name of a file."""
    known = [CompletionItem(spec.CENSUS)] if spec.CENSUS.startswith(incomplete) else []
    return known or a_file(ctx, param, incomplete)


@click.command(cls=Command, short_help="What a set of queries reveals about one sensitive fact.")
@click.argument("file", metavar=f"FILE|{spec.CENSUS}", shell_complete=_a_plan)
@shared(*spec.CONCERN)
@filled_in(*ADVERSARY, "failure", "sides", "level", "profile", "limit", "requirements", promises=False)
@click.option("--costs", "with_costs", is_flag=True, help="List what each query costs, the most costly first.")
@json_option
def plan(file: str, form: spec.Form, with_costs: bool, as_json: bool, **options: Any) -> None:
    """Show which queries touch a concern about one person, and what they reveal together.

    FILE is a plan in TOML. With --limit or --profile the plan is also checked, with the exit codes of `whit check`, and
    whit finds the factor on all noise with which it just meets them.
    """
    concern = spec.Given({name.rstrip("_"): value for name, value in options.items() if value})
    with working("Reading the plan"):
        release, wanted = spec.plan_named(file), form.requirements
        exposure = expose(release, spec.concern_of(concern))
    with working("Composing the queries"):
        found = [*_answers(exposure, form), *_factors(release, exposure, form)]
        verdict = _verdict(exposure, form) if wanted else None
    asked: dict[str, Any] = {"plan": release.name, "concern": str(exposure.concern), **form_inputs(form)}
    result: dict[str, Any] = {"queries": exposure.number, "of": len(release.table)}
    result |= {"costs": [str(each) for each in costs(exposure)]} if with_costs else {}
    hints, notes = _hints(exposure, form, found), _notes(release, exposure)
    answers = Answers("plan", asked, tuple(found), (*hints, *notes), result)
    if verdict is not None:
        decided = verdict_answers("plan", asked, str(exposure.concern), wanted, verdict)
        answers = replace(answers, named=(*found, *decided.named), result={**result, **decided.result})
    start = _start(exposure, form)
    said = [said_first(wanted, verdict)] if verdict is not None else []
    opening = " ".join([*said, _opening(found, start), *hints]) + f"\n\nAsked of: {release.name}, {exposure.concern}."
    tables = question_tables(replace(answers, named=tuple(found)), asked={"": start})
    tables += [_cost_table(exposure)] if with_costs else []
    tables += [verdict_table(wanted, verdict)] if verdict is not None else []
    tell(answers if as_json else replace(answers, notes=notes), *tables, as_json=as_json, opening=opening)
    if verdict is not None:
        click.get_current_context().exit(CODES[verdict.outcome])


def _start(exposure: Exposure, form: spec.Form) -> Asked:
    """What the answers start from."""
    return Asked(the_one_asker(form).adversary.prior, form.asked.level, None, exposure.neighbours)


def _opening(found: list[Named], start: Asked) -> str:
    """The posterior in one sentence; where it has no bound, the most useful answer that has one."""
    for each in in_order([one for one in found if one.name in ASKED]):
        if each.answer.worst is not None:
            return in_a_sentence(each.name, each.answer.worst, start)
    return NO_ANSWER


def _hints(exposure: Exposure, form: spec.Form, found: list[Named]) -> tuple[str, ...]:
    """What to ask instead, where only certainty bounds the belief."""
    [posterior] = [each.answer.worst for each in found if each.name == "posterior"]
    if posterior is None or float(posterior) < 1.0:
        return ()
    return hint_of(exposure.release, exposure.neighbours, form.asked.failure)


def _notes(release: Plan, exposure: Exposure) -> tuple[str, ...]:
    """What should be read with the answers."""
    number = f"{exposure.number} of {len(release.table)} queries reveal something about it."
    open_facts = (f"Not protected: {each.name}. {each.reason}" for each in exposure.unprotected)
    return (number, exposure.reading, *open_facts)


def _cost_table(exposure: Exposure) -> Table:
    """What each query costs."""
    rows = [[each.queries.names, each.queries.kind.level, cell(each.share)] for each in costs(exposure)]
    return Table(("query", "level", "share of rho"), rows)


def _answers(exposure: Exposure, form: spec.Form) -> list[Named]:
    """The rho that the concern is exposed to, and the questions put to the noise of its queries."""
    adversary, asked = the_one_asker(form).adversary, {**form.asked.options, "questions": ASKED}
    found = in_options(assess_one(exposure.release, adversary, neighbours=exposure.neighbours, **asked))
    of = str(exposure.concern)
    return [Named("rho", of, exposure.rho), *named(of, found)]


def _factors(plan: Plan, exposure: Exposure, form: spec.Form) -> list[Named]:
    """The factor on all noise with which the plan just meets each limit or profile."""
    wanted: tuple[tuple[str, Any], ...] = (*form.requirements.profiles, *form.requirements.limits)
    asked = form.asked
    scales = [
        recommend_scale(plan, {exposure.concern: each}, failure=asked.failure, sides=asked.sides) for _, each in wanted
    ]
    return [Named("factor", str(exposure.concern), scale.factor) for scale in scales]


def _verdict(exposure: Exposure, form: spec.Form) -> Verdict:
    """Whether the noise of the queries meets every limit and profile."""
    wanted, asked = [each for _, each in form.requirements.named], form.asked
    relation = exposure.neighbours
    return check(exposure.release, wanted, failure=asked.failure, sides=asked.sides, neighbours=relation)
