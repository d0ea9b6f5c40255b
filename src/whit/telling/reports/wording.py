"""The words of reports: sentences by key from one file for each language, and numbers in the manner of the language."""

from __future__ import annotations

import os.path
import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from whit.assessment import Unanswered, number_of_people, people_beyond
from whit.errors import InvalidInput
from whit.telling.words.language import Language, language_of, sentences_in
from whit.telling.words.numbers import ALMOST_ALL, amount
from whit.telling.words.promises import in_few_words
from whit.theory import Answer, Direction, Finding, Unit, number_text, says_nothing

FOLDER = os.path.join(os.path.dirname(__file__), "languages")

ENGLISH = "en"
"""The language of a report that names none."""

_GIVEN_DIGITS = 6
"""As many digits as somebody is taken to write for a limit."""

_ROUNDING = 1e-12
"""How far the product of numbers that were given may be from the one that is meant, for its size."""

_SPARE = re.compile(r" +(?=[.,;](?: |$))|(?<= ) +| +$")
"""Spaces around a gap that was left empty."""

_BETWEEN = "|"
"""What stands between the names of columns in a sentence file."""


@dataclass(frozen=True)
class Words:
    """The sentences of a report in one language, those of `explain` among them.

    >>> words_of("en")("overall.allowed_one", publisher="the Office")
    'The release is within the limit of the Office.'
    """

    language: Language

    @property
    def code(self) -> str:
        """The code of the language."""
        return self.language.code

    def __call__(self, key: str, /, **gaps: str) -> str:
        """The sentence of this key with its gaps filled."""
        return _SPARE.sub("", self.language.say(key, **gaps).text)

    def names(self, key: str, /, **gaps: str) -> tuple[str, ...]:
        """The names of columns that stand in one line.

        >>> words_of("en").names("sheet.sign_rows")
        ('Prepared by', 'Decided by')
        """
        return tuple(name.strip() for name in self(key, **gaps).split(_BETWEEN))

    def percent(self, probability: float) -> str:
        """A probability that was given, as percent."""
        return self.language.digits(f"{100.0 * probability:.6g} %")

    def points(self, probability: float) -> str:
        """A difference of probabilities that was given, as percentage points."""
        return self._without_percent(self.percent(probability))

    def _without_percent(self, text: str) -> str:
        return text.removesuffix(self("numbers.percent"))

    def period(self, period: str) -> str:
        """The period of a unit; the one that goes without saying in the language, others as the file has them."""
        return self.language.name("period", period, period)

    def unit(self, unit: str) -> str:
        """What one record stands for; a unit of the catalogue in the language, others as the file has them."""
        return self.language.name("unit", unit, unit)

    def one(self, unit: str) -> str:
        """The same in running text, where one that the language has no words for stands in quotation marks."""
        own = self("sheet.quoted", text=unit) if self.language.names else unit
        return self.language.name("unit", unit, own)

    def parameter(self, name: str) -> str:
        """The name of a parameter; a Greek letter is the same in every language."""
        return self(f"parameter.{name}") if self.language.has(f"parameter.{name}") else name

    def promise(self, english: str) -> str:
        """A promise in a few words; in English, and marked so, where a part of it has no words in the language."""
        said = in_few_words(english, self.language)
        return self("fact.in_english", promise=english) if said is None else said

    def date(self, day: str) -> str:
        """A day that is written as year-month-day, in the manner of the language."""
        year, month, number = day.split("-")
        return self("document.date", year=year, month=month, day=number)

    def count(self, number: int) -> str:
        """A whole number."""
        return self.language.digits(f"{number:,}")

    def number(self, number: float, direction: Direction, unit: Unit = Unit.NUMBER, digits: int = 3) -> str:
        """A number, rounded to the side of its direction."""
        return self.language.digits(number_text(number, direction, unit, digits))

    def given_number(self, number: float) -> str:
        """A limit that follows from what was given: the shortest decimal within rounding, else rounded down.

        Not for a bound that was worked out, which is never moved to the unsafe side.

        >>> words_of("en").given_number(0.25 / (0.05 * 0.2)), words_of("en").given_number(2 / 3)
        ('25', '0.666')
        """
        for digits in range(1, _GIVEN_DIGITS + 1):
            decimal = float(f"{number:.{digits}g}")
            if abs(decimal - number) <= _ROUNDING * abs(number):
                return self.number(decimal, Direction.EXACTLY, digits=digits)
        return self.number(number, Direction.AT_LEAST)

    def top(self, answer: Answer) -> str:
        """The largest that a number may be, with its exception; of no upper bound with the word for how sure it is.

        >>> from whit.guarantees import PureDP
        >>> from whit.semantics.membership import posterior
        >>> words_of("en").top(posterior(PureDP(1.0), 0.1))
        '23.2 %'
        """
        if answer.worst is None:
            return self("summary.not_known")
        found = answer.worst.bound
        return f"{self.top_alone(found)}{self.exception(found)}"

    def top_alone(self, found: Finding) -> str:
        """The same without the exception, which must then follow in the same sentence."""
        if self.is_nearly_certain(found):
            return self._nearly_certain(found)
        text = self.number(float(found), found.direction, found.quantity.unit)
        if rules_nothing_out(found):
            return self("summary.possibly", number=text)
        return self("summary.about", number=text) if found.direction is Direction.ABOUT else text

    def exception(self, found: Finding) -> str:
        """With which probability a number may be false, to follow it in its sentence; empty if it always holds."""
        known = _chances(found) if found.bound.exception else ()  # one that rules nothing out has none
        key = "sheet.beyond" if self.is_nearly_certain(found) else "sheet.except"
        chances = (self.number(each, Direction.AT_MOST, Unit.PROBABILITY) for each in known)
        return "".join(self(key, failure=each) for each in chances)

    def failing(self, found: Finding) -> str:
        """The same of a parameter that meets a limit, which does not itself fail."""
        chances = (self.number(each, Direction.AT_MOST, Unit.PROBABILITY) for each in _chances(found))
        return " ".join(self("beside.failing", failure=each) for each in chances)

    def most(self, found: Finding, *, points: bool = False) -> str:
        """A bound with the word for its direction; of a difference of probabilities in percentage points."""
        if not points and self.is_nearly_certain(found):
            return self._nearly_certain(found)
        number = self.number(float(found), found.direction, Unit.PROBABILITY if points else found.quantity.unit)
        if rules_nothing_out(found):
            return self("summary.possibly", number=number)
        key = {Direction.EXACTLY: "at_most"}.get(found.direction, found.direction.name.lower())
        return self(f"amount.{key}", number=self._without_percent(number) if points else number)

    def reached(self, found: Finding, *, points: bool = False) -> str:
        """An upper bound above a limit: what the risk may reach, rounded up as everywhere."""
        said = self.number(float(found), Direction.AT_MOST, Unit.PROBABILITY if points else found.quantity.unit)
        return self._without_percent(said) if points else said

    @staticmethod
    def is_nearly_certain(found: Finding) -> bool:
        """Whether a probability is so close to 1 that its digits say no more, and below it."""
        return found.quantity.unit is Unit.PROBABILITY and ALMOST_ALL < float(found.in_words) < 1.0

    def _nearly_certain(self, found: Finding) -> str:
        known = found.direction in (Direction.EXACTLY, Direction.AT_LEAST)
        return self(f"amount.{'exceeded' if known else 'possibly_exceeded'}", number=self.percent(ALMOST_ALL))

    def whole(self, answer: Answer) -> str:
        """The answer as a sentence."""
        if isinstance(answer, Unanswered):
            return self("appendix.not_answered", reason=capital(answer.reason))
        counted = [self._fails(found) for found in people_beyond(answer.worst)] if isinstance(answer, Finding) else []
        said = self._translated(answer.worst) if self.language.names and answer.worst else str(answer)
        return " ".join([f"{capital(said)}.", *counted])

    def _translated(self, found: Finding) -> str:
        """A number with its direction and its exception, in a language whose findings do not speak it."""
        said, beside = amount(found, self.language).text, self.failing(found) if found.quantity.certain else ""
        return f"{said}{self.exception(found)} {beside}".rstrip()

    def _fails(self, found: Finding) -> str:
        """For how many people a bound is expected to fail."""
        population = self.count(int(str(found.inputs["population"])))
        number = self.language.digits(number_of_people(found))
        return self("appendix.people", population=population, number=number)


def rules_nothing_out(found: Finding) -> bool:
    """Whether a number is an upper bound of 100 %, and not by rounding only."""
    return found.quantity.unit is Unit.PROBABILITY and says_nothing(
        float(found.in_words), found.direction, Unit.PROBABILITY
    )


def _chances(found: Finding) -> tuple[float, ...]:
    """The probabilities with which a number may be false, each once."""
    return tuple(dict.fromkeys(each.probability for each in found.bound.basis.failures))


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def words_of(code: object) -> Words:
    """The words of a report in a language that both `explain` and reports have."""
    return _words_of(language_of(code).code)


@cache
def _words_of(code: str) -> Words:
    spoken = language_of(code)
    codes = report_languages()
    if code not in codes:
        way_out = f"Use one of {', '.join(map(repr, codes))}."
        raise InvalidInput("the language of a report", "must be one that reports are written in", code, way_out)
    return Words(Language(code, MappingProxyType({**spoken.templates, **sentences_in(FOLDER, code)}), spoken.names))


def report_languages() -> tuple[str, ...]:
    """The codes of all languages that reports are written in."""
    return tuple(sorted(name.removesuffix(".toml") for name in os.listdir(FOLDER) if name.endswith(".toml")))
