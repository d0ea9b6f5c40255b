"""A document as Markdown with its pictures beside it, as JSON, as HTML and as PDF."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import as_file, files
from types import ModuleType
from typing import Any, Final

from whit.errors import InvalidInput, missing_extra
from whit.telling.plots.fonts import FOLDER
from whit.telling.reports.colours import COLOURS
from whit.telling.reports.document import Document
from whit.telling.reports.mathematics import with_trees
from whit.telling.reports.wording import words_of
from whit.theory import Prose

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")
_FENCE = re.compile("`{3,}")
_START = re.compile(r"^(\s*\d*)([-+=.)])(?=[\s=-]|$)")
"""What begins a list, a rule or a heading at the beginning of a line."""

_NEW_LINE = re.compile(r"\s*[\n\r\v\f\x85\u2028\u2029]\s*")
_BOX = "☐"


def labels(document: Document) -> dict[str, str]:
    """The few words that a format adds by itself, in the language of the document."""
    words, kept = words_of(document.language), {"page": "{page}", "pages": "{pages}"}
    date = words.date(document.date)
    made = words("document.made", date=date, version=document.version)
    footer = words("document.footer", subtitle=document.subtitle, version=document.version)
    said = {"page": words("document.page", **kept), "contents": words("document.contents")}
    return {"made": made, "footer": footer, "date": date, **said}


def as_markdown(document: Document, stem: str) -> tuple[str, dict[str, str]]:
    """The document as Markdown text, and its pictures by the names of their files.

    Args:
        document: the document.
        stem: how the names of the files begin.
    """
    tree = document.printed()
    pictures: dict[str, str] = {}
    lines = [f"# {escaped(tree['title'])}", f"{escaped(tree['subtitle'])}. {escaped(labels(document)['made'])}"]
    lines.append(_table(("", ""), tree["facts"]))
    if tree["sheet"] is not None:
        lines += _sheet(tree["sheet"], stem, pictures)
    for section in tree["sections"]:
        lines += _section(section, 2, stem, pictures)
    return "\n\n".join(lines) + "\n", pictures


def escaped(text: str) -> str:
    """The text on one line, with what Markdown would read as markup made plain."""
    return _START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", _NEW_LINE.sub(" ", text)))


def _sheet(sheet: dict[str, Any], stem: str, pictures: dict[str, str]) -> Iterator[str]:
    yield f"## {escaped(sheet['title'])}"
    yield from _block("stamp", sheet["stamp"], stem, pictures)
    for section in sheet["beside"]:
        yield from _section(section, 3, stem, pictures)
    for figure in sheet["figure"]:
        yield from _block("figure", figure["figure"], stem, pictures)
    for section in sheet["below"]:
        yield from _section(section, 3, stem, pictures)


def _section(section: dict[str, Any], depth: int, stem: str, pictures: dict[str, str]) -> Iterator[str]:
    yield f"{'#' * depth} {escaped(section['title'])}"
    for block in section["blocks"]:
        ((name, content),) = block.items()
        yield from _block(name, content, stem, pictures)
    for part in section["parts"]:
        yield from _section(part, depth + 1, stem, pictures)


def _block(name: str, content: Any, stem: str, pictures: dict[str, str]) -> Iterator[str]:
    match name:
        case "paragraph":
            yield escaped(content)
        case "points":
            yield "\n".join(f"- {escaped(item)}" for item in content)
        case "remark":
            yield f"> **{escaped(content)}**"
        case "stamp":
            yield f"> **{content['sign']} {escaped(content['word'])}.** {escaped(content['text'])}"
        case "signatures":
            yield " ".join(f"{_BOX} {escaped(choice)}" for choice in content["choices"])
            empty = [""] * (len(content["header"]) - 1)
            yield _table(content["header"], [[role, *empty] for role in content["roles"]])
        case "listing":
            fence = _fence(content)
            yield f"{fence}toml\n{content.rstrip()}\n{fence}"
        case "table":
            yield from (escaped(text) for text in [content["caption"]] if text)
            yield _table(content["header"], content["rows"])
        case "figure":
            file = f"{stem}-{len(pictures) + 1}.svg"
            pictures[file] = content["svg"]
            yield f"![{escaped(content['alt'])}](<{file}>)"
            yield escaped(content["caption"])


def _fence(listing: str) -> str:
    """A fence that is longer than any in the text that it encloses."""
    return "`" * (1 + max((len(run) for run in _FENCE.findall(listing)), default=2))


def _table(header: Any, rows: Any) -> str:
    lines = [header, ["---"] * len(header), *([escaped(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_json(document: Document) -> str:
    """The document as JSON text."""
    return json.dumps(document.tree(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def as_html(document: Document) -> str:
    """The document as HTML text."""
    environment = template_library().Environment(autoescape=True)
    environment.filters["base64"] = lambda text: b64encode(text.encode()).decode("ascii")
    environment.filters["told"] = lambda text: Told(text.html) if isinstance(text, Prose) else text
    template = files(__package__).joinpath("templates/report.html").read_text(encoding="utf-8")
    return str(environment.from_string(template).render(**document.printed(), **_looks(document))) + "\n"


def _looks(document: Document) -> dict[str, Any]:
    """What a template adds: its own words, and the colours of verdicts."""
    return {"labels": labels(document), "colours": {name: asdict(each) for name, each in COLOURS.items()}}


class Told(str):
    """HTML that is escaped already: the text of a theorem, which no user has written."""

    def __html__(self) -> str:
        """Itself."""
        return str(self)


def template_library() -> ModuleType:
    """The library that fills the template; an error that names it where it is not installed."""
    try:
        import jinja2
    except ImportError as missing:
        raise missing_extra("jinja2", "reports", purpose="for reports in HTML") from missing
    return jinja2


_NO_LETTER = re.compile(r'the text `"(.+?)"` could not be displayed with font')

_LONG = re.compile(r"[^\s\u200b-]{31,}")
"""What has no place to break: after a hyphen there is one."""

_PIECES = re.compile(r"[^\s]{1,30}")
_BREAK = "\N{ZERO WIDTH SPACE}"
_AS_IT_IS = ("svg", "alt", "formula")

STANDARD: Final = "ua-1"
"""PDF/UA-1: a picture without a text that stands for it is refused."""


def as_pdf(document: Document) -> bytes:
    """The document as PDF."""
    typst = typesetter()
    try:
        with as_file(files(__package__)) as folder:
            pdf: bytes = typst.compile(
                str(folder / "templates" / "report.typ"),
                root=str(folder),
                ignore_system_fonts=True,
                font_paths=[str(FOLDER)],  # that of the pictures
                sys_inputs={"report": json.dumps(_for_pages(document), ensure_ascii=False)},
                pdf_standards=[STANDARD],
                timestamp=0,
            )
    except typst.TypstError as wrong:
        letter = _NO_LETTER.search(str(wrong))
        if letter is None:
            raise
        rule = "must be written in letters that the fonts of the PDF have"
        raise InvalidInput("a text of the report", rule, letter[1], "Write the report as .html instead.") from wrong
    return pdf


def _for_pages(document: Document) -> Any:
    """The tree that the pages are set from: with formulas as trees, and with places to break in long words."""
    return _breakable(with_trees({**document.printed(), **_looks(document)}))


def _breakable(part: Any) -> Any:
    if isinstance(part, str):
        return _LONG.sub(lambda word: _BREAK.join(_PIECES.findall(word[0])), part)
    if isinstance(part, list):
        return [_breakable(each) for each in part]
    if isinstance(part, dict):
        kept = {name: each for name, each in part.items() if name != "narrow"}  # a page is as wide as it is
        return {name: each if name in _AS_IT_IS else _breakable(each) for name, each in kept.items()}
    return part


def typesetter() -> ModuleType:
    """The library that sets pages; an error that names it where it is not installed."""
    try:
        import typst
    except ImportError as missing:
        instead = "Write the report as .html, .md or .json; or install it."
        raise missing_extra("typst", "reports", purpose="for reports in PDF", instead=instead) from missing
    return typst
