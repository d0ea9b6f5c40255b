"""All accounts, one account, and its risk over time as a picture."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit.apps.web.access.who import Role, may, who_of
from whit.apps.web.headers import PICTURE_POLICY
from whit.apps.web.pages.ledger.book import PREFIX, account_at, address_of, book_of, exception_of
from whit.apps.web.pages.ledger.words import limit_words
from whit.apps.web.pictures import drawn, is_narrow
from whit.apps.web.rendering import page
from whit.apps.web.workers import workers_of
from whit.errors import UnknownKey
from whit.ledger import (
    Course,
    Entry,
    Ledger,
    State,
    Status,
    accounts_of,
    charged_text,
    closed_note,
    course_of,
    risk_text,
    status_of,
)
from whit.telling import plots

NEWEST = 50
"""How many entries a page shows."""

router = APIRouter(prefix=PREFIX)


@router.get("", dependencies=[may(Role.READER)])
def accounts(request: Request) -> Response:
    """All accounts with the risk of each, and what waits for a second person."""
    with book_of(request) as book:
        found = [status_of(book.store, each.name) for each in accounts_of(book.store)]
        waiting = [entry for each in found for entry in _waiting(book, each)]
        head = book.head
    who = who_of(request)
    tree = {
        "accounts": [{**each.to_dict(), "address": address_of(request, each.account.name)} for each in found],
        "waiting": [entry.to_tree() for entry in waiting],
        "head": list(head),
    }
    return page(
        request,
        "ledger/accounts.html",
        tree,
        accounts=[_shown(request, each) for each in found],
        waiting=waiting,
        head=head,
        may_keep=who.may(Role.KEEPER),
        may_look=who.may(Role.AUDITOR),
    )


def _waiting(book: Ledger, status: Status) -> list[Entry]:
    """What is on the plan of an account: it does not count until a second person reserves it."""
    newest = book.history(status.account.name, size=NEWEST)
    return [entry for entry in newest if entry.state is State.PLANNED]


def _shown(request: Request, status: Status) -> dict[str, Any]:
    """An account as templates show it."""
    limits = [
        {
            "limit": limit_words(each.limit),
            "kept": each.kept,
            "risk": each.risk,
            "risk_text": risk_text(each.risk),
            "used": each.row[2],
            "allowance": each.allowance if each.kept else "",
            "share": None if each.used is None else min(float(each.used), 1.0),
        }
        for each in status.limits
    ]
    return {
        "name": status.account.name,
        "title": status.title,
        "address": address_of(request, status.account.name),
        "limits": limits,
        "exception": exception_of(status.account),
        "status": status,
    }


@router.get("/account/{code}", dependencies=[may(Role.READER)])
def account(request: Request, code: str, before: int = 2**53) -> Response:
    """One account: its limits, its risk over time, its entries."""
    with book_of(request) as book:
        name = account_at(request, book, code).name
        status = status_of(book.store, name)
        courses = [course_of(book.store, name, limit) for limit in status.account.limits]
        entries = book.history(name, before=before, size=NEWEST)
    tree = {**status.to_dict(), "entries listed": [entry.to_tree() for entry in entries]}
    earlier = entries[-1].number if len(entries) == NEWEST else 0
    return page(
        request,
        "ledger/account.html",
        tree,
        account=_shown(request, status),
        pictures=[_picture(course, index) for index, course in enumerate(courses)],
        entries=[{"entry": entry, "charges": charged_text(entry.charges)} for entry in entries],
        closed=closed_note(status.account, entries),
        earlier=earlier,
        may_ask=who_of(request).may(Role.REQUESTER),
    )


def _picture(course: Course, index: int) -> dict[str, Any]:
    """What goes with the picture of a course: its words and its numbers."""
    rows = [(str(step.releases), str(step.entry or "–"), risk_text(step.risk)) for step in course.steps]
    last = course.steps[-1]
    words = limit_words(course.written)
    alt = f"Steps of the risk up to the limit ({words}); after {last.releases} releases {risk_text(last.risk)}."
    return {"file": f"risk-{index}.svg", "alt": alt, "limit": words, "rows": rows}


@router.get("/account/{code}/risk-{index}.svg", dependencies=[may(Role.READER)])
def risk_over_time(request: Request, code: str, index: int) -> Response:
    """The risk of an account in steps, with one of its limits, as a picture."""
    with book_of(request) as book:
        found = account_at(request, book, code)
        if not 0 <= index < len(found.limits):
            way_out = f"Use 0 to {len(found.limits) - 1}."
            raise UnknownKey("the limit", "must be one of the account", index, way_out)
        course = course_of(book.store, found.name, found.limits[index])
    text = workers_of(request).run(drawn, plots.account_over_time(course), is_narrow(request))
    return Response(text, media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY})
