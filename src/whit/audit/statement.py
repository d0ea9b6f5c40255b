"""What an office says about the value of one cell: exact, rounded, a range, top-coded, a mean, or suppressed.

Every statement leaves the whole numbers between two ends, either of which may be missing. That set is the whole meaning
of a statement: whoever reads it knows that the value is in there, and by this statement alone nothing more.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import SupportsIndex, TypeAlias

from whit.errors import InvalidInput, require

Ends: TypeAlias = tuple[int | None, int | None]
"""The least and the largest value that is left; None where there is none."""


def whole(name: str, value: object) -> int:
    """The value as a whole number; any other is refused, since nothing here is ever rounded.

    >>> whole("value", 3)
    3
    """
    if type(value) is int:  # what nearly every value is; to ask by protocol costs ten times as much
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise InvalidInput(name, "must be a whole number", value, "Count in a unit in which every value is whole.")
    return operator.index(value)


def ordered(low: int | None, high: int | None) -> None:
    """Refuse two ends if the lower one is above the upper one."""
    fits = low is None or high is None or low <= high
    require(fits, name="low", rule="must be at most high", value=(low, high), way_out="Exchange the two.")


class Statement(ABC):
    """What is said about the value of a cell."""

    __slots__ = ()

    @property
    @abstractmethod
    def ends(self) -> Ends:
        """The least and the largest value that the statement leaves."""

    def leaves(self, value: int) -> bool:
        """Whether the value is one of those that the statement leaves.

        >>> Between(1, 4).leaves(4), Between(1, 4).leaves(5)
        (True, False)
        """
        low, high = self.ends
        return (low is None or low <= value) and (high is None or value <= high)


@dataclass(frozen=True, slots=True)
class Exact(Statement):
    """The value itself.

    >>> Exact(7).ends
    (7, 7)
    """

    value: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", whole("value", self.value))

    @property
    def ends(self) -> Ends:
        """The value, twice."""
        return self.value, self.value


@dataclass(frozen=True, slots=True)
class Between(Statement):
    """A range, both ends included; None where it has no end.

    >>> Between(5, 9).ends
    (5, 9)
    """

    low: int | None
    high: int | None

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            end = getattr(self, name)
            object.__setattr__(self, name, None if end is None else whole(name, end))
        ordered(self.low, self.high)

    @property
    def ends(self) -> Ends:
        """The ends of the range."""
        return self.low, self.high


class Halves(Enum):
    """Where a value goes that lies half way between two multiples of an even base."""

    UP = "up"
    DOWN = "down"
    EITHER = "either"

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Halves.{self.name}"


@dataclass(frozen=True, slots=True)
class Rounded(Statement):
    """The nearest multiple of a base.

    value    what is published, a multiple of the base
    base     such as 5
    halves   where halves go, for an even base; EITHER if nobody says

    >>> Rounded(50, 5).ends
    (48, 52)
    >>> Rounded(50, 10, halves=Halves.UP).ends
    (45, 54)
    """

    value: int
    base: int
    halves: Halves | None = None

    def __post_init__(self) -> None:
        multiple_of_base(self, self.value, self.base)
        said = self.base % 2 == 1 or isinstance(self.halves, Halves)
        way_out = "Use Halves.UP, Halves.DOWN, or Halves.EITHER if nobody says."
        require(said, name="halves", rule="must be given for an even base", value=self.halves, way_out=way_out)

    @property
    def ends(self) -> Ends:
        """All the values that are rounded to this one."""
        reach, even = divmod(self.base, 2)
        below = reach - (even == 0 and self.halves is Halves.DOWN)
        above = reach - (even == 0 and self.halves is Halves.UP)
        return self.value - below, self.value + above


@dataclass(frozen=True, slots=True)
class RoundedEitherWay(Statement):
    """One of the two multiples of a base beside the value, as in controlled and in random rounding; a multiple stays.

    By the published number alone, nothing is said about which of the two was taken, or how likely that was.

    >>> RoundedEitherWay(10, 5).ends
    (6, 14)
    """

    value: int
    base: int

    def __post_init__(self) -> None:
        multiple_of_base(self, self.value, self.base)

    @property
    def ends(self) -> Ends:
        """All the values that are less than the base away."""
        return self.value - self.base + 1, self.value + self.base - 1


@dataclass(frozen=True, slots=True)
class TopCoded(Statement):
    """This much or more.

    >>> TopCoded(100).ends
    (100, None)
    """

    top: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "top", whole("top", self.top))

    @property
    def ends(self) -> Ends:
        """From the top on."""
        return self.top, None


@dataclass(frozen=True, slots=True)
class Suppressed(Statement):
    """Withheld, and what the rule that withheld it tells; nothing if it is not given.

    A cell that was withheld because it is 1 to 4 tells that it is 1 to 4. A cell that was withheld to protect another
    tells nothing by itself.

    >>> Suppressed(Between(1, 4)).ends, Suppressed().ends
    ((1, 4), (None, None))
    """

    tells: Statement | None = None

    def __post_init__(self) -> None:
        known = self.tells is None or isinstance(self.tells, Statement)
        way_out = "Use a statement, such as Between(1, 4)."
        require(known, name="tells", rule="must be what the rule tells", value=self.tells, way_out=way_out)

    @property
    def ends(self) -> Ends:
        """What the rule tells."""
        return (None, None) if self.tells is None else self.tells.ends


@dataclass(frozen=True, slots=True)
class Mean(Statement):
    """The mean of so many values, as it is printed: a statement about the cell that is their sum.

    value    the digits as they are printed, such as "36.7"; as many decimals as it has are taken for kept
    number   how many values the mean is of

    A half may have gone either way.

    >>> Mean("36.7", 3).ends, Mean("44", 3).ends
    ((110, 110), (131, 133))
    """

    value: str
    number: int

    def __post_init__(self) -> None:
        printed_decimals(self.value)
        number = whole("number", self.number)
        require(number >= 1, name="number", rule="must be at least 1", value=number, way_out="Use how many values.")
        object.__setattr__(self, "number", number)

    @property
    def ends(self) -> Ends:
        """All the sums whose mean is printed like this."""
        decimals = printed_decimals(self.value)
        digits, size = int(self.value.replace(".", "")), 2 * 10**decimals
        return -((self.number * (1 - 2 * digits)) // size), self.number * (2 * digits + 1) // size


def printed_decimals(value: object) -> int:
    """How many decimals a printed number has; what is not written in digits is refused.

    >>> printed_decimals("36.7"), printed_decimals("44")
    (1, 0)
    """
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value, flags=re.ASCII):
        raise InvalidInput("a printed number", "must be a text of digits", value, 'Use "36.7" or "38.0".')
    return len(value.partition(".")[2])


def multiple_of_base(statement: object, value: int, base: int) -> None:
    """Keep a rounded value and its base as whole numbers that go together."""
    value, base = whole("value", value), whole("base", base)
    require(base >= 1, name="base", rule="must be at least 1", value=base, way_out="Use a base such as 5.")
    way_out = "Use the published multiple."
    fits = value % base == 0
    require(fits, name="value", rule=f"must be a multiple of the base {base}", value=value, way_out=way_out)
    object.__setattr__(statement, "value", value)
    object.__setattr__(statement, "base", base)
