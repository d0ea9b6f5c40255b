"""What an adversary may come to believe, for every belief before the release."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Promise
from whit.errors import Incompatible
from whit.policy import limits, posterior_line
from whit.policy.profiles import RiskProfile
from whit.semantics import membership
from whit.setting import Neighbours
from whit.telling.plots.allowed import AllowedCurve, AllowedPoint, allowed_posterior
from whit.telling.plots.answers import (
    Array,
    Columns,
    certainty,
    chosen,
    direction_of,
    named,
    nearest,
    percent,
    places,
    safe,
    said,
    under,
    values,
)
from whit.telling.plots.curves import curve_rows, curves
from whit.telling.plots.layers import Spec, axis, band, lines, marked, reference, rows_of, words
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import COLOURS, HEIGHT, SHADE, WIDTH
from whit.theory import Finding

PRIORS = tuple(number / 200 for number in range(201))
"""The priors at which the posterior is drawn, unless told otherwise."""

_X = axis("prior", "probability before the release (prior)", (0.0, 1.0), percent=True)
_Y = axis("posterior", "probability after the release (posterior)", (0.0, 1.0), percent=True)
_SLOPE = 360.0 - math.degrees(math.atan2(HEIGHT, WIDTH))


def posterior_against_prior(
    promised: Promise | Mapping[str, Promise],
    *,
    allowed: RiskProfile | limits.Limit | None = None,
    failure: float = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    priors: ArrayLike = PRIORS,
    judged: bool = False,
) -> Picture:
    """The largest posterior of the truth for each prior, with what is allowed shaded.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        allowed: a risk profile, or a limit on posterior, ratio or difference, that is shaded below the lines.
        failure: the chance over the noise with which the bound may be false; 0 asks for what always holds.
        sides: 2 to draw the lowest posterior as well.
        neighbours: the relation between datasets; that of the promise if none is named.
        priors: the priors at which the posterior is drawn.
        judged: draw what a risk profile judges: the adversary with each prior who learns most, whatever they believe
            about the others. Else it is somebody who knows everyone else, who learns less.
    """
    at, promises = places("priors", priors, 0.0, 1.0), named(promised)
    asked: dict[str, Any] = {"failure": failure, "sides": sides, "neighbours": neighbours}
    answers: dict[str, Finding]
    if judged:
        profile = _profile(allowed)
        answers = {name: posterior_line(profile, each, at, failure=failure) for name, each in promises.items()}
    else:
        answers = {name: membership.posterior(each, at, **asked) for name, each in promises.items()}
    tops = {name: safe(answer) for name, answer in answers.items()}
    limit = None if allowed is None else allowed_posterior(allowed, at)
    table = _table(at, answers, limit)
    layers = [*_allowed(limit, at), *_falls(answers, at), *_lines(at, tops)]
    word = direction_of(list(tops.values())).value
    lower = " Lower lines: at least this." if sides == 2 else ""
    about = "a disclosure, for the adversary who learns most," if judged else "what is true"
    caption = f"Lines: the probability of {about} is {word} this, {certainty(failure)}.{lower}{under(neighbours)}"
    title = "What an adversary may come to believe" + (f": {next(iter(tops))}" if len(tops) == 1 else "")
    body = {"width": WIDTH, "height": HEIGHT, "layer": layers}
    return pictured(
        body, title=title, caption=caption + _shaded(limit), alt=_alt(title, caption, at, tops, limit), table=table
    )


def _profile(allowed: object) -> RiskProfile:
    if isinstance(allowed, RiskProfile):
        return allowed
    way_out = "Pass allowed=profiles.capped(relative=3.0, absolute=0.25), or leave judged out."
    raise Incompatible("judged", "must come with a risk profile", allowed, way_out)


def _lines(at: Array, tops: Mapping[str, Finding]) -> list[Spec]:
    nothing = reference(rows_of(prior=[0.0, 1.0], posterior=[0.0, 1.0]), _X, _Y)
    told = words("nothing learnt", {"prior": 0.6, "posterior": 0.6}, _X, _Y, align="center", dy=10, angle=_SLOPE)
    return [nothing, *curves(at, tops, _X, _Y, height=HEIGHT), *told]


def _falls(answers: Mapping[str, Finding], at: Array) -> list[Spec]:
    """The lowest posteriors as lines, where they are known; what lies between is shaded if there is but one."""
    held = {name: answer for name, answer in answers.items() if answer.is_two_sided}
    drawn = (
        [lines(curve_rows(at, {n: each.below for n, each in held.items()}, _X, _Y), _X, _Y, list(held))] if held else []
    )
    if len(held) == 1:
        (answer,) = held.values()
        rows = rows_of(prior=at, posterior=values(answer.below), upper=values(answer))
        drawn.insert(0, band(rows, _X, _Y, "upper", colour=COLOURS[0], opacity=0.18))
    return drawn


def _allowed(limit: AllowedCurve | AllowedPoint | None, at: Array) -> list[Spec]:
    if limit is None:
        return []
    if isinstance(limit, AllowedPoint):
        row = {"prior": limit.prior, "posterior": limit.posterior}
        said_at = words(f"allowed up to {percent(limit.posterior)}", row, _X, _Y, align="right", dx=-9)
        return [marked(row, _X, _Y, shape="diamond", size=140), *said_at]
    rows = rows_of(prior=at, posterior=np.zeros_like(at), allowed=limit.posteriors)
    place = nearest(at, 0.72)
    said_in = words("allowed", {"prior": float(at[place]), "posterior": 0.2}, _X, _Y)
    return [band(rows, _X, _Y, "allowed", colour=SHADE, opacity=0.25), *said_in]


def _shaded(limit: AllowedCurve | AllowedPoint | None) -> str:
    if limit is None:
        return ""
    return " Shaded: what is allowed." if isinstance(limit, AllowedCurve) else " Diamond: what is allowed."


def _table(at: Array, answers: Mapping[str, Finding], limit: AllowedCurve | AllowedPoint | None) -> Columns:
    columns: dict[str, object] = {"prior": at}
    for name, answer in answers.items():
        top = safe(answer)
        columns[f"posterior {top.direction.value}: {name}"] = values(top)
        if answer.is_two_sided:
            low = answer.below
            columns[f"posterior {low.direction.value}: {name}"] = values(low)
    if isinstance(limit, AllowedCurve):
        columns["posterior allowed"] = limit.posteriors
    return Columns(columns)


def _alt(
    title: str, caption: str, at: Array, tops: Mapping[str, Finding], limit: AllowedCurve | AllowedPoint | None
) -> str:
    told = "; ".join(
        f"{name}: "
        + ", ".join(f"from {percent(float(at[place]))} to {said(top, place)}" for place in chosen(at, (0.1, 0.5, 0.9)))
        for name, top in tops.items()
    )
    beside = "" if limit is None else f" {limit.words(at)}"
    return f"Line chart. {title}. Posterior against prior. {caption} {told}.{beside}"
