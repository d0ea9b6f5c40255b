"""What is left in an account and in all that it is within, for releases about the same people and recipient.

The one place that decides whether charges fit: for a release that is asked for, for the one that a refusal names
instead, and for each entry of a ledger that is verified or imported.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from whit.ledger.account import Account, Position
from whit.ledger.amounts import Charges
from whit.ledger.books import Book


class Broken(NamedTuple):
    """What charges would exceed: the account, its limit or the recipient with a quota, and its totals."""

    account: Account
    limit: str
    before: Charges
    after: Charges


@dataclass(frozen=True)
class Room:
    """The accounts that a release is charged to, and what each has spent.

    Attributes:
        accounts: the account first, then what it is within.
        parts: the parts of the population that the release is about; none if it is about everybody.
        recipient: who gets it, if somebody is named.
    """

    accounts: tuple[tuple[Account, Position], ...]
    parts: tuple[str, ...] = ()
    recipient: str = ""

    @property
    def books(self) -> tuple[Book, ...]:
        """The books of all accounts, in each of which a release is charged."""
        return tuple({book.word: book for account, _ in self.accounts for book in account.books}.values())

    def broken_by(self, charges: Charges, *, uncounted: Collection[tuple[str, str]] = ()) -> Broken | None:
        """The first limit or quota that charges would exceed; None if they fit.

        Quotas are left out where the account and the recipient are among those that are `uncounted`.
        """
        for account, position in self.accounts:
            after = position.plus(charges, self.parts, self.recipient)
            limits = account.broken(after.totals)
            counted = (account.name, self.recipient) not in uncounted
            if limits or (counted and after.beyond_quota(self.recipient)):
                return Broken(account, limits[0] if limits else self.recipient, position.totals, after.totals)
        return None
