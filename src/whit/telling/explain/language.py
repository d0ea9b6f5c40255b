"""Sentences by key, in one file for each language.

A file holds templates with named gaps. Which sentence is said, and which numbers go into it, is decided elsewhere; how
it is said, and how a number is written, is decided in the file alone. So a new language is a new file with the same
keys and the same gaps, and nothing else moves.
"""

from __future__ import annotations

import os.path
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any

from whit.errors import InvalidInput, UnknownKey
from whit.telling.explain.explanation import Passage, Said

FOLDER = os.path.join(os.path.dirname(__file__), "languages")


@dataclass(frozen=True, eq=False)
class Language:
    """The sentences of one language, by key.

    >>> language_of("en").say("belief.after", after="74 out of 100").text
    'Afterwards, they think it is 74 out of 100.'
    """

    code: str
    templates: Mapping[str, str]

    def say(self, key: str, /, **gaps: Said | Passage | str) -> Passage:
        """The sentence of this key with its gaps filled."""
        if key not in self.templates:
            way_out = f"Add it to languages/{self.code}.toml."
            raise UnknownKey("a sentence", f"must be in the language {self.code!r}", key, way_out)
        pieces: list[Passage] = []
        for literal, gap, _, _ in Formatter().parse(self.templates[key]):
            pieces.append(Passage(literal))
            if gap is not None:
                pieces.append(_passage(gaps[gap]))
        return Passage.joined(pieces, between="")

    def has(self, key: str) -> bool:
        """Whether there is a sentence of this key."""
        return key in self.templates

    def digits(self, text: str) -> str:
        """A number that is written in the English way, in the way of the language."""
        marks = {",": self.templates["numbers.thousands"], ".": self.templates["numbers.decimal"]}
        return "".join(marks.get(sign, sign) for sign in text)


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
    with open(os.path.join(FOLDER, f"{code}.toml"), "rb") as file:
        return Language(code, MappingProxyType(_flat(tomllib.load(file))))


def _flat(tables: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """The texts of nested tables by their dotted keys."""
    found: dict[str, str] = {}
    for name, content in tables.items():
        if isinstance(content, Mapping):
            found |= _flat(content, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = str(content).strip()
    return found


def _passage(gap: Said | Passage | str) -> Passage:
    if isinstance(gap, Said):
        return Passage.of(gap)
    return Passage(gap) if isinstance(gap, str) else gap
