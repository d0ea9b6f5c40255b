"""A claim that was judged: its meaning as stated, the points that it leaves open, and what is like it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from whit.assessment import Unanswered, promise_name
from whit.errors import NotImplied, TooCostly, Unreachable
from whit.guarantees import ApproxDP, Guarantee, PureDP
from whit.setting import Adversary, Neighbours
from whit.spec import Claim, Series, words_of
from whit.telling.catalogue import Near, nearest_to
from whit.telling.claims import drawing
from whit.telling.claims.beside_noise import JudgedEpsilon, conditioned, judged_epsilons
from whit.telling.claims.cases import TIMES_A_YEAR, Asking, Case, Meaning, cases_of, except_text
from whit.theory import Direction, Finding, Unit, number_text

NUMBER = 3
"""How many releases of the catalogue stand beside a claim."""


@dataclass(frozen=True)
class Point:
    """One thing that a claim must say.

    Attributes:
        key: its name.
        title: what it is about.
        stated: what the claim says to it; empty if it says nothing.
        left_open_by: the promises for which it says nothing, where it says something for the others.
        why: one sentence that says why it matters.
        cases: what it could mean where nothing is said, or over a year where the claim is about less.
    """

    key: str
    title: str
    stated: str
    why: str
    cases: tuple[Case, ...]
    left_open_by: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether the claim says nothing to it, of all its promises or of some."""
        return not self.stated or bool(self.left_open_by)

    def to_dict(self) -> dict[str, Any]:
        """The point as a plain tree."""
        cases = [each.to_dict() for each in self.cases]
        by = {"left_open_by": list(self.left_open_by)} if self.left_open_by else {}
        stated = self.stated or None
        return {"key": self.key, "title": self.title, "stated": stated, **by, "why": self.why, "cases": cases}


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, what it means as it is stated, and what is missing.

    Attributes:
        claim: the claim.
        asking: who asks.
        meaning: what the promise means as it is stated.
        epsilons: the epsilon of all releases at each delta that is stated; none where it is stated itself.
        points: what a claim must say, stated or not.
        near: releases of the catalogue that are like it, by year; they rank nothing.
        stated_epsilons: each epsilon that is stated beside a noise, and what the noise shows of it.
    """

    claim: Claim
    asking: Asking
    meaning: Meaning
    epsilons: tuple[tuple[float, Finding], ...]
    points: tuple[Point, ...]
    near: tuple[Near, ...]
    stated_epsilons: tuple[JudgedEpsilon, ...] = ()

    @property
    def missing(self) -> tuple[Point, ...]:
        """The points to which the claim says nothing, of all its promises or of some."""
        return tuple(each for each in self.points if each.is_missing)

    @property
    def title(self) -> str:
        """The claim in a few words."""
        unit = self.claim.protected
        whom = "one unit that is not stated" if unit is None else f"one {unit.name}"
        within = f" within {self.claim.period}" if self.claim.period else ""
        several, series = self.claim.promises, self.claim.series
        named = self.claim.with_word("neighbours") or series.neighbours is not Neighbours.ADD_REMOVE
        # Each guarantee says in its own name what it is about.
        by_names = all(isinstance(each.one, Guarantee) and each.neighbours is series.neighbours for each in several)
        promised = series.title if len(several) == 1 or (named and not by_names) else series.words
        return f"{promised}, for {whom}{within}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the claim means as it is stated."""
        prior, level = _percent(self.asking.adversary.prior), _percent(self.asking.level)
        posterior, power = self.meaning.posterior.worst, self.meaning.power.worst
        found = [drawing.refusal(self.claim) or "The promise bounds no posterior."]
        if posterior is not None:
            said = _verb(posterior)
            sure = except_text(self.meaning.failure, said)
            found = [self._held(f"From a prior of {prior}, the posterior {said}{sure}.")]
        if power is not None:
            found.append(self._held(f"The power of a test with a false-positive rate of {level} {_verb(power)}."))
        found += [each.sentence for each in self.stated_epsilons]
        # Of one noise whose epsilon is stated, this is the number that was just said.
        known = {each.stated.delta for each in self.stated_epsilons if each.stated.series == self.claim.series}
        others = [(delta, each) for delta, each in self.epsilons if delta not in known]
        said_at = [f"The epsilon at delta = {_digits(delta)} {_verb(each)}." for delta, each in others]
        found += map(self._held, said_at)
        return (*found, f"The claim leaves {len(self.missing)} of {len(self.points)} points open.")

    def _held(self, sentence: str) -> str:
        """A sentence about all releases, after what must be so of a sample whose drawing is left open."""
        return conditioned(drawing.conditions(self.claim), sentence)

    def to_dict(self) -> dict[str, Any]:
        """The whole as a plain tree."""
        near = [
            {"key": each.deployment.key, "comparable": each.comparable, "difference": each.difference}
            for each in self.near
        ]
        promises = [{**words_of(each.one), "releases": each.releases} for each in self.claim.promises]
        return {
            "claim": self.title,
            **({"promise": promises[0]} if len(promises) == 1 else {"promises": promises}),
            "meaning": self.meaning.to_dict(),
            "epsilons": [{"delta": delta, "epsilon": each.to_dict()} for delta, each in self.epsilons],
            "stated_epsilons": [each.to_dict() for each in self.stated_epsilons],
            "points": [each.to_dict() for each in self.points],
            "missing": [each.key for each in self.missing],
            "near": near,
        }

    def __str__(self) -> str:
        """The claim, its meaning, and what is missing, line by line."""
        lines = [f"{self.title}.", *self.sentences]
        for each in self.missing:
            of = f" for {' and '.join(each.left_open_by)}" if each.left_open_by else ""
            lines += [f"Not stated{of}: {each.title}. {each.why}", *(f"  {case.sentence}" for case in each.cases)]
        for each in (point for point in self.points if point.stated):
            if each.left_open_by:
                lines.append(f"Stated for the rest: {each.title}: {each.stated}.")
            else:
                lines += [f"Stated: {each.title}: {each.stated}.", *(f"  {case.sentence}" for case in each.cases)]
        return "\n".join(lines)


