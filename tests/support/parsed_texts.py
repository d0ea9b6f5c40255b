"""Numbers read back from a text, by rules of their own, and compared with the findings that they came from.

How a language writes its numbers is written down here once more, and not taken from the files of the languages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from whit.telling.words import Explanation, Said
from whit.theory import Direction, noises

NARROW, NO_BREAK = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u2212", "0123456789--")


@dataclass(frozen=True)
class Manner:
    """How a language writes numbers: its marks, the words of a chance, and those of percent and percentage points."""

    decimal: str
    thousands: str
    out_of: str
    percent: tuple[str, ...]

    @property
    def chance(self) -> re.Pattern[str]:
        """A count out of a total."""
        whole = rf"(\d{{1,3}}(?:{re.escape(self.thousands)}\d{{3}})*)"
        return re.compile(rf"{whole} {self.out_of} {whole}")

    def whole(self, text: str) -> int:
        """A whole number; thousands are marked as the language does it."""
        return int(text.replace(self.thousands, ""))

    def is_percent(self, text: str) -> bool:
        """Whether a number counts hundredths."""
        return text.endswith(self.percent)

    def plain(self, text: str) -> str:
        """A number as Python writes it, without its unit."""
        for unit in self.percent:
            text = text.removesuffix(unit)
        text = text.replace(self.thousands, "").replace(self.decimal, ".").replace(f"{NO_BREAK}\u00b7{NO_BREAK}10", "e")
        return text.translate(RAISED)


MANNERS = {
    "en": Manner(".", ",", "out of", (" %", " percentage points", " percentage point")),
    "de": Manner(",", NARROW, "von", tuple(f"{NO_BREAK}{unit}" for unit in ("%", "Prozentpunkte", "Prozentpunkt"))),
    "fr": Manner(
        ",",
        NARROW,
        "sur",
        tuple(f"{NO_BREAK}{unit}" for unit in ("%", "points de pourcentage", "point de pourcentage")),
    ),
}


def read(text: str, language: str = "en") -> float:
    """The number that a piece of text states, as a reader of the language takes it."""
    manner = MANNERS[language]
    chance = manner.chance.search(text)
    if chance:
        count, total = map(manner.whole, chance.groups())
        return count / total
    number = float(manner.plain(text))
    return number / 100 if manner.is_percent(text) else number


def rest_of(explanation: Explanation) -> str:
    """The text without the numbers that it accounts for, each found where it stands, in order."""
    text, rest, at = explanation.text, [], 0
    for said in explanation.numbers:
        place = text.index(said.text, at)
        rest.append(text[at:place])
        at = place + len(said.text)
    return " ".join([*rest, text[at:]])


def without(text: str, quoted: Iterable[str]) -> str:
    """The text without what it quotes, longest first."""
    for piece in sorted(set(quoted), key=len, reverse=True):
        text = text.replace(piece, " ")
    return text


def close(number: float, other: float) -> bool:
    return math.isclose(number, other, rel_tol=4e-16, abs_tol=5e-324)


def check_number(said: Said, language: str = "en") -> None:
    """Assert that a number reads as it says, and lies on the safe side of its finding."""
    read_number = read(said.text, language)
    assert close(read_number, said.value), said
    if said.part in ("value", "exceeded"):
        check_value(said, steps(said.text, language))
    elif said.part == "failure":
        chances = [each.probability for each in said.finding.basis.failures]
        assert any(chance <= said.value <= 1.02 * chance + steps(said.text, language) for chance in chances), said
    elif said.part == "change":
        changes = [each for noise in noises(said.finding.inputs) for each in every_number(noise)]
        assert any(each <= said.value <= each * (1 + 1e-5) for each in changes), said
    elif said.part.removeprefix("inputs.") in said.finding.inputs:
        check_input(said, language)
    else:
        assert said.part in ("size", "slack", "truncation") or said.part.startswith(("inputs.wanted.", "binding.")), (
            said
        )


def every_number(tree: object) -> list[float]:
    """The numbers of a tree, and how many each of its lists has."""
    if isinstance(tree, dict):
        return [number for each in tree.values() for number in every_number(each)]
    if isinstance(tree, list):
        return [float(len(tree)), *(number for each in tree for number in every_number(each))]
    return [float(tree)] if isinstance(tree, int | float) and not isinstance(tree, bool) else []


def check_value(said: Said, unit: float) -> None:
    """An upper bound is not understated, a lower one not overstated, and neither is far off."""
    truth = float(np.max(said.finding.value))
    if said.part == "exceeded":  # all but certainty, in words
        assert 0.99 <= said.value < truth < 1.0, said
    elif said.finding.direction is Direction.AT_LEAST:
        assert truth - unit <= said.value <= truth, said
    else:
        assert truth <= said.value <= truth + unit, said


def check_input(said: Said, language: str = "en") -> None:
    """What a bound starts from is repeated, or rounded down in a chance, or given to a few digits."""
    given = np.ravel(np.asarray(said.finding.inputs[said.part.removeprefix("inputs.")], dtype=float))
    if MANNERS[language].chance.search(said.text):
        unit = steps(said.text, language)
        assert any(each - unit < said.value <= each for each in given) or said.part == "inputs.level", said
    else:
        assert any(math.isclose(said.value, each, rel_tol=1e-5) for each in given), said


def steps(text: str, language: str = "en") -> float:
    """By how much the number may have been rounded: one out of the total, or one of the last digit shown."""
    manner = MANNERS[language]
    chance = manner.chance.search(text)
    if chance:
        return 1.0 / manner.whole(chance[2])
    scale = 100 if manner.is_percent(text) else 1
    bare = manner.plain(text)
    mantissa, _, exponent = bare.partition("e")
    decimals = len(mantissa.partition(".")[2])
    shown = len(re.sub(r"\D", "", mantissa).lstrip("0")) or 1
    # Zeros at the end are not written, so the last digit shown may stand above the one that was rounded.
    return (
        10.0 ** (int(exponent or 0) - decimals) / scale if shown >= 3 else max(abs(float(bare)) / 100, 5e-324) / scale
    )
