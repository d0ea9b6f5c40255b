"""The epsilon that a risk profile allows at each pair of beliefs, a map with the pair that decides: KR24, Figure 5."""

from __future__ import annotations

import numpy as np

from whit.errors import Incompatible, require
from whit.numerics import count
from whit.policy.profiles import RiskProfile
from whit.telling.plots.answers import Array, Columns, values
from whit.telling.plots.layers import Spec, axis, finite, marked, words
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.profile_beliefs import Decided, decided, epsilons_at, limits_at
from whit.theory import Direction, Unit, number_text

_CELLS = 40
_SIDE = 380
_HIGHEST = 4.0
"""Epsilons from here on share the last colour, as in the figure of the paper."""

_X = axis("inclusion", "probability that the person is in the data (inclusion)", (0.0, 1.0), percent=True)
_Y = axis("value", "probability of the sensitive value (value)", (0.0, 1.0), percent=True)


def profile_map(profile: RiskProfile, *, cells: int = _CELLS) -> Picture:
    """The largest epsilon (add or remove one person) that keeps to a profile at each pair of beliefs.

    Each cell of the map has the number of its middle. The dot is the adversary who decides the epsilon of all.

    Args:
        profile: a risk profile with both beliefs free.
        cells: how many cells there are in each direction.
    """
    _require_free(profile)
    number = count("cells", cells, "Use a whole number such as 40.")
    rule = "must be from 2 to 100"
    require(2 <= number <= 100, name="cells", rule=rule, value=cells, way_out="Use a whole number such as 40.")
    middles = (np.arange(number) + 0.5) / number
    inclusion, value = (np.ravel(grid) for grid in np.meshgrid(middles, middles))
    limits = limits_at(profile, inclusion, value)
    epsilons = values(epsilons_at(limits, inclusion, value))
    decider = decided(profile)
    title = "The epsilon that a profile allows, belief by belief"
    caption = (
        "Colour: the largest epsilon (add or remove one person) at these beliefs; grey where there is no limit. "
        + ("Dot: the adversary who decides for all." if decider else "Every epsilon keeps to the profile.")
    )
    layers = [_nothing(), _cells(inclusion, value, epsilons, number), *_decider(decider)]
    body = {"width": _SIDE, "height": _SIDE, "layer": layers}
    table = Columns(
        {"inclusion": inclusion, "value": value, "relative risk accepted": limits, "largest epsilon": epsilons}
    )
    told = f"All in all: {decider}." if decider else "There is no limit anywhere."
    alt = f"Map in colours. {title}. {caption} {told}"
    return pictured(body, title=title, caption=caption, alt=alt, table=table)


def _require_free(profile: object) -> None:
    way_out = "Use profile_and_epsilon, which draws the belief that is left free."
    if not isinstance(profile, RiskProfile):
        raise Incompatible(
            "a map", "must be that of a risk profile", profile, "Use capped(relative=3.0, absolute=0.25)."
        )
    if profile.domain.inclusion_fixed or profile.domain.value_fixed:
        raise Incompatible("a map of a profile", "must have both beliefs free", profile, way_out)


def _cells(inclusion: Array, value: Array, epsilons: Array, cells: int) -> Spec:
    half = 0.5 / cells
    rows: list[Spec] = [
        {"inclusion": p - half, "right": p + half, "value": q - half, "upper": q + half, "epsilon": finite(float(e))}
        for p, q, e in zip(inclusion.tolist(), value.tolist(), epsilons, strict=True)
    ]
    legend = {
        "title": ["largest epsilon", f"({_HIGHEST:g} or more: last colour)"],
        "gradientLength": 200,
        "tickCount": 5,
    }
    colour = {
        "field": "epsilon",
        "type": "quantitative",
        "scale": {"scheme": "cividis", "domain": [0.0, _HIGHEST], "clamp": True},
        "legend": legend,
    }
    return {
        "data": {"values": rows},
        "mark": {"type": "rect", "strokeWidth": 0},
        "encoding": {"x": _X, "x2": {"field": "right"}, "y": _Y, "y2": {"field": "upper"}, "color": colour},
    }


def _nothing() -> Spec:
    """Grey below the map, which is seen where a cell has no number."""
    whole = {"inclusion": 0.0, "right": 1.0, "value": 0.0, "upper": 1.0}
    encoding = {"x": _X, "x2": {"field": "right"}, "y": _Y, "y2": {"field": "upper"}}
    return {"data": {"values": [whole]}, "mark": {"type": "rect", "color": "#C8C8C8"}, "encoding": encoding}


def _decider(decider: Decided | None) -> list[Spec]:
    if decider is None:
        return []
    row = {"inclusion": decider.inclusion, "value": decider.value}
    text = f"epsilon {number_text(float(decider.epsilon), Direction.AT_LEAST, Unit.NUMBER)}"
    side = {"align": "right", "dx": -10} if decider.inclusion > 0.5 else {"align": "left", "dx": 10}
    up = {"dy": 12} if decider.value > 0.9 else {"dy": -2}
    return [marked(row, _X, _Y, size=120), *words(text, row, _X, _Y, fontWeight="bold", **side, **up)]
