"""Values in order, and their median: equations with gaps that are 0 or more."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from whit.audit.publication import Cell, Equation, Publication, Said, adds_up, cell_text, together
from whit.audit.statement import Between, Mean
from whit.errors import require


def in_order(cells: Sequence[Cell]) -> Publication:
    """That no cell is below the one before it; each step up is a cell of its own, which is 0 or more.

    >>> in_order(("smallest", "largest")).equations[0].name
    'largest = smallest + step from smallest to largest'
    """
    steps: list[Said] = []
    equations: list[Equation] = []
    for below, above in pairwise(cells):
        step = f"step from {cell_text(below)} to {cell_text(above)}"
        steps.append((step, Between(0, None)))
        equations.append(adds_up(above, (below, step)))
    return Publication(steps, equations)


def median(cells: Sequence[Cell], value: str) -> Publication:
    """The median of cells, as it is printed; the cells are in order, the smallest first.

    cells   one for each person; the first has the smallest value
    value   the digits as they are printed, such as "35" or "30.5"

    >>> [str(each) for _, each in median(("a", "b", "c"), "35").statements][-1]
    "Mean(value='35', number=1)"
    """
    require(len(cells) > 0, name="cells", rule="must not be empty", value=cells, way_out="Name one for each person.")
    middle = (len(cells) - 1) // 2
    if len(cells) % 2:
        return together(in_order(cells), Publication([(cells[middle], Mean(value, 1))]))
    pair = cells[middle : middle + 2]
    both = " and ".join(map(cell_text, pair))
    return together(in_order(cells), Publication([(both, Mean(value, 2))], [adds_up(both, pair)]))
