"""A reader finds every page of docs/ from the front page, in three steps at most."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```$", flags=re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#]+\.md)(?:#[^)]*)?\)")


def listed(page: str, text: str, pages: set[str]) -> set[str]:
    """The pages that the lists of contents on a page name, by name or by a pattern."""
    here = posixpath.dirname(page)
    found: set[str] = set()
    for block in TOCTREE.findall(text):
        for entry in (line for line in block.split() if not line.startswith(":")):
            meant = posixpath.normpath(posixpath.join(here, entry))
            pattern = re.compile(re.escape(meant).replace(r"\*", "[^/]*") + r"\.md")
            found |= {each for each in pages if pattern.fullmatch(each)}
    return found


def steps(texts: dict[str, str], front: str = "index.md") -> dict[str, int]:
    """How many steps each page is away from the front page, by links and by lists of contents."""
    away, edge = {front: 0}, [front]
    for page in edge:
        linked = {posixpath.normpath(posixpath.join(posixpath.dirname(page), each)) for each in links(texts[page])}
        for target in (linked & texts.keys() | listed(page, texts[page], set(texts))) - away.keys():
            away[target] = away[page] + 1
            edge.append(target)
    return away


def links(text: str) -> list[str]:
    return LINK.findall(FENCE.sub("", text))


def test_every_page_is_found_in_three_steps():
    docs = ROOT / "docs"
    texts = {path.relative_to(docs).as_posix(): path.read_text(encoding="utf-8") for path in docs.rglob("*.md")}
    away = steps(texts)
    assert texts.keys() - away.keys() == set()
    assert {page: far for page, far in away.items() if far > 3} == {}


def test_a_page_that_is_far_away_or_hidden_is_found():
    texts = {"index.md": "[a](a.md)", "a.md": "[b](sub/b.md#x)", "sub/b.md": "[c](c.md)", "sub/c.md": "[d](../d.md)"}
    away = steps({**texts, "d.md": "", "hidden.md": ""})
    assert away == {"index.md": 0, "a.md": 1, "sub/b.md": 2, "sub/c.md": 3, "d.md": 4}


def test_lists_of_contents_count_by_name_and_by_pattern():
    front = "```{toctree}\n:hidden:\n\none\nsub/*\n```\n"
    texts = {"index.md": front, "one.md": "", "sub/two.md": "", "sub/deep/three.md": "", "other.md": ""}
    assert steps(texts) == {"index.md": 0, "one.md": 1, "sub/two.md": 1}
