"""From the front a reader finds every page in three steps, every public name, and every theorem by its school."""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatch

from _generate.api import api_pages
from _generate.names import packages, public_names
from _generate.places import DOCS, ROOT, moved, place
from _generate.site import origins
from _generate.theorems import theorem_pages

from whit.theory import THEOREMS

STEPS = 3
_TREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?:project:)?([^)\s#]+)(?:#[^)\s]*)?\)")


def leads_to(page: str, text: str, pages: set[str]) -> set[str]:
    """The pages that a page of the site leads to: by its links and by its table of contents."""
    folder = posixpath.dirname(page)
    entries = [line for block in _TREE.findall(text) for line in block.splitlines() if line and line[0] != ":"]
    named = [*_LINK.findall(text), *(f"{each}.md" for each in entries), *(f"{each}.rst" for each in entries)]
    patterns = {posixpath.normpath(posixpath.join(folder, each)) for each in named if "://" not in each}
    return {each for each in pages if any(each == wanted or fnmatch(each, wanted) for wanted in patterns)}


def steps_to(texts: dict[str, str]) -> dict[str, int]:
    """How many steps each page is away from the front."""
    found, edge = {"index.md": 0}, ["index.md"]
    while edge:
        page = edge.pop(0)
        for each in leads_to(page, texts[page], set(texts)) - found.keys():
            found[each] = found[page] + 1
            edge.append(each)
    return found


def test_every_written_page_is_found_from_the_front_in_three_steps():
    texts = {place(each): moved((ROOT / each).read_text("utf-8"), each)[0] for each in origins()}
    texts["index.md"] = (DOCS / "index.md").read_text("utf-8")
    found = steps_to(texts)
    assert {each: found.get(each) for each in texts if found.get(each, STEPS + 1) > STEPS} == {}


def test_a_page_that_nothing_leads_to_would_be_missed():
    texts = {"index.md": "[a](a.md)", "a.md": "```{toctree}\n:glob:\n\nsub/*\n```", "sub/b.md": "", "lost.md": ""}
    assert steps_to(texts) == {"index.md": 0, "a.md": 1, "sub/b.md": 2}


def test_every_theorem_stands_below_a_school_two_steps_from_the_reference():
    menu = theorem_pages()["reference/theorems/index.md"]
    schools = menu.split("\n## ")[1:]
    assert len(schools) > 4
    listed = [key for each in schools for key in re.findall(r"\]\(([\w-]+)\.md\)", each)]
    assert sorted(set(listed)) == sorted(THEOREMS)


def libraries(page: str) -> set[str]:
    """The libraries of others that a table of what whit reads names in its first column."""
    cells = re.findall(r"^\| (.+?) \| ", page.partition("|---|")[2], flags=re.MULTILINE)
    names = {name for cell in cells for name in re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).split(", ")}
    return names - {"any", "deployments registry", "Google's C++ library"}


def test_libraries_are_read_from_the_first_column():
    rows = "| library | object |\n|---|---|\n| [one](a.md), Two | x |\n| any | y |\n"
    assert libraries(f"{rows}\nWords | that are | no row.\n") == {"one", "Two"}


def test_every_library_that_is_read_has_a_page():
    read = libraries((DOCS / "how-to" / "bring-in-objects-of-other-libraries.md").read_text("utf-8"))
    assert {"dp-accounting", "JAX Privacy", "OpenDP", "SmartNoise"} <= read
    titles = [path.read_text("utf-8").partition("\n")[0] for path in (DOCS / "if-you-use").glob("*.md")]
    assert {name for name in read if not any(name in title for title in titles)} == set()


def test_every_public_name_is_in_the_reference():
    pages = api_pages()
    named = {f"{package}.{each.path.rpartition('.')[2]}" for package in packages() for each in public_names(package)}
    known = {*named, *packages()}
    lines = (ROOT / "tests" / "public_interface.txt").read_text("utf-8").splitlines()
    public = {re.split(r"[(:= ]", line)[0] for line in lines if line.startswith("whit.")}
    missing = {each for each in public if each not in known and each.rpartition(".")[0] not in known}
    assert missing == set()
    text = "\n".join(pages.values())
    assert {each for each in named if each.rpartition(".")[2] not in text} == set()
