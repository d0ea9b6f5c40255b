"""Plan: what a set of queries reveals about one sensitive fact; the plan of the Census, or one's own as text."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from whit import spec
from whit.apps.web.access.forms import signed_form
from whit.apps.web.access.who import Role, may
from whit.apps.web.apart import apart
from whit.apps.web.questions import Answered, answered, asked_here, question_page, refused, values_in
from whit.errors import WhitError
from whit.plans import census_2020

router = APIRouter(prefix="/plan", dependencies=[may(Role.READER)])

CONCERN = ("scenario", "about", "place")
WHO = ("prior", "knows", "failure", "level")
NAMES = (*CONCERN, "presence", "whole_record", *WHO)
SCENARIOS = {letter: str(concern) for letter, concern in census_2020.SCENARIOS.items()}
"""The concerns of the Census paper by their letters."""

DEFAULTS = {"scenario": "C", "prior": "0.1", "failure": "0.01"}


@router.get("")
def census(request: Request) -> Response:
    """The plan of the 2020 Census, concern by concern."""
    asked = values_in(request, NAMES, DEFAULTS)
    found = answered(request, "plan", {"file": spec.CENSUS, "costs": True, **_given(asked)})
    return _page(request, found, asked, text="")


@router.post("")
def own(request: Request, form: FormData = Depends(signed_form)) -> Response:  # noqa: B008  # how FastAPI states it
    """A plan that was written into the form; it is read in a process that can be killed."""
    said = {name: form.get(name, "") for name in (*NAMES, "text")}
    asked = {name: value.strip() for name, value in said.items() if isinstance(value, str)}
    text = asked.pop("text", "")
    values = {"file": {"name": "the plan", "text": text}, "costs": True, **_given(asked)}
    try:
        found = Answered(apart(asked_here, "plan", values, limits=request.app.state.settings.limits))
    except WhitError as wrong:
        found = refused(wrong, {"file": "text"})
    return _page(request, found, asked, text=text)


def _given(asked: dict[str, str]) -> dict[str, Any]:
    """The concern and the adversary of a question; a scenario gives way to a concern in words."""
    given: dict[str, Any] = {name: asked[name] for name in (*CONCERN, *WHO) if asked.get(name)}
    given |= {name: True for name in ("presence", "whole_record") if asked.get(name)}
    if given.keys() & {"about", "place", "presence", "whole_record"}:
        given.pop("scenario", None)
    return given


def _page(request: Request, found: Answered, asked: dict[str, str], *, text: str) -> Response:
    return question_page(request, "plan.html", found, asked, scenarios=SCENARIOS.items(), text=text)
