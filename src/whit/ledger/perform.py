"""What an event does: the one place that turns events into entries, accounts and totals.

The same function writes the tables of a store while events are made, and rebuilds them in memory when a ledger is
verified or restored. So a replay equals the tables, or somebody changed one of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Protocol

from whit.errors import Incompatible, InvalidInput, UnknownKey, WhitError
from whit.ledger.account import Account, Population, Position, require_most
from whit.ledger.amounts import Charges, Spent
from whit.ledger.books import Book, read_charges
from whit.ledger.chain import NOT_AS_WRITTEN, Act, Event, Value, canonical, not_as_written, read_kept
from whit.ledger.entry import Entry, State
from whit.ledger.refusal import Refusal
from whit.ledger.trees import fields_of, named, text_of, time_of, whole_of

STATES = {
    Act.PLAN: State.PLANNED,
    Act.RESERVE: State.RESERVED,
    Act.RECORD: State.RELEASED,
}
"""The state in which an event makes an entry; a correction has that of the entry that it corrects, at that moment."""


EVER = "ever"
"""What a quota counts: all that the recipient ever got. One that does not say so was set by version 0.1.0, which
counted from the quota on."""

_GIVEN = frozenset({"number", "state", "corrected_by"})
"""What an entry gets from its event, and none may say of itself: one that is corrected does not count."""


class Shelf(Protocol):
    """Texts by their place, and the entries of each account in order."""

    def get(self, place: str) -> str | None:
        """The text at a place; None if nothing is there."""

    def put(self, place: str, body: str) -> None:
        """Put a text at a place."""

    def enlist(self, account: str, number: int, weight: float) -> None:
        """List an entry under an account, with how heavy it is; 0 if it does not count."""


class Memory:
    """A shelf in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.listed: dict[tuple[str, int], float] = {}

    def get(self, place: str) -> str | None:
        """The text at a place; None if nothing is there."""
        return self.texts.get(place)

    def put(self, place: str, body: str) -> None:
        """Put a text at a place."""
        self.texts[place] = body

    def enlist(self, account: str, number: int, weight: float) -> None:
        """List an entry under an account, with how heavy it is; 0 if it does not count."""
        self.listed[account, number] = weight


def perform(event: Event, shelf: Shelf) -> None:
    """Do on a shelf what an event says; one that lacks what its act needs is refused, since somebody else wrote it."""
    try:
        _ACTS.get(event.act, _moved)(event, shelf)
    except WhitError:
        raise
    except NOT_AS_WRITTEN as wrong:
        name, rule = f"event {event.number}", f"must hold what the act {event.act.value} needs"
        raise InvalidInput(name, rule, event.body, "Export the ledger again, and import that.") from wrong


def population_on(shelf: Shelf, name: str) -> Population:
    """The population of a name."""
    found = _read(shelf, "population", name, Population.of_tree)
    return _same(found, found.name, f"the population {name}", name)


def account_on(shelf: Shelf, name: str) -> Account:
    """The account of a name."""
    found = read_account(_text(shelf, "account", name))
    return _same(found, found.name, f"the account {name}", name)


@lru_cache(maxsize=256)
def read_account(text: str) -> Account:
    """The account of a text: it never changes, and is asked for at every charge."""
    return read_kept("an account of the ledger", text, Account.of_tree)


def position_on(shelf: Shelf, account: str) -> Position:
    """What an account has spent, in each of its books."""
    found = _read_position(f"the position {account} of the ledger", _text(shelf, "position", account))
    books = {book.word for book in account_on(shelf, account).books}
    return _same(found, found.books.keys(), f"the position {account}", books)


@lru_cache(maxsize=32)
def _read_position(what: str, text: str) -> Position:
    """The position of a text, which is read to decide about an entry, and then to charge it."""
    return read_kept(what, text, Position.of_tree)


def entry_on(shelf: Shelf, number: int) -> Entry:
    """The entry of a number."""
    found = _read(shelf, "entry", str(number), Entry.of_tree)
    return _same(found, found.number, f"the entry {number}", number)


def charged_with(shelf: Shelf, account: str) -> Iterator[Account]:
    """An account and all that it is within, which are charged together."""
    found, seen = account_on(shelf, account), {account}
    yield found
    while found.within:
        if found.within in seen:  # an account is opened after the one that it is within
            raise not_as_written(f"the account {found.name} of the ledger", f"within {found.within}")
        seen.add(found.within)
        found = account_on(shelf, found.within)
        yield found


def _same(found: Value, said: object, what: str, place: object) -> Value:
    """A value, if what it says of itself belongs to the place where it stands."""
    if said != place:
        raise not_as_written(f"{what} of the ledger", f"that of {said}")
    return found


def _read(shelf: Shelf, what: str, name: str, made: Callable[[Any], Value]) -> Value:
    return read_kept(f"the {what} {name} of the ledger", _text(shelf, what, name), made)


def _text(shelf: Shelf, what: str, name: str) -> str:
    text = shelf.get(f"{what}/{name}")
    if text is None:
        shown = "an entry" if what == "entry" else f"{'an' if what == 'account' else 'a'} {what}"
        way_out = "whit ledger status lists the accounts, and whit ledger history the entries."
        raise UnknownKey(shown, "must be in the ledger", name, way_out)
    return text


def _require_new(shelf: Shelf, what: str, name: str) -> None:
    """Refuse what is there already: another account by its name would begin with nothing spent."""
    if shelf.get(f"{what}/{name}") is not None:
        raise Incompatible(f"the {what}", "must not be there yet", name, "Use another name.")


def _declared(event: Event, shelf: Shelf) -> None:
    population = Population.of_tree(event.body)
    _require_new(shelf, "population", population.name)
    shelf.put(f"population/{population.name}", canonical(event.body))


