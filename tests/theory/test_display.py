from __future__ import annotations

import copy
import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from whit.theory import (
    Basis,
    Direction,
    Failure,
    Finding,
    Quantity,
    Randomness,
    Unit,
    bound_text,
    number_text,
    predicate,
    range_predicate,
)

AT_MOST, AT_LEAST, EXACTLY, ABOUT = Direction
NUMBER, PROBABILITY = Unit.NUMBER, Unit.PROBABILITY

BASIS = Basis.of("hockey-stick")
IT = Quantity("it", PROBABILITY)
NUMERAL = re.compile(r" (-?[0-9.]+(?:e-?[0-9]+)?)( %)?(?: \(rounded up\))?$")


def shown(sentence: str) -> Decimal:
    """The number that a sentence ends with, without any rounding."""
    match = NUMERAL.search(sentence)
    assert match, sentence
    return Decimal(match[1]).scaleb(-2 if match[2] else 0)


def last_digit(value: Decimal, unit: Unit) -> Decimal:
    """The unit of the last digit that three significant digits need, worked out from the rules of the display."""
    if unit is PROBABILITY and Decimal("0.5") < value < 1:
        first_digit_of_distance = (1 - value).adjusted()
        return Decimal(10) ** min(-3, first_digit_of_distance - 1)
    if abs(value) >= 10**6 or value == 0:
        return Decimal(10) ** (value.adjusted() - 2)
    return Decimal(10) ** min(0, value.adjusted() - 2)


def numbers(random: np.random.Generator, size: int) -> np.ndarray:
    """Numbers of either sign from 1e-300 to 1e300; a third of them short decimals, some round or infinite."""
    magnitudes = 10.0 ** random.uniform(-300.0, 300.0, size)
    ordinary = 10.0 ** random.uniform(-5.0, 8.0, size)
    mantissas, exponents = random.integers(1, 2000, size), random.integers(-9, 9, size)
    short = np.array([float(f"{m}e{e}") for m, e in zip(mantissas, exponents, strict=True)])
    chosen = np.choose(random.integers(0, 3, size), [magnitudes, ordinary, short])
    return chosen * random.choice([-1.0, 1.0], size)


def probabilities(random: np.random.Generator, size: int) -> np.ndarray:
    """Probabilities everywhere, near 0 down to 1e-300, near 1 up to the last double, and short decimals."""
    small = 10.0 ** random.uniform(-300.0, 0.0, size)
    tiny_distance = 10.0 ** random.uniform(-17.0, 0.0, size)
    short = random.integers(0, 1001, size) / 1000.0
    ends = random.choice([0.0, 1.0, np.nextafter(1.0, 0.0), 5e-324, 0.001, 0.999], size)
    kinds = [random.uniform(size=size), small, 1.0 - tiny_distance, 1.0 - small, short, ends]
    return np.choose(random.integers(0, len(kinds), size), kinds)


def check_the_printed_number(value: float, direction: Direction, unit: Unit) -> None:
    """On the safe side of the double, unless it is the very name of the double; and no further than one last digit.

    Beyond 99.9 % the words carry the number: what may exceed 99.9 %, and what is more than it.
    """
    sentence = str(Finding(Quantity("it", unit), value, direction, {}, BASIS))
    if unit is PROBABILITY and 0.999 < value:
        check_what_is_nearly_certain(sentence, value, direction)
        return
    printed, exact, named = shown(sentence), Decimal(value), Decimal(repr(value))
    safe = printed <= exact if direction is AT_LEAST else printed >= exact
    assert safe or printed == named, sentence
    assert abs(printed - named) < last_digit(named, unit), sentence
    assert ("exactly" in sentence) == (direction is EXACTLY and printed == named), sentence


def check_what_is_nearly_certain(sentence: str, value: float, direction: Direction) -> None:
    """An upper bound never says that the number is so large; only an upper bound of 1 rules nothing out."""
    if value == 1.0:
        certain = {AT_MOST: "may be 100 %: nothing is ruled out", EXACTLY: "is exactly 100 %"}
        assert sentence == f"it {certain.get(direction, f'is {direction.value} 100 %')}"
        return
    words = {AT_MOST: "may exceed 99.9 %", ABOUT: "is more than 99.9 % (an estimate)"}
    assert sentence == f"it {words.get(direction, 'is more than 99.9 %')}"


