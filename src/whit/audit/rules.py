"""The rules by which offices call a cell unsafe, each as what it is.

A rule is either what one adversary concludes for certain, or a proxy. A proxy has a counter-example: a cell that it
passes although somebody learns a contribution closely.

threshold           a count below it is withheld; who reads that knows the range of the count
minimum frequency   fewer contributors than that are unsafe; against coalitions of contributors, about exact values
p %                 the second largest contributor estimates the largest one to within p %
(n, k) dominance    the n largest contribute more than k % of the total; a proxy
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from whit.audit.knowledge import OUTSIDER, Knowledge
from whit.audit.publication import Publication, adds_up
from whit.audit.statement import Between, Exact, Suppressed, whole
from whit.errors import InvalidInput, require
from whit.worlds import Number, rational

TOTAL = "total"


@dataclass(frozen=True)
class TotalRead:
    """A total that one adversary reads.

    publication   the total as the sum of its contributors, who are called "1", "2" and so on, the largest first
    knowledge     what the adversary knows: contributions are 0 or more, and their own
    target        whose contribution they want
    """

    publication: Publication
    knowledge: Knowledge
    target: str


class SafetyRule(ABC):
    """A rule that calls the total of some contributions safe or not."""

    @property
    @abstractmethod
    def means(self) -> str:
        """What the rule is, in one sentence: whose certain knowledge it is, or a proxy."""

    @abstractmethod
    def passes(self, contributions: Sequence[int]) -> bool:
        """Whether the rule calls the total of the contributions safe."""

    @property
    def counter_example(self) -> tuple[int, ...]:
        """Contributions that the rule passes, though the second contributor knows the largest to within 1 %."""
        return ()


@dataclass(frozen=True)
class PPercent(SafetyRule):
    """Unsafe if the second largest contributor can estimate the largest contribution to within p %.

    >>> PPercent(10).passes((70, 20, 7, 3)), PPercent(15).passes((70, 20, 7, 3))
    (True, False)
    """

    percent: Fraction

    def __init__(self, percent: Number) -> None:
        object.__setattr__(self, "percent", positive("percent", percent))

    @property
    def means(self) -> str:
        """Certain knowledge of one adversary."""
        return (
            f"The second largest contributor, who knows its own value and that others are 0 or more, has an upper "
            f"bound for the largest contribution that is less than {number_text(self.percent)} % too high."
        )

    def passes(self, contributions: Sequence[int]) -> bool:
        """Whether all but the two largest together are at least p % of the largest."""
        largest, _, *others = (*largest_first(contributions), 0, 0)
        return sum(others) * 100 >= self.percent * largest

    def seen(self, contributions: Sequence[int]) -> TotalRead:
        """The total as the second largest contributor reads it, who wants the largest contribution."""
        return as_read(contributions, reader=2)


@dataclass(frozen=True)
class Dominance(SafetyRule):
    """Unsafe if the n largest contributors have more than k % of the total: a proxy.

    >>> Dominance(1, 75).passes((70, 20, 7, 3)), Dominance(2, 85).passes((70, 20, 7, 3))
    (True, False)
    """

    largest: int
    percent: Fraction

    def __init__(self, largest: int, percent: Number) -> None:
        object.__setattr__(self, "largest", at_least(1, "largest", largest))
        object.__setattr__(self, "percent", positive("percent", percent))
        require(self.percent < 100, name="percent", rule="must be below 100", value=percent, way_out="Use 75 or 85.")

    @property
    def means(self) -> str:
        """A proxy."""
        return (
            f"The {self.largest} largest contributors have more than {number_text(self.percent)} % of the total. "
            f"This is a proxy: it names no adversary, and the second largest may know the largest closely or not."
        )

    def passes(self, contributions: Sequence[int]) -> bool:
        """Whether the n largest have at most k % of the total."""
        ordered = largest_first(contributions)
        return sum(ordered[: self.largest]) * 100 <= self.percent * sum(ordered)

    @property
    def counter_example(self) -> tuple[int, ...]:
        """Two contributors of nearly the same size, for one largest; nothing for two or more.

        With n = 1 and k of at least 50 two equal contributors pass, and each knows the other exactly. Where the rule
        looks at two or more contributors, or at less than half, the others have a share that the second cannot know.
        """
        return (100, 100) if self.largest == 1 and self.percent >= 50 else ()


@dataclass(frozen=True)
class MinimumFrequency(SafetyRule):
    """Unsafe if there are fewer contributors than so many.

    >>> MinimumFrequency(3).passes((98, 1)), MinimumFrequency(3).passes((998, 1, 1))
    (False, True)
    """

    number: int

    def __init__(self, number: int) -> None:
        object.__setattr__(self, "number", at_least(2, "number", number))

    @property
    def means(self) -> str:
        """Certain knowledge of coalitions, and a proxy for estimates."""
        return (
            f"Contributors who pool what they know learn another contribution exactly only if they are "
            f"{self.number - 1} or more. This is a proxy for estimates: one contributor may know another closely."
        )

    def passes(self, contributions: Sequence[int]) -> bool:
        """Whether there are so many contributors."""
        return len(largest_first(contributions)) >= self.number

    @property
    def counter_example(self) -> tuple[int, ...]:
        """A giant among dwarfs: there are enough contributors, and the second knows the giant to within 1 %."""
        return (100 * self.number, *([1] * (self.number - 1)))


@dataclass(frozen=True)
class Threshold(SafetyRule):
    """A count below the threshold is withheld, and a count of 0 is not: who reads that knows its range.

    >>> Threshold(5).tells
    Suppressed(tells=Between(low=1, high=4))
    """

    below: int

    def __init__(self, below: int) -> None:
        object.__setattr__(self, "below", at_least(2, "below", below))

    @property
    def means(self) -> str:
        """What everybody who knows the rule reads from a withheld cell."""
        return (
            f"Everybody who knows the rule knows that a withheld count is 1 to {self.below - 1}. It protects "
            f"nothing by itself: three whose published total is {3 * (self.below - 1)} are {self.below - 1} each."
        )

    @property
    def tells(self) -> Suppressed:
        """What a cell says that was withheld by it."""
        return Suppressed(Between(1, self.below - 1))

    def passes(self, contributions: Sequence[int]) -> bool:
        """Whether the count is published: nobody contributes, or enough people do."""
        number = len(largest_first(contributions))
        return number == 0 or number >= self.below


def as_read(contributions: Sequence[int], *, reader: int, target: int = 1) -> TotalRead:
    """A published total as one contributor reads it who wants to know another; the largest is number 1.

    >>> seen = as_read((70, 20, 7, 3), reader=2)
    >>> from whit.audit import left
    >>> print(left(seen.publication, seen.knowledge).interval(seen.target))
    1 is in 0 to 80
    """
    ordered = largest_first(contributions)
    names = [str(place) for place in range(1, len(ordered) + 1)]
    fits = {reader, target} <= set(range(1, len(ordered) + 1)) and reader != target
    rule, way_out = f"must be two of {len(ordered)} contributors", "Count them from 1 on, the largest first."
    require(fits, name="reader and target", rule=rule, value=(reader, target), way_out=way_out)
    publication = Publication([(TOTAL, Exact(sum(ordered)))], [adds_up(TOTAL, names)])
    return TotalRead(publication, OUTSIDER.knowing({str(reader): ordered[reader - 1]}), str(target))


def largest_first(contributions: Sequence[int]) -> list[int]:
    """The contributions, the largest first; each is whole and above 0."""
    found = [whole("a contribution", each) for each in contributions]
    wrong = [each for each in found if each <= 0]
    way_out = "Leave out who contributes nothing."
    require(not wrong, name="a contribution", rule="must be above 0", value=wrong, way_out=way_out)
    return sorted(found, reverse=True)


def at_least(least: int, name: str, value: int) -> int:
    """A whole number that is large enough."""
    found = whole(name, value)
    require(found >= least, name=name, rule=f"must be at least {least}", value=value, way_out=f"Use {least} or more.")
    return found


def positive(name: str, value: Number) -> Fraction:
    """An exact number above 0."""
    found = rational(name, value, "Use a percentage such as 10.")
    if found <= 0:
        raise InvalidInput(name, "must be above 0", value, "Use a percentage such as 10.")
    return found


def number_text(value: Fraction) -> str:
    """A number as sentences have it."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
