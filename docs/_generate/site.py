"""The whole way: gather the pages, make the others, run Sphinx, check the links."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from sphinx.cmd.build import build_main

from _generate.api import api_pages
from _generate.explorer import explorer_pages, put_explorer
from _generate.gallery import gallery_pages
from _generate.grid import grid
from _generate.grid_page import grid_page
from _generate.links import Checked, check
from _generate.notebook import notebook_pages
from _generate.pictures import picture_pages
from _generate.places import DOCS, PROJECT_PAGES, ROOT, moved, place
from _generate.theorems import assumptions_page, references_page, theorem_pages

PICTURES = (".png", ".svg", ".jpg")


def build(target: Path, made: Mapping[str, str]) -> Checked | None:
    """Build the site of the written and the made pages below a folder, and check its links.

    Returns nothing where Sphinx has a warning, which it prints.
    """
    gather(target / "source", made)
    return render(target)


def render(target: Path) -> Checked | None:
    """Run Sphinx on the pages that were gathered."""
    source, pages = target / "source", target / "html"
    shutil.rmtree(pages, ignore_errors=True)
    options = ["-W", "--keep-going", "-n", "-b", "html", "-c", str(DOCS), "-d", str(target / "doctrees")]
    failed = build_main(["-q", *options, str(source), str(pages)])
    if failed:
        return None
    put_explorer(pages)
    return check(pages)


def made_pages() -> dict[str, str]:
    """All pages that are made, by their path on the site."""
    return {
        **notebook_pages(),
        **theorem_pages(),
        "reference/assumptions.md": assumptions_page(),
        "reference/references.md": references_page(),
        "reference/grid.md": grid_page(grid()),
        **api_pages(),
        **gallery_pages(),
        **picture_pages(),
        **explorer_pages(),
    }


def gather(source: Path, made: Mapping[str, str]) -> None:
    """Put all pages and the files that they link to into a folder, and remove what is there from before."""
    wanted = dict(_written()) | {path: text.encode() for path, text in made.items()}
    for path in [each for each in source.rglob("*") if each.is_file()]:
        if path.relative_to(source).as_posix() not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = source / name
        if not path.is_file() or path.read_bytes() != content:  # Sphinx reads again what has changed
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _written() -> Iterator[tuple[str, bytes]]:
    """The pages that people wrote, with their links moved, and the files that these lead to."""
    files: set[str] = set()
    for origin in origins():
        text, more = moved((ROOT / origin).read_text(encoding="utf-8"), origin)
        files |= more
        yield place(origin), text.encode()
    for path in DOCS.rglob("*"):
        if path.suffix in PICTURES and "_static" not in path.parts:
            yield path.relative_to(DOCS).as_posix(), path.read_bytes()
    for file in sorted(files):
        yield place(file), (ROOT / file).read_bytes()


def origins() -> list[str]:
    """The written pages by their path in the repository; the front page of the repository is not one of the site."""
    docs = [path.relative_to(ROOT).as_posix() for path in sorted(DOCS.rglob("*.md"))]
    return docs + [origin for origin, path in PROJECT_PAGES.items() if path != "index.md"]
