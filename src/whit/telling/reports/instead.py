"""What would be within every limit instead: another parameter, fewer releases, or the noise rather than a promise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from whit.assessment import promise_name
from whit.audit import cell_text
from whit.errors import TooCostly, Unreachable, WhitError
from whit.guarantees import Guarantee
from whit.mechanisms import Gaussian, Laplace, restated
from whit.numerics import round_up
from whit.policy import Outcome, Recommendation, Requirement, own_number, recommend, worst_of
from whit.policy.tables import Audited, BeliefLeft, fewest_suppressions
from whit.setting import Neighbours
from whit.spec import (
    Given,
    Series,
    check_series,
    promise_of,
    together_of,
    without_one,
)
from whit.telling.reports.cases import AnsweredRelease
from whit.telling.reports.change import Change, moved_by
from whit.telling.reports.document import clipped
from whit.telling.reports.facts import NAME
from whit.telling.reports.sentences import (
    DIGITS,
    OUTCOMES,
    bound_alone,
    in_each,
    ours,
    parameter_number,
    stated_value,
)
from whit.telling.reports.several import all_raised, one_parameter
from whit.telling.reports.wording import capital
from whit.theory import Unit, number_text

NOISES: Final = {"laplace": Laplace, "gaussian": Gaussian}
"""The noise to ask for, the usual one of each kind of promise."""

ALLOWED = OUTCOMES[Outcome.KEPT]

FEW = 64
"""Up to so many releases every smaller number is looked at, and what they come to if the noise is known."""


NAMED_DIGITS = 6
"""So many digits the name of noise has."""

SMALL_TABLE = 100
"""Up to so many cells a table without noise is repaired by trying."""

REPAIRS = 200
"""So many repairs are tried."""


NAMES = 340
"""So many letters of a list of promises fit in one cell."""


def changes(work: AnsweredRelease) -> tuple[Change, ...]:
    """What else would be within every limit, each as policy found it."""
    found = [] if work.has_failing_table and work.noisy_outcome == ALLOWED else [*_noisier(work)]
    if work.audit is not None and work.has_failing_table:  # then no change of the noise is enough
        found = [replace(each, outcome=_with(each.outcome, work.audit.outcome)) for each in found]
        found += _withheld(work.audit, work)
    if work.request.ledger is not None:  # its account is asked about the very releases of each change
        found = [replace(each, outcome=_with(each.outcome, work.room_for(each.then))) for each in found]
    return tuple(sorted(found, key=lambda each: each.outcome != ALLOWED))  # those that pass come first


def _noisier(work: AnsweredRelease) -> Iterator[Change]:
    """The changes of what is published with noise."""
    if not work.rulings:
        return
    yield from _parameter(work)
    yield from all_raised(work.request.promises, work.raised, work.words)
    if work.noisy_outcome == ALLOWED:
        yield from (*_fewer(work), *_without(work)) if work.has_no_room else ()
        return
    yield from (
        *_fewer(work),
        *one_parameter(work.request.promises, work.remedies, work.words),
        *_without(work),
        *_noise_of_a_count(work),
    )


def _withheld(audit: Audited, work: AnsweredRelease) -> Iterator[Change]:
    """The fewest further cells of the table that have to be withheld, for a table that is small enough to try."""
    words, by_belief = work.words, any(isinstance(each, BeliefLeft) for each in audit.task.limits)
    if by_belief or len(audit.task.publication.cells) > SMALL_TABLE:  # a belief weighs every table, at every try
        return
    with suppress(TooCostly, Unreachable):
        cells, repaired = fewest_suppressions(audit.task, most=REPAIRS)
        named = words.language.listed(map(cell_text, cells), "semicolon")
        to = words("audit.withhold_to", number=words.count(len(cells)), cells=named)
        noisy = [each.outcome for each in work.rulings]
        outcome = OUTCOMES[worst_of([repaired.outcome, *noisy])]
        yield Change(words("audit.withhold"), to, outcome, then=work.request.series)


def _with(outcome: str, other: Outcome) -> str:
    """The worse of two outcomes, the first by its key."""
    known = {key: each for each, key in OUTCOMES.items()}
    return OUTCOMES[worst_of([known[outcome], other])]


def noise_may_help(work: AnsweredRelease) -> bool:
    """Whether a promise is stated whose noise is worth asking for: not where the usual noise exceeds a limit too."""
    if not isinstance(work.request.series.one, Guarantee):
        return False
    asked = work.rulings and work.noisy_outcome != ALLOWED
    return not asked or any(each.outcome == ALLOWED for each in _noise(work))


def asks_for_noise(work: AnsweredRelease) -> bool:
    """Whether a change is noise to ask for, which is worked out for one count that a person changes by one."""
    return bool(work.rulings) and work.noisy_outcome != ALLOWED and bool(_noise_of_a_count(work))


def _noise_of_a_count(work: AnsweredRelease) -> tuple[Change, ...]:
    """The noise to ask for where only a promise is stated."""
    return (*(each for each in _noise(work) if each.outcome == ALLOWED), *_least_noise(work))


def _parameter(work: AnsweredRelease) -> Iterator[Change]:
    """The parameter that is within every limit: of parameters beyond which all are, the strictest one."""
    rulings, words = work.rulings, work.words
    remedies = [each.verdict.remedy for each in rulings]
    known = [each for each in remedies if each is not None and not each.unlimited]
    if None in remedies or not known or (len(rulings) > 1 and not known[0].family.steady):
        return
    strictest = min(known, key=_strictness)
    allowed = all(each.outcome is Outcome.KEPT for each in rulings)
    key = f"sheet.{'rising' if strictest.family.rising else 'falling'}{'_room' if allowed else ''}"
    series = rulings[0].series
    gaps = {"own": ours(series, words), "each": in_each(series, words)}
    if allowed and strictest.family.steady and parameter_number(strictest, words) == gaps["own"]:  # as it is shown
        said = words("sheet.no_room", **gaps)
    elif allowed and strictest.family.steady and work.request.ledger is None:  # an account may allow less than the file
        side = "up_to" if strictest.family.rising else "down_to"
        number = f"{parameter_number(strictest, words)} {words.failing(strictest.parameter)}".rstrip()
        said = words(f"sheet.{side}", number=number, **gaps)
    else:
        said = words("sheet.parameter", bound=bound_alone(strictest, words), **gaps)
    name = words.parameter(strictest.family.parameter)
    outcome, noise = OUTCOMES[strictest.verdict.outcome], moved_by(strictest.to_use, words)
    then = replace(series, one=strictest.to_use)
    yield Change(capital(words(key, parameter=name)), said, outcome, noise, then)


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
    then = replace(series, releases=tried[low] if low >= 0 else 1)
    yield Change(words("sheet.fewer"), to, OUTCOMES[outcome], moved_by(series.one, words), then)


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
    """The promises without which the others are within every limit and fit the account, where several are stated.

    Where there is none, all are said that come to the same verdict, each with its own.
    """
    stated, words = work.request.promises, work.words
    if len(stated) < 2:
        return
    limited = without_one(stated, work.request.requirements, work.request.questions)
    rests = [together_of([each for each in stated if each is not own]) for own in stated]
    left = [worst_of([outcome, work.room_for(rest)]) for outcome, rest in zip(limited, rests, strict=True)]
    named = [
        words(
            "sheet.numbered", number=words.count(place), promise=clipped(each.name, NAME) or words.promise(each.words)
        )
        for place, each in enumerate(stated, start=1)
    ]
    for place, outcome in enumerate(left):
        if outcome is Outcome.KEPT:
            change = words("sheet.without_one", promise=named[place])
            yield Change(change, words("sheet.without_rest"), OUTCOMES[outcome], then=rests[place])
    for outcome in dict.fromkeys(left if Outcome.KEPT not in left else ()):
        which = [name for name, known in zip(named, left, strict=True) if known is outcome]
        some = clipped(words.language.listed(which, "semicolon"), NAMES)
        to = words("sheet.without_none") if len(which) == len(stated) else some
        yield Change(words("sheet.without"), to, OUTCOMES[outcome])


def _noise(work: AnsweredRelease) -> Iterator[Change]:
    """What the release comes to if a promise is known to be kept by the usual noise."""
    series, words = work.request.series, work.words
    if not isinstance(series.one, Guarantee) or series.releases > FEW:
        return
    for noise in NOISES:
        with suppress(WhitError):
            known = _as_named(_by_noise(series.one, series, noise))
            to = words("sheet.noise_to", noise=words.promise(promise_name(known.one)))
            yield Change(words("sheet.noise"), to, OUTCOMES[_outcome(known, work)], moved_by(known.one, words), known)


def _as_named(series: Series) -> Series:
    """The noise with the digits of its name, rounded up: whoever draws noise as it is printed has enough of it."""
    enough = round_up(Decimal(repr(own_number(series.one))), NAMED_DIGITS)
    one: Any = restated(series.one, float(enough))
    return replace(series, one=one)


def _least_noise(work: AnsweredRelease) -> Iterator[Change]:
    """The least noise of each usual kind that is within every limit, where only a promise is stated."""
    series = work.request.series
    several = len(work.request.promises) > 1 or series.releases > FEW
    if several or not isinstance(series.one, Guarantee) or series.neighbours is Neighbours.LOCAL:
        return
    wanted, failure = _wanted(work), work.request.questions.failure
    for noise, kind in NOISES.items():
        with suppress(WhitError):
            found = recommend(wanted, kind, releases=series.releases, failure=failure, neighbours=series.relation)
            yield from () if found.unlimited else _asked_for(noise, found, work)


def _asked_for(noise: str, found: Recommendation, work: AnsweredRelease) -> Iterator[Change]:
    """The noise with its parameter as it is printed, what it costs, and what policy says of that very noise."""
    series, words = work.request.series, work.words
    printed = float(
        number_text(float(found.parameter), found.parameter.direction, Unit.NUMBER, DIGITS).replace(",", "")
    )
    related = {"neighbours": series.neighbours.name.lower(), "releases": series.releases}
    known = promise_of(Given({noise: printed, **related}))
    to = words(
        "sheet.noise_least",
        parameter=words.parameter(found.family.parameter),
        bound=bound_alone(found, words),
        each=in_each(series, words),
    )
    outcome, moved = OUTCOMES[_outcome(known, work)], moved_by(NOISES[noise](printed), words)
    yield Change(words(f"sheet.noise_{noise}"), to, outcome, moved, known)


def _by_noise(one: Guarantee, series: Series, noise: str) -> Series:
    """The same promise as noise that uses it up; refused where this noise makes no such promise."""
    parameter = type(one).parameter
    words = {parameter.word: parameter.name, **{name: name for name in parameter.beside}}
    stated = {word: stated_value(one, name) for word, name in words.items()}
    related = {"neighbours": series.neighbours.name.lower(), "releases": series.releases}
    return promise_of(Given({**stated, **related, "noise": noise}))


def _kept(series: Series, work: AnsweredRelease) -> bool:
    """Whether releases are within every limit of the file and, where it names an account, fit the ledger."""
    return _outcome(series, work) is Outcome.KEPT and work.room_for(series) is Outcome.KEPT


def _wanted(work: AnsweredRelease) -> list[Requirement]:
    return [each.verdict.requirement for each in work.rulings]  # type: ignore[misc]


def _outcome(series: Series, work: AnsweredRelease) -> Outcome:
    return check_series(series, work.request.requirements, work.request.questions).outcome
