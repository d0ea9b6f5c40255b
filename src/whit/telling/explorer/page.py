"""The explorer as one HTML file: nothing is fetched, and the file forbids every connection."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files
from pathlib import Path

from whit.errors import InvalidInput
from whit.files import place_of, written
from whit.telling.explorer.tables import BASIS, FAILURES, LEVELS
from whit.theory import theorem
from whit.version import VERSION

_SUFFIX = ".html"


def explorer() -> str:
    """The text of the file.

    The policy of the page allows the two scripts and the style by their hashes, and no connection at all.
    """
    style, tables, arithmetic, page = (_read(name) for name in ("page.css", "tables.json", "arithmetic.js", "page.js"))
    pieces = {
        "script-hashes": f"{_hash(arithmetic)} {_hash(page)}",
        "style-hash": _hash(style),
        "version": VERSION,
        "failures": _options(FAILURES),
        "levels": _options(LEVELS),
        "theorem": escape(" ".join(theorem(BASIS.theorems[0]).title.split())),
        "style": style,
        "tables": tables.strip(),
        "arithmetic": arithmetic,
        "page": page,
    }
    text = _read("page.html")
    for name, piece in pieces.items():
        text = text.replace("{{" + name + "}}", piece)
    return text


def write_explorer(out: str | Path) -> Path:
    """Write the file, over one that is there."""
    target = place_of(out)
    if target.suffix.lower() != _SUFFIX:
        raise InvalidInput("the file of the explorer", f"must end in {_SUFFIX}", str(out), "Use explorer.html.")
    return written(target, explorer().encode())


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _options(shares: tuple[float, ...]) -> str:
    return "".join(f'<option value="{share!r}">{share * 100:.12g} %</option>' for share in shares)
