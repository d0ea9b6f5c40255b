"""Limits on what is left for a cell: the fewest values, the least width, the largest belief."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from whit.audit import (
    EVERY_TABLE,
    Belief,
    Cell,
    Ends,
    EqualLaw,
    Interval,
    Left,
    Poisson,
    Possible,
    Prior,
    believed,
    most_within,
    whole,
)
from whit.errors import InvalidInput, NotImplied, TooCostly, require
from whit.policy.verdict import Outcome
from whit.worlds import Number, probability, rational

_WHOLE = "Use a whole number such as 3."
_CHANCE = "Use a probability such as 0.5."


class CellLimit(ABC):
    """What must be left for a cell."""

    @property
    @abstractmethod
    def required(self) -> str:
        """What must be left, in words; no value of a withheld cell is in them."""

    @abstractmethod
    def outcome(self, found: Left, cell: Cell) -> Outcome:
        """Whether so much is left for the cell; OPEN where the search ended before it could prove either."""

    def is_kept(self, found: Left, cell: Cell) -> bool:
        """Whether so much is proved to be left for the cell."""
        return self.outcome(found, cell) is Outcome.KEPT


def _between(interval: Interval, enough: Callable[[Ends], bool]) -> Outcome:
    """KEPT if what tables attain is enough, BROKEN if what no table exceeds is not, OPEN between the two."""
    if enough((interval.least, interval.most)):
        return Outcome.KEPT
    return Outcome.OPEN if enough(interval.limits) else Outcome.BROKEN


def _width(ends: Ends) -> float:
    return math.inf if ends[0] is None or ends[1] is None else ends[1] - ends[0]


@dataclass(frozen=True)
class ValuesLeft(CellLimit):
    """At least so many values; holes between the ends do not count.

    >>> ValuesLeft(3).required
    'at least 3 values left'
    """

    number: int

    def __post_init__(self) -> None:
        fits = whole("values_left", self.number) >= 2
        require(
            fits, name="values_left", rule="must be a whole number of at least 2", value=self.number, way_out=_WHOLE
        )

    @property
    def required(self) -> str:
        """The number."""
        return f"at least {self.number} values left"

    def outcome(self, found: Left, cell: Cell) -> Outcome:
        """Whether so many values are in some table that is left; they are looked for one by one, from both ends."""
        interval = found.interval(cell)
        if interval.least is None or interval.most is None:
            return Outcome.KEPT
        if _width(interval.limits) + 1 < self.number:
            return Outcome.BROKEN
        try:
            seen = self._seen(found, cell, interval.least, interval.most)
        except TooCostly:
            return Outcome.OPEN
        if seen >= self.number:
            return Outcome.KEPT
        return Outcome.BROKEN if interval.is_exact else Outcome.OPEN

    def _seen(self, found: Left, cell: Cell, least: int, most: int) -> int:
        seen = len({least, most})
        for value in range(least + 1, most):
            if seen >= self.number:
                break
            seen += isinstance(found.allows(cell, value), Possible)
        return seen


@dataclass(frozen=True)
class WidthLeft(CellLimit):
    """The largest value left is at least so much above the least one.

    >>> WidthLeft(5).required
    'an interval of at least 5'
    """

    width: int

    def __post_init__(self) -> None:
        fits = whole("interval", self.width) >= 1
        require(fits, name="interval", rule="must be a whole number of at least 1", value=self.width, way_out=_WHOLE)

    @property
    def required(self) -> str:
        """The width."""
        return f"an interval of at least {self.width}"

    def outcome(self, found: Left, cell: Cell) -> Outcome:
        """Whether the interval is so wide; one without an end is."""
        return _between(found.interval(cell), lambda ends: _width(ends) >= self.width)


@dataclass(frozen=True)
class ShareLeft(CellLimit):
    """The largest value left is so many percent above the least one: nobody needs to know the value itself for this.

    >>> ShareLeft(10).required
    'an interval of at least 10 % of its largest value'
    """

    percent: Fraction

    def __init__(self, percent: Number) -> None:
        found = rational("interval", percent, "Use a percentage such as 10.")
        require(0 < found <= 100, name="interval", rule="must be in (0, 100] %", value=percent, way_out="Use 10.")
        object.__setattr__(self, "percent", found)

    @property
    def required(self) -> str:
        """The percentage."""
        return f"an interval of at least {float(self.percent):g} % of its largest value"

    def outcome(self, found: Left, cell: Cell) -> Outcome:
        """Whether the interval is so wide; that of a cell that is known to be 0 is not."""
        return _between(found.interval(cell), self._is_wide)

    def _is_wide(self, ends: Ends) -> bool:
        low, high = ends
        if low is None or high is None:
            return True
        return low < high and (high - low) * 100 >= self.percent * max(abs(low), abs(high))


@dataclass(frozen=True)
class BeliefLeft(CellLimit):
    """No single value has a larger posterior probability than this, for somebody with a named prior.

    largest   the largest posterior probability
    prior     the named prior, or one law for every cell; every table that is left equally likely if none is given
    within    a factor: the limit then holds for every prior within it of the named one
    between   a range of priors of the value: the limit then holds for whoever gave the value one of these, and else
              believed what the named prior says

    >>> print(BeliefLeft(0.5).required)
    a posterior of at most 0.5 for any value, if every table was equally likely
    """

    largest: Fraction
    prior: Prior | EqualLaw
    within: Fraction
    between: tuple[Fraction, Fraction] | None

    def __init__(
        self,
        largest: Number,
        *,
        prior: Prior | EqualLaw = EVERY_TABLE,
        within: Number = 1,
        between: tuple[Number, Number] | None = None,
    ) -> None:
        found = probability("posterior", largest, _CHANCE)
        if not 0 < found < 1:
            raise InvalidInput("posterior", "must be in (0, 1)", largest, _CHANCE)
        object.__setattr__(self, "largest", found)
        object.__setattr__(self, "prior", prior)
        object.__setattr__(self, "within", rational("within", within, "Use a factor such as 2."))
        object.__setattr__(self, "between", None if between is None else self._range(*between))

    def _range(self, low: Number, high: Number) -> tuple[Fraction, Fraction]:
        """The range, which must lie below the posterior that is accepted, and needs a law to be compared with."""
        ends = probability("prior", low, _CHANCE), probability("prior", high, _CHANCE)
        rule, way_out = "must be in rising order, above 0 and below the posterior", "Use a range such as 0.01..0.1."
        fits = 0 < ends[0] <= ends[1] < self.largest
        require(fits, name="prior", rule=rule, value=f"{float(ends[0]):g}..{float(ends[1]):g}", way_out=way_out)
        if isinstance(self.prior, Prior) and self.prior.cells is None:
            rule = (
                "needs a law of the cells, since a prior under which every table weighs the same gives no value a "
                "probability, and no bound holds for every prior"
            )
            way_out = 'Name a law, such as "geometric 0.5" or "poisson 3".'
            raise InvalidInput("prior", rule, "no law", way_out, parameter="prior")
        return ends

    @property
    def required(self) -> str:
        """The probability, and whose it is."""
        near = f", or by any prior within a factor {float(self.within):g} of this" if self.within != 1 else ""
        return f"a posterior of at most {float(self.largest):.4g} for any value{self._whose}, if {self.law}{near}"

    @property
    def _whose(self) -> str:
        if self.between is None:
            return ""
        low, high = (f"{float(each):g}" for each in self.between)
        return f", from a prior of {low}" if low == high else f", from every prior between {low} and {high}"

    @property
    def law(self) -> str:
        """What was believed beforehand, as a clause."""
        return self.prior.words if isinstance(self.prior, EqualLaw) else _words(self.prior)

    def outcome(self, found: Left, cell: Cell) -> Outcome:
        """Whether the most probable value has at most this probability; OPEN where too many tables are left."""
        prior = self.prior.on(found.publication) if isinstance(self.prior, EqualLaw) else self.prior
        try:
            largest = self._largest(believed(found, prior), cell)
        except (TooCostly, NotImplied):
            return Outcome.OPEN
        return Outcome.KEPT if largest <= self.largest else Outcome.BROKEN

    def _largest(self, belief: Belief, cell: Cell) -> Fraction:
        """The largest posterior of any value, at most; it rises with the prior, so the end of a range decides."""
        law = belief.law(cell)
        if self.between is None:
            return most_within(max(law.values()), self.within)
        return most_within(max(belief.most_from(self.between[1], cell, value) for value in law), self.within)


def _words(prior: Prior) -> str:
    if prior.cells is None:
        return "every table was equally likely"
    return "cells had independent Poisson laws" if isinstance(prior, Poisson) else "the named prior was believed"


@dataclass(frozen=True)
class LevelsLeft(CellLimit):
    """The levels that an office asks for around the true value, which is withheld and never printed.

    value     the true value
    below     how far below it the least value left must reach
    above     how far above it the largest value left must reach
    sliding   how wide the interval must be at least
    """

    value: int
    below: int
    above: int
    sliding: int = 0

    @property
    def required(self) -> str:
        """That the file asks for levels; they are often a share of the value, so their size is not said."""
        return "the protection levels of the file"

    def __repr__(self) -> str:
        return "LevelsLeft(withheld)"

    def outcome(self, found: Left, cell: Cell) -> Outcome:
        """Whether what is left reaches so far."""
        return _between(found.interval(cell), self._is_far)

    def _is_far(self, ends: Ends) -> bool:
        low, high = ends
        below = low is None or low <= self.value - self.below
        above = high is None or high >= self.value + self.above
        return below and above and _width(ends) >= self.sliding
