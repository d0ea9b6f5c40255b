"""Plan: what a set of queries reveals about one sensitive fact; the Census, or a plan as a text or a file."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import UploadFile

from whit import spec
from whit.apps.web.access.forms import SignedForm
from whit.apps.web.access.who import Role, may
from whit.apps.web.apart import apart
from whit.apps.web.questions import Answered, answered, answered_here, question_page, refused, values_in
from whit.errors import InvalidInput, WhitError
from whit.plans import census_2020

router = APIRouter(prefix="/plan", dependencies=[may(Role.READER)])

CONCERN = ("scenario", "about", "place")
WHO = ("prior", "knows", "failure", "level")
NAMES = (*CONCERN, "presence", "whole_record", *WHO)
SCENARIOS = {letter: str(concern) for letter, concern in census_2020.SCENARIOS.items()}
"""The concerns of the Census paper by their letters."""

_TOML = "Choose a file of TOML, such as plan.toml."

DEFAULTS = {"scenario": "C", "prior": "0.1", "failure": "0.01"}


@router.get("")
def census(request: Request) -> Response:
    """The plan of the 2020 Census, concern by concern."""
    asked = values_in(request, NAMES, DEFAULTS)
    found = answered(request, "plan", {"file": spec.CENSUS, "costs": True, **_given(asked)})
    return _page(request, found, asked)


@router.post("")
def own(request: Request, form: SignedForm) -> Response:
    """A plan that was written into the form or chosen as a file; it is read in a process that can be killed."""
    said = {name: form.get(name, "") for name in (*NAMES, "text")}
    asked = {name: value.strip() for name, value in said.items() if isinstance(value, str)}
    text, file = asked.pop("text", ""), form.get("file")
    content = file.file.read() if isinstance(file, UploadFile) and file.size else text.encode()
    try:
        text, found = apart(of_file, content, _given(asked), limits=request.app.state.settings.limits)
    except WhitError as wrong:
        found = refused(wrong, {"file": "text"})
    return _page(request, found, asked, text=text, own=True)


def of_file(content: bytes, given: dict[str, Any]) -> tuple[str, Answered]:
    """The text of a plan, and the answer about it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeError as wrong:
        raise InvalidInput("the plan", "must be a text in UTF-8", "other bytes", _TOML, parameter="file") from wrong
    return text, answered_here("plan", {"file": {"name": "the plan", "text": text}, "costs": True, **given})


def _given(asked: dict[str, str]) -> dict[str, Any]:
    """The concern and the adversary of a question; a scenario gives way to a concern in words."""
    given: dict[str, Any] = {name: asked[name] for name in (*CONCERN, *WHO) if asked.get(name)}
    given |= {name: True for name in ("presence", "whole_record") if asked.get(name)}
    if given.keys() & {"about", "place", "presence", "whole_record"}:
        given.pop("scenario", None)
    return given


def _page(request: Request, found: Answered, asked: dict[str, str], *, text: str = "", own: bool = False) -> Response:
    return question_page(request, "plan.html", found, asked, scenarios=SCENARIOS.items(), text=text, own=own)
