"""Tokens in forms, which another site cannot know."""

from __future__ import annotations

import hmac

from fastapi import Request
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from whit.apps.web.access.sessions import signed
from whit.apps.web.access.who import FORBIDDEN, Identity, who_of
from whit.apps.web.settings import Settings

FIELD = "token"
"""The name of the field."""

FIELDS = 200
"""The most fields of a form."""


def form_token(settings: Settings, who: Identity) -> str:
    """The token of the forms of somebody's session."""
    return signed(settings, "form", who.session, who.name)


async def signed_form(request: Request) -> FormData:
    """The form that was sent, if its token is that of the session; what a route that changes something depends on."""
    form = await request.form(max_files=1, max_fields=FIELDS)
    who = who_of(request)
    said = form.get(FIELD, "")
    right = form_token(request.app.state.settings, who)
    if not who.is_program and not (isinstance(said, str) and hmac.compare_digest(said.encode(), right.encode())):
        raise HTTPException(FORBIDDEN, "This form is not from your session. Open its page again, and send it there.")
    return form
