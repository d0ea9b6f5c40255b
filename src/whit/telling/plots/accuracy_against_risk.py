"""What each profile costs in noise: the way from little risk to little noise."""

from __future__ import annotations

from collections.abc import Sequence

from whit.assessment import promise_name
from whit.errors import InvalidInput
from whit.policy import ProfileBinding, Step
from whit.telling.plots.answers import Columns, certainty, safe, said, values
from whit.telling.plots.layers import axis, dots, lines, words
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import HEIGHT, WIDTH
from whit.theory import Finding, number_text

_STEPS = "Use policy.frontier([...], Geometric), with at least one profile."
_SERIES = "the frontier"


def accuracy_against_risk(steps: Sequence[Step]) -> Picture:
    """The risk that each step accepts against the noise that this costs, with the parameter beside each point.

    Args:
        steps: what `policy.frontier` found, one step for each profile.
    """
    known = _ordered(steps)
    risks = [_risk(step) for step in known]
    noise = [safe(step.accuracy.deviation) for step in known]
    x = axis("noise", "standard deviation of the noise", (0.0, 1.15 * _largest(noise)), ticks=6)
    y = axis(
        "risk",
        "relative risk, of the adversary who decides",
        (1.0, 1.0 + 1.15 * (_largest(risks) - 1.0) or 2.0),
        ticks=6,
    )
    rows = [{"series": _SERIES, "noise": _number(n), "risk": _number(r)} for n, r in zip(noise, risks, strict=True)]
    texts = [_parameter(step) for step in known]
    told = [part for text, row in zip(texts, rows, strict=True) for part in words(text, row, x, y, dx=9, dy=-9)]
    title = f"Risk against accuracy: {_noise(known[0])}"
    caption = (
        "Each dot is a profile: the relative risk that the release lets happen is at most this, with noise of this "
        f"spread, {certainty(_failure(known[0]))}. Beside it: the parameter."
    )
    each = "; ".join(_words(*one) for one in zip(texts, noise, risks, strict=True))
    body = {
        "width": WIDTH,
        "height": HEIGHT,
        "layer": [lines(rows, x, y, [_SERIES]), dots(rows, x, y, [_SERIES], size=90), *told],
    }
    return pictured(
        body, title=title, caption=caption, alt=f"Line chart with dots. {title}. {caption} {each}.", table=_table(known)
    )


def _ordered(steps: object) -> list[Step]:
    """The steps from most noise to least."""
    known = list(steps) if isinstance(steps, Sequence) else []
    if not known or not all(isinstance(step, Step) for step in known):
        raise InvalidInput("steps", "must be what policy.frontier found", steps, _STEPS)
    return sorted(known, key=lambda step: -_number(safe(step.accuracy.deviation)))


def _risk(step: Step) -> Finding:
    binding = step.recommendation.binding[0]
    assert isinstance(binding, ProfileBinding)  # a frontier is made of profiles
    return safe(binding.risk)


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


def _words(text: str, noise: Finding, risk: Finding) -> str:
    return f"{text}: standard deviation {said(noise, 0)}, relative risk {said(risk, 0)}"


def _number(finding: Finding) -> float:
    return float(values(finding)[0])


def _largest(findings: Sequence[Finding]) -> float:
    return max(_number(finding) for finding in findings)


def _table(steps: Sequence[Step]) -> Columns:
    deviations, errors = ([safe(getattr(step.accuracy, name)) for step in steps] for name in ("deviation", "error"))
    return Columns(
        {
            "parameter": [float(step.recommendation.parameter) for step in steps],
            "standard deviation of the noise": [_number(each) for each in deviations],
            "error that the noise keeps within": [_number(each) for each in errors],
            "relative risk at most": [_number(_risk(step)) for step in steps],
        }
    )
