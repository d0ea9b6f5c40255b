"""Logs without names, and counters: routes, statuses and times, and nothing that somebody asked."""

from __future__ import annotations

import logging
import time
import traceback
from collections import Counter
from pathlib import Path
from threading import Lock

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whit.apps.web.access.who import Role, may
from whit.apps.web.problems import told
from whit.errors import WhitError
from whit.ledger import Ledger

LOG = logging.getLogger("whit.web")
"""Where one line for each request goes."""

router = APIRouter()


class Accident(RuntimeError):
    """An error that is not one of whit's own sentences: whit's fault, with its place and without what was asked."""


class Counters:
    """How many requests there were, by route and status, and how long they took."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._started = time.time()

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]  # a counter also adds floats

    def text(self) -> str:
        """The counters in the text format of Prometheus."""
        with self._lock:
            requests, seconds = sorted(self._requests.items()), sorted(self._seconds.items())
        lines = ["# TYPE whit_requests_total counter"]
        lines += [
            f'whit_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
            for (method, route, status), number in requests
        ]
        lines += ["# TYPE whit_request_seconds_total counter"]
        lines += [f'whit_request_seconds_total{{route="{route}"}} {total:.6f}' for route, total in seconds]
        lines += ["# TYPE whit_start_time_seconds gauge", f"whit_start_time_seconds {self._started:.0f}"]
        return "\n".join([*lines, ""])


class Watch:
    """Counts and logs each request by its route, and turns an accident into a page."""

    def __init__(self, app: ASGIApp, counters: Counters) -> None:
        self.app, self.counters = app, counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, start = 0, time.monotonic()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Exception as wrong:  # noqa: BLE001 - whatever went wrong, the log has its place and not its words
            LOG.error("%s", accident_of(wrong))
            if not status:
                await told(Request(scope), 500, _ACCIDENT)(scope, receive, noted)
        finally:
            route = getattr(scope.get("route"), "path", "unknown")
            seconds = time.monotonic() - start
            self.counters.count(_method(scope), route, status, seconds)
            LOG.info("%s %s %d %.0f ms", _method(scope), route, status, 1000 * seconds)


_ACCIDENT = "The server made a mistake; nothing more was done. Its log says where."
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def _method(scope: Scope) -> str:
    """The method, if it is one: a client may send any word."""
    return str(scope["method"]) if scope["method"] in _METHODS else "OTHER"


def accident_of(wrong: BaseException) -> Accident:
    """An error as its kind and its place; one that came from another process has them already."""
    if isinstance(wrong, Accident):
        return wrong
    frames = traceback.extract_tb(wrong.__traceback__)
    last = ([frame for frame in frames if _is_ours(frame.filename)] or frames)[-1]
    file = Path(last.filename)
    place = file.relative_to(_PACKAGE).as_posix() if _is_ours(last.filename) else file.name
    return Accident(f"{type(wrong).__name__} at {place}:{last.lineno} in {last.name}")


_PACKAGE = Path(__file__).parents[2]
"""The folder of the package: a folder further up may have the same name, as a copy of the repository has."""


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(_PACKAGE)


@router.get("/health")
def health(request: Request) -> Response:
    """Whether the server answers, and the ledger too."""
    place = request.app.state.settings.ledger
    try:
        if place:
            with Ledger(place, actor="health") as book:
                _ = book.head
    except WhitError:
        return JSONResponse({"status": "the ledger does not answer"}, 503)
    return JSONResponse({"status": "ok"})


@router.get("/metrics", dependencies=[may(Role.AUDITOR)])
def metrics(request: Request) -> Response:
    """The counters, for those who may look over it."""
    counters: Counters = request.app.state.counters
    return PlainTextResponse(counters.text(), media_type="text/plain; version=0.0.4")
