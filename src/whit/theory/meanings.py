"""The words of the house, each with its one meaning; glossary.md has the text, and is a page of the documentation."""

from __future__ import annotations

import os.path
import re
from functools import cache
from typing import Final, NamedTuple

from whit.theory.basis import FOLDER

_CHAPTER: Final = re.compile(r"^## (.+)$", flags=re.MULTILINE)
_ROW: Final = re.compile(r"^\| (.+?) \| (.+) \|$", flags=re.MULTILINE)
_HEAD: Final = ("word", "meaning")
_MARKS: Final = re.compile(r"[*`]")


class Chapter(NamedTuple):
    """A part of the glossary: its title, and words with their meanings as plain text."""

    title: str
    meanings: tuple[tuple[str, str], ...]


@cache
def glossary() -> tuple[Chapter, ...]:
    """The glossary, chapter by chapter.

    >>> dict(glossary()[2].meanings)["posterior"]
    'the same probability after the release'
    """
    with open(os.path.join(FOLDER, "glossary.md"), encoding="utf-8") as file:
        _, *parts = _CHAPTER.split(file.read())
    return tuple(Chapter(title, _meanings(text)) for title, text in zip(parts[::2], parts[1::2], strict=True))


def _meanings(text: str) -> tuple[tuple[str, str], ...]:
    rows = [(_MARKS.sub("", word), _MARKS.sub("", meaning)) for word, meaning in _ROW.findall(text)]
    return tuple(row for row in rows if row != _HEAD)
