"""A picture: a chart that can be changed, its title, its description in words, and the numbers behind it.

This is the one place that knows the drawing libraries: charts from their descriptions, and files from charts.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Self, TypeAlias

from whit.errors import InvalidInput, missing_extra, require
from whit.files import place_of, written
from whit.numerics import finite_positive
from whit.telling.plots.answers import Columns
from whit.telling.plots.files import described_pdf, described_png, described_svg
from whit.telling.plots.fonts import FOLDER, FONT, faces
from whit.telling.plots.layers import shelved
from whit.telling.plots.style import CAPTION, NARROW, TITLE, WIDE, Page, themed
from whit.telling.plots.texts import LONGEST_TEXT, cleaned_parts, shortened, text_lines
from whit.telling.plots.wording import words_of

Drawing: TypeAlias = Mapping[str, Any]
"""A chart in the words of Vega-Lite, as plain values."""

_PAGE = """<!DOCTYPE html>
<html lang="{code}">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{faces}
:root {{ color-scheme: light dark; --ink: #222; --paper: #fff; --rule: #ccc; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #eee; --paper: #1b1b1b; --rule: #555; }} }}
body {{ font-family: {font}; margin: 1.5em; color: var(--ink); background: var(--paper); }}
@media {narrow_window} {{ body {{ margin: 0.5em; }} }}
h1 {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
figure {{ margin: 0; background: #fff; border-radius: 6px; width: fit-content; max-width: 100%; }}
figure svg.marks {{ max-width: 100%; height: auto; }}
main > details {{ margin-top: 1em; }}
.scroll {{ overflow-x: auto; margin-top: 0.5em; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid var(--rule); }}
</style>
{library}
</head>
<body>
<main>
<h1>{title}</h1>
<figure aria-label="{alt}">
<div id="chart"></div>
<noscript>{alt}</noscript>
</figure>
<details>
<summary>{numbers}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="{numbers}">
{table}
</div>
</details>
</main>
<script type="text/javascript">
vegaEmbed("#chart", {spec}, {{"renderer": "svg", "ast": true, "actions": {{"export": true, "source": false,
"compiled": false, "editor": false}}}}).then(function (drawn) {{
const picture = drawn.view.container();
picture.setAttribute("role", "img");
picture.removeAttribute("aria-roledescription");
picture.querySelector("svg").setAttribute("aria-hidden", "true");
picture.nextElementSibling.querySelector("summary").setAttribute("aria-label", "{save}");
}}).catch(console.error);
</script>
</body>
</html>
"""

SUFFIXES = (".html", ".pdf", ".png", ".svg")
"""The forms in which a picture is saved, by the ending of the file."""

NARROW_WINDOW = "(max-width: 36rem)"
"""The windows in which pictures are drawn narrow, in the words of style sheets."""

_CAPTION_LINES = 24
"""More than any sentence about what a picture is asked of needs, also in a narrow window."""

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
        language: the code of the language of its words.
        caption: what its lines and signs mean; the drawing has it below the title.
        narrow: the same for a narrow window, if it was drawn.
    """

    drawing: Drawing
    title: str
    alt: str
    table: Columns
    language: str = "en"
    caption: str = ""
    narrow: Drawing | None = None

    def __post_init__(self) -> None:
        for name, words in (("title", self.title), ("alt", self.alt)):
            way_out = "Say what the picture shows."
            given = bool(str(words).strip())
            require(given, name=f"the {name} of a picture", rule="must be a text", value=words, way_out=way_out)
            object.__setattr__(self, name, shortened(words, LONGEST_TEXT))
        object.__setattr__(self, "caption", shortened(self.caption, LONGEST_TEXT))
        object.__setattr__(self, "drawing", cleaned_parts(dict(self.drawing)))
        if self.narrow is not None:
            object.__setattr__(self, "narrow", cleaned_parts(dict(self.narrow)))

    def __hash__(self) -> int:
        """By what it says: a drawing is made of mappings, which have no hash."""
        return hash((self.title, self.alt))

    @cached_property
    def chart(self) -> Any:
        """The picture as an Altair chart; change it with its own methods and put it back by `with_chart`."""
        # Slow, since Altair looks at every word of it.
        return _altair().Chart.from_dict(dict(self.drawing))

    def with_chart(self, chart: Any) -> Self:
        """This picture with another chart, such as one that is wider; the numbers and the words stay."""
        good = isinstance(chart, _altair().TopLevelMixin)
        require(good, name="chart", rule="must be an Altair chart", value=chart, way_out=_CHART)
        try:
            return replace(self, drawing=dict(chart.to_dict()), narrow=None)
        except ValueError as failed:
            raise _not_drawn(failed) from failed

    def without_caption(self) -> Self:
        """This picture with the title alone above it, for a page that has the caption in its text."""
        narrow = None if self.narrow is None else _without_subtitle(self.narrow)
        return replace(self, drawing=_without_subtitle(self.drawing), narrow=narrow)

    def narrowed(self) -> Self:
        """This picture for a narrow window, with letters as large; the same where none was drawn."""
        return self if self.narrow is None else replace(self, drawing=self.narrow, narrow=None)

    def svg(self) -> str:
        """The picture as SVG, described for those who cannot see it."""
        return described_svg(str(_converted("vegalite_to_svg", self.drawing)), self.title, self.alt, faces())

    def png(self, *, scale: float = 2.0) -> bytes:
        """The picture as PNG, with so many points for each unit of the drawing."""
        drawn = _converted("vegalite_to_png", self.drawing, scale=finite_positive("scale", scale, _SCALE))
        return described_png(bytes(drawn), self.title, self.alt)

    def pdf(self) -> bytes:
        """The picture as PDF, tagged as a figure with its description."""
        return described_pdf(pdf_of(self.drawing), self.title, self.alt, self.language)

    def html(self) -> str:
        """The picture as a page that needs no network, with the numbers in a table below it."""
        # A word such as </script> in a name must not end the script.
        wide, narrow = (
            json.dumps(each, sort_keys=True).replace("<", "\\u003c") for each in (self.drawing, self.narrowed().drawing)
        )
        spec = f"window.matchMedia({json.dumps(NARROW_WINDOW)}).matches ? {narrow} : {wide}"
        words = {"title": html.escape(self.title), "alt": html.escape(self.alt), "table": _html_table(self.table)}
        words |= {key: html.escape(words_of(self.language)(f"page.{key}")) for key in ("numbers", "save")}
        return _PAGE.format(
            code=self.language,
            library=_library(),
            spec=spec,
            faces=faces(),
            font=FONT,
            narrow_window=NARROW_WINDOW,
            **words,
        )

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
    body: Mapping[str, Any] | Callable[[Page], Mapping[str, Any]],
    *,
    title: str,
    caption: str,
    alt: str,
    table: Columns,
    width: float = WIDE.above,
    language: str = "en",
) -> Picture:
    """The picture of a description without title and style; title and caption are broken into lines so wide.

    A description that depends on the page is drawn for a narrow window as well.
    """

    def drawn(given: Mapping[str, Any], above: float) -> Drawing:
        lines = {
            "text": text_lines(title, above, TITLE, bold=True, most=4),
            "subtitle": text_lines(caption, above, CAPTION, most=_CAPTION_LINES),
        }
        return shelved(themed({**given, "title": lines, "description": alt[:LONGEST_TEXT]}))

    if callable(body):
        drawing, narrow = drawn(body(WIDE), width), drawn(body(NARROW), NARROW.above)
        return Picture(drawing, title, alt, table, language, caption, narrow)
    return Picture(drawn(body, width), title, alt, table, language, caption)


def _without_subtitle(drawing: Drawing) -> Drawing:
    title = {name: text for name, text in dict(drawing.get("title", {})).items() if name != "subtitle"}
    return {**drawing, "title": title}


def _target(path: object) -> Path:
    """The path of a file whose ending names a form."""
    way_out = f"Use a name such as picture.png; the endings are {', '.join(SUFFIXES)}."
    if not isinstance(path, str | Path) or not str(path).strip():
        raise InvalidInput("path", "must be the name of a file", path, way_out)
    target = place_of(path)
    known = target.suffix.lower() in SUFFIXES
    require(known, name="path", rule="must end in the form of the picture", value=str(path), way_out=way_out)
    return target


def pdf_of(drawing: Drawing) -> bytes:
    """The drawing as a document of one page."""
    return bytes(_converted("vegalite_to_pdf", drawing))


def _html_table(table: Columns) -> str:
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in table)
    rows = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in table.rows())
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


@cache
def library_script() -> str:
    """The drawing libraries as one script that asks nothing of the network: it gives a window `vegaEmbed`."""
    return str(_converter().javascript_bundle())


@cache
def _library() -> str:
    """The drawing libraries as one script element; taken from a page that has nothing else in it."""
    empty = {"data": {"values": []}, "mark": "point"}
    page = str(_converter().vegalite_to_html(empty, bundle=True))
    return page[page.index("<script") : page.index("</script>") + len("</script>")]


def _converted(function: str, drawing: Drawing, **options: float) -> Any:
    # The description of a chart is a text of the file, and must not reach out to the network.
    try:
        return getattr(_converter(), function)(dict(drawing), **options)
    except ValueError as failed:
        raise _not_drawn(failed) from failed


def _not_drawn(failed: ValueError) -> InvalidInput:
    way_out = "Undo the last change of the chart. If nobody changed it, the drawing library itself has failed."
    return InvalidInput("the chart", "must be one that can be drawn", str(failed), way_out)


def _altair() -> ModuleType:
    try:
        import altair
    except ImportError as missing:
        raise missing_extra("altair", "charts", purpose="to make pictures") from missing
    return altair


def _converter() -> ModuleType:
    try:
        import vl_convert
    except ImportError as missing:
        raise missing_extra("vl-convert-python", "charts", purpose="to draw pictures") from missing
    _with_font(vl_convert)
    return vl_convert


def png_of(svg: str, *, scale: float = 2.0) -> bytes:
    """A drawing that is there already as an image, for files that take no drawing."""
    image: bytes = _converter().svg_to_png(svg, scale=scale)
    return image


@cache
def _with_font(converter: ModuleType) -> None:
    """Tell the library once where the font is."""
    converter.register_font_directory(str(FOLDER))
