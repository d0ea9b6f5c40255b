"""`whit plan`: what a set of queries reveals about one sensitive fact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whit import spec
from whit.apps.asking.answers import Answers, Named, Table, Told, named, question_tables
from whit.apps.asking.commands.assess import NO_ANSWER, form_inputs
from whit.apps.asking.commands.check import CODES, said_first, verdict_answers, verdict_table
from whit.apps.asking.fields import ADVERSARY, SHARED, WHY, Field, Taken, yes_no
from whit.apps.asking.hints import hint_of
from whit.apps.asking.request import Command, Request, the_one_asker
from whit.apps.asking.rows import cell, in_order
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import in_options
from whit.assessment import Asked, assess_one, in_a_sentence
from whit.audit import ExactAndNoisy
from whit.errors import NotImplied
from whit.plans import Exposure, Plan, costs, expose, left_by_invariants, recommend_scale
from whit.policy import Verdict, check

ASKED = ("posterior", "expected_posterior", "power", "advantage")
"""What is asked of the queries that a concern is exposed to."""


THEOREM = "noise-within-what-is-left"

TOGETHER = (
    "The bounds start from what is believed after the exact numbers. Where two datasets that agree on these differ in "
    f"several records, losses add up (theorem {THEOREM})."
)
"""What is said of exact and noisy releases together where the exact numbers are not known."""

MOST_KNOWN = 10
"""The most cells that are named with the sum that gives them."""

FEW = 10
"""So many kinds of queries are listed with their shares, even if nobody asked what they cost."""

FILE = Field("file", "The plan in TOML.", Taken.FILE, f"FILE|{spec.CENSUS}", argument=True, needed=True)
COSTS = yes_no("costs", f"List what each query costs, the most costly first. Up to {FEW} are listed without it.")


def answer(request: Request) -> Told:
    """Which queries touch a concern about one person, and what they reveal together."""
    concern = spec.Given({name: request.values[name] for name in spec.CONCERN if request.values.get(name)})
    with working("Reading the plan"):
        release = _plan(request.values["file"])
        exposure = expose(release, spec.concern_of(concern))
    with working("Composing the queries"):
        return _told(release, exposure, request)


def _told(release: Plan, exposure: Exposure, request: Request) -> Told:
    """What the queries reveal, and what to ask instead; of thousands of queries each of these takes seconds."""
    form, with_costs, wanted = request.form, request.values["costs"], request.form.requirements
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
    why = bool(request.values["why"])
    tables = question_tables(replace(answers, named=tuple(found)), asked={"": start}, why=why)
    tables += [_cost_table(exposure)] if with_costs or 0 < len(exposure.affected) <= FEW else []
    tables += [verdict_table(wanted, verdict)] if verdict is not None else []
    return Told(answers, opening, tuple(tables), notes, code=0 if verdict is None else CODES[verdict.outcome])


COMMAND = Command(
    "plan",
    answer,
    form=(*ADVERSARY, "failure", "sides", "level", "profile", "limit", "requirements"),
    own=(FILE, *(SHARED[name] for name in spec.CONCERN), COSTS, WHY),
)
"""What a set of queries reveals about one sensitive fact."""


def _plan(file: str | dict[str, str]) -> Plan:
    """The plan of a path, the one that comes with whit, or one whose text is at hand."""
    return spec.plan_named(file) if isinstance(file, str) else spec.plan_from_toml(file["text"], file["name"])


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
    adversary, relation = the_one_asker(form).adversary, exposure.neighbours
    return hint_of(exposure.release, [adversary], neighbours=relation, failure=form.asked.failure)


def _notes(release: Plan, exposure: Exposure) -> tuple[str, ...]:
    """What should be read with the answers."""
    number = f"{exposure.number} of {len(release.table)} queries reveal something about it."
    open_facts = (f"Not protected: {each.name}. {each.reason}" for each in exposure.unprotected)
    linked = (exposure.reading,) if exposure.depends_on_reading else ()
    return (number, *linked, *open_facts, *_without_noise(release))


def _without_noise(release: Plan) -> tuple[str, ...]:
    """What the exact numbers determine alone, and what they and the noise tell together."""
    if not release.unprotected:
        return ()
    if all(each.published is None for each in release.unprotected):
        return (TOGETHER,)
    found = left_by_invariants(release)
    known = [found.why(each.cell) for each in found.determined]
    number = f"{len(known)} of {len(found.open_cells)} cells that are not among them"
    said = [f"From the exact numbers alone {number} are known exactly.", *known[:MOST_KNOWN]]
    try:
        records = ExactAndNoisy(found, 0.0).records
        apart = f"Two tables that fit the exact numbers differ in at most {records} records, and so many losses add up"
        return (*said, f"{apart} (theorem {THEOREM}).")
    except NotImplied:
        return (*said, TOGETHER)


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
