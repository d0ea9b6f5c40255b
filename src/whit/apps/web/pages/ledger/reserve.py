"""A release in the ledger: the form, a look at the answers before anything is written, and the entry."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData

from whit import spec
from whit.apps.web.access.forms import SignedForm
from whit.apps.web.access.who import Role, may
from whit.apps.web.pages.ledger.book import PREFIX, account_at, address_of, book_of, exception_of, key_of, text_of
from whit.apps.web.rendering import page
from whit.errors import InvalidInput, WhitError
from whit.ledger import Account, Entry, Ledger, LimitStatus, Population, Refusal, Refused, outlook_of, risk_text

STATED = (
    ("epsilon", "epsilon, with delta if there is one"),
    ("rho", "rho of zero-concentrated DP"),
    ("mu", "mu of Gaussian DP"),
    ("gaussian", "Gaussian noise, by its standard deviation"),
    ("laplace", "Laplace noise, by its scale"),
    ("promise", "another promise, in words"),
)
"""How a promise may be stated: the name in the grammar, and what it is called."""

FIELDS = ("what", "by", "amount", "delta", "promise", "releases", "recipient", "minutes", "seen")
"""The fields of the form, which the second page sends on."""

LABELS = {
    "what": "what is released",
    "amount": "the value",
    "delta": "delta",
    "promise": "the promise in words",
    "releases": "the number of releases",
}
"""What errors call the fields."""

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
    with book_of(request) as book:
        account = account_at(request, book, code)
        try:
            series, about = _series(said), _about(said, parts)
            outlook = outlook_of(book, account.name, series.together)
            refusal = book.check(account.name, series.together, **{k: v for k, v in about.items() if k != "what"})
            fitting = "" if refusal is None else refusal.fitting(series).strip()
        except WhitError as wrong:
            return _form(request, book, account, said, parts, [_placed(wrong, said)])
        same = _same(book, account, repr(series.together), said["what"])
        two = _needs_two(book, account)
        rows = _rows(outlook.accounts[0].now.limits, outlook.accounts[0].then)
    tree = {"fits": refusal is None, "promise": series.words, **({} if refusal is None else refusal.to_tree())}
    return page(
        request,
        "ledger/check.html",
        tree,
        account=account,
        address=address_of(request, account.name),
        said=said,
        parts=parts,
        facts=_facts(said, parts, series.words, account),
        rows=rows,
        exception=exception_of(account),
        refusal=refusal,
        fitting=fitting,
        same=same,
        needs_two=two,
    )


@router.post("/account/{code}/reserve", dependencies=[may(Role.REQUESTER)])
def enter(request: Request, code: str, form: SignedForm) -> Response:
    """Make the entry: reserve, or put it on the plan where another person approves."""
    said, parts = _said(form)
    planned = text_of(form, "act") == "plan"
    with book_of(request) as book:
        account = account_at(request, book, code)
        key = key_of(request, "plan" if planned else "reserve", account.name, *said.values(), *parts)
        series = _series(said)
        make = book.plan if planned else book.reserve
        try:
            receipt = make(account.name, series.together, key=key, **_about(said, parts))
        except Refused as refused:
            return refused_page(request, refused.refusal, refused.refusal.fitting(series).strip())
    return RedirectResponse(f"/ledger/entry/{receipt.number}", status_code=303)


def refused_page(request: Request, refusal: Refusal, fitting: str = "") -> Response:
    """Why a release is refused, and what would fit."""
    tree = {"title": "Not allowed", "status": 409, **refusal.to_tree()}
    return page(request, "ledger/refused.html", tree, status=409, refusal=refusal, fitting=fitting)


def _said(form: FormData) -> tuple[dict[str, str], list[str]]:
    parts = [each for each in form.getlist("parts") if isinstance(each, str) and each]
    return {name: text_of(form, name) for name in FIELDS}, parts


def _series(said: dict[str, str]) -> spec.Series:
    """The promise of a form that was filled in, by the grammar of options and files."""
    by, releases = said["by"], said["releases"] or "1"
    if by not in dict(STATED):
        raise InvalidInput("the kind", "must be one of the list", by, "Choose one.", parameter="by")
    if by == "promise":
        _require_alone(said, "promise", ("amount", "delta"), 'Write it as "rho=0.1, noise=gaussian".')
        if releases != "1":
            way_out = f"Add releases={releases} to the promise."
            raise InvalidInput(LABELS["releases"], "must be 1 here", releases, way_out, parameter="releases")
        given = spec.pairs("a promise", said["promise"])
    else:
        _require_alone(said, "amount", ("promise",), "Use a number such as 0.01.")
        delta = {"delta": said["delta"]} if said["delta"] else {}
        given = spec.Given({by: said["amount"], "releases": releases, **delta})
    return spec.Form(promise=(given,)).series


def _require_alone(said: dict[str, str], needed: str, others: tuple[str, ...], way_out: str) -> None:
    """Refuse an empty field, and what would count for nothing beside it."""
    if not said[needed]:
        raise InvalidInput(LABELS[needed], "must be filled in", "nothing", way_out, parameter=needed)
    for name in others:
        if said[name]:
            choose = "Leave it out, or state the promise by it."
            raise InvalidInput(LABELS[name], "must be empty here", said[name], choose, parameter=name)


def _about(said: dict[str, str], parts: list[str]) -> dict[str, Any]:
    """What else an entry says."""
    if not said["what"]:
        way_out = "Write a few words, such as monthly table."
        raise InvalidInput(LABELS["what"], "must be filled in", "nothing", way_out, parameter="what")
    minutes = {"minutes": spec.Given({"minutes": said["minutes"]}).number("minutes")} if said["minutes"] else {}
    return {"what": said["what"], "parts": parts, "recipient": said["recipient"], **minutes}


def _placed(wrong: WhitError, said: dict[str, str]) -> tuple[str, str]:
    """The field that an error is about, and its sentence."""
    names = {**dict.fromkeys((name for name, _ in STATED), "amount"), "promise": "promise"}
    about = wrong.parameter or wrong.name
    field = names.get(about, about if about in FIELDS else "promise" if said["by"] == "promise" else "amount")
    return field, str(wrong)


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
        {"limit": a.limit, "now": a.risk, "then": b.risk, "now_text": risk_text(a.risk), "then_text": risk_text(b.risk)}
        for a, b in zip(now, then, strict=True)
    ]
