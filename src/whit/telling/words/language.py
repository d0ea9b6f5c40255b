"""Sentences by key, in one file for each language.

A file holds templates with named gaps. Which sentence is said, and which numbers go into it, is decided elsewhere; how
it is said, and how a number is written, is decided in the file alone. So a new language is a new file with the same
keys and the same gaps, and nothing else moves.

What has an English text of its own elsewhere (quantities, theorems, assumptions) has its words in another language in
`names`, one file for each language but English.
"""

from __future__ import annotations

import os.path
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any

from whit.display import Row, Tabular, block, heading
from whit.errors import InvalidInput, UnknownKey
from whit.theory import Finding, basis_parts


@dataclass(frozen=True)
class Said:
    """A number as a text says it.

    Attributes:
        text: the words in which the number stands, such as "14 out of 100" or "13.6 %".
        value: the number that these words state.
        finding: the finding that it came from.
        part: what it is of the finding: its "value", one of its inputs such as "inputs.prior", or its "failure";
            "exceeded" is a number that the value is said to exceed, or possibly to exceed; "change" stands in what one
            record changes at most.
    """

    text: str
    value: float
    finding: Finding
    part: str = "value"


@dataclass(frozen=True)
class Passage:
    """A piece of text and the numbers in it, in the order in which they stand there."""

    text: str
    numbers: tuple[Said, ...] = ()

    @classmethod
    def of(cls, number: Said) -> Passage:
        """The passage that says one number and nothing else."""
        return cls(number.text, (number,))

    @classmethod
    def joined(cls, passages: Sequence[Passage], between: str = " ") -> Passage:
        """Several passages as one; empty ones are left out.

        >>> Passage.joined([Passage("One."), Passage(""), Passage("Two.")]).text
        'One. Two.'
        """
        some = [each for each in passages if each.text]
        numbers = tuple(number for each in some for number in each.numbers)
        return cls(between.join(each.text for each in some), numbers)


@dataclass(frozen=True)
class Explanation(Tabular):
    """A text for one audience, paragraph by paragraph, and every number in it with the finding it came from.

    Attributes:
        paragraphs: the text, the gist first.
        numbers: the numbers in the order in which they stand in the text.
    """

    paragraphs: tuple[str, ...]
    numbers: tuple[Said, ...]

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> Explanation:
        """The explanation that has these passages as its paragraphs; empty ones are left out."""
        some = [each for each in passages if each.text]
        return cls(tuple(each.text for each in some), tuple(number for each in some for number in each.numbers))

    @property
    def text(self) -> str:
        """The paragraphs with an empty line between them."""
        return "\n\n".join(self.paragraphs)

    def to_rows(self) -> list[Row]:
        """A row for each number of the text: the words in which it stands, and the finding that it came from."""
        return [
            {
                "text": each.text,
                "number": each.value,
                "part": each.part,
                "quantity": each.finding.quantity.name,
                "direction": each.finding.direction.name,
                "theorems": "; ".join(each.finding.basis.theorems),
            }
            for each in self.numbers
        ]

    def _repr_html_(self) -> str:
        """What a notebook shows: the gist, the other paragraphs, and what the numbers rest on."""
        first, rest = self.paragraphs[:1], self.paragraphs[1:]
        found = (each.finding for each in self.numbers)
        return block(*map(heading, first), *rest, *basis_parts(*found))

    def __str__(self) -> str:
        return self.text


FOLDER = os.path.join(os.path.dirname(__file__), "languages")
NAMES = os.path.join(os.path.dirname(__file__), "names")

_SCIENTIFIC = re.compile(r"(?P<mantissa>[^e]+)e(?P<exponent>[+-]?\d+)")
_EXPONENT_DIGITS = "0123456789-"


