"""What comes back from an assessment: findings, and sentences where there is no answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from whit.errors import WhitError
from whit.theory import Answer, Finding


@dataclass(frozen=True, repr=False)
class Unanswered(Answer):
    """A question without an answer, and why: the promise does not imply one, or it would cost too much."""

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


class Unasked(Unanswered):
    """A question that was left out of what was asked."""


@dataclass(frozen=True, repr=False)
class Assessment(Answer):
    """Every question that one promise and one adversary raise, school by school.

    About an adversary who knows everyone else and doubts one fact about a person, the prior being theirs:

    posterior, ratio, difference, odds     how far the release moves their belief in what is true
    worst_prior                            the priors that gain most
    expected_posterior                     what they believe on average, without any chance of failure

    About an adversary who believes anything of the others, and gives the person an inclusion and a value:

    relative_risk, absolute_risk           how much more probable presence with that value becomes, and how probable
    total_variation                        how far their beliefs with and without the person lie apart
    posterior_ratio                        the belief in the true record, with the person in the data against without

    About a test of the one fact, with its false-positive rate (level):

    power, advantage, best_guess           what the best test achieves, and the best guess at the prior
    positive_predictive_value              the posterior after the test says yes

    Where only some of them were asked, the others are Unasked, and are passed over by all that goes through them.
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

    def __iter__(self) -> Iterator[tuple[str, Answer]]:
        """The questions that were asked by name, with their answers."""
        found = ((each.name, getattr(self, each.name)) for each in fields(self))
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

    def to_dict(self) -> dict[str, Any]:
        """The answers by question as a plain tree."""
        return {name: answer.to_dict() for name, answer in self}

    def __str__(self) -> str:
        """A line for each question."""
        return "\n".join(_line(name, answer) for name, answer in self)


def _line(name: str, answer: Answer) -> str:
    if answer.worst is None:
        return f"{name.replace('_', ' ')}: {answer}"
    return str(answer.worst)
