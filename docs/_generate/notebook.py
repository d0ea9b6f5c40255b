"""A notebook as a page of the site: its text, its code, and what the code shows.

A notebook is stored without what it shows: words and numbers have one home, the sources, and a stored copy of them
would be wrong after the next change. So a notebook is run for the page, in a kernel of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from _generate.places import DOCS, ROOT, moved, place

SECONDS = 300
"""The most that one cell may take."""


def notebook_pages() -> dict[str, str]:
    """The page of each notebook, and the notebook itself to take away, by their paths on the site."""
    pages: dict[str, str] = {}
    for path in sorted(DOCS.rglob("*.ipynb")):
        origin = path.relative_to(ROOT).as_posix()
        pages[place(origin)] = notebook_page(path)
        pages[origin.removeprefix("docs/")] = path.read_text(encoding="utf-8")
    return pages


def notebook_page(path: Path) -> str:
    """The page of a notebook that is run now."""
    text, _ = moved(page_of(executed(path)), path.relative_to(ROOT).as_posix())
    return f"{text}\n\nThis page is {{download}}`a notebook <{path.name}>`, run when the site was made.\n"


def executed(path: Path) -> dict[str, Any]:
    """The notebook with what its code shows; a cell that fails is an error."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        places = [str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(places), "IPYTHONDIR": folder}
        client = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": folder}})
        client.extra_arguments = ["--log-level=ERROR"]  # a kernel on this machine need not be encrypted
        client.execute(env=environment)
    return dict(notebook)


def page_of(notebook: Mapping[str, Any]) -> str:
    """The cells of a notebook that was run, as Markdown."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell) if part)


def _parts(cell: Mapping[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        yield _shown(output)


def _shown(output: Mapping[str, Any]) -> str:
    """What a cell shows: its HTML if there is any, else its text."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    forms = {kind: "".join(content) for kind, content in output["data"].items() if kind.startswith("text/")}
    if forms.get("text/html", "").strip():
        return f"````{{raw}} html\n{forms['text/html']}\n````"
    return f"```text\n{forms['text/plain']}\n```" if "text/html" not in forms else ""
