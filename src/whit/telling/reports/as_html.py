"""A document as one HTML file that needs no network."""

from __future__ import annotations

import re
from base64 import b64encode
from importlib.resources import files
from types import ModuleType

from whit.errors import MissingExtra
from whit.telling.reports.document import Document

_PERCENT = re.compile(r"(?<=\d) %")


def as_html(document: Document) -> str:
    """The document as HTML text."""
    environment = template_library().Environment(autoescape=True)
    environment.filters["base64"] = lambda text: b64encode(text.encode()).decode("ascii")
    environment.filters["unbroken"] = unbroken
    template = files(__package__).joinpath("templates/report.html").read_text(encoding="utf-8")
    return str(environment.from_string(template).render(document.tree())) + "\n"


def template_library() -> ModuleType:
    """The library that fills the template; an error that names it where it is not installed."""
    try:
        import jinja2
    except ImportError as missing:
        way_out = "Install it with: pip install 'whit[reports]'."
        raise MissingExtra("jinja2", "must be installed for reports in HTML", "no such library", way_out) from missing
    return jinja2


def unbroken(text: str) -> str:
    r"""The text with a space that no line breaks at between a number and its percent sign.

    >>> unbroken("at most 12.6 % of them")
    'at most 12.6\xa0% of them'
    """
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", text)
