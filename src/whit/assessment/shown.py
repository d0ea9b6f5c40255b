"""An assessment as a notebook shows it, and as the rows of a table."""

from __future__ import annotations

from collections.abc import Mapping

from whit.assessment.answers import Assessment, Unasked
from whit.assessment.assess import RISKS
from whit.assessment.compare import Comparison
from whit.assessment.sentences import ORDER, Asked, in_a_sentence, worst_priors
from whit.display import Markup, Row, block, folded, heading, paragraph, table
from whit.semantics.membership import WorstPrior
from whit.setting import Neighbours
from whit.theory import (
    Answer,
    Failure,
    Tree,
    as_sentence,
    assumed_part,
    basis_parts,
    failure_text,
    finding_rows,
    theorem,
    value_text,
)

_HEAD = ("question", "answer", "in words")


def assessment_html(assessment: Assessment) -> str:
    """The most useful answer as a sentence, what was asked, a row for each question, and what the answers rest on."""
    assessment = _without_value(assessment)
    answered = sorted(assessment.answered.items(), key=lambda each: ORDER.index(each[0]))
    rows = [(_spaced(name), *_cells(name, answer, _start(assessment))) for name, answer in answered]
    lead = rows[0][-1] if rows else "No question has an answer."
    head = (heading(lead), *_asked_of(assessment))
    return block(*head, table(_HEAD, rows) if rows else "", *_open(assessment), *_rests(assessment))


def _without_value(assessment: Assessment) -> Assessment:
    """Without the risks of presence with a value, where no value was stated: posterior and ratio say the same."""
    values = [found.inputs.get("value", 1.0) for found in assessment.findings]
    stated = assessment.asked_by.startswith("inclusion") or any(each != 1.0 for each in values)
    kept = stated or not {name for name, _ in assessment} - {*RISKS}
    left_out = {} if kept else dict.fromkeys(RISKS, Unasked("no value was stated"))
    return assessment.with_answers(left_out)


def _cells(name: str, answer: Answer, start: Asked | None) -> tuple[str, str]:
    """The number, and the answer in a sentence; where numbers or priors are several, its own sentence."""
    worst = answer.worst
    assert worst is not None  # as every answer has it
    if isinstance(answer, WorstPrior) and isinstance(worst.value, float):
        return worst_priors(answer.ratio.when_true, answer.difference.when_true)
    plain = start is not None and isinstance(worst.value, float)
    said = in_a_sentence(name, worst, start) if start is not None and plain else ""
    return value_text(worst), said or as_sentence(str(worst))


def _inputs(assessment: Assessment) -> dict[str, Tree]:
    """What the answers were asked with; the prior also where it is stated by an inclusion and a value."""
    known: dict[str, Tree] = {}
    for found in assessment.findings:
        known = {**{name: tree for name, tree in found.inputs.items() if tree is not None}, **known}
    if isinstance(known.get("inclusion"), float) and isinstance(known.get("value"), float):
        known = {"prior": known["inclusion"] * known["value"], **known}  # type: ignore[operator]
    return known


def _start(assessment: Assessment) -> Asked | None:
    """What the answers start from, as their findings have it; None where that is not one number for each."""
    known = _inputs(assessment)
    numbers = {name: known[name] for name in ("prior", "level", "baseline") if name in known}
    if not all(isinstance(each, float) for each in numbers.values()):
        return None
    promise = known.get("promise")
    own = promise.get("neighbours") if isinstance(promise, Mapping) else None
    relation = Neighbours[str(known.get("neighbours") or own or Neighbours.ADD_REMOVE.name)]
    return Asked(**numbers, neighbours=relation, of_value=known.get("value", 1.0) != 1.0)  # type: ignore[arg-type]


def _asked_of(assessment: Assessment) -> tuple[Markup, ...]:
    """The noise or the promise and how many releases; and who asks, where it is one adversary."""
    of = (f"Asked of: {assessment.asked_of}.",) if assessment.asked_of else ()
    by = (f"Adversary: {assessment.asked_by}.",) if assessment.asked_by else ()
    return tuple(paragraph(each, faint=True) for each in (*of, *by))


def comparison_html(comparison: Comparison) -> str:
    """A row for each promise, a column for each question, and what keeps the rows from being ranked."""
    head, rows = comparison.cells()
    notice = (paragraph(comparison.notice),) if comparison.notice else ()
    findings = [found for row in comparison for found in row.answers.findings]
    return block(table(head, rows), *notice, *basis_parts(*findings))


def assessment_rows(assessment: Assessment) -> list[Row]:
    """A row for each number of each question; a question without an answer has its reason."""
    rows: list[Row] = []
    for name, answer in assessment:
        found = [row for each in answer.findings for row in finding_rows(each)]
        rows += [{"question": name, **row} for row in found or [{"reason": str(answer)}]]
    return rows


def _open(assessment: Assessment) -> list[str]:
    """A sentence for each reason why questions have no answer."""
    names: dict[str, list[str]] = {}
    for name, answer in assessment.unanswered.items():
        names.setdefault(answer.reason, []).append(_spaced(name))
    return [f"Not answered ({', '.join(each)}): {as_sentence(reason)}" for reason, each in names.items()]


def _rests(assessment: Assessment) -> tuple[Markup, ...]:
    """The theorems of each answer, and what all of them assume."""
    rows = []
    for name, answer in assessment.answered.items():
        keys = dict.fromkeys(key for each in answer.findings for key in each.basis.theorems)
        rows.append((_spaced(name), "; ".join(f"{theorem(key).title} ({key})" for key in keys)))
    if not rows:
        return ()
    assumed = assumed_part(*assessment.findings)
    return (*_failures(assessment), folded("What each answer rests on", table((), rows)), assumed)


def _failures(assessment: Assessment) -> list[Markup]:
    """A sentence for each randomness and its chance: which answers may fail by it."""
    names: dict[Failure, list[str]] = {}
    for name, answer in assessment.answered.items():
        for failure in dict.fromkeys(failure for each in answer.findings for failure in each.basis.failures):
            names.setdefault(failure, []).append(_spaced(name))
    return [paragraph(f"{failure_text(failure)}: {', '.join(listed)}.") for failure, listed in names.items()]


def _spaced(name: str) -> str:
    return name.replace("_", " ")
