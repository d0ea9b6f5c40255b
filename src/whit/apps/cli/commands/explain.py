"""`whit explain`: the answers in words."""

from __future__ import annotations

import click

from whit.apps.cli.adversaries import Asking, adversary_options
from whit.apps.cli.answers import Answers, named
from whit.apps.cli.commands.assess import assessed
from whit.apps.cli.document import document
from whit.apps.cli.json_option import json_option
from whit.apps.cli.progress import working
from whit.apps.cli.promise_options import promise_options
from whit.apps.cli.promises import Stated
from whit.apps.cli.written import Word, in_shell
from whit.assessment import QUESTIONS
from whit.telling.explain import explain as explained

AUDIENCES = ("public", "officer", "technical")
"""For whom there are words."""


@click.command(short_help="The answers in words, for the public, for officers or for experts.")
@promise_options
@adversary_options
@click.option(
    "--audience", type=click.Choice(AUDIENCES), default="public", show_default=True, help="For whom it is said."
)
@click.option("--language", default="en", show_default=True, help="The language, by its two letters.")
@click.option(
    "--question",
    type=Word([name.replace("_", "-") for name in QUESTIONS if name != "worst_prior"]),
    metavar="NAME",
    help="Only the answer to this question, as `whit assess` names it.",
)
@json_option
def explain(stated: Stated, asking: Asking, audience: str, language: str, question: str | None, as_json: bool) -> None:
    """What a promise means for people, in words; every number in the text is one of the answers."""
    with working("Assessing"):
        found = assessed(stated, asking)
    subject = found if question is None else getattr(found, question.replace("-", "_"))
    told = explained(subject, audience, language=language)
    if not as_json:
        click.echo(in_shell("\n\n".join(told.paragraphs)))
        return
    asked = {"promise": repr(stated.promised), **asking.echoed(), "audience": audience, "language": language}
    numbers = [{"text": each.text, "value": each.value} for each in told.numbers]
    result = {"text": told.text, "paragraphs": list(told.paragraphs), "numbers": numbers}
    click.echo(document(Answers("explain", asked, named(repr(stated.promised), found), result=result)))
