"""A release file to begin with, in the words of the language that its report is to be in."""

from __future__ import annotations

from typing import Any

from whit.spec import Draft, Release
from whit.telling.reports.hazards import hazards_of
from whit.telling.reports.wording import ENGLISH, words_of
from whit.telling.words.language import languages

_OPEN = ("name", "publisher")
_WORDS = (*_OPEN, "adversary", "fact")


def draft_in(language: str = ENGLISH) -> Draft:
    """The draft in a language, which the file names unless it is English; its unit is a word of the catalogue.

    >>> draft_in("fr").fact
    'une certaine personne figure dans les données'
    """
    words = words_of(language)
    said: dict[str, Any] = {key: words(f"draft.{key}") for key in _WORDS}
    return Draft(**said, language="" if language == ENGLISH else language)


def checklist_in(language: str = ENGLISH) -> dict[str, str]:
    """The questions of the checklist by key, for a draft to list."""
    return {each.key: each.question for each in hazards_of(words_of(language))}


def drafted(request: Release, language: str) -> list[str]:
    """The words of a draft that nobody has replaced, and those that are in another language than the report."""
    said = {request.name, request.publisher, *(text for each in request.askers for text in (each.name, each.fact))}
    left = [words_of(code)(f"draft.{key}") for code in languages() for key in (_OPEN if code == language else _WORDS)]
    return [each for each in dict.fromkeys(left) if each in said]
