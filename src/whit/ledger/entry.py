"""One release in the ledger: its charges, its state, and which states may follow.

planned    may be reserved, or cancelled
reserved   may be released, cancelled or put in doubt, which is uncertain
uncertain  may turn out to be released, or not to be, which is cancelled
released   may be withdrawn, and goes on to count

Reserved, released, uncertain and withdrawn releases count in full. Nothing expires into a refund: only a statement that
no output left cancels a reservation, and of an uncertain one it takes a second person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from whit.display import block, table
from whit.errors import Incompatible, NotAllowed
from whit.ledger.amounts import Charges, charges_text
from whit.ledger.books import read_charges
from whit.ledger.chain import Act
from whit.ledger.trees import fields_of, named, text_of, texts_of, time_of, whole_of


class State(Enum):
    """Where a release stands; the value is the word for it."""

    PLANNED = "planned"
    RESERVED = "reserved"
    RELEASED = "released"
    UNCERTAIN = "uncertain"
    CANCELLED = "cancelled"
    WITHDRAWN = "withdrawn"

    @property
    def counts(self) -> bool:
        """Whether a release in this state is charged."""
        return self not in (State.PLANNED, State.CANCELLED)

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"State.{self.name}"


MOVES: Mapping[tuple[State, Act], State] = {
    (State.PLANNED, Act.RESERVE): State.RESERVED,
    (State.PLANNED, Act.CANCEL): State.CANCELLED,
    (State.RESERVED, Act.RELEASE): State.RELEASED,
    (State.RESERVED, Act.CANCEL): State.CANCELLED,
    (State.RESERVED, Act.DOUBT): State.UNCERTAIN,
    (State.UNCERTAIN, Act.RELEASE): State.RELEASED,
    (State.UNCERTAIN, Act.CANCEL): State.CANCELLED,
    (State.RELEASED, Act.WITHDRAW): State.WITHDRAWN,
}
"""The states that may follow, by the state before and what is done."""


_NEEDED = ("number", "account", "what", "promise", "charges", "state", "requester")
_FURTHER = ("parts", "approver", "recipient", "until", "corrects", "corrected_by")


@dataclass(frozen=True)
class Entry:
    """One release about the people of an account.

    Attributes:
        number: the number of the event that made it.
        account: the account that it is charged to, and all that this one is within.
        what: what is released, in words.
        promise: what is promised of it, as text.
        charges: what it costs in each book; a book without a charge is closed by it.
        parts: the parts of the population that it is about; none if it is about everybody.
        state: where it stands.
        requester: who asked.
        approver: who approved; nobody if that was not needed.
        recipient: who gets it, if there is a quota.
        until: when a reservation becomes uncertain, in UTC; empty if never.
        corrects: the entry that this one corrects, if it does.
        corrected_by: the entry that corrects this one; then that one counts in its place.
    """

    number: int
    account: str
    what: str
    promise: str
    charges: Charges
    state: State
    requester: str
    parts: tuple[str, ...] = ()
    approver: str = ""
    recipient: str = ""
    until: str = ""
    corrects: int = 0
    corrected_by: int = 0

    @property
    def counts(self) -> bool:
        """Whether it is charged."""
        return self.state.counts and not self.corrected_by

    def moved(self, act: Act, *, at: str) -> Entry:
        """The entry after something is done with it, at a time by the clock."""
        if self.corrected_by:
            way_out = f"Use entry {self.corrected_by}."
            raise Incompatible(
                f"entry {self.number}", "must not have been corrected", f"by {self.corrected_by}", way_out
            )
        state = MOVES.get((self.state_at(at), act)) or MOVES.get((self.state, act))
        if state is None:
            can = [each.value for before, each in MOVES if before is self.state_at(at)]
            way_out = f"What can be done with it: {', '.join(can)}." if can else "Nothing more can be done with it."
            rule = f"cannot be changed by {act.value}"
            raise Incompatible(f"entry {self.number}", rule, f"it is {self.state_at(at).value}", way_out)
        return replace(self, state=state)

    def state_at(self, at: str) -> State:
        """Where it stands at a time: a reservation that is past its time is uncertain."""
        overdue = self.state is State.RESERVED and self.until and at >= self.until
        return State.UNCERTAIN if overdue else self.state

    def to_tree(self) -> dict[str, Any]:
        """The entry as a plain tree without floating-point numbers."""
        tree = {name: value for name, value in vars(self).items() if value not in ("", (), 0)}
        tree |= {"charges": charges_text(self.charges), "state": self.state.value}
        return tree | ({"parts": list(self.parts)} if self.parts else {})

    @classmethod
    def of_tree(cls, tree: Mapping[str, Any]) -> Entry:
        """The entry of a plain tree."""
        fields_of(tree, needed=_NEEDED, allowed=_FURTHER)
        named("the account of an entry", tree["account"])
        named("what is released", tree["what"])
        for person in ("requester", "approver", "recipient"):
            if person in tree:
                named(f"the {person}", tree[person])
        return cls(
            **{
                **tree,
                "number": whole_of(tree["number"], least=1),
                "promise": text_of(tree["promise"]),
                "charges": read_charges(tree["charges"]),
                "state": State(tree["state"]),
                "parts": texts_of(tree.get("parts", [])),
                "until": time_of(tree["until"]) if tree.get("until") else "",
                "corrects": whole_of(tree.get("corrects", 0)),
                "corrected_by": whole_of(tree.get("corrected_by", 0)),
            }
        )


@dataclass(frozen=True)
class Receipt:
    """What is handed to whoever asked: the entry, and the head of the chain that proves it.

    Attributes:
        number: the entry.
        event: the number of the event.
        head: the hash of the event; kept elsewhere, it shows later that nothing was changed or cut off.
        at: the time by the clock of the machine, in UTC.
        state: where the release stands.
        exceeded: where the release is recorded or corrected, a sentence about each limit that is now exceeded.
    """

    number: int
    event: int
    head: str
    at: str
    state: State
    exceeded: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"entry {self.number} is {self.state.value}; head {self.head} at {self.at}"

    def _repr_html_(self) -> str:
        """What a notebook shows: with the whole head, which is to be kept elsewhere."""
        rows = [("event", str(self.event)), ("at", self.at), ("head", self.head)]
        return block(table((), rows, f"Entry {self.number} is {self.state.value}"), *self.exceeded)


class NotReserved(NotAllowed):
    """A repeated request whose release may not be published for it; `receipt` says where its entry stands."""

    receipt: Receipt
