"""What a number measures, in which unit, on which side of the truth it lies; and the number as text.

A text is rounded toward the safe side: a lower bound down and everything else up, to three significant digits unless
another number is asked for. Rounding starts from the shortest decimal that names the double, as Python prints it: 0.1
is shown as 0.1 in every direction, although the double of that name is larger by 6e-18. So the text, read back as a
double, is never on the wrong side; and read back as a decimal it is on the wrong side only where it is the name of the
double itself.

Probabilities from 0.01 % on are shown in percent, smaller ones in powers of ten, as a delta beside them is. Other
numbers from 0.001 to a million are written out, the integer part in full.

A bare number (`number_text`) has enough digits to show how far a probability is from 1: only 1 itself is 100 %. A
sentence stops at 99.9 %. Beyond it an upper bound "may exceed 99.9 %", and any other number is "more than 99.9 %". An
upper bound of 1 "may be 100 %: nothing is ruled out".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import Incompatible, require, require_kind
from whit.numerics import round_down, round_up

DIGITS = 3
"""Significant digits, unless another number is asked for."""

NEARLY_CERTAIN = Decimal("0.999")
"""Beyond this probability a sentence counts no more nines."""

SMALLEST_WRITTEN_OUT = Decimal("0.001")
SMALLEST_IN_PERCENT = Decimal("1e-4")
LARGEST_WRITTEN_OUT = Decimal("1e6")

EXACT = Context(prec=2000)
"""Differences of doubles are exact in so many digits."""

TIGHT = Decimal("1e-6")
"""Relative width up to which an interval is shown as one number."""


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

    Larger is worse for all quantities except allowances, such as the largest epsilon that meets a limit.

    The key is the same in Python, on the command line, in JSON and in pictures: it names the question that the quantity
    answers, and the sentences about it in every language. It is empty for a quantity that has no such question.

    A certain quantity is chosen or found, such as the noise that meets a limit or the worst prior of a bound. Its
    failure probability is that of the limit or the bound, and the number itself has no exception.

    A quantity with open ends grows towards the ends of its unit and does not reach them, as the prior at which a bound
    is largest does: nobody's belief rises from 0 or from 1.

    >>> Quantity("posterior probability", Unit.PROBABILITY, key="posterior").name
    'posterior probability'
    """

    name: str
    unit: Unit
    less_is_worse: bool = False
    key: str = ""
    certain: bool = False
    open_ends: bool = False

    def __post_init__(self) -> None:
        require(
            bool(_text(self.name).strip()),
            name="the name of a quantity",
            rule="must be a text that a sentence can begin with",
            value=self.name,
            way_out="Use a noun such as 'posterior probability'.",
        )
        way_out = "Use Unit.PROBABILITY or Unit.NUMBER."
        require_kind(Unit, self.unit, name="the unit of a quantity", way_out=way_out)
        require_kind(str, self.key, name="the key of a quantity", way_out="Use a name such as 'posterior', or none.")

    def is_known_below(self, direction: Direction) -> bool:
        """Whether the safe end of what is known is the lower one."""
        return direction is Direction.AT_LEAST or (direction is Direction.EXACTLY and self.less_is_worse)

    def towards(self, value: float) -> str:
        """What is said of an end that is approached and not reached, such as close to 0 %; empty for other numbers."""
        if not self.open_ends or value not in (self.unit.floor, self.unit.ceiling):
            return ""
        return f"close to {number_text(value, Direction.ABOUT, self.unit)}"

    def to_dict(self) -> dict[str, str | bool]:
        """The quantity as a plain tree, for JSON."""
        said = {"key": self.key, "name": self.name, "unit": self.unit.name}
        ends = {"open_ends": True} if self.open_ends else {}
        return {**said, "less_is_worse": self.less_is_worse, "certain": self.certain, **ends}

    @classmethod
    def from_dict(cls, tree: Mapping[str, Any]) -> Quantity:
        """The quantity that has this plain tree; texts of earlier versions have no key, and say less."""
        flags = {name: tree.get(name) is True for name in ("certain", "open_ends")}
        return cls(tree["name"], Unit[tree["unit"]], tree["less_is_worse"] is True, tree.get("key", ""), **flags)


def _text(name: object) -> str:
    """The name if it is a text; what is none has no letters."""
    return name if isinstance(name, str) else ""


def number_text(value: float, direction: Direction, unit: Unit, digits: int = DIGITS) -> str:
    """The bare number as text, rounded toward the safe side of its direction; `bound_text` also says the direction.

    >>> number_text(0.12516, Direction.AT_MOST, Unit.PROBABILITY)
    '12.6 %'
    >>> number_text(0.74721, Direction.AT_LEAST, Unit.NUMBER)
    '0.747'
    """
    if math.isinf(value):
        return "unlimited" if value > 0.0 else "minus infinity"
    return _notation(_round_safely(value, direction, unit, digits), unit)