def check_many(seed: int, size: int) -> None:
    random = np.random.default_rng(seed)
    directions = random.choice(np.array(Direction, dtype=object), size)
    for value, direction in zip(numbers(random, size // 2), directions[::2], strict=True):
        check_the_printed_number(float(value), direction, NUMBER)
    for value, direction in zip(probabilities(random, size // 2), directions[1::2], strict=True):
        check_the_printed_number(float(value), direction, PROBABILITY)


def test_five_thousand_printed_numbers_are_safe_and_tight():
    check_many(seed=1, size=5_000)


@pytest.mark.slow
def test_a_hundred_thousand_printed_numbers_are_safe_and_tight():
    check_many(seed=2, size=100_000)


@pytest.mark.parametrize("digits", [1, 2, 3, 6, 17])
@pytest.mark.parametrize("direction", list(Direction))
def test_only_certainty_is_shown_as_all_of_it(direction, digits):
    random = np.random.default_rng(4)
    near = 1.0 - 10.0 ** random.uniform(-16.2, -1.0, 300)
    for value in (*near[near < 1.0], 1.0 - 2.0**-53, 1.0 - 2.0**-52):
        text = number_text(float(value), direction, PROBABILITY, digits)
        assert Decimal(text.removesuffix(" %")) < 100, value
    assert number_text(1.0, direction, PROBABILITY, digits) == "100 %"


def test_the_check_finds_a_number_on_the_wrong_side(monkeypatch):
    monkeypatch.setattr(Finding, "__str__", lambda _: "it is at most 12.5 %")
    with pytest.raises(AssertionError, match="it is at most 12.5 %"):
        check_the_printed_number(0.12516, AT_MOST, PROBABILITY)


def test_the_check_finds_a_sloppy_number(monkeypatch):
    monkeypatch.setattr(Finding, "__str__", lambda _: "it is at most 12.7 %")
    with pytest.raises(AssertionError, match="it is at most 12.7 %"):
        check_the_printed_number(0.12516, AT_MOST, PROBABILITY)


@pytest.mark.parametrize(
    ("value", "direction", "text"),
    [
        (0.12516, AT_MOST, "12.6 %"),
        (0.12516, AT_LEAST, "12.5 %"),
        (0.12516, EXACTLY, "12.6 %"),
        (0.12516, ABOUT, "12.6 %"),
        (0.0, AT_MOST, "0 %"),
        (1.0, AT_LEAST, "100 %"),
        (0.5, AT_MOST, "50 %"),
        (0.1, AT_MOST, "10 %"),
        (0.3, AT_LEAST, "30 %"),
        (0.001, AT_LEAST, "0.1 %"),
        (0.00099999, AT_MOST, "0.1 %"),
        (0.00099999, AT_LEAST, "0.0999 %"),
        (7.389e-4, AT_MOST, "0.0739 %"),
        (1.0e-4, AT_MOST, "0.01 %"),
        (0.99999e-4, AT_MOST, "0.01 %"),
        (0.99999e-4, AT_LEAST, "9.99e-5"),
        (1.2345e-7, AT_MOST, "1.24e-7"),
        (1.0e-5, AT_MOST, "1e-5"),
        (0.999991, AT_MOST, "99.9991 %"),
        (0.99912345, AT_MOST, "99.913 %"),
        (0.99912345, AT_LEAST, "99.912 %"),
        (0.9999, AT_MOST, "99.99 %"),
        (0.9951, AT_MOST, "99.51 %"),
        (0.999999999999999, AT_LEAST, "99.9999999999999 %"),
        (0.999999999999999, AT_MOST, "99.9999999999999 %"),
        (1.0 - 2.0**-53, AT_MOST, "99.99999999999999 %"),
        (1.0 - 2.0**-53, ABOUT, "99.99999999999999 %"),
        (1.0, AT_MOST, "100 %"),
        (1.0 - 1e-11, AT_MOST, "99.999999999 %"),
    ],
)
def test_probabilities_as_text(value, direction, text):
    assert number_text(value, direction, PROBABILITY) == text


@pytest.mark.parametrize(
    ("value", "direction", "text"),
    [
        (0.7472, AT_LEAST, "0.747"),
        (0.7472, AT_MOST, "0.748"),
        (2.0, EXACTLY, "2"),
        (-1.2345, AT_MOST, "-1.23"),
        (-1.2345, AT_LEAST, "-1.24"),
        (26.0, AT_LEAST, "26"),
        (123456.0, EXACTLY, "123456"),
        (123456.2, AT_MOST, "123457"),
        (999999.5, AT_MOST, "1e6"),
        (1234567.0, AT_MOST, "1.24e6"),
        (1234567.0, AT_LEAST, "1.23e6"),
        (0.0012345, AT_MOST, "0.00124"),
        (0.00012345, AT_MOST, "1.24e-4"),
        (-700.1234, AT_MOST, "-700"),
        (0.0, ABOUT, "0"),
        (-0.0, ABOUT, "0"),
        (1e300, AT_MOST, "1e300"),
        (math.inf, EXACTLY, "unlimited"),
        (-math.inf, AT_MOST, "minus infinity"),
    ],
)
def test_numbers_as_text(value, direction, text):
    assert number_text(value, direction, NUMBER) == text


@pytest.mark.parametrize(("digits", "text"), [(1, "20 %"), (2, "13 %"), (4, "12.52 %"), (6, "12.516 %")])
def test_the_number_of_digits_can_be_chosen(digits, text):
    assert number_text(0.12516, AT_MOST, PROBABILITY, digits) == text


@pytest.mark.parametrize(
    ("value", "direction", "unit", "said"),
    [
        (0.12516, AT_MOST, PROBABILITY, "is at most 12.6 %"),
        (0.12516, AT_LEAST, PROBABILITY, "is at least 12.5 %"),
        (0.12516, ABOUT, PROBABILITY, "is about 12.6 %"),
        (0.12516, EXACTLY, PROBABILITY, "is 12.6 % (rounded up)"),
        (0.125, EXACTLY, PROBABILITY, "is exactly 12.5 %"),
        (0.05, EXACTLY, PROBABILITY, "is exactly 5 %"),
        (math.inf, AT_MOST, NUMBER, "has no known upper bound"),
        (math.inf, AT_LEAST, NUMBER, "is unlimited"),
        (math.inf, EXACTLY, NUMBER, "is unlimited"),
        (-math.inf, AT_LEAST, NUMBER, "has no known lower bound"),
        (-math.inf, AT_MOST, NUMBER, "is minus infinity"),
        (0.999, AT_MOST, PROBABILITY, "is at most 99.9 %"),
        (0.99901, AT_MOST, PROBABILITY, "may exceed 99.9 %"),
        (0.99901, AT_LEAST, PROBABILITY, "is more than 99.9 %"),
        (0.99901, EXACTLY, PROBABILITY, "is more than 99.9 %"),
        (0.99901, ABOUT, PROBABILITY, "is more than 99.9 % (an estimate)"),
        (0.99901, AT_MOST, NUMBER, "is at most 1"),
        (1.0 - 2.0**-53, AT_MOST, PROBABILITY, "may exceed 99.9 %"),
        (1.0, AT_MOST, PROBABILITY, "may be 100 %: nothing is ruled out"),
        (1.0, AT_LEAST, PROBABILITY, "is at least 100 %"),
        (1.0, EXACTLY, PROBABILITY, "is exactly 100 %"),
        (1.0, AT_MOST, NUMBER, "is at most 1"),
    ],
)
def test_what_a_sentence_says(value, direction, unit, said):
    assert predicate(value, direction, unit) == said


def test_notes_stand_in_one_pair_of_brackets():
    assert predicate(0.12516, EXACTLY, PROBABILITY, ("a", "b")) == "is 12.6 % (rounded up; a; b)"
    assert predicate(math.inf, AT_MOST, NUMBER, ("a",)) == "has no known upper bound (a)"


@pytest.mark.parametrize(
    ("lower", "upper", "unit", "said"),
    [
        (0.1234, 0.1278, PROBABILITY, "is between 12.3 % and 12.8 %"),
        (0.12516, 0.12517, PROBABILITY, "is 12.6 % (rounded up)"),
        (0.125, 0.125, PROBABILITY, "is exactly 12.5 %"),
        (0.5 - 2**-54, 0.5 + 2**-53, PROBABILITY, "is 50 % (to within 2e-16)"),
        (0.0, 1e-300, PROBABILITY, "is between 0 % and 1e-300"),
        (0.49, 0.51, PROBABILITY, "is between 49 % and 51 %"),
        (3.0, math.inf, NUMBER, "is between 3 and unlimited"),
        (-math.inf, 3.0, NUMBER, "is between minus infinity and 3"),
        (math.inf, math.inf, NUMBER, "is unlimited"),
        (0.25, 0.99996, PROBABILITY, "is between 25 % and more than 99.9 %"),
        (0.25, 1.0, PROBABILITY, "is between 25 % and 100 %"),
        (0.9992, 0.99996, PROBABILITY, "is more than 99.9 %"),
        (0.9992, 1.0, PROBABILITY, "is more than 99.9 %"),
    ],
)
def test_what_a_sentence_says_of_a_range(lower, upper, unit, said):
    assert range_predicate(lower, upper, unit) == said


def test_a_range_shown_as_one_number_holds_it():
    random = np.random.default_rng(3)
    for middle in random.integers(1, 1000, 300) / 1000.0:
        lower, upper = (float(np.nextafter(middle, side)) for side in (0.0, 1.0))
        margin = Decimal(re.search(r"within ([0-9.e-]+)\)", range_predicate(lower, upper, PROBABILITY))[1])
        named = Fraction(repr(float(middle)))
        farthest = max(Fraction(upper) - named, named - Fraction(lower))
        assert farthest <= Fraction(margin) <= 2 * farthest


@pytest.mark.parametrize(
    ("value", "direction", "unit", "said"),
    [
        (0.12516, AT_MOST, PROBABILITY, "at most 12.6 %"),
        (0.12516, AT_LEAST, PROBABILITY, "at least 12.5 %"),
        (0.12516, EXACTLY, PROBABILITY, "12.6 %"),
        (0.12516, ABOUT, PROBABILITY, "about 12.6 %"),
        (0.9996, AT_MOST, PROBABILITY, "may exceed 99.9 %"),
        (0.9996, EXACTLY, PROBABILITY, "more than 99.9 %"),
        (1.0, AT_MOST, PROBABILITY, "may be 100 % (nothing is ruled out)"),
        (1.0, EXACTLY, PROBABILITY, "100 %"),
        (math.inf, AT_MOST, NUMBER, "no known upper bound"),
        (1.0, AT_MOST, NUMBER, "at most 1"),
    ],
)
def test_a_bound_in_a_table_has_the_word_of_its_direction(value, direction, unit, said):
    assert bound_text(value, direction, unit) == said
    assert direction is EXACTLY or Finding(Quantity("it", unit), value, direction, {}, BASIS).brief() == said


@pytest.mark.parametrize(
    ("value", "less_is_worse", "said"),
    [
        (0.12516, False, "12.6 % (rounded up)"),
        (0.12516, True, "12.5 % (rounded down)"),
        (0.125, True, "exactly 12.5 %"),
        (1.0, False, "exactly 100 %"),
    ],
)
def test_an_exact_number_says_to_which_side_it_is_rounded(value, less_is_worse, said):
    found = Finding(Quantity("it", PROBABILITY, less_is_worse), value, EXACTLY, {}, BASIS)
    assert found.brief() == said
    assert str(found) == f"it is {said}"


FAILING = Basis(("hockey-stick",), (Failure(0.01, Randomness.MECHANISM),))


@pytest.mark.parametrize(
    ("failures", "said"),
    [
        ((), ""),
        ((Failure(0.01, Randomness.MECHANISM),), "except with probability 1 %"),
        ((Failure(1.2345e-7, Randomness.BELIEF),), "except with probability 1.24e-7"),
        (
            (Failure(0.01, Randomness.MECHANISM), Failure(0.002, Randomness.SIMULATION)),
            "except with probability 1 % over the noise of the release and 0.2 % over the draws of a simulation",
        ),
    ],
)
def test_a_basis_words_its_exception(failures, said):
    assert Basis(("hockey-stick",), failures).exception == said


def test_a_sentence_ends_with_its_exception():
    assert str(Finding(IT, 0.125, AT_MOST, {}, FAILING)) == "it is at most 12.5 %, except with probability 1 %"
    several = str(Finding(IT, [0.125, 0.1], AT_MOST, {}, FAILING))
    assert several == "it is at most 12.5 % (the largest of 2 values), except with probability 1 %"


@pytest.mark.parametrize(
    ("value", "said", "brief"),
    [
        (1.0, "it may exceed 99.9 % (failure probability 1 %)", "may exceed 99.9 %"),
        (0.5, "it is at most 50 %, except with probability 1 %", "at most 50 %"),
    ],
)
def test_a_bound_that_is_certainty_only_by_rounding_is_short_of_it_in_words(value, said, brief):
    found = Finding(IT, value, AT_MOST, {"failure": 0.01}, FAILING, short_of_certainty=True)
    assert (str(found), found.brief(), float(found)) == (said, brief, value)
    assert found != Finding(IT, value, AT_MOST, {"failure": 0.01}, FAILING)
    assert Finding.from_json(found.to_json()) == found == copy.deepcopy(found)


def test_what_cannot_fail_has_no_exception():
    assert Finding(IT, 1.0, AT_MOST, {}, FAILING).exception == ""
    place = Finding(Quantity("worst prior", PROBABILITY, certain=True), 0.25, EXACTLY, {}, FAILING)
    assert place.exception == ""
    assert str(place) == "worst prior is exactly 25 % (failure probability 1 %)"


@pytest.mark.parametrize(
    ("value", "inputs", "note"),
    [
        (1.0, {"failure": 0.0}, " (without a failure probability)"),
        (1.0, {"failure": 0.0, "prior": 0.5}, " (without a failure probability)"),
        ([1.0, 0.5], {"failure": [0.0, 0.0]}, " (without a failure probability; the largest of 2 values)"),
        (1.0, {"failure": 0.0, "prior": 1.0}, ""),
        (1.0, {"failure": 0.01}, ""),
        (1.0, {}, ""),
    ],
)
def test_a_bound_that_rules_nothing_out_says_what_is_missing(value, inputs, note):
    said = str(Finding(IT, value, AT_MOST, inputs, BASIS))
    assert said == f"it may be 100 %: nothing is ruled out{note}"
