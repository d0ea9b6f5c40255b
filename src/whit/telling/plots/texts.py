"""Texts that can be drawn: letters that every form takes, and lines and names that fit their place."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from whit.telling.plots.fonts import width

REFUSED = "□"
"""What stands for a letter that files of pictures refuse."""

ELLIPSIS = "…"
LONGEST_NAME = 60
"""How many letters of a name are drawn; more could not be read."""

LONGEST_ALONE = 400
"""The same for the name of the only line, which stands in the caption and not beside the line."""

LONGEST_TEXT = 6_000
"""How many letters of a description are kept."""

_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufeff")
_LAST_TWO = 0xFFFE
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_UNIT = re.compile(r"(?<=\d) (?=%)")


def cleaned(text: str) -> str:
    r"""The text in letters that XML and PDF take; what they refuse, and what turns the direction of letters, is a box.

    >>> cleaned("two\x1b lines\nof text")
    'two□ lines of text'
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _clean(letter) for letter in text)


def _clean(letter: str) -> str:
    if letter.isspace():
        return letter if unicodedata.category(letter) == "Zs" else " "
    code = ord(letter)
    unknown = code & _LAST_TWO == _LAST_TWO or 0xFDD0 <= code <= 0xFDEF
    bad = unicodedata.category(letter) in ("Cc", "Cs") or letter in _DIRECTIONS or unknown
    return REFUSED if bad else letter


def cleaned_parts(part: Any) -> Any:
    """A description of plain values, with every text in it clean."""
    if isinstance(part, str):
        return cleaned(part)
    if isinstance(part, dict):
        return {cleaned_parts(key): cleaned_parts(each) for key, each in part.items()}
    return [cleaned_parts(each) for each in part] if isinstance(part, list | tuple) else part


def shortened(text: str, most: int) -> str:
    """The text in one line of at most so many letters.

    >>> shortened("a   rather long name", 9)
    'a rather…'
    """
    line = _SPACES.sub(" ", cleaned(text[: 4 * most])).strip()
    return line if len(line) <= most else line[: most - 1].rstrip() + ELLIPSIS


def fitted(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """The text, cut where it would be wider than its room."""
    return text if width(text, size, bold=bold) <= room else _cut(text, room, size, bold=bold)


def _cut(text: str, room: float, size: float, *, bold: bool) -> str:
    """The beginning of a text, with a sign that more was left out."""
    while text and width(text.rstrip() + ELLIPSIS, size, bold=bold) > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def text_lines(text: str, room: float, size: float, *, bold: bool = False, most: int = 8) -> list[str]:
    """The text in as few lines as fit into the room, all about as wide; a number stays with its unit.

    >>> text_lines("one two three four", 70, 13)
    ['one two', 'three four']
    """
    words = _UNIT.sub("\u00a0", cleaned(text[:LONGEST_TEXT])).split(" ")
    broken = [part for word in words if word for part in _pieces(word, room, size, bold=bold)]
    number = len(_filled(broken, room, size, bold=bold))
    low, high = 0.0, room
    while high - low > 1.0:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_filled(broken, middle, size, bold=bold)) <= number else (middle, high)
    lines = _filled(broken, high, size, bold=bold) or [""]
    return lines if len(lines) <= most else [*lines[: most - 1], _cut(lines[most - 1], room, size, bold=bold)]


def _pieces(word: str, room: float, size: float, *, bold: bool) -> list[str]:
    """The word, in pieces that fit where it is wider than the room."""
    pieces, piece, used = [], "", 0.0
    for letter in word:
        wide = width(letter, size, bold=bold)
        if piece and used + wide > room:
            pieces.append(piece)
            piece, used = "", 0.0
        piece, used = piece + letter, used + wide
    return [*pieces, piece]


def _filled(words: list[str], room: float, size: float, *, bold: bool) -> list[str]:
    """Lines that are filled one after the other."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
