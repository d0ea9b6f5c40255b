"""Releases of the catalogue as dots, each unit of privacy in a chart of its own."""

from __future__ import annotations

from collections.abc import Sequence

from whit.errors import InvalidInput
from whit.setting import Neighbours, UnitOfPrivacy
from whit.telling.catalogue import CHANGED, LEVEL, Deployment, Risks, by_unit, risks
from whit.telling.plots.answers import Columns, percent, said
from whit.telling.plots.layers import Spec, axis, heading, layered
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import COLOURS, INK, Page
from whit.telling.plots.wording import ENGLISH, Words, words_of

_ROW = 22
_SHAPES = {Neighbours.ADD_REMOVE: "circle", Neighbours.REPLACE: "square", Neighbours.LOCAL: "triangle-up"}
_WAY_OUT = "Use deployments(), or some of them."


def power_by_unit(deployments: Sequence[Deployment], *, language: str = "en") -> Picture:
    """The largest power of a test against each release, one chart for each unit of privacy, in the order of the years.

    Args:
        deployments: releases of the catalogue.
        language: the code of the language of its words, such as "de".
    """
    words = words_of(language)
    given: object = deployments  # whatever a caller passes in spite of the annotation
    chosen = [each for each in given if isinstance(each, Deployment)] if isinstance(given, Sequence) else []
    if not chosen or len(chosen) < len(deployments):
        raise InvalidInput("deployments", "must be releases of the catalogue", deployments, _WAY_OUT)
    groups = {unit: [each for each in members if each in chosen] for unit, members in by_unit().items()}
    found = {unit: [(each, risks(each)) for each in members] for unit, members in groups.items() if members}
    title, caption = words("units.title"), words("units.caption", level=percent(LEVEL, words))
    each = [
        words("common.told", name=_unit(unit, words), list=", ".join(_power(*member, words) for member in members))
        for unit, members in found.items()
    ]
    alt = words("units.alt", title=title, caption=caption, list="; ".join(each))
    first = next(iter(found))

    def body(page: Page) -> Spec:
        charts = [_chart(unit, members, words, page, scaled=unit == first) for unit, members in found.items()]
        return {"vconcat": charts, "spacing": 18}

    return pictured(body, title=title, caption=caption, alt=alt, table=_table(found), language=language)


def _power(release: Deployment, risk: Risks, words: Words) -> str:
    return f"{release.key} {said(risk.power, 0, words)}"


def _chart(
    unit: UnitOfPrivacy, members: Sequence[tuple[Deployment, Risks]], words: Words, page: Page, *, scaled: bool
) -> Spec:
    """The dots of one unit; the first chart has the scale of all, on top of it, and every chart has its lines.

    On a narrow page names stand above their dots.
    """
    rows = [
        {
            "release": f"{each.key} ({each.year})",
            "power": float(risk.power),
            "shape": _SHAPES[each.neighbours],
            "text": said(risk.power, 0, words),
        }
        for each, risk in members
    ]
    x = axis("power", words("units.x"), (0.0, 1.0), percent=True, words=words)
    unscaled = {"title": None, "labels": False, "ticks": False, "domain": False}
    x["axis"] |= {"grid": True, "orient": "top"} | ({} if scaled else unscaled)
    labels = {"labelLimit": 330, "title": None, "ticks": False, "domain": False, "labelPadding": 6}
    name = {"field": "release", "type": "nominal"}
    y = {**name, "sort": None, "axis": labels if page.beside else {**labels, "labels": False}}
    dot = {"type": "point", "filled": True, "size": 80, "opacity": 1.0, "color": COLOURS[0]}
    shape = {"field": "shape", "type": "nominal", "scale": None, "legend": None}
    text = {"type": "text", "align": "left", "dx": 9, "color": INK}
    layers: list[Spec] = [
        {"mark": dot, "encoding": {"shape": shape}},
        {"mark": text, "encoding": {"text": {"field": "text", "type": "nominal"}}},
    ]
    if not page.beside:
        left, start = {"type": "text", "align": "left", "color": INK, "limit": page.above}, {"x": {"value": 0}}
        layers = [
            {"mark": {**dot, "yOffset": 14}, "encoding": {"shape": shape}},
            {"mark": {**left, "dy": -18}, "encoding": {"text": name, **start}},
            {"mark": {**left, "dy": -3}, "encoding": {"text": {"field": "text", "type": "nominal"}, **start}},
        ]
    across, row = (page.width - 60, _ROW) if page.beside else (page.above - 40, 3 * _ROW)
    drawn = layered(layers, across, row * len(rows))
    title = heading(_unit(unit, words), page.above) | {"anchor": "start", "frame": "group"}
    return {**drawn, "title": title, "data": {"values": rows}, "encoding": {"x": x, "y": y}}


def _table(found: dict[UnitOfPrivacy, list[tuple[Deployment, Risks]]]) -> Columns:
    rows = [(unit, each, risk) for unit, members in found.items() for each, risk in members]
    return Columns(
        {
            "unit": [_unit(unit, ENGLISH) for unit, _, _ in rows],
            "release": [each.key for _, each, _ in rows],
            "year": [each.year for _, each, _ in rows],
            "neighbours": [CHANGED[each.neighbours] for _, each, _ in rows],
            "power at most": [float(risk.power) for _, _, risk in rows],
        }
    )


def _unit(unit: UnitOfPrivacy, words: Words) -> str:
    named = {
        name: words.language.name(name, text, text) for name, text in (("unit", unit.name), ("period", unit.period))
    }
    return words("units.unit", **named)
