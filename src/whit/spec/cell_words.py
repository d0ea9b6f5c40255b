"""What is said about a cell, in the words of files: exact, rounded, a range, top-coded, withheld by a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from whit.audit import Between, Exact, Halves, Rounded, RoundedEitherWay, Statement, Suppressed, TopCoded
from whit.errors import InvalidInput

SDMX_FREE, SDMX_SECONDARY = ("", "F"), ("D", "S")
"""The marks of SDMX for cells that are published, and for those that were withheld to protect others.

Those of CL_CONF_STATUS 1.2 (2018): F is free, D is secondary confidentiality set by the sender, S the same set by the
receiver. All others withhold: A small counts, C confidential, G, O and T dominance, M concentration, N internal use, E
embargo.
"""

MOST_DIGITS = 27
"""The most digits of a value in units of the last decimal: decimal arithmetic keeps so many without rounding."""

_NUMBER = r"-?\d+(?:\.\d+)?"
_FLAGS = 'Use "suppressed", "suppressed: 1 to 4", "suppressed: complementary", "rounded to 5", "top-coded" or "exact".'
_HALVES = {"": Halves.EITHER, "up": Halves.UP, "down": Halves.DOWN}


@dataclass(frozen=True)
class Scale:
    """The unit of whole numbers: values are counted in units of the last decimal that any of them has."""

    decimals: int = 0

    def whole(self, value: Decimal) -> int:
        """A value in units of the last decimal.

        >>> Scale(1).whole(Decimal("2.5"))
        25
        """
        moved = self.moved(value)
        if moved != moved.to_integral_value():
            way_out = "Give all values with the same decimals."
            raise InvalidInput("a value", f"must have at most {self.decimals} decimals", str(value), way_out)
        return int(moved)

    def moved(self, value: Decimal) -> Decimal:
        """A value in units of the last decimal, which may have further ones; no digit of it is lost."""
        if value.is_zero():
            return Decimal(0)
        far = self.decimals > MOST_DIGITS or value.adjusted() + self.decimals >= MOST_DIGITS
        if far or len(value.as_tuple().digits) > MOST_DIGITS:
            rule = f"must have at most {MOST_DIGITS} digits, with the decimals of all values"
            raise InvalidInput("a value", rule, str(value), "Use fewer digits, or a larger unit.")
        return value.scaleb(self.decimals)

    def up(self, value: Decimal) -> int:
        """The least number of units that is not below a value."""
        return int(self.moved(value).to_integral_value(ROUND_CEILING))

    def down(self, value: Decimal) -> int:
        """The largest number of units that is not above a value."""
        return int(self.moved(value).to_integral_value(ROUND_FLOOR))

    def text(self, value: int) -> str:
        """A whole number of units as it was written.

        >>> Scale(1).text(25)
        '2.5'
        """
        return str(value) if not self.decimals else str(Decimal(value).scaleb(-self.decimals))


@dataclass(frozen=True)
class Read:
    """What a row says of its cell.

    statement   what is published
    is_further  whether the cell was withheld only to protect others
    truth       its value, where the file has it though it is withheld
    """

    statement: Statement
    is_further: bool = False
    truth: int | None = None


def decimals_of(text: str) -> int:
    """The most decimals of the numbers in a text.

    >>> decimals_of("2.50"), decimals_of("5to9")
    (2, 0)
    """
    return max((len(each.partition(".")[2]) for each in re.findall(_NUMBER, text, flags=re.ASCII)), default=0)


def read_value(text: str, place: str, scale: Scale) -> Statement:
    """What a value says by itself: a number, a range such as 5-9, 10+ for 10 or more, <5 for less than 5.

    >>> read_value("5to9", "line 2", Scale()), read_value("100+", "line 3", Scale())
    (Between(low=5, high=9), TopCoded(top=100))
    """
    if re.fullmatch(_NUMBER, text, flags=re.ASCII):
        return Exact(scale.whole(Decimal(text)))
    if found := re.fullmatch(rf"({_NUMBER})(?:-|–|to)({_NUMBER})", text, flags=re.ASCII):
        return Between(scale.whole(Decimal(found[1])), scale.whole(Decimal(found[2])))
    if found := re.fullmatch(rf"({_NUMBER})\+", text, flags=re.ASCII):
        return TopCoded(scale.whole(Decimal(found[1])))
    if found := re.fullmatch(rf"<({_NUMBER})", text, flags=re.ASCII):
        return Between(None, scale.whole(Decimal(found[1])) - 1)
    way_out = "Use a number, a range such as 5-9, 10+ or <5, or leave it empty if it is withheld."
    raise InvalidInput(place, "must be a value", text, way_out)


def read_cell(value: str, flag: str, place: str, scale: Scale, flags: Mapping[str, str], *, is_sdmx: bool) -> Read:
    """What a row says: its value, and its flag as the file or SDMX explains it."""
    if flag in flags:
        return flagged(flags[flag], value, place, scale)
    if is_sdmx and flag not in SDMX_FREE:
        return withheld(None, value, place, scale, is_further=flag in SDMX_SECONDARY)
    if not value:
        return Read(Suppressed())
    if flag and not is_sdmx:
        rule = f"must be explained, since the cell has a value and the flag {flag!r}"
        raise InvalidInput(
            f"{place} the flag", rule, flag, f'Write [table.flags] and under it {flag} = "...". {_FLAGS}'
        )
    return Read(read_value(value, place, scale))


def flagged(words: str, value: str, place: str, scale: Scale) -> Read:
    """What a row says whose flag has these words.

    >>> flagged("suppressed: 1 to 4", "", "line 2", Scale()).statement
    Suppressed(tells=Between(low=1, high=4))
    """
    said = " ".join(words.lower().split())
    kind, _, tells = (part.strip() for part in said.partition(":"))
    if kind == "suppressed":
        return withheld(tells, value, place, scale, is_further=tells == "complementary")
    number = read_value(value, place, scale) if value else None
    if not isinstance(number, Exact):
        raise InvalidInput(place, f"must have a number, since its flag says {said!r}", value or "none", _FLAGS)
    if said == "exact":
        return Read(number)
    if said == "top-coded":
        return Read(TopCoded(number.value))
    if found := re.fullmatch(rf"rounded to ({_NUMBER})(?: (either way)|,? halves (up|down))?", said, flags=re.ASCII):
        base = scale.whole(Decimal(found[1]))
        if found[2]:
            return Read(RoundedEitherWay(number.value, base))
        return Read(Rounded(number.value, base, None if base % 2 else _HALVES[found[3] or ""]))
    raise InvalidInput(f"the words of a flag, {said!r},", "must be known", words, _FLAGS)


def withheld(tells: str | None, value: str, place: str, scale: Scale, *, is_further: bool) -> Read:
    """What a withheld cell says, and its value where the file has it."""
    held = read_value(value, place, scale) if value else None
    truth = held.value if isinstance(held, Exact) else None
    if not tells or is_further:
        return Read(Suppressed(), is_further, truth)
    if found := re.fullmatch(rf"({_NUMBER}) to ({_NUMBER})", tells, flags=re.ASCII):
        rule: Statement = Between(*(scale.whole(Decimal(found[at])) for at in (1, 2)))
    elif found := re.fullmatch(rf"fewer than ({_NUMBER})", tells, flags=re.ASCII):
        rule = Between(None, scale.whole(Decimal(found[1])) - 1)
    else:
        raise InvalidInput("what a rule tells", "must be known", tells, _FLAGS)
    return Read(Suppressed(rule), is_further, truth)
