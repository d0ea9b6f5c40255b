"""Verdicts and recommendations as a notebook shows them, and as the rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

# By these names, so that what makes HTML is loaded when something is shown.
from whit import display, theory
from whit.errors import WhitError, as_argument
from whit.policy.stated import met, opening, requirements, stated

if TYPE_CHECKING:
    from whit.display import Markup, Row
    from whit.policy.noise_cost import Step
    from whit.policy.recommendation import Recommendation
    from whit.policy.verdict import Verdict

_MOODS = {"KEPT": "GOOD", "BROKEN": "BAD", "OPEN": "OPEN"}
_WORDS = {"KEPT": "Allowed", "BROKEN": "Not allowed", "OPEN": "Not shown"}


def verdict_html(verdict: Verdict) -> str:
    """Allowed, not allowed or not shown; why; each requirement if there are several; and what it rests on."""
    lead = display.Markup(f'<p class="lead">{display.joined((_badge(verdict), verdict.reason))}</p>')
    several = [(_badge(part), _accepted(part.requirement), part.reason) for part in verdict.parts]
    parts = (display.table(("verdict", "requirement", "why"), several),) if several else ()
    remedy = () if verdict.remedy is None else (f"It would be allowed with this: {verdict.remedy.advice}.",)
    advice = () if verdict.cause is None else (_advice(verdict.cause),)
    return display.block(
        lead,
        *_decided(verdict),
        *parts,
        *remedy,
        *advice,
        display.points(verdict.notices),
        *theory.basis_parts(*verdict.findings),
    )


def recommendation_html(found: Recommendation) -> str:
    """The parameter, what the releases were found to do with it, every number, and what they rest on."""
    verdicts = found.verdict.parts or (found.verdict,)
    numbers = [*found.findings_with(found.digits), *found.comparisons]
    return display.block(
        display.heading(opening(found, found.digits, met(requirements(found.verdict.requirement)))),
        *(display.paragraph(display.joined((_badge(each), each.reason))) for each in verdicts),
        *_decided(found.verdict),
        *((theory.findings_table(numbers),) if numbers else ()),
        display.points(found.notices),
        *theory.basis_parts(found.parameter, *numbers),
    )


def recommendation_rows(found: Recommendation) -> list[Row]:
    """A row for each number: the parameter first, then what the releases come to, then what it is compared with."""
    return [row for each in (found.parameter, *found.findings, *found.comparisons) for row in theory.finding_rows(each)]


def verdict_rows(verdict: Verdict) -> list[Row]:
    """A row for each requirement: the outcome, the number that decides, and the limit."""
    return [_verdict_row(each) for each in verdict.parts or (verdict,)]


def step_rows(step: Step) -> list[Row]:
    """One row: what is accepted, the parameter, the risk, and what the noise costs."""
    recommended, close = step.recommendation, step.accuracy
    found = {
        recommended.family.parameter: recommended.parameter,
        "standard deviation": close.deviation,
        "error": close.error,
        "probability of the exact answer": close.exact,
    }
    risk = recommended.verdict.number
    found |= {} if risk is None else {"risk": risk}
    row: dict[str, object] = {"requirement": _accepted(step.requirement), "releases": recommended.family.releases}
    for name, each in found.items():
        row |= {name: float(each), f"{name}, direction": each.direction.name}
    return [{**row, "risk is": risk.quantity.name} if risk is not None else row]


def step_cells(step: Step) -> dict[str, str]:
    """One row of texts: what is accepted, the parameter as it is written, and what the noise costs with it."""
    recommended, close = step.recommendation, step.written
    return {
        "accepted": _accepted(step.requirement),
        recommended.family.parameter: f"{recommended.parameter.direction.value} {recommended.digits}",
        "standard deviation": theory.value_text(close.deviation),
        close.error.quantity.name: theory.value_text(close.error),
        "exact answer": theory.value_text(close.exact),
    }


def _verdict_row(verdict: Verdict) -> Row:
    number = verdict.number
    return {
        "requirement": _accepted(verdict.requirement),
        "verdict": _WORDS[verdict.outcome.name],
        "outcome": verdict.outcome.name,
        "quantity": None if number is None else number.quantity.name,
        "direction": None if number is None else number.direction.name,
        "value": None if number is None else number.largest,
        "limit": verdict.limit,
        "decided by": verdict.decider or None,
        "reason": verdict.reason,
    }


def _accepted(requirement: object) -> str:
    """What is accepted, in the words of options."""
    return "; ".join(map(stated, requirements(requirement)))


def _advice(cause: WhitError) -> str:
    """What would have an answer."""
    return cause.way_out.format_map({name: as_argument(name, value) for name, value in cause.suggested.items()})


def _badge(verdict: Verdict) -> Markup:
    return display.badge(display.Mood[_MOODS[verdict.outcome.name]], _WORDS[verdict.outcome.name])


def _decided(verdict: Verdict) -> tuple[str, ...]:
    return (f"Decided by {verdict.decider}.",) if verdict.decider else ()
