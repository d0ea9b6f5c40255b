"""Names and values that know their place: options, one text, or the table of a file.

Numbers are read as people write them: decimals, percentages, ranges and counts; none becomes 0 or infinite unnoticed.
"""

from __future__ import annotations

import math
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from typing import TypeVar

from whit.errors import Incompatible, InvalidInput, WhitError, meant_or_listed, nearest, shown, unknown_name
from whit.setting import SAYS_NOTHING, Knowledge, When

Value = TypeVar("Value")

_BELIEFS = ("prior", "inclusion", "value", "posterior", "difference", "change", "predictive_value", "absolute")
_TESTS = ("power", "level", "advantage", "baseline", "success")
_CHANCES = ("failure", "delta", "at_delta", "total_delta", "sampling_rate")
PROBABILITIES = frozenset((*_BELIEFS, *_TESTS, *_CHANCES))
"""What may also be written in percent."""

KNOWS = {each.name.lower(): each for each in Knowledge}
"""What an adversary knows of the others, by its words."""

WHEN = {each.name.lower(): each for each in When}
"""At which moment a bound is to hold, by its words."""

MOST = 2**53
"""The largest count: from here on a double no longer tells one from the next."""

LONGEST_TEXT = 10_000
"""A longer text is refused: a word of a hundred thousand letters would be set in a report for minutes."""

"""Three digits after a comma, as people write large numbers."""

_WIDEST = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Python's own context loses digits from the 29th on, and takes 1e-1000100 for 0."""

_NUMBER = "Use a number such as 0.5 or 1e-6."
_RANGE = "Use 0.1, 0.1..0.6 or [0.1, 0.6], in rising order."


class AsWritten(str):
    """A text in the words of the file that it speaks of; nobody spells it in other words."""

    __slots__ = ()


class Source(ABC):
    """Where names and values were written."""

    @abstractmethod
    def key(self, key: str) -> str:
        """How a key is written there."""

    def place(self, key: str) -> str:
        """The key with its place, for a message."""
        return self.key(key)

    def about(self, name: str) -> str:
        """Something that no single key is to blame for, with its place."""
        return name

    def inside(self, *path: str | int) -> Source:
        """The source of a table inside of this one."""
        return self

    def stating(self, values: Mapping[str, object]) -> str:
        """How these values would be written there, for a way out."""
        return ", ".join(f"{self.key(key)}={as_written(value)}" for key, value in values.items())

    def said(self, text: str) -> str:
        """A text of a message that has keys in it, as they are written there."""
        return text


@dataclass(frozen=True)
class Options(Source):
    """Options of a command, which are their own place."""

    def key(self, key: str) -> str:
        """Two hyphens, and hyphens inside.

        >>> Options().key("sampling_rate")
        '--sampling-rate'
        """
        return f"--{key.replace('_', '-')}"

    def stating(self, values: Mapping[str, object]) -> str:
        """Options with their values; those that are on or off have none.

        >>> Options().stating({"epsilon": 1, "delta": "1e-6"})
        '--epsilon 1 --delta 1e-6'
        """
        valued = {key: "" if value is True else f" {as_written(value)}" for key, value in values.items()}
        return " ".join(f"{self.key(key)}{value}" for key, value in valued.items())


@dataclass(frozen=True)
class Text(Source):
    """One text, `name=value, name=value`."""

    text: str

    def key(self, key: str) -> str:
        """The name itself, with hyphens."""
        return key.replace("_", "-")

    def place(self, key: str) -> str:
        """The name, and the text that it stands in."""
        return f'{self.key(key)} in "{shown(self.text)}"'

    def about(self, name: str) -> str:
        """The name of the whole, and the text."""
        return f'{name}, "{shown(self.text)}",'

    def stating(self, values: Mapping[str, object]) -> str:
        """The whole text, in quotes."""
        return f'"{super().stating(values)}"'


@dataclass(frozen=True)
class Tree(Source):
    """A table that is no text of anybody's: names and values as a program gives them."""

    what: str

    def key(self, key: str) -> str:
        """The name itself, with hyphens."""
        return key.replace("_", "-")

    def place(self, key: str) -> str:
        """The name, and what it belongs to."""
        return f"{self.key(key)} of {self.what}"