def bound_text(value: float, direction: Direction, unit: Unit, digits: int = DIGITS) -> str:
    """The number with the word of its direction, for a table or a label.

    >>> bound_text(0.12516, Direction.AT_MOST, Unit.PROBABILITY)
    'at most 12.6 %'
    >>> bound_text(0.99996, Direction.AT_MOST, Unit.PROBABILITY), bound_text(1.0, Direction.AT_MOST, Unit.PROBABILITY)
    ('may exceed 99.9 %', 'may be 100 % (nothing is ruled out)')
    """
    if direction is Direction.AT_MOST and value == math.inf:
        return "no known upper bound"
    if says_nothing(value, direction, unit):
        return "may be 100 % (nothing is ruled out)"
    said = _nearly_certain(value, direction, unit)
    if said:
        return said
    text = number_text(value, direction, unit, digits)
    return text if direction is Direction.EXACTLY else f"{direction.value} {text}"


def says_nothing(value: float, direction: Direction, unit: Unit) -> bool:
    """Whether the number is an upper bound that rules nothing out: the largest value of its unit.

    >>> says_nothing(1.0, Direction.AT_MOST, Unit.PROBABILITY), says_nothing(1.0, Direction.EXACTLY, Unit.PROBABILITY)
    (True, False)
    """
    return direction is Direction.AT_MOST and value == unit.ceiling


def _nearly_certain(value: float, direction: Direction, unit: Unit) -> str:
    """What is said of a probability beyond 99.9 % instead of its digits; nothing for every other number."""
    if unit is not Unit.PROBABILITY or not NEARLY_CERTAIN < _shortest_decimal(value) < 1:
        return ""
    most = number_text(float(NEARLY_CERTAIN), Direction.EXACTLY, unit)
    if direction is Direction.AT_MOST:
        return f"may exceed {most}"
    return f"more than {most}" if direction is not Direction.ABOUT else f"more than {most} (an estimate)"


def sentence(name: str, said: str) -> str:
    """What is said of a quantity, behind its name; odds are many.

    >>> sentence("posterior odds of the truth", "is at most 2.72")
    'posterior odds of the truth are at most 2.72'
    >>> sentence("ratio of the odds", "has no known upper bound")
    'ratio of the odds has no known upper bound'
    """
    if not name.partition(" of ")[0].endswith("odds"):
        return f"{name} {said}"
    verb, _, rest = said.partition(" ")
    return f"{name} { {'is': 'are', 'has': 'have'}.get(verb, verb) } {rest}"


def predicate(
    value: float,
    direction: Direction,
    unit: Unit,
    notes: tuple[str, ...] = (),
    *,
    side: Direction = Direction.AT_MOST,
    digits: int = DIGITS,
) -> str:
    """What a sentence says of a quantity: the direction and the number, then the notes in brackets.

    An exact number is rounded to its safe side: up, or down where the side is AT_LEAST.

    >>> predicate(0.12516, Direction.AT_MOST, Unit.PROBABILITY)
    'is at most 12.6 %'
    >>> predicate(0.125, Direction.EXACTLY, Unit.PROBABILITY)
    'is exactly 12.5 %'
    >>> predicate(0.12516, Direction.EXACTLY, Unit.PROBABILITY)
    'is 12.6 % (rounded up)'
    >>> predicate(0.99996, Direction.AT_MOST, Unit.PROBABILITY), predicate(0.99996, Direction.EXACTLY, Unit.PROBABILITY)
    ('may exceed 99.9 %', 'is more than 99.9 %')
    >>> predicate(0.12516, Direction.EXACTLY, Unit.PROBABILITY, side=Direction.AT_LEAST)
    'is 12.5 % (rounded down)'
    """
    if math.isinf(value):
        return with_notes(_infinite(value, direction, unit), notes)
    if says_nothing(value, direction, unit):
        return with_notes("may be 100 %: nothing is ruled out", notes)
    said = _nearly_certain(value, direction, unit)
    if said:
        return with_notes(said if direction is Direction.AT_MOST else f"is {said}", notes)
    toward = side if direction is Direction.EXACTLY else direction
    text = number_text(value, toward, unit, digits)
    if direction is Direction.EXACTLY and _round_safely(value, toward, unit, digits) != _shortest_decimal(value):
        return with_notes(f"is {text}", (_rounded(side), *notes))
    return with_notes(f"is {direction.value} {text}", notes)


ROUNDED = " (rounded up)"
"""What follows an exact number that has more digits than are shown."""


