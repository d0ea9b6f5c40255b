"""The one place that knows the drawing libraries: charts from their descriptions, and files from charts."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from whit.errors import InvalidInput, MissingExtra
from whit.telling.plots.columns import Columns

_EXTRA = "Install it with: pip install 'whit[charts]'."

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font-family: "Liberation Sans", Arial, Helvetica, sans-serif; margin: 1.5em; color: #222; }}
figure {{ margin: 0; }}
details {{ margin-top: 1em; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid #ccc; }}
</style>
{library}
</head>
<body>
<main>
<figure role="img" aria-label="{alt}">
<div id="chart"></div>
<noscript>{alt}</noscript>
</figure>
<details>
<summary>The numbers behind the picture</summary>
{table}
</details>
</main>
<script type="text/javascript">
vegaEmbed("#chart", {spec}, {{"renderer": "svg", "ast": true, "actions": {{"export": true, "source": false,
"compiled": false, "editor": false}}}}).catch(console.error);
</script>
</body>
</html>
"""


def chart_of(spec: Mapping[str, Any]) -> Any:
    """The description as an Altair chart, which its users can change."""
    return _altair().Chart.from_dict(dict(spec))


def is_chart(chart: object) -> bool:
    """Whether it is an Altair chart, of any of their kinds."""
    return isinstance(chart, _altair().TopLevelMixin)


def svg_of(chart: Any) -> str:
    """The chart as a drawing."""
    return str(_converted("vegalite_to_svg", chart))


def png_of(chart: Any, scale: float) -> bytes:
    """The chart as an image, with so many points for each unit of the drawing."""
    return bytes(_converted("vegalite_to_png", chart, scale=scale))


def pdf_of(chart: Any) -> bytes:
    """The chart as a document of one page."""
    return bytes(_converted("vegalite_to_pdf", chart))


def html_of(chart: Any, title: str, alt: str, table: Columns) -> str:
    """The chart as a page of its own that needs no network: the libraries, the chart and its numbers are in it."""
    # A word such as </script> in a name must not end the script.
    spec = json.dumps(chart.to_dict(), sort_keys=True).replace("<", "\\u003c")
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


def _converted(function: str, chart: Any, **options: float) -> Any:
    # The description of a chart is a text of the file, and must not reach out to the network.
    try:
        return getattr(_converter(), function)(chart.to_dict(), **options)
    except ValueError as failed:
        way_out = "Undo the last change of the chart."
        raise InvalidInput("the chart", "must be one that can be drawn", str(failed), way_out) from failed


def _altair() -> ModuleType:
    try:
        import altair
    except ImportError as missing:
        raise MissingExtra("altair", "must be installed to make pictures", "no such library", _EXTRA) from missing
    return altair


def _converter() -> ModuleType:
    try:
        import vl_convert
    except ImportError as missing:
        rule = "must be installed to draw pictures"
        raise MissingExtra("vl-convert-python", rule, "no such library", _EXTRA) from missing
    return vl_convert
