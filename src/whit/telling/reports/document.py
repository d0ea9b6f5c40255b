"""The document model: what a report says, before it is HTML, PDF, Markdown or JSON.

A document is a decision sheet, if it has one, and sections; a section is blocks; a block is a text, a list, a table, a
figure, a remark, a verdict, a place for signatures or a listing. All formats are made from the one plain tree that
`tree` gives, so that they say the same. A text may hold formulas (`Prose`): it is plain text to whoever does not set
them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from whit.errors import require
from whit.theory import Prose

_PERCENT = re.compile(r"(?<=\d) %")
_ONE_WORD = re.compile(r"\b([Aa])-(?=priori|posteriori)")
"""The hyphen within a word of German that no line should break at."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Control characters, marks that turn the direction of text around, and what is no character at all."""


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {"paragraph": self.text}


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    items: tuple[str, ...]

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {"points": list(self.items)}


@dataclass(frozen=True)
class Remark:
    """A sentence that stands out: a gist, a verdict, a warning."""

    text: str

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {"remark": self.text}


@dataclass(frozen=True)
class Stamp:
    """A verdict in a box, told by its word, its sign and its colour.

    Attributes:
        outcome: the key of the verdict, by which it gets its colour.
        sign: a sign for it.
        word: the word for it.
        text: how much there is to spare or is exceeded.
    """

    outcome: str
    sign: str
    word: str
    text: str

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {"stamp": {"outcome": self.outcome, "sign": self.sign, "word": self.word, "text": self.text}}


@dataclass(frozen=True)
class Signatures:
    """A place for a decision by hand.

    Attributes:
        choices: what may be ticked.
        header: the names of the columns; the first one is that of the roles.
        roles: who signs, a row for each.
    """

    choices: tuple[str, ...]
    header: tuple[str, ...]
    roles: tuple[str, ...]

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        columns = {"header": list(self.header), "roles": list(self.roles)}
        return {"signatures": {"choices": list(self.choices), **columns}}


@dataclass(frozen=True)
class Listing:
    """Text to be shown as it is, such as a file."""

    text: str

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {"listing": self.text}


@dataclass(frozen=True)
class Table:
    """Rows of texts below a header.

    Attributes:
        caption: what the table shows; empty if the heading above it says so.
        header: a name for each column.
        rows: a text for each column.
        widths: the share of the page that each column gets, in any unit.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[int, ...]

    def __post_init__(self) -> None:
        lengths = {len(self.header), len(self.widths), *(len(row) for row in self.rows)}
        way_out = "Give each row as many texts as the header has."
        even = len(lengths) == 1
        require(even, name="a table", rule="must be rectangular", value=sorted(lengths), way_out=way_out)

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        rows = [list(row) for row in self.rows]
        content = {"caption": self.caption, "header": list(self.header), "rows": rows, "widths": list(self.widths)}
        return {"table": content}


@dataclass(frozen=True)
class Figure:
    """A picture with the text that stands for it.

    Attributes:
        caption: what the picture shows.
        alt: what a reader who does not see it should know.
        svg: the picture.
        narrow: the same for a narrow window; empty where there is none.
        wide: whether it is as wide as the page, whatever its height.
    """

    caption: str
    alt: str
    svg: str
    narrow: str = ""
    wide: bool = False

    def __post_init__(self) -> None:
        said = bool(self.alt.strip())
        way_out = "Say in words what the picture shows."
        require(said, name="a figure", rule="must have a text that stands for it", value="none", way_out=way_out)

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        wide = {"wide": True} if self.wide else {}
        narrow = {"narrow": self.narrow} if self.narrow else {}
        return {"figure": {"caption": self.caption, "alt": self.alt, "svg": self.svg, **narrow, **wide}}


Block: TypeAlias = Paragraph | Points | Remark | Stamp | Signatures | Listing | Table | Figure


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it; parts are sections of their own, one step down."""

    title: str
    blocks: tuple[Block, ...]
    parts: tuple[Section, ...] = ()

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {
            "title": self.title,
            "blocks": [block.tree() for block in self.blocks],
            "parts": [part.tree() for part in self.parts],
        }


@dataclass(frozen=True)
class Sheet:
    """The decision sheet: one page for whoever decides.

    Attributes:
        title: what kind of page it is.
        stamp: the verdict.
        beside: what stands beside the picture.
        figure: the picture; none if it cannot be drawn.
        below: what stands below both.
    """

    title: str
    stamp: Stamp
    beside: tuple[Section, ...]
    figure: tuple[Figure, ...]
    below: tuple[Section, ...]

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {
            "title": self.title,
            **self.stamp.tree(),
            "beside": [each.tree() for each in self.beside],
            "figure": [each.tree() for each in self.figure],
            "below": [each.tree() for each in self.below],
        }


@dataclass(frozen=True)
class Document:
    """A whole report.

    Attributes:
        title: its title.
        subtitle: what kind of document it is.
        facts: what a reader wants to know first, by name.
        sections: all the rest.
        date: when it was made, as year-month-day.
        version: the version of whit that made it.
        findings: every number of it as JSON, each with who asked and what.
        sheet: the decision sheet, which comes first; a report on one result has none.
        language: the code of its language.
    """

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    date: str
    version: str
    findings: tuple[Mapping[str, Any], ...]
    sheet: Sheet | None = None
    language: str = "en"

    def tree(self) -> dict[str, Any]:
        """As a plain tree."""
        return {
            "title": self.title,
            "subtitle": self.subtitle,
            "date": self.date,
            "whit": self.version,
            "language": self.language,
            "facts": [list(fact) for fact in self.facts],
            "sheet": None if self.sheet is None else self.sheet.tree(),
            "sections": [section.tree() for section in self.sections],
            "findings": [dict(finding) for finding in self.findings],
        }

    def printed(self) -> dict[str, Any]:
        """The tree for readers: without the findings, which are for programs, and with texts that lines can hold."""
        tree = self.tree()
        del tree["findings"]
        return {name: _set(part) for name, part in tree.items()}


def unbroken(text: str) -> str:
    r"""The text with a space that no line breaks at before a percent sign, and such a hyphen in "A-priori".

    >>> unbroken("at most 12.6 % of them")
    'at most 12.6\xa0% of them'
    """
    return _ONE_WORD.sub("\\1\N{NON-BREAKING HYPHEN}", _PERCENT.sub("\N{NO-BREAK SPACE}%", text))


def shown(text: str) -> str:
    r"""The text with a mark in place of each letter that a page cannot show.

    >>> shown("a\x00b\ufeff")
    'a\ufffdb\ufffd'
    """
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def clipped(text: str, most: int) -> str:
    """The text, or as much of it as fits in so many letters.

    >>> clipped("a long name", 8)
    'a long …'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _set(part: Any) -> Any:
    if isinstance(part, Prose):
        return Prose(unbroken(part.source))
    if isinstance(part, str):
        return shown(unbroken(part))
    if isinstance(part, list):
        return [_set(each) for each in part]
    if isinstance(part, dict):
        return {name: each if name in ("svg", "narrow") else _seen(each, name) for name, each in part.items()}
    return part


def _seen(part: Any, name: str) -> Any:
    """A part of a tree; a listing keeps its spaces and its words as they are."""
    return shown(part) if name == "listing" else _set(part)
