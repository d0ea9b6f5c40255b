"""What is said first: of a recommendation the parameter and what decided it; of a plan which tables say something."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whit.guarantees import Guarantee
from whit.plans import (
    About,
    Anywhere,
    Concern,
    Exposure,
    Plan,
    PlanRecommendation,
    Presence,
    WholeRecord,
    Within,
    expose,
)
from whit.policy import Recommendation, limits
from whit.policy.profiles import RiskProfile
from whit.semantics import membership, testing
from whit.setting import Knowledge, Neighbours
from whit.telling.words.language import Audience, Language, Passage, Said
from whit.telling.words.numbers import Start, alone, amount, bare, count, given_amount, smallest_total, start_text
from whit.telling.words.officer import sentence
from whit.telling.words.subject import FAILURE, LEVEL, PRIOR, Subject, answers, key_of
from whit.theory import Direction

PARAMETER_DIGITS = 5
"""Significant digits of the parameter."""

NEXT_TO_NOTHING = 1e-9
"""A belief below this one is said in words."""

_NAMES: dict[type, str] = {
    limits.PosteriorLimit: "posterior",
    limits.RatioLimit: "ratio",
    limits.DifferenceLimit: "difference",
    limits.PowerLimit: "power",
    limits.AdvantageLimit: "advantage",
    limits.PredictiveValueLimit: "predictive_value",
    limits.SuccessLimit: "success",
}


def recommendation_subject(found: Recommendation, audience: Audience, words: Language) -> Subject:
    """What there is to say about a recommendation."""
    public, basis = audience is Audience.PUBLIC, found.parameter.basis
    if found.unlimited:
        voice, gaps = ("public", {}) if public else ("officer", {"parameter": found.family.parameter})
        return Subject((), (words.say(f"recommend.{voice}.free", **gaps),), besides=basis)
    opening = tuple((_public if public else _officer)(found, words))
    relation, chance = _relation(found), found.parameter.inputs["failure"]
    failure = chance if isinstance(chance, float) else 0.0
    together = found.together(relation).block(_block(found))
    every = answers(together, audience, neighbours=relation, failure=failure, sides=_sides(found))
    own = (
        (found.parameter, *found.findings_with(found.digits), *found.comparisons)
        if audience is Audience.TECHNICAL
        else ()
    )
    return Subject((*((each.quantity.name, each) for each in own), *every), opening, besides=basis)


def _relation(found: Recommendation) -> Neighbours:
    """The relation that a limit was asked about, else that of the release."""
    limited = vars(found.criterion).get("relation")
    release = found.release
    own = release.neighbours if isinstance(release, Guarantee) else release.relations[0]
    return limited if isinstance(limited, Neighbours) else own


def _block(found: Recommendation) -> int:
    """How many people may depend on each other, if the limit that decides says it."""
    limit = found.verdict.requirement
    return limit.block if isinstance(limit, limits.Limit) else 1


def _sides(found: Recommendation) -> int:
    """1 where rises of the belief were limited, 2 where falls were as well."""
    sides = vars(found.criterion).get("sides", 1)
    return sides if isinstance(sides, int) else 1


def _public(found: Recommendation, words: Language) -> list[Passage]:
    """That a limit is kept, which, and for how many results."""
    releases = found.family.releases
    number = count(releases, found.parameter, "inputs.releases", words)
    many = [words.say("recommend.public.releases", releases=number)] if releases > 1 else []
    spent = [words.say("recommend.public.spent")] if found.spent else []
    return [Passage.joined([words.say("recommend.public.opening"), *_limit(found, "public", words), *many, *spent])]


def _officer(found: Recommendation, words: Language) -> list[Passage]:
    """The parameter, what decided it, what it costs, and what should be read with it."""
    rising, several = found.family.rising, found.family.releases > 1
    many = count(found.family.releases, found.parameter, "inputs.releases", words)
    # An estimate is on no side; a parameter is still cut to digits on the side of more noise.
    number = bare(found.parameter, Direction.AT_LEAST if rising else Direction.AT_MOST, words, digits=PARAMETER_DIGITS)
    key = f"recommend.officer.{'rising' if rising else 'falling'}{'_each' if several else ''}"
    gaps: dict[str, Said | Passage | str] = {"parameter": found.family.parameter, "number": number}
    use = words.say(key, **gaps, **({"releases": many} if several else {}))
    estimate = found.parameter.direction is Direction.ABOUT
    doubts = [words.say("recommend.officer.estimate")] if estimate else []
    spent = [words.say("recommend.officer.spent")] if found.spent else []
    known = [each for each in found.findings if key_of(each) != "other"]
    return [
        Passage.joined([use, *doubts, *_decider_text(found, words), *spent]),
        Passage.joined([sentence(each, words) for each in (*known, *found.comparisons)]),
        words.say("recommend.officer.notices", notices=" ".join(found.notices)) if found.notices else Passage(""),
    ]


def _decider_text(found: Recommendation, words: Language) -> list[Passage]:
    """Who or what decides: an adversary of the profile, a limit, or a promise."""
    requirement, number = found.verdict.requirement, found.verdict.number
    if isinstance(requirement, limits.Limit):
        first, *more = _limit(found, "officer", words)
        return [words.say("recommend.officer.limit", limit=first), *more]
    if isinstance(requirement, RiskProfile):
        return [_profile(found, words)]
    assert number is not None  # a promise is decided by its delta
    return [words.say("recommend.officer.promise", promise=repr(requirement), delta=amount(number, words))]


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
        return given_amount(parameter, name, given, words, of="binding.")

    gaps = {
        "inclusion": belief("inclusion"),
        "value_belief": belief("value"),
        "limit": given_amount(parameter, "limit", limit, words, of="binding."),
        "risk": amount(risk, words),
    }
    return words.say("recommend.officer.profile", **gaps)


def _limit(found: Recommendation, voice: str, words: Language) -> list[Passage]:
    """The limit that decides, in a sentence; for everybody also that it is a profile or a promise."""
    limit = found.verdict.requirement
    name = _NAMES.get(type(limit))
    if name is None:
        kind = "profile" if isinstance(limit, RiskProfile) else "promise"
        return [words.say(f"limit.public.{kind}")] if voice == "public" else []
    key, gaps = f"limit.{voice}.{name}", {}
    for field, number in vars(limit).items():
        gap = "limit" if field == name else field
        if number is not None and f"{{{gap}}}" in words.templates[key]:
            gaps[gap] = _limit_number(found, voice, field, number, words, decides=gap == "limit")
    both = _sides(found) == 2 and isinstance(limit, limits.LossLimit)
    return [words.say(key, **gaps), *([words.say(f"limit.{voice}.both")] if both else [])]


def _limit_number(
    found: Recommendation, voice: str, field: str, number: float, words: Language, *, decides: bool
) -> Passage:
    """A number of a limit: in public as a chance, except the ratio, which is none."""
    parameter, part = found.parameter, "inputs.wanted."
    if voice == "officer" or field == "ratio":
        return given_amount(parameter, field, number, words, of=part)
    if decides:
        return alone(parameter, f"{part}{field}", number, words)
    return start_text(Start(parameter, f"{part}{field}", number), smallest_total([number], []), words)


def exposure_subject(exposure: Exposure, audience: Audience, words: Language) -> Subject:
    """What there is to say about a plan and a concern."""
    voice, names = "public" if audience is Audience.PUBLIC else "officer", [each.name for each in exposure.unprotected]
    unprotected = (words.say(f"{voice}.unprotected", names=words.listed(names)),) if names else ()
    linked = words.name("linked", exposure.plan.linked.name, exposure.reading)
    reading = () if voice == "public" else (words.say("plan.officer.reading", reading=linked),)
    opening = (_opening(exposure, voice, words), *reading)
    if exposure.number == 0:
        return Subject((), opening, unprotected)
    release, relation = exposure.release, exposure.neighbours
    asked: dict[str, Any] = {"neighbours": relation, "knows": Knowledge.ANY_BELIEF}
    power = testing.power(release, LEVEL, **asked)
    posterior = membership.posterior(release, PRIOR, failure=FAILURE, **asked)
    answers = (("posterior", posterior), ("power", power))
    return Subject(answers, opening, unprotected, exposure.rho.basis)


def worst_concern(plan: Plan) -> Concern:
    """The concern that takes the most: being in the data, or all that the record says, as the plan is stated."""
    return Presence() if plan.neighbours is Neighbours.ADD_REMOVE else WholeRecord()


def chosen_plan_subject(found: PlanRecommendation, audience: Audience, words: Language) -> Subject:
    """What there is to say about a plan whose noise was chosen."""
    subject = exposure_subject(expose(found.plan, found.binding), audience, words)
    if audience is Audience.PUBLIC:
        first = words.say("plan.public.factor")
    else:
        number = bare(found.factor, Direction.AT_MOST, words, digits=5)
        first = words.say("plan.officer.factor", number=number, concern=concern_text(found.binding, words))
    return replace(subject, opening=(first, *subject.opening))


def _opening(exposure: Exposure, voice: str, words: Language) -> Passage:
    touched = exposure.number > 0
    key = f"plan.{voice}.{'opening' if touched else 'untouched'}"
    concern = concern_text(exposure.concern, words)
    if voice == "officer" and not touched:
        return words.say(key, concern=concern, plan=exposure.plan.name)
    if not touched:
        return words.say(key, concern=concern)
    number = count(exposure.number, exposure.rho, "inputs.queries", words)
    if voice == "public":
        return words.say_number(key, number.value, concern=concern, number=number)
    return words.say(key, concern=concern, plan=exposure.plan.name, number=number, rho=amount(exposure.rho, words))


def concern_text(concern: Concern, words: Language) -> str:
    """A concern in the language; the names of attributes, levels and concerns are those of the plan."""
    if isinstance(concern, WholeRecord):
        return words.say("concern.whole_record").text
    if isinstance(concern, Presence):
        return words.say("concern.presence").text
    if not isinstance(concern, About):
        return str(concern)
    place = concern.place
    if isinstance(place, Within):
        shown = words.say("concern.within", level=place.level, larger=place.larger).text
    else:
        shown = words.say("concern.anywhere").text if isinstance(place, Anywhere) else ""
    about = words.listed(filter(None, [words.listed(concern.attributes), shown]), "semicolon")
    return f"{concern.name} ({about})" if concern.name else about