def judge_claim(
    claim: Claim,
    adversary: Adversary | None = None,
    *,
    failure: float | None = None,
    level: float = 0.05,
    number: int = NUMBER,
) -> JudgedClaim:
    """What a claim means, what it leaves open and what that could mean, and which releases are like it.

    >>> from whit.spec import claim_of, pairs
    >>> found = judge_claim(claim_of(pairs("a claim", "epsilon=1, unit=person, neighbours=replace")), number=1)
    >>> print(found.sentences[0])
    From a prior of 50 %, the posterior is at most 73.2 %.
    >>> found.missing[0].title
    'period'

    Args:
        claim: the claim, from `spec.claim_of`.
        adversary: who asks; even odds if nobody is named.
        failure: the failure probability of the posterior; if none is given, 0 where a bound always holds, else 1 %.
        level: the false-positive rate of the test.
        number: how many releases of the catalogue are wanted beside it.
    """
    asking = Asking(Adversary(prior=0.5) if adversary is None else adversary, level, failure)
    points = tuple(_point(claim, key, asking) for key in _texts())
    stated = judged_epsilons(claim)
    why = drawing.refusal(claim)
    if why:
        nothing = Meaning(Unanswered(why), Unanswered(why), failure or 0.0)
        return JudgedClaim(claim, asking, nothing, (), points, (), stated)
    series = claim.series
    related, named = series.relation, "neighbours" in claim.stated
    near = nearest_to(series.together, claim.protected, neighbours=related, named=named, number=number)
    return JudgedClaim(claim, asking, asking.of(series), _epsilons(claim), points, near, stated)


def _deltas(claim: Claim) -> list[float]:
    """Each delta that the claim states."""
    stated = [each.one.stated_delta for each in claim.promises if isinstance(each.one, ApproxDP)]
    return list(dict.fromkeys([*claim.deltas, *stated]))


