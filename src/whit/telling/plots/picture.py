"""A picture: a chart that can be changed, its title, its description in words, and the numbers behind it."""

from __future__ import annotations

import html
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from whit.errors import InvalidInput, require
from whit.numerics import finite_positive
from whit.telling.plots.alt_text import described_pdf, described_png, described_svg
from whit.telling.plots.answers import Columns
from whit.telling.plots.drawing import Drawing, chart_of, drawing_of, html_of, is_chart, pdf_of, png_of, svg_of
from whit.telling.plots.layers import shelved
from whit.telling.plots.style import caption_lines, themed


def written(path: Path, content: bytes) -> Path:
    """The path, after the content is there; a file that was there before stays as it is if that fails."""
    try:
        _require_place(path)
        _replaced(path, content)
    except InvalidInput:
        raise
    except (OSError, ValueError) as failed:
        why = getattr(failed, "strerror", None) or "no file can have this name"
        way_out = "Choose a folder in which you may write."
        raise InvalidInput("path", f"must be one that can be written ({why})", str(path), way_out) from failed
    return path


def _require_place(path: Path) -> None:
    """Refuse a folder, and a file in a folder that is not there."""
    if path.is_dir():
        raise InvalidInput("path", "must be a file", str(path), f"Add a name, such as {path / 'picture.png'}.")
    if not path.parent.is_dir():
        raise InvalidInput("path", "must lie in a folder that exists", str(path), f"Make the folder {path.parent}.")


def _replaced(path: Path, content: bytes) -> None:
    """Write beside the path, then take its place in one step."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with beside.open("xb") as file:
            file.write(content)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


SUFFIXES = (".html", ".pdf", ".png", ".svg")
"""The forms in which a picture is saved, by the ending of the file."""

LETTERS = 92
"""How many letters fit into a line of the caption above a picture of the usual width."""

_CHART = "Change .chart with its own methods, such as .properties(width=600), and pass the result."
_SCALE = "Use 2 for screens and slides, 4 for print."


@dataclass(frozen=True, repr=False)
class Picture:
    """A chart with what goes with it in every form.

    Attributes:
        drawing: the chart in the words of Vega-Lite, as plain values.
        title: the line above it.
        alt: what it shows, in words; it goes with the picture into every file.
        table: the numbers that are drawn.
    """

    drawing: Drawing
    title: str
    alt: str
    table: Columns

    def __post_init__(self) -> None:
        for name, words in (("title", self.title), ("alt", self.alt)):
            way_out = "Say what the picture shows."
            given = bool(str(words).strip())
            require(given, name=f"the {name} of a picture", rule="must be a text", value=words, way_out=way_out)

    @cached_property
    def chart(self) -> Any:
        """The picture as an Altair chart; change it with its own methods and put it back by `with_chart`."""
        return chart_of(self.drawing)

    def with_chart(self, chart: Any) -> Self:
        """This picture with another chart, such as one that is wider; the numbers and the words stay."""
        require(is_chart(chart), name="chart", rule="must be an Altair chart", value=chart, way_out=_CHART)
        return replace(self, drawing=drawing_of(chart))

    def svg(self) -> str:
        """The picture as SVG, described for those who cannot see it."""
        return described_svg(svg_of(self.drawing), self.title, self.alt)

    def png(self, *, scale: float = 2.0) -> bytes:
        """The picture as PNG, with so many points for each unit of the drawing."""
        return described_png(png_of(self.drawing, finite_positive("scale", scale, _SCALE)), self.title, self.alt)

    def pdf(self) -> bytes:
        """The picture as PDF, tagged as a figure with its description."""
        return described_pdf(pdf_of(self.drawing), self.title, self.alt)

    def html(self) -> str:
        """The picture as a page that needs no network, with the numbers in a table below it."""
        return html_of(self.drawing, self.title, self.alt, self.table)

    def save(self, path: str | Path, *, scale: float = 2.0) -> Path:
        """Write the picture to a file, in the form that its ending names: .png, .svg, .pdf or .html."""
        target = _target(path)
        forms: dict[str, Callable[[], bytes]] = {
            ".svg": lambda: self.svg().encode(),
            ".png": lambda: self.png(scale=scale),
            ".pdf": self.pdf,
            ".html": lambda: self.html().encode(),
        }
        return written(target, forms[target.suffix.lower()]())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows: the drawing itself, without a script."""
        svg = self.svg()
        shown = f'<figure style="margin: 0" aria-label="{html.escape(self.title)}">{svg}</figure>'
        return {"text/html": shown, "image/svg+xml": svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"


def pictured(
    body: Mapping[str, Any], *, title: str, caption: str, alt: str, table: Columns, letters: int = LETTERS
) -> Picture:
    """The picture of a description without title and style; the caption has lines of at most so many letters."""
    lines = {"text": caption_lines(title, letters * 2 // 3), "subtitle": caption_lines(caption, letters)}
    titled = {"title": lines}
    return Picture(shelved(themed({**body, **titled, "description": alt})), title, alt, table)


def _target(path: object) -> Path:
    """The path of a file whose ending names a form."""
    way_out = f"Use a name such as picture.png; the endings are {', '.join(SUFFIXES)}."
    if not isinstance(path, str | Path) or not str(path).strip():
        raise InvalidInput("path", "must be the name of a file", path, way_out)
    target = Path(path).expanduser()
    known = target.suffix.lower() in SUFFIXES
    require(known, name="path", rule="must end in the form of the picture", value=str(path), way_out=way_out)
    return target
