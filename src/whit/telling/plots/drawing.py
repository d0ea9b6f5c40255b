"""The one place that knows the drawing libraries: charts from their descriptions, and files from charts."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

from whit.errors import InvalidInput, missing_extra
from whit.telling.plots.answers import Columns

Drawing: TypeAlias = Mapping[str, Any]
"""A chart in the words of Vega-Lite, as plain values."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font-family: "Liberation Sans", Arial, Helvetica, sans-serif; margin: 1.5em; color: #222; }}
h1 {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
figure {{ margin: 0; }}
figure svg.marks {{ max-width: 100%; height: auto; }}
main > details {{ margin-top: 1em; }}
.scroll {{ overflow-x: auto; margin-top: 0.5em; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid #ccc; }}
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
<summary>The numbers behind the picture</summary>
<div class="scroll" tabindex="0" role="region" aria-label="The numbers behind the picture">
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
picture.nextElementSibling.querySelector("summary").setAttribute("aria-label", "Save the picture");
}}).catch(console.error);
</script>
</body>
</html>
"""


def chart_of(drawing: Drawing) -> Any:
    """The drawing as an Altair chart, which its users can change; slow, since Altair looks at every word of it."""
    return _altair().Chart.from_dict(dict(drawing))


def drawing_of(chart: Any) -> Drawing:
    """An Altair chart as a drawing."""
    try:
        return dict(chart.to_dict())
    except ValueError as failed:
        raise _not_drawn(failed) from failed


def is_chart(chart: object) -> bool:
    """Whether it is an Altair chart, of any of their kinds."""
    return isinstance(chart, _altair().TopLevelMixin)


def svg_of(drawing: Drawing) -> str:
    """The drawing as SVG."""
    return str(_converted("vegalite_to_svg", drawing))


def png_of(drawing: Drawing, scale: float) -> bytes:
    """The drawing as an image, with so many points for each unit of the drawing."""
    return bytes(_converted("vegalite_to_png", drawing, scale=scale))


def pdf_of(drawing: Drawing) -> bytes:
    """The drawing as a document of one page."""
    return bytes(_converted("vegalite_to_pdf", drawing))


def html_of(drawing: Drawing, title: str, alt: str, table: Columns) -> str:
    """The drawing as a page of its own that needs no network: the libraries, the drawing and its numbers are in it."""
    # A word such as </script> in a name must not end the script.
    spec = json.dumps(drawing, sort_keys=True).replace("<", "\\u003c")
    words = {"title": html.escape(title), "alt": html.escape(alt), "table": _html_table(table)}
    return _PAGE.format(library=_library(), spec=spec, **words)


def _html_table(table: Columns) -> str:
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in table)
    rows = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in table.rows())
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


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
    way_out = "Undo the last change of the chart."
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
    return vl_convert
