"""Numbers in words: amounts with their direction, and chances out of a hundred or out of as many as it takes.

Upper bounds are rounded up and lower bounds down. What a bound starts from, such as a prior or a level, is rounded down
where it cannot be shown exactly: a bound that holds for a larger start holds for a smaller one, and the step looks
larger than it is, not smaller. A chance is never shown as 0, and never as all of them, unless it is exactly that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from whit.assessment import number_of_people, people_beyond
from whit.telling.words.language import Language, Passage, Said
from whit.theory import NEARLY_CERTAIN, Direction, Finding, Randomness, Unit, number_text

DIGITS = 6
"""Significant digits up to which a number that was given is repeated as it is."""

# What is given as a probability, although a finding about it may be none.
PROBABILITIES = (
    *("prior", "level", "baseline", "failure", "inclusion", "value", "power", "probability", "threshold"),
    *("posterior", "predictive_value", "success"),
)

DIFFERENCES = ("difference", "largest_difference", "total_variation", "advantage")
"""What is a difference of two probabilities: it is said in percentage points."""

ALMOST_ALL = float(NEARLY_CERTAIN)
"""A probability above this one is said to be more than it: further digits say nothing to a reader."""


def amount(answer: Finding, words: Language, digits: int = 3, *, points: bool = False) -> Passage:
    """What an answer says: a direction and a number, or two numbers between which it lies.

    Args:
        answer: the answer.
        words: the language.
        digits: how many significant digits.
        points: whether a probability is a difference of two, which is said in percentage points.
    """
    finding = answer.bound
    if answer.is_two_sided and math.isfinite(answer.below.largest) and math.isfinite(answer.largest):
        return _between(answer, words, digits, points=points)
    if math.isinf(finding.largest):
        return words.say("amount.unlimited")
    direction = answer.direction.name.lower()
    if _is_probability(finding, points=points):
        if ALMOST_ALL < finding.largest < 1.0:
            known = answer.direction in (Direction.EXACTLY, Direction.AT_LEAST)
            key = "amount.exceeded" if known else "amount.possibly_exceeded"
            return words.say(key, number=_almost_all(finding, words, points=points))
        if finding.largest == 1.0 and answer.direction is Direction.AT_MOST:
            direction = "nothing_ruled_out"
    number = bare(finding, finding.direction, words, digits, points=points)
    if answer.direction is Direction.EXACTLY:
        exact = np.array_equal(answer.value, answer.other_end) and number.value == answer.largest  # type: ignore[arg-type]
        direction = "exactly" if exact else "rounded"  # up, since it is not shown in full
    return words.say(f"amount.{direction}", number=number)


def _between(answer: Finding, words: Language, digits: int, *, points: bool) -> Passage:
    """Both ends of an answer; the upper one in words where it is nearly certain, or certain."""
    low, high = (bare(end, end.direction, words, digits, points=points) for end in (answer.below, answer.bound))
    if not _is_probability(answer, points=points) or answer.largest <= ALMOST_ALL:
        return words.say("amount.between", low=low, high=high)
    if answer.largest >= 1.0:
        return words.say("amount.from_unlimited", low=low)
    return words.say("amount.from", low=low, number=_almost_all(answer.bound, words, points=points))


def _is_probability(finding: Finding, *, points: bool) -> bool:
    return points or finding.quantity.unit is Unit.PROBABILITY


def _almost_all(finding: Finding, words: Language, *, points: bool) -> Said:
    """The number above which digits say nothing."""
    return Said(
        _in_words(f"{ALMOST_ALL:.1%}".replace("%", " %"), words, points=points), ALMOST_ALL, finding, "exceeded"
    )


def bare(finding: Finding, rounding: Direction, words: Language, digits: int = 3, *, points: bool = False) -> Said:
    """The number of a finding without words, rounded to the side that is named."""
    text = _text(finding.largest, rounding, Unit.PROBABILITY if points else finding.quantity.unit, digits)
    return Said(_in_words(text, words, points=points), read_back(text), finding)


def _text(value: float, rounding: Direction, unit: Unit, digits: int) -> str:
    """The number as findings show it; below zero the other side is the safe one, and percent are percent there too."""
    if value >= 0.0 or unit is not Unit.PROBABILITY:
        return number_text(value, rounding, unit, digits)
    mirrored = {Direction.AT_MOST: Direction.AT_LEAST, Direction.AT_LEAST: Direction.AT_MOST}
    return f"-{number_text(-value, mirrored.get(rounding, rounding), unit, digits)}"


def _in_words(text: str, words: Language, *, points: bool) -> str:
    """A number in the manner of the language, percent as percentage points where it is a difference."""
    if not points or not text.endswith(" %"):
        return words.digits(text)
    number = text.removesuffix(" %")
    return (
        words.digits(number) + words.say("numbers.point" if words.is_singular(float(number)) else "numbers.points").text
    )


def count(number: int, finding: Finding, part: str, words: Language) -> Said:
    """A whole number that goes with a finding, such as how many values it holds."""
    return Said(words.digits(f"{number:,}"), float(number), finding, part)


def beyond(finding: Finding, over: Randomness, key: str, words: Language) -> Passage:
    """The expected number of people for whom a bound fails, of how many; nothing where no population is named."""
    said: list[Passage] = []
    for found in people_beyond(finding):
        if found.inputs["over"] != over.name:
            continue
        text = number_of_people(found)
        number = words.say("amount.at_most", number=Said(words.digits(text), read_back(text), found))
        people = count(int(str(found.inputs["population"])), found, "inputs.population", words)
        said.append(words.say_number(f"{key}.beyond", people.value, number=number, population=people))
    return Passage.joined(said)


def several(finding: Finding, voice: str, words: Language) -> Passage:
    """That a finding holds several values, and how many; nothing where it holds one."""
    size = int(np.size(finding.value))
    return Passage("") if size == 1 else words.say(f"{voice}.several", number=count(size, finding, "size", words))


def given_amount(finding: Finding, name: str, value: float, words: Language, *, of: str = "inputs.") -> Passage:
    """A number that was given: as it is, or "about" to a few digits."""
    points = name in DIFFERENCES
    unit = Unit.PROBABILITY if points or name in PROBABILITIES else Unit.NUMBER
    text = number_text(value, Direction.AT_LEAST, unit, DIGITS)
    short = len(decimal(value).normalize().as_tuple().digits) <= DIGITS
    number = Said(_in_words(text, words, points=points), value if short else read_back(text), finding, f"{of}{name}")
    return words.say("amount.given" if short else "amount.about", number=number)


def upper(number: float, unit: Unit, finding: Finding, part: str, words: Language) -> Said:
    """A number that goes with a finding and must not be understated, such as its chance of failure: rounded up."""
    text = number_text(number, Direction.AT_MOST, unit)
    return Said(words.digits(text), read_back(text), finding, part)


def read_back(text: str) -> float:
    """The number that a text of the display states.

    >>> read_back("12.6 %"), read_back("1.3e-7")
    (0.126, 1.3e-07)
    """
    text = text.replace(",", "")
    if text.endswith(" %"):
        return float(Decimal(text.removesuffix(" %")).scaleb(-2))
    return float(text)


TOTALS = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
"""The totals of chances, such as 14 out of 100, the smallest that will do first."""

READABLE = 1_000_000
"""Beyond this total only a start that is smaller still counts."""

NEARLY_ALL = 1_000
"""A chance that is all but all of so many is said as more than all but one: no larger total makes it clearer."""

EXACT = 10_000
"""A start that is a whole number out of so many is shown exactly."""

BLUR = 2
"""A step from one chance to another is not shown more than so many times as large as it is, if that can be helped."""

WORDS = {
    Direction.AT_MOST: "at_most",
    Direction.EXACTLY: "at_most",
    Direction.ABOUT: "about",
    Direction.AT_LEAST: "at_least",
}
"""The words before a chance; an exact one has been rounded up, so it is at most that."""


@dataclass(frozen=True)
class Start:
    """A number that a finding starts from, such as its prior or its level."""

    finding: Finding
    part: str
    value: float


@dataclass(frozen=True)
class End:
    """The value of a finding, or the one of its values that a text states."""

    finding: Finding
    value: float


def smallest_total(starts: Sequence[float], ends: Sequence[float]) -> int:
    """The smallest total that shows all of these chances, and the steps from starts to ends as they are.

    >>> smallest_total([0.05], [0.136]), smallest_total([0.05], [0.0505]), smallest_total([0.001], [0.003])
    (100, 1000, 1000)
    """
    return next((total for total in TOTALS if _shows(total, starts, ends)), TOTALS[-1])


def start_text(start: Start, total: int, words: Language) -> Passage:
    """What a finding starts from: exactly, or rounded down."""
    count = math.floor(decimal(start.value) * total)
    if start.value in (0.0, 1.0):
        return words.say("chance.none" if start.value == 0.0 else "chance.all")
    if count == 0:
        return words.say("chance.tiny")
    return Passage.of(_phrase("chance.plain", count, total, start.finding, start.part, words))


def end_text(end: End, total: int, words: Language) -> Passage:
    """What a finding says: rounded up, or down if it is a lower bound, with the words of its direction before it."""
    direction, exact = end.finding.direction, decimal(end.value)
    lower = direction is Direction.AT_LEAST
    count = math.floor(exact * total) if lower else math.ceil(exact * total)
    if end.value in (0.0, 1.0):
        return words.say("chance.none" if end.value == 0.0 else "chance.everything")
    if count == total:
        return Passage.of(_phrase("chance.beyond", total - 1, total, end.finding, "exceeded", words))
    if count == 0:
        return words.say("chance.some")
    number = _phrase("chance.plain", count, total, end.finding, "value", words)
    return words.say(f"chance.{WORDS[direction]}", chance=number)


def alone(finding: Finding, part: str, value: float, words: Language) -> Passage:
    """A small chance that stands alone and must not be understated, such as that of failure: rounded up."""
    total = smallest_total([], [value])
    count = math.ceil(decimal(value) * total)
    return Passage.of(_phrase("chance.plain", count, total, finding, part, words))


def _shows(total: int, starts: Sequence[float], ends: Sequence[float]) -> bool:
    """Whether chances out of so many are neither none nor all of them, and the steps not much too large."""
    if not all(_start_shown(start, total) for start in starts):
        return False
    if total >= READABLE:
        return True
    pairs = [(start, end) for start in starts or [0.0] for end in ends]
    return all(_end_shown(end, total) for end in ends) and all(_step_shown(*pair, total) for pair in pairs)


def _start_shown(start: float, total: int) -> bool:
    count = decimal(start) * total
    exactly = count == math.floor(count) or decimal(start) * EXACT != math.floor(decimal(start) * EXACT)
    return start == 0.0 or (count >= 1 and exactly)


def _end_shown(end: float, total: int) -> bool:
    return end == 1.0 or math.ceil(decimal(end) * total) < total or total >= NEARLY_ALL


def _step_shown(start: float, end: float, total: int) -> bool:
    low, high = math.floor(decimal(start) * total), math.ceil(decimal(end) * total)
    return end <= start or high - low <= BLUR * (decimal(end) - decimal(start)) * total


def _phrase(key: str, count: int, total: int, finding: Finding, part: str, words: Language) -> Said:
    shown = {"count": words.digits(f"{count:,}"), "total": words.digits(f"{total:,}")}
    return Said(words.say(key, **shown).text, count / total, finding, part)


def decimal(value: float) -> Decimal:
    """The shortest decimal that names the double, as numbers are shown elsewhere."""
    return Decimal(repr(float(value)))
