"""Promises in a few words, in languages other than English."""

from __future__ import annotations

import re

from whit.telling.words.language import Language

_BETWEEN = re.compile(r"(, |; | and (?!flip))")
_ONE = r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
_NUMBER = re.compile(rf"(?<![\w.]){_ONE}(?:[ +]{_ONE})*(?![\w.])")
_PARAMETER = re.compile(r"(?:epsilon|delta|rho|mu|sigma|gamma|f|p|q) = #")


def in_few_words(english: str, words: Language) -> str | None:
    """A promise as `promise_name` has it, in the language; None where a part of it has no words there.

    >>> from whit.telling.words.language import language_of
    >>> in_few_words("Gaussian noise, sigma = 2.5, in each of 4 releases", language_of("de"))
    'gaußsches Rauschen, sigma = 2,5, in jeder von 4 Veröffentlichungen'
    >>> in_few_words("register: epsilon = 1.5; survey: rho = 2, in each of 4 releases", language_of("de"))
    'register: epsilon = 1,5; survey: rho = 2, in jeder von 4 Veröffentlichungen'
    >>> in_few_words("a household's response, epsilon = 1", language_of("de")) is None
    True
    """
    if not words.names:
        return english
    if ": " in english:
        return _by_name(english, words)
    if " = " not in english:
        return None  # a name that somebody gave may be any of the words
    return in_parts(english, words)


def in_parts(english: str, words: Language) -> str | None:
    """The same of a promise that nobody gave a name.

    >>> from whit.telling.words.language import language_of
    >>> in_parts("permute and flip, epsilon = 1", language_of("de"))
    'Permutieren und Werfen, epsilon = 1'
    """
    if not words.names:
        return english
    parts = [_part(each, words) for each in _BETWEEN.split(english)]
    return None if None in parts else "".join(map(str, parts))


def _by_name(english: str, words: Language) -> str | None:
    """Several promises, each after the name that somebody gave it, which stays."""
    parts = [each.rpartition(": ") for each in english.split("; ")]
    said = [in_few_words(promise, words) for _, _, promise in parts]
    if None in said:
        return None
    return "; ".join(f"{name}{colon}{text}" for (name, colon, _), text in zip(parts, said, strict=True))


def _part(english: str, words: Language) -> str | None:
    """One part of a promise: its numbers in the manner of the language, the words between them from its table."""
    if english in (", ", "; "):
        return english
    pattern, numbers = _NUMBER.sub("#", english), iter(_NUMBER.findall(english))
    known = words.name("promise", pattern, "") or words.name("noise", pattern, "")
    if not known and not _PARAMETER.fullmatch(pattern):
        return None
    return re.sub("#", lambda _: _digits(next(numbers), words), known or pattern)


def _digits(numbers: str, words: Language) -> str:
    """One number, or several in a row, in the manner of the language."""
    return "".join(each if each in " +" else words.digits(each) for each in re.split(r"([ +])", numbers))
