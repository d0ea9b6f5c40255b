"""Text as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from whit.theory import Formula, Prose

# What Markdown or HTML would read as more than a letter.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$&])")


def plain(text: str) -> str:
    """The text on one line, with nothing in it that Markdown would read as markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def with_formulas(text: Prose) -> str:
    """The text on one line, with its formulas as MathML, which a browser sets by itself."""
    parts = (part.mathml if isinstance(part, Formula) else _SPECIAL.sub(r"\\\1", part) for part in text.parts)
    return "".join(parts)


def code(text: str) -> str:
    """The text as code inside a line."""
    return f"`{text}`"


def link(text: str, target: str) -> str:
    """A link; the text is Markdown already."""
    return f"[{text}]({target})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def page(title: str, *parts: str) -> str:
    """A page: its title, and its parts with a blank line between them."""
    return "\n\n".join([f"# {title}", *(part for part in parts if part)]) + "\n"
