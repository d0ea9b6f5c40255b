"""What one more release would make of an account, and of all that it is within; nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from whit.curves import Promise
from whit.errors import Unavailable, require
from whit.ledger.course import Course, course_of
from whit.ledger.ledger import Ledger
from whit.ledger.perform import charged_with
from whit.ledger.refusal import Refusal
from whit.ledger.shown import bounds_note, left_text, risk_text
from whit.ledger.status import LimitStatus, Status, limits_with, status_of
from whit.setting import UnitOfPrivacy
from whit.spec import LedgerAccount

Read = TypeVar("Read")

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

    def read() -> Outlook:
        names = [each.name for each in charged_with(ledger.store, account)]
        return Outlook(tuple(_prospect(ledger, name, promise) for name in names), ledger.check(account, promise))

    return _at_rest(ledger, read)


@dataclass(frozen=True)
class Change:
    """One limit of an account, before and after one more release that fits.

    Attributes:
        account: the name of the account.
        before: the limit without the release.
        after: the limit with it.
    """

    account: str
    before: LimitStatus
    after: LimitStatus

    @property
    def left(self) -> str:
        """How much of the limit is left after the release, rounded down."""
        return left_text(Fraction(1) if self.after.used is None else self.after.used)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The limit, the risk before and after, and what is left."""
        return [
            ("limit", f'"{self.before.limit}" of account {self.account}'),
            ("risk before", risk_text(self.before.risk)),
            ("risk after", risk_text(self.after.risk)),
            ("left", f"{self.left} of {self.after.allowance}"),
        ]

    def to_dict(self) -> dict[str, Any]:
        """The change as a plain tree."""
        return {
            "account": self.account,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "left": self.left,
        }


@dataclass(frozen=True)
class Fit:
    """Whether one more release fits.

    Attributes:
        refusal: why it would be refused; None if it fits.
        changes: what it makes of each limit if it fits.
        note: why `whit check` may give a smaller bound.
    """

    refusal: Refusal | None
    changes: tuple[Change, ...]
    note: str

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What it makes of each limit; where it does not fit, of the one that refuses it, and what uses most of it."""
        if self.refusal is not None:
            return self.refusal.rows[1:]
        return [row for change in self.changes for row in change.rows]

    @property
    def verdict(self) -> str:
        """Whether it fits, in one sentence."""
        if self.refusal is not None:
            return f"Does not fit: the release {self.refusal.rule}."
        names = list(dict.fromkeys(each.account for each in self.changes))
        return f"Fits: account {' and account '.join(names)} {'has' if len(names) == 1 else 'have'} room."

    def to_dict(self) -> dict[str, Any]:
        """The answer as a plain tree."""
        tree = fit_tree(self.refusal)
        return {**tree, "limits": [change.to_dict() for change in self.changes]} if self.refusal is None else tree


def fit_tree(refusal: Refusal | None) -> dict[str, Any]:
    """Whether a release fits, as a plain tree, and why not."""
    return {"fits": refusal is None, **({} if refusal is None else refusal.to_tree())}


def fit_of(ledger: Ledger, account: str, promise: Promise, *, parts: Sequence[str] = (), recipient: str = "") -> Fit:
    """Whether one more release fits, all of it at one moment; nothing is written."""

    def read() -> Fit:
        refusal = ledger.check(account, promise, parts=parts, recipient=recipient)
        changes = _changes(ledger, account, promise, tuple(parts)) if refusal is None else ()
        named = account if refusal is None else refusal.account.name
        return Fit(refusal, changes, bounds_note([(ledger.account(named), ledger.position(named).totals)]))

    return _at_rest(ledger, read)


def _changes(ledger: Ledger, account: str, promise: Promise, parts: tuple[str, ...]) -> tuple[Change, ...]:
    names = [each.name for each in charged_with(ledger.store, account)]
    return tuple(
        Change(name, before, after)
        for name in names
        for before, after in zip(
            status_of(ledger.store, name).limits, limits_with(ledger.store, name, promise, parts=parts), strict=True
        )
    )


def _at_rest(ledger: Ledger, read: Callable[[], Read]) -> Read:
    """What is read while nobody writes; read anew if somebody did."""
    for _ in range(TRIES):
        head = ledger.head
        found = read()
        if ledger.head == head:  # every change moves the head
            return found
    raise Unavailable("the ledger", "must rest while it is read", f"a change, {TRIES} times", "Try again later.")


def planned_outlook(planned: LedgerAccount, unit: UnitOfPrivacy, promise: Promise) -> Outlook:
    """What a release would make of the account that its file names, if it is about the unit of that account."""
    with _planned(planned, unit) as ledger:
        return outlook_of(ledger, planned.account, promise)


def planned_refusal(planned: LedgerAccount, unit: UnitOfPrivacy, promise: Promise) -> Refusal | None:
    """Why a release would be refused by the account that its file names; None if it fits."""
    with _planned(planned, unit) as ledger:
        return ledger.check(planned.account, promise)


@contextmanager
def _planned(planned: LedgerAccount, unit: UnitOfPrivacy) -> Iterator[Ledger]:
    """The ledger of an account that a file names, which must be about the unit of the file."""
    with Ledger.read(planned.where, actor="reader") as ledger:
        kept = ledger.population(ledger.account(planned.account).population).unit
        rule = f"must be for one {unit.name} within {unit.period}, as the release is, or their risks cannot be added"
        way_out = (
            f'Open an account with --unit "{unit.name}" --unit-period "{unit.period}" and a new --population, '
            "or state the release by the unit of the account."
        )
        name, theirs = f"account {planned.account}", f"one {kept.name} within {kept.period}"
        require(kept == unit, name=name, rule=rule, value=theirs, way_out=way_out)
        yield ledger


def _prospect(ledger: Ledger, name: str, promise: Promise) -> Prospect:
    now = status_of(ledger.store, name)
    courses = tuple(course_of(ledger.store, name, limit) for limit in now.account.limits)
    return Prospect(now, limits_with(ledger.store, name, promise), courses)
