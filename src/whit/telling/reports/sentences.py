"""What is accepted in words, what a release comes to beside it, who decides, and what would be needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from whit.assessment import promise_name
from whit.policy import ADDED_ALONE, Outcome, Recommendation, Verdict, limits, profiles
from whit.setting import Knowledge, Neighbours, When
from whit.spec import Series
from whit.telling.reports.wording import Words, rules_nothing_out
from whit.theory import Assumption, Direction, Unit

OUTCOMES = {Outcome.KEPT: "allowed", Outcome.BROKEN: "not_allowed", Outcome.OPEN: "not_shown"}
"""The key of the word for each outcome."""

SIGNS = {"allowed": "✓", "not_allowed": "✗", "not_shown": "?", "no_limit": "–"}
"""The sign of each verdict, so that its colour never stands alone."""

DIGITS = 5
"""So many digits has a parameter that meets a limit, as on the command line."""

ALL_DIGITS = 17
"""No double needs more."""

_CLOSE = 1e-9
"""Beliefs below this one stand for those close to 0."""

_PROFILES: dict[type, tuple[str, Callable[[Any, Words], dict[str, str]]]] = {
    profiles.Flat: ("flat", lambda x, words: {"relative": words.given_number(x.relative), "whom": _whom(x, words)}),
    profiles.Capped: (
        "capped",
        lambda x, words: {
            "absolute": words.percent(x.absolute),
            "relative": words.given_number(x.relative),
            "whom": _whom(x, words),
        },
    ),
    profiles.Difference: ("difference_profile", lambda x, words: {"change": words.points(x.change)}),
    profiles.AbsoluteCap: ("absolute_cap", lambda x, words: {"absolute": words.percent(x.absolute)}),
}

# Of each kind of limit: the key of its sentences, what is accepted, and the name of what it is stated with.
_LIMITS: dict[type, tuple[str, Callable[[Any, Words], str], str]] = {
    limits.PosteriorLimit: ("posterior", lambda x, words: words.percent(x.posterior), "prior"),
    limits.RatioLimit: ("ratio", lambda x, words: words.given_number(x.ratio), "prior"),
    limits.DifferenceLimit: ("difference", lambda x, words: words.points(x.difference), "prior"),
    limits.PowerLimit: ("power", lambda x, words: words.percent(x.power), "level"),
    limits.SuccessLimit: ("success", lambda x, words: words.percent(x.success), "baseline"),
    limits.AdvantageLimit: ("advantage", lambda x, words: words.percent(x.advantage), ""),
    limits.PredictiveValueLimit: (
        "predictive_value",
        lambda x, words: words.percent(x.predictive_value),
        "level",
    ),
}


def verdict_word(key: str, words: Words) -> str:
    """The sign and the word of a verdict."""
    return words("summary.marked", sign=SIGNS[key], word=words(f"verdict.{key}"))


def in_words(requirement: object, words: Words, *, failure: float = 0.0) -> str:
    """What is accepted, as a sentence, with the failure probability that it was asked with."""
    exception = {"except": words("sheet.except", failure=words.percent(failure)) if failure else ""}
    for kind, (key, said) in _PROFILES.items():
        if isinstance(requirement, kind):
            return words(f"requirement.{key}", **said(requirement, words), **exception)
    if type(requirement) not in _LIMITS:
        return words("requirement.other", requirement=repr(requirement))
    key, accepted, beside = _LIMITS[type(requirement)]
    gaps = {"limit": accepted(requirement, words), **(exception if may_fail(requirement) else {})}
    if hasattr(requirement, "prior"):
        gaps["prior"] = _at(requirement, words)
    if beside in ("level", "baseline"):
        gaps[beside] = words.percent(getattr(requirement, beside))
    return " ".join((words(f"requirement.{key}", **gaps), *_besides(requirement, words)))


def limit_text(verdict: Verdict, words: Words, *, failure: float = 0.0) -> str:
    """What is accepted, as a sentence, with the changes of the data that it does not cover."""
    return f"{in_words(verdict.requirement, words, failure=failure)} {uncovered(verdict, words)}".rstrip()


def uncovered(verdict: Verdict, words: Words) -> str:
    """That a limit covers no replaced record, where policy says so; else empty."""
    return words("requirement.added_alone") if any(ADDED_ALONE in each for each in verdict.notices) else ""


def _besides(limit: Any, words: Words) -> Iterator[str]:
    """Whom a limit is about, where that is not everybody at the end: two limits may differ in nothing else."""
    if limit.knows is Knowledge.EVERYONE_ELSE:
        yield words("requirement.knows")
    if limit.when is When.EVER:
        yield words("requirement.ever")
    if limit.block > 1:
        yield words("requirement.block", number=words.count(limit.block))


def may_fail(requirement: object) -> bool:
    """Whether a failure probability enters: it does in what is said about beliefs, and not in the power of tests."""
    beliefs = limits.PosteriorLimit | limits.RatioLimit | limits.DifferenceLimit
    return isinstance(requirement, beliefs | profiles.RiskProfile)


def _whom(profile: Any, words: Words) -> str:
    """The adversaries that a profile speaks about."""
    said = [
        words(f"requirement.{name}_at", belief=words.percent(low))
        if low == high
        else words(f"requirement.{name}_from", low=words.percent(low), high=words.percent(high))
        for name, (low, high) in (("inclusion", profile.domain.inclusion), ("value", profile.domain.value))
        if (low, high) != (0.0, 1.0)
    ]
    if len(said) == 2:
        said = [words("requirement.both", one=said[0], other=said[1])]
    return words("requirement.whom", beliefs=said[0]) if said else ""


def _at(limit: Any, words: Words) -> str:
    """The prior that a limit is about, or the priors."""
    ends = _range(limit, words)
    if ends:
        return words("requirement.from_priors", **ends)
    if limit.prior is None:
        return words("requirement.any_prior")
    return words("requirement.from_prior", prior=words.percent(limit.prior))


def _range(limit: Any, words: Words) -> dict[str, str]:
    """The ends of the range of priors that a limit is about; nothing if it is about one, or about all."""
    ends = getattr(limit, "between", None)
    return {} if ends is None else {"low": words.percent(ends[0]), "high": words.percent(ends[1])}


def why(verdict: Verdict, series: Series, words: Words) -> str:
    """What a release comes to beside what is accepted; of a profile, also the parameter that it allows."""
    if verdict.number is None and verdict.remedy is None:
        return verdict.reason
    if isinstance(verdict.requirement, limits.Limit):
        return _beside(verdict, words)
    risk = hardest(verdict, words)
    if verdict.remedy is None:
        return risk or verdict.reason
    own, each = ours(series, words), in_each(series, words)
    if verdict.remedy.unlimited:
        return words("beside.free", parameter=words.parameter(verdict.remedy.family.parameter), own=own, each=each)
    needs = words("beside.parameter", bound=bound(verdict.remedy, words), each=each, own=own)
    return f"{risk} {needs}".lstrip()


def hardest(verdict: Verdict, words: Words) -> str:
    """The risk of the adversary who decides about a profile beside their limit; empty where none decides."""
    profiled = isinstance(verdict.requirement, profiles.RiskProfile) and verdict.number is not None
    if not profiled or verdict.limit is None or verdict.outcome is Outcome.OPEN:
        return ""
    return words("decider.hardest", risk=_times(verdict, words), limit=words.given_number(verdict.limit))


def _times(verdict: Verdict, words: Words) -> str:
    """How many times as probable the fact becomes, or may become."""
    assert verdict.number is not None
    found = verdict.number.bound
    if is_over(verdict):
        said = words("decider.may_become", number=words.reached(found), failing=words.failing(found))
        return " ".join(said.split())
    return words("decider.becomes", most=words.most(found), **{"except": words.exception(found)})


def _beside(verdict: Verdict, words: Words) -> str:
    """The risk that a limit is about and what is accepted of it, in the same unit."""
    limit = verdict.requirement
    if verdict.number is None or not isinstance(limit, limits.Limit):
        return verdict.reason
    key, accepted, _ = _LIMITS[type(limit)]
    found, points = verdict.number.bound, isinstance(limit, limits.DifferenceLimit)
    believed = key in ("posterior", "ratio", "difference")
    gaps = {"whose": words(f"whose.{limit.knows.name.lower()}")} if believed else {}
    if is_over(verdict):
        number = words.reached(found, points=points)
        return words(f"over.{key}", number=number, failing=words.failing(found), limit=accepted(limit, words), **gaps)
    gaps |= {"most": words.most(found, points=points), "except": words.exception(found)}
    said = words(f"beside.{key}", **gaps, limit=accepted(limit, words))
    sure = not verdict.number.basis.failures and key == "posterior" and rules_nothing_out(found)
    return f"{said} {words('beside.nothing')}" if sure else said


def is_over(verdict: Verdict) -> bool:
    """Whether an upper bound exceeds the limit: the risk may reach it, and whit does not say that it does."""
    number = verdict.number
    if verdict.outcome is not Outcome.BROKEN or number is None or verdict.limit is None:
        return False
    return number.brief().startswith(Direction.AT_MOST.value)  # one beyond 99.9 % has words of its own


def knowledge(knows: Knowledge, words: Words) -> str:
    """What an adversary is taken to know or to believe about the others, as a sentence."""
    return words(f"knows.{knows.name.lower()}")


def knowledge_of(requirement: object, words: Words) -> str:
    """The same of the adversary whom a requirement is about; a profile is about every belief."""
    knows = requirement.knows if isinstance(requirement, limits.Limit) else Knowledge.ANY_BELIEF
    return knowledge(knows, words)


def decided_by(verdict: Verdict, words: Words) -> str:
    """The adversary who decides, in a sentence or two, and what they are taken to believe about the others."""
    said = _decider(verdict, words)
    required = isinstance(verdict.requirement, limits.Limit | profiles.RiskProfile)
    return f"{said} {knowledge_of(verdict.requirement, words)}" if required else said


def _decider(verdict: Verdict, words: Words) -> str:
    limit, who, risk = verdict.requirement, verdict.adversary, verdict.number
    if isinstance(limit, profiles.RiskProfile) and who is not None and risk is not None and verdict.limit is not None:
        gaps = {"presence": _presence(who.inclusion, words), "value": _belief(who.value, words)}
        limited = words.given_number(verdict.limit)
        return words("decider.profile", risk=_times(verdict, words), limit=limited, **gaps)
    if isinstance(limit, limits.PowerLimit | limits.PredictiveValueLimit):
        return words("decider.test", level=words.percent(limit.level))
    if isinstance(limit, limits.SuccessLimit):
        return words("decider.guess", baseline=words.percent(limit.baseline))
    if isinstance(limit, limits.AdvantageLimit):
        return words("decider.best")
    if isinstance(limit, limits.Limit):
        return _believer(limit, words)
    return words("decider.unknown", reason=verdict.reason)


def _believer(limit: Any, words: Words) -> str:
    ends = _range(limit, words)
    if ends:
        return words("decider.range", **ends)
    if limit.prior is None:
        return words("decider.any")
    return words("decider.belief", prior=words.percent(limit.prior))


def needed(verdict: Verdict, series: Series, words: Words) -> str:
    """What the release would need to be within a limit that it exceeds; empty if nothing is known."""
    if verdict.outcome is not Outcome.BROKEN or verdict.remedy is None:
        return ""
    own, each = ours(series, words), in_each(series, words)
    return words("beside.parameter", bound=bound(verdict.remedy, words), each=each, own=own)


def bound(found: Recommendation, words: Words) -> str:
    """The parameter that is within a limit, with its name."""
    return words("beside.bound", parameter=words.parameter(found.family.parameter), number=bound_alone(found, words))


def bound_alone(found: Recommendation, words: Words) -> str:
    """The parameter that is within a limit; of noise that is not monotone, that more may not be."""
    number = parameter_number(found, words)
    key = ("up_to" if found.family.rising else "from") if found.family.steady else "unsteady"
    said = words(f"beside.{key}", number=number)
    return " ".join(text for text in (said, words.failing(found.parameter)) if text)


def parameter_number(found: Recommendation, words: Words) -> str:
    """The parameter in as many digits as a recommendation shows, rounded to the side that meets the limit."""
    digits = DIGITS if found.family.steady else ALL_DIGITS
    return words.number(float(found.parameter), found.parameter.direction, digits=digits)


def in_each(series: Series, words: Words) -> str:
    """In how many releases the same parameter is used."""
    return "" if series.releases == 1 else words("beside.each", number=words.count(series.releases))


def ours(series: Series, words: Words) -> str:
    """The number that a release is stated by; all its words if it is not one number."""
    stated = vars(type(series.noise)).get("parameter")
    if stated is None:
        return words.promise(promise_name(series.one))
    return words.number(stated_value(series.noise, stated.name), Direction.EXACTLY, digits=15)


def stated_value(promise: object, name: str) -> float:
    """A parameter as it was stated."""
    known = vars(promise)
    return float(known[f"stated_{name}" if f"stated_{name}" in known else name])


def _presence(inclusion: float, words: Words) -> str:
    """How surely an adversary believes that the person is in the data, as a clause."""
    return words("decider.sure") if inclusion == 1.0 else words("decider.unsure", inclusion=_belief(inclusion, words))


def _belief(probability: float, words: Words) -> str:
    if probability <= _CLOSE:
        return words("decider.close")
    return words.number(probability, Direction.AT_LEAST, Unit.PROBABILITY) if probability < 1.0 else words.percent(1.0)


def lowered(text: str) -> str:
    """The text with a small letter in front, to follow a colon."""
    return text[:1].lower() + text[1:]


def plain_text(each: Assumption, words: Words, neighbours: Neighbours | None = None) -> str:
    """An assumption in plain words, on one line; that about neighbours names the stated relation, if one is given."""
    if each.key == "neighbours-as-stated" and neighbours is not None:
        return words(f"as_stated.{neighbours.name.lower()}")
    return " ".join(words.language.name("plain", each.key, each.plain).split())
