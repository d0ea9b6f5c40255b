"""The ledger of a request, with whoever asks as its actor; addresses of accounts; keys of requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import Request
from starlette.datastructures import FormData

from whit.apps.web.access.sessions import signed
from whit.apps.web.access.who import who_of
from whit.apps.web.settings import Settings
from whit.errors import Unavailable, UnknownKey
from whit.ledger import Account, Entry, Ledger, accounts_of, percent_text

PREFIX = "/ledger"
"""How the addresses of these pages begin."""

LETTERS = 24
"""How many letters of a signature stand for an account."""


@contextmanager
def book_of(request: Request) -> Iterator[Ledger]:
    """The ledger, opened for one request; its actor is whoever asks."""
    settings: Settings = request.app.state.settings
    if not settings.ledger:
        way_out = "Start the server with a ledger: whit web --ledger FILE."
        raise Unavailable("the ledger", "must be named when the server starts", "none", way_out)
    with Ledger(settings.ledger, actor=who_of(request).name) as book:
        yield book


def code_of(request: Request, account: str) -> str:
    """What stands for an account in addresses, which end up in logs: a signature, and not its name."""
    return signed(request.app.state.settings, "account", account)[:LETTERS]


def address_of(request: Request, account: str) -> str:
    """The address of the page of an account."""
    return f"{PREFIX}/account/{code_of(request, account)}"


def account_at(request: Request, book: Ledger, code: str) -> Account:
    """The account that a code stands for."""
    for account in accounts_of(book.store):
        if code_of(request, account.name) == code:
            return account
    raise UnknownKey("the account", "must be in this ledger", code, "Start at the list of accounts.")


def key_of(request: Request, *content: str) -> str:
    """The idempotency key of a request: the same person, the same content and the same moment that they saw.

    A double click, a second window of the same form and a form that is sent again after the server was killed are one
    request. The same form, opened anew after the entry was made, is another one.
    """
    return f"web-{signed(request.app.state.settings, 'key', who_of(request).name, *content)[:32]}"


def exception_of(account: Account) -> str:
    """What stands beside every risk of an account: with which probability it may be larger."""
    return f", except with probability {percent_text(account.failure)}" if account.failure else ""


def entry_at(book: Ledger, number: int) -> Entry:
    """The entry of a number."""
    try:
        return book.entry(number)
    except UnknownKey as unknown:
        rule = "must be in this ledger"
        raise UnknownKey("the entry", rule, number, "Start at the list of accounts.") from unknown


def text_of(form: FormData, name: str) -> str:
    """The text of a field; empty if it was not filled in, or holds a file."""
    said = form.get(name, "")
    return said.strip() if isinstance(said, str) else ""
