"""The site is built without a warning, and no link on it leads nowhere.

Sphinx runs in a process of its own: what it does to warnings, paths and modules stays there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from _generate.gallery import errata_links
from _generate.links import Page
from _generate.names import packages, public_names
from _generate.places import ROOT

from whit.theory import THEOREMS

# The pages that are made, by their titles alone: what the written pages lead to.
PAGES = ["grid", "assumptions", "references", "theorems/index", *(f"theorems/{key}" for key in THEOREMS)]
MADE = ["api/index.rst", *(f"{name}.md" for name in PAGES)]
BUILD = """
import sys
from pathlib import Path
from _generate.site import build
page = {".md": "---\\norphan: true\\n---\\n# Made\\n", ".rst": "Made\\n====\\n"}
made = {f"reference/{name}": page[Path(name).suffix] for name in sys.argv[2:]}
made |= {"gallery/paper.md": "# Made\\n", "tutorials/a-notebook.md": "# Made\\n"}
checked = build(Path(sys.argv[1]), made)
sys.exit(1 if checked is None else str(checked) if checked.broken else 0)
"""
RENDER = """
import sys
from pathlib import Path
from _generate.site import render
sys.exit(1 if render(Path(sys.argv[1])) is None else 0)
"""


def steps(folder: Path) -> dict[str, int]:
    """How many clicks each built page is away from the front; the menu at the side does not count."""
    away, edge = {"index.html": 0}, ["index.html"]
    for page in edge:
        read = Page()
        read.feed((folder / page).read_text("utf-8").partition("<article")[2].partition("</article>")[0])
        for link in read.links:
            path = urlsplit(link).path
            target = os.path.normpath(os.path.join(os.path.dirname(page), unquote(path)))
            if path.endswith(".html") and "://" not in link and target not in away:
                away[target] = away[page] + 1
                edge.append(target)
    return away


def without_words(page: str) -> list[str]:
    """The pictures of a built page that say nothing to somebody who does not see them."""
    return [tag for tag in re.findall(r"<img [^>]*>", page) if not re.search(r'alt="[^"]', tag)]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "docs")])}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_written_pages_make_a_site_without_warnings(tmp_path):
    built = run("-c", BUILD, str(tmp_path), *MADE)
    assert built.returncode == 0, built.stdout + built.stderr
    assert (tmp_path / "html" / "index.html").is_file()


def test_a_warning_stops_the_build(tmp_path):
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "index.md").write_text("# Title\n\n[gone](gone.md)\n", encoding="utf-8")
    built = run("-c", RENDER, str(tmp_path))
    assert built.returncode == 1
    assert "cross-reference target not found: 'gone.md'" in built.stderr


@pytest.mark.slow
def test_the_whole_site_is_built_without_warnings(tmp_path):
    built = run("docs/build.py", str(tmp_path))
    assert built.returncode == 0, built.stdout + built.stderr
    assert "WARNING" not in built.stderr
    pages = {path.relative_to(tmp_path / "html").as_posix() for path in Path(tmp_path, "html").rglob("*.html")}
    assert {f"reference/theorems/{key}.html" for key in THEOREMS} <= pages
    assert {f"gallery/{paper}.html" for paper in ("ks14", "kaa22", "kr24", "kszjy25", "bbrr26")} <= pages
    assert "tutorials/a-notebook.html" in pages
    assert errata_links()
    folder = tmp_path / "html"
    away = steps(folder)
    assert pages - away.keys() - {"search.html", "py-modindex.html"} == set()
    assert {page: far for page, far in away.items() if far > 3} == {}
    assert [tag for page in sorted(pages) for tag in without_words((folder / page).read_text("utf-8"))] == []
    assert lost_names(folder) == set()
    assert "Search.setIndex(" in (folder / "searchindex.js").read_text("utf-8")  # loaded as a script, also from a disk
    indexed = set(re.findall(r'"([\w./-]+?)(?:\.md|\.rst)?"', (folder / "searchindex.js").read_text("utf-8")))
    assert {page.removesuffix(".html") for page in away} - indexed - {"genindex", "explorer"} == set()


def lost_names(folder: Path) -> set[str]:
    """The public names without a place on the built pages, under the name by which they are described."""
    pages = [path.read_text("utf-8") for path in (folder / "reference" / "api").glob("*.html")]
    anchors = {anchor for page in pages for anchor in re.findall(r'id="(?:module-)?(whit[\w.]*)"', page)}
    homes = {each.home for package in packages() for each in public_names(package) if "whit." in each.home}
    shown = anchors | {name for page in pages for name in re.findall(r'<span class="pre">(whit[\w.]*)</span>', page)}
    return homes - shown


def test_steps_count_the_links_of_the_text_alone(tmp_path):
    (tmp_path / "index.html").write_text("<a href='menu.html'>m</a><article><a href='sub/a.html#x'>a</a></article>")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.html").write_text("<article><a href='../b.html'>b</a></article>")
    (tmp_path / "b.html").write_text("<article><a href='https://example.org/c.html'>c</a></article>")
    assert steps(tmp_path) == {"index.html": 0, "sub/a.html": 1, "b.html": 2}


def test_a_name_without_a_place_is_found(tmp_path):
    folder = tmp_path / "reference" / "api"
    folder.mkdir(parents=True)
    (folder / "whit.guarantees.html").write_text('<dt id="whit.guarantees.PureDP">', encoding="utf-8")
    lost = lost_names(tmp_path)
    assert "whit.guarantees.ApproxDP" in lost
    assert "whit.guarantees.PureDP" not in lost


def test_a_picture_without_words_is_found():
    assert without_words('<img src="a.png" alt="a curve"><img alt="" src="b.png"><img src="c.png">') == [
        '<img alt="" src="b.png">',
        '<img src="c.png">',
    ]
