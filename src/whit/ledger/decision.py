"""Whether an entry may be made or moved: who may do it alone, and whether it fits.

Everything is decided from recorded parameters, inside of the transaction that writes the answer.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from whit.errors import Incompatible, InvalidInput
from whit.ledger.account import Account
from whit.ledger.amounts import Charges, within
from whit.ledger.chain import Act, Event
from whit.ledger.entry import Entry, NotReserved, Receipt, State
from whit.ledger.perform import Shelf, account_on, charged_with, entry_on, population_on, position_on
from whit.ledger.refusal import Refusal, Refused
from whit.ledger.room import Room
from whit.ledger.shown import percent_text
from whit.ledger.store import Store

_HOLDERS, _CANDIDATES = 5, 200
_MOVED = "a correction that moves a charge away from people or a recipient"


def require_people(shelf: Shelf, act: Act, entry: Entry) -> None:
    """Refuse a reservation that needs a second person, and a correction that takes a charge off without one."""
    if act is Act.RESERVE and needs_second_person(shelf, entry):
        way_out = "Put it on the plan; another person then approves it."
        rule = f"needs a second person in account {entry.account}"
        raise Incompatible("a reservation", rule, entry.requester, way_out)
    if act is not Act.CORRECT:
        return
    old = entry_on(shelf, entry.corrects)
    if not old.counts:
        rule = "must count to be corrected"
        raise Incompatible(f"entry {old.number}", rule, old.state.value, "Correct the newest.")
    if lowers(old, entry) and entry.approver in ("", entry.requester):
        rule = "needs a second person who approves it"
        what = "a correction that lowers a charge" if less(old.charges, entry.charges) else _MOVED
        raise Incompatible(what, rule, entry.approver or "nobody", "Name the approver.")


def require_second(shelf: Shelf, act: Act, entry: Entry, actor: str, at: str) -> None:
    """Refuse what the requester may not do alone: cancel what is uncertain, and approve where two are needed."""
    doubtful = act is Act.CANCEL and entry.state_at(at) is State.UNCERTAIN
    approving = act is Act.RESERVE and needs_second_person(shelf, entry)
    if actor in askers(shelf, entry) and (doubtful or approving):
        what = "to cancel an uncertain release" if doubtful else "to approve a release"
        raise Incompatible(what, "needs another person than the one who asked", actor, "Ask a colleague.")


def require_statement(statement: str) -> None:
    """Refuse to cancel what nobody says did not leave."""
    if not statement.strip():
        way_out = "Say that no output left, and how that is known."
        raise InvalidInput("the statement", "must say that no output left", repr(statement), way_out)


def require_reserved(entry: Entry, receipt: Receipt, *, at: str, once: bool) -> None:
    """Refuse a repeated request as a leave to publish, unless its entry is still reserved.

    Where the release may run only `once`, an earlier request may have begun it: nobody can tell a crash before that
    from one in the middle.
    """
    state = entry.state_at(at)
    found = f"corrected by entry {entry.corrected_by}" if entry.corrected_by else state.value
    if once:
        rule, found = "must be reserved by the guard that runs it", f"an earlier request; the entry is {found}"
        way_out = f"Find out what happened, and release, doubt or cancel entry {entry.number}. Then use a new key."
    elif found == State.RESERVED.value:
        return
    else:
        rule = "must still be reserved under its key"
        way_out = "Do not publish it for this request: nothing was charged now. Use a new key for another release."
    error = NotReserved(f"the release of entry {entry.number}", rule, found, way_out)
    error.receipt = replace(receipt, state=state)
    raise error


def askers(shelf: Shelf, entry: Entry) -> set[str]:
    """Who asked for an entry, or for one that it corrects."""
    found = {entry.requester}
    while entry.corrects:
        entry = entry_on(shelf, entry.corrects)
        found.add(entry.requester)
    return found


def needs_second_person(shelf: Shelf, entry: Entry) -> bool:
    """Whether the account of an entry, or one that it is within, asks for two people."""
    return any(account.second_person for account in charged_with(shelf, entry.account))


def refusal_of(store: Store, entry: Entry) -> Refusal | None:
    """Why an entry does not fit its account or one that this is within; None if it does."""
    room = room_of(store, entry)
    broken = room.broken_by(entry.charges)
    if broken is None:
        return None
    holders = holders_of(store, broken.account, broken.limit, broken.before)
    relation = population_on(store, broken.account.population).neighbours
    return Refusal(*broken, holders, relation, room=room)


def room_of(shelf: Shelf, entry: Entry) -> Room:
    """What is left where an entry is charged."""
    accounts = ((account, position_on(shelf, account.name)) for account in charged_with(shelf, entry.account))
    return Room(tuple(accounts), entry.parts, entry.recipient)


def refused_by(store: Store, event: Event) -> Refused:
    """The error of an event that refused a release; what would fit instead is what fits now."""
    tree, body = event.body["refusal"], event.body
    account = account_on(store, tree["account"])
    relation = population_on(store, account.population).neighbours
    if "entry" in body:
        entry = Entry.of_tree({**body["entry"], "number": event.number, "state": State.PLANNED.value})
    else:
        entry = entry_on(store, body["of"])
    refusal = replace(Refusal.of_tree(tree, account, relation), room=room_of(store, entry))
    return Refused.by(refusal, entry.what if "entry" in body else f"entry {entry.number}")


def holders_of(store: Store, account: Account, limit: str, totals: Charges) -> tuple[tuple[int, str], ...]:
    """The entries that use most of a limit, each with its share in the book that the status of the account reads.

    Beyond 200 entries those count that were heaviest when they were charged. A quota is held against the limit that
    is used most.
    """
    if limit not in account.limits:
        limit = max(account.limits, key=lambda each: _or_all(account.used(each, totals)))
    measure = account.measure(limit, totals)
    shares = []
    for number, _ in store.heaviest(account.name, _CANDIDATES):
        charges = entry_on(store, number).charges
        own = account.used(limit, charges) if measure is None else account.share(limit, charges, measure)
        shares.append((_or_all(own), number))
    shares.sort(key=lambda each: (-each[0], each[1]))
    return tuple((number, percent_text(share)) for share, number in shares[:_HOLDERS])


def _or_all(share: Fraction | None) -> Fraction:
    """A share, or all of it where no book is left."""
    return Fraction(1) if share is None else share


def lowers(old: Entry, new: Entry) -> bool:
    """Whether a correction takes a charge off: off some book, some part of the people, or what a recipient got."""
    elsewhere = bool(new.parts) and not (old.parts and set(old.parts) <= set(new.parts))
    return less(old.charges, new.charges) or elsewhere or old.recipient not in ("", new.recipient)


def less(old: Charges, new: Charges) -> bool:
    """Whether a correction is below the old charge in some book; a book that was closed would open again."""
    return any(charge is not None and not within(old.get(word), charge) for word, charge in new.items())
