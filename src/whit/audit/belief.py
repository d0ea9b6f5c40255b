"""What somebody believes about what is left, given a named prior: exactly, by weighing every table that is left."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from whit.audit.classes import POSTERIOR, posterior_within
from whit.audit.component import Component
from whit.audit.counting import finite, weighted_number
from whit.audit.prior import Prior
from whit.audit.propagation import propagated
from whit.audit.publication import Cell, cell_text
from whit.audit.remaining import Left
from whit.errors import InvalidInput, NotImplied, TooCostly, require_kind
from whit.theory import Direction, Finding
from whit.worlds import Number, finding, probability

MOST_VALUES = 10_000
"""The most values of one cell that are weighed one by one."""

_DECIDE = "Give every cell that is counted by itself, and no total of them."


class Belief:
    """The belief of somebody with a named prior, after everything that was published; made by `believed`."""

    def __init__(self, found: Left, prior: Prior) -> None:
        require_kind(Prior, prior, name="prior", way_out="Use EVERY_TABLE, or Poisson with a mean for each cell.")
        self.found = found
        self.prior = prior
        _require_decided(found, prior)
        self._laws: dict[Cell, Mapping[int, Fraction]] = {}

    def law(self, cell: Cell) -> Mapping[int, Fraction]:
        """The posterior probability of every value of a cell that is left."""
        if cell not in self._laws:
            self._laws[cell] = self._weighed(cell)
        return self._laws[cell]

    def posterior(self, cell: Cell, values: int | Collection[int], *, within: Number = 1) -> Finding:
        """The posterior probability that a cell has one of some values.

        cell     which
        values   one value, or several
        within   a factor: the bound then holds for every prior whose density is within this factor of the named one
        """
        asked = {values} if isinstance(values, int) else set(values)
        chance = sum((each for value, each in self.law(cell).items() if value in asked), start=Fraction(0))
        if within != 1:
            return posterior_within(chance, within)
        inputs = {"cell": cell_text(cell), "values": sorted(asked), "prior": type(self.prior).__name__}
        return finding(POSTERIOR, chance, Direction.EXACTLY, inputs, "belief-in-what-is-left")

    def posterior_from(self, prior: Number, cell: Cell, value: int, *, within: Number = 1) -> Finding:
        """The posterior probability of a value, of somebody who gave it another prior than the named one does.

        Otherwise they believe what the named prior says: given that the cell has the value, and given that it has not.

        prior    the probability that they gave the value
        cell     which
        value    the value
        within   as in `posterior`
        """
        found = self.most_from(prior, cell, value)
        if within != 1:
            return posterior_within(found, within)
        low, high = self.prior.chance(cell, value)
        inputs = {"cell": cell_text(cell), "value": value, "prior": prior, "law": type(self.prior).__name__}
        direction = Direction.EXACTLY if low == high else Direction.AT_MOST
        return finding(POSTERIOR, found, direction, inputs, "belief-in-what-is-left")

    def most_from(self, prior: Number, cell: Cell, value: int) -> Fraction:
        """The same as a fraction; at most this, where the named prior is known by bounds."""
        own = probability("prior", prior, "Use the probability of the value before the publication, such as 1/10.")
        low, _ = self.prior.chance(cell, value)
        return _moved(own, self.law(cell).get(value, Fraction(0)), low)

    def _weighed(self, cell: Cell) -> Mapping[int, Fraction]:
        component = self.found.component_of(cell)
        if component is None:
            return {self.found.table[cell]: Fraction(1)}
        place = component.cells.index(cell)
        limits = _limits(component)
        low, high = limits[place]
        if high - low >= MOST_VALUES:
            rule, way_out = f"must have at most {MOST_VALUES} values to be weighed", "Ask for the interval."
            raise TooCostly(f"the belief about {cell_text(cell)}", rule, high - low + 1, way_out)
        each = {value: self._weight(component, place, value, limits) for value in range(low, high + 1)}
        return _shares(cell, each)

    def _weight(self, component: Component, place: int, value: int, limits: tuple[tuple[int, int], ...]) -> Fraction:
        """The weight of all tables in which the cell has the value."""
        fixed = (*limits[:place], (value, value), *limits[place + 1 :])
        return weighted_number(component, fixed, lambda at, each: self.prior.weight(component.cells[at], each))


def believed(found: Left, prior: Prior) -> Belief:
    """What somebody with this prior believes about what is left.

    >>> from whit.audit import EVERY_TABLE, left, two_way
    >>> table = two_way([[None, None], [None, None]], rows=[3, 7], columns=[4, 6])
    >>> print(believed(left(table), EVERY_TABLE).posterior(("1", "1"), 3))
    posterior probability is exactly 25 %
    """
    return Belief(found, prior)


def _moved(own: Fraction, after: Fraction, before: Fraction) -> Fraction:
    """The posterior from an own prior, by the factor with which the publication moved the odds of the named one."""
    if own in (0, 1) or after in (0, 1):
        return own if own in (0, 1) else after
    told = own * after * (1 - before)
    return told / (told + (1 - own) * (1 - after) * before)


def _limits(component: Component) -> tuple[tuple[int, int], ...]:
    ends = propagated(component)
    assert ends is not None  # a publication that contradicts itself was refused
    return tuple(finite(component, place, each) for place, each in enumerate(ends))


def _shares(cell: Cell, weights: Mapping[int, Fraction]) -> Mapping[int, Fraction]:
    total = sum(weights.values(), start=Fraction(0))
    if total == 0:
        way_out = "Use a prior that gives some table that is left a positive weight."
        raise NotImplied(f"the belief about {cell_text(cell)}", "is not defined: the prior rules out", "0/0", way_out)
    return {value: each / total for value, each in weights.items() if each}


def _require_decided(found: Left, prior: Prior) -> None:
    """Refuse a prior about cells that leave others open: nothing would say how likely those are."""
    if prior.cells is None:
        return
    unknown = [cell for cell in prior.cells if cell not in found.system.ends]
    if unknown:
        found.system.known(unknown[0])  # says which cells there are
    for component in found.components:
        others = [place for place, cell in enumerate(component.cells) if cell not in prior.cells]
        if not _are_decided(component, others):
            named = ", ".join(cell_text(component.cells[place]) for place in others[:5])
            raise InvalidInput("prior", "must decide all cells by those it is about", f"leaves open {named}", _DECIDE)


def _are_decided(component: Component, places: list[int]) -> bool:
    """Whether the equations decide the cells at these places once all others are known: by their rank."""
    rows = [[Fraction(terms.get(place, 0)) for place in places] for terms in component.terms]
    for column in range(len(places)):
        pivot = next((at for at in range(column, len(rows)) if rows[at][column]), None)
        if pivot is None:
            return False
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for at in range(column + 1, len(rows)):
            if rows[at][column]:
                times = rows[at][column] / rows[column][column]
                rows[at] = [own - times * first for own, first in zip(rows[at], rows[column], strict=True)]
    return True
