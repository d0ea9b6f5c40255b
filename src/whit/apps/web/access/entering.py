"""The page behind a one-time link: it gives a session cookie, and works once."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from whit.apps.web.access.sessions import Links, give_session
from whit.apps.web.settings import Mode, Settings
from whit.ledger import user_here

ENTER = "/enter"
"""The address of the page; the key follows as `key`."""

router = APIRouter()


@router.get(ENTER)
def enter(request: Request, key: str = "") -> Response:
    """Let in whoever has a key that nobody has used."""
    settings: Settings = request.app.state.settings
    links: Links = request.app.state.links
    if settings.mode is not Mode.LOCAL or not links.take(key):
        sentence = "This link was used before, or it is too old. Start whit web again: it prints a new one."
        raise HTTPException(401, sentence)
    answer = RedirectResponse("/", status_code=303)
    give_session(settings, answer, user_here())
    return answer
