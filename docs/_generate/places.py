"""Where a file of the repository stands on the site, and links between the two.

The pages of docs/ keep their paths; a notebook becomes a page. A few pages from outside get one of their own; the proof
of a theorem stands on the page of the theorem. Any other file that a page links to is carried along, so that the link
works without the repository.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

PROJECT_PAGES = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "tests/README.md": "project/tests.md",
    "README.md": "index.md",
    "src/whit/theory/glossary.md": "glossary.md",
}
"""Pages from outside docs/ by their path in the repository. The front page of the repository is that of the site."""

_PROOF = re.compile(r"src/whit/theory/proofs/([\w-]+)\.md")
_FENCE = re.compile(r"^```.*?^```$|`[^`\n]+`", flags=re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def place(path: str) -> str:
    """The path on the site of a file of the repository.

    >>> place("src/whit/theory/proofs/cells.md")
    'reference/theorems/cells.md'
    >>> place("demo/release.toml")
    'files/demo/release.toml'
    >>> place("docs/tutorials/a-notebook.ipynb")
    'tutorials/a-notebook.md'
    """
    proof = _PROOF.fullmatch(path)
    if proof:
        return f"reference/theorems/{proof[1]}.md"
    if path.startswith("docs/"):
        return re.sub(r"\.ipynb$", ".md", path.removeprefix("docs/"))
    return PROJECT_PAGES.get(path, f"files/{path}")


def carried(path: str) -> bool:
    """Whether the file is none of the pages and must be carried along for a link to it."""
    return place(path).startswith("files/")


def moved(text: str, origin: str, *, at: str | None = None, root: Path = ROOT) -> tuple[str, set[str]]:
    """The text of a page with its links as they are on the site, and the files to carry along.

    Args:
        text: the page.
        origin: its path in the repository.
        at: the path on the site; that of the origin if none is given.
        root: the repository.
    """
    here = posixpath.dirname(place(origin) if at is None else at)
    files: set[str] = set()

    def follow(found: re.Match[str]) -> str:
        words, target = found.groups()
        if re.match(r"\w+:|#", target):
            return found[0]
        path, _, anchor = target.partition("#")
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
        if (root / meant).is_dir():
            return words
        if carried(meant):
            files.add(meant)
        return f"[{words}]({posixpath.relpath(place(meant), here)}{'#' if anchor else ''}{anchor})"

    return outside_code(text, lambda part: _LINK.sub(follow, part)), files


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with everything but its code changed."""
    parts, start = [], 0
    for block in _FENCE.finditer(text):
        parts += [change(text[start : block.start()]), block[0]]
        start = block.end()
    return "".join([*parts, change(text[start:])])
