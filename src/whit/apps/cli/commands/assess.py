"""`whit assess`: what one promise lets one adversary learn."""

from __future__ import annotations

from collections.abc import Sequence

import click

from whit.apps.cli.adversaries import Asking, adversary_options
from whit.apps.cli.always import NOT_ALWAYS, unbounded
from whit.apps.cli.answers import Answers, named
from whit.apps.cli.json_option import json_option
from whit.apps.cli.progress import working
from whit.apps.cli.promise_options import promise_options
from whit.apps.cli.promises import Stated
from whit.apps.cli.tables import tell
from whit.apps.cli.written import Word
from whit.assessment import QUESTIONS, Assessment, Unasked
from whit.assessment import assess as ask


@click.command(short_help="What one promise lets one adversary learn.")
@promise_options
@adversary_options
@click.option("--people", type=click.IntRange(min=1), default=1, help="How many people a bound is to hold for at once.")
@click.option(
    "--question",
    "questions",
    multiple=True,
    metavar="NAME",
    type=Word([name.replace("_", "-") for name in QUESTIONS]),
    help="Only this question; may be given several times.",
)
@click.option("--why", is_flag=True, help="Also name the theorems that each answer rests on; see `whit theorem`.")
@json_option
def assess(stated: Stated, asking: Asking, people: int, questions: tuple[str, ...], why: bool, as_json: bool) -> None:
    """Every question that a promise and an adversary raise, school by school.

    Beliefs before and after, relative and absolute risk, what the person's own record changes, and what the best test
    achieves. A question without an answer says why.
    """
    with working("Assessing"):
        found = assessed(stated, asking, [name.replace("-", "_") for name in questions] or QUESTIONS, people=people)
    asked = {"promise": repr(stated.promised), **asking.echoed(), "people": people}
    answers = Answers("assess", asked, named(repr(stated.promised), found), _notes(stated, asking, found))
    tell(answers, as_json=as_json, title=f"{stated.words}; {asking}", why=why)


def _notes(stated: Stated, asking: Asking, found: Assessment) -> tuple[str, ...]:
    """What to ask instead, where a belief has no bound but certainty."""
    believed = found.absolute_risk if isinstance(found.posterior, Unasked) else found.posterior
    if asking.failure > 0.0 or believed.worst is None or float(believed.worst) < 1.0:
        return ()
    return NOT_ALWAYS if unbounded(stated.promised, stated.relation) and asking.adversary.prior < 1.0 else ()


def assessed(stated: Stated, asking: Asking, questions: Sequence[str] = QUESTIONS, *, people: int = 1) -> Assessment:
    """The assessment that the options ask for."""
    return ask(
        stated.promised,
        asking.adversary,
        failure=asking.failure,
        sides=asking.sides,
        level=asking.level,
        people=people,
        neighbours=stated.relation,
        questions=questions,
    )
