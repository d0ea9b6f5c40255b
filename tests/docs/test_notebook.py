"""The tutorial that is a notebook runs, shows HTML, is stored without what it shows, and becomes a page.

It is run in a process of its own: what the kernel does to signals, loops and warnings stays there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _generate.notebook import page_of
from _generate.places import DOCS, ROOT
from shown_pages import Page

NOTEBOOKS = sorted(DOCS.rglob("*.ipynb"))
RUN = """
import json, sys
from pathlib import Path
from _generate.notebook import executed
json.dump(executed(Path(sys.argv[1])), sys.stdout)
"""


@cache
def executed(path: Path) -> dict[str, Any]:
    """The notebook with what it shows."""
    # Others come along, where what runs the tests has them from elsewhere.
    places = [str(ROOT / "src"), str(ROOT / "docs"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    run = subprocess.run(
        [sys.executable, "-c", RUN, str(path)], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_there_is_a_notebook():
    assert [path.name for path in NOTEBOOKS] == ["a-notebook.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_without_what_it_shows(path):
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert code_cells(stored)
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code_cells(stored))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_of_a_notebook_runs_and_what_it_shows_parses(path):
    shown = [output for cell in code_cells(executed(path)) for output in cell["outputs"]]
    assert [output for output in shown if output["output_type"] in ("error", "stream")] == []
    pages = [output["data"]["text/html"] for output in shown if "text/html" in output["data"]]
    assert sum('class="whit"' in page for page in pages) >= 8
    assert all("script" not in Page(page).tags for page in pages if 'class="whit"' in page)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_links_of_a_notebook_lead_somewhere(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert links
    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.slow
def test_a_cell_that_fails_is_found(tmp_path):
    cell: dict[str, Any] = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": "1 / 0",
        "execution_count": None,
        "outputs": [],
    }
    path = tmp_path / "broken.ipynb"
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        executed(path)


def test_a_page_has_the_text_the_code_and_what_it_shows():
    html = {"output_type": "execute_result", "data": {"text/html": ["<p>x</p>"], "text/plain": ["x"]}}
    plain = {"output_type": "execute_result", "data": {"text/plain": ["2"]}}
    cleared = {"output_type": "display_data", "data": {"text/html": "", "text/plain": "<HTML>"}}
    printed = {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]}
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Words."]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": [html, plain, cleared, printed]},
    ]
    assert page_of({"cells": cells}) == (
        "# Title\n\nWords.\n\n```python\n1 + 1\n```\n\n````{raw} html\n<p>x</p>\n````\n\n```text\n2\n```\n\n"
        "```text\none\ntwo\n```"
    )
