"""Kinds of noise side by side: what each costs in accuracy where all of them meet the same requirement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from whit.assessment import BY_LOSS, is_by_profile, promise_name
from whit.errors import Incompatible
from whit.policy import Step
from whit.telling.plots.answers import Columns, certainty, members, percent, said
from whit.telling.plots.costs import asked_of, decisive_risk, parameter_text, risk_name
from whit.telling.plots.fonts import width
from whit.telling.plots.layers import Spec, heading, layered
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import COLOURS, INK, TEXT, Page
from whit.telling.plots.texts import fitted
from whit.telling.plots.wording import Words, sentences, words_of
from whit.theory import Finding, Unit

_STEPS = "Give one step of a frontier for each family, by the name of the family."
_ACROSS, _ROW = 170.0, 34.0
_NAME = {"field": "noise", "type": "nominal"}
_LABEL = 290.0
"""How wide the name of a kind may be."""


def families_side_by_side(steps: Mapping[str, Step] | Sequence[Step], *, language: str = "en") -> Picture:
    """Standard deviation, usual error and risk of several kinds of noise that meet one requirement.

    Args:
        steps: one step of `policy.frontier` for each kind of noise; named by their kind, or by the keys of a mapping.
        language: the code of the language of its words, such as "de".
    """
    words = words_of(language)
    named = _named(steps, words)
    known = list(named.values())
    risks, close = [decisive_risk(step) for step in known], [step.written for step in known]
    name = risk_name(risks, words)
    columns = {
        words("families.deviation"): [each.deviation.bound for each in close],
        words("families.error", share=percent(_confidence(known), words)): [each.error.bound for each in close],
        name: risks,
    }
    failure = max((one.probability for risk in risks for one in risk.basis.failures), default=0.0)
    title = words("families.title")
    caption = words("families.caption", risk=name, certainty=certainty(failure, words))
    caption = sentences(caption, asked_of(known, words), _looser(named, risks, words))
    texts = [f"{each}, {parameter_text(step, words)}" for each, step in named.items()]
    told = (
        words(
            "common.told", name=text, list=", ".join(f"{head} {said(of[n], 0, words)}" for head, of in columns.items())
        )
        for n, text in enumerate(texts)
    )
    alt = words("families.alt", title=title, caption=caption, list="; ".join(told))
    table = {
        "noise": list(named),
        "parameter": [float(step.recommendation.digits) for step in known],
        **{f"{column} at most": [float(each) for each in found] for column, found in columns.items()},
    }
    body, shown = partial(_columns, columns, texts, words), Columns(table)
    return pictured(body, title=title, caption=caption, alt=alt, table=shown, width=800.0, language=language)


def _named(steps: object, words: Words) -> dict[str, Step]:
    """The steps by name, all of one requirement."""
    if isinstance(steps, Sequence) and all(isinstance(each, Step) for each in steps):
        steps = {words.noise(_kind(each)): each for each in steps}
    rule = "must be steps of a frontier by name, one for each kind of noise"
    found: dict[str, Step] = members(steps, Step, name="steps", rule=rule, way_out=_STEPS)
    first, *others = (step.requirement for step in found.values())
    different = next((each for each in others if each != first), None)
    if different is not None:
        way_out = "Draw a picture for each of them, or the one of accuracy against risk."
        raise Incompatible("the steps of one picture", "must meet the same requirement", str(different), way_out)
    return found


def _looser(names: Iterable[str], risks: Sequence[Finding], words: Words) -> str:
    """Which kinds have a bound by the profile beside others by the law of the loss."""
    loose = [name for name, risk in zip(names, risks, strict=True) if is_by_profile(risk)]
    mixed = any(BY_LOSS in risk.basis.theorems for risk in risks)
    return words("families.by_profile", list=", ".join(loose)) if loose and mixed else ""


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


def _columns(columns: Mapping[str, Sequence[Finding]], texts: Sequence[str], words: Words, page: Page) -> Spec:
    """The charts beside each other, with the names at the left; or below each other, with the names above the dots."""
    if page.beside:
        rows = [fitted(text, _LABEL, TEXT) for text in texts]
        charts = [_column(head, of, rows, words, first=at == 0) for at, (head, of) in enumerate(columns.items())]
        return {"hconcat": charts, "spacing": 24}
    rows = [fitted(text, page.above, TEXT) for text in texts]
    return {"vconcat": [_named_above(head, of, rows, words, page) for head, of in columns.items()], "spacing": 24}


def _named_above(head: str, found: Sequence[Finding], names: Sequence[str], words: Words, page: Page) -> Spec:
    """One chart whose names stand above their dots."""
    chart = _column(head, found, names, words, first=False, across=page.above - 30.0, row=_ROW + 12.0)
    text = {"type": "text", "align": "left", "dy": -17, "x": 0, "color": INK}
    return {**chart, "layer": [*chart["layer"], {"mark": text, "encoding": {"text": _NAME, "x": {"value": 0}}}]}


def _column(
    head: str,
    found: Sequence[Finding],
    names: Sequence[str],
    words: Words,
    *,
    first: bool,
    across: float = _ACROSS,
    row: float = _ROW,
) -> Spec:
    """One chart: a dot for each kind, with its number at the right."""
    texts = [words.number(float(each), each.direction, each.quantity.unit) for each in found]
    rows = [
        {"noise": name, "number": float(each), "text": t} for name, each, t in zip(names, found, texts, strict=True)
    ]
    room = max(width(text, TEXT) for text in texts) + 14.0
    top = max(map(float, found)) / (1.0 - room / across) or 1.0
    percents = found[0].quantity.unit is Unit.PROBABILITY
    label = words.label(f"format({'100 * ' * percents}datum.value, '~r')")
    label += f" + '{words('numbers.percent')}'" if percents else ""
    ticks = {"title": None, "tickCount": 4, "labelExpr": label}
    x = {"field": "number", "type": "quantitative", "axis": ticks, "scale": {"domain": [0.0, top], "nice": False}}
    down = {"title": None, "ticks": False, "domain": False, "labelPadding": 8, "labelLimit": 2 * _LABEL, "grid": True}
    y = {"field": "noise", "type": "nominal", "sort": list(names), "axis": down | ({} if first else {"labels": False})}
    dot = {"type": "point", "filled": True, "size": 100, "opacity": 1.0, "color": COLOURS[0]}
    text = {"type": "text", "align": "left", "dx": 9, "color": INK}
    marks: list[Spec] = [{"mark": dot}, {"mark": text, "encoding": {"text": {"field": "text", "type": "nominal"}}}]
    chart = layered(marks, across, row * len(names))
    title = {**heading(head, across), "frame": "group"}
    return {**chart, "title": title, "data": {"values": rows}, "encoding": {"x": x, "y": y}}
