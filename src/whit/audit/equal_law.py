"""The same law for every cell of a table that is counted by itself: a prior that one word and one number name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from whit.audit.prior import GeometricCounts, Poisson, Prior
from whit.audit.publication import Cell, Equation, Publication
from whit.errors import require
from whit.worlds import Number, rational


def counted_cells(publication: Publication) -> tuple[Cell, ...]:
    """The cells that no equation has for its total, in their order.

    >>> from whit.audit import two_way
    >>> counted_cells(two_way([[None, None]], rows=[3], columns=[1, 2]))
    (('1', '1'), ('1', '2'))
    """
    totals = {total for each in publication.equations for total in _total(each)}
    return tuple(cell for cell in publication.cells if cell not in totals)


def _total(equation: Equation) -> list[Cell]:
    """The one cell whose sign differs from that of all others; of two cells the one that is added."""
    if equation.right:
        return []
    for sign in (1, -1):
        own = [cell for cell, times in equation.terms.items() if times * sign > 0]
        if len(own) == 1 < len(equation.terms):
            return own
    return []


class EqualLaw(ABC):
    """A law that every cell that is counted by itself has, independently of the others."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What somebody believed beforehand, as a clause."""

    @abstractmethod
    def on(self, publication: Publication) -> Prior:
        """The prior about the cells of a publication."""


@dataclass(frozen=True)
class EqualPoisson(EqualLaw):
    """Every cell has a Poisson law with the same mean; given their total, people are put into cells at random.

    >>> EqualPoisson(3).words
    'cells had independent Poisson laws with mean 3'
    """

    mean: Fraction

    def __init__(self, mean: Number) -> None:
        found = rational("mean", mean, "Use a mean such as 3.")
        require(found > 0, name="mean", rule="must be above 0", value=mean, way_out="Use a mean such as 3.")
        object.__setattr__(self, "mean", found)

    @property
    def words(self) -> str:
        """With its mean."""
        return f"cells had independent Poisson laws with mean {float(self.mean):g}"

    def on(self, publication: Publication) -> Poisson:
        """The prior."""
        return Poisson(dict.fromkeys(counted_cells(publication), self.mean))


@dataclass(frozen=True)
class EqualGeometric(EqualLaw):
    """Every cell has a geometric law: each value is by the same ratio less likely than the one before.

    >>> EqualGeometric(0.5).words
    'cells had independent geometric laws with ratio 0.5'
    """

    ratio: Fraction

    def __init__(self, ratio: Number) -> None:
        found = rational("ratio", ratio, "Use a ratio such as 0.5.")
        fits, rule = 0 < found < 1, "must be above 0 and below 1"
        require(fits, name="ratio", rule=rule, value=ratio, way_out="Use a ratio such as 0.5.")
        object.__setattr__(self, "ratio", found)

    @property
    def words(self) -> str:
        """With its ratio."""
        return f"cells had independent geometric laws with ratio {float(self.ratio):g}"

    def on(self, publication: Publication) -> GeometricCounts:
        """The prior."""
        return GeometricCounts(dict.fromkeys(counted_cells(publication), self.ratio))
