"""The papers: their figures drawn again, and their numbers recomputed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from _generate.markdown import link, page, plain, table
from _generate.places import DOCS
from _generate.theorems import cited
from whit.papers import PAPERS, Recomputed, recompute
from whit.papers.figures import FIGURES
from whit.telling.plots import Picture
from whit.theory import reference

_ENTRY = re.compile(r"^#+ (\d{3}\.\d+) .*$", flags=re.MULTILINE)


def gallery_pages() -> dict[str, str]:
    """A page for each paper, and its pictures."""
    errata = errata_links()
    pages: dict[str, str] = {}
    for paper in PAPERS:
        pages |= paper_pages(paper, FIGURES.get(paper, {}), tuple(recompute([paper])), errata)
    return pages


def paper_pages(
    paper: str,
    figures: Mapping[int, Callable[[], Picture]],
    numbers: Sequence[Recomputed],
    errata: Mapping[str, str],
) -> dict[str, str]:
    """The page of a paper and its pictures, by path."""
    drawn = {number: draw() for number, draw in sorted(figures.items())}
    pictures = {f"gallery/{_picture_name(paper, number)}": picture.svg() for number, picture in drawn.items()}
    return {f"gallery/{paper.lower()}.md": paper_page(paper, drawn, numbers, errata), **pictures}


def paper_page(
    paper: str, drawn: Mapping[int, Picture], numbers: Sequence[Recomputed], errata: Mapping[str, str]
) -> str:
    """The figures of a paper, each with its description, and the table of its numbers."""
    entry = reference(paper)
    shown = [part for number, picture in drawn.items() for part in _figure(paper, number, picture)]
    return page(
        plain(entry.short),
        cited(entry),
        *(["## Figures", *shown] if shown else ["The paper has no figures that are drawn from numbers."]),
        "## Numbers",
        _counted(numbers),
        _numbers(numbers, errata),
    )


def _picture_name(paper: str, number: int) -> str:
    return f"{paper.lower()}-figure-{number}.svg"


def _figure(paper: str, number: int, picture: Picture) -> Iterator[str]:
    name = _picture_name(paper, number)
    yield f"### Figure {number}"  # its title stands in the picture
    yield f"```{{image}} {name}\n:alt: {json.dumps(picture.alt)}\n:class: figure\n:target: ../_images/{name}\n```"


def _counted(numbers: Sequence[Recomputed]) -> str:
    verdicts = Counter(each.case.verdict.value for each in numbers)
    counts = table(["what the value says of the print", "numbers"], ([v, str(n)] for v, n in verdicts.most_common()))
    return f"{len(numbers)} numbers, recomputed when this page was made.\n\n{counts}"


def _numbers(numbers: Sequence[Recomputed], errata: Mapping[str, str]) -> str:
    header = ["place", "quantity", "at", "printed", "computed", "what that says", "erratum"]
    return table(header, (_row(each, errata) for each in numbers))


def _row(each: Recomputed, errata: Mapping[str, str]) -> list[str]:
    case = each.case
    computed = f"{each.computed:.6g}" + ("" if each.as_expected else " (not the expected value)")
    number = link(case.errata, errata[case.errata]) if case.errata in errata else case.errata
    texts = (case.where, case.quantity, case.at, case.printed, computed, case.verdict.value)
    return [*(plain(text) for text in texts), number]


def errata_links() -> dict[str, str]:
    """Where each erratum stands, by its number, from the pages of the gallery."""
    found = {}
    for path in sorted((DOCS / "errata").glob("*.md")):
        for entry in _ENTRY.finditer(path.read_text(encoding="utf-8")):
            found[entry[1]] = f"../errata/{path.name}#{_anchor(entry[0])}"
    return found


def _anchor(heading: str) -> str:
    """The anchor that a heading gets: lower case, hyphens for spaces, no punctuation."""
    return re.sub(r"[^\w\- ]", "", heading.lstrip("# ")).lower().replace(" ", "-")
