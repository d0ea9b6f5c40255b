"""A release in the ledger: the form, a look at the answers before anything is written, and the entry."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData

from whit.apps.web.access.forms import SignedForm
from whit.apps.web.access.who import Role, may, who_of
from whit.apps.web.apart import apart
from whit.apps.web.pages.ledger.book import PREFIX, account_at, address_of, book_of, exception_of, key_of, text_of
from whit.apps.web.pages.ledger.considering import STATED, Asked, considered, planned, reserved
from whit.apps.web.pages.ledger.words import limit_words, rule_words
from whit.apps.web.questions import plain
from whit.apps.web.rendering import page
from whit.errors import WhitError
from whit.ledger import Account, Entry, Ledger, LimitStatus, Population, Refusal, fit_tree, risk_text

FIELDS = ("what", "by", "amount", "delta", "promise", "releases", "recipient", "minutes", "seen")
"""The fields of the form, which the second page sends on."""

NEWEST = 50
"""Among how many entries the same release is looked for."""

router = APIRouter(prefix=PREFIX)


@router.get("/account/{code}/reserve", dependencies=[may(Role.REQUESTER)])
def form(request: Request, code: str) -> Response:
    """The form, empty."""
    with book_of(request) as book:
        account = account_at(request, book, code)
        return _form(request, book, account, {"by": "rho", "releases": "1", "seen": str(book.head[0])}, [], [])


@router.post("/account/{code}/reserve/check", dependencies=[may(Role.REQUESTER)])
def check(request: Request, code: str, form: SignedForm) -> Response:
    """What was filled in, and what it would do; nothing is written yet."""
    said, parts = _said(form)
    settings, actor = request.app.state.settings, who_of(request).name
    with book_of(request) as book:
        account = account_at(request, book, code)
        asked = Asked.of(settings, actor, account.name, said, parts)
        try:
            found = apart(considered, asked, limits=settings.limits)
        except WhitError as wrong:
            return _form(request, book, account, said, parts, [_placed(wrong, said)])
        same = _same(book, account, found.promise, said["what"])
        two = _needs_two(book, account)
    refusal = found.refusal
    tree = {"promise": found.words, **fit_tree(refusal)}
    return page(
        request,
        "ledger/check.html",
        tree,
        account=account,
        address=address_of(request, account.name),
        said=said,
        parts=parts,
        facts=_facts(said, parts, found.words, account),
        rows=_rows(found.now, found.then),
        exception=exception_of(account),
        why=refusal and rule_words(refusal),
        fitting=found.fitting,
        same=same,
        needs_two=two,
    )


@router.post("/account/{code}/reserve", dependencies=[may(Role.REQUESTER)])
def enter(request: Request, code: str, form: SignedForm) -> Response:
    """Make the entry: reserve, or put it on the plan where another person approves."""
    said, parts = _said(form)
    is_plan = text_of(form, "act") == "plan"
    settings, actor = request.app.state.settings, who_of(request).name
    with book_of(request) as book:
        account = account_at(request, book, code).name
    key = key_of(request, "plan" if is_plan else "reserve", account, *said.values(), *parts)
    asked = Asked.of(settings, actor, account, said, parts)
    made = apart(planned if is_plan else reserved, asked, key, limits=settings.limits)
    if isinstance(made, tuple):
        return refused_page(request, *made)
    return RedirectResponse(f"/ledger/entry/{made}", status_code=303)


def refused_page(request: Request, refusal: Refusal, fitting: str = "") -> Response:
    """Why a release is refused, and what would fit."""
    tree = {"title": "Not allowed", "status": 409, **refusal.to_tree()}
    why = rule_words(refusal)
    return page(request, "ledger/refused.html", tree, status=409, refusal=refusal, why=why, fitting=fitting)


def _said(form: FormData) -> tuple[dict[str, str], list[str]]:
    parts = [each for each in form.getlist("parts") if isinstance(each, str) and each]
    return {name: text_of(form, name) for name in FIELDS}, parts


def _placed(wrong: WhitError, said: dict[str, str]) -> tuple[str, str]:
    """The field that an error is about, and its sentence."""
    names = {**dict.fromkeys((name for name, _ in STATED), "amount"), "promise": "promise"}
    about = wrong.parameter or wrong.name
    field = names.get(about, about if about in FIELDS else "promise" if said["by"] == "promise" else "amount")
    return field, plain(str(wrong))


def _form(
    request: Request,
    book: Ledger,
    account: Account,
    said: dict[str, str],
    parts: list[str],
    errors: list[tuple[str, str]],
) -> Response:
    population: Population = book.population(account.population)
    status = 422 if errors else 200
    tree = {"account": account.name, "fields": list(FIELDS), "parts": list(population.parts), "errors": errors}
    return page(
        request,
        "ledger/reserve.html",
        tree,
        status=status,
        account=account,
        address=address_of(request, account.name),
        population=population,
        stated=STATED,
        said={name: said.get(name, "") for name in FIELDS},
        parts=parts,
        errors=errors,
        needs_two=_needs_two(book, account),
    )


def _needs_two(book: Ledger, account: Account) -> bool:
    """Whether the account, or one that it is within, asks for a second person."""
    return account.second_person or (bool(account.within) and _needs_two(book, book.account(account.within)))


def _same(book: Ledger, account: Account, promise: str, what: str) -> Entry | None:
    """An entry of the same words and the same promise, which may be the same release."""
    newest = book.history(account.name, size=NEWEST)
    return next((each for each in newest if each.what == what and each.promise == promise[:2000]), None)


def _facts(said: dict[str, str], parts: list[str], words: str, account: Account) -> list[tuple[str, str]]:
    rows = [("Account", account.name), ("What is released", said["what"]), ("What is promised", words)]
    rows += [("About", ", ".join(parts) or "everybody")]
    rows += [("Recipient", said["recipient"])] if said["recipient"] else []
    return rows + ([("Uncertain after", f"{said['minutes']} minutes")] if said["minutes"] else [])


def _rows(now: tuple[LimitStatus, ...], then: tuple[LimitStatus, ...]) -> list[dict[str, Any]]:
    return [
        {
            "limit": limit_words(a.limit),
            "now": a.risk,
            "then": b.risk,
            "now_text": risk_text(a.risk),
            "then_text": risk_text(b.risk),
        }
        for a, b in zip(now, then, strict=True)
    ]