@dataclass(frozen=True)
class Given:
    """Values by name, as they were written, and where.

    Attributes:
        values: numbers, texts, lists and tables; hyphens in names are underscores.
        source: where they stand.
        spelling: the key that a value stands under, where that is not its name.
    """

    values: Mapping[str, object]
    source: Source = field(default_factory=Options)
    spelling: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def __bool__(self) -> bool:
        return bool(self.values)

    def key(self, key: str) -> str:
        """A key as it is written."""
        return self.source.key(self.spelling.get(key, key))

    def keys(self, keys: Collection[str]) -> str:
        """Several keys as they are written."""
        return " and ".join(map(self.key, keys)) or "nothing"

    def place(self, key: str) -> str:
        """A key with its place."""
        return self.source.place(self.spelling.get(key, key))

    def renamed(self, key: str, name: str) -> Given:
        """The same with another name for the value of a key."""
        values = {(name if each == key else each): value for each, value in self.values.items()}
        return replace(self, values=values, spelling={**self.spelling, name: key})

    def only(self, known: Collection[str], *, needed: Collection[str] = ()) -> Given:
        """The values themselves, if none but known names are among them and all that are needed."""
        for key in self.values:
            if key not in known:
                way_out = meant_or_listed([*map(self.key, nearest(key, known))], [*map(self.key, known)])
                raise self.invalid(key, "is not known here", way_out, self.key(key))
        for key in needed:
            if key not in self.values:
                way_out = self.source.said(f"State {self.key(key)}.")
                raise InvalidInput(self.place(key), "must be given", "nothing", way_out)
        return self

    def invalid(self, key: str, rule: str, way_out: str, value: object = None) -> InvalidInput:
        """The error about a value that breaks a rule; it says the value, or what stands for it in a message."""
        found = as_written(self.values[key]) if value is None else value
        said = self.source.said
        return InvalidInput(self.place(key), said(rule), found, said(way_out), parameter=key)

    def refuse(self, key: str, rule: str, way_out: str = "Leave it out.") -> Incompatible:
        """The error about a value that does not apply."""
        said, found = self.source.said, as_written(self.values[key])
        return Incompatible(self.place(key), said(rule), found, said(way_out), parameter=key)

    def wrong(self, name: str, rule: str, value: object, way_out: str) -> Incompatible:
        """The error about values that do not go together."""
        return Incompatible(self.source.about(name), self.source.said(rule), value, self.source.said(way_out))

    def number(self, key: str) -> float:
        """One number; what is none, what a double cannot hold, and a percentage without its sign are refused.

        >>> Given({"posterior": "30 %"}).number("posterior")
        0.3
        """
        exact = self._exact(key)
        found = float(exact)
        if not exact.is_zero() and abs(found) < sys.float_info.min:
            rule = "must not be so small that a double loses its digits"
            raise self.invalid(key, rule, "Use a number from 1e-300 on.")
        if math.isinf(found):
            raise self.invalid(key, "must be a number that a double holds", _NUMBER)
        if key in PROBABILITIES and not 0.0 <= found <= 1.0:
            raise self.invalid(key, "must be a probability in [0, 1]", self._as_share(key, found))
        if key == "failure" and found == 1.0:
            way_out = "Use a chance such as 0.01; 0 asks for what always holds."
            raise self.invalid(key, SAYS_NOTHING, way_out, "1")
        return found

    def whole(self, key: str, *, most: int = MOST) -> int:
        """One whole number of at least 1."""
        exact = self._exact(key, "must be a whole number", "Use a number such as 12.")
        if 1 <= exact <= most and exact == exact.to_integral_value():
            return int(exact)
        if most < MOST:
            raise self.invalid(key, f"must be a whole number from 1 to {most}", "Use 1.")
        rule = f"must be a whole number of at {'least 1' if exact <= most else f'most {most:.0e}'}"
        raise self.invalid(key, rule, "Use a number such as 12.")

    def span(self, key: str) -> tuple[float, float]:
        """Two numbers in order, written as 0.1..0.6 or as a list; one number is both ends.

        >>> Given({"inclusion": "10%..60%"}).span("inclusion")
        (0.1, 0.6)
        """
        value = self.values[key]
        ends = value.split("..") if isinstance(value, str) else value if isinstance(value, list) else [value]
        if len(ends) not in (1, 2):
            raise self.invalid(key, "must be a number or a range", _RANGE)
        if isinstance(value, str) and len(ends) == 1 and ":" in value:
            raise self.invalid(
                key, "must be a number or a range", f"Write {value.replace(':', '..')}, with two points."
            )
        low, high = (replace(self, values={key: end}).number(key) for end in (ends[0], ends[-1]))
        if low > high:
            raise self.invalid(key, "must be a range in rising order", _RANGE)
        return low, high

    def word(self, key: str, words: Mapping[str, Value], *, between: str = "-") -> Value:
        """What a word stands for; hyphens, underscores and blanks are one, and `between` is what a message has."""
        found = self.values[key]
        if isinstance(found, str) and (known := plain(found).replace(" ", "_")) in words:
            return words[known]
        raise unknown_name(self.place(key), found, [word.replace("_", between) for word in words], parameter=key)

    def words(self, key: str) -> str:
        """A text; an empty one if the key is not there."""
        found = self.values.get(key, "")
        if not isinstance(found, str) or (key in self and not found.strip()):
            said = "an empty one" if found == "" else found
            raise self.invalid(key, "must be a text that is not empty", "Put it in quotes.", said)
        self._require_short(key, found)
        return " ".join(found.split())

    def list_of_words(self, key: str) -> tuple[str, ...]:
        """Texts; none if the key is not there."""
        found = self.values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, str) and each.strip() for each in found):
            raise self.invalid(key, "must be a list of texts", 'Write it as ["one", "two"].', found)
        for each in found:
            self._require_short(key, each)
        return tuple(" ".join(each.split()) for each in found)

    def _require_short(self, key: str, text: str) -> None:
        """Refuse a text that would be set in a report for minutes."""
        if len(text) > LONGEST_TEXT:
            rule = f"must have at most {LONGEST_TEXT:,} characters"
            raise self.invalid(key, rule, "Shorten it, and say the rest elsewhere.", f"{len(text):,} of them")

    def table(self, key: str) -> Given:
        """The table of this name; an empty one if there is none."""
        values = self.values.get(key, {})
        if not isinstance(values, Mapping):
            raise self.invalid(key, "must be a table", f"Write [{key}] on a line of its own.", values)
        return tabled(values, self.source.inside(key))

    def tables(self, key: str) -> tuple[Given, ...]:
        """The tables of this name: one [name], several [[name]], or none."""
        rows = self.values.get(key, [])
        if isinstance(rows, Mapping):
            return (self.table(key),)
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise self.invalid(key, "must be a table", f"Write [{key}] above it, or [[{key}]] above each.", rows)
        return tuple(tabled(row, self.source.inside(key, at)) for at, row in enumerate(rows))

    @contextmanager
    def placed(self, **names: str) -> Iterator[None]:
        """Put the place before what a value made of these says is wrong.

        Args:
            names: the key that a parameter of the value was read from, where that is not its own name.
        """
        try:
            yield
        except WhitError as wrong:
            key = names.get(wrong.parameter, wrong.parameter)
            name = self.place(key) if key in self else self.source.about(wrong.name)
            own = key in self and not isinstance(wrong.value, str)
            value = as_written(self.values[key]) if own else wrong.value
            own_key = key if key in self else wrong.parameter
            raise type(wrong)(
                name, wrong.rule, value, wrong.way_out, parameter=own_key, suggested=wrong.suggested
            ) from wrong

    def _exact(self, key: str, rule: str = "must be a number", way_out: str = _NUMBER) -> Decimal:
        """The number without rounding; a percent sign moves its point."""
        value, moved = self.values[key], 0
        if isinstance(value, str) and value.rstrip().endswith("%") and key in PROBABILITIES:
            value, moved = value.rstrip().removesuffix("%").strip(), -2
        exact = Decimal("nan")
        if isinstance(value, str | int | float | Decimal) and not isinstance(value, bool):
            with suppress(ArithmeticError, ValueError):
                exact = _WIDEST.scaleb(Decimal(str(value) if isinstance(value, float) else value), moved)
        if not exact.is_finite():
            raise self.invalid(key, rule, _without_comma(value, whole="whole" in rule) or way_out)
        return exact

    def _as_share(self, key: str, found: float) -> str:
        """The way out of a probability that is none: a percentage without its sign is the usual mistake."""
        if str(self.values[key]).rstrip().endswith("%"):
            return "Use a share from 0 % to 100 %."
        share = float(Decimal(repr(found)).scaleb(-2))
        return f"{found:g} % is {share:g}." if 1.0 < found <= 100.0 else "Use a number such as 0.1."


