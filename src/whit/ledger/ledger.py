"""The ledger: what was released about whom, how much risk that makes, and what still fits.

>>> import tempfile, pathlib
>>> from whit.guarantees import ZeroConcentratedDP
>>> from whit.policy import limits
>>> path = pathlib.Path(tempfile.mkdtemp()) / "office.ledger"
>>> with Ledger.create(path, actor="ada") as ledger:
...     _ = ledger.declare("patients")
...     _ = ledger.open("patients 2026", "patients", limits=[limits.posterior(0.3, prior=0.1)], failure=0.01)
...     receipt = ledger.reserve("patients 2026", ZeroConcentratedDP(0.01), what="monthly table")
...     _ = ledger.release(receipt.number)
...     ledger.entry(receipt.number).state
State.RELEASED
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from whit.curves import Promise, require_promise
from whit.errors import Incompatible, InvalidInput, UnknownKey, require
from whit.ledger.account import Account, Population, Position, opened
from whit.ledger.actor import user_here
from whit.ledger.amounts import Charges, charges_text
from whit.ledger.books import charges_of, stated
from whit.ledger.chain import Act, Event, canonical, digest, not_as_written
from whit.ledger.decision import (
    refusal_of,
    refused_by,
    require_people,
    require_reserved,
    require_second,
    require_statement,
)
from whit.ledger.elsewhere import advised
from whit.ledger.entry import Entry, Receipt, State
from whit.ledger.perform import (
    EVER,
    account_on,
    charged_with,
    entry_on,
    population_on,
    position_on,
)
from whit.ledger.places import store_at
from whit.ledger.recorded import LONGEST
from whit.ledger.refusal import Refusal
from whit.ledger.status import exceeded
from whit.ledger.store import Store
from whit.ledger.trees import named, time_text
from whit.policy import limits as policy_limits
from whit.setting import PERSON, Neighbours, UnitOfPrivacy

Moment = tuple[str, tuple[str, ...]]

BOOKS = ("pure", "zcdp")
"""The books of an account that names none: the first needs no failure, so both together cost no more than one."""

LONGEST_WAIT = 5_256_000
"""The most minutes after which a reservation becomes uncertain: ten years."""

_WAIT = f"must be from 0 to {LONGEST_WAIT:,}, which is ten years"


class Ledger:
    """A ledger in a file or behind a URL; use it in a `with` statement.

    Args:
        where: a path, or the URL of a PostgreSQL database; else the environment variable WHIT_LEDGER says it.
        actor: who asks; the user of the machine if nobody is named.
        clock: where the time comes from; in tests.
    """

    def __init__(
        self,
        where: str | Path | Store | None = None,
        *,
        actor: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.store = where if isinstance(where, Store) else store_at(where)
        self._actor = named("the actor", actor) if actor else ""
        self._clock = clock

    @classmethod
    def create(cls, where: str | Path | None = None, **more: Any) -> Self:
        """A new ledger, empty; refused if something is there."""
        return cls(store_at(where, create=True), **more)

    @classmethod
    def read(cls, where: str | Path | None = None, **more: Any) -> Self:
        """A ledger that is only read: the file or the database refuses every change."""
        return cls(store_at(where, writes=False), **more)

    @property
    def actor(self) -> str:
        """Who asks; looked up when it is needed, since reading needs nobody."""
        return self._actor or user_here()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file or the connection."""
        self.store.close()

    def declare(
        self,
        name: str,
        *,
        unit: UnitOfPrivacy = PERSON,
        neighbours: Neighbours = Neighbours.ADD_REMOVE,
        parts: Sequence[str] = (),
    ) -> Population:
        """Declare a population: whom accounts are about, and what is protected."""
        population = Population(name, unit, neighbours, tuple(parts))
        with self.store.writing():
            self._append(Act.POPULATION, population.to_tree())
        return population

    def open(
        self,
        name: str,
        population: str,
        *,
        limits: Sequence[policy_limits.Limit | str],
        failure: object = 0,
        books: Mapping[str, object] | Sequence[str] = BOOKS,
        within: str = "",
        period: str = "",
        opens: str = "",
        second_person: bool = False,
    ) -> Account:
        """Open an account; everything about it is fixed from then on.

        Args:
            name: what the account is called.
            population: the population that it is about.
            limits: what must be kept at every moment.
            failure: the chance that a limit may be broken, for one person.
            books: what adds up charges, with their shares of the failure or without.
            within: an account of the same population that is charged as well, such as that of all years.
            period: what the account covers, in words.
            opens: when the next period opens, in words.
            second_person: whether a reservation needs another person than the one who asks.
        """
        about = self.population(population)
        more = {"within": within, "period": period, "opens": opens, "second_person": second_person}
        account = opened(name, about, limits=limits, failure=failure, books=books, **more)
        with self.store.writing():
            self._append(Act.OPEN, account.to_tree())
        return account

    def limit_recipient(self, account: str, recipient: str, quota: Mapping[str, object]) -> None:
        """Set a quota: the most that one recipient may get from an account in each book, counted from its opening on.

        A quota says nothing about risk: recipients can share what they have, so only the account's limits do.
        """
        books = self.account(account)
        amounts = {word: stated("a quota", books.book(word), most) for word, most in quota.items()}
        if not amounts:
            raise InvalidInput("a quota", "must name a book", "none", f"Use {books.books[0].word}.")
        body = {"account": account, "recipient": named("a recipient", recipient), "quota": charges_text(amounts)}
        with self.store.writing():
            self._append(Act.QUOTA, {**body, "counts": EVER})

    def plan(self, account: str, promise: Promise, *, what: str, key: str = "", **more: Any) -> Receipt:
        """Put a release on the plan; it does not count until it is reserved."""
        return self._enter(Act.PLAN, account, promise, what=what, key=key, **more)

    def reserve(self, account: str, promise: Promise, *, what: str, key: str = "", **more: Any) -> Receipt:
        """Reserve room for a release before it runs; raise Refused if it does not fit.

        Args:
            account: the account to charge.
            promise: what is promised of the release, or the noise with which it is made; several that are declared
                together are one composition.
            what: what is released, in words.
            key: an idempotency key: the same request again gets the same answer, and raises NotReserved once its
                entry is released, cancelled or uncertain.
            more: `parts` of the population that it is about, `recipient`, `minutes` until the reservation becomes
                uncertain, and `charges` by book in place of those of the promise.
        """
        return self._enter(Act.RESERVE, account, promise, what=what, key=key, **more)

    def record(self, account: str, promise: Promise, *, what: str, key: str = "", **more: Any) -> Receipt:
        """Record what is already out: it counts in full, also beyond a limit, as `exceeded` of the receipt says."""
        return self._enter(Act.RECORD, account, promise, what=what, key=key, **more)

    def correct(
        self, number: int, promise: Promise, *, why: str, approver: str = "", key: str = "", **more: Any
    ) -> Receipt:
        """Correct an entry by a new one that counts in its place; to lower or move a charge takes a second person."""
        old = self.entry(number)
        about = {"parts": old.parts, "recipient": old.recipient, **more}
        return self._enter(
            Act.CORRECT, old.account, promise, what=why, key=key, corrects=number, approver=approver, **about
        )

    def approve(self, number: int, *, key: str = "", minutes: float = 0) -> Receipt:
        """Reserve what is on the plan; raise Refused if it does not fit any more."""
        return self._move(Act.RESERVE, number, key=key, minutes=minutes)

    def release(self, number: int, *, artefact: str = "", key: str = "") -> Receipt:
        """Say that a reserved release is out; `artefact` is a hash of what was published, if there is one."""
        return self._move(Act.RELEASE, number, key=key, artefact=artefact)

    def doubt(self, number: int, *, why: str, key: str = "") -> Receipt:
        """Say that nobody knows whether a reserved release is out; it goes on to count."""
        return self._move(Act.DOUBT, number, key=key, statement=why)

    def cancel(self, number: int, *, statement: str, key: str = "") -> Receipt:
        """Cancel what was not released, with a statement that no output left."""
        require_statement(statement)
        return self._move(Act.CANCEL, number, key=key, statement=statement)

    def withdraw(self, number: int, *, why: str, key: str = "") -> Receipt:
        """Note that a release was withdrawn; it goes on to count."""
        return self._move(Act.WITHDRAW, number, key=key, statement=why)

    @contextmanager
    def guard(self, account: str, promise: Promise, *, what: str, key: str = "", **more: Any) -> Iterator[Receipt]:
        """Reserve, run what is inside, and mark it released; uncertain if anything is raised inside.

        Under a key it runs at most once: a guard that repeats a request raises NotReserved before it runs anything.
        """
        receipt = self._enter(Act.RESERVE, account, promise, what=what, key=key, once=True, **more)
        try:
            yield receipt
        except BaseException as wrong:
            self.doubt(receipt.number, why=f"{type(wrong).__name__} while it ran")
            raise
        self.release(receipt.number)

    def population(self, name: str) -> Population:
        """The population of a name."""
        return population_on(self.store, name)

    def account(self, name: str) -> Account:
        """The account of a name."""
        return account_on(self.store, name)

    def position(self, account: str) -> Position:
        """What an account has spent."""
        return position_on(self.store, account)

    def entry(self, number: int) -> Entry:
        """The entry of a number."""
        return entry_on(self.store, number)

    def history(self, account: str, *, before: int = 2**53, size: int = 50) -> tuple[Entry, ...]:
        """The entries of an account before a number, the newest first."""
        self.account(account)
        with self.store.reading():
            return tuple(entry_on(self.store, each) for each in self.store.listed(account, before=before, size=size))

    @property
    def head(self) -> tuple[int, str]:
        """The number and the hash of the last event."""
        return self.store.head

    def check(self, account: str, promise: Promise, **more: Any) -> Refusal | None:
        """Why a release would be refused now; None if it fits. Nothing is written."""
        entry = self._entry(account, promise, what="a question", **more)
        with self.store.reading():
            refusal = refusal_of(self.store, entry)
            return None if refusal is None else advised(self.store, refusal, promise, entry.parts)

    def _entry(
        self,
        account: str,
        promise: Promise,
        *,
        what: str,
        parts: Sequence[str] = (),
        recipient: str = "",
        minutes: float = 0,
        charges: Mapping[str, object] | None = None,
        corrects: int = 0,
        approver: str = "",
    ) -> Entry:
        """An entry with its charges, which depend on what was promised and not on what happened since."""
        require_promise(promise)
        accounts = tuple(charged_with(self.store, account))
        about = self.population(accounts[0].population)
        for part in parts:
            if part not in about.parts:
                raise UnknownKey(
                    "a part", f"must be one of {about.name}", part, f"Use {', '.join(about.parts) or 'none'}."
                )
        books = tuple({book.word: book for each in accounts for book in each.books}.values())
        if charges is None:
            charged: Charges = charges_of(books, promise, about.neighbours)
        else:
            said = {book: charges.get(book.word) for book in books}  # a book without a charge is closed
            charged = {book.word: None if one is None else stated("a charge", book, one) for book, one in said.items()}
        return Entry(
            number=0,
            account=account,
            what=named("what is released", what),
            promise=repr(promise)[:LONGEST],
            charges=charged,
            state=State.PLANNED,
            requester=self.actor,
            parts=tuple(parts),
            approver=approver,
            recipient=named("the recipient", recipient) if recipient else "",
            until=self._until(minutes),
            corrects=corrects,
        )

    def _until(self, minutes: float) -> str:
        way_out = f"Use a number of minutes up to {LONGEST_WAIT:,}, or none."
        require(0 <= minutes <= LONGEST_WAIT, name="minutes", rule=_WAIT, value=minutes, way_out=way_out)
        return time_text(self._clock() + timedelta(minutes=minutes)) if minutes else ""

    def _enter(self, act: Act, account: str, promise: Promise, *, key: str, once: bool = False, **more: Any) -> Receipt:
        """Make an entry, or give the answer that the same request got before; none where it may be made once only."""
        entry = self._entry(account, promise, **more)
        request = canonical({**entry.to_tree(), "until": "", "act": act.value})
        with self.store.writing():
            if (earlier := self._earlier(key, request)) is not None:
                return self._again(act, earlier, once=once)
            require_people(self.store, act, entry)
            tree = {name: value for name, value in entry.to_tree().items() if name not in ("number", "state")}
            event = self._append(*self._decided(act, entry, {"entry": tree}), key=key, request=request)
        return self._answer(event)

    def _move(self, act: Act, number: int, *, key: str, minutes: float = 0, **said: str) -> Receipt:
        """Move an entry to another state, or give the answer that the same request got before."""
        said = {name: named(name, text) for name, text in said.items() if text}
        request = canonical({"of": number, "act": act.value, **said})
        with self.store.writing():
            if (earlier := self._earlier(key, request)) is not None:
                return self._again(act, earlier)
            entry, now = self.entry(number), self._now()
            entry.moved(act, at=now[0])
            require_second(self.store, act, entry, self.actor, now[0])
            until = {"until": self._until(minutes)} if minutes else {}
            body = {"of": number, **said, **until}
            event = self._append(*self._decided(act, entry, body), key=key, request=request, now=now)
        return self._answer(event)

    def _decided(self, act: Act, entry: Entry, body: dict[str, Any]) -> tuple[Act, dict[str, Any]]:
        """What is done and with what: a refusal in place of a reservation that does not fit."""
        refusal = refusal_of(self.store, entry) if act is Act.RESERVE else None
        return (act, body) if refusal is None else (Act.REFUSE, {**body, "refusal": refusal.to_tree()})

    def _earlier(self, key: str, request: str) -> Event | None:
        """The event of the same request under this key; another request under it is refused."""
        found = self.store.request(named("the key", key)) if key else None
        if found is None:
            return None
        if found[0] != digest(request):
            rule = "must belong to one request"
            raise Incompatible(f"the key {key}", rule, f"another request, entry {found[1]}", "Use a new key.")
        event = self.store.event(found[1])
        if (event.key, event.request) != (key, found[0]):
            raise not_as_written(f"the key {key} of the ledger", f"entry {found[1]}")
        return event

    def _again(self, act: Act, event: Event, *, once: bool = False) -> Receipt:
        """The answer that the same request got before; where it allows a release, its entry must still be reserved."""
        receipt = self._answer(event)
        if act is Act.RESERVE:
            require_reserved(self.entry(receipt.number), receipt, at=self._now()[0], once=once)
        return receipt

    def _answer(self, event: Event) -> Receipt:
        """The receipt of an event; a refusal is raised."""
        if event.act is Act.REFUSE:
            raise refused_by(self.store, event)
        entry = self.entry(event.body.get("of", event.number))
        beyond = event.act in (Act.RECORD, Act.CORRECT)  # no other act makes a release count without asking for room
        over = exceeded(self.store, entry.account, entry.recipient) if beyond else ()
        return Receipt(entry.number, event.number, event.hash, event.at, entry.state, over)

    def _now(self) -> Moment:
        """The time, and a note if the clock shows less than at the last event; then that time counts."""
        now, (number, _) = time_text(self._clock()), self.head
        if number and now < (last := self.store.event(number).at):
            return last, (f"the clock was set back: it showed {now}",)
        return now, ()

    def _append(
        self, act: Act, body: Mapping[str, Any], *, key: str = "", request: str = "", now: Moment | None = None
    ) -> Event:
        """Add an event to the chain and do what it says, at the moment for which it was decided."""
        (number, previous), (at, notes) = self.head, now or self._now()
        made = digest(request) if key else ""
        event = Event(number + 1, previous, at, self.actor, act, body, key, made, notes)
        return self.store.append(event)
