"""`whit compare`: several promises beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import click

from whit.apps.cli.adversaries import Asking, adversary_options
from whit.apps.cli.answers import Answers, Named, named
from whit.apps.cli.commands.assess import assessed
from whit.apps.cli.json_option import json_option
from whit.apps.cli.progress import working
from whit.apps.cli.promise_options import several_promises_options
from whit.apps.cli.promises import Stated
from whit.apps.cli.tables import tell_table
from whit.apps.cli.written import Word
from whit.assessment import QUESTIONS, Unanswered
from whit.errors import InvalidInput
from whit.theory import Direction, Finding, number_text

USUAL = ("posterior", "expected-posterior", "power", "advantage")
"""What is compared unless other questions are asked."""

_SEVERAL = 'Give --promise "epsilon=1" --promise "rho=0.1", or --from FILE with several [[promise]].'


@click.command(short_help="Several promises beside each other.")
@several_promises_options
@adversary_options
@click.option(
    "--question",
    "questions",
    multiple=True,
    metavar="NAME",
    default=USUAL,
    type=Word([name.replace("_", "-") for name in QUESTIONS if name != "worst_prior"]),
    help=f"A question to compare by; may be given several times. {', '.join(USUAL)} if none is given.",
)
@json_option
def compare(promises: tuple[Stated, ...], asking: Asking, questions: tuple[str, ...], as_json: bool) -> None:
    """The same questions put to several promises, one line each.

    A promise is written with the names of the options: "epsilon=17.14, delta=1e-10". The noise that keeps a promise, if
    it is known, is said with it: "rho=2.56, noise=gaussian". "name=..." gives it a name of its own.
    """
    if not promises:
        raise InvalidInput("what is compared", "must be at least one promise", "none", _SEVERAL)
    asked_for = [name.replace("-", "_") for name in questions]
    with working("Comparing"):
        rows = [_answers(each, asking, asked_for) for each in promises]
    asked = {"promises": {each.name: repr(each.promised) for each in promises}, **asking.echoed()}
    answers = Answers("compare", asked, tuple(answer for row in rows for answer in row))
    head = ["promise", *(name.replace("_", " ") for name in asked_for)]
    cells = [[each.name, *map(_cell, row)] for each, row in zip(promises, rows, strict=True)]
    tell_table(answers, head, cells, as_json=as_json, title=str(asking))


def _answers(stated: Stated, asking: Asking, questions: Sequence[str]) -> tuple[Named, ...]:
    found = dict(assessed(stated, asking, questions))
    return named(stated.name, [(name, found[name]) for name in questions])


def _cell(each: Named) -> str:
    """The number with its direction, in few words."""
    told = each.told
    if isinstance(told, Unanswered):
        return "not answered"
    assert isinstance(told, Finding)
    text = number_text(float(told), told.bound.direction, told.quantity.unit)
    return text if told.direction is Direction.EXACTLY else f"{told.direction.value} {text}"
