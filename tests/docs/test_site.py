"""The site is built without a warning, and no link on it leads nowhere.

Sphinx runs in a process of its own: what it does to warnings, paths and modules stays there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from _generate.gallery import errata_links
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
