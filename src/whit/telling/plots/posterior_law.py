"""How the posterior is spread over the noise, where the noise is known."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from whit.assessment import promise_name
from whit.curves import Promise
from whit.errors import InvalidInput
from whit.semantics import membership
from whit.semantics.membership import PosteriorLaw
from whit.setting import Neighbours
from whit.telling.plots.answers import (
    Columns,
    direction_of,
    few,
    name_of_series,
    named,
    percent,
    places,
    safe,
    said,
    under,
    values,
)
from whit.telling.plots.curves import curve_table, curve_words, curves
from whit.telling.plots.layers import Spec, axis, marked, reference, rows_of, words
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import HEIGHT, WIDTH
from whit.theory import Finding

THRESHOLDS = tuple(number / 200 for number in range(201))
"""The posteriors at which the law is drawn, unless told otherwise."""

_QUANTILES = (0.5, 0.95, 0.99)
_X = axis("posterior", "probability after the release (posterior)", (0.0, 1.0), percent=True)
_Y = axis("chance", "chance that the posterior is larger", (0.0, 1.0), percent=True)


def posterior_law(
    promised: Promise | PosteriorLaw | Mapping[str, Promise],
    prior: float | None = None,
    *,
    neighbours: Neighbours | None = None,
    posteriors: ArrayLike = THRESHOLDS,
) -> Picture:
    """The chance over the noise that the posterior of the truth exceeds each threshold.

    Args:
        promised: a mechanism, or a promise whose loss has a known law; several by name; or the law itself.
        prior: the adversary's probability of the truth before the release; left out if the law itself is given.
        neighbours: the relation between datasets; that of the promise if none is named.
        posteriors: the thresholds.
    """
    laws, at = _laws(promised, prior, neighbours), places("posteriors", posteriors, 0.0, 1.0)
    tops = {name: safe(law.tail(at)) for name, law in laws.items()}
    before = next(iter(laws.values())).prior
    word = direction_of(list(tops.values())).value
    title = f"The posterior from a prior of {percent(before)}" + (f": {next(iter(tops))}" if len(tops) == 1 else "")
    caption = (
        f"Lines: the chance over the noise that the probability of what is true exceeds the threshold is {word} this."
        f"{under(neighbours)}"
    )
    held = {name: safe(law.quantile(_QUANTILES)) for name, law in laws.items()}
    drawn = [*_prior(before), *curves(at, tops, _X, _Y, height=HEIGHT)]
    drawn += [dot for found in held.values() for dot in _quantiles(found)] if len(held) == 1 else []
    dots = f" Dots: {_spread(next(iter(held.values())))}." if len(held) == 1 else ""
    told = curve_words(at, tops, (before, 0.9), "above {} with a chance of")
    spread = "; ".join(f"{name}: {_spread(found)}" for name, found in held.items())
    alt = f"Line chart. {title}. {caption} {told} {spread}."
    table = Columns(curve_table("posterior", at, "chance of more", tops))
    body = {"width": WIDTH, "height": HEIGHT, "layer": drawn}
    return pictured(body, title=title, caption=caption + dots, alt=alt, table=table)


def _laws(
    promised: Promise | PosteriorLaw | Mapping[str, Promise], prior: float | None, neighbours: Neighbours | None
) -> dict[str, PosteriorLaw]:
    if isinstance(promised, PosteriorLaw):
        return {promise_name(promised.promise): promised}
    if prior is None:
        way_out = "Pass the probability before the release, such as 0.5."
        raise InvalidInput("prior", "must be given with a promise or a mechanism", prior, way_out)
    several = {name_of_series(name): one for name, one in few(named(promised)).items()}
    return {name: membership.distribution(one, prior, neighbours=neighbours) for name, one in several.items()}


def _prior(prior: float) -> list[Spec]:
    ends = rows_of(posterior=[prior, prior], chance=[0.0, 1.0])
    side = {"align": "left", "dx": 6} if prior < 0.5 else {"align": "right", "dx": -6}
    return [reference(ends, _X, _Y), *words("prior", {"posterior": prior, "chance": 0.04}, _X, _Y, **side)]


def _quantiles(found: Finding) -> list[Spec]:
    """The posteriors that are exceeded one time in two, in twenty and in a hundred."""
    numbers = zip(values(found), _QUANTILES, strict=True)
    return [marked({"posterior": float(x), "chance": 1.0 - level}, _X, _Y, size=70) for x, level in numbers]


def _spread(found: Finding) -> str:
    return ", ".join(f"{percent(level)} of the time {said(found, n)}" for n, level in enumerate(_QUANTILES))