def _rounded(side: Direction) -> str:
    return "rounded down" if side is Direction.AT_LEAST else "rounded up"


def exact_text(value: float, unit: Unit, side: Direction = Direction.AT_MOST, digits: int = DIGITS) -> str:
    """An exact number for a table or a label; it says where it is rounded, and to which side.

    >>> [exact_text(value, Unit.PROBABILITY) for value in (0.125, 0.12516, 0.99996)]
    ['exactly 12.5 %', '12.6 % (rounded up)', 'more than 99.9 %']
    """
    return predicate(value, Direction.EXACTLY, unit, side=side, digits=digits).removeprefix("is ")


def range_predicate(
    lower: float, upper: float, unit: Unit, notes: tuple[str, ...] = (), *, side: Direction = Direction.AT_MOST
) -> str:
    """What a sentence says of a quantity that lies between two numbers.

    Two numbers that cannot be told apart in the digits shown are shown as one.

    >>> range_predicate(0.1234, 0.1278, Unit.PROBABILITY)
    'is between 12.3 % and 12.8 %'
    >>> range_predicate(0.12516, 0.12517, Unit.PROBABILITY)
    'is 12.6 % (rounded up)'
    """
    if lower == upper:
        return predicate(lower, Direction.EXACTLY, unit, notes, side=side)
    if _nearly_certain(lower, Direction.AT_LEAST, unit):
        return predicate(lower, Direction.AT_LEAST, unit, notes)
    low, high = (number_text(end, side, unit) for end in (lower, upper))
    if low == high:
        return with_notes(f"is {high}", (_rounded(side), *notes))
    low, high = (number_text(end, Direction.AT_MOST, unit) for end in (lower, upper))
    if math.isfinite(lower) and math.isfinite(upper):
        inside = _round_safely(lower, Direction.AT_MOST, unit, DIGITS)
        margin = max(EXACT.subtract(Decimal(upper), inside), EXACT.subtract(inside, Decimal(lower)))
        if inside <= Decimal(upper) and margin <= TIGHT * abs(inside):
            return with_notes(f"is {low}", (f"to within {_scientific(round_up(margin, 1))}", *notes))
    high = _nearly_certain(upper, Direction.EXACTLY, unit) or high
    return with_notes(f"is between {number_text(lower, Direction.AT_LEAST, unit)} and {high}", notes)


def with_notes(said: str, notes: tuple[str, ...]) -> str:
    """What is said, with the notes in brackets after it."""
    return f"{said} ({'; '.join(notes)})" if notes else said


def _infinite(value: float, direction: Direction, unit: Unit) -> str:
    """What a sentence says where the number is infinite: a bound at the far end is none."""
    if direction is Direction.AT_MOST and value > 0.0:
        return "has no known upper bound"
    if direction is Direction.AT_LEAST and value < 0.0:
        return "has no known lower bound"
    return f"is {number_text(value, direction, unit)}"


def _shortest_decimal(value: float) -> Decimal:
    """The shortest decimal that names the double."""
    return Decimal(repr(float(value)))


def _round_safely(value: float, direction: Direction, unit: Unit, digits: int) -> Decimal:
    """The number with the digits that it deserves, on the safe side of its direction."""
    exact = _shortest_decimal(value)
    deserved = _significant(exact, unit, digits)
    return round_down(exact, deserved) if direction is Direction.AT_LEAST else round_up(exact, deserved)


def _significant(exact: Decimal, unit: Unit, digits: int) -> int:
    """How many significant digits to show.

    A probability close to 1 gets as many as show its distance from 1 to one digit less than usual: rounded up, it is
    still below 1. A number of a thousand or more gets its integer part.
    """
    if unit is Unit.PROBABILITY and Decimal("0.5") < exact < 1:
        nines = -(1 - exact).adjusted() - 1
        return max(digits, nines + max(digits - 1, 1))
    if 1 <= abs(exact) < LARGEST_WRITTEN_OUT:
        return max(digits, exact.adjusted() + 1)
    return digits


def _notation(number: Decimal, unit: Unit) -> str:
    """The decimal in the notation of its size."""
    if unit is Unit.PROBABILITY and (number == 0 or number >= SMALLEST_IN_PERCENT):
        return f"{_positional(number.scaleb(2))} %"
    if number == 0 or SMALLEST_WRITTEN_OUT <= abs(number) < LARGEST_WRITTEN_OUT:
        return _positional(number)
    return _scientific(number)


def _positional(number: Decimal) -> str:
    """The decimal written out, without zeros that say nothing."""
    return format(number.normalize() if number else Decimal(0), "f")


def _scientific(number: Decimal) -> str:
    """The decimal with a power of ten, such as 1.3e-7 or 2e12."""
    return format(number.normalize(), "e").replace("e+", "e")
