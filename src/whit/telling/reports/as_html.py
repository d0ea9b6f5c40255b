"""A document as one HTML file that needs no network."""

from __future__ import annotations

from base64 import b64encode
from importlib.resources import files
from types import ModuleType

from whit.errors import MissingExtra
from whit.telling.reports.document import Document


def as_html(document: Document) -> str:
    """The document as HTML text."""
    environment = template_library().Environment(autoescape=True)
    environment.filters["base64"] = lambda text: b64encode(text.encode()).decode("ascii")
    template = files(__package__).joinpath("templates/report.html").read_text(encoding="utf-8")
    return str(environment.from_string(template).render(document.printed())) + "\n"


def template_library() -> ModuleType:
    """The library that fills the template; an error that names it where it is not installed."""
    try:
        import jinja2
    except ImportError as missing:
        way_out = "Install it with: pip install 'whit[reports]'."
        raise MissingExtra("jinja2", "must be installed for reports in HTML", "no such library", way_out) from missing
    return jinja2
