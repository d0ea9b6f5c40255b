"""What stands beside what is accepted: the risk that a limit is about, and the adversary who decides a profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whit.policy import limits
from whit.policy.profiles import RiskProfile
from whit.semantics import disclosure, membership, testing
from whit.spec import Series
from whit.telling.plots.answers import safe
from whit.telling.reports.sentences import given_number, percent, top
from whit.theory import Finding, Unit, number_text

_CLOSE = 1e-9
"""Beliefs below this one stand for those close to 0."""

_WHOSE = " for somebody who knows everyone else"

# Of each kind of limit: the risk of a release, and the sentence that puts it beside the limit.
_ASKED: dict[type, Callable[[Any, Any, dict[str, Any], float], Any]] = {
    limits.PosteriorLimit: lambda x, p, by, f: membership.posterior(p, x.prior, failure=f, **by),
    limits.RatioLimit: lambda x, p, by, f: (
        membership.largest_ratio(p, failure=f, **by)
        if x.prior is None
        else membership.ratio(p, x.prior, failure=f, **by)
    ),
    limits.DifferenceLimit: lambda x, p, by, f: (
        membership.largest_difference(p, failure=f, **by)
        if x.prior is None
        else membership.difference(p, x.prior, failure=f, **by)
    ),
    limits.PowerLimit: lambda x, p, by, _: testing.power(p, x.level, **by),
    limits.AdvantageLimit: lambda _, p, by, __: testing.advantage(p, **by),
    limits.PredictiveValueLimit: lambda x, p, by, _: testing.positive_predictive_value(p, x.level, x.prior, **by),
}
_SENTENCES: dict[type, tuple[str, Callable[[Any], str]]] = {
    limits.PosteriorLimit: ("A belief of {most}{whose}; {accepted} is accepted.", lambda x: percent(x.posterior)),
    limits.RatioLimit: ("{most} times{whose}; {accepted} is accepted.", lambda x: given_number(x.ratio)),
    limits.DifferenceLimit: (
        "A rise of {most} points in a hundred{whose}; {accepted} are accepted.",
        lambda x: percent(x.difference).removesuffix(" %"),
    ),
    limits.PowerLimit: ("Power {most}; {accepted} is accepted.", lambda x: percent(x.power)),
    limits.AdvantageLimit: ("Advantage {most}; {accepted} is accepted.", lambda x: percent(x.advantage)),
    limits.PredictiveValueLimit: ("A belief of {most}; {accepted} is accepted.", lambda x: percent(x.predictive_value)),
}


def risk_of(limit: limits.Limit, stated: Series, failure: float) -> Finding:
    """The risk that a limit is about, on the safe side."""
    related = {"neighbours": stated.relation}
    found: Finding = _ASKED[type(limit)](limit, stated.together, related, failure)
    return safe(found)


def beside(limit: limits.Limit, risk: Finding) -> str:
    """The risk and what is accepted of it, in the same unit."""
    sentence, accepted = _SENTENCES[type(limit)]
    unit = Unit.PROBABILITY if isinstance(limit, limits.DifferenceLimit) else risk.quantity.unit
    number = number_text(float(risk), risk.direction, unit)
    points = number.removesuffix(" %") if isinstance(limit, limits.DifferenceLimit) else number
    text = sentence.format(most=f"{risk.direction.value} {points}", accepted=accepted(limit), whose=_WHOSE)
    return text[:1].upper() + text[1:]


def decider(profile: RiskProfile, belief: tuple[float, float], stated: Series, failure: float) -> tuple[str, Finding]:
    """The adversary who decides, by inclusion and value; what they may come to, and what is accepted of them."""
    p, q = (max(each, _CLOSE) for each in belief)
    risk = disclosure.relative_risk(stated.together, inclusion=p, value=q, failure=failure)
    most = f"{risk.direction.value} {top(risk).removeprefix('about ')}"
    accepted = given_number(float(profile.limit(p, q)))
    who = f"inclusion {_belief(p)} and value {_belief(q)}"
    return f"The adversary who decides: {who}; {most} times, and {accepted} is accepted.", risk


def _belief(probability: float) -> str:
    return f"{probability:.3g}" if probability > _CLOSE else "close to 0"
