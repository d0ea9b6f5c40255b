"""What was learned from an object of another library: a promise, and what the object does not say about it."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from whit.curves import Promise
from whit.errors import InvalidInput
from whit.numerics import nearest_up, up
from whit.setting import Sensitivity

NORM = Sensitivity(add_remove=1.0, replace=2.0)
"""Of sums whose noise is stated relative to a bound on one contribution: a replaced record takes one and gives one."""


class OpenPoint(Enum):
    """What somebody must add to an imported promise; the value is a sentence that says it."""

    UNIT = "The source does not say whose records change: one person, one device, one day of a person."
    NEIGHBOURS = "The source does not say whether neighbours add a record or replace one."
    NORM = "The noise is stated relative to a bound on one contribution: that bound must be enforced."
    SAMPLING = "The bound holds if batches are Poisson samples: every record is drawn by itself, with the stated rate."
    ADAPTIVITY = "The source does not say whether later releases were chosen by what came out of earlier ones."
    GRID = "The library draws noise on a grid, and rounds its input to it, which can add a little to the risk."
    SPENT = "The number is what was spent so far: releases that are still to come add to it."

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"OpenPoint.{self.name}"


@dataclass(frozen=True)
class Learned:
    """A promise that was read from elsewhere.

    promise   the guarantee or the mechanism
    source    what it was read from, in words
    open      what the source does not say
    """

    promise: Promise
    source: str
    open: tuple[OpenPoint, ...] = ()

    def __str__(self) -> str:
        return "\n".join([f"{self.source}: {self.promise!r}", *(f"- {each.value}" for each in self.open)])


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


def number_of(value: object, path: str) -> float:
    """A finite number that a double holds, or an error with its place."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    if not known or not abs(value) <= sys.float_info.max:  # type: ignore[arg-type]
        raise InvalidInput(path, "must be a finite number", value, "Use a number such as 1.1.")
    return float(value)  # type: ignore[arg-type]


def whole_of(value: object, path: str) -> int:
    """A whole number of at least 0, or an error with its place: a negative count would cancel other releases."""
    number = number_of(value, path)
    if number < 0 or number != int(number):
        raise InvalidInput(path, "must be a whole number of at least 0", value, "Use a number such as 1000.")
    return int(value)  # type: ignore[call-overload,no-any-return]


def log_above_one(excess: Fraction) -> float:
    """The logarithm of 1 + excess, rounded up: the loss of a randomized response whose chances have that ratio."""
    if excess <= 0:
        return 0.0
    return float(up(math.log1p(nearest_up(excess)), 2))  # the library function may err by a unit in the last place
