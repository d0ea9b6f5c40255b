"""A report in the format that the name of its file asks for, written whole or not at all."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from whit.errors import InvalidInput, require
from whit.spec import Release, read_release
from whit.telling.plots.files import replace_files
from whit.telling.reports.document import Document
from whit.telling.reports.formats import as_html, as_json, as_markdown, as_pdf, template_library, typesetter
from whit.telling.reports.hazards import KEYS
from whit.telling.reports.making import Plain, document_of, plain_document

Source: TypeAlias = str | Path | Release | Document | Plain
"""What a report can be made of."""

Files: TypeAlias = dict[Path, bytes]


def report(source: Source, out: str | Path, *, date: datetime.date | None = None, short: bool = False) -> Path:
    """Write a report, and return where it is.

    The same source, date and version of whit, and the same ledger if the file names one, give the same bytes.
    Nothing is written unless all of it can be.

    Args:
        source: a TOML file that states release, unit, promise, adversaries and what is accepted; or an assessment, a
            recommendation or a plan, with a concern or without, which make a shorter report.
        out: the file to write: .html, .pdf, .md (with its pictures beside it) or .json.
        date: the date on the report; today's if none is given.
        short: leave out the appendices, for a reader who decides and does not check; of a file or a request only.
    """
    named = isinstance(out, str | PathLike)
    way_out = "Use a name such as report.html."
    require(named, name="the file of a report", rule="must be the path of a file", value=out, way_out=way_out)
    target = Path(out)
    render = _FORMATS.get(target.suffix.lower())
    if render is None:
        rule = f"must end in {', '.join(_FORMATS)}"
        raise InvalidInput("the file of a report", rule, str(target), way_out)
    require_place(target)
    if target.suffix.lower() in _LIBRARIES:  # asked for before anything is computed
        _LIBRARIES[target.suffix.lower()]()
    day = datetime.date.today() if date is None else date
    way_out = "Use datetime.date(2026, 1, 31)."
    require(type(day) is datetime.date, name="date", rule="must be a date", value=day, way_out=way_out)
    write(render(_document(source, day, short=short), target))
    return target


def _document(source: Source, date: datetime.date, *, short: bool) -> Document:
    if isinstance(source, Release):
        return document_of(source, date=date, short=short)
    if isinstance(source, str | Path):
        return document_of(read_release(source, hazards=KEYS), date=date, short=short)
    way_out = "Leave short out; or pass a TOML file, or what whit.spec.read_release made of one."
    require(not short, name="short", rule="is for a report of a file", value=short, way_out=way_out)
    if isinstance(source, Document):
        return source
    return plain_document(source, date=date)


def require_place(path: Path) -> None:
    """Refuse a folder, and a file whose folder is not there, before anything is computed for it."""
    try:
        folder, taken = path.parent.is_dir(), path.is_dir()
    except OSError as wrong:  # a name that no file can have
        raise _refused(path, wrong) from wrong
    if not folder:
        raise _refused(path, FileNotFoundError(2, "No such file or directory"))
    if taken:
        raise _refused(path, IsADirectoryError(0, "it is a folder"))


def write(files: Mapping[Path, bytes]) -> None:
    """Write all of these files, or none that has its final name; the last one is renamed last."""
    for path in files:
        require_place(path)
    try:
        replace_files(files)
    except OSError as wrong:
        raise _refused(next(iter(files)).parent, wrong) from wrong


def _refused(path: Path, wrong: OSError) -> InvalidInput:
    way_out = f"It cannot, because: {wrong.strerror or wrong}. Choose another folder or name."
    return InvalidInput("the file of a report", "must be one that can be written", str(path), way_out)


def _markdown(document: Document, target: Path) -> Files:
    text, pictures = as_markdown(document, target.stem)
    return {**{target.parent / name: svg.encode() for name, svg in pictures.items()}, target: text.encode()}


_FORMATS: dict[str, Callable[[Document, Path], Files]] = {
    ".html": lambda document, target: {target: as_html(document).encode()},
    ".pdf": lambda document, target: {target: as_pdf(document)},
    ".md": _markdown,
    ".json": lambda document, target: {target: as_json(document).encode()},
}

_LIBRARIES: dict[str, Callable[[], ModuleType]] = {".html": template_library, ".pdf": typesetter}
