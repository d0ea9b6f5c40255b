"""Findings, assessments, recommendations, plans and promises, in words."""

from __future__ import annotations

from collections.abc import Callable

from whit.assessment import Assessment, Unanswered
from whit.curves import Curve
from whit.errors import InvalidInput
from whit.guarantees import Composition, Conversion, Promise
from whit.mechanisms import Mechanism, Release
from whit.plans import Exposure, Plan, PlanRecommendation, expose
from whit.policy import Recommendation, Step
from whit.semantics.membership import Between, ReleasesWithin, UnitChange, WorstPrior
from whit.telling.explain.asked import answers
from whit.telling.explain.audience import Audience, audience_of
from whit.telling.explain.explanation import Explanation, Passage
from whit.telling.explain.language import Language, language_of
from whit.telling.explain.officer import officer
from whit.telling.explain.planned import chosen, exposed, worst_concern
from whit.telling.explain.public import public
from whit.telling.explain.recommended import recommended
from whit.telling.explain.subject import Subject
from whit.telling.explain.technical import technical
from whit.theory import Finding, Interval

Explained = (
    Finding
    | Interval
    | Between
    | WorstPrior
    | Unanswered
    | Assessment
    | ReleasesWithin
    | Recommendation
    | Step
    | Plan
    | Exposure
    | PlanRecommendation
    | Promise
    | Release
    | Curve
    | Composition[Promise]
    | Conversion
    | UnitChange[Promise | Mechanism]
)
"""What can be put in words."""

_VOICES: dict[Audience, Callable[[Subject, Language], list[Passage]]] = {
    Audience.PUBLIC: public,
    Audience.OFFICER: officer,
    Audience.TECHNICAL: technical,
}
_WAY_OUT = "Pass a finding, an assessment, a recommendation, a plan, or a promise such as PureDP(1.0)."


def explain(x: Explained, audience: str | Audience = "public", *, language: str = "en") -> Explanation:
    """What a result says, in words for one audience.

    Numbers are those of the findings, rounded to the safe side. A promise or a mechanism is assessed first: for even
    odds, without exception where it has such an answer, and else but for a chance of one in a hundred. Of a plan it is
    told what it leaves of the whole record, or of being in the data.

    Args:
        x: what is to be explained.
        audience: "public" for everybody, "officer" for those who decide, "technical" for those who check.
        language: the language of the sentences.

    >>> from whit.guarantees import PureDP
    >>> print(explain(PureDP(1.0)).paragraphs[1])
    Think of someone who wants to know if you are in the data. They may know all about everyone else. Suppose that, if
    you do not take part, 5 out of 100 possible results would lead them to believe that you did. If you do take part, at
    most 14 out of 100 would.
    """
    who, words = audience_of(audience), language_of(language)
    return Explanation.of(_VOICES[who](_subject(x, who, words), words))


def _subject(x: object, audience: Audience, words: Language) -> Subject:
    """What there is to say about it."""
    if isinstance(x, Finding | Interval | Between | WorstPrior | Unanswered):
        return Subject((("answer", x),))
    if isinstance(x, Assessment):
        return Subject(tuple(x))
    if isinstance(x, ReleasesWithin):
        return Subject((("answer", x.count),))
    if isinstance(x, Recommendation | Step):
        return recommended(x.recommendation if isinstance(x, Step) else x, audience, words)
    if isinstance(x, PlanRecommendation):
        return chosen(x, audience, words)
    if isinstance(x, Plan | Exposure):
        return exposed(x if isinstance(x, Exposure) else expose(x, worst_concern(x)), audience, words)
    return _promised(x, audience)


def _promised(x: object, audience: Audience) -> Subject:
    """A promise or a mechanism, and what it came from."""
    if isinstance(x, Composition):
        return Subject(answers(x.promise, audience), besides=x.basis)
    if isinstance(x, UnitChange):
        return Subject(answers(x.after, audience), besides=x.basis)
    if isinstance(x, Conversion):
        return Subject(answers(x.result, audience), besides=x.basis)
    if isinstance(x, Promise | Release | Curve):
        return Subject(answers(x, audience))
    raise InvalidInput("what is explained", "must be a result of whit", x, _WAY_OUT)
