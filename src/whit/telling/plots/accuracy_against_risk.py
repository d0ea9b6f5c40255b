"""What each profile or limit costs in noise: the way from little risk to little noise."""

from __future__ import annotations

from collections.abc import Sequence

from whit.assessment import promise_name
from whit.errors import Incompatible, InvalidInput
from whit.policy import Step
from whit.telling.plots.answers import Columns, certainty, safe, said, values
from whit.telling.plots.layers import axis, dots, lines, words
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import HEIGHT, WIDTH
from whit.theory import Finding, Unit, number_text

_STEPS = "Use policy.frontier([...], Geometric), with at least one profile or limit."
_SERIES = "the frontier"


def accuracy_against_risk(steps: Sequence[Step]) -> Picture:
    """The risk that each step accepts against the noise that this costs, with the parameter beside each point.

    Args:
        steps: what `policy.frontier` found, one step for each requirement; all of them about one risk.
    """
    known = _ordered(steps)
    risks = [_risk(step) for step in known]
    noise = [safe(step.accuracy.deviation) for step in known]
    name, percent = _name(risks), risks[0].quantity.unit is Unit.PROBABILITY
    start = 1.0 if name.startswith(("ratio", "relative")) else 0.0  # the risk of a release that says nothing
    x = axis("noise", "standard deviation of the noise", (0.0, 1.15 * _largest(noise)), ticks=6)
    end = start + (1.15 * (_largest(risks) - start) or 1.0)
    y = axis("risk", f"{name}, of whoever decides", (start, end), ticks=6, percent=percent)
    rows = [{"series": _SERIES, "noise": _number(n), "risk": _number(r)} for n, r in zip(noise, risks, strict=True)]
    texts = [_parameter(step) for step in known]
    told = [part for text, row in zip(texts, rows, strict=True) for part in words(text, row, x, y, dx=9, dy=-9)]
    title = f"Risk against accuracy: {_noise(known[0])}"
    caption = (
        f"Each dot is a profile or a limit: the {name} that the release lets happen is at most this, with noise of "
        f"this spread, {certainty(_failure(known[0]))}. Beside it: the parameter."
    )
    each = [
        f"{text}: standard deviation {said(deviation, 0)}, {name} {said(risk, 0)}"
        for text, deviation, risk in zip(texts, noise, risks, strict=True)
    ]
    alt = f"Line chart with dots. {title}. {caption} {'; '.join(each)}."
    body = {
        "width": WIDTH,
        "height": HEIGHT,
        "layer": [lines(rows, x, y, [_SERIES]), dots(rows, x, y, [_SERIES], size=90), *told],
    }
    return pictured(body, title=title, caption=caption, alt=alt, table=_table(known, name))


def _ordered(steps: object) -> list[Step]:
    """The steps from most noise to least."""
    known = list(steps) if isinstance(steps, Sequence) else []
    if not known or not all(isinstance(step, Step) for step in known):
        raise InvalidInput("steps", "must be what policy.frontier found", steps, _STEPS)
    return sorted(known, key=lambda step: -_number(safe(step.accuracy.deviation)))


def _risk(step: Step) -> Finding:
    number = step.recommendation.verdict.number
    assert number is not None  # a step has a limit, and so a number that keeps to it
    return safe(number)


def _name(risks: Sequence[Finding]) -> str:
    """The name of the risk, which is the same at each step."""
    names = sorted({risk.quantity.name for risk in risks})
    if len(names) > 1:
        way_out = "Draw a picture for each kind of requirement."
        raise Incompatible("the steps of one picture", "must be about one risk", " and ".join(names), way_out)
    return names[0].removesuffix(" of disclosure")


def _parameter(step: Step) -> str:
    found, family = step.recommendation.parameter, step.recommendation.family
    return f"{family.parameter} {number_text(float(found), found.direction, found.quantity.unit)}"


def _noise(step: Step) -> str:
    """The kind of noise, which is the same at each step."""
    found = step.recommendation
    return promise_name(found.family.one(float(found.parameter))).partition(",")[0]


def _failure(step: Step) -> float:
    """The chance with which the bound may be false, which is the same at each step."""
    return max((one.probability for one in step.recommendation.parameter.basis.failures), default=0.0)


def _number(finding: Finding) -> float:
    return float(values(finding)[0])


def _largest(findings: Sequence[Finding]) -> float:
    return max(_number(finding) for finding in findings)


def _table(steps: Sequence[Step], name: str) -> Columns:
    deviations, errors = ([safe(getattr(step.accuracy, name)) for step in steps] for name in ("deviation", "error"))
    return Columns(
        {
            "parameter": [float(step.recommendation.parameter) for step in steps],
            "standard deviation of the noise": [_number(each) for each in deviations],
            "error that the noise keeps within": [_number(each) for each in errors],
            f"{name} at most": [_number(_risk(step)) for step in steps],
        }
    )