@dataclass(frozen=True, eq=False)
class Language:
    """The sentences of one language, by key.

    Attributes:
        code: the two letters of the language.
        templates: the sentences, by key.
        names: what has an English text elsewhere, in this language, by table and key; nothing for English.

    >>> language_of("en").say("belief.after", after="74 out of 100").text
    'Afterwards, they think it is 74 out of 100.'
    """

    code: str
    templates: Mapping[str, str]
    names: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))

    def say(self, key: str, /, **gaps: Said | Passage | str) -> Passage:
        """The sentence of this key with its gaps filled."""
        if key not in self.templates:
            way_out = f"Add it to languages/{self.code}.toml."
            raise UnknownKey("a sentence", f"must be in the language {self.code!r}", key, way_out)
        pieces: list[Passage] = []
        for literal, gap, _, _ in Formatter().parse(self.templates[key]):
            filled = Passage("") if gap is None else _passage(gaps[gap])
            pieces += [Passage(self._elided(literal, filled.text)), filled]
        return Passage.joined(pieces, between="")

    def _elided(self, before: str, after: str) -> str:
        """The text before a gap, with the elision of the language if the gap begins with a vowel."""
        word = self.templates.get("numbers.elided", "")
        if not word or not before.endswith(f" {word}") or not after.startswith(tuple("aeiouy")):
            return before
        return before.removesuffix(word) + self.templates["numbers.elision"]

    def say_number(self, key: str, number: float, /, **gaps: Said | Passage | str) -> Passage:
        """The sentence of this key in the singular or in the plural, as the number asks.

        >>> language_of("en").say_number("belief.beyond", 2, number="1", population="2").text
        'On average, that is 1 of 2 people.'
        """
        return self.say(f"{key}.{'one' if self.is_singular(number) else 'other'}", **gaps)

    def is_singular(self, number: float) -> bool:
        """Whether the language takes the singular beside this number."""
        return abs(number) < 2.0 if self.templates["numbers.singular"] == "below two" else number == 1.0

    def has(self, key: str) -> bool:
        """Whether there is a sentence of this key."""
        return key in self.templates

    def name(self, table: str, key: str, english: str) -> str:
        """What has an English text elsewhere, in this language; the English text where it is not translated."""
        return self.names.get(table, {}).get(key, english)

    def listed(self, things: Iterable[str], mark: str = "comma") -> str:
        """Things one after another, with the mark of the language between them."""
        return self.templates[f"list.{mark}"].join(things)

    def digits(self, text: str) -> str:
        """A number that is written in the English way, in the way of the language.

        >>> language_of("en").digits("1.3e-07")
        '1.3e-7'
        """
        if text.endswith(" %"):
            return self.digits(text.removesuffix(" %")) + self.templates["numbers.percent"]
        power = _SCIENTIFIC.fullmatch(text)
        if power:
            signs = dict(zip(_EXPONENT_DIGITS, self.templates["numbers.exponent_digits"], strict=True))
            exponent = "".join(signs[sign] for sign in str(int(power["exponent"])))
            return f"{self.digits(power['mantissa'])}{self.templates['numbers.exponent']}{exponent}"
        marks = {sign: self.templates[f"numbers.{name}"] for sign, name in _MARKS.items()}
        return "".join(marks.get(sign, sign) for sign in text)


_MARKS = {",": "thousands", ".": "decimal", "-": "minus"}
"""The marks in a number that is written in the English way, by their keys."""


def language_of(code: object) -> Language:
    """The language of this code."""
    known = languages()
    if isinstance(code, str) and code in known:
        return _read(code)
    way_out = f"Use one of {', '.join(map(repr, known))}."
    raise InvalidInput("language", "must be one that the sentences are written in", code, way_out)


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages that there are."""
    return tuple(sorted(name.removesuffix(".toml") for name in os.listdir(FOLDER) if name.endswith(".toml")))


@cache
def _read(code: str) -> Language:
    return Language(code, MappingProxyType(sentences_in(FOLDER, code)), _names(code))


def sentences_in(folder: str, code: str) -> dict[str, str]:
    """The sentences of one language by key, from its file in a folder."""
    with open(os.path.join(folder, f"{code}.toml"), "rb") as file:
        return _flat(tomllib.load(file))


def _names(code: str) -> Mapping[str, Mapping[str, str]]:
    """The names in another language; English has none, since they are in English where they come from."""
    path = os.path.join(NAMES, f"{code}.toml")
    if not os.path.exists(path):
        return MappingProxyType({})
    with open(path, "rb") as file:
        return MappingProxyType(tomllib.load(file))


def _flat(tables: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """The texts of nested tables by their dotted keys."""
    found: dict[str, str] = {}
    for name, content in tables.items():
        if isinstance(content, Mapping):
            found |= _flat(content, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = str(content)  # also a space that stands for itself
    return found


def _passage(gap: Said | Passage | str) -> Passage:
    if isinstance(gap, Said):
        return Passage.of(gap)
    return Passage(gap) if isinstance(gap, str) else gap


class Audience(Enum):
    """Who reads; the value is the name by which a caller asks."""

    PUBLIC = "public"
    OFFICER = "officer"
    TECHNICAL = "technical"


def audience_of(name: object) -> Audience:
    """The audience of this name."""
    names = [each.value for each in Audience]
    if isinstance(name, Audience):
        return name
    if isinstance(name, str) and name in names:
        return Audience(name)
    raise InvalidInput("audience", "must be one that texts are written for", name, f"Use one of {names}.")
