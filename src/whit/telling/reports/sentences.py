"""Short texts about answers for the cells of tables; what is accepted, and what a release comes to beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whit.assessment import Unanswered, number_of_people, people_beyond
from whit.policy import Verdict, limits, profiles
from whit.setting import Knowledge
from whit.theory import Answer, Direction, Finding, Unit, number_text

_GIVEN_DIGITS = 6
"""As many digits as somebody is taken to write for a limit."""

_ROUNDING = 1e-12
"""How far the product of numbers that were given may be from the one that is meant, for its size."""


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """The text with a small letter in front, to follow a colon."""
    return text[:1].lower() + text[1:]


def percent(probability: float) -> str:
    """A probability that was given, as percent."""
    return f"{100.0 * probability:.6g} %"


def given_number(number: float) -> str:
    """A limit that follows from what was given: the shortest decimal within rounding, else rounded down.

    Not for a bound that was worked out, which is never moved to the unsafe side.

    >>> given_number(0.25 / (0.05 * 0.2)), given_number(2 / 3)
    ('25', '0.666')
    """
    for digits in range(1, _GIVEN_DIGITS + 1):
        decimal = float(f"{number:.{digits}g}")
        if abs(decimal - number) <= _ROUNDING * abs(number):
            return number_text(decimal, Direction.EXACTLY, Unit.NUMBER, digits=digits)
    return number_text(number, Direction.AT_LEAST, Unit.NUMBER)


def top(answer: Answer) -> str:
    """The largest that a number may be, with the word for how sure that is, if it is not an upper bound.

    >>> from whit.guarantees import PureDP
    >>> from whit.semantics.membership import posterior
    >>> top(posterior(PureDP(1.0), 0.1))
    '23.2 %'
    """
    if answer.worst is None:
        return "not known"
    found = answer.worst.bound
    text = number_text(float(found), found.direction, found.quantity.unit)
    return f"about {text}" if found.direction is Direction.ABOUT else text


def whole(answer: Answer) -> str:
    """The answer as a sentence."""
    if isinstance(answer, Unanswered):
        return f"Not answered. {capital(answer.reason)}"
    counted = [_fails(found) for found in people_beyond(answer.worst)] if isinstance(answer, Finding) else []
    return " ".join([f"{capital(str(answer))}.", *counted])


def _fails(found: Finding) -> str:
    """For how many people a bound is expected to fail."""
    population = int(str(found.inputs["population"]))
    return f"Of {population:,} people, it is expected to fail for at most {number_of_people(found)}."


_CLOSE = 1e-9
"""Beliefs below this one stand for those close to 0."""

_WHOSE = {
    Knowledge.ANY_BELIEF: ", whatever is believed about the others",
    Knowledge.EVERYONE_ELSE: " for somebody who knows everyone else",
}


def in_words(requirement: profiles.RiskProfile | limits.Limit) -> str:
    """What is accepted, as a sentence."""
    for kind, say in _SENTENCES.items():
        if isinstance(requirement, kind):
            return say(requirement)
    return f"{requirement!r}."


def _number(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER, digits=6)


def _whom(domain: profiles.Domain) -> str:
    """The adversaries that a profile speaks about."""
    said = [
        f"{name} of {percent(low)}" if low == high else f"{name} from {percent(low)} to {percent(high)}"
        for name, (low, high) in (("an inclusion", domain.inclusion), ("a value", domain.value))
        if (low, high) != (0.0, 1.0)
    ]
    return f" This is said of adversaries with {' and '.join(said)}." if said else ""


def _at(prior: float | None) -> str:
    return "whatever the belief before" if prior is None else f"from {percent(prior)} before"


_SENTENCES: dict[type, Callable[[Any], str]] = {
    profiles.Flat: lambda x: (
        f"The probability of a disclosure may grow to at most {_number(x.relative)} times what it was before."
        f"{_whom(x.domain)}"
    ),
    profiles.Capped: lambda x: (
        f"The probability of a disclosure may grow to {percent(x.absolute)}, or to {_number(x.relative)} times what it "
        f"was before, whichever is more.{_whom(x.domain)}"
    ),
    profiles.Difference: lambda x: (
        f"The probability of a disclosure may rise by at most {percent(x.change)[:-2]} points in a hundred."
    ),
    profiles.AbsoluteCap: lambda x: f"The probability of a disclosure stays at {percent(x.absolute)} or below.",
    limits.PosteriorLimit: lambda x: (
        f"The belief in the truth stays at {percent(x.posterior)} or below, {_at(x.prior)}."
    ),
    limits.RatioLimit: lambda x: f"The belief in the truth grows at most {_number(x.ratio)} times, {_at(x.prior)}.",
    limits.DifferenceLimit: lambda x: (
        f"The belief in the truth rises by at most {percent(x.difference)[:-2]} points in a hundred, {_at(x.prior)}."
    ),
    limits.PowerLimit: lambda x: (
        f"A test with a false-alarm rate of {percent(x.level)} finds at most {percent(x.power)} of the true cases."
    ),
    limits.SuccessLimit: lambda x: (
        f"A guess about the record that is right with {percent(x.baseline)} without the release is right with at most "
        f"{percent(x.success)} with it."
    ),
    limits.AdvantageLimit: lambda x: f"No test is better than guessing by more than {percent(x.advantage)}.",
    limits.PredictiveValueLimit: lambda x: (
        f"A positive of a test with a false-alarm rate of {percent(x.level)} is true with at most "
        f"{percent(x.predictive_value)}, {_at(x.prior)}."
    ),
}

# Of each kind of limit: the sentence that puts the risk of a release beside it, and what is accepted.
_BESIDE: dict[type, tuple[str, Callable[[Any], str]]] = {
    limits.PosteriorLimit: ("A belief of {most}{whose}; {accepted} is accepted.", lambda x: percent(x.posterior)),
    limits.RatioLimit: ("{most} times{whose}; {accepted} is accepted.", lambda x: given_number(x.ratio)),
    limits.DifferenceLimit: (
        "A rise of {most} points in a hundred{whose}; {accepted} are accepted.",
        lambda x: percent(x.difference).removesuffix(" %"),
    ),
    limits.PowerLimit: ("Power {most}; {accepted} is accepted.", lambda x: percent(x.power)),
    limits.SuccessLimit: ("A guess is right with {most}; {accepted} is accepted.", lambda x: percent(x.success)),
    limits.AdvantageLimit: ("Advantage {most}; {accepted} is accepted.", lambda x: percent(x.advantage)),
    limits.PredictiveValueLimit: ("A belief of {most}; {accepted} is accepted.", lambda x: percent(x.predictive_value)),
}


def beside(verdict: Verdict) -> str:
    """The risk that a limit is about and what is accepted of it, in the same unit; else why there is no answer."""
    if verdict.number is None:
        return verdict.reason
    limit, risk = verdict.requirement, verdict.number.bound
    sentence, accepted = _BESIDE[type(limit)]
    unit = Unit.PROBABILITY if isinstance(limit, limits.DifferenceLimit) else risk.quantity.unit
    number = number_text(float(risk), risk.direction, unit)
    points = number.removesuffix(" %") if isinstance(limit, limits.DifferenceLimit) else number
    most, whose = f"{risk.direction.value} {points}", _WHOSE[limit.knows] if isinstance(limit, limits.Limit) else ""
    return capital(sentence.format(most=most, accepted=accepted(limit), whose=whose))


def decider(verdict: Verdict) -> str:
    """The adversary who decides, what they may come to, and what is accepted of them; to follow another sentence."""
    who, risk = verdict.adversary, verdict.number
    if who is None or risk is None or verdict.limit is None:
        return ""
    beliefs = f"inclusion {_belief(who.inclusion)} and value {_belief(who.value)}"
    most = f"{risk.direction.value} {top(risk).removeprefix('about ')}"
    return f" The adversary who decides: {beliefs}; {most} times, and {given_number(verdict.limit)} is accepted."


def _belief(probability: float) -> str:
    return f"{probability:.3g}" if probability > _CLOSE else "close to 0"
