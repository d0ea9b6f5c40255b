"""The course of an account: the risk after each of its releases, as a picture shows it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from whit.display import block, table
from whit.errors import UnknownKey
from whit.ledger.account import Account, Position, limit_of
from whit.ledger.amounts import Spent
from whit.ledger.perform import account_on, entry_on, population_on
from whit.ledger.refusal import risk_of
from whit.ledger.shown import risk_text, used_text
from whit.ledger.store import Store
from whit.policy import limits
from whit.theory import Finding

MOST = 60
"""The most steps for which the risk is worked out."""


@dataclass(frozen=True)
class Step:
    """The account after some of its releases.

    Attributes:
        releases: how many releases count up to here.
        entry: the number of the last of them; 0 before the first.
        risk: the risk at every moment up to here; None where no book bounds it.
    """

    releases: int
    entry: int
    risk: Finding | None


@dataclass(frozen=True)
class Course:
    """How the risk of an account grew.

    Attributes:
        account: the account.
        written: the limit as it is written.
        limit: the limit that the risk is held against.
        steps: the risk after each release, or after some of many.
        used: the share of the limit that is used; None where no book is left.
    """

    account: Account
    written: str
    limit: limits.Limit
    steps: tuple[Step, ...]
    used: Fraction | None

    def _repr_html_(self) -> str:
        """What a notebook shows; `plot` makes a picture of it."""
        rows = [(str(step.releases), str(step.entry or "–"), risk_text(step.risk)) for step in self.steps]
        caption = f"The risk of account {self.account.name}: {self.written}"
        head = ("releases that count", "last entry", "risk at every moment")
        return block(table(head, rows, caption), f"Used of the limit: {used_text(self.used)}.")


def course_of(store: Store, name: str, limit: str = "") -> Course:
    """The risk of an account after each release that counts, by the limit that is named or by the first."""
    with store.reading():
        account = account_on(store, name)
        written = limit or account.limits[0]
        if written not in account.limits:
            way_out = f"Use {' or '.join(account.limits)}."
            raise UnknownKey("a limit", f"must be one of account {name}", written, way_out)
        neighbours = population_on(store, account.population).neighbours
        numbers = reversed(store.listed(name, before=2**53, size=2**31))
        entries = [entry for number in numbers if (entry := entry_on(store, number)).counts]
    position = Position({book.word: Spent(book.nothing) for book in account.books})
    drawn = min(MOST, len(entries))
    shown = {round(k * len(entries) / drawn) for k in range(drawn + 1)} if drawn else set()
    steps = [Step(0, 0, risk_of(account, written, position.totals, neighbours))]
    for count, entry in enumerate(entries, start=1):
        position = position.plus(entry.charges, entry.parts, "")
        if count in shown:
            steps.append(Step(count, entry.number, risk_of(account, written, position.totals, neighbours)))
    return Course(account, written, limit_of(written), tuple(steps), account.used(written, position.totals))
