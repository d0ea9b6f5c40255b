"""What was learned from an object of another library: a promise, and what the object does not say about it."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from numbers import Real
from typing import Any

from whit.curves import Promise
from whit.errors import InvalidInput, unknown_name
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Mechanism
from whit.numerics import nearest_up, up
from whit.setting import Neighbours, Sensitivity


def change_by(bound: float) -> Sensitivity:
    """Of sums where one contribution is at most so large: a replaced record takes one and gives one."""
    return Sensitivity(add_remove=bound, replace=2.0 * bound)


NORM = change_by(1.0)
"""Where the noise is stated relative to the bound on one contribution."""


class OpenPoint(Enum):
    """What somebody must add to an imported promise; the value is a sentence that says it."""

    UNIT = "The source does not say whose records change: one person, one device, one day of a person."
    NEIGHBOURS = "The source does not say whether neighbours add a record or replace one."
    NORM = "The noise is stated relative to a bound on one contribution: that bound must be enforced."
    SAMPLING = "The bound holds if batches are Poisson samples: every record is drawn by itself, with the stated rate."
    ADAPTIVITY = "The source does not say whether later releases were chosen by what came out of earlier ones."
    GRID = "The library draws noise on a grid, and rounds its input to it, which can add a little to the risk."
    SPENT = "The number is what was spent so far: releases that are still to come add to it."
    MOST = "The number of releases is the most that the source allows: fewer may have been made."
    ZEROED = "The source replaces a record by one that counts for nothing, which is read as adding or removing it."
    ORDER = "The source has the loss in one order of the neighbours: the bound holds if it is no larger in the other."
    TRANSFORMED = "The library rounds its sums to the nearest, so its numbers can lie a little below the truth."
    PERIOD = "The source has many releases, and does not say whether its numbers are about one of them or about all."
    REGISTERED = "The numbers are what somebody registered: nothing in the record shows that they are kept."

    @property
    def word(self) -> str:
        """The point by one word, as somebody names it who settles it."""
        return self.name.lower()

    @property
    def must(self) -> str:
        """What must be so of it for the numbers to hold, in one word; empty where they hold for whatever is so."""
        return _MUST[self][0] if self in _MUST else ""

    def permits(self, said: str) -> bool:
        """Whether the numbers hold for what somebody says of it.

        >>> OpenPoint.SAMPLING.permits("Poisson sampling"), OpenPoint.SAMPLING.permits("shuffled batches")
        (True, False)
        """
        return self not in _MUST or " ".join(said.lower().split()) in _MUST[self]

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"OpenPoint.{self.name}"


_MUST = {
    OpenPoint.NORM: ("enforced",),
    OpenPoint.SAMPLING: ("poisson", "poisson sample", "poisson samples", "poisson sampling"),
    OpenPoint.ADAPTIVITY: ("fixed",),
}
"""What must be said of a point for the numbers to hold, the shortest word first."""


@dataclass(frozen=True)
class Learned:
    """A promise that was read from elsewhere.

    promise   the guarantee or the mechanism
    source    what it was read from, in words
    open      what the source does not say
    neighbours   the relation that the source names, where it is not the first one that the promise is known under
    """

    promise: Promise
    source: str
    open: tuple[OpenPoint, ...] = ()
    neighbours: Neighbours | None = None

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations that an answer must hold under: the one named, or all that it may be; a curve has none."""
        if self.neighbours is not None:
            return (self.neighbours,)
        own = self.promise.relation()
        if own is None:
            return ()  # a curve, which is what it is between whichever neighbours
        if OpenPoint.NEIGHBOURS not in self.open or own is not Neighbours.ADD_REMOVE:
            return (own,)
        both = (Neighbours.ADD_REMOVE, Neighbours.REPLACE)
        known = self.promise.relations if isinstance(self.promise, Mechanism) else both
        return tuple(each for each in both if each in known)

    def settled(self, point: OpenPoint, *, neighbours: Neighbours | None = None) -> Learned:
        """The same, after somebody has said what the source leaves open.

        point        what is settled
        neighbours   the relation, where that is what is settled

        >>> stated = Learned(PureDP(1.0), "a form", (OpenPoint.UNIT, OpenPoint.NEIGHBOURS))
        >>> stated.settled(OpenPoint.NEIGHBOURS, neighbours=Neighbours.REPLACE).open
        (OpenPoint.UNIT,)
        """
        if point not in self.open:
            raise unknown_name("the open point", point.word, [each.word for each in self.open])
        left_open = tuple(each for each in self.open if each is not point)
        if point is not OpenPoint.NEIGHBOURS:
            return replace(self, open=left_open)
        if neighbours not in self.relations:
            known = [each.name.lower() for each in self.relations]
            raise unknown_name("neighbours", "" if neighbours is None else neighbours.name.lower(), known)
        return replace(self, open=left_open, neighbours=neighbours)

    def __str__(self) -> str:
        return "\n".join([f"{self.source}: {self.promise!r}", *(f"- {each.value}" for each in self.open)])


def chosen_on_the_way(parts: Collection[object]) -> tuple[OpenPoint, ...]:
    """What is open where releases with several parameters add up: a later one may depend on an earlier outcome."""
    return (OpenPoint.ADAPTIVITY,) if len(parts) > 1 else ()


def field_of(tree: object, name: str, path: str) -> Any:
    """A field of a tree, or an error with its place."""
    if not isinstance(tree, Mapping):
        raise InvalidInput(path, "must have fields by name", tree, "Export it again.")
    if name in tree:
        return tree[name]
    rule, way_out = "must be there", f"It has {', '.join(map(str, tree)) or 'no field'}. Export it again, or add it."
    raise InvalidInput(f"{path}.{name}", rule, "nothing", way_out)


def list_of(value: object, path: str) -> list[Any]:
    """The members of a list, or an error with its place: what is no list is not taken for an empty one."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise InvalidInput(path, "must be a list", value, "Export it again.")
    return list(value)


def number_of(value: Any, path: str) -> float:
    """A finite number that a double holds, or an error with its place."""
    known = isinstance(value, Real) and not isinstance(value, bool)
    # Numbers of other types are not rounded here: to the nearest may be the wrong side.
    if not known or not abs(value) <= sys.float_info.max or not (isinstance(value, int) or float(value) == value):
        raise InvalidInput(path, "must be a finite number", value, "Use a number such as 1.1.")
    return float(value)


def whole_of(value: object, path: str) -> int:
    """A whole number of at least 0, or an error with its place: a negative count would cancel other releases."""
    number = number_of(value, path)
    if number < 0 or number != int(number):
        raise InvalidInput(path, "must be a whole number of at least 0", value, "Use a number such as 1000.")
    return int(value)  # type: ignore[call-overload,no-any-return]


def stated_pair(epsilon: object, delta: object, at_epsilon: str, at_delta: str) -> ApproxDP | PureDP:
    """The promise of an epsilon and a delta; no delta at all counts as 0."""
    first, second = number_of(epsilon, at_epsilon), 0.0 if delta is None else number_of(delta, at_delta)
    return ApproxDP(first, second) if second else PureDP(first)


def log_above_one(excess: Fraction) -> float:
    """The logarithm of 1 + excess, rounded up: the loss of a randomized response whose chances have that ratio."""
    if excess <= 0:
        return 0.0
    return float(up(math.log1p(nearest_up(excess)), 2))  # the library function may err by a unit in the last place
