"""The parts of a system that have nothing to do with each other, without the cells that have one value anyway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whit.audit.certificate import Combination, Impossible
from whit.audit.publication import Cell
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
    fixed = {cell: low for cell, (low, high) in system.ends.items() if low is not None and low == high}
    open_terms: dict[str, dict[Cell, int]] = {}
    right: dict[str, int] = {}
    for name, equation in system.equations.items():
        terms = {cell: times for cell, times in equation.terms.items() if cell not in fixed}
        rest = equation.right - sum(times * fixed[cell] for cell, times in equation.terms.items() if cell in fixed)
        if terms:
            open_terms[name], right[name] = terms, rest
        elif rest:
            return Impossible(None, None, None, Combination({name: 1}))
    return Parts(fixed, components_of(system, open_terms, right, set(fixed)))


def components_of(
    system: System, terms: Mapping[str, Mapping[Cell, int]], right: Mapping[str, int], fixed: set[Cell]
) -> tuple[Component, ...]:
    """The cells that are not fixed, and their equations, by what hangs together."""
    leader = {cell: cell for cell in system.ends if cell not in fixed}
    for cells in terms.values():
        first, *others = cells
        for other in others:
            leader[root(leader, other)] = root(leader, first)
    members: dict[Cell, list[Cell]] = {}
    for cell in leader:
        members.setdefault(root(leader, cell), []).append(cell)
    equations: dict[Cell, list[str]] = {each: [] for each in members}
    for name, cells in terms.items():
        equations[root(leader, next(iter(cells)))].append(name)
    return tuple(component(system, members[each], equations[each], terms, right) for each in members)


def root(leader: dict[Cell, Cell], cell: Cell) -> Cell:
    """The cell that stands for all that hang together with this one; the way there is shortened."""
    while leader[cell] != cell:
        leader[cell] = leader[leader[cell]]
        cell = leader[cell]
    return cell


def component(
    system: System,
    cells: list[Cell],
    names: list[str],
    terms: Mapping[str, Mapping[Cell, int]],
    right: Mapping[str, int],
) -> Component:
    """One component, by places."""
    place = {cell: number for number, cell in enumerate(cells)}
    return Component(
        tuple(cells),
        tuple(system.ends[cell] for cell in cells),
        tuple(names),
        tuple({place[cell]: times for cell, times in terms[name].items()} for name in names),
        tuple(right[name] for name in names),
    )