def _opened(event: Event, shelf: Shelf) -> None:
    account = Account.of_tree(event.body)
    _require_new(shelf, "account", account.name)
    if account.within and (whole := account_on(shelf, account.within)).population != account.population:
        rule = f"must be about {account.population} as well"
        raise Incompatible(f"account {account.within}", rule, whole.population, "Name an account of the same people.")
    require_most(account, population_on(shelf, account.population).neighbours)
    shelf.put(f"account/{account.name}", canonical(event.body))
    position = Position({book.word: Spent(book.nothing) for book in account.books})
    shelf.put(f"position/{account.name}", canonical(position.to_tree()))


def _quota(event: Event, shelf: Shelf) -> None:
    body = fields_of(event.body, needed=("account", "recipient", "quota"), allowed=("counts",))
    if body.get("counts", EVER) != EVER:
        raise ValueError(body["counts"])
    account, recipient = text_of(body["account"]), named("a recipient", body["recipient"])
    quota = read_charges(body["quota"])
    if not quota or None in quota.values():
        raise ValueError(quota)
    _require_books(quota, account_on(shelf, account).books)
    position = position_on(shelf, account).with_quota(recipient, quota)
    shelf.put(f"position/{account}", canonical(position.to_tree()))


def _entered(event: Event, shelf: Shelf) -> None:
    """A new entry; a correction takes the place of the entry that it corrects."""
    if "of" in event.body:
        return _moved(event, shelf)
    tree = fields_of(event.body, needed=["entry"])["entry"]
    if not _GIVEN.isdisjoint(tree) or ("corrects" in tree) != (event.act is Act.CORRECT):
        raise ValueError(tree)
    old = entry_on(shelf, whole_of(tree["corrects"], least=1)) if event.act is Act.CORRECT else None
    state = STATES[event.act] if old is None else old.state_at(event.at)
    entry = Entry.of_tree({**tree, "number": event.number, "state": state.value})
    _require_known(entry, shelf)
    if old is not None:
        if not old.counts or old.account != entry.account:  # what does not count would be taken off once more
            raise ValueError(old)
        _charge(old, shelf, taken_off=True)
        _kept(replace(old, corrected_by=entry.number), shelf)
        entry = replace(entry, until=min(filter(None, (old.until, entry.until)), default=""))  # no later than before
    _kept(entry, shelf)
    for account in charged_with(shelf, entry.account):
        shelf.enlist(account.name, entry.number, 0.0)
    if entry.counts:
        _charge(entry, shelf)
    return None


def _moved(event: Event, shelf: Shelf) -> None:
    """An entry in another state, charged if it counts now and did not before, and the other way round."""
    body = fields_of(event.body, needed=["of"], allowed=("artefact", "statement", "until"))
    before = entry_on(shelf, whole_of(body["of"], least=1))
    after = before.moved(event.act, at=event.at)
    for word in ("artefact", "statement"):
        text_of(body.get(word, ""))
    until = time_of(body["until"]) if "until" in body else ""
    if event.act is Act.RESERVE:
        after = replace(after, approver=event.actor, until=until)
    _kept(after, shelf)
    if before.counts != after.counts:
        _charge(after, shelf, taken_off=before.counts)


def _kept(entry: Entry, shelf: Shelf) -> None:
    shelf.put(f"entry/{entry.number}", canonical(entry.to_tree()))


def _charge(entry: Entry, shelf: Shelf, *, taken_off: bool = False) -> None:
    """Charge an entry to its account and to all that this one is within, or take the charge off again."""
    for account in charged_with(shelf, entry.account):
        change = Position.minus if taken_off else Position.plus
        position = change(position_on(shelf, account.name), entry.charges, entry.parts, entry.recipient)
        shelf.put(f"position/{account.name}", canonical(position.to_tree()))
        shelf.enlist(account.name, entry.number, 0.0 if taken_off else weight(account, entry))


def weight(account: Account, entry: Entry) -> float:
    """How much of an account an entry holds: the largest share of what a limit allows, by the book that allows most."""
    shares = (account.used(limit, entry.charges) for limit in account.limits)
    return max((1.0 if share is None else float(share) for share in shares), default=0.0)


def _refused(event: Event, shelf: Shelf) -> None:
    """A refusal changes nothing; it is only read, as the same request gets it again."""
    body = fields_of(event.body, needed=["refusal"], allowed=("entry", "of", "artefact", "statement", "until"))
    account = account_on(shelf, text_of(body["refusal"]["account"]))
    Refusal.of_tree(body["refusal"], account, population_on(shelf, account.population).neighbours)
    if "entry" in body:
        Entry.of_tree({**body["entry"], "number": event.number, "state": State.PLANNED.value})
    else:
        whole_of(body["of"], least=1)


def _require_known(entry: Entry, shelf: Shelf) -> None:
    """Refuse an entry about parts that its population does not have, and charges in books that no account has."""
    accounts = tuple(charged_with(shelf, entry.account))
    if not set(entry.parts) <= set(population_on(shelf, accounts[0].population).parts):
        raise ValueError(entry.parts)
    _require_books(entry.charges, [book for account in accounts for book in account.books])


def _require_books(charges: Charges, books: Iterable[Book]) -> None:
    if not charges.keys() <= {book.word for book in books}:
        raise ValueError(charges)


_ACTS: dict[Act, Callable[[Event, Shelf], None]] = {
    Act.POPULATION: _declared,
    Act.OPEN: _opened,
    Act.QUOTA: _quota,
    Act.REFUSE: _refused,
    **dict.fromkeys((*STATES, Act.CORRECT), _entered),
}
