"""What is explained: answers by name, what is asked where there are none, and what belongs to them all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit import guarantees, mechanisms
from whit.assessment import Unanswered, assess
from whit.curves import Block, Promise, largest_loss
from whit.errors import NotImplied, TooCostly, Unreachable
from whit.guarantees import ApproxDP, ProbabilisticDP, PureDP
from whit.mechanisms import Mechanism
from whit.semantics import membership, testing
from whit.setting import Adversary, Knowledge, Neighbours
from whit.telling.words.language import Audience, Language, Passage, language_of
from whit.theory import Answer, Basis, Finding, Tree, assumed_keys

Answers = tuple[tuple[str, Answer], ...]
"""Answers by the names that an assessment gives them."""

PRIOR = 0.5
"""The belief that an adversary starts from, unless another was asked about: as likely as not."""

FAILURE = 0.01
"""The failure probability where nothing is proved to hold always."""

LEVEL = 0.05
"""The false-positive rate of the test in the texts."""

_SHARE = re.compile(r"in [\d.]+ % of cases")
"""The share in the name of an error; the numbers that it was asked with have it as well."""

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
        fact: what the adversary wants to know, as a clause; empty if that is what the promise protects.
        name: the promise in a few words, as it is called everywhere; empty where only its echo is known.
        parts: each of several promises by its name, with the classes of the mechanisms that it is made of.
    """

    answers: Answers
    opening: tuple[Passage, ...] = ()
    unprotected: tuple[Passage, ...] = ()
    besides: Basis = field(default_factory=Basis)
    fact: str = ""
    name: str = ""
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        said = tuple((name, each.in_words if isinstance(each, Finding) else each) for name, each in self.answers)
        object.__setattr__(self, "answers", said)

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
    def assumptions(self) -> tuple[str, ...]:
        """Keys of all assumptions that the answers need, each once."""
        names = [name for finding in self.findings for name in assumed_keys(finding)]
        return tuple(dict.fromkeys([*names, *self.besides.assumptions]))

    @property
    def promise(self) -> Mapping[str, Tree]:
        """The promise or the mechanism as the findings echo it; nothing where there is none, or several."""
        found = [_to_one_person(finding.inputs.get("promise")) for finding in self.findings]
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
        about = self.about
        if about is About.INCLUSION:
            return Neighbours.ADD_REMOVE
        found = next((each for each in map(relation_of, self.findings) if each is not None), None)
        if about is About.VALUE:  # a test of the same assessment may be one of presence
            return Neighbours.LOCAL if found is Neighbours.LOCAL else Neighbours.REPLACE
        return found

    @property
    def about(self) -> About:
        """What the adversary asks, by the beliefs that an answer started from."""
        for finding in self.findings:
            value, inclusion = given(finding, "value"), given(finding, "inclusion")
            if value is not None and inclusion is not None and value < 1.0:
                return About.VALUE if inclusion == 1.0 else About.INCLUSION
        return About.NEIGHBOURS


class About(Enum):
    """What an adversary asks.

    Attributes:
        NEIGHBOURS: which of two neighbouring datasets it is.
        INCLUSION: whether the person is in the data, and with a value.
        VALUE: whether a person who is known to be in the data has a value.
    """

    NEIGHBOURS = "neighbours"
    INCLUSION = "inclusion"
    VALUE = "value"


def relation_of(finding: Finding) -> Neighbours | None:
    """The relation between the datasets that a finding is about, where it says so."""
    name = finding.inputs.get("neighbours")
    return Neighbours[name] if isinstance(name, str) and name in Neighbours.__members__ else None


def _to_one_person(promise: Tree) -> Tree:
    """The promise itself, where a finding is about a block of people."""
    return promise["promise"] if isinstance(promise, dict) and promise.get("kind") == Block.__name__ else promise


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


def key_of(finding: Finding) -> str:
    """The key of the sentences about this quantity; "other" where there are none."""
    key = finding.quantity.key
    return key if language_of("en").has(f"officer.one.{key}") else "other"


def name_of(finding: Finding, words: Language) -> str:
    """The name of the quantity in the language, as it begins a line."""
    own = finding.quantity.name
    name = words.name("quantity", _SHARE.sub("in a share of cases", own), own) if words.names else own
    return name[:1].upper() + name[1:]


