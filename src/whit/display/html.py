"""Pieces of HTML for notebooks. Whatever somebody wrote is text in them and never markup.

A block brings its own style, since a notebook has none for it. Text and paper take the colours of Jupyter's theme where
there is one. Elsewhere they are light or dark as the page says, or as the reader's system prefers. Both colours of a
pair are always set together, so that text is readable even where a page says nothing. Nothing is said by colour alone:
where the style is removed, all words and signs are still there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum

LIGHT = {
    "ink": "#1f2328",
    "paper": "#ffffff",
    "faint": "#4d5560",
    "line": "#c4cad1",
    "good-ink": "#0b4f1c",
    "good-paper": "#dff3e3",
    "bad-ink": "#84161a",
    "bad-paper": "#fde6e4",
    "open-ink": "#574000",
    "open-paper": "#fbefc6",
}
"""The colours on a light page: for each `-ink` there is a `-paper` that it stands on; `faint` stands on `paper`."""

DARK = {
    "ink": "#e6e9ed",
    "paper": "#14171a",
    "faint": "#b1b8c0",
    "line": "#454c54",
    "good-ink": "#b0eabc",
    "good-paper": "#14381e",
    "bad-ink": "#ffc2bc",
    "bad-paper": "#521a1a",
    "open-ink": "#f6dc94",
    "open-paper": "#413306",
}
"""The colours on a dark page."""

# How Jupyter, VS Code, Colab and the sites of Sphinx say that a page is light or dark.
_ON_LIGHT = '[data-jp-theme-light="true"] .whit, .vscode-light .whit, [data-theme="light"] .whit'
_ON_DARK = (
    '[data-jp-theme-light="false"] .whit, .vscode-dark .whit, [data-theme="dark"] .whit, html[theme="dark"] .whit'
)
_RULES = """
.whit { color: var(--jp-content-font-color0, var(--whit-ink)); background: var(--jp-layout-color0, var(--whit-paper));
  font-family: var(--jp-content-font-family, system-ui, sans-serif); font-size: 14px; line-height: 1.5;
  max-width: 60em; padding: 0.3em 0.6em; overflow-wrap: anywhere; }
.whit p, .whit ul, .whit table, .whit details { margin: 0.4em 0; }
.whit .lead { font-size: 1.1em; font-weight: 600; }
.whit .faint, .whit caption, .whit summary { color: var(--jp-content-font-color1, var(--whit-faint)); }
.whit .scroll { overflow-x: auto; }
.whit table { border-collapse: collapse; font-size: 1em; }
.whit caption { text-align: left; padding: 0.2em 0; caption-side: top; }
.whit tr { background: none !important; }
.whit th, .whit td { text-align: left !important; vertical-align: top; padding: 0.25em 1.2em 0.25em 0;
  border: 0; border-bottom: 1px solid var(--jp-border-color1, var(--whit-line)); white-space: normal; min-width: 3em;
  overflow-wrap: break-word; }
.whit .short { white-space: nowrap; }
.whit th { font-weight: 600; }
.whit .badge { display: inline-block; font-weight: 700; padding: 0.1em 0.6em; border: 1px solid; border-radius: 0.3em; }
.whit .good { color: var(--whit-good-ink); background: var(--whit-good-paper); }
.whit .bad { color: var(--whit-bad-ink); background: var(--whit-bad-paper); }
.whit .open { color: var(--whit-open-ink); background: var(--whit-open-paper); }
"""

SHORT = 16
"""A cell of so many letters stays on one line."""

# What neither HTML nor XML can hold: control signs, halves of a pair, and places that are no letters.
_NO_TEXT = re.compile("[^\t\n\r -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


_UNIT = re.compile(r"(?<=\d) %")


class Markup(str):
    """HTML that is safe as it is; every other text is escaped."""

    __slots__ = ()


class Mood(Enum):
    """What a badge says beside its word: by its sign and by its colours."""

    GOOD = "✓"
    BAD = "✗"
    OPEN = "?"


def block(*parts: str) -> str:
    """The whole that a notebook shows, with its style; a part that is no markup is a paragraph."""
    inside = "".join(part if isinstance(part, Markup) else paragraph(part) for part in parts if part)
    return f'<div class="whit"><style>{style()}</style>{inside}</div>'


def style() -> str:
    """The style of a block: the rules, and the colours of light and of dark pages."""
    light, dark = (
        "; ".join(f"--whit-{name}: {colour}" for name, colour in colours.items()) for colours in (LIGHT, DARK)
    )
    preferred = f"@media (prefers-color-scheme: dark) {{ .whit {{ {dark} }} }}"
    return f".whit {{ {light} }}\n{preferred}\n{_ON_LIGHT} {{ {light} }}\n{_ON_DARK} {{ {dark} }}{_RULES}"


def heading(text: str) -> Markup:
    """The line that is read first."""
    return Markup(f'<p class="lead">{_escaped(text)}</p>')


def paragraph(text: str, *, faint: bool = False) -> Markup:
    """A paragraph; a faint one holds what is read last.

    >>> paragraph("a < b")
    '<p>a &lt; b</p>'
    """
    opened = '<p class="faint">' if faint else "<p>"
    return Markup(f"{opened}{_escaped(text)}</p>")


def points(texts: Iterable[str]) -> Markup:
    """A list of points; nothing if there are none."""
    items = "".join(f"<li>{_escaped(text)}</li>" for text in texts)
    return Markup(f"<ul>{items}</ul>" if items else "")


def code(text: str) -> Markup:
    """A key or a name in code."""
    return Markup(f"<code>{_escaped(text)}</code>")


def joined(pieces: Iterable[str], between: str = " ") -> Markup:
    """Several pieces of a line as one."""
    return Markup(_escaped(between).join(map(_escaped, pieces)))


def badge(mood: Mood, word: str) -> Markup:
    """A word that stands out, with a sign of its own.

    >>> badge(Mood.BAD, "Not allowed")
    '<span class="badge bad">✗ Not allowed</span>'
    """
    return Markup(f'<span class="badge {mood.name.lower()}">{mood.value} {_escaped(word)}</span>')


def folded(summary: str, *parts: Markup) -> Markup:
    """What is shown on a click; nothing if there is nothing to show."""
    inside = "".join(parts)
    return Markup(f"<details><summary>{_escaped(summary)}</summary>{inside}</details>" if inside else "")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> Markup:
    """A table with a caption; without a head the first cell of each row names the row."""
    named = f"<caption>{_escaped(caption)}</caption>" if caption else ""
    heads = "".join(f'<th scope="col">{_escaped(name)}</th>' for name in head)
    top = f"<thead><tr>{heads}</tr></thead>" if head else ""
    lines = "".join(f"<tr>{''.join(_cells(row, named=not head))}</tr>" for row in rows)
    return Markup(f'<div class="scroll"><table>{named}{top}<tbody>{lines}</tbody></table></div>')


def _cells(row: Sequence[str], *, named: bool) -> Iterable[str]:
    for place, cell in enumerate(row):
        opened = '<td class="short">' if len(cell) <= SHORT or isinstance(cell, Markup) else "<td>"
        name = named and place == 0
        yield f'<th scope="row">{_escaped(cell)}</th>' if name else f"{opened}{_escaped(cell)}</td>"


def _escaped(text: str) -> str:
    """The text as HTML; signs that HTML cannot hold are spelled out, and a number keeps its unit on its line."""
    from html import escape  # only a notebook needs it

    if isinstance(text, Markup):
        return text
    return escape(_UNIT.sub("\xa0%", _NO_TEXT.sub(lambda sign: ascii(sign[0])[1:-1], text)))
