"""Kinds of noise side by side: what each costs in accuracy where all of them meet the same requirement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whit.assessment import promise_name
from whit.errors import Incompatible
from whit.policy import Step
from whit.telling.plots.answers import Columns, certainty, members, percent, said
from whit.telling.plots.costs import decisive_risk, parameter_text, risk_name
from whit.telling.plots.fonts import width
from whit.telling.plots.layers import Spec, heading, layered
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import COLOURS, INK, TEXT
from whit.telling.plots.texts import fitted
from whit.theory import Finding, Unit, number_text

_STEPS = "Give one step of a frontier for each family, by the name of the family."
_ACROSS, _ROW = 190.0, 34.0
_LABEL = 210.0
"""How wide the name of a kind may be."""


def families_side_by_side(steps: Mapping[str, Step] | Sequence[Step]) -> Picture:
    """Standard deviation, usual error and risk of several kinds of noise that meet one requirement.

    Args:
        steps: one step of `policy.frontier` for each kind of noise; named by their kind, or by the keys of a mapping.
    """
    named = _named(steps)
    known = list(named.values())
    risks = [decisive_risk(step) for step in known]
    name, confidence = risk_name(risks), _confidence(known)
    error = f"error in {percent(confidence)} of releases"
    columns = {
        "standard deviation": [step.accuracy.deviation.bound for step in known],
        error: [step.accuracy.error.bound for step in known],
        name: risks,
    }
    failure = max((one.probability for risk in risks for one in risk.basis.failures), default=0.0)
    title = "The same requirement, met by different noise"
    caption = (
        f"Each row is a kind of noise with the parameter that meets the requirement. All numbers are rounded up. "
        f"The {name} is at most this, {certainty(failure)}."
    )
    rows = [fitted(f"{each}, {parameter_text(step)}", _LABEL, TEXT) for each, step in named.items()]
    told = (
        f"{each}, {parameter_text(step)}: "
        + ", ".join(f"{column} {said(found[n], 0)}" for column, found in columns.items())
        for n, (each, step) in enumerate(named.items())
    )
    alt = f"Three dot charts side by side. {title}. {caption} {'; '.join(told)}."
    charts = [_column(head, found, rows, first=head == "standard deviation") for head, found in columns.items()]
    table = {
        "noise": list(named),
        "parameter": [float(step.recommendation.parameter) for step in known],
        **{f"{column} at most": [float(each) for each in found] for column, found in columns.items()},
    }
    body = {"hconcat": charts, "spacing": 24}
    return pictured(body, title=title, caption=caption, alt=alt, table=Columns(table), width=800.0)


def _named(steps: object) -> dict[str, Step]:
    """The steps by name, all of one requirement."""
    if isinstance(steps, Sequence) and all(isinstance(each, Step) for each in steps):
        steps = {_kind(each): each for each in steps}
    rule = "must be steps of a frontier by name, one for each kind of noise"
    found: dict[str, Step] = members(steps, Step, name="steps", rule=rule, way_out=_STEPS)
    first, *others = (step.requirement for step in found.values())
    different = next((each for each in others if each != first), None)
    if different is not None:
        way_out = "Draw a picture for each of them, or the one of accuracy against risk."
        raise Incompatible("the steps of one picture", "must meet the same requirement", str(different), way_out)
    return found


def _kind(step: Step) -> str:
    """What the noise of a step is called, without its parameter."""
    return promise_name(step.accuracy.release).partition(",")[0]


def _confidence(steps: Sequence[Step]) -> float:
    """The probability with which errors are within what is reported of them: the same for all."""
    found = {float(step.accuracy.error.inputs["probability"]) for step in steps}
    if len(found) > 1:
        rule = "must have the same confidence"
        raise Incompatible("the steps of one picture", rule, sorted(found), "Use one confidence for all of them.")
    return found.pop()


def _column(head: str, found: Sequence[Finding], names: Sequence[str], *, first: bool) -> Spec:
    """One chart: a dot for each kind, with its number at the right."""
    texts = [number_text(float(each), each.direction, each.quantity.unit) for each in found]
    rows = [
        {"noise": name, "number": float(each), "text": t} for name, each, t in zip(names, found, texts, strict=True)
    ]
    room = max(width(text, TEXT) for text in texts) + 14.0
    top = max(map(float, found)) / (1.0 - room / _ACROSS) or 1.0
    percents = found[0].quantity.unit is Unit.PROBABILITY
    label = "format(100 * datum.value, '~r') + ' %'" if percents else "format(datum.value, '~r')"
    across = {"title": None, "tickCount": 4, "labelExpr": label}
    x = {"field": "number", "type": "quantitative", "axis": across, "scale": {"domain": [0.0, top], "nice": False}}
    down = {"title": None, "ticks": False, "domain": False, "labelPadding": 8, "labelLimit": 2 * _LABEL, "grid": True}
    y = {"field": "noise", "type": "nominal", "sort": list(names), "axis": down | ({} if first else {"labels": False})}
    dot = {"type": "point", "filled": True, "size": 100, "opacity": 1.0, "color": COLOURS[0]}
    text = {"type": "text", "align": "left", "dx": 9, "color": INK}
    marks: list[Spec] = [{"mark": dot}, {"mark": text, "encoding": {"text": {"field": "text", "type": "nominal"}}}]
    chart = layered(marks, _ACROSS, _ROW * len(names))
    title = {**heading(head, _ACROSS), "frame": "group"}
    return {**chart, "title": title, "data": {"values": rows}, "encoding": {"x": x, "y": y}}
