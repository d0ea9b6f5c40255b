"""What is explained: answers by name, and what they all have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit import guarantees, mechanisms
from whit.assessment import Answer, Unanswered
from whit.guarantees import Promise
from whit.mechanisms import Release
from whit.semantics.membership import Between, WorstPrior
from whit.setting import Neighbours
from whit.telling.explain.explanation import Passage
from whit.theory import Basis, Direction, Finding, Interval, Tree

Told: TypeAlias = Finding | Interval | Between
"""An answer that is one number, or a number between two others."""


NEIGHBOURS = 1e-14
"""Numbers that are as close as this are the two neighbours of a product that was rounded."""


@dataclass(frozen=True)
class Subject:
    """Answers to be explained.

    Attributes:
        answers: the answers by name, as an assessment names them; a single one goes by its own quantity.
        opening: what is said before them.
        unprotected: what is said of things that are published as they are.
        besides: what the promise itself rests on, such as a rule of composition, where the answers do not say so.
    """

    answers: tuple[tuple[str, Answer], ...]
    opening: tuple[Passage, ...] = ()
    unprotected: tuple[Passage, ...] = ()
    besides: Basis = field(default_factory=Basis)

    @property
    def told(self) -> dict[str, Told]:
        """The answers that are numbers."""
        return {name: each for name, each in self.answers if isinstance(each, Finding | Interval | Between)}

    @property
    def unanswered(self) -> dict[str, Unanswered]:
        """The questions without an answer."""
        return {name: each for name, each in self.answers if isinstance(each, Unanswered)}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding among the answers."""
        return tuple(finding for _, answer in self.answers for finding in findings_of(answer))

    @property
    def basis(self) -> tuple[str, ...]:
        """Keys of all theorems, each once."""
        keys = [key for finding in self.findings for key in finding.basis.theorems]
        return tuple(dict.fromkeys([*keys, *self.besides.theorems]))

    @property
    def promise(self) -> str:
        """The promise or the mechanism as the findings echo it; nothing where there is none, or several."""
        found = {str(finding.inputs.get("promise", "")) for finding in self.findings}
        return found.pop() if len(found) == 1 else ""

    @property
    def kind(self) -> type[Promise] | type[Release] | None:
        """The class of the promise or mechanism, by the name that its echo begins with."""
        name = re.match(r"[A-Za-z]+(?=\()", self.promise)
        found = None if name is None else getattr(guarantees, name[0], getattr(mechanisms, name[0], None))
        return found if isinstance(found, type) and issubclass(found, Promise | Release) else None

    @property
    def relation(self) -> Neighbours | None:
        """The relation between the datasets, where the findings tell."""
        named = [finding.inputs.get("neighbours") for finding in self.findings]
        found = next((name for name in named if isinstance(name, str) and name in Neighbours.__members__), None)
        if found is not None:
            return Neighbours[found]
        stated = re.search(r"neighbours=Neighbours\.(\w+)\)$", self.promise)
        if stated is not None:
            return Neighbours[stated[1]]
        return Neighbours.ADD_REMOVE if self.kind is not None and issubclass(self.kind, Promise) else None


def findings_of(answer: Answer) -> Iterator[Finding]:
    """The findings that an answer is made of; of an interval, the upper bound stands for all three."""
    if isinstance(answer, Finding):
        yield answer
    elif isinstance(answer, Interval):
        yield answer.upper
    elif isinstance(answer, Between):
        yield from (answer.lower, answer.upper)
    elif isinstance(answer, WorstPrior):
        for measure in (answer.difference, answer.ratio):
            yield from (measure.when_true, measure.when_false)


def worst_of(told: Told) -> Finding:
    """The finding that an answer is read by: what it is at most, where that is known."""
    if isinstance(told, Finding):
        return told.upper if told.direction is Direction.EXACTLY else told
    return told.upper


def number_of(finding: Finding) -> float:
    """The value of a finding, or the largest of its values."""
    return float(np.max(finding.value))


def given(finding: Finding, name: str) -> float | None:
    """A number that the finding started from; of many, the one that goes with the largest value."""
    tree: Tree = finding.inputs.get(name)
    if tree is None or isinstance(tree, bool | str | dict):
        return None
    try:
        values = np.broadcast_to(_one_each(np.asarray(tree, dtype=np.float64)), np.shape(finding.value))
    except (TypeError, ValueError):  # words, or as many numbers as do not go with the values
        return None
    return float(np.ravel(values)[int(np.argmax(finding.value))])


def _one_each(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers; where each was given by its neighbours on both sides, a short one in between."""
    if values.ndim == 0 or len(values) != 2 or not np.allclose(values[0], values[1], rtol=NEIGHBOURS, atol=0.0):
        return values
    low, high = np.minimum(values[0], values[1]), np.maximum(values[0], values[1])
    short = np.reshape([float(f"{each:.12g}") for each in np.ravel(low)], low.shape)
    return np.where((low <= short) & (short <= high), short, low)


def size_of(finding: Finding) -> int:
    """How many values a finding holds."""
    return int(np.size(finding.value))
