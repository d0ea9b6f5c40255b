"""Limits on what is left for a cell: the fewest values, the least width, the largest belief."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from whit.audit import EVERY_TABLE, Cell, Left, Poisson, Possible, Prior, believed, posterior_within, whole
from whit.errors import InvalidInput, require
from whit.worlds import Number, probability, rational

_WHOLE = "Use a whole number such as 3."


class CellLimit(ABC):
    """What must be left for a cell."""

    @property
    @abstractmethod
    def required(self) -> str:
        """What must be left, in words; no value of a withheld cell is in them."""

    @abstractmethod
    def is_kept(self, found: Left, cell: Cell) -> bool:
        """Whether so much is left for the cell."""


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

    def is_kept(self, found: Left, cell: Cell) -> bool:
        """Whether so many values are in some table that is left; they are looked for one by one, from both ends."""
        interval = found.interval(cell)
        if interval.least is None or interval.most is None:
            return True
        if interval.most - interval.least + 1 < self.number:
            return False
        seen = len({interval.least, interval.most})
        for value in range(interval.least + 1, interval.most):
            if seen >= self.number:
                break
            seen += isinstance(found.allows(cell, value), Possible)
        return seen >= self.number


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

    def is_kept(self, found: Left, cell: Cell) -> bool:
        """Whether the interval is so wide; one without an end is."""
        interval = found.interval(cell)
        return interval.least is None or interval.most is None or interval.most - interval.least >= self.width


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

    def is_kept(self, found: Left, cell: Cell) -> bool:
        """Whether the interval is so wide; that of a cell that is known to be 0 is not."""
        interval = found.interval(cell)
        if interval.least is None or interval.most is None:
            return True
        size = max(abs(interval.least), abs(interval.most))
        return not interval.determined and (interval.most - interval.least) * 100 >= self.percent * size


@dataclass(frozen=True)
class BeliefLeft(CellLimit):
    """No single value has a larger posterior probability than this, for somebody with a named prior.

    largest   the largest posterior probability
    prior     the named prior; every table that is left equally likely if none is given
    within    a factor: the limit then holds for every prior within it of the named one
    """

    largest: Fraction
    prior: Prior
    within: Fraction

    def __init__(self, largest: Number, *, prior: Prior = EVERY_TABLE, within: Number = 1) -> None:
        found = probability("posterior", largest, "Use a probability such as 0.5.")
        if not 0 < found < 1:
            raise InvalidInput("posterior", "must be in (0, 1)", largest, "Use a probability such as 0.5.")
        object.__setattr__(self, "largest", found)
        object.__setattr__(self, "prior", prior)
        object.__setattr__(self, "within", rational("within", within, "Use a factor such as 2."))

    @property
    def required(self) -> str:
        """The probability, and whose it is."""
        near = f", or by any prior within a factor {float(self.within):g} of this" if self.within != 1 else ""
        return f"a posterior of at most {float(self.largest):.4g} for any value, if {_words(self.prior)}{near}"

    def is_kept(self, found: Left, cell: Cell) -> bool:
        """Whether the most probable value has at most this probability."""
        chance = max(believed(found, self.prior).law(cell).values())
        if self.within == 1:
            return chance <= self.largest
        return Fraction(float(posterior_within(chance, self.within))) <= self.largest


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

    def is_kept(self, found: Left, cell: Cell) -> bool:
        """Whether what is left reaches so far."""
        interval = found.interval(cell)
        low = interval.least is None or interval.least <= self.value - self.below
        high = interval.most is None or interval.most >= self.value + self.above
        endless = interval.least is None or interval.most is None
        return low and high and (endless or interval.most - interval.least >= self.sliding)  # type: ignore[operator]
