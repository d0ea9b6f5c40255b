"""Audit: what readers can conclude from a table without noise; a table as a text or a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import UploadFile

from whit import spec
from whit.apps.asking.answers import Answers
from whit.apps.asking.audits import cell_tree, left_words, opening
from whit.apps.web.access.forms import SignedForm
from whit.apps.web.access.who import Role, may
from whit.apps.web.apart import apart
from whit.apps.web.problems import status_of, told
from whit.apps.web.questions import plain
from whit.apps.web.rendering import is_json, page
from whit.audit import cell_text
from whit.errors import InvalidInput, WhitError
from whit.policy.tables import CellFound, audited
from whit.telling.audits import left_picture, left_text

router = APIRouter(prefix="/audit", dependencies=[may(Role.READER)])

EXAMPLE = """region,age,value,flag
north,young,7,
north,old,,c
north,Total,9,
south,young,,c
south,old,,c
south,Total,11,
Total,young,12,
Total,old,8,
Total,Total,20,
"""
"""A table that is shown first: every line with a withheld cell has totals, and all three cells follow from them."""

MOST = 500
"""The most cells that the page lists; as JSON it has all of them."""

SHOWN = 200_000
"""The longest text that the form shows again."""

LINKED = (".toml", ".tab", ".rda", ".hrc")
"""The endings of files that name other files, or belong to them."""

_ONE = "Choose a table in CSV or JJ, or use whit audit."


@dataclass(frozen=True)
class Outcome:
    """What the page of an audit shows.

    Attributes:
        opening: the outcome in two sentences.
        verdict: the word of the verdict.
        known: a sentence for each cell that is known exactly and must not be.
        narrow: a sentence for each other cell with too little left.
        unshown: the same for each cell that is not shown.
        rows: the cells: name, status, what is left, what is required, who reads.
        cells: how many cells there are.
        picture: what is left of each cell, as SVG.
        document: all of it as plain values.
    """

    opening: str
    verdict: str
    known: tuple[str, ...]
    narrow: tuple[str, ...]
    unshown: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cells: int
    picture: str
    document: dict[str, Any] = field(repr=False)


@router.get("")
def asked(request: Request) -> Response:
    """The form with a small table."""
    return _page(request, {"values_left": "2"}, EXAMPLE)


@router.post("")
def audit(request: Request, form: SignedForm) -> Response:
    """The table that was written or chosen; it is read and audited in a process that can be killed."""
    said = {name: form.get(name, "") for name in (*spec.CELL_LIMITS, "text")}
    limits = {name: value.strip() for name, value in said.items() if isinstance(value, str)}
    text, file = limits.pop("text", ""), form.get("file")
    chosen = file if isinstance(file, UploadFile) and file.size else None
    content, name = (chosen.file.read(), chosen.filename or "") if chosen else (text.encode(), "the table")
    given = {name: value for name, value in limits.items() if value}
    try:
        text, found = apart(of_file, content, name, given, limits=request.app.state.settings.limits)
    except WhitError as wrong:
        return _refused(request, limits, text, wrong)
    return _page(request, limits, text, found)


def of_file(content: bytes, name: str, given: dict[str, Any]) -> tuple[str, Outcome]:
    """The text of a table, if it is short enough to be shown again, and what its audit found."""
    if name.lower().endswith(LINKED):
        raise InvalidInput("the table", "must be one file that needs no other here", name, _ONE, parameter="file")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeError as wrong:
        raise InvalidInput("the table", "must be a text in UTF-8", "other bytes", _ONE, parameter="file") from wrong
    limits = spec.cell_limits_of(spec.Given(given))
    return text if len(text) <= SHOWN else "", outcome_of(spec.audit_of(text, name, limits))


def outcome_of(read: spec.AuditRead) -> Outcome:
    """What the audit of a table found."""
    found = audited(read.task)
    cells = sorted(found.found, key=lambda each: each.is_kept)
    result = {"within_limits": found.is_kept, "cells": [cell_tree(read, each) for each in found.found]}
    return Outcome(
        opening(found),
        found.outcome.value,
        _sentences([each for each in found.failing if each.interval.determined]),
        _sentences([each for each in found.failing if not each.interval.determined]),
        _sentences(list(found.unshown)),
        tuple(_row(read, each) for each in cells[:MOST]),
        len(cells),
        left_picture([each.interval for each in cells], partial(left_text, text=read.scale.text)) if cells else "",
        Answers("audit", {"file": read.name}, result=result).document(),
    )


def _sentences(cells: list[CellFound]) -> tuple[str, ...]:
    return tuple(f"{each.why} Read by {each.by}." for each in cells[:MOST])


def _row(read: spec.AuditRead, each: CellFound) -> tuple[str, ...]:
    left, _ = left_words(read, each)
    return cell_text(each.cell), each.status, left, "; ".join(each.required) or "nothing", each.by


def _refused(request: Request, limits: dict[str, str], text: str, wrong: WhitError) -> Response:
    sentence, name = plain(str(wrong)), wrong.parameter
    if is_json(request):
        return told(request, status_of(wrong), sentence, field=name)
    place = name if name in spec.CELL_LIMITS else "text"
    return _page(request, limits, text, status=status_of(wrong), errors=((place, sentence),))


def _page(
    request: Request,
    limits: dict[str, str],
    text: str,
    found: Outcome | None = None,
    *,
    status: int = 200,
    errors: tuple[tuple[str, str], ...] = (),
) -> Response:
    document = found.document if found else {"example": text, "limits": list(spec.CELL_LIMITS)}
    asked = {name: limits.get(name, "") for name in spec.CELL_LIMITS}
    shown = text if len(text) <= SHOWN else ""
    return page(request, "audit.html", document, status=status, asked=asked, text=shown, found=found, errors=errors)
