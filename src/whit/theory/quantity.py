"""What a number measures, in which unit, and on which side of the truth it lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import Incompatible, require


class Direction(Enum):
    """How a reported number relates to the true one; its value is the word that a sentence uses.

    >>> Direction.AT_MOST.value
    'at most'
    """

    AT_MOST = "at most"
    AT_LEAST = "at least"
    EXACTLY = "exactly"
    ABOUT = "about"

    @property
    def opposite(self) -> Direction:
        """The direction of something that falls where the number rises.

        >>> Direction.AT_MOST.opposite.name, Direction.ABOUT.opposite.name
        ('AT_LEAST', 'ABOUT')
        """
        turned = {Direction.AT_MOST: Direction.AT_LEAST, Direction.AT_LEAST: Direction.AT_MOST}
        return turned.get(self, self)

    @staticmethod
    def combine(*directions: Direction) -> Direction:
        """The direction of something that increases with each of several numbers, given the direction of each.

        EXACTLY changes nothing and ABOUT absorbs every other; an upper and a lower bound together say nothing.

        >>> Direction.combine(Direction.EXACTLY, Direction.AT_MOST).name
        'AT_MOST'
        """
        seen = set(directions)
        if {Direction.AT_MOST, Direction.AT_LEAST} <= seen:
            raise Incompatible(
                "a result",
                "cannot rest on an upper and on a lower bound at once",
                ", ".join(direction.value for direction in directions),
                "Use bounds of the same side; what a finding knows of both sides is in its .upper and its .lower.",
            )
        strongest_first = (Direction.ABOUT, Direction.AT_MOST, Direction.AT_LEAST)
        return next((direction for direction in strongest_first if direction in seen), Direction.EXACTLY)


class Unit(Enum):
    """The unit of a quantity: it says which values are possible and how they are shown."""

    PROBABILITY = "a probability in [0, 1], shown in percent"
    NUMBER = "any number, infinity included"

    @property
    def floor(self) -> float:
        """The smallest value there can be."""
        return 0.0 if self is Unit.PROBABILITY else -math.inf

    @property
    def ceiling(self) -> float:
        """The largest value there can be."""
        return 1.0 if self is Unit.PROBABILITY else math.inf

    def capped(self, bound: ArrayLike, direction: Direction) -> NDArray[np.float64]:
        """A bound cut at the end of the possible values: true if the bound was, and never looser.

        An upper bound is cut from above and a lower bound from below. Nothing else is cut, so that an upper bound
        below the floor stays visible as the mistake that it is.

        >>> float(Unit.PROBABILITY.capped(1.3, Direction.AT_MOST))
        1.0
        """
        values = np.asarray(bound, dtype=np.float64)
        if direction is Direction.AT_MOST:
            return np.asarray(np.minimum(values, self.ceiling))
        if direction is Direction.AT_LEAST:
            return np.asarray(np.maximum(values, self.floor))
        return values


@dataclass(frozen=True)
class Quantity:
    """What is measured, by the name that a sentence about it begins with.

    Larger is worse of all quantities but allowances, of which less is: the largest epsilon that keeps to a limit.

    >>> Quantity("posterior probability", Unit.PROBABILITY).name
    'posterior probability'
    """

    name: str
    unit: Unit
    less_is_worse: bool = False

    def __post_init__(self) -> None:
        require(
            bool(_text(self.name).strip()),
            name="the name of a quantity",
            rule="must be a text that a sentence can begin with",
            value=self.name,
            way_out="Use a noun such as 'posterior probability'.",
        )
        require(
            isinstance(self.unit, Unit),
            name="the unit of a quantity",
            rule="must be a Unit",
            value=self.unit,
            way_out="Use Unit.PROBABILITY or Unit.NUMBER.",
        )


def _text(name: object) -> str:
    """The name if it is a text; what is none has no letters."""
    return name if isinstance(name, str) else ""
