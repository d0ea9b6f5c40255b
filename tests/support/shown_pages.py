"""HTML that a notebook would show, read by the parsers of the standard library and by nothing of whit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree


class Page(HTMLParser):
    """The texts of a page by their tags, if every tag is closed by its own end."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._open: list[str] = []
        self.tags: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._open[-1], []).append(data)

    @property
    def said(self) -> str:
        """All that a reader sees, on one line; the style is not read."""
        return " ".join(" ".join(" ".join(each) for tag, each in self.texts.items() if tag != "style").split())


def read(value: Any) -> Page:
    """The page of a value, well-formed as HTML and as XML."""
    page = value._repr_html_()
    ElementTree.fromstring(page.replace("&nbsp;", " "))
    return Page(page)


def words_of(value: Any) -> str:
    """The words of a page in the order in which they stand there."""
    tree = ElementTree.fromstring(value._repr_html_())
    for style in tree.iter("style"):
        style.text = ""
    return " ".join("".join(tree.itertext()).split())


def palettes(style: str) -> Iterator[dict[str, str]]:
    """The colours by name that each rule of a style sets."""
    for rule in re.findall(r"\{([^{}]*)\}", style):
        found = dict(re.findall(r"--whit-([\w-]+): (#[0-9a-f]{6})", rule))
        if found:
            yield found


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2.2: relative luminances, the lighter over the darker."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
