"""What one more release would make of an account, and of all that it is within; nothing is written."""

from __future__ import annotations

from dataclasses import dataclass

from whit.curves import Promise
from whit.errors import Unavailable
from whit.ledger.course import Course, course_of
from whit.ledger.ledger import Ledger
from whit.ledger.perform import charged_with
from whit.ledger.refusal import Refusal
from whit.ledger.status import LimitStatus, Status, limits_with, status_of

TRIES = 5
"""How often it is read anew if somebody writes meanwhile."""


@dataclass(frozen=True)
class Prospect:
    """One account, now and with one more release.

    Attributes:
        now: where it stands.
        then: each of its limits with the release.
        courses: how the risk of each limit grew.
    """

    now: Status
    then: tuple[LimitStatus, ...]
    courses: tuple[Course, ...]


@dataclass(frozen=True)
class Outlook:
    """An account with all that it is within, and whether one more release about everybody fits.

    Attributes:
        accounts: the account first, then what it is within.
        refusal: why the release would be refused; None if it fits.
    """

    accounts: tuple[Prospect, ...]
    refusal: Refusal | None


def outlook_of(ledger: Ledger, account: str, promise: Promise) -> Outlook:
    """What one more release about everybody would make of an account, all of it at one moment."""
    for _ in range(TRIES):
        head = ledger.head
        names = [each.name for each in charged_with(ledger.store, account)]
        found = Outlook(tuple(_prospect(ledger, name, promise) for name in names), ledger.check(account, promise))
        if ledger.head == head:  # every change moves the head
            return found
    raise Unavailable("the ledger", "must rest while it is read", f"a change, {TRIES} times", "Try again later.")


def _prospect(ledger: Ledger, name: str, promise: Promise) -> Prospect:
    now = status_of(ledger.store, name)
    courses = tuple(course_of(ledger.store, name, limit) for limit in now.account.limits)
    return Prospect(now, limits_with(ledger.store, name, promise), courses)
