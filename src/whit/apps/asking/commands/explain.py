"""`whit explain`: the answers in words."""

from __future__ import annotations

from dataclasses import replace

from whit import spec
from whit.apps.asking.answers import Answers, Told, named, unanswered_code
from whit.apps.asking.commands.assess import form_inputs
from whit.apps.asking.fields import ASSESSED, one_of
from whit.apps.asking.request import Command, Promises, Request
from whit.apps.asking.rows import capital
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import in_options
from whit.telling.words import explain as explained
from whit.telling.words import languages, usual_failure
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
        asked = _asked(form, series, audience)
        found = {asker: in_options(spec.assess_series(series, asker, asked)) for asker in form.askers}
    parts = [(each.called(at), each.together) for at, each in enumerate(form.promises, start=1)]
    told = {
        asker: explained(one, audience, language=language, fact=asker.fact, parts=parts) for asker, one in found.items()
    }
    asked_in = {**form_inputs(form), "failure": asked.failure, "audience": audience, "language": language}
    answers = Answers(
        "explain",
        {"promise": echo(series.together), **asked_in},
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


def _asked(form: spec.Form, series: spec.Series, audience: str) -> spec.Questions:
    """What is asked; everybody hears a limit on each belief, with the usual failure probability if none is stated."""
    asked, stated = form.asked, any("failure" in each for each in form.questions)
    uses = not asked.names or bool({*asked.names} & {*spec.USED_BY["failure"]})
    if stated or audience != "public" or not uses:
        return asked
    return replace(asked, failure=usual_failure(series.together, series.relation))


COMMAND = Command(
    "explain",
    answer,
    form=ASSESSED,
    own=(AUDIENCE, LANGUAGE),
    promises=Promises.SEVERAL,
)
"""The answers in words."""
