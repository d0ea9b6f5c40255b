"""Links of built pages that lead nowhere. Nothing is fetched: a link that leads outside is checked for its form only.

Checked is every `href` and `src` of every page: the file must be there, and so must the anchor. Nothing that a page
loads (a script, a style, a picture) may come from outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_WEB = ("http", "https")
_LOADED = ("img", "script", "iframe", "source", "link", "video", "audio", "object", "embed")
# Links of <link> that a browser does not load.
_ONLY_NAMED = ("index", "search", "next", "prev", "canonical", "author", "help", "license", "top", "up")


@dataclass
class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links, the loaded files and the anchors of a tag."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        for name in ("href", "src", "data"):
            if name in given:
                loaded = tag in _LOADED and given.get("rel", "") not in _ONLY_NAMED
                (self.loads if loaded else self.links).append(given[name])


@dataclass(frozen=True)
class Checked:
    """What was found on the built pages.

    Attributes:
        pages: how many pages were read.
        inside: how many links lead to a page or file of the site.
        outside: the links that lead elsewhere, each once.
        broken: what is wrong, each with its page.
    """

    pages: int
    inside: int
    outside: tuple[str, ...]
    broken: tuple[str, ...]

    def __str__(self) -> str:
        """What was found, in a few lines."""
        lines = [f"{self.pages} pages, {self.inside} links inside the site, {len(self.outside)} addresses outside it."]
        return "\n".join([*lines, *self.broken])


def check(folder: Path) -> Checked:
    """Every link of every page below a folder."""
    pages = {path: _read(path) for path in sorted(folder.rglob("*.html"))}
    anchors = {path.resolve(): page.anchors for path, page in pages.items()}
    broken: list[str] = []
    outside: dict[str, None] = {}
    inside = 0
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        broken += [f"{name}: loads {each} from outside" for each in page.loads if _leaves(each)]
        for target in page.links + page.loads:
            if _leaves(target):
                outside[target] = None
                broken += [f"{name}: {target} is not an address"] if not _well_formed(target) else []
            elif not target.startswith("data:"):
                inside += 1
                broken += [f"{name}: {target} {why}" for why in _wrong(path, target, folder, anchors)]
    return Checked(len(pages), inside, tuple(outside), tuple(dict.fromkeys(broken)))


def _read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _leaves(target: str) -> bool:
    parts = urlsplit(target)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def _well_formed(target: str) -> bool:
    parts = urlsplit(target)
    return (parts.scheme in _WEB and "." in parts.netloc and " " not in target) or parts.scheme == "mailto"


def _wrong(page: Path, target: str, folder: Path, anchors: dict[Path, set[str]]) -> Iterator[str]:
    """What is wrong with a link inside the site, if anything."""
    parts = urlsplit(target)
    file = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
    if not file.is_relative_to(folder.resolve()):
        yield "leads out of the site"
    elif not file.is_file():
        yield "leads to no file"
    elif parts.fragment and file in anchors and unquote(parts.fragment) not in anchors[file]:
        yield "leads to no anchor"
