"""What a claim means, and what it could mean where it leaves something open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whit.assessment import Unbounded
from whit.curves import Promise
from whit.errors import NotImplied, TooCostly, Unreachable
from whit.guarantees import ApproxDP, Guarantee, PureDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, PoissonSubsampled
from whit.setting import Adversary, Neighbours, Sensitivity
from whit.spec import Asker, Claim, Given, Questions, Series, assess_series, promise_of, together_of
from whit.telling.words.subject import usual_failure
from whit.theory import Answer, Direction, Unit, following, number_text, says_nothing

TIMES_A_YEAR = {"one hour": 8760, "six hours": 1460, "one day": 365, "one week": 52, "one month": 12, "one quarter": 4}
"""How many periods of a name are in a year."""

RECORDS = 10
"""How many records somebody may have where the unit is not the person."""

MONTHS = 12
"""How many releases there may be where the claim does not say whether it covers them all."""

LEFT_OUT = 1e-5
"""A delta that a claim of an epsilon alone may have left out."""

_NOISES = {"epsilon": "laplace", "rho": "gaussian", "mu": "gaussian"}
_LOCAL = {"epsilon": "randomized_response"}
_QUESTIONS = ("posterior", "power")


@dataclass(frozen=True)
class Meaning:
    """What a promise permits one adversary.

    Attributes:
        posterior: the largest posterior, except with the failure probability.
        power: the largest power of a test.
        failure: the failure probability of the posterior; 0 if it always holds.
    """

    posterior: Answer
    power: Answer
    failure: float

    @property
    def words(self) -> str:
        """Both numbers in few words; where a bound rules nothing out, that is said."""
        open_ended = [name for name, each in self._answers if _says_nothing(each)]
        if len(open_ended) == len(self._answers):
            return "nothing is ruled out"
        failure = 0.0 if self.posterior.worst is None else self.failure
        chance = {"posterior": except_text(failure, _brief(self.posterior))}
        bounded = [
            f"{name} {_brief(each)}{chance.get(name, '')}" for name, each in self._answers if name not in open_ended
        ]
        return "; ".join([*bounded, *(f"any {name} is possible" for name in open_ended)])

    @property
    def _answers(self) -> tuple[tuple[str, Answer], ...]:
        return ("posterior", self.posterior), ("power", self.power)

    def to_dict(self) -> dict[str, Any]:
        """Both numbers as plain trees."""
        return {"posterior": self.posterior.to_dict(), "power": self.power.to_dict(), "failure": self.failure}


@dataclass(frozen=True)
class Case:
    """One way to read what a claim leaves open, and what it would mean."""

    said: str
    meaning: Meaning

    @property
    def sentence(self) -> str:
        """The case and its numbers."""
        return f"{self.said}: {self.meaning.words}."

    def to_dict(self) -> dict[str, Any]:
        """The case as a plain tree."""
        return {"case": self.said, **self.meaning.to_dict()}


@dataclass(frozen=True)
class Asking:
    """Who asks, and how; a failure probability of None stands for none where a bound always holds, else for 1 %."""

    adversary: Adversary
    level: float
    failure: float | None

    def of(self, series: Series) -> Meaning:
        """What a promise means."""
        failure = usual_failure(series.together, series.relation) if self.failure is None else self.failure
        questions = Questions(failure=failure, level=self.level, names=_QUESTIONS)
        found = assess_series(series, Asker(self.adversary), questions)
        return Meaning(found.posterior, found.power, failure)


def cases_of(claim: Claim, key: str, asking: Asking) -> tuple[Case, ...]:
    """What an open point could mean; nothing where no number follows."""
    found = []
    for said, made in _CASES.get(key, _none)(claim):
        try:
            found.append(Case(said, asking.of(made())))
        except (NotImplied, TooCostly, Unreachable):  # the case has no answer
            continue
    return tuple(found)


Made = tuple[str, Callable[[], Series]]


def _none(claim: Claim) -> Iterator[Made]:  # noqa: ARG001 - as all others have it
    return iter(())


def _unit(claim: Claim) -> Iterator[Made]:
    yield f"If one person has {RECORDS} such records", lambda: _group(claim.series, RECORDS)


def _period(claim: Claim) -> Iterator[Made]:
    number = TIMES_A_YEAR.get(claim.period or "one day")
    if number is not None and claim.releases == 1:  # several releases are the year already
        which = f"If it starts anew after {claim.period or 'one day'}"
        yield f"{which} and somebody is there {number:,} times, a year", lambda: _repeated(claim.series, number)


_TWICE = {
    Neighbours.ADD_REMOVE: "records where it assumes one, and comes and goes with all of them",
    Neighbours.REPLACE: "records where it assumes one, and all of them are replaced",
    Neighbours.LOCAL: "reports where it assumes one",
}
"""What somebody has who contributes twice what a claim assumes, by the neighbours."""


def _covers(claim: Claim) -> Iterator[Made]:
    if claim.releases == 1:
        yield f"If it holds for each of {MONTHS} releases", lambda: _repeated(claim.series, MONTHS)
    elif any(each.releases > 1 and isinstance(each.one, Guarantee) for each in claim.promises):
        yield "If it holds for all releases together", lambda: together_of(claim.covering_all)


def _neighbours(claim: Claim) -> Iterator[Made]:
    if claim.series.neighbours is not Neighbours.ADD_REMOVE:
        return
    cells = [_two_cells(each) for each in claim.promises]
    read = "" if cells == list(claim.promises) else _READ
    yield f"{_REPLACED}{read}", lambda: _together([_replaced(each) for each in claim.promises])
    if read:
        yield _CELLS, lambda: _together([_replaced(each) for each in cells])


_REPLACED = "For somebody whose record is replaced, if the promise is about a record that is added or removed"
_READ = ", and the sensitivity is read as that of a replaced record too"
_CELLS = "The same in tables of several cells, where a replaced record changes two (sensitivity=histogram of a count)"


def _two_cells(series: Series) -> Series:
    """The same noise on a table, where a replaced record leaves one cell for another; itself if that is stated."""
    one = series.one
    noise = one.mechanism if isinstance(one, PoissonSubsampled) else one
    if not isinstance(noise, Gaussian | Laplace | Geometric | DiscreteGaussian):
        return series
    added, replaced = (noise.sensitivity.changes(each) for each in (Neighbours.ADD_REMOVE, Neighbours.REPLACE))
    if added != replaced:
        return series
    changed = Sensitivity(add_remove=added, replace=(*added, *added))
    stated = {name: value for name, value in noise.to_dict().items() if name != "kind"}
    wider: Any = type(noise)(**{**stated, "sensitivity": changed})
    return replace(series, one=replace(one, mechanism=wider) if isinstance(one, PoissonSubsampled) else wider)


def _replaced(series: Series) -> Series:
    """The same about a record that is replaced."""
    one = series.one.under(Neighbours.REPLACE) if isinstance(series.one, Guarantee) else series.one
    return replace(series, one=one, named=Neighbours.REPLACE)


def _together(several: Sequence[Series]) -> Series:
    """One promise as it stands; several as one."""
    return several[0] if len(several) == 1 else together_of(several)


def _delta(claim: Claim) -> Iterator[Made]:
    one = claim.series.one
    if isinstance(one, PureDP):
        loose = ApproxDP(one.stated_epsilon, LEFT_OUT, neighbours=one.neighbours)
        yield f"If a delta of {_plain(LEFT_OUT)} was left out", lambda: replace(claim.series, one=loose)


def _contributions(claim: Claim) -> Iterator[Made]:
    yield f"If somebody has two {_TWICE[claim.series.neighbours]}", lambda: _group(claim.series, 2)


def _noise(claim: Claim) -> Iterator[Made]:
    one = claim.series.one
    parameter = getattr(type(one), "parameter", None)
    word = getattr(parameter, "word", "")
    known = _LOCAL if claim.series.neighbours is Neighbours.LOCAL else _NOISES
    if not isinstance(one, Guarantee) or isinstance(one, ApproxDP) or word not in known:
        return
    noise, value = known[word], one.stated_under()[parameter.name]  # type: ignore[union-attr]
    made = promise_of(Given({word: value, "noise": noise}))
    named = replace(made, releases=claim.series.releases, named=one.neighbours)
    what = f"{noise.title()} noise on one count" if known is _NOISES else "randomized response on one bit"
    yield f"If the noise is {what}", lambda: named


_CASES: dict[str, Callable[[Claim], Iterator[Made]]] = {
    "unit": _unit,
    "period": _period,
    "covers": _covers,
    "neighbours": _neighbours,
    "delta": _delta,
    "contributions": _contributions,
    "noise": _noise,
}


def _repeated(series: Series, number: int) -> Series:
    return together_of([replace(series, releases=series.releases * number)])


def _group(series: Series, size: int) -> Series:
    """The same for somebody who has so many records in place of one, and comes and goes with all of them."""
    one = series.one
    added = series.neighbours is Neighbours.ADD_REMOVE
    if added and isinstance(one, PoissonSubsampled) and isinstance(one.mechanism, Gaussian):
        # Each record is drawn by itself: that law is known, and is found much sooner than a bound by steps.
        return replace(series, one=replace(one, records=size * one.records))
    whole: Promise = series.together
    grouped: Any = whole.group(size)
    return Series(grouped, named=series.relation)


def _plain(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER)


def _says_nothing(answer: Answer) -> bool:
    """Whether it rules nothing out: the largest bound that there can be, or a belief without one."""
    found = answer.worst
    if found is None:
        return isinstance(answer, Unbounded)
    return says_nothing(float(found.in_words), found.direction, found.quantity.unit)


def _brief(answer: Answer) -> str:
    return "has no bound" if answer.worst is None else answer.worst.brief()


def except_text(failure: float, said: str) -> str:
    """The exception of a bound, to follow what is said of it; empty where it always holds."""
    chance = number_text(failure, Direction.EXACTLY, Unit.PROBABILITY)
    return following(f"except with probability {chance}" if failure else "", said)
