"""The words of pictures: sentences by key from one file for each language, and numbers in the manner of the language.

Every picture has all its words here; names that a user or the catalogue gives stay as they are.
"""

from __future__ import annotations

import json
import math
import os.path
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from whit.setting import Neighbours
from whit.telling.words.language import Language, language_of, sentences_in
from whit.telling.words.promises import in_few_words
from whit.theory import Direction, Unit, number_text

FOLDER = os.path.join(os.path.dirname(__file__), "languages")


@dataclass(frozen=True)
class Words:
    """The sentences of pictures in one language.

    >>> ENGLISH("common.limit", number="30 %")
    'limit 30 %'
    """

    language: Language

    @property
    def code(self) -> str:
        """The code of the language."""
        return self.language.code

    def __call__(self, key: str, /, **gaps: str) -> str:
        """The sentence of this key with its gaps filled."""
        return self.language.say(key, **gaps).text

    def number(self, number: float, direction: Direction, unit: Unit = Unit.NUMBER) -> str:
        """A number, rounded to the side of its direction."""
        if math.isinf(number):
            return self("common.unlimited")
        return self.language.digits(number_text(number, direction, unit))

    def given(self, number: float, unit: Unit) -> str:
        """A number that was given, such as a prior or a limit, in as many digits as somebody is taken to write.

        >>> ENGLISH.given(0.1234, Unit.PROBABILITY)
        '12.34 %'
        """
        text = f"{100.0 * number:.6g} %" if unit is Unit.PROBABILITY else f"{number:.6g}"
        return self("common.unlimited") if math.isinf(number) else self.language.digits(text)

    def whole(self, number: int) -> str:
        """A count; a space stands between thousands."""
        return f"{number:,}".replace(",", " " if self.code == "en" else self("numbers.thousands"))

    def directed(self, key: str, direction: Direction, /, **gaps: str) -> str:
        """The sentence of this key that belongs to a direction."""
        return self(f"{key}.{direction.name.lower()}", **gaps)

    def quantity(self, name: str) -> str:
        """The name of a quantity."""
        return self.language.name("quantity", name, name)

    def noise(self, name: str) -> str:
        """A kind of noise, such as Gaussian noise."""
        return self.language.name("noise", name, name)

    def promise(self, name: str) -> str:
        """What stands beside a line: a promise in a few words, or a name that somebody gave, which stays."""
        return in_few_words(name, self.language) or name

    def neighbours(self, relation: Neighbours) -> str:
        """When two datasets are neighbours, as a sentence."""
        return self.language.name("neighbours", relation.name, relation.value)

    def label(self, text: str) -> str:
        """The expression of the drawing library that writes a label of an axis, from the one that writes it in English.

        >>> ENGLISH.label("datum.label")
        'datum.label'
        """
        # Thousands first, since the mark of decimals in one language is that of thousands in another.
        for mark, key in ((",", "numbers.thousands"), (".", "numbers.decimal")):
            if self(key) != mark:
                text = f"replace({text}, regexp('[{mark}]', 'g'), {json.dumps(self(key))})"
        return text


def words_of(code: object) -> Words:
    """The words of pictures in a language."""
    return _words_of(language_of(code).code)


@cache
def _words_of(code: str) -> Words:
    spoken = language_of(code)
    templates = {**spoken.templates, **sentences_in(FOLDER, spoken.code)}
    return Words(Language(spoken.code, MappingProxyType(templates), spoken.names))


ENGLISH = words_of("en")
"""The words of pictures that name no language."""


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def sentences(*some: str) -> str:
    """Sentences one after another; those that are empty are left out.

    >>> sentences("One.", "", "Two.")
    'One. Two.'
    >>> sentences("This shows a long name….")
    'This shows a long name…'
    """
    return " ".join(each for each in some if each).replace("….", "…")
