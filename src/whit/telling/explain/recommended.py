"""A recommendation: the parameter, what decided it, and what the releases then let happen."""

from __future__ import annotations

from typing import Any

from whit.guarantees import Guarantee
from whit.policy import Recommendation, limits
from whit.policy.profiles import RiskProfile
from whit.setting import Neighbours
from whit.telling.explain import amounts
from whit.telling.explain.asked import answers
from whit.telling.explain.chances import Start, alone, smallest_total, start_text
from whit.telling.explain.language import Audience, Language, Passage, Said
from whit.telling.explain.officer import sentence
from whit.telling.explain.subject import Subject, key_of
from whit.theory import Direction, Finding

PARAMETER_DIGITS = 5
"""Significant digits of the parameter."""

NEXT_TO_NOTHING = 1e-9
"""A belief below this one is told in words."""

_NAMES: dict[type, str] = {
    limits.PosteriorLimit: "posterior",
    limits.RatioLimit: "ratio",
    limits.DifferenceLimit: "difference",
    limits.PowerLimit: "power",
    limits.AdvantageLimit: "advantage",
    limits.PredictiveValueLimit: "predictive_value",
}


def recommended(found: Recommendation, audience: Audience, words: Language) -> Subject:
    """What there is to say about a recommendation."""
    public, basis = audience is Audience.PUBLIC, found.parameter.basis
    if found.unlimited:
        voice, gaps = ("public", {}) if public else ("officer", {"parameter": found.family.parameter})
        return Subject((), (words.say(f"recommend.{voice}.free", **gaps),), besides=basis)
    opening = tuple((_public if public else _officer)(found, words))
    asked: dict[str, Any] = {"neighbours": _relation(found), "failure": _failure(found), "sides": _sides(found)}
    every = answers(found.together(asked["neighbours"]), audience, **asked)
    own = (found.parameter, *found.findings, *found.comparisons) if audience is Audience.TECHNICAL else ()
    return Subject((*((each.quantity.name, each) for each in own), *every), opening, besides=basis)


def _relation(found: Recommendation) -> Neighbours:
    """The relation that a limit was asked about, else that of the release."""
    asked = vars(found.criterion).get("relation")
    release = found.release
    own = release.neighbours if isinstance(release, Guarantee) else release.relations[0]
    return asked if isinstance(asked, Neighbours) else own


def _failure(found: Recommendation) -> float:
    chance = found.parameter.inputs["failure"]
    return chance if isinstance(chance, float) else 0.0


def _sides(found: Recommendation) -> int:
    """1 where rises of the belief were limited, 2 where falls were as well."""
    sides = vars(found.criterion).get("sides", 1)
    return sides if isinstance(sides, int) else 1


def _public(found: Recommendation, words: Language) -> list[Passage]:
    """That a limit is kept, which, and for how many results."""
    releases = _count(found, words)
    many = [words.say("recommend.public.releases", releases=releases)] if found.family.releases > 1 else []
    spent = [words.say("recommend.public.spent")] if found.spent else []
    return [Passage.joined([words.say("recommend.public.opening"), *_limit(found, "public", words), *many, *spent])]


def _officer(found: Recommendation, words: Language) -> list[Passage]:
    """The parameter, what decided it, what it costs, and what should be read with it."""
    rising, several = found.family.rising, found.family.releases > 1
    # An estimate is on no side; a parameter is still cut to digits on the side of more noise.
    number = amounts.bare(
        found.parameter, Direction.AT_LEAST if rising else Direction.AT_MOST, words, digits=PARAMETER_DIGITS
    )
    key = f"recommend.officer.{'rising' if rising else 'falling'}{'_each' if several else ''}"
    gaps: dict[str, Said | Passage | str] = {"parameter": found.family.parameter, "number": number}
    use = words.say(key, **gaps, **({"releases": _count(found, words)} if several else {}))
    estimate = found.parameter.direction is Direction.ABOUT
    doubts = [words.say("recommend.officer.estimate")] if estimate else []
    spent = [words.say("recommend.officer.spent")] if found.spent else []
    told = [each for each in found.findings if key_of(each) != "other"]
    return [
        Passage.joined([use, *doubts, *_decided(found, words), *spent]),
        Passage.joined([sentence(each, words) for each in (*told, *found.comparisons)]),
        Passage(" ".join(found.notices)),
    ]


def _decided(found: Recommendation, words: Language) -> list[Passage]:
    """Who or what decides: an adversary of the profile, a limit, or a promise."""
    wanted, number = found.verdict.requirement, found.verdict.number
    if isinstance(wanted, limits.Limit):
        first, *more = _limit(found, "officer", words)
        return [words.say("recommend.officer.limit", limit=first), *more]
    if isinstance(wanted, RiskProfile):
        return [_profile(found, words)]
    assert number is not None  # a promise is decided by its delta
    return [words.say("recommend.officer.promise", promise=repr(wanted), delta=amounts.amount(number, words))]


def _profile(found: Recommendation, words: Language) -> Passage:
    verdict, parameter = found.verdict, found.parameter
    who, limit, risk = verdict.adversary, verdict.limit, verdict.number
    assert who is not None  # a profile is decided by an adversary
    assert limit is not None
    assert risk is not None

    def belief(name: str) -> Passage:
        given = float(getattr(who, name))
        if given < NEXT_TO_NOTHING:  # stands for the limit of ever smaller beliefs
            return words.say("amount.next_to_nothing")
        return amounts.start(parameter, name, given, words, of="binding.")

    gaps = {
        "inclusion": belief("inclusion"),
        "value_belief": belief("value"),
        "limit": amounts.start(parameter, "limit", limit, words, of="binding."),
        "risk": amounts.amount(risk, words),
    }
    return words.say("recommend.officer.profile", **gaps)


def _limit(found: Recommendation, voice: str, words: Language) -> list[Passage]:
    """The limit that decides, in a sentence; for everybody also that it is a profile or a promise."""
    wanted = found.verdict.requirement
    name = _NAMES.get(type(wanted))
    if name is None:
        kind = "profile" if isinstance(wanted, RiskProfile) else "promise"
        return [words.say(f"limit.public.{kind}")] if voice == "public" else []
    both = _sides(found) == 2 and isinstance(wanted, limits.LossLimit)
    said = _limited(found.parameter, name, vars(wanted), voice, words)
    return [said, *([words.say(f"limit.{voice}.both")] if both else [])]


def _limited(parameter: Finding, name: str, numbers: dict[str, Any], voice: str, words: Language) -> Passage:
    """One limit; in public as chances, but for the ratio, which is none."""
    template = words.templates[f"limit.{voice}.{name}"]
    gaps: dict[str, Passage] = {}
    for field, number in numbers.items():
        gap = "limit" if field == name else field
        if number is None or f"{{{gap}}}" not in template:
            continue
        if voice == "officer" or field == "ratio":
            gaps[gap] = amounts.start(parameter, field, number, words, of="inputs.wanted.")
        elif gap == "limit":
            gaps[gap] = alone(parameter, f"inputs.wanted.{field}", number, words)
        else:
            gaps[gap] = start_text(
                Start(parameter, f"inputs.wanted.{field}", number), smallest_total([number], []), words
            )
    return words.say(f"limit.{voice}.{name}", **gaps)


def _count(found: Recommendation, words: Language) -> Said:
    releases = found.family.releases
    return Said(words.digits(f"{releases:,}"), float(releases), found.parameter, "inputs.releases")
