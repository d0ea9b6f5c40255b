"""A document as Markdown, with its pictures as files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from whit.telling.reports.document import Document

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
_LISTING = "```"


def as_markdown(document: Document, stem: str) -> tuple[str, dict[str, str]]:
    """The document as Markdown text, and its pictures by the names of their files.

    Args:
        document: the document.
        stem: how the names of the files begin.
    """
    tree = document.printed()
    pictures: dict[str, str] = {}
    lines = [f"# {escaped(tree['title'])}", f"{escaped(tree['subtitle'])}. {made(tree)}"]
    lines += [_table(("", ""), tree["facts"])]
    for section in tree["sections"]:
        lines += _section(section, 2, stem, pictures)
    return "\n\n".join(lines) + "\n", pictures


def made(tree: dict[str, Any]) -> str:
    """When the document was made, and by what."""
    return f"Made on {tree['date']} with whit {tree['whit']}."


def escaped(text: str) -> str:
    """The text with what Markdown would read as markup made plain."""
    return _SPECIAL.sub(r"\\\1", text)


def _section(section: dict[str, Any], depth: int, stem: str, pictures: dict[str, str]) -> Iterator[str]:
    yield f"{'#' * depth} {escaped(section['title'])}"
    for block in section["blocks"]:
        ((name, content),) = block.items()
        yield from _block(name, content, stem, pictures)
    for part in section["parts"]:
        yield from _section(part, depth + 1, stem, pictures)


def _block(name: str, content: Any, stem: str, pictures: dict[str, str]) -> Iterator[str]:
    match name:
        case "paragraph":
            yield escaped(content)
        case "points":
            yield "\n".join(f"- {escaped(item)}" for item in content)
        case "remark":
            yield f"> **{escaped(content)}**"
        case "listing":
            yield f"{_LISTING}toml\n{content.rstrip()}\n{_LISTING}"
        case "table":
            yield escaped(content["caption"])
            yield _table(content["header"], content["rows"])
        case "figure":
            file = f"{stem}-{len(pictures) + 1}.svg"
            pictures[file] = content["svg"]
            yield f"![{escaped(content['alt'])}](<{file}>)"
            yield escaped(content["caption"])


def _table(header: Any, rows: Any) -> str:
    lines = [header, ["---"] * len(header), *([escaped(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
