"""What a command answers: findings by name, sentences to be read with them, and what else it found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from whit.semantics.membership import WorstPrior
from whit.theory import Answer


@dataclass(frozen=True)
class Named:
    """One answer.

    Attributes:
        name: the question by its name.
        of: what it was asked of.
        told: the answer.
        said: the answer in a table, where that is not its own sentence.
    """

    name: str
    of: str
    told: Answer
    said: str = ""


@dataclass(frozen=True)
class Answers:
    """All that a command answers.

    Attributes:
        command: its name.
        asked: what was asked, as plain values.
        named: the answers.
        notes: sentences that should be read with them.
        result: what else there is, as plain values.
    """

    command: str
    asked: Mapping[str, Any]
    named: tuple[Named, ...] = ()
    notes: tuple[str, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)


def named(of: str, answers: Iterable[tuple[str, Answer]]) -> tuple[Named, ...]:
    """Answers by name; the worst priors, which are four findings, become four."""
    return tuple(each for name, answer in answers for each in _each(of, name, answer))


def _each(of: str, name: str, answer: Answer) -> list[Named]:
    if not isinstance(answer, WorstPrior):
        return [Named(name, of, answer)]
    measures = {"ratio": answer.ratio, "difference": answer.difference}
    return [
        Named(f"{name}.{measure}.{when}", of, getattr(priors, when))
        for measure, priors in measures.items()
        for when in ("when_true", "when_false")
    ]
