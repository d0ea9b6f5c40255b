"""A release file from a few answers: every table with a comment that says what it is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whit.errors import InvalidInput

_WAY_OUT = "Write the file by hand, or answer in other words."


@dataclass(frozen=True)
class Draft:
    """The answers that a release file is drafted from; each has a value that can be replaced, names in brackets.

    Attributes:
        name: what is released.
        publisher: who releases it.
        unit: what one record stands for.
        period: the time that the promise covers; empty for the whole of the data.
        promise: the words of the promise and their values, as options have them.
        releases: how many releases there are about the same people.
        covers: whether the period holds all releases or each has its own; only with a period and several releases.
        adversary: who may want to learn something.
        fact: what they want to know.
        prior: how probable they find it.
        posterior: how probable they may find it afterwards, at most.
        failure: the probability with which a bound may fail.
        language: the two letters of the language of the report; empty for English.
    """

    name: str = "(name of the release)"
    publisher: str = "(name of the publisher)"
    unit: str = "person"
    period: str = ""
    promise: Mapping[str, float | str] = field(default_factory=lambda: {"epsilon": 1.0})
    releases: int = 1
    covers: str = "all releases"
    adversary: str = "a neighbour"
    fact: str = "a certain person is in the data"
    prior: float = 0.1
    posterior: float = 0.3
    failure: float = 0.0
    language: str = ""

    def text(self, hazards: Mapping[str, str] | None = None) -> str:
        """The file.

        >>> print(Draft().text().splitlines()[3])
        name = "(name of the release)"

        Args:
            hazards: the questions of the checklist by key, which are listed for an answer.
        """
        parts = [_OPENING, self._release(), self._promise(), self._adversary(), self._accepted(), self._questions()]
        return "\n".join([*parts, _checklist(hazards or {})]).rstrip("\n") + "\n"

    def _release(self) -> str:
        lines = ["[release]", f"name = {_quoted(self.name)}", f"publisher = {_quoted(self.publisher)}"]
        named = f"language = {_quoted(self.language)}" if self.language else '# language = "de"'
        lines += [_noted(named, "of the report: de, en or fr"), *_MORE]
        lines += ["[unit]", _noted(f"name = {_quoted(self.unit)}", "what one record stands for")]
        if self.period:
            lines.append(f"period = {_quoted(self.period)}")
        else:
            lines.append(_noted('# period = "one year"', "if the promise covers less than all of the data"))
        if self.period and self.releases > 1:
            lines.append(_noted(f"covers = {_quoted(self.covers)}", "the period holds all releases, or each its own"))
        return "\n".join([*lines, ""])

    def _promise(self) -> str:
        stated = {word: _quoted(each) if isinstance(each, str) else repr(each) for word, each in self.promise.items()}
        words = [_noted(f"{word} = {value}", _NOTES.get(word, "")) for word, value in stated.items()]
        return "\n".join(
            ["[promise]", *words, _noted(f"releases = {self.releases}", "about the same people"), *_SEVERAL]
        )

    def _adversary(self) -> str:
        who = [f"name = {_quoted(self.adversary)}", f"fact = {_quoted(self.fact)}"]
        prior = _noted(f"prior = {self.prior!r}", "how probable they find it before the release")
        return "\n".join(["[[adversary]]", *who, prior, ""])

    def _accepted(self) -> str:
        limit = _noted(f"limit = {self.posterior!r}", "how probable they may find it afterwards, at most")
        return "\n".join(["[limit.posterior]", limit, f"prior = {self.prior!r}", ""])

    def _questions(self) -> str:
        failure = _noted(f"failure = {self.failure!r}", "the probability with which a bound may fail; 0 for never")
        return "\n".join(["[questions]", failure, ""])


_OPENING = "# A release file for whit. Make the report with: whit report FILE --out report.html\n"
_MORE = (
    '# description = "What the release holds, in a sentence or two."',
    '# readers = "the public"',
    '# unprotected = ["what is published without noise"]',
    "",
)
_NOTES = {"sensitivity": "the most that one record changes what is published"}
_SEVERAL = (
    "# Several promises about the same people: write [[promise]] above each of them. Other words for a promise are",
    "# epsilon and delta, rho, mu, gaussian, laplace, geometric; with noise also sampling_rate, sensitivity and",
    "# neighbours.",
    "",
)


def _noted(line: str, note: str) -> str:
    """A line with what it is for; the line alone where nothing is said of it."""
    return f"{line:<27} # {note}" if note else line


def _checklist(hazards: Mapping[str, str]) -> str:
    """The questions that a report lists, each with a place for its answer."""
    lines = [line for key, question in hazards.items() for line in (f"# {question}", f'# {key} = ""')]
    return "\n".join(["[hazards]", *lines]) if hazards else ""


def _quoted(text: str) -> str:
    """A text as TOML has it; one that TOML cannot hold on a line is refused."""
    if any(ord(letter) < 32 or ord(letter) == 127 or 0xD800 <= ord(letter) <= 0xDFFF for letter in text):
        raise InvalidInput("an answer", "must be a text of one line", repr(text), _WAY_OUT)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
