"""One entry as a receipt, and what may be done with it: approve, release, cancel, put in doubt, withdraw."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from whit.apps.web.access.forms import SignedForm
from whit.apps.web.access.who import FORBIDDEN, Identity, Role, may, who_of
from whit.apps.web.pages.ledger.book import PREFIX, address_of, book_of, entry_at, key_of, text_of
from whit.apps.web.pages.ledger.reserve import refused_page
from whit.apps.web.rendering import page
from whit.errors import UnknownKey
from whit.ledger import Entry, Event, Ledger, NotReserved, Receipt, Refused, State, charged_text, promise_words

router = APIRouter(prefix=PREFIX)


@dataclass(frozen=True)
class Move:
    """Something that may be done with an entry.

    Attributes:
        name: its word in the address.
        button: what the button says.
        asks: what must be said with it; nothing if empty.
        hint: what that is about.
        states: the states in which it may be done.
        do: how the ledger does it, by the number, what was said and the key.
    """

    name: str
    button: str
    asks: str
    hint: str
    states: tuple[State, ...]
    do: Callable[[Ledger, int, str, str], Receipt]


MOVES = (
    Move("approve", "Approve and reserve", "", "", (State.PLANNED,), lambda b, n, _said, key: b.approve(n, key=key)),
    Move(
        "release",
        "It is released",
        "A hash of what was published",
        "It may stay empty.",
        (State.RESERVED, State.UNCERTAIN),
        lambda b, n, said, key: b.release(n, artefact=said, key=key),
    ),
    Move(
        "cancel",
        "Cancel it",
        "How it is known that no output left",
        "A cancelled release no longer counts.",
        (State.PLANNED, State.RESERVED, State.UNCERTAIN),
        lambda b, n, said, key: b.cancel(n, statement=said, key=key),
    ),
    Move(
        "doubt",
        "Nobody knows whether it is out",
        "What happened",
        "It counts as before.",
        (State.RESERVED,),
        lambda b, n, said, key: b.doubt(n, why=said, key=key),
    ),
    Move(
        "withdraw",
        "It was withdrawn",
        "Why it was withdrawn",
        "It counts as before.",
        (State.RELEASED,),
        lambda b, n, said, key: b.withdraw(n, why=said, key=key),
    ),
)
"""What may be done with an entry, in the order of the page."""


def why_not(who: Identity, entry: Entry, move: Move) -> str:
    """Why somebody may not do something with an entry; empty if they may.

    Nobody approves a request of their own, whatever roles they have, and in every account.
    """
    own = who.name == entry.requester
    if move.name == "approve":
        if own:
            return "This is your own request: another person must approve it. Ask a colleague."
        return "" if who.may(Role.APPROVER) else "To approve needs the role approver. Ask a colleague who has it."
    if who.may(Role.KEEPER) or (own and who.may(Role.REQUESTER)):
        return ""
    if move.name == "cancel" and who.may(Role.APPROVER):
        return ""
    return f"This is a request of {entry.requester}: they or a keeper may do this. Ask one of them."


@router.get("/entry/{number}", dependencies=[may(Role.READER)])
def entry(request: Request, number: int) -> Response:
    """An entry as a receipt: what it is, who asked, and the event that proves it."""
    with book_of(request) as book:
        found = entry_at(book, number)
        event, head = book.store.event(number), book.head
    who = who_of(request)
    offered = [move for move in MOVES if found.state in move.states and not found.corrected_by]
    tree = {"entry": found.to_tree(), "event": number, "hash": event.hash, "at": event.at, "head": list(head)}
    return page(
        request,
        "ledger/entry.html",
        tree,
        entry=found,
        facts=_facts(found, event),
        address=address_of(request, found.account),
        moves=[move for move in offered if not why_not(who, found, move)],
        refusals=[why for move in offered if move.name == "approve" and (why := why_not(who, found, move))],
        event=event,
        head=head,
    )


def _facts(entry: Entry, event: Event) -> list[tuple[str, str]]:
    rows = [
        ("State", entry.state.value),
        ("Account", entry.account),
        ("What is released", entry.what),
        ("What is promised", promise_words(entry.promise)),
        ("About", ", ".join(entry.parts) or "everybody"),
        ("Charged", charged_text(entry.charges)),
        ("Requested by", entry.requester),
        ("Approved by", entry.approver),
        ("Recipient", entry.recipient),
        ("Uncertain from", entry.until),
        ("Corrects entry", str(entry.corrects or "")),
        ("Corrected by entry", str(entry.corrected_by or "")),
        ("Made at", event.at),
    ]
    return [(name, said) for name, said in rows if said]


@router.post("/entry/{number}/{name}", dependencies=[may(Role.READER)])
def move(request: Request, number: int, name: str, form: SignedForm) -> Response:
    """Do something with an entry, if whoever asks may do it."""
    asked = next((each for each in MOVES if each.name == name), None)
    if asked is None:
        raise UnknownKey("what is done", "must be known", name, f"Use {', '.join(each.name for each in MOVES)}.")
    said = text_of(form, "said")
    with book_of(request) as book:
        refused = why_not(who_of(request), entry_at(book, number), asked)
        if refused:
            raise HTTPException(FORBIDDEN, refused)
        try:
            with suppress(NotReserved):  # a form that was sent twice leads to its entry, which says where it stands
                asked.do(book, number, said, key_of(request, name, str(number), said, text_of(form, "seen")))
        except Refused as wrong:
            return refused_page(request, wrong.refusal)
    return RedirectResponse(f"/ledger/entry/{number}", status_code=303)