def _epsilons(claim: Claim) -> tuple[tuple[float, Finding], ...]:
    """The epsilon of all releases at each stated delta; a single release that has both needs none."""
    series = claim.series
    if isinstance(series.together, ApproxDP):
        return ()
    try:
        return tuple((delta, series.together.epsilon(delta, neighbours=series.relation)) for delta in _deltas(claim))
    except (NotImplied, TooCostly, Unreachable):  # the claim has none that is known
        return ()


def _point(claim: Claim, key: str, asking: Asking) -> Point:
    stated = _stated(claim, key)
    # A short period is no gap, but its year is what a person lives through.
    open_ended = not stated or (key == "period" and claim.period in TIMES_A_YEAR)
    cases = cases_of(claim, key, asking) if open_ended and not drawing.refusal(claim) else ()
    texts = _texts()[key]
    if key == "sampling" and drawing.why(claim):
        texts = {"title": "how the sample is drawn", "why": drawing.why(claim)}
    return Point(key, **texts, stated=stated, cases=cases, left_open_by=_left_open(claim, key) if stated else ())


def _left_open(claim: Claim, key: str) -> tuple[str, ...]:
    """The promises that say nothing to a point; of other points than these, one promise speaks for all."""
    kinds: dict[str, tuple[type, ...]] = {"delta": (PureDP,), "noise": (Guarantee,)}
    if key == "covers":
        return _names(claim.open_to_cover)
    if key == "neighbours":
        spoken = claim.with_word("neighbours")
        return _names([each for each in claim.promises if each not in spoken])
    return _names([each for each in claim.promises if isinstance(each.one, kinds.get(key, ()))])


def _names(promises: Sequence[Series]) -> tuple[str, ...]:
    """What promises are called, each once."""
    return tuple(dict.fromkeys(each.name or promise_name(each.one) for each in promises))


def _neighbours(claim: Claim) -> str:
    """The relations that are named; of several, each with its promises."""
    named: dict[str, list[Series]] = {}
    for each in claim.with_word("neighbours"):
        named.setdefault(each.neighbours.word, []).append(each)
    if len(named) == 1:
        return next(iter(named))
    return "; ".join(f"{word} for {' and '.join(_names(several))}" for word, several in named.items())


def _stated(claim: Claim, key: str) -> str:
    """What the claim says to a point, of all its promises or of some; empty if it says nothing."""
    ones = [each.one for each in claim.promises]
    if key in ("unit", "period"):
        return claim.unit if key == "unit" else claim.period
    if key == "neighbours":
        return _neighbours(claim)
    if key == "delta":
        if all(isinstance(one, PureDP) for one in ones):
            return ""
        return " and ".join(map(_digits, _deltas(claim))) or "not needed"
    if key == "covers" and key not in claim.said:
        known = [each.releases for each in claim.promises if each not in claim.open_to_cover]
        return f"the noise is that of each of {sum(known):,} releases" if known else ""
    if key == "sampling" and drawing.why(claim):
        return ""
    if key == "noise":
        return " and ".join(promise_name(one) for one in ones if not isinstance(one, Guarantee))
    said = claim.said.get(key, "")
    return _IN_WORDS.get((key, said.lower()), said)


_IN_WORDS = {
    ("adaptive", "no"): "fixed in advance",
    ("adaptive", "yes"): "chosen after earlier answers were seen",
    ("sampling", "no"): "everybody is in the data",
    ("sampling", "yes"): "a random sample",
    ("unprotected", "no"): "none",
    ("contributions", "yes"): "bounded, without saying how",
}
"""What a bare yes or no stands for."""


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("points.toml").read_text(encoding="utf-8"))


def _verb(found: Finding) -> str:
    """A number with its verb: is at most 12 %, or may exceed 99.9 %."""
    said = found.brief().replace(" (nothing is ruled out)", ": nothing is ruled out")
    return said if said.startswith("may ") else f"has {said}" if said.startswith("no ") else f"is {said}"


def _percent(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.PROBABILITY)


def _digits(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER, digits=15)
