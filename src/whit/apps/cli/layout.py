"""How text stands on a screen: paragraphs and tables that fit its width.

Nothing is cut off. A table whose columns would become too narrow to read is printed row by row, with the name of each
column before its cell. A number and its percent sign stay on one line.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence

NARROWEST = 20
"""The narrowest screen that text is laid out for."""

READABLE = 28
"""The narrowest column whose cells may have several lines."""

WIDEST = 100
"""The longest line of running text, which is hard to read beyond it."""

GAP = "  "
"""What stands between two columns."""

_POWER = re.compile(r"\^(?:(\d+)(?![\w.])|\((-?\d+)\))")
_ABOVE = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_KEPT_TOGETHER = "\N{NO-BREAK SPACE}%"


def screen_width() -> int:
    """How many letters fit on a line of the terminal; 80 where it does not say."""
    import shutil  # only a screen needs it

    return max(shutil.get_terminal_size((80, 24)).columns, NARROWEST)


def printable(text: str) -> str:
    r"""The text without control characters, which could change the screen; line ends stay.

    >>> print(printable("a\x1b[31m b"))
    a\x1b[31m b
    """
    return "".join(sign if _harmless(sign) else ascii(sign)[1:-1] for sign in text)


def raised(text: str) -> str:
    """The text with numbers above the line in place of a ^ before them.

    >>> raised("(t - 1)^2 and 2^(-10), e^(-t)")
    '(t - 1)² and 2⁻¹⁰, e^(-t)'
    """
    return _POWER.sub(lambda power: (power[1] or power[2]).translate(_ABOVE), text)


def _harmless(sign: str) -> bool:
    return sign.isprintable() or sign == "\n" or unicodedata.category(sign) == "Zs"


def wrapped(text: str, width: int, *, indent: str = "") -> list[str]:
    """The lines of a text at a width; a word that is longer stays whole.

    Args:
        text: one paragraph, or several lines that stay apart.
        width: how many letters a line has at most.
        indent: what stands before every line but the first; without it an item of a list has two spaces there, and a
            line that is indented keeps its indent.

    >>> wrapped("at most 73.2 % of them", 14)
    ['at most 73.2 %', 'of them']
    >>> wrapped("  If it holds twice", 13)
    ['  If it holds', '  twice']
    """
    lines: list[str] = []
    for line in text.split("\n"):
        own = line[: len(line) - len(line.lstrip(" "))] + ("  " if line.lstrip(" ").startswith("- ") else "")
        found = textwrap.wrap(
            line.replace(" %", _KEPT_TOGETHER),
            width,
            subsequent_indent=indent or own,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += found or [""]
    return [line.replace(_KEPT_TOGETHER, " %") for line in lines]


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """The lines of a table that fits a width: in columns, or row by row where these would be too narrow."""
    cells = [head, *rows]
    natural = [max(_broad(row[at]) for row in cells) for at in range(len(head))]
    widths = _shared_out(natural, width - len(GAP) * (len(head) - 1))
    longest = [max(_longest_word(row[at]) for row in cells) for at in range(len(head))]
    readable = all(
        each >= max(word, min(full, READABLE)) for each, word, full in zip(widths, longest, natural, strict=True)
    )
    return _in_columns(head, rows, widths) if readable else _row_by_row(head, rows, width)


def _shared_out(natural: Sequence[int], width: int) -> list[int]:
    """The width of each column: the narrow ones get what they need, the others the rest in equal parts."""
    widths, left = list(natural), width
    for done, at in enumerate(sorted(range(len(natural)), key=natural.__getitem__)):
        widths[at] = min(natural[at], max(left // (len(natural) - done), 1))
        left -= widths[at]
    return widths


def _in_columns(head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    """Columns with a rule below their names; rows of several lines stand apart."""
    blocks = [[wrapped(cell, width) for cell, width in zip(row, widths, strict=True)] for row in [head, *rows]]
    apart = any(len(cell) > 1 for block in blocks[1:] for cell in block)
    for at, block in enumerate(blocks):
        if at > 1 and apart:
            yield ""
        for line in range(max(map(len, block))):
            cells = [cell[line] if line < len(cell) else "" for cell in block]
            filled = (cell + " " * (width - _broad(cell)) for cell, width in zip(cells, widths, strict=True))
            yield GAP.join(filled).rstrip()
        if at == 0:
            yield GAP.join("-" * width for width in widths)


def _row_by_row(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Each row as a few lines: its first cell, and below it the others with the names of their columns."""
    for at, (first, *others) in enumerate(rows):
        if at:
            yield ""
        yield from wrapped(first, width)
        for name, cell in zip(head[1:], others, strict=True):
            if cell:
                yield from (f"  {line}" for line in wrapped(f"{name}: {cell}", width - 2, indent="  "))


def _longest_word(text: str) -> int:
    return max((_broad(word) for word in text.replace(" %", _KEPT_TOGETHER).split(" ")), default=0)


def _broad(text: str) -> int:
    """How many letters wide a text is on a screen: some scripts take two places for a letter, and marks none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )
