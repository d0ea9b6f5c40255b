"""What is explained: answers by name, and what they all have in common."""

from __future__ import annotations

import os.path
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from whit import guarantees, mechanisms
from whit.assessment import Unanswered
from whit.curves import Promise
from whit.setting import Neighbours
from whit.telling.explain.language import Passage
from whit.theory import Answer, Basis, Finding, Tree

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
    def numbers(self) -> dict[str, Finding]:
        """The answers that are numbers."""
        return {name: each for name, each in self.answers if isinstance(each, Finding)}

    @property
    def unanswered(self) -> dict[str, Unanswered]:
        """The questions without an answer."""
        return {name: each for name, each in self.answers if isinstance(each, Unanswered)}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding among the answers."""
        return tuple(finding for _, answer in self.answers for finding in answer.findings)

    @property
    def basis(self) -> tuple[str, ...]:
        """Keys of all theorems, each once."""
        keys = [key for finding in self.findings for key in finding.basis.theorems]
        return tuple(dict.fromkeys([*keys, *self.besides.theorems]))

    @property
    def promise(self) -> Mapping[str, Tree]:
        """The promise or the mechanism as the findings echo it; nothing where there is none, or several."""
        found = [finding.inputs.get("promise") for finding in self.findings]
        one = found[0] if found and all(each == found[0] for each in found) else None
        return one if isinstance(one, dict) else {}

    @property
    def kind(self) -> type[Promise] | None:
        """The class of the promise or mechanism, by the name that its echo has."""
        name = str(self.promise.get("kind", ""))
        found = getattr(guarantees, name, getattr(mechanisms, name, None)) if name else None
        return found if isinstance(found, type) and issubclass(found, Promise) else None

    @property
    def relation(self) -> Neighbours | None:
        """The relation between the datasets, where the findings tell."""
        named = [finding.inputs.get("neighbours") for finding in self.findings]
        found = next((name for name in named if isinstance(name, str) and name in Neighbours.__members__), None)
        return None if found is None else Neighbours[found]


def number_of(finding: Finding) -> float:
    """The value of a finding, or the largest of its values."""
    return finding.largest


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


FILE = os.path.join(os.path.dirname(__file__), "quantities.toml")


@cache
def keys() -> dict[str, str]:
    """The keys of the sentences by the names of the quantities."""
    with open(FILE, "rb") as file:
        return {name: str(key) for name, key in tomllib.load(file).items()}


def key_of(finding: Finding) -> str:
    """The key of the sentences about this quantity; "other" where there are none."""
    return keys().get(finding.quantity.name, "other")
