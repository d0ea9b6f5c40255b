"""How mechanisms are stated in options, files and texts: the words of each, and what stands behind them.

Every class declares its own words. So the grammar, the help, the search for a parameter and the text about a promise
all read this one table, and no mechanism has a branch of its own in any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

from whit import mechanisms
from whit.curves import Promise
from whit.errors import NotImplied
from whit.setting import Neighbours, Parameter


class Written(Enum):
    """How a value is written; the value says it in words."""

    NUMBER = "a number"
    WHOLE = "a whole number of at least 1"
    WHOLES = "a whole number, or several with blanks between them"
    YES_NO = "yes or no"
    NUMBERS = "numbers with blanks between them, or the name of a file of numbers"
    ROWS = "rows of numbers with semicolons between them, or the name of a file of numbers"
    NEIGHBOURS = "add-remove, replace or local"
    PARTICIPATION = 'once, "10 epochs", "100 apart" or "100 apart at most 5 times"'


@dataclass(frozen=True)
class Detail:
    """A value that a mechanism is stated with.

    Attributes:
        name: as the class is built with, such as "population".
        symbol: what stands for the value in a help text; nothing for yes or no.
        meaning: what it says, in a sentence.
        written: how it is written.
        other_word: the name in options, files and texts, where that is not its own.
        needed: whether it must be given.
        words: words that stand for a value, such as "poisson".
    """

    name: str
    symbol: str
    meaning: str
    written: Written
    other_word: str = ""
    needed: bool = False
    words: Mapping[str, object] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """The name in options, files and texts."""
        return self.other_word or self.name


@dataclass(frozen=True)
class Around:
    """What a mechanism that is made of another one is stated with.

    Attributes:
        inner: the argument that takes what it is made of.
        takes: whether it can be made of a promise.
        goes_with: what it is made of, in words.
        way_out: what to state instead of something that it is not made of; words in braces are written as options are.
        phrase: what is said of it after the name of what it is made of; arguments in braces.
        details: the values that it is stated with; the first is the word for it.
        relation: the relation that what it is made of is stated under, where that is not its own.
        also: what is said besides of a value that is not the usual one, by the name of the argument.
    """

    inner: str
    takes: Callable[[Promise], bool]
    goes_with: str
    way_out: str
    phrase: str
    details: tuple[Detail, ...]
    relation: Neighbours | None = None
    also: Mapping[str, str] = field(default_factory=dict)


AROUND = {
    "sampling_rate": "PoissonSubsampled",
    "sample_size": "SampledWithoutReplacement",
    "cut_sample": "TruncatedPoissonSample",
    "threshold": "ThresholdedNoise",
    "shuffled": "Shuffled",
    "runs": "BestOfRuns",
}
"""The mechanisms that are made of another one, by their words; those further down are made of those above."""

DESCRIBED = (
    *("MatrixMechanism", "ToeplitzMechanism", "SquareRootMechanism", "TreeAggregation", "MixtureOfGaussians"),
    *("PartitionSelection", "Rappor", "SimpleRandomSample", "Finite", "CorrelatedGaussian"),
)
"""The mechanisms that need more than one number."""


def kinds() -> Iterator[type[mechanisms.Mechanism]]:
    """The classes that declare their `parameter`, each loaded when it is reached.

    >>> print(", ".join(kind.parameter.kind for kind in kinds()))
    discrete-gaussian, gaussian, geometric, laplace, staircase, tulap, randomized-response, unary-encoding,
    exponential-mechanism, permute-and-flip, noisy-max, sparse-vector
    """
    noises = ("DiscreteGaussian", "Gaussian", "Geometric", "Laplace", "Staircase", "Tulap")
    reports = ("RandomizedResponse", "UnaryEncoding")
    names = (*noises, *reports, "ExponentialMechanism", "PermuteAndFlip", "ReportNoisyMax", "SparseVector")
    return (getattr(mechanisms, name) for name in names)


def described() -> Iterator[type[mechanisms.Mechanism]]:
    """The classes that need more than one number, each loaded when it is reached."""
    return (getattr(mechanisms, name) for name in DESCRIBED)


def stated_by(kind: type[Promise]) -> tuple[Detail, ...]:
    """All that a guarantee or a mechanism is stated with, the word for it first.

    >>> from whit.mechanisms import Tulap
    >>> [each.word for each in stated_by(Tulap)]
    ['tulap', 'delta', 'step']
    """
    own: tuple[Detail, ...] = getattr(kind, "details", ())
    parameter: Parameter | None = getattr(kind, "parameter", None)
    if parameter is None:
        return own
    head = Detail(parameter.name, parameter.symbol, parameter.meaning, Written.NUMBER, parameter.word, needed=True)
    beside = [
        Detail(each, "NUMBER", f"The {each} that goes with --{parameter.option}.", Written.NUMBER, needed=True)
        for each in parameter.beside
    ]
    return (head, *beside, *own)


def inside(promise: Promise) -> Promise | None:
    """What a mechanism is made of, if it is made of another one."""
    around: Around | None = getattr(type(promise), "around", None)
    within: Promise | None = None if around is None else getattr(promise, around.inner)
    return within


def parameter_of(promise: Promise) -> Parameter:
    """The one number that a search can change: its own, or that of what it is made of."""
    instead: str = getattr(type(promise), "instead", "")
    within = inside(promise)
    if instead:
        raise NotImplied(
            "a search for a parameter",
            "needs one number such that a larger one always reveals more, or always less",
            promise,
            instead,
        )
    if within is not None:
        return parameter_of(within)
    parameter: Parameter | None = getattr(type(promise), "parameter", None)
    if parameter is None:
        way_out = "Ask assess or check about a few of them."
        raise NotImplied("a search for a parameter", "needs a release that is stated by one", promise, way_out)
    return parameter


def restated(promise: Promise, value: float) -> Promise:
    """The same with another value of its parameter.

    >>> from whit.mechanisms import RandomizedResponse, Shuffled
    >>> restated(Shuffled(RandomizedResponse(1.0), 100), 2.0)
    Shuffled(RandomizedResponse(epsilon=2.0, categories=2), 100)
    """
    around: Around | None = getattr(type(promise), "around", None)
    made: Any = type(promise)
    if around is not None:
        changed: dict[str, Any] = {around.inner: restated(getattr(promise, around.inner), value)}
    else:
        changed = {parameter_of(promise).name: value}
    found: Promise = made(**{**arguments(promise), **changed})
    return found


def arguments(promise: Promise) -> dict[str, Any]:
    """What a promise was built with, by the names of its class."""
    named: Any = promise
    every = [each.name for each in fields(named) if not each.name.startswith("_")]
    return {name.removeprefix("stated_"): getattr(promise, name) for name in every}
