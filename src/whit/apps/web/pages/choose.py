"""Choose: what is acceptable, and the parameter of each family that meets it, with what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit import spec
from whit.apps.web.access.who import Role, may
from whit.apps.web.pages.ledger.words import limit_words
from whit.apps.web.pictures import NOISES, OF_THE_WINDOW, address, numbers_of, svg_of
from whit.apps.web.problems import told as told_problem
from whit.apps.web.questions import Answered, answered, refused, values_in
from whit.apps.web.rendering import is_json, page
from whit.errors import WhitError, unknown_name
from whit.numerics import doubles_around
from whit.policy import elicitation
from whit.theory import Direction, Unit, number_text

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

AT_ONCE = 2
"""How many families are looked for at the same time."""

QUANTITIES = {
    "posterior": "The posterior may be at most",
    "difference": "The increase from prior to posterior may be at most",
    "ratio": "The ratio of posterior to prior may be at most",
    "power": "The power of the best test may be at most",
    "profile": "A risk profile: relative and absolute risk",
    "beliefs": "A risk profile: beliefs that you click",
}
"""What may be limited."""

PROFILE = {"relative": "3", "absolute": "0.25"}
"""A risk profile that is shown first."""

ANSWERS = ("0.01", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.9")
"""The posteriors that can be clicked."""

BELIEFS = {f"from_{question.prior:g}": f"{question.prior:g}" for question in elicitation.questions()}
"""The priors that are asked about, each by the name of its answer."""

CLICKED = {"from_0.01": "0.05", "from_0.1": "0.3", "from_0.5": "0.7"}
"""Beliefs that are shown first."""

NAMES = (*BELIEFS, "quantity", "limit", "prior", "level", "relative", "absolute", "failure", "releases", "neighbours")
DEFAULTS = {"quantity": "posterior", "limit": "0.3", "prior": "0.1", "failure": "0.01", "releases": "1"}


def values_of(asked: Mapping[str, str]) -> dict[str, object]:
    """The values of `recommend` in a question, without the family; limits are tables, so that no text names a file."""
    quantity = asked["quantity"] or "posterior"
    if quantity not in QUANTITIES:
        raise unknown_name("quantity", quantity, QUANTITIES)
    rest = {name: asked[name] for name in ("failure", "releases", "neighbours") if asked[name]}
    if quantity == "profile":
        return {"profile": [{name: asked[name] or usual for name, usual in PROFILE.items()}], **rest}
    if quantity == "beliefs":
        return {"profile": [{"table": _clicked(asked)}], **rest}
    beside = "level" if quantity == "power" else "prior"
    limit = {quantity: asked["limit"] or DEFAULTS["limit"], beside: asked[beside]}
    return {"limit": [{name: value for name, value in limit.items() if value}], **rest}


def _answers(asked: Mapping[str, str]) -> dict[str, str]:
    """The beliefs that were clicked, by their names."""
    return {name: asked[name] for name in BELIEFS if asked[name]} or CLICKED


def _clicked(asked: Mapping[str, str]) -> list[list[float]]:
    """The profile of beliefs: rows of the prior, a value of 1, and the largest ratio of posterior to prior."""
    given = spec.Given(_answers(asked))
    answers = {float(BELIEFS[name]): given.number(name) for name in given.values}
    elicitation.profile_from(answers, value=1.0)  # which names answers that contradict each other
    exact = {prior: Fraction(repr(answer)) / Fraction(repr(prior)) for prior, answer in answers.items()}
    return [[prior, 1.0, doubles_around(ratio)[0]] for prior, ratio in exact.items()]


def stated(asked: Mapping[str, str]) -> tuple[str, str]:
    """What is acceptable, as the command writes it and in words."""
    values: Any = values_of(asked)
    if asked["quantity"] == "beliefs":
        return f"table={_clicked(asked)}", "of your beliefs"
    said = (values.get("profile") or values["limit"])[0]
    written = ", ".join(f"{name}={value}" for name, value in said.items())
    if asked["quantity"] == "profile":
        return (
            written,
            f"(relative risk: at most {said['relative']}; absolute risk: at most {_percent(said['absolute'])})",
        )
    return written, f"({limit_words(written)})"


@router.get("")
def choose(request: Request) -> Response:
    """The families beside each other."""
    asked = values_in(request, NAMES, DEFAULTS)
    chosen = [each for each in request.query_params.getlist("for") if each in FAMILIES] or list(USUAL)
    found = _found(request, asked, chosen)
    errors = _shared(found.values())
    if errors and is_json(request):
        return told_problem(request, 422, errors[0][1], field=errors[0][0])
    document = {each: _document(one) for each, one in found.items()}
    shown: dict[str, Any] = {"asked": asked, "chosen": chosen, "families": FAMILIES, "quantities": QUANTITIES.items()}
    flat = {name: asked[name] for name in NAMES if asked[name]}
    drawn = not errors and asked["quantity"] != "beliefs"  # the search through a table is too slow for pictures
    noise = [each for each in chosen if drawn and each in NOISES and found[each].told]
    shown |= {"source": address("/choose", "families", flat) if noise else ""}
    shown |= {"frontiers": {each: address("/choose", "frontier", {**flat, "for": each}) for each in noise}}
    shown |= {"stated": ("", "") if errors else stated(asked)}
    shown |= {"beliefs": _rows(asked), "answers": [_percent(each) for each in ANSWERS]}
    return page(request, "choose.html", document, status=422 if errors else 200, found=found, errors=errors, **shown)


def _found(request: Request, asked: Mapping[str, str], chosen: list[str]) -> dict[str, Answered]:
    """The answer for each family; what is wrong with the question is wrong for each."""
    try:
        values = values_of(asked)
    except WhitError as wrong:
        return dict.fromkeys(chosen, refused(wrong, {"": "quantity"}))
    asked_for = [{**values, "for": each} for each in chosen]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = pool.map(lambda each: answered(request, "recommend", each), asked_for)
        return dict(zip(chosen, found, strict=True))


def _rows(asked: Mapping[str, str]) -> list[dict[str, Any]]:
    """The table of beliefs: for each prior the answers that are above it, and which of them is clicked."""
    clicked = _answers(asked)
    return [
        {
            "name": name,
            "prior": _percent(prior),
            "cells": [(each, _percent(each), float(each) > float(prior)) for each in ANSWERS],
            "clicked": clicked.get(name, ""),
        }
        for name, prior in BELIEFS.items()
    ]


def _percent(share: str) -> str:
    return number_text(spec.Given({"share": share}).number("share"), Direction.ABOUT, Unit.PROBABILITY, digits=6)


def _shared(found: Any) -> tuple[tuple[str, str], ...]:
    """What is wrong with the question itself: with every family in the same words."""
    every = [each.errors for each in found]
    return every[0] if every and all(each and each == every[0] for each in every) else ()


def _document(found: Answered) -> dict[str, Any]:
    return found.told.answers.document() if found.told else {"problem": found.errors[0][1]}


@router.get("/{name}.svg")
def picture(request: Request, name: str) -> Response:
    """What each kind of noise costs that meets the limit; or what smaller limits would cost in one of them."""
    return svg_of(request, name, _drawn(request, name))


@router.get("/{name}")
def numbers(request: Request, name: str) -> Response:
    """The numbers of one picture."""
    source = address(
        "/choose", name, {each: said for each, said in request.query_params.items() if each not in OF_THE_WINDOW}
    )
    return numbers_of(request, name, _drawn(request, name), source)


def _drawn(request: Request, name: str) -> dict[str, object]:
    """The values of a picture of this page."""
    if name not in ("families", "frontier"):
        raise unknown_name("a picture", name, ("families", "frontier"))
    values = values_of(values_in(request, NAMES, DEFAULTS))
    return {**values, "for": request.query_params.get("for", "laplace")} if name == "frontier" else values
