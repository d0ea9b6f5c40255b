"""The first page: what there is."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit.apps.web.access.who import Role, may
from whit.apps.web.rendering import page
from whit.version import VERSION

router = APIRouter()


@router.get("/", dependencies=[may(Role.READER)])
def home(request: Request) -> Response:
    """What there is, and who you are here."""
    found = [{"address": address, "name": name} for address, name in request.app.state.navigation]
    return page(request, "home.html", {"whit": VERSION, "pages": found})
