"""What comes back from an assessment: findings, and sentences where there is no answer; several as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any, cast

import numpy as np

from whit import assessment
from whit.curves import listed
from whit.display import Row
from whit.errors import Incompatible, WhitError
from whit.theory import Answer, Basis, Direction, Finding


@dataclass(frozen=True, repr=False, eq=False)
class Unanswered(Answer):
    """A question without an answer, and why: the promise does not imply one, or it would cost too much.

    Two of them are equal if they give the same reason.
    """

    refusal: WhitError | str

    @property
    def reason(self) -> str:
        """The sentence that says why."""
        return str(self.refusal)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """None."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The reason as a plain tree."""
        return {"unanswered": self.reason}

    def __str__(self) -> str:
        return f"not answered: {self.reason}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unanswered) and (type(other), other.reason) == (type(self), self.reason)

    def __hash__(self) -> int:
        return hash((type(self), self.reason))


class Unbounded(Unanswered):
    """A belief without a bound at the failure probability that was asked for: nothing is ruled out."""


class Unasked(Unanswered):
    """A question that was left out of what was asked."""


@dataclass(frozen=True, repr=False)
class Assessment(Answer):
    """Every question that one promise and one adversary raise, school by school.

    About an adversary's belief in one fact about a person, with what they know of the others:

    posterior, ratio, difference, odds     how far the release moves their belief in what is true
    worst_prior                            the priors that gain most
    expected_posterior                     what they believe on average, without any chance of failure

    About an adversary who may believe anything of the others, and gives the person an inclusion and a value:

    relative_risk, absolute_risk           how much more probable presence with that value becomes, and how probable
    total_variation                        how far their beliefs with and without the person lie apart
    posterior_ratio                        the belief in the true record, with the person in the data against without

    About a test of the one fact, with its false-positive rate (level):

    power, advantage, best_guess           what the best test achieves, and the best guess at the prior
    positive_predictive_value              the posterior after the test says yes

    About a guess at something in the record, of an adversary who has a baseline:

    success                                how often the best guess is right: a value, an attribute, a name

    Where only some of them were asked, the others are Unasked, and are passed over by all that goes through them.
    `asked_of` names what was assessed, in a few words, and `asked_by` one adversary and what they allow for.
    """

    posterior: Answer
    ratio: Answer
    difference: Answer
    odds: Answer
    worst_prior: Answer
    expected_posterior: Answer
    relative_risk: Answer
    absolute_risk: Answer
    total_variation: Answer
    posterior_ratio: Answer
    power: Answer
    advantage: Answer
    best_guess: Answer
    positive_predictive_value: Answer
    success: Answer
    asked_of: str = ""
    asked_by: str = ""

    def __iter__(self) -> Iterator[tuple[str, Answer]]:
        """The questions that were asked by name, with their answers."""
        found = ((name, getattr(self, name)) for name in QUESTIONS)
        return ((name, answer) for name, answer in found if not isinstance(answer, Unasked))

    @property
    def answered(self) -> dict[str, Answer]:
        """The questions that have an answer."""
        return {name: answer for name, answer in self if answer.findings}

    @property
    def unanswered(self) -> dict[str, Unanswered]:
        """The questions that have none, each with its reason."""
        return {name: answer for name, answer in self if isinstance(answer, Unanswered)}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding among the answers."""
        return tuple(finding for _, answer in self for finding in answer.findings)

    def with_answers(self, answers: Mapping[str, Answer]) -> Assessment:
        """The same with these answers to the questions that they are named by."""
        changed: dict[str, Any] = dict(answers)
        return replace(self, **changed)

    def to_dict(self) -> dict[str, Any]:
        """The answers by question as a plain tree."""
        return {name: answer.to_dict() for name, answer in self}

    def to_rows(self) -> list[Row]:
        """A row for each number of each question; a question without an answer has its reason."""
        return assessment.assessment_rows(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: a table of questions, answers and words."""
        return assessment.assessment_html(self)

    def __str__(self) -> str:
        """A line for each question."""
        return "\n".join(_line(name, answer) for name, answer in self)


QUESTIONS = tuple(each.name for each in fields(Assessment) if not each.name.startswith("asked_"))
"""The questions by name, in the order of an assessment."""


