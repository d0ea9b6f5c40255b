"""A report in the format that the name of its file asks for, written whole or not at all."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from whit.display import at_work
from whit.errors import InvalidInput, require
from whit.files import place_of, replace_files, require_other, sources_spared
from whit.spec import Release, read_release
from whit.telling.reports.document import Document
from whit.telling.reports.formats import as_html, as_json, as_markdown, as_pdf, template_library, typesetter
from whit.telling.reports.hazards import KEYS
from whit.telling.reports.making import Plain, document_of, plain_document
from whit.telling.reports.word import as_word, word_library
from whit.telling.reports.wording import ENGLISH

Source: TypeAlias = str | Path | Release | Document | Plain
"""What a report can be made of."""

Files: TypeAlias = dict[Path, bytes]


@at_work("Writing the report")
def report(
    source: Source,
    out: str | Path,
    *,
    date: datetime.date | None = None,
    sheet: bool = False,
    appendix: bool = False,
    language: str | None = None,
) -> Path:
    """Write a report, and return where it is.

    A report on a release begins with its decision sheet, one page for whoever decides. The same source, date and
    version of whit, and the same ledger if the file names one, give the same bytes. Nothing is written unless all of it
    can be.

    Args:
        source: a TOML file that states release, unit, promise, adversaries and what is accepted; or an assessment, a
            recommendation or a plan, with a concern or without, which make a shorter report.
        out: the file to write: .pdf, .html, .docx, .md (with its pictures beside it) or .json.
        date: the date on the report; today's if none is given.
        sheet: the decision sheet alone; of a file or a request only.
        appendix: add every answer, assumption and theorem, and the file itself; of a file or a request only.
        language: the language of the sentences, such as "de"; that of the file if none is named, and English if the
            file names none.
    """
    target, ending = _target(out)
    if ending in _LIBRARIES:  # asked for before anything is computed
        _LIBRARIES[ending]()
    if isinstance(source, str | Path):
        require_other(target, place_of(source), name="the file of a report")
    day = datetime.date.today() if date is None else date
    way_out = "Use datetime.date(2026, 1, 31)."
    require(type(day) is datetime.date, name="date", rule="must be a date", value=day, way_out=way_out)
    with sources_spared():
        write(_FORMATS[ending](_document(source, day, sheet=sheet, appendix=appendix, language=language), target))
    return target


def _target(out: object) -> tuple[Path, str]:
    """The file to write and its ending, if it can be one."""
    way_out = "Use a name such as report.html."
    if not isinstance(out, str | PathLike):
        raise InvalidInput("the file of a report", "must be the path of a file", out, way_out)
    target = place_of(out)
    ending = target.suffix.lower()
    if ending not in _FORMATS:
        raise InvalidInput("the file of a report", f"must end in {', '.join(_FORMATS)}", str(target), way_out)
    require_place(target)
    return target, ending


def _document(source: Source, date: datetime.date, *, sheet: bool, appendix: bool, language: str | None) -> Document:
    if isinstance(source, str | Path):
        source = read_release(source, hazards=KEYS)
    if isinstance(source, Release):
        return document_of(source, date=date, sheet=sheet, appendix=appendix, language=language)
    way_out = "Leave it out; or pass a TOML file, or what whit.spec.read_release made of one."
    for name, asked in (("sheet", sheet), ("appendix", appendix)):
        require(not asked, name=name, rule="is for a report of a file", value=asked, way_out=way_out)
    return source if isinstance(source, Document) else plain_document(source, date=date, language=language or ENGLISH)


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
    if path.exists() and not path.is_file():
        raise _refused(path, OSError(0, "it is a device or a pipe"))


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
    try:
        target.stem.encode()
    except UnicodeEncodeError as wrong:
        rule = "must have a name in UTF-8, by which it names its pictures"
        raise InvalidInput("the file of a report", rule, str(target), "Choose another name.") from wrong
    text, pictures = as_markdown(document, target.stem)
    before = target.read_text("utf-8", errors="replace") if target.is_file() else ""
    for name in pictures:
        _require_own(target.parent / name, before)
    return {**{target.parent / name: svg.encode() for name, svg in pictures.items()}, target: text.encode()}


def _require_own(picture: Path, before: str) -> None:
    """Refuse to write over a picture that the report which is replaced does not show: it is somebody else's."""
    own = not picture.exists() or f"(<{picture.name}>)" in before
    rule, way_out = "must not be another file's", "Choose another name for the report, or move the picture."
    require(own, name="a picture of a report", rule=rule, value=str(picture), way_out=way_out)


_FORMATS: dict[str, Callable[[Document, Path], Files]] = {
    ".pdf": lambda document, target: {target: as_pdf(document)},
    ".html": lambda document, target: {target: as_html(document).encode()},
    ".docx": lambda document, target: {target: as_word(document)},
    ".md": _markdown,
    ".json": lambda document, target: {target: as_json(document).encode()},
}

_LIBRARIES: dict[str, Callable[[], ModuleType]] = {
    ".html": template_library,
    ".pdf": typesetter,
    ".docx": word_library,
}
