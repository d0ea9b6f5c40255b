"""Components with one free number, such as withheld cells on a single cycle: counted by a line of arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from whit.audit.component import Component

Line = tuple[dict[int, int], int]


def number_on_a_line(component: Component, limits: tuple[tuple[int, int], ...]) -> int | None:
    """How many tables a component has if one cell decides all others; None if that is not so, or not so simple.

    Every other cell is then a start plus a whole multiple of the deciding one, and each has its ends.
    """
    if len(component.cells) - len(component.terms) > 1:
        return None
    solved = solved_cells(component)
    if solved is None or len(component.cells) - len(solved) != 1:
        return None
    free = next(place for place in range(len(component.cells)) if place not in solved)
    low, high = limits[free]
    for place, (terms, start) in solved.items():
        times, (least, most) = terms.get(free, 0), limits[place]
        if times == 0:
            low, high = (low, high) if least <= start <= most else (1, 0)
            continue
        first, last = (least - start, most - start) if times > 0 else (start - most, start - least)
        low, high = max(low, -(-first // abs(times))), min(high, last // abs(times))
    return max(0, high - low + 1)


def solved_cells(component: Component) -> dict[int, Line] | None:
    """Cells as whole multiples of others plus a start, one for each equation that says something new.

    None if an equation has no cell that counts once: its solutions would have to be sought among remainders. Also None
    if two equations contradict each other, which a count of all ways finds out.
    """
    solved: dict[int, Line] = {}
    for terms, right in zip(component.terms, component.right, strict=True):
        row, rest = substituted(terms, -right, solved)
        if not row and rest:
            return None
        if row:
            place = next((each for each, times in row.items() if abs(times) == 1), None)
            if place is None:
                return None
            sign = row.pop(place)
            line = ({each: -sign * times for each, times in row.items()}, -sign * rest)
            solved = {each: substituted(*old, {place: line}) for each, old in solved.items()}
            solved[place] = line
    return solved


def substituted(terms: Mapping[int, int], start: int, solved: Mapping[int, Line]) -> Line:
    """A sum of cells and a start, with every solved cell replaced by what it is made of."""
    row: dict[int, int] = {}
    for place, times in terms.items():
        parts, own = solved.get(place, ({place: 1}, 0))
        start += times * own
        for part, often in parts.items():
            row[part] = row.get(part, 0) + times * often
    return {place: times for place, times in row.items() if times}, start
