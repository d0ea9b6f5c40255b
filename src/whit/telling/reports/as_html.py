"""A document as one HTML file that needs no network."""

from __future__ import annotations

from base64 import b64encode
from importlib.resources import files

from whit.errors import MissingExtra
from whit.telling.reports.document import Document


def as_html(document: Document) -> str:
    """The document as HTML text."""
    try:
        from jinja2 import Environment
    except ImportError as missing:
        way_out = "Install it with pip install whit[reports], or write the report as .md or .json."
        raise MissingExtra("jinja2", "must be installed for reports in HTML", "no such library", way_out) from missing
    environment = Environment(autoescape=True)
    environment.filters["base64"] = lambda text: b64encode(text.encode()).decode("ascii")
    template = files(__package__).joinpath("templates/report.html").read_text(encoding="utf-8")
    return environment.from_string(template).render(document.tree()) + "\n"
