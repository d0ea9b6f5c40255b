"""`whit assess`: what one promise lets one adversary learn."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import click

from whit import spec
from whit.apps.cli.options import ADVERSARY, PromiseCommand, filled_in, json_option
from whit.apps.cli.output import Answers, end_unanswered, in_options, named, question_tables, tell, working
from whit.assessment import Assessment, people_beyond
from whit.curves import largest_loss
from whit.setting import Knowledge, When

NOT_ALWAYS = "No bound below 1 holds always; ask with --failure 0.01 for one that holds but for that chance."
"""What is said where nothing but certainty bounds a belief."""

NOBODY = "No answer has a chance of failure, so that nobody is beyond a bound; --population goes with --failure."
"""What is said where a population is named, and every bound holds always."""


@click.command(cls=PromiseCommand, short_help="What one promise lets one adversary learn.")
@filled_in(*ADVERSARY, "baseline", "failure", "sides", "level", "people", "population", "question")
@click.option("--why", is_flag=True, help="Also name the theorems that each answer rests on; see `whit theorem`.")
@json_option
def assess(form: spec.Form, why: bool, as_json: bool) -> None:
    """Every question that a promise and an adversary raise, school by school.

    Beliefs before and after, what the person's own record changes, and what the best test achieves; relative and
    absolute risk if they are asked for. A question without an answer says why.
    """
    series = form.series
    with working("Assessing"):
        found = {asker: assess_all(form, series, asker) for asker in form.askers}
    asked = {"promise": repr(series.together), **form_inputs(form)}
    answers = Answers(
        "assess",
        asked,
        tuple(each for asker, one in found.items() for each in named(repr(series.together), one, by=asker.name)),
        tuple(dict.fromkeys(note for asker, one in found.items() for note in _notes(form, asker, one))),
    )
    titles = {asker.name: f"{series.title}; {who(form, asker)}" for asker in found}
    tell(answers, *question_tables(answers, titles, why=why), as_json=as_json)
    end_unanswered(answers)


def assess_all(form: spec.Form, series: spec.Series, asker: spec.Asker, names: tuple[str, ...] = ()) -> Assessment:
    """The assessment that a form asks for, of these questions if it names none."""
    questions = form.asked if form.asked.names else replace(form.asked, names=names)
    return in_options(spec.assess_series(series, asker, questions))


def who(form: spec.Form, asker: spec.Asker) -> str:
    """Who asks, and what they allow for, in a few words."""
    belief = asker.adversary
    known = f"prior {belief.prior:g}"
    if belief.value != 1.0:
        known = f"inclusion {belief.inclusion:g}, value {belief.value:g}"
    moment = "; at every moment" if belief.when is When.EVER else ""
    block = f"; in a block of {belief.block} people" if belief.block > 1 else ""
    guess = "" if belief.baseline is None else f"; baseline {belief.baseline:g}"
    chances = f"failure {form.asked.failure:g}; level {form.asked.level:g}"
    return f"{known}; {_OTHERS[belief.knows]}{block}{moment}{guess}; {chances}"


_OTHERS = {
    Knowledge.ANY_BELIEF: "may believe anything of the others",
    Knowledge.EVERYONE_ELSE: "knows everyone else",
}


def form_inputs(form: spec.Form) -> dict[str, Any]:
    """What a document says of who asks, and how."""
    asked = form.asked
    tree = {"failure": asked.failure, "sides": asked.sides, "level": asked.level, "people": asked.people}
    tree |= {} if asked.population is None else {"population": asked.population}
    beliefs = []
    for asker in form.askers:
        one, titles = asker.adversary, {"name": asker.name, "fact": asker.fact}
        beliefs.append({**one.to_dict(), **{name: text for name, text in titles.items() if text}})
    return {**(beliefs[0] if len(beliefs) == 1 else {"adversaries": beliefs}), **tree}


def _notes(form: spec.Form, asker: spec.Asker, found: Assessment) -> tuple[str, ...]:
    """That nobody is beyond what always holds; what to ask instead, where a belief has no bound but certainty."""
    sure = form.asked.population is not None and not any(people_beyond(each) for each in found.findings)
    return (*((NOBODY,) if sure else ()), *_uncertain(form, asker, found))


def _uncertain(form: spec.Form, asker: spec.Asker, found: Assessment) -> tuple[str, ...]:
    believed = found.posterior.worst or found.absolute_risk.worst
    if believed is None or float(believed) < 1.0 or asker.adversary.prior == 1.0:
        return ()
    return not_always(form)


def not_always(form: spec.Form) -> tuple[str, ...]:
    """What to ask instead, where no failure is allowed and no bound on the loss always holds."""
    if form.asked.failure > 0.0:
        return ()
    loss = largest_loss(form.series.together, 0.0, neighbours=form.series.relation)
    return (NOT_ALWAYS,) if math.isinf(float(loss)) else ()
