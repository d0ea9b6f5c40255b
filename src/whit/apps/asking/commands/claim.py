"""`whit claim`: what a claim means as it is stated, and what it leaves open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whit import spec
from whit.apps.asking.answers import Answers, Named, Table, Told, why_tables
from whit.apps.asking.fields import WHY, Field, Taken, terms
from whit.apps.asking.request import Command, Request, terms_of, the_one_asker
from whit.apps.asking.sentences import pairs_in
from whit.apps.asking.signs import working
from whit.apps.asking.spelling import answer_in_options
from whit.assessment import Unanswered, in_short
from whit.telling.catalogue import CHANGED
from whit.telling.claims import JudgedClaim, judge_claim
from whit.theory import Direction, Unit, number_text

NEVER = "Releases with another unit or other neighbours cannot be ranked against the claim."
"""What is said below releases of the catalogue."""


CLAIM = Field("claim", "The claim, with the names of the options.", Taken.TERMS, "CLAIM", argument=True, needed=True)
MORE = terms("promise", "Another promise of the claim, about the same people.")
NEAR = Field("near", "How many releases of the catalogue to show beside it. 3.", Taken.WHOLE, "NUMBER", default=3)
LIKE = "Published releases that are most like it (chosen by unit, then by neighbours, then by power), by year"
HEAD = ("release", "year", "stated", "neighbours", "power", "how it differs")


def answer(request: Request) -> Told:
    """What the claim means, what is missing from it, why that matters, and which published releases are like it."""
    said = request.values["claim"]
    form, [stated] = request.form, terms_of("a claim", [pairs_in(said) if isinstance(said, str) else said])
    others = terms_of("a promise", request.values.get("promise", ()))
    near, asked = request.given.whole("near"), form.asked
    failure = asked.failure if any("failure" in each for each in form.questions) else None
    with working("Judging the claim"):
        claim, adversary = spec.claim_of(stated, others), the_one_asker(form).adversary
        found = judge_claim(claim, adversary, failure=failure, level=asked.level, number=near)
    like = Table(HEAD, _rows(found), LIKE)
    why = _why(found) if request.values["why"] else []
    return Told(_document(request, found), str(found), (*why, *([like] if found.near else [])), _notes(found))


COMMAND = Command("claim", answer, form=("prior", "knows", "failure", "level"), own=(CLAIM, MORE, NEAR, WHY))
"""What a claim means as it is stated, and what it leaves open."""


def _notes(found: JudgedClaim) -> tuple[str, ...]:
    return (NEVER,) if found.near else ()


def _why(found: JudgedClaim) -> list[Table]:
    """What the numbers of the claim as it is stated rest on and assume; nothing where there is none."""
    beside = [Named("epsilon", found.title, each.found) for each in found.stated_epsilons if each.found is not None]
    known = [each for each in (*_numbers(found), *beside) if each.answer.worst is not None]
    return why_tables(known) if known else []


def _numbers(found: JudgedClaim) -> list[Named]:
    """The answers about the claim as it is stated."""
    named = [Named("posterior", found.title, found.meaning.posterior), Named("power", found.title, found.meaning.power)]
    named += [Named(f"epsilon.{_digits(delta)}", found.title, each) for delta, each in found.epsilons]
    return named


def _document(request: Request, found: JudgedClaim) -> Answers:
    """The numbers of the claim as answers, and the whole as a result."""
    asking = found.asking
    stated = {name: request.values[name] for name in ("claim", "promise") if name in request.values}
    asked = {**stated, **asking.adversary.to_dict(), "failure": found.meaning.failure, "level": asking.level}
    named = _numbers(found)
    for each in found.points:
        for case in each.cases:
            named.append(Named("posterior", case.said, case.meaning.posterior))
            named.append(Named("power", case.said, case.meaning.power))
    spelled = tuple(replace(each, answer=answer_in_options(each.answer)) for each in named)
    reasons = {str(one.answer): str(other.answer) for one, other in zip(named, spelled, strict=True)}
    return Answers("claim", asked, spelled, (*found.sentences, *_notes(found)), _respelled(found.to_dict(), reasons))


def _digits(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER, digits=15)


def _respelled(tree: Any, reasons: dict[str, str]) -> Any:
    """The tree with the reasons of questions without an answer as the command line says them."""
    if isinstance(tree, dict):
        return {name: _respelled(each, reasons) for name, each in tree.items()}
    if isinstance(tree, list):
        return [_respelled(each, reasons) for each in tree]
    lead = str(Unanswered(""))
    return reasons.get(f"{lead}{tree}", f"{lead}{tree}").removeprefix(lead) if isinstance(tree, str) else tree


def _rows(found: JudgedClaim) -> list[tuple[str, ...]]:
    return [
        (
            each.deployment.key,
            str(each.deployment.year),
            each.deployment.stated,
            CHANGED[each.deployment.neighbours],
            in_short(each.risks.power),
            each.difference,
        )
        for each in found.near
    ]
