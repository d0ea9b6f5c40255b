"""`whit assess`: what one promise lets one adversary learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from whit import spec
from whit.apps.asking.answers import Answers, Later, Table, Told, named, question_tables, unanswered_code
from whit.apps.asking.fields import ASSESSED, WHY, yes_no
from whit.apps.asking.hints import hint_of
from whit.apps.asking.request import Command, Promises, Request, noises_of
from whit.apps.asking.scope import scope_notes
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import in_options
from whit.assessment import (
    CERTAIN,
    ORDER,
    Asked,
    Assessment,
    Unbounded,
    adversary_text,
    chance_text,
    exceptions,
    in_a_sentence,
    input_text,
    people_beyond,
    rules_nothing_out,
    worst_priors,
)
from whit.theory import echo

NOBODY = "Every bound holds for every outcome, so nobody is beyond one. --population goes with --failure."
"""What is said where a population is named, and every bound holds always."""

NO_POSTERIOR = "whit gives no bound on the posterior here; the table says why."
"""What is said first where the question that matters most has no answer."""

NO_ANSWER = "No question has an answer from this promise; the table says why."
"""What is said first where nothing has."""

ALL = yes_no("all", "Show all four worst priors, each in a row.")


def answer(request: Request) -> Told:
    """The first sentence gives the posterior; a table each question, its answer, and the answer in words."""
    form = request.form
    series = form.together
    with working("Assessing"):
        found = {asker: assess_all(form, series, asker) for asker in form.askers}
    asked = {"promise": echo(series.together), **form_inputs(form)}
    hints = tuple(dict.fromkeys(note for asker, one in found.items() for note in _uncertain(form, asker, one)))
    nobody = dict.fromkeys(note for one in found.values() for note in _nobody(form, one))
    notes = (*scope_notes(series), *nobody)
    starts = {asker.name: start_of(form, series, asker) for asker in found}
    said = _opening(starts, found)
    answers = Answers(
        "assess",
        asked,
        tuple(each for asker, one in found.items() for each in named(series.title, one, by=asker.name)),
        (*hints, *notes),
        {"opening": said},
    )
    first = f"{' '.join([said, *hints])}\n\nAsked of: {series.title}."
    tables = Later(lambda: _tables(request, answers, starts))
    return Told(answers, first, tables, notes, code=unanswered_code(answers, starts))


def _tables(request: Request, answers: Answers, starts: Mapping[str, Asked]) -> list[Table]:
    """A table for each adversary."""
    form = request.form
    titles = {asker.name: f"{'' if asker.name else 'Adversary: '}{who(form, asker)}" for asker in form.askers}
    every, why = request.values["all"], request.values["why"]
    noises = noises_of(form) if why else ()
    return question_tables(answers, titles, why=why, asked=starts, every=every, noises=noises)


COMMAND = Command(
    "assess",
    answer,
    form=ASSESSED,
    own=(ALL, WHY),
    promises=Promises.SEVERAL,
)
"""What one promise lets one adversary learn."""


def start_of(form: spec.Form, series: spec.Series, asker: spec.Asker) -> Asked:
    """What the answers of an adversary start from."""
    belief = asker.adversary
    return Asked(belief.prior, form.asked.level, belief.baseline, series.neighbours, belief.value != 1.0)


def _opening(starts: Mapping[str, Asked], found: dict[spec.Asker, Assessment]) -> str:
    """The answer in one sentence: the posterior of the adversary who gains most, else the most useful answer."""
    gains = {
        asker: float(one.posterior.worst) - asker.adversary.prior for asker, one in found.items() if one.posterior.worst
    }
    asker = max(gains or found, key=lambda each: gains.get(each, 0.0))
    one = found[asker]
    start = starts[asker.name]
    unbounded = isinstance(one.posterior, Unbounded) and start.prior < 1.0
    name = next((each for each in ORDER if each in one.answered and each != "worst_prior"), None)
    if name is None and not unbounded:
        return _worst(one)
    lead = f"{NO_POSTERIOR} " if "posterior" in one.unanswered and not unbounded else ""
    if len(found) > 1 and asker.name:
        lead += f"Of {len(found)} adversaries, {asker.name} can gain most. "
    if unbounded or name is None:
        return f"{lead}{CERTAIN}"
    answer = getattr(one, name).worst
    if name == "posterior" and asker.fact and not rules_nothing_out(name, answer, start):
        if_true = f"If it is true that {asker.fact}, the belief in it"
        belief = f"The belief that {asker.fact}" if answer.is_two_sided else if_true
        most = chance_text(answer.in_words)
        return f"{lead}{belief} goes from {input_text(start.prior)} to {most}{exceptions(answer)}."
    return f"{lead}{in_a_sentence(name, answer, start)}"


def _worst(found: Assessment) -> str:
    """The worst priors in a sentence, where nothing else was asked or has an answer."""
    worst: Any = found.worst_prior
    if "worst_prior" not in found.answered:
        return NO_ANSWER
    return worst_priors(worst.ratio.when_true, worst.difference.when_true)[1]


def assess_all(form: spec.Form, series: spec.Series, asker: spec.Asker, names: tuple[str, ...] = ()) -> Assessment:
    """The assessment that a form asks for, of these questions if it names none."""
    questions = form.asked if form.asked.names else replace(form.asked, names=names)
    return in_options(spec.assess_series(series, asker, questions))


def who(form: spec.Form, asker: spec.Asker) -> str:
    """Who asks, and what they allow for, in a few words."""
    return adversary_text(asker.adversary, form.asked.failure, form.asked.level)


def form_inputs(form: spec.Form) -> dict[str, Any]:
    """What a document says of who asks, and how."""
    asked = form.asked
    tree = {"failure": asked.failure, "sides": asked.sides, "level": asked.level, "people": asked.people}
    tree |= {} if asked.population is None else {"population": asked.population}
    beliefs = []
    for asker in form.askers:
        one, titles = asker.adversary, {"name": asker.name, "fact": asker.fact}
        beliefs.append({"prior": one.prior, **one.to_dict(), **{name: text for name, text in titles.items() if text}})
    return {**(beliefs[0] if len(beliefs) == 1 else {"adversaries": beliefs}), **tree}


def _nobody(form: spec.Form, found: Assessment) -> tuple[str, ...]:
    """That nobody is beyond what always holds, where a population is named."""
    sure = form.asked.population is not None and not any(people_beyond(each) for each in found.findings)
    return (NOBODY,) if sure else ()


def _uncertain(form: spec.Form, asker: spec.Asker, found: Assessment) -> tuple[str, ...]:
    """What to ask instead, where a belief has no bound but certainty."""
    believed = found.posterior.worst or found.absolute_risk.worst
    certain = isinstance(found.posterior, Unbounded) if believed is None else float(believed) == 1.0
    if not certain or asker.adversary.prior == 1.0:
        return ()
    series = form.together
    return hint_of(series.together, [asker.adversary], neighbours=series.relation, failure=form.asked.failure)
