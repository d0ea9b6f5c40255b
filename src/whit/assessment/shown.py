"""An assessment as a notebook shows it, and as the rows of a table."""

from __future__ import annotations

from whit.assessment.answers import Assessment
from whit.display import Markup, Row, block, folded, heading, paragraph, table
from whit.theory import Failure, as_sentence, assumed_part, failure_text, finding_rows, theorem, value_text

_HEAD = ("question", "answer", "in words")


def assessment_html(assessment: Assessment) -> str:
    """The first answer as a sentence, a row for each question, why others have no answer, and what it rests on."""
    answers = {name: each.worst for name, each in assessment.answered.items() if each.worst is not None}
    rows = [(_spaced(name), value_text(each), as_sentence(str(each))) for name, each in answers.items()]
    lead = rows[0][-1] if rows else "No question has an answer."
    return block(heading(lead), table(_HEAD, rows) if rows else "", *_open(assessment), *_rests(assessment))


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
    assumed = assumed_part(*(each.basis for each in assessment.findings))
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
