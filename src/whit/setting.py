"""Whom a statement is about, and who is asking.

Neighbours are the two datasets that a promise compares, and a unit of privacy is what one record stands for. The
sensitivity is the most that the exact answer can differ between neighbours, the parameter the one number that a kind of
promise is stated by. The adversary is the one who asks: what they believe, know, and allow for.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from numbers import Integral
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import Incompatible, InvalidInput, require, safe_repr
from whit.numerics import REACH, count, finite_nonnegative, probability, unmasked_probabilities

FAILURE_WAY_OUT = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."
SAYS_NOTHING = "must be below 1: what may be false for sure says nothing"
BASELINE_WAY_OUT = "Use the chance that the best guess is right without the release, such as 0.01 for one of a hundred."
_CHANGES = "Give the largest change as a number, or as a tuple with the change of each cell that can change."
_BLOCK = "Use the size of the largest household or the like, such as 4; 1 if nobody depends on this person."
_RELATIONS = "Use Neighbours.ADD_REMOVE, Neighbours.REPLACE or Neighbours.LOCAL."


class Neighbours(Enum):
    """The pairs of datasets that a release must not tell apart; the value is a sentence that says which.

    >>> print(Neighbours.REPLACE.value)
    Two datasets are neighbours if one is the other with one record replaced by any other record.
    """

    ADD_REMOVE = "Two datasets are neighbours if one is the other with one record added or removed."
    REPLACE = "Two datasets are neighbours if one is the other with one record replaced by any other record."
    LOCAL = "Each person sends a single record, already noisy, and any two records that they might send are neighbours."

    @classmethod
    def checked(cls, relation: object, *, way_out: str = _RELATIONS) -> Neighbours:
        """The relation, if it is one; else an error that says which there are."""
        if isinstance(relation, cls):
            return relation
        raise InvalidInput("neighbours", "must be one of Neighbours", relation, way_out)

    @property
    def word(self) -> str:
        """The relation as options and files name it, such as add-remove."""
        return self.name.lower().replace("_", "-")

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Neighbours.{self.name}"


@dataclass(frozen=True)
class UnitOfPrivacy:
    """What one record of the promise covers: all that one person, household or the like contributes in a period.

    The same epsilon for a person on one day and for a person over the whole of the data are different promises.

    >>> print(UnitOfPrivacy("person", period="one day").sentence)
    The promise covers all that one person contributes within one day.
    """

    name: str
    period: str = "the whole of the data"

    def __post_init__(self) -> None:
        _require_words("the name of a unit of privacy", self.name, 'Use a noun such as "person" or "household".')
        _require_words("the period of a unit of privacy", self.period, 'Use words such as "one day".')

    @property
    def sentence(self) -> str:
        """What is protected, in words."""
        return f"The promise covers all that one {self.name} contributes within {self.period}."


def _require_words(name: str, text: object, way_out: str) -> None:
    """Refuse what is no text, or a text of blanks or with blanks around it."""
    good = isinstance(text, str) and text != "" and text == text.strip()
    require(good, name=name, rule="must be a text without blanks around it", value=safe_repr(text), way_out=way_out)


PERSON = UnitOfPrivacy("person")
"""All that one person contributes to the data."""

HOUSEHOLD = UnitOfPrivacy("household")
"""All that one household contributes to the data."""


@dataclass(frozen=True, init=False, repr=False)
class Sensitivity:
    """The largest change of the exact answer when one record is added or removed, and when one is replaced.

    Each is one number, or a tuple of changes, one for every released cell that one record can change: replacing a
    record of a histogram takes one from a cell and gives one to another, (1, 1). Both are kept as tuples without
    zeros. Changes are distances, so none is negative.

    >>> histogram = Sensitivity(add_remove=1, replace=(1, 1))
    >>> histogram.l1(Neighbours.REPLACE)
    2.0

    Both are passed by name. A person who counts in three cells, once, twice and four times:

    >>> Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4)).l1(Neighbours.ADD_REMOVE)
    7.0
    >>> Sensitivity(add_remove=1, replace=3)
    Traceback (most recent call last):
    whit.errors.InvalidInput: replace must total at most twice add_remove, as it removes one record and adds another;
    got 3.0 against 1.0. Raise add_remove, or lower replace.
    """

    add_remove: tuple[float, ...]
    replace: tuple[float, ...]

    def __init__(self, *, add_remove: float | Sequence[float], replace: float | Sequence[float]) -> None:
        object.__setattr__(self, "add_remove", _cells("add_remove", add_remove))
        object.__setattr__(self, "replace", _cells("replace", replace))
        require(
            _total(self.replace) <= 2 * _total(self.add_remove),
            name="replace",
            rule="must total at most twice add_remove, as it removes one record and adds another",
            value=f"{math.fsum(self.replace)!r} against {math.fsum(self.add_remove)!r}",
            way_out="Raise add_remove, or lower replace.",
        )

    @classmethod
    def count(cls) -> Sensitivity:
        """The sensitivity of one count of records: 1 either way."""
        return cls(add_remove=1.0, replace=1.0)

    @classmethod
    def histogram(cls) -> Sensitivity:
        """The sensitivity of counts in cells, with each record in one cell: a replacement changes two cells by 1."""
        return cls(add_remove=1.0, replace=(1.0, 1.0))

    def changes(self, neighbours: Neighbours) -> tuple[float, ...]:
        """The change of each cell that can change between neighbours; local neighbours replace a record."""
        return self.add_remove if Neighbours.checked(neighbours) is Neighbours.ADD_REMOVE else self.replace

    def l1(self, neighbours: Neighbours) -> float:
        """The sum of the changes, rounded up."""
        changes = self.changes(neighbours)
        nearest = math.fsum(changes)
        return nearest if Fraction(nearest) >= _total(changes) else math.nextafter(nearest, math.inf)

    def l2(self, neighbours: Neighbours) -> float:
        """The root of the sum of the squared changes, rounded up.

        >>> Sensitivity.histogram().l2(Neighbours.REPLACE)
        1.4142135623730951
        """
        changes = self.changes(neighbours)
        nearest = math.hypot(*changes)
        enough = Fraction(nearest) ** 2 >= sum(Fraction(change) ** 2 for change in changes)
        return nearest if enough else math.nextafter(nearest, math.inf)

    def to_dict(self) -> dict[str, list[float]]:
        """The changes by relation."""
        return {"add_remove": list(self.add_remove), "replace": list(self.replace)}

    def __repr__(self) -> str:
        """The expression that rebuilds the sensitivity, with a number in place of a tuple of one."""
        return f"Sensitivity(add_remove={_shortest(self.add_remove)!r}, replace={_shortest(self.replace)!r})"


def _cells(name: str, changes: object) -> tuple[float, ...]:
    """The changes as floats, one for each cell that changes."""
    given = tuple(changes) if isinstance(changes, Sequence) and not isinstance(changes, str) else (changes,)
    cells = tuple(finite_nonnegative(name, change, _CHANGES) for change in given)
    if _total(cells) > Fraction(sys.float_info.max):
        raise InvalidInput(name, "must have a sum that fits a double", changes, _CHANGES)
    return tuple(cell for cell in cells if cell > 0.0)


def _total(changes: tuple[float, ...]) -> Fraction:
    """The sum without rounding."""
    return sum((Fraction(change) for change in changes), start=Fraction(0))


def _shortest(cells: tuple[float, ...]) -> float | tuple[float, ...]:
    """A number if at most one cell changes, else the tuple."""
    return cells if len(cells) > 1 else math.fsum(cells)


@dataclass(frozen=True)
class Parameter:
    """The number by which a guarantee or a mechanism is stated, and what a reader and a search must know of it.

    Attributes:
        name: as the class is built with, such as "sigma".
        word: the name of the kind in options, files and forms, such as "gaussian".
        symbol: what stands for the number in a help text, such as "SIGMA".
        meaning: what the number says, in a sentence.
        rising: whether a larger number tells more.
        bounded: whether the losses have a bound that always holds.
        steady: whether a requirement that one number meets is met by every number that reveals less.
        reach: how far a search for the number looks.
        beside: other parameters that the kind is stated with, such as delta.
        keeps: of noise: by the word of a guarantee, the number with which one count keeps that guarantee to the full.
    """

    name: str
    word: str
    symbol: str
    meaning: str
    rising: bool
    bounded: bool
    steady: bool = True
    reach: float = REACH
    beside: tuple[str, ...] = ()
    keeps: tuple[tuple[str, Callable[[float], float]], ...] = field(default=(), compare=False)

    @property
    def option(self) -> str:
        """The word as an option has it, with hyphens."""
        return self.word.replace("_", "-")

    @property
    def kind(self) -> str:
        """The word for the kind itself, with all that it is stated by, such as "epsilon-delta"."""
        return "-".join((self.option, *self.beside))


class Knowledge(Enum):
    """What the adversary takes for granted about the other people in the data; the value is a sentence that says it.

    That the others depend on this person, as a twin or a copy of the record would, is not covered by either: no promise
    about one record bounds what copies of it tell. Say how many depend on each other, with a block: then both are about
    the people outside of it.
    """

    ANY_BELIEF = (
        "The adversary may believe anything about the other people, also that their data depend on each other, but not "
        "that these depend on this person."
    )
    EVERYONE_ELSE = "The adversary knows the records of everyone else."

    @classmethod
    def checked(cls, knows: object) -> Knowledge:
        """What the adversary knows, if it is one of Knowledge; else an error that says which there are."""
        if isinstance(knows, cls):
            return knows
        way_out = f"Use one of {list(cls)}; if others may depend on this person, say how many, with a block."
        raise InvalidInput("knows", "must be one of Knowledge", knows, way_out)

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Knowledge.{self.name}"


class When(Enum):
    """At which moment a bound on beliefs is to hold; the value is a sentence that says it."""

    END = "The bound is about what is believed after the last release."
    EVER = "The bound holds at every moment: also between the releases, and if somebody stops where it suits them."

    @classmethod
    def checked(cls, when: object) -> When:
        """The moment, if it is one of When; else an error that says which there are."""
        if isinstance(when, cls):
            return when
        raise InvalidInput("when", "must be one of When", when, f"Use one of {list(cls)}.")

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"When.{self.name}"


@dataclass(frozen=True, init=False, repr=False)
class Adversary:
    """Somebody with a belief about one person, held before the release, and with some knowledge of the others.

    The belief is `inclusion`, the probability that the person is in the data, and `value`, the probability that their
    record has the sensitive value, given that it is in the data. A `prior` alone is the belief about a single fact that
    the record decides, such as membership: it stands for that inclusion and a value of 1. They look at all that came
    out after the last release, or `when` says that they watch at every moment. A `block` of k people, this one among
    them, may depend on each other in any way, such as a household; those outside of it depend on nobody in it. If they
    guess something about the record, such as a year of birth or a name, `baseline` is the probability with which their
    best guess is right without the release.

    >>> Adversary(inclusion=0.05, value=0.1)
    Adversary(inclusion=0.05, value=0.1, knows=Knowledge.ANY_BELIEF)
    >>> Adversary(prior=0.5) == Adversary(inclusion=0.5, value=1.0)
    True
    """

    inclusion: float
    value: float
    knows: Knowledge
    when: When
    block: int
    baseline: float | None

    @overload
    def __init__(
        self, *, prior: float, knows: Knowledge = ..., when: When = ..., block: int = ..., baseline: float | None = ...
    ) -> None: ...

    @overload
    def __init__(
        self,
        *,
        inclusion: float,
        value: float,
        knows: Knowledge = ...,
        when: When = ...,
        block: int = ...,
        baseline: float | None = ...,
    ) -> None: ...

    def __init__(
        self,
        *,
        prior: float | None = None,
        inclusion: float | None = None,
        value: float | None = None,
        knows: Knowledge = Knowledge.ANY_BELIEF,
        when: When = When.END,
        block: int = 1,
        baseline: float | None = None,
    ) -> None:
        Knowledge.checked(knows)
        for name, belief in zip(("inclusion", "value"), _belief(prior, inclusion, value), strict=True):
            object.__setattr__(self, name, belief)
        object.__setattr__(self, "knows", knows)
        object.__setattr__(self, "when", When.checked(when))
        object.__setattr__(self, "block", block_size(block))
        given = None if baseline is None else probability("baseline", baseline, BASELINE_WAY_OUT)
        object.__setattr__(self, "baseline", given)

    def __repr__(self) -> str:
        """The expression that builds the adversary; what goes without saying is left out."""
        return f"Adversary({', '.join(f'{name}={value!r}' for name, value in self._said().items())})"

    def to_dict(self) -> dict[str, float | str]:
        """The adversary as a plain tree; what goes without saying is left out."""
        return {name: value.name if isinstance(value, Enum) else value for name, value in self._said().items()}

    def _said(self) -> dict[str, float | Knowledge | When]:
        """The fields; that they look at the end, a block of one, and that they guess nothing, go without saying."""
        said: dict[str, float | Knowledge | When] = {"inclusion": self.inclusion, "value": self.value}
        said |= {"knows": self.knows}
        said |= {"when": self.when} if self.when is When.EVER else {}
        said |= {"block": self.block} if self.block > 1 else {}
        return said if self.baseline is None else {**said, "baseline": self.baseline}

    @property
    def prior(self) -> float:
        """The probability that the person is in the data with the sensitive value."""
        return self.inclusion * self.value


def _belief(prior: float | None, inclusion: float | None, value: float | None) -> tuple[float, float]:
    """The two probabilities of the normal form."""
    if prior is not None and inclusion is None and value is None:
        return probability("prior", prior, "Use a number such as 0.5."), 1.0
    if prior is None and inclusion is not None and value is not None:
        way_out = "Use a number such as 0.1."
        return probability("inclusion", inclusion, way_out), probability("value", value, way_out)
    given = {"prior": prior, "inclusion": inclusion, "value": value}
    names = " and ".join(name for name, number in given.items() if number is not None)
    rule = "must have either a prior, or an inclusion and a value"
    way_out = "Give a prior alone, or inclusion and value together."
    raise Incompatible("an adversary", rule, names or "none of them", way_out)


def block_size(people: object) -> int:
    """How many people may depend on each other, the one in question among them: a whole number of at least 1."""
    return count("block", people, _BLOCK)


def one_failure(failure: object) -> float:
    """The chance with which a statement may be false, from 0 to below 1."""
    require_something_said(chance := probability("failure", failure, FAILURE_WAY_OUT))
    return chance


def require_something_said(failure: ArrayLike) -> None:
    """Refuse the chance of a statement that may be false for sure."""
    said = bool(np.all(failures(failure) != 1.0))
    require(said, name="failure", rule=SAYS_NOTHING, value=failure, way_out=FAILURE_WAY_OUT)


def failures(failure: ArrayLike) -> NDArray[np.float64]:
    """The chances with which statements may be false, 0 and 1 included."""
    return unmasked_probabilities("failure", failure, FAILURE_WAY_OUT)


def one_or_two(sides: object) -> int:
    """The number of sides: 1 for rises of a belief alone, 2 for falls as well."""
    if not isinstance(sides, bool) and isinstance(sides, Integral) and sides in (1, 2):
        return int(sides)
    raise InvalidInput("sides", "must be 1 or 2", sides, "Use 2 to bound falls as well.")
