"""What is paid: the noise that each profile or limit costs, and what each query of a plan costs a concern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from whit.assessment import promise_name
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.numerics import count
from whit.plans import Cost, Exposure, costs
from whit.policy import Step, limits
from whit.setting import Knowledge, When
from whit.telling.plots.answers import Columns, certainty, said, under
from whit.telling.plots.layers import Spec, axis, dots, layered
from whit.telling.plots.lettering import line_chart
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import Note, Plane
from whit.telling.plots.releases import limit_line, limit_text
from whit.telling.plots.style import COLOURS, INK, TEXT, WIDTH, Page
from whit.telling.plots.texts import fitted
from whit.telling.plots.wording import ENGLISH, Words, sentences, words_of
from whit.telling.words.changes import change_texts
from whit.telling.words.openings import concern_text
from whit.theory import Direction, Finding, Unit

_STEPS = "Give the steps of a frontier, with at least one profile or limit."
_SERIES = "the frontier"
_MOST = 15
_BAR = 26
_LABEL = 420.0
"""How wide the name of a query may be."""


def accuracy_against_risk(steps: Sequence[Step], *, limit: float | None = None, language: str = "en") -> Picture:
    """The risk that each step accepts against the noise that this costs, with the parameter beside each point.

    Args:
        steps: what `policy.frontier` found, one step for each requirement; all of them about one risk.
        limit: the largest acceptable risk, as a line.
        language: the code of the language of its words, such as "de".
    """
    known, words = _ordered(steps), words_of(language)
    risks, close = [decisive_risk(step) for step in known], [step.written for step in known]
    noise = [each.deviation.bound for each in close]
    name = risk_name(risks, words)
    texts = [parameter_text(step, words) for step in known]
    points = [(float(n), float(r)) for n, r in zip(noise, risks, strict=True)]
    title, failure = words("accuracy.title", kind=words.noise(_kind(known[0]))), _failure(known[0])
    caption = words("accuracy.caption", risk=name, certainty=certainty(failure, words))
    caption = sentences(caption, asked_of(known, words))
    unit = risks[0].quantity.unit
    caption += "" if limit is None else f" {words('releases.dashed', limit=limit_text(limit, unit, words))}"
    each = [
        words(
            "accuracy.each", parameter=text, deviation=said(deviation, 0, words), risk=name, most=said(risk, 0, words)
        )
        for text, deviation, risk in zip(texts, noise, risks, strict=True)
    ]
    alt = words("accuracy.alt", title=title, caption=caption, list="; ".join(each))
    x, y = _axes(noise, risks, words)
    body = partial(_dotted, points, texts, x, y, {} if limit is None else limit_line(limit, x, y, unit, words))
    columns = {
        "parameter": [float(step.recommendation.digits) for step in known],
        "standard deviation of the noise": [float(each) for each in noise],
        "largest error of the noise": [float(each.error.bound) for each in close],
        f"{risk_name(risks)} at most": [float(risk) for risk in risks],
    }
    return pictured(body, title=title, caption=caption, alt=alt, table=Columns(columns), language=language)


def _axes(noise: Sequence[Finding], risks: Sequence[Finding], words: Words) -> tuple[Spec, Spec]:
    """The noise from 0, and the risk from that of a release that says nothing."""
    name, percent = risk_name(risks), risks[0].quantity.unit is Unit.PROBABILITY
    start = 1.0 if "ratio" in name or "relative" in name else 0.0
    end = start + (1.15 * (max(map(float, risks)) - start) or 1.0)
    x = axis("noise", words("accuracy.x"), (0.0, 1.15 * max(map(float, noise))), ticks=6, words=words)
    return x, axis("risk", risk_name(risks, words), (start, end), ticks=6, percent=percent, words=words)


def _kind(step: Step) -> str:
    """What the noise of a step is called, such as Gaussian noise."""
    found = step.recommendation
    return promise_name(found.family.one(float(found.parameter))).partition(",")[0]


def _failure(step: Step) -> float:
    """The probability with which the risk may be larger."""
    return max((one.probability for one in step.recommendation.parameter.basis.failures), default=0.0)


def _dotted(
    points: Sequence[tuple[float, float]], texts: Sequence[str], x: Spec, y: Spec, level: Mapping[str, Any], page: Page
) -> Spec:
    """A line through the points, each with its words, and the limit across it."""
    rows = [{"series": _SERIES, x["field"]: across, y["field"]: up} for across, up in points]
    across, up = np.asarray(points).T
    notes = [Note(text, [point]) for text, point in zip(texts, points, strict=True)]
    return line_chart(
        {_SERIES: (across, up)},
        Plane.on(page, x, y),
        over=[dots(rows, x, y, [_SERIES], size=90)],
        marked=points,
        **{**level, "notes": [*notes, *level.get("notes", ())]},
    )


def _ordered(steps: object) -> list[Step]:
    """The steps from most noise to least."""
    known = list(steps) if isinstance(steps, Sequence) else []
    if not known or not all(isinstance(step, Step) for step in known):
        raise InvalidInput("steps", "must be the steps of a frontier", steps, _STEPS)
    return sorted(known, key=lambda step: -float(step.accuracy.deviation.bound))


def decisive_risk(step: Step) -> Finding:
    """The risk of whoever decides."""
    number = step.recommendation.verdict.number
    assert number is not None  # a step has a limit, and so a number that keeps to it
    return number.bound


def risk_name(risks: Sequence[Finding], words: Words = ENGLISH) -> str:
    """The name of the risk, which is the same at each step."""
    names = sorted({risk.quantity.name for risk in risks})
    if len(names) > 1:
        way_out = "Draw a picture for each kind of requirement."
        raise Incompatible("the steps of one picture", "must be about one risk", " and ".join(names), way_out)
    return words.quantity(names[0]).removesuffix(" of disclosure")


def asked_of(steps: Sequence[Step], words: Words = ENGLISH) -> str:
    """What the risk of steps is asked of, as sentences: releases, whom limits are about, what a record changes."""
    found, requirements = [step.recommendation for step in steps], [step.requirement for step in steps]
    most = max(each.family.releases for each in found)
    blocks = max(getattr(each, "block", 1) for each in requirements)
    relations = {getattr(each.criterion, "relation", None) for each in found}
    changes = dict.fromkeys(text for step in steps for text in _changes(step, words))
    return sentences(
        words("common.one_release") if most == 1 else words("common.releases", releases=words.whole(most)),
        words("common.spent") if any(each.spent for each in found) else "",
        _whose(requirements, words),
        words("common.dependent", people=str(blocks)) if blocks > 1 else "",
        words("common.ever") if any(getattr(each, "when", None) is When.EVER for each in requirements) else "",
        words("common.falls") if any(getattr(each.criterion, "sides", 1) == 2 for each in found) else "",
        under(relations.pop() if len(relations) == 1 else None, words).strip(),
        *changes,
    )


def _changes(step: Step, words: Words) -> tuple[str, ...]:
    """What one record changes, as the risk knows it; by the noise found where the risk is that of a mere curve."""
    known = change_texts(decisive_risk(step), words.language)
    return known or change_texts(step.recommendation.parameter, words.language)


def _whose(requirements: Sequence[object], words: Words) -> str:
    """Whom limits are about: the prior that all share, and what is known of the others."""
    stated = [each for each in requirements if isinstance(each, limits.Limit)]
    priors = {getattr(each, "prior", None) for each in stated}
    one = next(iter(priors)) if len(priors) == 1 and len(stated) == len(requirements) else None
    said = [words("common.prior", prior=words.given(one, Unit.PROBABILITY))] if isinstance(one, float) else []
    knows = [each.knows is Knowledge.EVERYONE_ELSE for each in stated]
    if any(knows):
        said.append(words("common.knowing" if all(knows) and len(knows) == len(requirements) else "common.some_know"))
    return sentences(*said)


def parameter_text(step: Step, words: Words = ENGLISH) -> str:
    """The parameter of a step as `recommend` writes it; a Greek letter is the same in every language."""
    key = f"accuracy.{step.recommendation.family.parameter}"
    name = words(key) if words.language.has(key) else step.recommendation.family.parameter
    return f"{name} {words.language.digits(step.recommendation.digits)}"


def budget_by_query(exposure: Exposure, *, most: int = _MOST, language: str = "en") -> Picture:
    """The rho of each kind of query that a concern is exposed to, the most costly first.

    Args:
        exposure: a plan as somebody with a concern meets it, from `plans.expose`.
        most: how many kinds are drawn; the table has them all.
        language: the code of the language of its words, such as "de".
    """
    found, words = _costs(exposure), words_of(language)
    shown = found[: count("most", most, "Use 15.")]
    title = words("budget.title")
    counts = {"shown": words.whole(len(shown)), "all": words.whole(len(found))}
    concern = concern_text(exposure.concern, words.language)
    caption = sentences(
        words("budget.about", plan=exposure.plan.name, concern=concern),
        words("budget.bars", total=said(exposure.rho.bound, 0, words)),
        words("budget.part", **counts) if len(shown) < len(found) else "",
    )
    first = [words("budget.each", query=_query(each), share=said(each.share, 0, words)) for each in shown[:5]]
    alt = words("budget.alt", title=title, caption=caption, list="; ".join(first))
    columns = {
        "queries": [each.queries.names for each in found],
        "level": [each.queries.kind.level for each in found],
        "rho at most": [float(each.rho) for each in found],
        "share at most": [float(each.share) for each in found],
    }
    body, table = _bars(shown, words), Columns(columns)
    return pictured(body, title=title, caption=caption, alt=alt, table=table, language=language)


def _costs(exposure: object) -> tuple[Cost, ...]:
    """The costs; there is at least one."""
    if not isinstance(exposure, Exposure):
        way_out = "Give a plan and one concern, as exposed together."
        raise InvalidInput("exposure", "must be a plan as a concern meets it", exposure, way_out)
    if not exposure.affected:
        rule, way_out = "is not drawn where no query touches the concern", "Ask about another concern."
        raise NotImplied("the cost of a query", rule, exposure.plan, way_out)
    return costs(exposure)


def _bars(shown: tuple[Cost, ...], words: Words) -> Spec:
    rows = [
        {
            "query": fitted(_query(each), _LABEL, TEXT),
            "rho": float(each.rho),
            "share": words.number(float(each.share), Direction.AT_MOST, each.share.quantity.unit),
        }
        for each in shown
    ]
    order = [row["query"] for row in rows]
    scale = {"domain": [0.0, 1.15 * float(shown[0].rho)], "nice": False}
    ticks = {"title": "rho", "tickCount": 5, "labelExpr": words.label("datum.label")}
    x = {"field": "rho", "type": "quantitative", "axis": ticks, "scale": scale}
    labels = {"labelLimit": 2 * _LABEL, "title": None, "ticks": False, "domain": False, "labelPadding": 6}
    y = {"field": "query", "type": "nominal", "sort": order, "axis": labels}
    text = {"type": "text", "align": "left", "dx": 5, "color": INK}
    bars: list[Spec] = [
        {"mark": {"type": "bar", "color": COLOURS[0], "height": {"band": 0.7}}},
        {"mark": text, "encoding": {"text": {"field": "share", "type": "nominal"}}},
    ]
    drawn = layered(bars, WIDTH - 80, _BAR * len(shown))
    return {**drawn, "data": {"values": rows}, "encoding": {"x": x, "y": y}}


def _query(cost: Cost) -> str:
    return f"{cost.queries.names}, {cost.queries.kind.level}"
