"""Numbers read back from a text, by rules of their own, and compared with the findings that they came from."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np

from whit.telling.explain import Explanation, Said
from whit.theory import Direction

CHANCE = re.compile(r"([\d,]+) out of ([\d,]+)")


def read(text: str) -> float:
    """The number that a piece of text states, as a reader takes it."""
    chance = CHANCE.search(text)
    if chance:
        count, total = (int(part.replace(",", "")) for part in chance.groups())
        return count / total
    number = float(re.sub(r"[,%\s]", "", text))
    return number / 100 if text.endswith("%") else number


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


def check_number(said: Said) -> None:
    """Assert that a number reads as it says, and lies on the safe side of its finding."""
    read_number = read(said.text)
    assert close(read_number, said.value), said
    if said.part == "value":
        check_value(said)
    elif said.part == "failure":
        chances = [each.probability for each in said.finding.basis.failures]
        assert any(chance <= said.value <= 1.02 * chance + steps(said.text) for chance in chances), said
    elif said.part.removeprefix("inputs.") in said.finding.inputs:
        check_input(said)
    else:
        assert said.part in ("size", "slack", "truncation") or said.part.startswith(("inputs.wanted.", "binding.")), (
            said
        )


def check_value(said: Said) -> None:
    """An upper bound is not understated, a lower one not overstated, and neither is far off."""
    truth, unit = float(np.max(said.finding.value)), steps(said.text)
    if "more than" in said.text:
        assert said.value < truth < 1.0, said
    elif said.finding.direction is Direction.AT_LEAST:
        assert truth - unit <= said.value <= truth, said
    else:
        assert truth <= said.value <= truth + unit, said


def check_input(said: Said) -> None:
    """What a bound starts from is repeated, or rounded down in a chance, or given to a few digits."""
    given = np.ravel(np.asarray(said.finding.inputs[said.part.removeprefix("inputs.")], dtype=float))
    if CHANCE.search(said.text):
        assert any(each - steps(said.text) < said.value <= each for each in given) or said.part == "inputs.level", said
    else:
        assert any(math.isclose(said.value, each, rel_tol=1e-5) for each in given), said


def steps(text: str) -> float:
    """By how much the number may have been rounded: one out of the total, or one of the last digit shown."""
    chance = CHANCE.search(text)
    if chance:
        return 1.0 / int(chance[2].replace(",", ""))
    scale = 100 if text.endswith("%") else 1
    bare = re.sub(r"[,%\s]", "", text)
    mantissa, _, exponent = bare.partition("e")
    decimals = len(mantissa.partition(".")[2])
    shown = len(re.sub(r"\D", "", mantissa).lstrip("0")) or 1
    # Zeros at the end are not written, so the last digit shown may stand above the one that was rounded.
    return (
        10.0 ** (int(exponent or 0) - decimals) / scale if shown >= 3 else max(abs(float(bare)) / 100, 5e-324) / scale
    )
