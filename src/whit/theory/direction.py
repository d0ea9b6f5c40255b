"""On which side of the truth a number lies."""

from __future__ import annotations

from enum import Enum

from whit.errors import Incompatible


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
