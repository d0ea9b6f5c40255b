"""Choose: what is acceptable, and the parameter of each family that meets it, with what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit.apps.web.access.who import Role, may
from whit.apps.web.pictures import address, svg_of
from whit.apps.web.problems import told as told_problem
from whit.apps.web.questions import Answered, answered, values_in
from whit.apps.web.rendering import is_json, page
from whit.errors import unknown_name

router = APIRouter(prefix="/choose", dependencies=[may(Role.READER)])

FAMILIES = {
    "epsilon": "Pure differential privacy",
    "rho": "Zero-concentrated differential privacy",
    "mu": "Gaussian differential privacy",
    "laplace": "Laplace noise",
    "geometric": "Geometric noise",
    "gaussian": "Gaussian noise",
    "discrete-gaussian": "Discrete Gaussian noise",
}
"""What a parameter may be looked for, with its name."""

USUAL = ("epsilon", "rho", "laplace", "gaussian")
"""The families that are shown first."""

QUANTITIES = {
    "posterior": "The posterior may be at most",
    "difference": "The increase from prior to posterior may be at most",
    "ratio": "The ratio of posterior to prior may be at most",
    "power": "The power of the best test may be at most",
    "profile": "A risk profile: relative and absolute risk",
}
"""What may be limited."""

PROFILE = {"relative": "3", "absolute": "0.25"}
"""A risk profile that is shown first."""

NAMES = ("quantity", "limit", "prior", "level", "relative", "absolute", "failure", "releases", "neighbours")
DEFAULTS = {"quantity": "posterior", "limit": "0.3", "prior": "0.1", "failure": "0.01", "releases": "1"}


def values_of(asked: Mapping[str, str]) -> dict[str, object]:
    """The values of `recommend` in a question, without the family; limits are tables, so that no text names a file."""
    quantity = asked["quantity"] or "posterior"
    if quantity not in QUANTITIES:
        raise unknown_name("quantity", quantity, QUANTITIES)
    rest = {name: asked[name] for name in ("failure", "releases", "neighbours") if asked[name]}
    if quantity == "profile":
        return {"profile": [{name: asked[name] or usual for name, usual in PROFILE.items()}], **rest}
    beside = "level" if quantity == "power" else "prior"
    limit = {quantity: asked["limit"] or DEFAULTS["limit"], beside: asked[beside]}
    return {"limit": [{name: value for name, value in limit.items() if value}], **rest}


@router.get("")
def choose(request: Request) -> Response:
    """The families beside each other."""
    asked = values_in(request, NAMES, DEFAULTS)
    chosen = [each for each in request.query_params.getlist("for") if each in FAMILIES] or list(USUAL)
    values = values_of(asked)
    found = {each: answered(request, "recommend", {**values, "for": each}) for each in chosen}
    errors = _shared(found.values())
    if errors and is_json(request):
        return told_problem(request, 422, errors[0][1], field=errors[0][0])
    document = {each: _document(one) for each, one in found.items()}
    shown = {"asked": asked, "chosen": chosen, "families": FAMILIES, "quantities": QUANTITIES.items()}
    flat = {name: asked[name] for name in NAMES if asked[name]}
    source = "" if errors else address("/choose", "families", flat)
    status = 422 if errors else 200
    return page(request, "choose.html", document, status=status, found=found, errors=errors, source=source, **shown)


def _shared(found: Any) -> tuple[tuple[str, str], ...]:
    """What is wrong with the question itself: with every family in the same words."""
    every = [each.errors for each in found]
    return every[0] if every and all(each and each == every[0] for each in every) else ()


def _document(found: Answered) -> dict[str, Any]:
    return found.told.answers.document() if found.told else {"problem": found.errors[0][1]}


@router.get("/families.svg")
def families(request: Request) -> Response:
    """What each kind of noise costs that meets the limit."""
    return svg_of(request, "families", values_of(values_in(request, NAMES, DEFAULTS)))
