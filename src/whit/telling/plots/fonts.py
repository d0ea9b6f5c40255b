"""The font of pictures: it comes along, so that a picture looks the same everywhere and the width of a text is known.

The letters are those of Liberation Sans, as wide as those of Arial, without kerning: widths add up.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
"""Where the files of the font are."""

FAMILY = "Whit Sans"
FONT = f"{FAMILY}, Liberation Sans, Arial, Helvetica, sans-serif"
"""The font that comes along, and those of the same widths elsewhere."""

_WEIGHTS = {"Regular": 400, "Bold": 700}
_OTHER = 1.25
"""The width of a letter that the font does not have, in units of the size: as wide as any that others have."""


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a line of text is, in units of the drawing."""
    known = _widths("Bold" if bold else "Regular")
    return size * sum(known.get(ord(letter), _OTHER) for letter in text)


@cache
def faces() -> str:
    """The rules of a style sheet that carry the font, for drawings and pages."""
    return "".join(_face(style, weight) for style, weight in _WEIGHTS.items())


def _face(style: str, weight: int) -> str:
    content = base64.b64encode((FOLDER / f"WhitSans-{style}.woff2").read_bytes()).decode()
    source = f"url(data:font/woff2;base64,{content})"
    return f"@font-face{{font-family:'{FAMILY}';font-weight:{weight};src:{source} format('woff2')}}"


@cache
def _widths(style: str) -> Mapping[int, float]:
    """The width of each letter at size 1, by its code."""
    file = (FOLDER / f"WhitSans-{style}.ttf").read_bytes()
    table = _tables(file)
    (units,) = struct.unpack_from(">H", file, table["head"] + 18)
    (measured,) = struct.unpack_from(">H", file, table["hhea"] + 34)
    advances = [struct.unpack_from(">H", file, table["hmtx"] + 4 * glyph)[0] for glyph in range(measured)]
    letters = _glyphs(file, table["cmap"])
    return {letter: advances[min(glyph, measured - 1)] / units for letter, glyph in letters.items()}


def _tables(file: bytes) -> dict[str, int]:
    """Where each table of a font begins."""
    (number,) = struct.unpack_from(">H", file, 4)
    records = (struct.unpack_from(">4sIII", file, 12 + 16 * n) for n in range(number))
    return {name.decode(): place for name, _, place, _ in records}


def _glyphs(file: bytes, start: int) -> dict[int, int]:
    """The number of the glyph of each letter, from the segments of the table for Windows (format 4)."""
    (number,) = struct.unpack_from(">H", file, start + 2)
    records = (struct.unpack_from(">HHI", file, start + 4 + 8 * n) for n in range(number))
    at = start + next(place for platform, encoding, place in records if (platform, encoding) == (3, 1))
    (twice,) = struct.unpack_from(">H", file, at + 6)
    ends, starts, steps, offsets = (at + 14 + twice * part + 2 * (part > 0) for part in range(4))
    found: dict[int, int] = {}
    for segment in range(0, twice, 2):
        last, first, step, offset = (
            struct.unpack_from(">H", file, table + segment)[0] for table in (ends, starts, steps, offsets)
        )
        for letter in range(first, min(last, 0xFFFE) + 1):
            place = offsets + segment + offset + 2 * (letter - first)
            glyph = struct.unpack_from(">H", file, place)[0] if offset else letter
            found[letter] = (glyph + step) % 0x10000 if glyph else 0
    return {letter: glyph for letter, glyph in found.items() if glyph}
