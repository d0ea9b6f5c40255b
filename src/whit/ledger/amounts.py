"""Exact sums: what a release is charged in each book, and what an account has spent.

An amount is a tuple of exact rationals: one number in most books, epsilon and delta in the book of their sums. A book
in which a release has no charge is closed: its amount is None from then on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, TypeAlias

from whit.errors import InvalidInput, TooCostly

Amount: TypeAlias = tuple[Fraction, ...]
Charges: TypeAlias = Mapping[str, "Amount | None"]

EVERYBODY = ""
"""What stands for the whole of a population among its parts."""

LARGEST = Fraction(10) ** 300
"""No charge and no total reaches it, so that each is a double too."""

LONGEST_DENOMINATOR = 8192
"""The most bits of a denominator: sums of doubles need up to 1,074, and a total must stay quick to add to."""

_NUMBER = re.compile(r"-?\d+(?:[/.]\d+)?", flags=re.ASCII)


def amount_text(amount: Amount | None) -> str | None:
    """An amount as text; None where there is none.

    >>> amount_text((Fraction(1, 3), Fraction(2)))
    '1/3 2'
    """
    return None if amount is None else " ".join(map(str, amount))


def read_amount(text: str | None) -> Amount | None:
    """The amount of a text; ValueError below 0, which would give budget back.

    >>> read_amount("1/3 0")
    (Fraction(1, 3), Fraction(0, 1))
    """
    if text is None:
        return None
    amount = tuple(map(read_fraction, text.split(" ")))
    if any(each >= LARGEST or each < 0 for each in amount):
        raise ValueError(text)
    return amount


def read_fraction(text: str) -> Fraction:
    """The number of a text, as a ledger has it: without an exponent, which alone could fill the memory.

    >>> read_fraction("1/3"), read_fraction("-2"), read_fraction("0.25")
    (Fraction(1, 3), Fraction(-2, 1), Fraction(1, 4))
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)


def charges_text(charges: Charges) -> dict[str, str | None]:
    """Charges as texts by book."""
    return {book: amount_text(amount) for book, amount in charges.items()}


def added(one: Amount | None, other: Amount | None) -> Amount | None:
    """The sum, coordinate by coordinate; None if either is.

    >>> added((Fraction(1, 3),), (Fraction(1, 6),))
    (Fraction(1, 2),)
    """
    if one is None or other is None:
        return None
    total = tuple(a + b for a, b in zip(one, other, strict=True))
    if any(each.denominator.bit_length() > LONGEST_DENOMINATOR for each in total):
        rule = f"must have a denominator of at most {LONGEST_DENOMINATOR:,} bits"
        raise TooCostly("the total of an account", rule, "more", "State the charge as a decimal with fewer digits.")
    if any(each >= LARGEST for each in total):
        raise TooCostly("the total of an account", "must be below 1e300", "more", "State a smaller charge.")
    return total


def within(amount: Amount | None, most: Amount | None) -> bool:
    """Whether an amount is there and no coordinate exceeds the most that is allowed."""
    return amount is not None and most is not None and all(a <= b for a, b in zip(amount, most, strict=True))


def largest(one: Amount | None, other: Amount | None) -> Amount | None:
    """The larger of both in each coordinate; None, which is no bound at all, if either is."""
    if one is None or other is None:
        return None
    return tuple(map(max, one, other))


@dataclass(frozen=True)
class Spent:
    """What an account has spent in one book: for releases about everybody, and further ones about single parts.

    Parts share no person, so that somebody is charged for everybody's releases and for those about one part: the total
    is that of the worst part.
    """

    everybody: Amount | None
    parts: Mapping[str, Amount | None] = field(default_factory=dict)

    @property
    def total(self) -> Amount | None:
        """What the person who is charged most has spent."""
        worst = self.everybody
        for further in self.parts.values():
            worst = largest(worst, added(self.everybody, further))
        return worst

    def plus(self, charge: Amount | None, parts: tuple[str, ...]) -> Spent:
        """This with a release about some parts, or about everybody if none is named."""
        if not parts:
            return Spent(added(self.everybody, charge), self.parts)
        none = nothing_of(self.everybody if charge is None else charge)
        further = {part: added(self.parts.get(part, none), charge) for part in parts}
        return Spent(self.everybody, {**self.parts, **further})

    def minus(self, charge: Amount | None, parts: tuple[str, ...]) -> Spent:
        """This without a release that was charged before and was cancelled; a book that it closed stays closed."""
        return self if charge is None else self.plus(tuple(-each for each in charge), parts)

    def to_tree(self) -> dict[str, Any]:
        """The sums as a plain tree of texts."""
        return {"everybody": amount_text(self.everybody), "parts": charges_text(self.parts)}


def nothing_of(like: Amount | None) -> Amount | None:
    """An amount of the same form that is 0 throughout; None of a book that is closed."""
    return None if like is None else tuple(Fraction(0) for _ in like)


def exact(name: str, number: object) -> Fraction:
    """An exact number of at least 0 from a fraction, a whole number, a double or a text such as 1/3, 0.1 or 1%.

    >>> exact("rho", "1/3"), exact("rho", 0.5)
    (Fraction(1, 3), Fraction(1, 2))
    """
    found: Fraction | None = None
    with suppress(ValueError, OverflowError, ZeroDivisionError, InvalidOperation):
        if isinstance(number, str) and number.endswith("%"):
            found = exact(name, number.removesuffix("%").strip()) / 100
        elif isinstance(number, str) and "/" not in number:
            found = _of_decimal(Decimal(number))
        elif isinstance(number, Fraction | int | float | str) and not isinstance(number, bool):
            found = Fraction(number)
    if found is None or not 0 <= found < LARGEST or found.denominator.bit_length() > LONGEST_DENOMINATOR:
        raise InvalidInput(name, "must be a number of at least 0", number, 'Use a number such as "1/3" or 0.01.')
    return found


def _of_decimal(number: Decimal) -> Fraction | None:
    """The decimal without rounding, unless its exponent alone would fill the memory."""
    return Fraction(number) if number.is_finite() and abs(number.adjusted()) <= _LARGEST_EXPONENT else None


_LARGEST_EXPONENT = 400
