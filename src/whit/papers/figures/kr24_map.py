"""Figure 5 of Kazan and Reiter (2024): a profile of both beliefs, and the epsilon that it implies, as maps."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from whit.curves import Array
from whit.guarantees import PureDP
from whit.mechanisms import Geometric
from whit.papers.kr24 import decider
from whit.policy import Recommendation, recommend
from whit.policy.profiles import capped
from whit.semantics.disclosure import largest_epsilon
from whit.telling.plots import NO_LIMIT, SCALE, Axis, Columns, Mark, Panel, Picture, panels

PROFILE = capped(relative=3.0, absolute=0.25)
CELLS = 52
MEET = "where the cap and the ratio meet"
ACCEPTED = "relative risk accepted"
PRINTED, ONE_COUNT = "largest epsilon, as the paper has it", "largest epsilon, one count"

_MEETING = 0.25 / 3.0
_UPPER_CORNER = {"x2": {"field": "right"}, "y2": {"field": "upper"}}


@dataclass(frozen=True)
class Map:
    """Numbers at the middles of the cells, and between which of them colours differ."""

    title: str
    numbers: Array
    lowest: float
    highest: float
    scale: str = "linear"


def figure_5() -> Picture:
    """Figure 5: what equation 33 accepts, the epsilon that it implies, and the epsilon for one count."""
    inclusion, value = middles()
    limits = PROFILE.limit(inclusion, value)
    shown = [Map(ACCEPTED, limits, 3.0, 100.0, "log")]
    for title, factor in ((PRINTED, 2.0), (ONE_COUNT, 1.0)):
        found = largest_epsilon(limits, inclusion=inclusion, value=value, swap_factor=factor)
        shown.append(Map(title, np.asarray(found.value), 0.0, 4.0))
    safe = [recommend(PROFILE, PureDP), recommend(PROFILE, Geometric)]
    frame = panels(_frame(shown, safe), title=_TITLE, caption=_caption(safe), columns=3)
    table = Columns({"inclusion": inclusion, "value": value, **{each.title: each.numbers for each in shown}})
    return replace(frame, drawing=_coloured(frame.drawing, shown), table=table)


_TITLE = "KR24 Figure 5: a cap of 25 % or a ratio of 3, at all beliefs"


def _caption(found: list[Recommendation]) -> str:
    paper, count = (each.rounded(4) for each in found)
    return (
        "Left: the largest ratio of posterior and prior that is accepted (100 or more: last colour). Middle: the "
        "largest epsilon as in the paper, which counts on twice epsilon for a replaced record (4 or more: last colour; "
        f"grey: no limit). The dot decides for all: epsilon {paper}. Right: for one count, where replacing a record "
        f"costs epsilon once: {count}, twice as much. White: where the cap and the ratio meet."
    )


def middles() -> tuple[Array, Array]:
    """Inclusion and value at the middles of the cells."""
    along = (np.arange(CELLS) + 0.5) / CELLS
    inclusion, value = np.meshgrid(along, along)
    return inclusion.ravel(), value.ravel()


def _frame(shown: list[Map], found: list[Recommendation]) -> list[Panel]:
    """The axes of each map with the line on which the cap and the ratio meet, and the adversary who decides."""
    at = np.geomspace(_MEETING, 1.0, 100)
    who = [decider(each) for each in found]
    marks = [[Mark(f"epsilon {f.rounded(4)}", w.inclusion, w.value)] for f, w in zip(found, who, strict=True)]
    x, y = (Axis(f"probability of {name} before", 0.0, 1.0, percent=True) for name in ("inclusion", "the value"))
    return [
        Panel(each.title, x, y, {MEET: (at, np.minimum(_MEETING / at, 1.0))}, mark)
        for each, mark in zip(shown, [[], *marks], strict=True)
    ]


def _coloured(drawing: Mapping[str, Any], shown: list[Map]) -> dict[str, Any]:
    """The drawing with the colours of each map below its lines."""
    spec = deepcopy(dict(drawing))
    for panel, each in zip(spec["concat"], shown, strict=True):
        spec["datasets"][each.title] = _rows(each)
        meeting = panel["layer"][0]
        axes = {name: meeting["encoding"][name] for name in ("x", "y")}
        panel["layer"][0] = {"data": meeting["data"], "mark": meeting["mark"] | {"color": "white"}, "encoding": axes}
        panel["layer"][:0] = [_nothing(axes), _cells(each, axes)]
    return {**spec, "resolve": {"scale": {"color": "independent"}}}


def _rows(shown: Map) -> list[dict[str, float | None]]:
    """The cells with their numbers; none where there is no limit."""
    half = 0.5 / CELLS
    numbered = zip(*(each.tolist() for each in (*middles(), shown.numbers)), strict=True)
    return [
        {"x": p - half, "right": p + half, "y": q - half, "upper": q + half, "number": n if np.isfinite(n) else None}
        for p, q, n in numbered
    ]


def _nothing(axes: dict[str, Any]) -> dict[str, Any]:
    """Grey, which stays where there is no limit."""
    square = {"x": 0.0, "right": 1.0, "y": 0.0, "upper": 1.0}
    return {
        "data": {"values": [square]},
        "mark": {"type": "rect", "color": NO_LIMIT},
        "encoding": axes | _UPPER_CORNER,
    }


def _cells(shown: Map, axes: dict[str, Any]) -> dict[str, Any]:
    colour = {
        "field": "number",
        "type": "quantitative",
        "scale": {"scheme": SCALE, "type": shown.scale, "domain": [shown.lowest, shown.highest], "clamp": True},
        "legend": {"title": None, "gradientLength": 200},
    }
    mark = {"type": "rect", "strokeWidth": 0}
    return {"data": {"name": shown.title}, "mark": mark, "encoding": axes | _UPPER_CORNER | {"color": colour}}
