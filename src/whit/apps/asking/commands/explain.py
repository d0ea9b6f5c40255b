"""`whit explain`: the answers in words."""

from __future__ import annotations

from dataclasses import replace

from whit.apps.asking.answers import Answers, Told, named, unanswered_code
from whit.apps.asking.commands.assess import assess_all, form_inputs
from whit.apps.asking.fields import ASSESSED, one_of
from whit.apps.asking.request import Command, Promises, Request
from whit.apps.asking.rows import capital
from whit.apps.asking.signs import working
from whit.telling.words import explain as explained
from whit.telling.words import languages
from whit.theory import echo

AUDIENCES = ("public", "officer", "technical")
"""For whom there are words."""


AUDIENCE = replace(
    one_of("audience", AUDIENCES, "Who reads it: public, officer or technical.", "WORD"), default="public", shown=True
)
LANGUAGE = replace(one_of("language", languages(), "The language."), default="en", shown=True)


def answer(request: Request) -> Told:
    """What a promise means for people, in plain words; every number is one of the answers of `assess`."""
    form = request.form
    audience = request.word("audience", dict(zip(AUDIENCES, AUDIENCES, strict=True)))
    language = request.word("language", dict(zip(languages(), languages(), strict=True)))
    series = form.together
    with working("Assessing"):
        found = {asker: assess_all(form, series, asker) for asker in form.askers}
    told = {asker: explained(one, audience, language=language, fact=asker.fact) for asker, one in found.items()}
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
    texts = []
    for asker, each in told.items():
        name = capital(asker.name)
        heading = [f"{name}{f': {asker.fact}' if asker.fact else ''}"] if name else []
        texts.append("\n\n".join([*heading, *each.paragraphs]))
    return Told(answers, "\n\n".join(texts), code=unanswered_code(answers))


COMMAND = Command(
    "explain",
    answer,
    form=ASSESSED,
    own=(AUDIENCE, LANGUAGE),
    promises=Promises.SEVERAL,
)
"""The answers in words."""
