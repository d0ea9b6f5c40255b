"""A new account: whom it is about, and the limits that are fixed from then on."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from whit.apps.web.access.forms import SignedForm
from whit.apps.web.access.who import Role, may
from whit.apps.web.pages.ledger.book import PREFIX, address_of, book_of, text_of
from whit.apps.web.rendering import page
from whit.errors import InvalidInput, UnknownKey, WhitError
from whit.ledger import accounts_of
from whit.setting import UnitOfPrivacy

FIELDS = ("account", "population", "unit", "limits", "failure", "books", "within", "period", "second_person")
"""The fields of the form."""

BOOKS = (("", "pure and zcdp: releases of any kind"), ("gdp", "gdp: Gaussian noise alone, with room for more"))
"""What the releases of an account are added up in."""

_LIMIT = "posterior=0.3, prior=0.1"

router = APIRouter(prefix=PREFIX)


@router.get("/open", dependencies=[may(Role.KEEPER)])
def form(request: Request) -> Response:
    """The form, with what is usual."""
    return _form(request, {"unit": "person", "limits": _LIMIT, "failure": "0.01"}, [])


@router.post("/open", dependencies=[may(Role.KEEPER)])
def opened(request: Request, form: SignedForm) -> Response:
    """Open the account; its population is declared if it is new."""
    said = {name: text_of(form, name) for name in FIELDS}
    try:
        _require(said)
        with book_of(request) as book:
            try:
                book.population(said["population"])
            except UnknownKey:
                book.declare(said["population"], unit=UnitOfPrivacy(said["unit"], "the whole of the data"))
            limits = [line.strip() for line in said["limits"].splitlines() if line.strip()]
            more: dict[str, Any] = {name: said[name] for name in ("within", "period")}
            second = bool(said["second_person"])
            failure = said["failure"] or "0"
            if said["books"]:
                more["books"] = (said["books"],)
            book.open(said["account"], said["population"], limits=limits, failure=failure, second_person=second, **more)
    except WhitError as wrong:
        about = wrong.parameter or wrong.name.removeprefix("the ").removeprefix("a ")
        field = next((name for name in FIELDS if about.startswith(name.rstrip("s"))), "limits")
        return _form(request, said, [(field, str(wrong))])
    return RedirectResponse(address_of(request, said["account"]), status_code=303)


def _require(said: dict[str, str]) -> None:
    """Refuse an empty field before anything is written."""
    for name in ("account", "population", "unit", "limits"):
        if not said[name]:
            label = f"the {name}"
            raise InvalidInput(label, "must be filled in", "nothing", "Write it into its field.", parameter=name)


def _form(request: Request, said: dict[str, str], errors: list[tuple[str, str]]) -> Response:
    with book_of(request) as book:
        names = [each.name for each in accounts_of(book.store)]
        populations = sorted({each.population for each in accounts_of(book.store)})
    tree = {"fields": list(FIELDS), "accounts": names, "populations": populations, "errors": errors}
    return page(
        request,
        "ledger/open.html",
        tree,
        status=422 if errors else 200,
        said={name: said.get(name, "") for name in FIELDS},
        names=names,
        populations=populations,
        books=BOOKS,
        errors=errors,
    )
