"""How the risk grows with the number of releases about the same people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.curves import CompositionRule, OwnComposition, Promise
from whit.errors import require
from whit.numerics import number
from whit.semantics import membership
from whit.semantics.membership import PosteriorFrom, Risk
from whit.setting import Neighbours
from whit.telling.plots.answers import Array, Columns, certainty, direction_of, named, percent, safe, under, values
from whit.telling.plots.curves import curve_rows, curve_table, curve_words, curves
from whit.telling.plots.layers import Spec, axis, dots, reference, rows_of, words
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import HEIGHT, WIDTH
from whit.theory import Direction, Finding, Unit, number_text

COUNTS = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 270, 365)
"""The numbers of releases that are drawn, unless told otherwise."""

_LIMIT = "Use a limit such as 0.8 on a posterior."
_MOST_DOTS = 40


def risk_over_releases(
    promised: Promise | Mapping[str, Promise],
    risk: Risk,
    counts: Sequence[int] | NDArray[np.integer] = COUNTS,
    *,
    limit: float | None = None,
    failure: float = 0.0,
    sides: int = 1,
    rule: CompositionRule | None = None,
    neighbours: Neighbours | None = None,
) -> Picture:
    """The largest risk after each number of releases, and the limit that it should keep.

    Args:
        promised: what is promised of one release; or a mapping from names to several.
        risk: what is drawn: PosteriorFrom(prior), DifferenceAtAnyPrior() or RatioAtAnyPrior().
        counts: the numbers of releases, at least two of them.
        limit: the largest acceptable risk, as a line.
        failure: the chance over the noise with which the bound may be false.
        sides: 2 to bound falls of the belief as well.
        rule: how releases add up; the promise's own if none is named.
        neighbours: the relation between datasets; that of the promise if none is named.
    """
    options: dict[str, Any] = {
        "failure": failure,
        "sides": sides,
        "rule": rule or OwnComposition(),
        "neighbours": neighbours,
    }
    at, promises = np.unique(np.ravel(np.asarray(counts))), named(promised)
    enough, way_out = at.size >= 2, "Use numbers such as [1, 7, 30]."
    require(enough, name="counts", rule="must be at least two numbers of releases", value=counts, way_out=way_out)
    tops = {n: safe(membership.risk_over_releases(one, risk, at, **options)) for n, one in promises.items()}
    unit, word = risk.quantity.unit, direction_of(list(tops.values())).value
    title = "The risk after several releases" + (f": {next(iter(tops))} each" if len(tops) == 1 else "")
    caption = f"Lines: {risk.quantity.name}{_before(risk)} is {word} this, {certainty(failure)}."
    caption += _counted(sides, rule) + under(neighbours)
    x, y = _axes(at, tops, limit, risk)
    drawn = [*_limited(limit, at, x, y, unit), *curves(at, tops, x, y, height=HEIGHT)]
    drawn += [dots(curve_rows(at, tops, x, y), x, y, list(tops), size=26)] if len(at) <= _MOST_DOTS else []
    told = curve_words(at, tops, (float(at[0]), float(at[len(at) // 2]), float(at[-1])), "after {}")
    table = Columns(curve_table("releases", at, risk.quantity.name, tops))
    body = {"width": WIDTH, "height": HEIGHT, "layer": drawn}
    return pictured(body, title=title, caption=caption, alt=f"Line chart. {title}. {caption} {told}", table=table)


def _before(risk: Risk) -> str:
    """The prior that the risk starts from, if it is about one."""
    return f" from a prior of {percent(risk.prior)}" if isinstance(risk, PosteriorFrom) else ""


def _counted(sides: int, rule: CompositionRule | None) -> str:
    """What else the numbers depend on: the sides of the loss that are bounded, and how releases add up."""
    both = " Falls of the belief are bounded as well." if sides == 2 else ""
    return both if rule is None or isinstance(rule, OwnComposition) else f"{both} Releases add up by {rule}."


def _axes(at: Array, tops: Mapping[str, Finding], limit: float | None, risk: Risk) -> tuple[Spec, Spec]:
    far = float(at[-1]) / float(at[0]) > 50.0
    x = axis("releases", "number of releases", (float(at[0]), float(at[-1])), log=far)
    if far:
        ticks = [step * 10**power for power in range(7) for step in (1, 2, 5)]
        shown = [tick for tick in ticks if at[0] <= tick <= at[-1]]
        x["axis"] = {"title": "number of releases", "labelExpr": "format(datum.value, '~r')", "values": shown}
    percent = risk.quantity.unit is Unit.PROBABILITY
    if percent:
        return x, axis("risk", risk.quantity.name, (0.0, 1.0), percent=True)
    found = np.concatenate([values(top) for top in tops.values()])
    top = float(np.max(found[np.isfinite(found)], initial=0.0 if limit is None else limit))
    return x, axis("risk", risk.quantity.name, (0.0, 1.05 * top or 1.0))


def _limited(limit: float | None, at: Array, x: Spec, y: Spec, unit: Unit) -> list[Spec]:
    if limit is None:
        return []
    bound = number("limit", limit, _LIMIT)
    text = f"limit {number_text(bound, Direction.EXACTLY, unit)}"
    ends = rows_of(releases=[float(at[0]), float(at[-1])], risk=[bound, bound])
    return [reference(ends, x, y), *words(text, ends[0], x, y, dx=6, dy=-9)]
