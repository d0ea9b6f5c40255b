"""Everything that an adversary has in hand, as whole numbers between ends that satisfy equations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from whit.audit.knowledge import OUTSIDER, Knowledge
from whit.audit.publication import Cell, Equation, Publication, Said, cell_text
from whit.audit.statement import Ends
from whit.errors import unknown_name


@dataclass(frozen=True)
class System:
    """The ends of every cell, and the equations: what a certificate is checked against.

    A table is *left* if it has a whole number for every cell, within its ends, such that every equation holds.
    """

    ends: Mapping[Cell, Ends]
    equations: Mapping[str, Equation]

    @cached_property
    def valueless(self) -> tuple[Cell, ...]:
        """The cells whose ends leave no value, since statements about them exclude each other."""
        ends = self.ends.items()
        return tuple(cell for cell, (low, high) in ends if low is not None and high is not None and low > high)

    @cached_property
    def fixed(self) -> dict[Cell, int]:
        """The cells that have one value within their ends, and that value."""
        return {cell: low for cell, (low, high) in self.ends.items() if low is not None and low == high}

    def without_fixed(self) -> System:
        """The same, with every cell that has one value taken to the right sides of its equations."""
        fixed = self.fixed
        return System(self.ends, {name: solved_for(equation, fixed) for name, equation in self.equations.items()})

    def known(self, cell: Cell) -> Cell:
        """The cell, if the publication has it."""
        if cell in self.ends:
            return cell
        raise unknown_name("a cell", cell if isinstance(cell, str) else cell_text(cell), [*map(cell_text, self.ends)])


def solved_for(equation: Equation, fixed: Mapping[Cell, int]) -> Equation:
    """An equation between the cells that are not fixed."""
    right, terms = equation.right, {}
    for cell, times in equation.terms.items():
        if cell in fixed:
            right -= times * fixed[cell]
        else:
            terms[cell] = times
    return equation.reduced(terms, right)


def system_of(publication: Publication, knowledge: Knowledge = OUTSIDER) -> System:
    """A publication, read by somebody with this knowledge."""
    floor: Ends = (knowledge.least, None)
    cells = publication.cells
    ends = dict.fromkeys(cells, floor)
    for cell, statement in (*publication.statements, *about(knowledge.facts, ends)):
        ends[cell] = narrowed(ends[cell], statement.ends)
    return System(ends, {equation.name: equation for equation in publication.equations})


def about(facts: Iterable[Said], cells: Mapping[Cell, Ends]) -> Iterable[Said]:
    """The facts, all of which must be about cells of the publication."""
    for cell, statement in facts:
        if cell not in cells:
            raise unknown_name("a known cell", cell_text(cell), [*map(cell_text, cells)])
        yield cell, statement


def narrowed(first: Ends, second: Ends) -> Ends:
    """What two pairs of ends leave together; the lower end is above the upper one if that is nothing.

    >>> narrowed((0, None), (None, 4))
    (0, 4)
    """
    (low, high), (least, most) = first, second
    lower = least if low is None or (least is not None and least > low) else low
    upper = most if high is None or (most is not None and most < high) else high
    return lower, upper
