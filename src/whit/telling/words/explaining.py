"""Findings, assessments, recommendations, plans and promises, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import TypeAlias

from whit.assessment import Assessment, promise_name
from whit.curves import Promise
from whit.errors import InvalidInput, require
from whit.guarantees import Composition, Conversion, Guarantee
from whit.plans import Exposure, Plan, PlanRecommendation, expose
from whit.policy import Recommendation, Step
from whit.semantics.membership import ReleasesWithin, UnitChange
from whit.telling.words.language import Audience, Explanation, Language, Passage, audience_of, language_of
from whit.telling.words.officer import officer
from whit.telling.words.openings import chosen_plan_subject, exposure_subject, recommendation_subject, worst_concern
from whit.telling.words.public import public
from whit.telling.words.subject import Subject, answers, methods_in
from whit.telling.words.technical import technical
from whit.theory import Answer, echo

Explained: TypeAlias = (
    Answer
    | ReleasesWithin
    | Step
    | Plan
    | Exposure
    | PlanRecommendation
    | Promise
    | Composition[Guarantee]
    | Conversion
    | UnitChange[Promise]
    | Recommendation
)
"""What can be put in words."""

_VOICES: dict[Audience, Callable[[Subject, Language], list[Passage]]] = {
    Audience.PUBLIC: public,
    Audience.OFFICER: officer,
    Audience.TECHNICAL: technical,
}
_WAY_OUT = "Pass a finding, an assessment, a recommendation, a plan, or a promise such as PureDP(1.0)."


def explain(
    x: Explained,
    audience: str | Audience = "public",
    *,
    language: str = "en",
    fact: str = "",
    parts: Sequence[tuple[str, Promise]] = (),
) -> Explanation:
    """What a result says, in words for one audience.

    Numbers are those of the findings, rounded to the safe side. A promise or a mechanism is assessed first: for even
    odds, without exception where it has such an answer, and else except with probability one in a hundred. A plan is
    explained by what it leaves of the whole record, or of being in the data.

    Args:
        x: what is to be explained.
        audience: "public" for everybody, "officer" for those who decide, "technical" for those who check.
        language: the language of the sentences and the numbers: "en", "de" or "fr". It is never taken from the
            environment, so that a text is the same on every machine.
        fact: what the adversary wants to know, as a clause such as "a certain applicant is in treatment": the text for
            everybody says it in place of being in the data.
        parts: of several promises together, each by its name: the text for everybody says which has which noise.

    >>> from whit.guarantees import PureDP
    >>> print(explain(PureDP(1.0)).paragraphs[1])
    Think of someone who wants to know if you are in the data. They may know all about everyone else. Suppose that, if
    you do not take part, 5 out of 100 possible results would lead them to believe that you did. If you take part, at
    most 14 out of 100 would.
    """
    who, words = audience_of(audience), language_of(language)
    way_out = 'Use a clause, such as "a certain applicant is in treatment".'
    require(isinstance(fact, str), name="fact", rule="must be a text", value=fact, way_out=way_out)
    named = tuple((name, methods_in(echo(each))) for name, each in parts)
    return Explanation.of(_VOICES[who](replace(_subject(x, who, words), fact=fact.strip(" ."), parts=named), words))


@singledispatch
def _subject(x: object, _audience: Audience, _words: Language) -> Subject:
    """What there is to say about a result."""
    raise InvalidInput("what is explained", "must be a result of whit", x, _WAY_OUT)


@_subject.register
def _(x: Answer, _audience: Audience, _words: Language) -> Subject:
    return Subject((("answer", x),))


@_subject.register
def _(x: Assessment, _audience: Audience, _words: Language) -> Subject:
    return Subject(tuple(x), name=x.asked_of)


@_subject.register
def _(x: ReleasesWithin, _audience: Audience, _words: Language) -> Subject:
    return Subject((("answer", x.count),))


@_subject.register
def _(x: Recommendation, audience: Audience, words: Language) -> Subject:
    return recommendation_subject(x, audience, words)


@_subject.register
def _(x: Step, audience: Audience, words: Language) -> Subject:
    return recommendation_subject(x.recommendation, audience, words)


@_subject.register
def _(x: PlanRecommendation, audience: Audience, words: Language) -> Subject:
    return chosen_plan_subject(x, audience, words)


@_subject.register
def _(x: Exposure, audience: Audience, words: Language) -> Subject:
    return exposure_subject(x, audience, words)


@_subject.register
def _(x: Plan, audience: Audience, words: Language) -> Subject:
    return exposure_subject(expose(x, worst_concern(x)), audience, words)


@_subject.register
def _(x: Promise, audience: Audience, _words: Language) -> Subject:
    return Subject(answers(x, audience), name=promise_name(x))


@_subject.register
def _(x: Composition, audience: Audience, _words: Language) -> Subject:  # type: ignore[type-arg]
    return Subject(answers(x, audience), besides=x.basis)


@_subject.register
def _(x: UnitChange, audience: Audience, _words: Language) -> Subject:  # type: ignore[type-arg]
    return Subject(answers(x.after, audience), besides=x.basis, name=promise_name(x.after))


@_subject.register
def _(x: Conversion, audience: Audience, _words: Language) -> Subject:
    return Subject(answers(x.result, audience), besides=x.basis, name=promise_name(x.result))