def _without_comma(value: object, *, whole: bool) -> str:
    """What to write for a number with a comma: a point, or nothing between thousands; empty where there is none."""
    parts = re.fullmatch(r"\s*([+-]?\d+),(\d+)\s*", value) if isinstance(value, str) else None
    if parts is None:
        return ""
    first, rest = parts.groups()
    if len(rest) != 3:
        return "" if whole else f"Write {first}.{rest}."
    return f"Write {first}{rest}." if whole else f"Write {first}{rest}, or {first}.{rest} with a point."


def as_written(value: object) -> object:
    """A value as it was written, for a message: numbers of a file keep their digits."""
    if isinstance(value, list):
        return f"[{', '.join(str(as_written(each)) for each in value)}]"
    return str(value) if isinstance(value, Decimal) else value


def plain(name: str) -> str:
    """A name with hyphens and underscores made one, in small letters."""
    return name.strip().lower().replace("-", "_")


def tabled(values: Mapping[str, object], source: Source) -> Given:
    """Values by their plain names; one that is given twice is refused."""
    found = Given({plain(key): value for key, value in values.items()}, source)
    if len(found.values) < len(values):
        names = [plain(key) for key in values]
        twice = next(key for key in names if names.count(key) > 1)
        raise InvalidInput(found.place(twice), "must be given once", found.key(twice), "Leave out one of them.")
    return found


def tree(what: str, values: Mapping[str, object]) -> Given:
    """The names and values of a table that a program gives, such as one that whit wrote as JSON.

    >>> tree("a promise", {"sampling-rate": 0.1}).number("sampling_rate")
    0.1
    """
    return tabled(values, Tree(what))
