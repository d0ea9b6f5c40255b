"""Explore: a promise or noise, an adversary, and every answer, with pictures."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit.apps.web.access.who import Role, may
from whit.apps.web.pictures import EXPLORED, OF_THE_WINDOW, address, drawing_of, library_of, numbers_of, svg_of
from whit.apps.web.promises import KINDS, PARAMETER, promise_of, word_of
from whit.apps.web.questions import Answered, answered, question_page, refused, values_in
from whit.errors import WhitError, unknown_name

router = APIRouter(prefix="/explore", dependencies=[may(Role.READER)])

WHO = ("releases", "neighbours", "prior", "knows", "when", "block", "failure", "level")
"""The other values of a question, called as the command calls them."""

WORDS = frozenset((*map(word_of, KINDS), "delta", *WHO))
"""The values that a picture takes."""

NAMES = ("kind", "parameter", "delta", *WHO)
DEFAULTS = {"kind": "gaussian", "parameter": "2", "releases": "1", "prior": "0.1", "failure": "0.01", "level": "0.05"}

_CALLED = {"parameter": PARAMETER}

SHOWN = {
    "posterior": "Posterior against prior",
    "power": "Level and power",
    "people": "Out of 100 people: found with and without taking part",
    "releases": "Posterior over releases",
    "deployments": "Beside real deployments",
}
"""The pictures of the page with their titles."""


def values_of(asked: Mapping[str, str]) -> dict[str, object]:
    """The values of `assess` in a question."""
    return {**promise_of(asked), **{name: asked[name] for name in WHO if asked[name]}}


@router.get("")
def explore(request: Request) -> Response:
    """The question and its answer."""
    asked = values_in(request, NAMES, DEFAULTS)
    found, values = _answered(request, asked)
    about = {name: {} if name == "deployments" else values for name in SHOWN}
    shown = [
        (name, title, address("/explore", name, about[name]), _drawing(name, values))
        for name, title in SHOWN.items()
        if found.told
    ]
    return question_page(request, "explore.html", found, asked, kinds=KINDS.items(), shown=shown)


def _drawing(name: str, values: Mapping[str, object]) -> str:
    """Where a browser gets a picture that it can draw itself; nothing where it cannot."""
    return address("/explore", name, values, form=".drawing") if name in EXPLORED else ""


def _answered(request: Request, asked: Mapping[str, str]) -> tuple[Answered, dict[str, object]]:
    try:
        values = values_of(asked)
    except WhitError as wrong:
        return refused(wrong), {}
    fields = {name: "parameter" for name in values if name not in ("delta", *WHO)}
    return answered(request, "assess", {**values, "all": True}, fields=fields, called=_CALLED), values


@router.get("/{name}.svg")
def picture(request: Request, name: str) -> Response:
    """One picture."""
    return svg_of(request, name, _given(request))


@router.get("/vega.js")
def library(request: Request) -> Response:
    """The drawing library of the pictures that somebody explores."""
    return library_of(request)


@router.get("/{name}.drawing")
def drawing(request: Request, name: str) -> Response:
    """One picture for browsers that draw it themselves."""
    return drawing_of(request, name, _given(request))


@router.get("/{name}")
def numbers(request: Request, name: str) -> Response:
    """The numbers of one picture."""
    values = _given(request)
    return numbers_of(request, name, values, address("/explore", name, values))


def _given(request: Request) -> dict[str, object]:
    """The values of the address of a picture; each is checked where it is read, and none can name a file."""
    given: dict[str, object] = {
        name: value for name, value in request.query_params.items() if name not in OF_THE_WINDOW
    }
    unknown = sorted(given.keys() - WORDS)
    if unknown:
        raise unknown_name("a value of a picture", unknown[0], WORDS)
    return given
