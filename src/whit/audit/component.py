"""The parts of a system that have nothing to do with each other, without the cells that have one value anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whit.audit.certificate import Combination, Impossible
from whit.audit.publication import Cell, Equation
from whit.audit.statement import Ends
from whit.audit.system import System


@dataclass(frozen=True)
class Component:
    """Cells that hang together by equations; cells and equations go by their places in the lists.

    cells   their names
    ends    the ends of each
    names   of the equations
    terms   of each equation: the coefficient of each cell
    right   of each equation: what is left for these cells
    """

    cells: tuple[Cell, ...]
    ends: tuple[Ends, ...]
    names: tuple[str, ...]
    terms: tuple[Mapping[int, int], ...]
    right: tuple[int, ...]


@dataclass(frozen=True)
class Parts:
    """A system taken apart.

    fixed        the cells with one value within their ends, and that value
    components   the others, by what hangs together
    """

    fixed: Mapping[Cell, int]
    components: tuple[Component, ...]


def taken_apart(system: System) -> Parts | Impossible:
    """The parts of a system, or why no table is left if that shows already."""
    if system.valueless:
        return Impossible(None, None, None, Combination({}))
    fixed = system.fixed
    equations = system.without_fixed().equations
    for name, equation in equations.items():
        if equation.right and not equation.terms:
            return Impossible(None, None, None, Combination({name: 1}))
    return Parts(fixed, components_of(system, [each for each in equations.values() if each.terms], fixed))


def components_of(system: System, equations: Sequence[Equation], fixed: Mapping[Cell, int]) -> tuple[Component, ...]:
    """The cells that are not fixed, and their equations, by what hangs together."""
    leader = {cell: cell for cell in system.ends if cell not in fixed}
    for equation in equations:
        first, *others = equation.terms
        for other in others:
            leader[root(leader, other)] = root(leader, first)
    members: dict[Cell, list[Cell]] = {}
    for cell in leader:
        members.setdefault(root(leader, cell), []).append(cell)
    between: dict[Cell, list[Equation]] = {each: [] for each in members}
    for equation in equations:
        between[root(leader, next(iter(equation.terms)))].append(equation)
    return tuple(component(system, members[each], between[each]) for each in members)


def root(leader: dict[Cell, Cell], cell: Cell) -> Cell:
    """The cell that stands for all that hang together with this one; the way there is shortened."""
    while leader[cell] != cell:
        leader[cell] = leader[leader[cell]]
        cell = leader[cell]
    return cell


def component(system: System, cells: Sequence[Cell], equations: Sequence[Equation]) -> Component:
    """One component, by places."""
    place = {cell: number for number, cell in enumerate(cells)}
    return Component(
        tuple(cells),
        tuple(system.ends[cell] for cell in cells),
        tuple(each.name for each in equations),
        tuple({place[cell]: times for cell, times in each.terms.items()} for each in equations),
        tuple(each.right for each in equations),
    )
