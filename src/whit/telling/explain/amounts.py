"""Numbers for officers and for those who check: in percent or written out, on the safe side, with their direction."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from whit.telling.explain.language import Language, Passage, Said
from whit.telling.explain.subject import number_of
from whit.theory import Direction, Failure, Finding, Unit, number_text

DIGITS = 6
"""Significant digits up to which a number that was given is repeated as it is."""

# What is given as a probability, although a finding about it may be none.
PROBABILITIES = ("prior", "level", "failure", "inclusion", "value", "power", "probability", "threshold")


def amount(told: Finding, words: Language, digits: int = 3) -> Passage:
    """What an answer says: a direction and a number, or two numbers between which it lies."""
    if told.is_two_sided and all(map(math.isfinite, (number_of(told.below), number_of(told)))):
        low, high = (_number(end, end.direction, words, digits) for end in (told.below, told.bound))
        return words.say("amount.between", low=low, high=high)
    finding = told.bound
    if math.isinf(number_of(finding)):
        return words.say("amount.unlimited")
    number = _number(finding, finding.direction, words, digits)
    return words.say(f"amount.{_direction(told, number)}", number=number)


def bare(finding: Finding, rounding: Direction, words: Language, digits: int = 3) -> Said:
    """The number of a finding without words, rounded to the side that is named."""
    return _number(finding, rounding, words, digits)


def start(finding: Finding, name: str, value: float, words: Language, *, of: str = "inputs.") -> Passage:
    """A number that was given: as it is, or "about" to a few digits."""
    unit = Unit.PROBABILITY if name in PROBABILITIES else Unit.NUMBER
    text = number_text(value, Direction.AT_LEAST, unit, DIGITS)
    short = len(Decimal(repr(value)).normalize().as_tuple().digits) <= DIGITS
    number = Said(words.digits(text), value if short else read_back(text), finding, f"{of}{name}")
    return words.say("amount.given" if short else "amount.about", number=number)


def chance_of_failure(finding: Finding, failure: Failure, words: Language) -> Said:
    """The chance over one randomness that the statement is false, rounded up."""
    text = number_text(failure.probability, Direction.AT_MOST, Unit.PROBABILITY)
    return Said(words.digits(text), read_back(text), finding, "failure")


def read_back(text: str) -> float:
    """The number that a text of the display states.

    >>> read_back("12.6 %"), read_back("1.3e-7")
    (0.126, 1.3e-07)
    """
    if text.endswith(" %"):
        return float(Decimal(text.removesuffix(" %")).scaleb(-2))
    return float(text)


def _direction(told: Finding, number: Said) -> str:
    """The key of the words for the direction; an exact number that is not shown in full has been rounded up."""
    if told.direction is not Direction.EXACTLY:
        return told.direction.name.lower()
    exact = np.array_equal(told.value, told.other_end) and number.value == number_of(told)  # type: ignore[arg-type]
    return "exactly" if exact else "rounded"


def _number(finding: Finding, rounding: Direction, words: Language, digits: int) -> Said:
    text = number_text(number_of(finding), rounding, finding.quantity.unit, digits)
    return Said(words.digits(text), read_back(text), finding)