def _line(name: str, answer: Answer) -> str:
    if answer.worst is None:
        return f"{name.replace('_', ' ')}: {answer}"
    return str(answer.worst)


def about_fact(fact: str, assessment: Assessment) -> Assessment:
    """The assessment, whose findings about a belief name the fact that an adversary asks about."""
    return assessment.with_answers({name: _about(fact, getattr(assessment, name)) for name in QUESTIONS})


def _about(fact: str, answer: Any) -> Any:
    """An answer, part by part; what is about no fact stays as it is."""
    if isinstance(answer, Finding):
        return replace(answer, inputs={**answer.inputs, "fact": fact}) if "fact" in answer.inputs else answer
    if not answer.findings:
        return answer
    return replace(answer, **{each.name: _about(fact, getattr(answer, each.name)) for each in fields(answer)})


_ONE_BY_ONE = "Assess the promises one by one."


def stacked(assessments: Sequence[Assessment]) -> Assessment:
    """One assessment whose answers hold those of all; a question that one of them leaves open is left open."""
    found = {name: _stack([getattr(each, name) for each in assessments]) for name in QUESTIONS}
    subjects = dict.fromkeys(each.asked_of for each in assessments)
    return Assessment(**found, asked_of=listed(list(subjects), "promises"), asked_by="")


def widest(answer: Answer) -> Answer:
    """One answer for two neighbouring inputs along the first axis: the safe end of both, and the other end of both."""
    if not isinstance(answer, Finding):
        return answer
    safe, other = (np.min, np.max) if answer.is_lower_end else (np.max, np.min)
    end = None if answer.other_end is None else other(np.asarray(answer.other_end), axis=0)
    return replace(answer, value=safe(np.asarray(answer.value), axis=0), other_end=end)


def larger(answers: Sequence[Answer]) -> Answer:
    """One answer for several pairs of neighbours, any of which may be the one: the largest, if each has one."""
    if len(answers) == 1 or not all(isinstance(answer, Finding) for answer in answers):
        return next((answer for answer in answers if not isinstance(answer, Finding)), answers[0])
    return widest(_stack(answers))


def _stack(answers: Sequence[Any]) -> Answer:
    """One answer, part by part; where exact ones and bounds meet, all are taken as bounds."""
    refused = next((answer for answer in answers if not answer.findings), None)
    if refused is not None:
        return cast(Answer, refused)
    if isinstance(answers[0], Finding):
        return _findings(answers)
    parts = {each.name: _stack([getattr(answer, each.name) for answer in answers]) for each in fields(answers[0])}
    return cast(Answer, replace(answers[0], **parts))


def _findings(findings: Sequence[Finding]) -> Finding:
    """One finding with the values of all, in the direction that holds for each of them."""
    quantities = dict.fromkeys(each.quantity for each in findings)
    if len(quantities) > 1:
        rule = "must be about one quantity to be stacked"
        raise Incompatible("answers", rule, ", ".join(each.name for each in quantities), _ONE_BY_ONE)
    direction = Direction.combine(*(each.direction for each in findings))
    both_known = direction is not Direction.AT_LEAST and all(each.other_end is not None for each in findings)
    other = np.stack(np.broadcast_arrays(*(np.asarray(each.other_end) for each in findings))) if both_known else None
    # Beside lower bounds an exact number counts by its lower end.
    ends = [each.lower if direction is Direction.AT_LEAST else each.value for each in findings]
    values = np.stack(np.broadcast_arrays(*map(np.asarray, ends)))
    basis = reduce(_joined, (each.basis for each in findings))
    inputs = {**findings[0].inputs, "promise": [each.inputs.get("promise") for each in findings]}
    return Finding(findings[0].quantity, values, direction, inputs, basis, other)


def _joined(one: Basis, other: Basis) -> Basis:
    """What both rest on; each statement stands by itself, so failures and errors are the larger and not the sum."""
    by_randomness = {failure.over: failure for failure in (*one.failures, *other.failures)}
    for failure in one.failures:
        if failure.probability > by_randomness[failure.over].probability:
            by_randomness[failure.over] = failure
    return Basis(
        theorems=one.theorems + other.theorems,
        failures=tuple(by_randomness.values()),
        slack=max(one.slack, other.slack),
        truncation=max(one.truncation, other.truncation),
    )
