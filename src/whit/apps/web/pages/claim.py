"""Assess a claim: what it means as it is stated, and what it leaves open."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit.apps.web.access.who import Role, may
from whit.apps.web.questions import Answered, answered, question_page, values_in

router = APIRouter(prefix="/claim", dependencies=[may(Role.READER)])

WHO = ("prior", "knows", "failure", "level")
NAMES = ("claim", *WHO)


@router.get("")
def claim(request: Request) -> Response:
    """The claim and what it means; nothing is answered until there is a claim."""
    asked = values_in(request, NAMES, {"prior": "0.1"})
    values = {name: text for name, text in asked.items() if text}
    found = answered(request, "claim", values) if asked["claim"] or request.query_params else Answered()
    placed = tuple((field if field in NAMES else "claim", sentence) for field, sentence in found.errors)
    return question_page(request, "claim.html", replace(found, errors=placed), asked)