def answers(
    promise: Promise,
    audience: Audience,
    *,
    neighbours: Neighbours | None = None,
    failure: float = 0.0,
    sides: int = 1,
) -> Answers:
    """The questions that an audience hears of, for even odds; without exception where the promise has such an answer.

    A curve that does not say between which neighbours it is can be asked about beliefs and tests only.
    """
    chance = failure if failure > 0.0 else usual_failure(promise, neighbours)
    if audience is not Audience.PUBLIC and promise.relation(neighbours) is not None:
        who = Adversary(prior=PRIOR)
        return tuple(assess(promise, who, level=LEVEL, failure=chance, sides=sides, neighbours=neighbours))
    asked: dict[str, Any] = {"neighbours": neighbours, "knows": Knowledge.ANY_BELIEF}
    ask_belief = partial(membership.posterior, promise, PRIOR, failure=chance, sides=sides, **asked)
    ask_power = partial(testing.power, promise, LEVEL, **asked)
    belief, test = _answered(ask_belief), _answered(ask_power)
    if not isinstance(belief, Unanswered):
        return (("posterior", belief), ("power", test))
    # The average belief only where there is no bound on each.
    average = _answered(partial(membership.expected_posterior, promise, PRIOR, **asked))
    return (("posterior", belief), ("expected_posterior", average), ("power", test))


def _answered(ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except (NotImplied, TooCostly, Unreachable) as refused:
        return Unanswered(refused)


def usual_failure(promise: Promise, neighbours: Neighbours | None = None) -> float:
    """None where a bound on the loss always holds, else one in a hundred.

    >>> from whit.guarantees import ApproxDP, PureDP
    >>> usual_failure(PureDP(1.0)), usual_failure(ApproxDP(1.0, 1e-6))
    (0.0, 0.01)
    """
    try:
        sure = largest_loss(promise, 0.0, neighbours=neighbours)
    except (NotImplied, TooCostly, Unreachable):
        return FAILURE
    return 0.0 if np.isfinite(float(sure)) else FAILURE


COMPOSITION = (
    "losses-add",
    "dominating-pairs-compose",
    "basic-composition",
    "advanced-composition",
    "advanced-composition-heterogeneous",
    "optimal-composition",
    "optimal-composition-list",
    "optimal-composition-heterogeneous",
    "zcdp-composition",
    "renyi-composition",
    "bounded-range-composition",
    "gaussian-composition",
    "unit-change-by-composition",
)
"""The theorems by which several releases are counted together."""


def notes_of(subject: Subject) -> tuple[str, ...]:
    """Keys of the explanations that apply, the most important first."""
    composed = set(COMPOSITION) & set(subject.basis) or "parts" in subject.promise
    block = ("block",) if "beliefs-within-a-block" in subject.basis else ()
    return (*_about_failure(subject), *block, *(("composition",) if composed else ()), *_about_noise(subject))


def _about_failure(subject: Subject) -> tuple[str, ...]:
    """Pure against approximate, and what delta is."""
    kind, fails = subject.kind, any(finding.basis.failures for finding in subject.findings)
    if kind is PureDP and not fails:
        return ("pure",)
    if kind is ApproxDP and subject.promise.get("delta") != 0.0:
        return ("approximate", "delta")
    if kind is ProbabilisticDP:
        return ("probabilistic",)
    return ("tail",) if fails else ()


def _about_noise(subject: Subject) -> tuple[str, ...]:
    if "concern-to-queries" in subject.basis:  # a plan knows the noise of each of its queries
        return ("noise_known",)
    if subject.kind is None:
        return ()
    if "shuffled-reports" in subject.basis:
        return ("shuffled",)
    if not issubclass(subject.kind, Mechanism):
        return ("noise_in_part",) if methods_of(subject) else ("noise_unknown",)
    bounded = any(getattr(mechanisms, name).over_all_data for name in methods_of(subject))
    return ("all_data",) if bounded else ("noise_known",)


def methods_of(subject: Subject) -> tuple[str, ...]:
    """The classes of the mechanisms that the promise is made of, each once, the one that takes in the others first."""
    return methods_in(dict(subject.promise))


def methods_in(tree: Tree) -> tuple[str, ...]:
    """The same of the echo of a promise."""
    return tuple(dict.fromkeys(_methods(tree)))


def _methods(tree: Tree) -> Iterator[str]:
    """The names of the mechanisms in an echo, from the outside in."""
    if isinstance(tree, dict):
        name = str(tree.get("kind", ""))
        found = getattr(mechanisms, name, None) if name else None
        if isinstance(found, type) and issubclass(found, Mechanism) and found is not mechanisms.Composed:
            yield name
    branches: Iterable[Tree] = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    for each in branches:
        yield from _methods(each)
