"""What would do instead of several promises, by the noise of all or of one, and what was not looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from whit.errors import WhitError
from whit.mechanisms import parameter_of
from whit.policy import Outcome, Recommendation, own_number, scaled
from whit.spec import Raised, Series, are_raised, are_searched, together_of
from whit.telling.reports.cases import AnsweredRelease
from whit.telling.reports.change import Change, moved_by
from whit.telling.reports.document import clipped
from whit.telling.reports.facts import NAME
from whit.telling.reports.sentences import OUTCOMES, bound_alone, in_each, ours
from whit.telling.reports.wording import Words, capital, words_of
from whit.theory import Direction

FARTHEST = 100.0
"""A parameter that changes by more than this factor is no use to anybody."""


def one_parameter(stated: Sequence[Series], remedies: Mapping[int, Recommendation], words: Words) -> Iterator[Change]:
    """For each of several promises, the parameter with which all are within every limit, if the others stay."""
    for place, found in remedies.items():
        own = stated[place]
        if found.unlimited or not 1 / FARTHEST <= float(found.parameter) / own_number(own.one) <= FARTHEST:
            continue
        gaps = {"parameter": words.parameter(found.family.parameter), "number": words.count(place + 1)}
        named = clipped(own.name, NAME) or words.promise(own.words)
        change = words(f"sheet.{'rising' if found.family.rising else 'falling'}_one", promise=named, **gaps)
        gaps = {"own": ours(own, words), "each": in_each(own, words)}
        to = words("sheet.parameter", bound=bound_alone(found, words), **gaps)
        then = together_of([replace(own, one=found.to_use) if each is own else each for each in stated])
        yield Change(capital(change), to, OUTCOMES[found.verdict.outcome], moved_by(found.to_use, words), then)


def all_raised(stated: Sequence[Series], raised: Raised | None, words: Words) -> Iterator[Change]:
    """The parameters of several promises with which all are within every limit, with one factor of noise for each."""
    if raised is None or not 1 / FARTHEST <= float(raised.factor.parameter) <= FARTHEST:
        return
    more = float(raised.factor.parameter) > 1.0
    has_room = more or any(map(_is_looser, raised.promises, stated))
    then = raised.promises if has_room else stated
    several = [_raised_one(place, each, words) for place, each in enumerate(then, start=1)]
    listed, fails = words.language.listed(several, "semicolon"), words.failing(raised.factor.parameter)
    to = f"{listed} {fails}".strip() if has_room else words("sheet.no_room_all")
    moved = {moved_by(each.one, words) for each in then}
    noise = moved.pop() if len(moved) == 1 else ""
    change = words("sheet.raised_all" if more else "sheet.lowered_all")
    yield Change(change, to, OUTCOMES[raised.verdict.outcome], noise, together_of(then))


def _is_looser(one: Series, other: Series) -> bool:
    """Whether a promise has less noise than another one of its kind, as both are written."""
    number, than = own_number(one.one), own_number(other.one)
    return number > than if parameter_of(one.one).rising else number < than


def _raised_one(number: int, series: Series, words: Words) -> str:
    """The parameter of one of several promises, as it was checked, with the name of the promise."""
    parameter = parameter_of(series.one)
    key = ("up_to" if parameter.rising else "from") if parameter.steady else "unsteady"
    bound = words(f"beside.{key}", number=words.number(own_number(series.one), Direction.EXACTLY, digits=15))
    named = clipped(series.name, NAME) or words("sheet.promise_number", number=words.count(number))
    return words("sheet.all_each", parameter=words.parameter(parameter.name), bound=bound, promise=named)


def remedy_sentences(
    stated: Sequence[Series],
    remedies: Mapping[int, Recommendation],
    raised: Raised | None = None,
    *,
    language: str = "en",
) -> list[str]:
    """A sentence for each change that is within every limit: of the noise of all, and of each promise alone."""
    words = words_of(language)
    found = [*all_raised(stated, raised, words), *one_parameter(stated, remedies, words)]
    return [words("summary.instead", change=each.change, to=each.to) for each in found]


def not_searched(work: AnsweredRelease) -> str:
    """That a change of the noise was not looked for, and what finds it; empty where it was, or where none is asked."""
    stated, words = work.request.promises, work.words
    if not work.rulings or len(stated) < 2 or work.noisy_outcome == OUTCOMES[Outcome.OPEN]:
        return ""
    if not are_raised(stated):
        return words("sheet.not_searched") if _have_a_factor(stated) else ""
    asks_for_one = work.noisy_outcome != OUTCOMES[Outcome.KEPT] and not are_searched(stated)
    return words("sheet.not_searched_alone") if asks_for_one else ""


def _have_a_factor(stated: Sequence[Series]) -> bool:
    """Whether each promise has one number that says how much noise it has, so that one factor serves all."""
    with suppress(WhitError):
        return all(own_number(scaled(each.one, 1.0)) for each in stated)
    return False
