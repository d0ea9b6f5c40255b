"""Priors over the tables that are possible: each gives the cells independent weights, which need not add up to 1.

A belief about what is left needs a prior, and the prior has a name. The weights are fractions, so that nothing is
rounded. A constant factor of all weights does not matter.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from whit.audit.publication import Cell, cell_of, cell_text
from whit.errors import NotImplied, require
from whit.worlds import Number, rational

_NO_CHANCE = "must give each of its values a probability before the publication"
_PROPER = "Name a law of the cells that are counted by themselves, such as poisson 3 or geometric 0.5."

STEP = 512
"""Powers of e are taken in steps of this size, which a double holds."""

SLACK = Fraction(1, 2**43)
"""The power of e by a double is within this share of the true one: rounding its exponent costs half of it at most."""


class Prior(ABC):
    """What somebody believes about the cells before the publication, as weights of the values of each cell."""

    @property
    @abstractmethod
    def cells(self) -> frozenset[Cell] | None:
        """The cells with weights of their own, which must decide all others; None where every table weighs the same."""

    @abstractmethod
    def weight(self, cell: Cell, value: int) -> Fraction:
        """The weight of a value of a cell; 1 of a cell without weights of its own."""

    def chance(self, cell: Cell, value: int) -> tuple[Fraction, Fraction]:
        """Both bounds on the probability, before the publication, that a cell has a value.

        Refused where the weights of a cell have no sum, or the cell has none of its own.
        """
        raise NotImplied(f"the prior of {cell_text(cell)}", _NO_CHANCE, type(self).__name__, _PROPER)

    def after(self, cell: Cell, likelihood: Mapping[int, Number]) -> Seen:
        """This prior, after a noisy release about one cell was seen.

        likelihood   the probability of what was seen, for each value of the cell; 0 for values that are not named

        >>> EVERY_TABLE.after("a", {0: 0.25, 1: 0.5}).weight("a", 1)
        Fraction(1, 2)
        """
        return Seen(self, cell, likelihood)


@dataclass(frozen=True)
class EveryTable(Prior):
    """Every table that is possible has the same weight.

    Geometric counts with a common parameter and a known total lead to the same belief.
    """

    cells = None

    def weight(self, cell: Cell, value: int) -> Fraction:
        """One."""
        return Fraction(1)


EVERY_TABLE = EveryTable()
"""Every table that is possible has the same weight."""


@dataclass(frozen=True)
class Poisson(Prior):
    """Independent Poisson counts.

    means   of each cell that is counted by itself; totals of them are left out

    With a known total only the ratios of the means matter: people are put into the cells one by one, with
    probabilities in these ratios. Equal means put them there at random.

    >>> Poisson({"a": 1, "b": 2}).weight("b", 3)
    Fraction(4, 3)
    """

    means: Mapping[Cell, Number]

    def __post_init__(self) -> None:
        _keep_parameters(self, "means", "mean", largest=None)

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells with a mean."""
        return frozenset(self.means)

    def weight(self, cell: Cell, value: int) -> Fraction:
        """The mean to the power of the value, divided by its factorial."""
        if cell not in self.means:
            return Fraction(1)
        return Fraction(self.means[cell]) ** value / math.factorial(value) if value >= 0 else Fraction(0)

    def chance(self, cell: Cell, value: int) -> tuple[Fraction, Fraction]:
        """Both bounds on the Poisson probability.

        >>> [round(float(each), 4) for each in Poisson({"a": 2}).chance("a", 1)]
        [0.2707, 0.2707]
        """
        if cell not in self.means:
            return super().chance(cell, value)
        low, high = _decay(Fraction(self.means[cell]))
        return low * self.weight(cell, value), high * self.weight(cell, value)

    def __hash__(self) -> int:
        """That of its means."""
        return hash(frozenset(self.means.items()))


@dataclass(frozen=True)
class GeometricCounts(Prior):
    """Independent geometric counts: each value is by the ratio of its cell less likely than the one before.

    >>> GeometricCounts({"a": 0.5}).weight("a", 3)
    Fraction(1, 8)
    """

    ratios: Mapping[Cell, Number]

    def __post_init__(self) -> None:
        _keep_parameters(self, "ratios", "ratio", largest=1)

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells with a ratio."""
        return frozenset(self.ratios)

    def weight(self, cell: Cell, value: int) -> Fraction:
        """The ratio to the power of the value."""
        if cell not in self.ratios:
            return Fraction(1)
        return Fraction(self.ratios[cell]) ** value if value >= 0 else Fraction(0)

    def chance(self, cell: Cell, value: int) -> tuple[Fraction, Fraction]:
        """The geometric probability, exactly."""
        if cell not in self.ratios:
            return super().chance(cell, value)
        exact = (1 - Fraction(self.ratios[cell])) * self.weight(cell, value)
        return exact, exact

    def __hash__(self) -> int:
        """That of its ratios."""
        return hash(frozenset(self.ratios.items()))


@dataclass(frozen=True)
class Seen(Prior):
    """A prior after a noisy release about one cell; made by `Prior.after`."""

    prior: Prior
    cell: Cell
    likelihood: Mapping[int, Number]

    def __post_init__(self) -> None:
        way_out = "Give the probability of what was seen for each value, such as {0: 0.25, 1: 0.5}."
        clean = {value: rational("likelihood", each, way_out) for value, each in self.likelihood.items()}
        positive = all(each >= 0 for each in clean.values()) and any(clean.values())
        rule = "must be 0 or more, and above 0 for some value"
        require(positive, name="likelihood", rule=rule, value=dict(self.likelihood), way_out=way_out)
        object.__setattr__(self, "cell", cell_of(self.cell))
        object.__setattr__(self, "likelihood", MappingProxyType(clean))

    @property
    def cells(self) -> frozenset[Cell] | None:
        """Those of the prior: a likelihood decides no cell."""
        return self.prior.cells

    def weight(self, cell: Cell, value: int) -> Fraction:
        """The weight of the prior times the likelihood."""
        seen = Fraction(self.likelihood.get(value, 0)) if cell == self.cell else Fraction(1)
        return self.prior.weight(cell, value) * seen

    def __hash__(self) -> int:
        """That of its parts."""
        return hash((self.prior, self.cell, frozenset(self.likelihood.items())))


def _decay(mean: Fraction) -> tuple[Fraction, Fraction]:
    """Both bounds on e to the power of minus the mean."""
    steps, rest = divmod(mean, STEP)
    ends = []
    for share in (1 - SLACK, 1 + SLACK):
        whole, part = (Fraction(math.exp(-each)) * share for each in (STEP, float(rest)))
        ends.append(whole**steps * part)
    return ends[0], ends[1]


def _keep_parameters(prior: Prior, name: str, word: str, *, largest: int | None) -> None:
    """Keep a positive number for each cell."""
    way_out = f"Give a {word} for each cell that is counted by itself, such as {{'a': {'1/2' if largest else 2}}}."
    given: Mapping[Cell, Number] = getattr(prior, name)
    clean = {cell_of(cell): rational(f"the {word} of {cell_text(cell)}", each, way_out) for cell, each in given.items()}
    rule = f"must be above 0{'' if largest is None else f' and below {largest}'}"
    for cell, each in clean.items():
        fits = each > 0 and (largest is None or each < largest)
        require(fits, name=f"the {word} of {cell_text(cell)}", rule=rule, value=each, way_out=way_out)
    require(bool(clean), name=name, rule="must have at least one cell", value=given, way_out=way_out)
    object.__setattr__(prior, name, MappingProxyType(clean))
