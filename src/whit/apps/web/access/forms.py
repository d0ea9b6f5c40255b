"""Tokens in forms, which another site cannot know."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request
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


async def signed_form(request: Request) -> AsyncIterator[FormData]:
    """The form that was sent, if its token is that of the session; what a route that changes something depends on."""
    who, settings = who_of(request), request.app.state.settings
    async with request.form(max_files=1, max_fields=FIELDS) as form:
        said, right = form.get(FIELD, ""), form_token(settings, who)
        if not who.is_program and not (isinstance(said, str) and hmac.compare_digest(said.encode(), right.encode())):
            sentence = "This form is not from your session. Open its page again, and send it there."
            raise HTTPException(FORBIDDEN, sentence)
        yield form


SignedForm = Annotated[FormData, Depends(signed_form)]
"""What a route that changes something takes: the form, with its token checked."""
