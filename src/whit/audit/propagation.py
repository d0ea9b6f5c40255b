"""Ends that follow from one equation at a time, over and over: the shuttle.

If all but one of the cells of an equation have ends, so has the last. This proves less than a linear program and costs
next to nothing. Ends that it gives are true; they need not be attained.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from whit.audit.component import Component
from whit.audit.statement import Ends

MOST_ROUNDS = 50
"""How often each equation is looked at, on average; ends that only creep towards each other are left where they are."""


def propagated(component: Component) -> list[Ends] | None:
    """Narrower ends of the cells, or None if some cell has no value left."""
    ends = list(component.ends)
    users: list[list[int]] = [[] for _ in ends]
    for row, terms in enumerate(component.terms):
        for place in terms:
            users[place].append(row)
    waiting = deque(range(len(component.terms)))
    queued = set(waiting)
    for _ in range(MOST_ROUNDS * len(component.terms)):
        if not waiting:
            break
        row = waiting.popleft()
        queued.discard(row)
        changed = by_one_equation(component.terms[row], component.right[row], ends)
        if changed is None:
            return None
        further = dict.fromkeys(user for place in changed for user in users[place] if user not in queued)
        waiting.extend(further)
        queued.update(further)
    return ends


def by_one_equation(terms: Mapping[int, int], right: int, ends: list[Ends]) -> list[int] | None:
    """Narrow the ends of the cells of one equation; which cells changed, or None if one has no value left."""
    least = [lower_end(times, ends[place]) for place, times in terms.items()]
    largest = [lower_end(-times, ends[place]) for place, times in terms.items()]
    missing = [sum(each is None for each in side) for side in (least, largest)]
    sums = [sum(each for each in side if each is not None) for side in (least, largest)]
    changed = []
    for number, (place, times) in enumerate(terms.items()):
        # What the others add at least, and what they add at most with its sign turned.
        others = [without(sums[side], missing[side], each[number]) for side, each in enumerate((least, largest))]
        low, high = ends[place]
        bounds = quotient(times, right, others[1], others[0])
        new_low = max((each for each in (low, bounds[0]) if each is not None), default=None)
        new_high = min((each for each in (high, bounds[1]) if each is not None), default=None)
        if new_low is not None and new_high is not None and new_low > new_high:
            return None
        if (new_low, new_high) != (low, high):
            ends[place] = (new_low, new_high)
            changed.append(place)
    return changed


def lower_end(times: int, ends: Ends) -> int | None:
    """The least value of a multiple of a cell."""
    end = ends[0] if times > 0 else ends[1]
    return None if end is None else times * end


def without(total: int, missing: int, own: int | None) -> int | None:
    """A sum of ends without one of them; None if another is missing."""
    if missing - (own is None):
        return None
    return total - (own or 0)


def quotient(times: int, right: int, most_turned: int | None, least: int | None) -> Ends:
    """The ends of a cell, from what its multiple may be: right less the others."""
    low = None if most_turned is None else right + most_turned
    high = None if least is None else right - least
    if times < 0:
        low, high = (None if high is None else -high), (None if low is None else -low)
    size = abs(times)
    return (None if low is None else -(-low // size)), (None if high is None else high // size)
