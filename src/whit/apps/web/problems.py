"""Errors as pages and as problem documents: one sentence, and the field that it is about."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from whit.apps.web.rendering import is_api, is_json, page
from whit.errors import (
    MissingExtra,
    NotAllowed,
    NotImplied,
    TooCostly,
    Unavailable,
    UnknownKey,
    Unreachable,
    WhitError,
)

STATUS: dict[type[WhitError], int] = {
    NotAllowed: 409,
    UnknownKey: 404,
    TooCostly: 413,
    NotImplied: 422,
    Unreachable: 422,
    Unavailable: 503,
    MissingExtra: 501,
}
"""The status of an error; 422 for wrong input of any other sort."""

TITLES = {
    401: "Please come in by your link",
    403: "Not allowed",
    404: "Nothing is here",
    405: "Not allowed",
    409: "Not done",
    413: "Too much",
    422: "That cannot be answered",
    429: "Too many requests",
    500: "Something went wrong here",
    501: "A part of whit is not installed",
    503: "Not available now",
}
"""What stands above an error."""

FOR_PROGRAMS = TITLES | {401: "No token is known here"}
"""The same for programs."""

_SENTENCES = {
    404: "No page has this address. Start at the first page.",
    405: "This address does not take this request.",
}
"""What is said of an error for which nobody wrote a sentence."""

_NO_ADDRESS = "No address of the interface for programs is like this. GET /api/v1 lists them all."


def status_of(error: WhitError) -> int:
    """The status that fits an error."""
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 422)


def is_for_program(request: Request) -> bool:
    """Whether a program asks, which reads a problem document and no page: by a token, or where none would browse."""
    kind = request.headers.get("authorization", "").partition(" ")[0].lower()
    counted = request.url.path == "/metrics" and "text/html" not in request.headers.get("accept", "")
    return counted or kind == "bearer" or is_api(request.url.path)


def problem(status: int, sentence: str, *, field: str = "", title: str = "") -> dict[str, Any]:
    """A problem document (RFC 9457) with one sentence and the field that it is about."""
    about = {"field": field} if field else {}
    return {
        "type": "about:blank",
        "title": title or TITLES.get(status, "Not done"),
        "status": status,
        "detail": sentence,
    } | about


def told(request: Request, status: int, sentence: str, *, field: str = "") -> Response:
    """The error as a page, or as a problem document for programs."""
    by_program = is_for_program(request)
    tree = problem(status, sentence, field=field, title=FOR_PROGRAMS.get(status, "") if by_program else "")
    if by_program or is_json(request):
        return JSONResponse(tree, status, media_type="application/problem+json")
    return page(request, "problem.html", tree, status=status, title=tree["title"], sentence=sentence)


def _sentence_of(request: Request, error: HTTPException) -> str:
    """What an error says: its own sentence, or one in place of the word that its status has by itself."""
    if error.detail != HTTPStatus(error.status_code).phrase:
        return error.detail
    if error.status_code == HTTPStatus.NOT_FOUND and is_api(request.url.path):
        return _NO_ADDRESS
    return _SENTENCES.get(error.status_code, error.detail)


def handle_problems(app: FastAPI) -> None:
    """Let every error end as a sentence."""

    @app.exception_handler(WhitError)
    def of_whit(request: Request, error: WhitError) -> Response:
        return told(request, status_of(error), str(error), field=error.parameter)

    @app.exception_handler(HTTPException)
    def of_http(request: Request, error: HTTPException) -> Response:
        return told(request, error.status_code, _sentence_of(request, error))

    @app.exception_handler(RequestValidationError)
    def of_form(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        field = str(first["loc"][-1])
        return told(request, 422, f"{field} cannot be read: {first['msg'].lower()}. Correct it.", field=field)
