"""What would be within every limit instead: another parameter, fewer releases, or the noise rather than a promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from whit.assessment import promise_name
from whit.errors import WhitError
from whit.guarantees import Guarantee
from whit.policy import Outcome, Recommendation, Requirement, check
from whit.spec import Given, Series, promise_of, together_of
from whit.telling.reports.cases import AnsweredRelease, Ruling
from whit.telling.reports.sentences import OUTCOMES, bound_alone, in_each, ours, stated_value, verdict_word
from whit.telling.reports.wording import Words

NOISES = ("laplace", "gaussian")
"""The noise to ask for, the usual one of each kind of promise."""

FEW = 64
"""Up to so many releases every smaller number is looked at, and what they come to if the noise is known."""


@dataclass(frozen=True)
class Change:
    """A change of a release, and what policy says of it.

    Attributes:
        change: what is changed.
        to: to what.
        outcome: the verdict after it.
    """

    change: str
    to: str
    outcome: str

    def row(self, words: Words) -> tuple[str, str, str]:
        """As the row of a table."""
        return self.change, self.to, verdict_word(self.outcome, words)


def changes(work: AnsweredRelease) -> tuple[Change, ...]:
    """What else would be within every limit, each as policy found it."""
    if not work.rulings:
        return ()
    found = [*_parameter(work.rulings, work.words)]
    if work.outcome != OUTCOMES[Outcome.KEPT]:
        found += [*_fewer(work), *_without(work), *_noise(work)]
    return tuple(found)


def _parameter(rulings: Sequence[Ruling], words: Words) -> Iterator[Change]:
    """The parameter that is within every limit: of parameters beyond which all are, the strictest one."""
    remedies = [each.verdict.remedy for each in rulings]
    known = [each for each in remedies if each is not None and not each.unlimited]
    if None in remedies or not known or (len(rulings) > 1 and not known[0].family.steady):
        return
    strictest = min(known, key=_strictness)
    allowed = all(each.outcome is Outcome.KEPT for each in rulings)
    key = f"sheet.{'rising' if strictest.family.rising else 'falling'}{'_room' if allowed else ''}"
    series, to = rulings[0].series, bound_alone(strictest, words)
    said = words("sheet.parameter", own=ours(series, words), bound=to, each=in_each(series, words))
    yield Change(words(key, parameter=strictest.family.parameter), said, OUTCOMES[strictest.verdict.outcome])


def _strictness(found: Recommendation) -> float:
    value = float(found.parameter)
    return value if found.family.rising else -value


def _fewer(work: AnsweredRelease) -> Iterator[Change]:
    """A smaller number of releases that is within every limit, by halving; the number itself was checked."""
    series, words = work.request.series, work.words
    if series.releases == 1:
        return
    tried = _numbers_below(series.releases)
    low, high = -1, len(tried)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _kept(replace(series, releases=tried[middle]), work) else (low, middle)
    gaps = {"releases": words.count(series.releases)}
    if low >= 0:
        to, outcome = words("sheet.fewer_to", number=words.count(tried[low]), **gaps), Outcome.KEPT
    else:
        to, outcome = words("sheet.fewer_none", **gaps), _outcome(replace(series, releases=1), work)
    yield Change(words("sheet.fewer"), to, OUTCOMES[outcome])


def _numbers_below(releases: int) -> list[int]:
    """The numbers of releases to look at: all of a few, and round ones of many.

    >>> _numbers_below(4), _numbers_below(250)[-4:]
    ([1, 2, 3], [80, 90, 100, 200])
    """
    if releases <= FEW:
        return list(range(1, releases))
    round_ones = (digit * 10**place for place in range(len(str(releases))) for digit in range(1, 10))
    return [number for number in round_ones if number < releases]


def _without(work: AnsweredRelease) -> Iterator[Change]:
    """The promises without which the others are within every limit, where several are stated."""
    stated, words = work.request.promises, work.words
    if len(stated) < 2:
        return
    left = [together_of([each for each in stated if each is not promise]) for promise in stated]
    kept = [place for place, others in enumerate(left) if _kept(others, work)]
    for place in kept:
        said = words("sheet.without_one", number=words.count(place + 1), promise=stated[place].words)
        yield Change(words("sheet.without"), said, OUTCOMES[Outcome.KEPT])
    if not kept:
        yield Change(words("sheet.without"), words("sheet.without_none"), OUTCOMES[_worst(left, work)])


def _worst(several: Sequence[Series], work: AnsweredRelease) -> Outcome:
    found = [_outcome(each, work) for each in several]
    return Outcome.BROKEN if Outcome.BROKEN in found else Outcome.OPEN


def _noise(work: AnsweredRelease) -> Iterator[Change]:
    """What the release comes to if a promise is known to be kept by the usual noise."""
    series, words = work.request.series, work.words
    if not isinstance(series.one, Guarantee) or series.releases > FEW:
        return
    for noise in NOISES:
        with suppress(WhitError):
            known = _by_noise(series.one, series, noise)
            to = words("sheet.noise_to", noise=promise_name(known.one))
            yield Change(words("sheet.noise"), to, OUTCOMES[_outcome(known, work)])


def _by_noise(one: Guarantee, series: Series, noise: str) -> Series:
    """The same promise as noise that uses it up; refused where this noise makes no such promise."""
    parameter = type(one).parameter
    words = {parameter.word: parameter.name, **{name: name for name in parameter.beside}}
    stated = {word: stated_value(one, name) for word, name in words.items()}
    related = {"neighbours": series.neighbours.name.lower(), "releases": series.releases}
    return promise_of(Given({**stated, **related, "noise": noise}))


def _kept(series: Series, work: AnsweredRelease) -> bool:
    return _outcome(series, work) is Outcome.KEPT


def _outcome(series: Series, work: AnsweredRelease) -> Outcome:
    wanted: list[Requirement] = [each.verdict.requirement for each in work.rulings]  # type: ignore[misc]
    failure, relation = work.request.questions.failure, series.relation
    return check(series.one, wanted, releases=series.releases, failure=failure, neighbours=relation).outcome
