"""What each query of a plan costs somebody with a concern."""

from __future__ import annotations

from whit.errors import InvalidInput, NotImplied
from whit.numerics import count
from whit.plans import Cost, Exposure, costs
from whit.telling.plots.answers import Columns, safe, said, values
from whit.telling.plots.layers import Spec
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import COLOURS, INK, WIDTH

_MOST = 15
_BAR = 26


def budget_by_query(exposure: Exposure, *, most: int = _MOST) -> Picture:
    """The rho of each kind of query that a concern is exposed to, the most costly first.

    Args:
        exposure: a plan as somebody with a concern meets it, from `plans.expose`.
        most: how many kinds are drawn; the table has them all.
    """
    found = _found(exposure)
    shown = found[: count("most", most, "Use 15.")]
    title = "What each query tells about the concern"
    total = said(safe(exposure.rho), 0)
    part = f" The {len(shown)} most costly of {len(found)} kinds." if len(shown) < len(found) else ""
    about = f"{exposure.plan.name}; concern: {exposure.concern}."
    caption = f"{about} Bars: rho of each kind of query, {total} in all; beside them the share, at most.{part}"
    first = "; ".join(f"{_name(each)}: {said(each.share, 0)} of it" for each in shown[:5])
    alt = f"Bar chart. {title}. {caption} The most costly: {first}."
    return pictured(_bars(shown), title=title, caption=caption, alt=alt, table=_table(found))


def _found(exposure: object) -> tuple[Cost, ...]:
    """The costs, of which there is at least one."""
    if not isinstance(exposure, Exposure):
        way_out = "Use plans.expose(plan, concern)."
        raise InvalidInput("exposure", "must be a plan as a concern meets it", exposure, way_out)
    if not exposure.affected:
        rule, way_out = "is not drawn where no query touches the concern", "Ask about another concern."
        raise NotImplied("the cost of a query", rule, exposure.plan, way_out)
    return costs(exposure)


def _bars(shown: tuple[Cost, ...]) -> Spec:
    order = [_name(each) for each in shown]
    rows = [
        {"query": _name(each), "rho": float(each.rho), "share": said(each.share, 0).removeprefix("at most ")}
        for each in shown
    ]
    top = 1.15 * float(shown[0].rho)
    x = {
        "field": "rho",
        "type": "quantitative",
        "axis": {"title": "rho", "tickCount": 5},
        "scale": {"domain": [0.0, top], "nice": False},
    }
    labels = {"labelLimit": 420, "title": None, "ticks": False, "domain": False, "labelPadding": 6}
    y = {"field": "query", "type": "nominal", "sort": order, "axis": labels}
    text = {"type": "text", "align": "left", "dx": 5, "color": INK}
    layers = [
        {"mark": {"type": "bar", "color": COLOURS[0], "height": {"band": 0.7}}},
        {"mark": text, "encoding": {"text": {"field": "share", "type": "nominal"}}},
    ]
    height = _BAR * len(shown)
    return {
        "width": WIDTH - 80,
        "height": height,
        "data": {"values": rows},
        "encoding": {"x": x, "y": y},
        "layer": layers,
    }


def _name(cost: Cost) -> str:
    return f"{cost.queries.names}, {cost.queries.kind.level}"


def _table(found: tuple[Cost, ...]) -> Columns:
    return Columns(
        {
            "queries": [each.queries.names for each in found],
            "level": [each.queries.kind.level for each in found],
            "rho at most": [float(values(each.rho)[0]) for each in found],
            "share at most": [float(values(each.share)[0]) for each in found],
        }
    )
