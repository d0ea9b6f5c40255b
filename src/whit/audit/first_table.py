"""A first table of a component that is too large for exact fractions, or why there is none, as a solver proposes it.

What a solver says counts only if it comes out in whole numbers: a table if every equation does, and a contradiction if
the sum of the equations, each times its multiplier, is out of reach of the cells within their ends.
"""

from __future__ import annotations

import math

import numpy as np

from whit.audit.component import Component
from whit.numerics import Program, Solver

SCALES = (1, 2, 12, 27_720)
"""What multipliers may be whole over."""

NEARLY = 1e-6
"""How far a proposal may be from a whole number to be taken for it."""

MOST_NODES = 200
"""The most cases that the solver looks at for a first table."""


def proposed_table(component: Component) -> list[int] | None:
    """A value for every cell such that every equation comes out; None if the solver found none."""
    found = Solver(program_of(component), whole=True, most_nodes=MOST_NODES).best(np.zeros(len(component.cells)))
    if found is None:
        return None
    table = [round(value) for value in found.point.tolist()]
    return table if fits(component, table) else None


def fits(component: Component, table: list[int]) -> bool:
    """Whether a table has each cell within its ends and each equation come out, in whole numbers."""
    for value, (low, high) in zip(table, component.ends, strict=True):
        if (low is not None and value < low) or (high is not None and value > high):
            return False
    rows = zip(component.terms, component.right, strict=True)
    return all(sum(times * table[place] for place, times in terms.items()) == right for terms, right in rows)


def proposed_contradiction(component: Component) -> dict[int, int] | None:
    """Multipliers of equations whose sum is out of reach; None if the solver found none.

    Each equation may be missed by something that costs as much as it is. Where the least cost is not 0, the prices of
    the equations contradict each other.
    """
    program, rows = program_of(component), len(component.right)
    size = len(component.cells)
    missed = [[*row, (size + number, 1), (size + rows + number, -1)] for number, row in enumerate(program.rows)]
    lows = np.concatenate([program.lows, np.zeros(2 * rows)])
    highs = np.concatenate([program.highs, np.full(2 * rows, math.inf)])
    costs = np.concatenate([np.zeros(size), np.full(2 * rows, -1.0)])
    found = Solver(Program(lows, highs, missed, program.right)).best(costs)
    if found is None or float(found.point @ costs) > -NEARLY:
        return None
    for scale in SCALES:
        times = np.rint(found.multipliers * scale)
        multipliers = {row: int(each) for row, each in enumerate(times.tolist()) if each}
        if np.max(np.abs(found.multipliers * scale - times)) < NEARLY and contradicts(component, multipliers):
            return multipliers
    return None


def contradicts(component: Component, multipliers: dict[int, int]) -> bool:
    """Whether a sum of equations is beyond what the cells can add up to within their ends, in whole numbers."""
    total: dict[int, int] = {}
    for row, often in multipliers.items():
        for place, times in component.terms[row].items():
            total[place] = total.get(place, 0) + often * times
    right = sum(often * component.right[row] for row, often in multipliers.items())
    return any(out_of_reach(component, {p: s * t for p, t in total.items() if t}, s * right) for s in (1, -1))


def out_of_reach(component: Component, terms: dict[int, int], right: int) -> bool:
    """Whether a right side is above the largest value of a sum of cells."""
    ends = [component.ends[place][times > 0] for place, times in terms.items()]
    known = [each for each in ends if each is not None]
    return len(known) == len(ends) and right > sum(map(int.__mul__, terms.values(), known))


def program_of(component: Component) -> Program:
    """The component in floating point."""
    lows = np.array([-math.inf if low is None else low for low, _ in component.ends], float)
    highs = np.array([math.inf if high is None else high for _, high in component.ends], float)
    return Program(lows, highs, [[*terms.items()] for terms in component.terms], np.array(component.right, float))
