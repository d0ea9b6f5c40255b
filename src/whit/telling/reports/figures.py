"""The pictures of a report, as figures with their captions.

A picture whose numbers are not known is left out. One that is known is drawn or fails aloud: nothing here takes an
error of the drawing for a question without an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from whit.curves import Promise
from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly
from whit.ledger import Course
from whit.policy import limits
from whit.policy.profiles import RiskProfile
from whit.setting import Knowledge
from whit.spec import Series
from whit.telling.plots import (
    Picture,
    account_over_time,
    icon_arrays,
    level_and_power,
    posterior_against_prior,
    profile_curve,
)
from whit.telling.plots.wording import words_of as pictured_in
from whit.telling.reports.cases import Case
from whit.telling.reports.document import Figure
from whit.telling.reports.wording import Words
from whit.theory import Finding

_CLIP = re.compile(r'<clipPath id="([^"]+)"')
_REFUSED = (Incompatible, InvalidInput, NotImplied, TooCostly)


def belief_figure(
    series: Series,
    accepted: Sequence[RiskProfile | limits.Limit],
    failure: float,
    words: Words,
    *,
    decider: float | None = None,
) -> tuple[Figure, ...]:
    """The posterior at every prior, with the accepted part shaded, if it can be.

    Args:
        series: the release.
        accepted: what may be shaded, the first that can be.
        failure: the probability with which the line may be exceeded.
        words: the language.
        decider: the prior of the adversary who decides about a risk profile, which gets a dot.
    """
    draw = partial(_beliefs, series, failure=failure, words=words, decider=decider)
    return next(filter(None, (_drawn(partial(draw, allowed)) for allowed in (*accepted, None))), ())


def _beliefs(
    series: Series, allowed: RiskProfile | limits.Limit | None, *, failure: float, words: Words, decider: float | None
) -> Picture:
    """The posterior at every prior beside what may be shaded."""
    if isinstance(allowed, RiskProfile):  # which is about both relations
        asked: dict[str, Any] = {"by_profile": True, "mark": decider}
    else:
        asked = {"neighbours": series.relation, **_about(allowed)}
    named = _named(series, words, people=getattr(allowed, "block", 1))
    return posterior_against_prior(named, allowed=allowed, failure=failure, language=words.code, **asked)


def people_figure(case: Case, level: float, words: Words) -> tuple[Figure, ...]:
    """Out of a hundred publications, how many would convince the adversary, without the person and with them."""
    found, who, code = case.assessment.power, case.asker.adversary, words.code
    if not isinstance(found, Finding) or who.value < 1.0 == who.inclusion:  # they know who is in the data
        return ()
    believer, of_presence = case.asker.name, who.value < 1.0
    belief = None if of_presence else pictured_in(code)("icons.fact", fact=case.asker.fact)
    return _drawn(partial(icon_arrays, level, found, believer=believer, belief=belief, language=code))


def technical_figures(series: Series, words: Words) -> tuple[Figure, ...]:
    """Level and power, and the privacy profile."""
    relation = series.relation
    named, code = _named(series, words), words.code
    tests = partial(level_and_power, named, neighbours=relation, knows=Knowledge.ANY_BELIEF, language=code)
    profile = partial(profile_curve, named, neighbours=relation, language=code)
    return (*_drawn(tests), *_drawn(profile))


def account_figures(courses: Iterable[Course], words: Words) -> tuple[Figure, ...]:
    """The risk of an account after each release, for each of its limits that can be drawn."""
    draw = partial(account_over_time, language=words.code)
    return tuple(figure for course in courses for figure in _drawn(partial(draw, course)))


def _named(series: Series, words: Words, *, people: int = 1) -> dict[str, Promise]:
    """All releases together, by the name that goes without saying in a picture; of people who depend on each other."""
    return {pictured_in(words.code)("common.this_release"): series.together.block(people)}


def _about(allowed: limits.Limit | None) -> dict[str, Any]:
    """Whom a limit is about: their prior, if it is one, what they know of the others, and when they look."""
    if allowed is None:
        return {}
    return {"mark": getattr(allowed, "prior", None), "knows": allowed.knows, "when": allowed.when}


def _drawn(describe: Callable[[], Picture]) -> tuple[Figure, ...]:
    """The figure of a picture that can be described, which is then drawn; else none."""
    try:
        picture = describe()
    except _REFUSED:
        return ()
    return (_figure(picture),)


def steady(svg: str) -> str:
    """The picture, whose clip paths are numbered from 1: the drawing library counts on from one to the next.

    >>> steady('<clipPath id="4f-clip7"/><g clip-path="url(#4f-clip7)"/>')
    '<clipPath id="clip-1"/><g clip-path="url(#clip-1)"/>'
    """
    for number, name in enumerate(dict.fromkeys(_CLIP.findall(svg)), start=1):
        svg = svg.replace(f'id="{name}"', f'id="clip-{number}"').replace(f"url(#{name})", f"url(#clip-{number})")
    return svg


def _figure(picture: Picture) -> Figure:
    """The picture, whose caption stands below it on the page and so not in the drawing."""
    bare = picture.without_caption()
    narrow = "" if bare.narrow is None else steady(bare.narrowed().svg())
    return Figure(picture.caption, picture.alt, steady(bare.svg()), narrow)
