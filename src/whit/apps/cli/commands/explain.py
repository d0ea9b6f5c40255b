"""`whit explain`: the answers in words."""

from __future__ import annotations

import click

from whit import spec
from whit.apps.cli.commands.assess import assess_all, form_inputs
from whit.apps.cli.options import ADVERSARY, PromiseCommand, Word, filled_in, json_option
from whit.apps.cli.output import Answers, end_unanswered, named, say, speak, working
from whit.telling.words import explain as explained
from whit.telling.words import languages
from whit.theory import echo

AUDIENCES = ("public", "officer", "technical")
"""For whom there are words."""


@click.command(cls=PromiseCommand, short_help="The answers in plain words, for the public, officers or experts.")
@filled_in(*ADVERSARY, "baseline", "failure", "sides", "level", "people", "population", "question")
@click.option(
    "--audience",
    type=Word(AUDIENCES),
    metavar="WORD",
    default="public",
    show_default=True,
    help="Who reads it: public, officer or technical.",
)
@click.option("--language", type=click.Choice(languages()), default="en", show_default=True, help="The language.")
@json_option
def explain(form: spec.Form, audience: str, language: str, as_json: bool) -> None:
    """Say in plain words what a promise means for people. Every number is one of the answers of `whit assess`."""
    series = form.series
    with working("Assessing"):
        found = {asker: assess_all(form, series, asker) for asker in form.askers}
    told = {asker: explained(one, audience, language=language) for asker, one in found.items()}
    answers = Answers(
        "explain",
        {"promise": echo(series.together), **form_inputs(form), "audience": audience, "language": language},
        tuple(each for asker, one in found.items() for each in named(series.title, one, by=asker.name)),
        result={
            "text": "\n\n".join(each.text for each in told.values()),
            "paragraphs": [text for each in told.values() for text in each.paragraphs],
            "numbers": [{"text": one.text, "value": one.value} for each in told.values() for one in each.numbers],
        },
    )
    if as_json:
        say(answers.document())
    else:
        for at, (asker, each) in enumerate(told.items()):
            if at:
                say()
            name = asker.name[:1].upper() + asker.name[1:]
            heading = [f"{name}{f': {asker.fact}' if asker.fact else ''}"] if name else []
            speak("\n\n".join([*heading, *each.paragraphs]))
    end_unanswered(answers)
