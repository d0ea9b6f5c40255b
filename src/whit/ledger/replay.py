"""Whether a ledger would have written an event: asked again of every event that is verified or imported.

Anybody can make a chain whose hashes are whole. So each event is decided once more, from the exact charges that are
recorded, by what a ledger asks before it writes.
"""

from __future__ import annotations

from whit.errors import Incompatible, InvalidInput, Sentence, WhitError
from whit.ledger.amounts import charges_text
from whit.ledger.chain import NOT_AS_WRITTEN, RESTORE, Act, Event
from whit.ledger.decision import require_people, require_second, require_statement, room_of
from whit.ledger.entry import Entry, State
from whit.ledger.perform import Shelf, entry_on, perform
from whit.ledger.trees import whole_of


class Replay:
    """Events that are decided one after the other, and done on a shelf.

    Args:
        shelf: where what the events say is put.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._last = ""
        self._uncounted: set[tuple[str, str]] = set()

    def require(self, event: Event) -> None:
        """Refuse an event that no ledger writes after those before it."""
        try:
            if event.at < self._last:
                raise Incompatible("its time", f"must be {self._last} or later", event.at, "")
            if event.act is Act.QUOTA:
                self._note_quota(event)
            elif "of" in event.body or "entry" in event.body:
                self._require_decided(event)
        except WhitError as wrong:
            raise _unwritten(event, f"one that breaks a rule: {wrong.name} {wrong.rule}") from wrong
        except NOT_AS_WRITTEN as wrong:
            raise _unwritten(event, "one that lacks what its act needs") from wrong
        self._last = event.at

    def perform(self, event: Event) -> None:
        """The same, and do what it says."""
        self.require(event)
        perform(event, self._shelf)

    def _note_quota(self, event: Event) -> None:
        """Note a quota of version 0.1.0, which did not count all that its recipient ever got: it may be exceeded."""
        pair = (event.body["account"], event.body["recipient"])
        (self._uncounted.discard if "counts" in event.body else self._uncounted.add)(pair)

    def _require_decided(self, event: Event) -> None:
        """Ask what the ledger asks before it makes an entry, or moves one."""
        act = Act.RESERVE if event.act is Act.REFUSE else event.act
        if "of" in event.body:
            entry = entry_on(self._shelf, whole_of(event.body["of"], least=1))
            entry.moved(act, at=event.at)
            require_second(self._shelf, act, entry, event.actor, event.at)
        else:
            entry = _asked(event)
            require_people(self._shelf, act, entry)
        if act is Act.CANCEL:
            require_statement(event.body.get("statement", ""))
        if act is Act.RESERVE:
            self._require_room(event, entry)

    def _require_room(self, event: Event, entry: Entry) -> None:
        """Refuse a reservation without room for it, and the refusal of one that has room, or of other totals."""
        broken = room_of(self._shelf, entry).broken_by(entry.charges, uncounted=self._uncounted)
        if event.act is Act.RESERVE:
            if broken is not None:
                raise Incompatible("its charge", f"must fit account {broken.account.name}", broken.limit, "")
            return
        said = event.body["refusal"]
        if (said["account"], entry.recipient) in self._uncounted and said["limit"] == entry.recipient:
            return
        if broken is None:
            raise Incompatible("what is refused", "must not fit", "a charge that fits", "")
        found = (broken.account.name, broken.limit, charges_text(broken.before), charges_text(broken.after))
        if found != tuple(said[name] for name in ("account", "limit", "before", "after")):
            raise Incompatible("its refusal", "must have the totals of the account", "others", "")


def _asked(event: Event) -> Entry:
    """The entry that somebody asked for, who is the one that the event names."""
    entry = Entry.of_tree({**event.body["entry"], "number": event.number, "state": State.PLANNED.value})
    if entry.requester != event.actor:
        raise Incompatible("who asks", f"must be {event.actor}", entry.requester, "")
    return entry


def _unwritten(event: Event, found: str) -> InvalidInput:
    return InvalidInput(f"event {event.number}", "must be one that a ledger writes", Sentence(found), RESTORE)
