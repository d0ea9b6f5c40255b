"""Whether the ledger is whole; the ledger as lines, out and in."""

from __future__ import annotations

import tempfile
from io import StringIO
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.datastructures import UploadFile

from whit.apps.web.access.forms import SignedForm
from whit.apps.web.access.who import Role, may
from whit.apps.web.apart import apart
from whit.apps.web.pages.ledger.book import PREFIX, book_of
from whit.apps.web.rendering import page
from whit.errors import Incompatible, InvalidInput, WhitError
from whit.ledger import Ledger, export, restore, verify

_FILE = "Choose the file that whit ledger export made."

router = APIRouter(prefix=PREFIX)


@router.get("/verify", dependencies=[may(Role.AUDITOR)])
def verified(request: Request, head: str = "", ask: str = "") -> Response:
    """Check every hash and every link, and that the entries give the totals."""
    found, wrong, errors = None, "", []
    with book_of(request) as book:
        if ask:
            try:
                found = verify(book.store, head=head.strip() or None)
            except (InvalidInput, Incompatible) as differs:
                wrong = str(differs)
                errors = [("head", wrong)] if differs.parameter == "head" else []  # that says nothing of the ledger
    tree = {"whole": found is not None, "events": found.events, "head": found.head} if found else {"problem": wrong}
    return page(request, "ledger/verify.html", tree, found=found, wrong=wrong, errors=errors, kept=head)


@router.get("/export.jsonl", dependencies=[may(Role.AUDITOR)])
def exported(request: Request) -> Response:
    """The ledger as JSON Lines, one event a line."""
    lines = StringIO()
    with book_of(request) as book:
        export(book.store, lines)
    headers = {"content-disposition": "attachment; filename=ledger.jsonl"}
    return PlainTextResponse(lines.getvalue(), media_type="application/x-ndjson", headers=headers)


@router.get("/import", dependencies=[may(Role.KEEPER)])
def asked(request: Request) -> Response:
    """The form for the lines of another ledger."""
    return _page(request)


@router.post("/import", dependencies=[may(Role.KEEPER)])
def imported(request: Request, form: SignedForm) -> Response:
    """Fill this ledger, which must be empty, with the lines of another one: all of them or none."""
    file = form.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.size:
            raise InvalidInput("file", "must be chosen", "nothing", _FILE)
        lines = _lines(file.file.read())
        with book_of(request) as book:
            apart(_replayed, lines, limits=request.app.state.settings.limits)
            found = restore(book.store, lines)
    except WhitError as wrong:
        return _page(request, errors=[("file", str(wrong))])
    return _page(request, found=f"{found}")


def _lines(content: bytes) -> list[str]:
    try:
        return content.decode("ascii").splitlines()
    except UnicodeError as wrong:
        raise InvalidInput("file", "must be lines of JSON in ASCII", "other bytes", _FILE) from wrong


def _replayed(lines: list[str]) -> int:
    """Make a ledger of the lines elsewhere and check it, before this one is touched."""
    with tempfile.TemporaryDirectory() as folder, Ledger.create(Path(folder) / "tried.ledger", actor="import") as book:
        restore(book.store, lines)
        return verify(book.store).events


def _page(request: Request, *, errors: list[tuple[str, str]] | None = None, found: str = "") -> Response:
    wrong = errors or []
    tree = {"done": found, "errors": wrong}
    return page(request, "ledger/import.html", tree, status=422 if wrong else 200, errors=wrong, found=found)
