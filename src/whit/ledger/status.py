"""Where an account stands: for each limit the risk so far, and how much of it is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from whit.curves import Promise
from whit.display import block, table
from whit.ledger.account import Account, Population
from whit.ledger.amounts import Charges, added, charges_text
from whit.ledger.books import charges_of
from whit.ledger.perform import account_on, charged_with, population_on, position_on, read_account
from whit.ledger.refusal import risk_of
from whit.ledger.shown import risk_text, used_text
from whit.ledger.store import Store
from whit.setting import Neighbours
from whit.theory import Direction, Finding, following, number_text

LIMIT_HEAD = ("limit", "risk so far", "used")
"""What the row of a limit says."""


@dataclass(frozen=True)
class LimitStatus:
    """One limit of an account: what is allowed, the risk so far at every moment, and how much is used.

    Attributes:
        limit: the limit as it is written.
        kept: whether some book keeps it.
        risk: the risk that it is about, by the book that shows least; None where no book bounds it.
        used: the share that is used, by the book in which least is; None where no book is left.
        allowance: what that is a share of, such as the rho that the limit allows.
    """

    limit: str
    kept: bool
    risk: Finding | None
    used: Fraction | None
    allowance: str = ""

    @property
    def row(self) -> tuple[str, str, str]:
        """The limit, the risk so far and what is used, in words for the cells of a table."""
        used = used_text(self.used)
        return self.limit, risk_text(self.risk), used if self.kept else f"{used}: NOT KEPT"

    def to_dict(self) -> dict[str, Any]:
        """The status as a plain tree."""
        risk = None if self.risk is None else self.risk.to_dict()
        used = None if self.used is None else used_text(self.used)
        return {"limit": self.limit, "kept": self.kept, "risk": risk, "used": used}


@dataclass(frozen=True)
class Status:
    """Where an account stands.

    Attributes:
        account: the account.
        population: whom it is about.
        totals: what is spent in each book, for the person who is charged most.
        limits: each limit with its risk.
        entries: how many releases were charged.
        head: the number and the hash of the last event of the ledger.
        everybody: the totals over all accounts of the population that are not within another: somebody who is there
            in every period.
    """

    account: Account
    population: Population
    totals: Charges = field(hash=False)
    limits: tuple[LimitStatus, ...]
    entries: int
    head: tuple[int, str]
    everybody: Charges = field(hash=False)

    @property
    def kept(self) -> bool:
        """Whether all limits are kept."""
        return all(each.kept for each in self.limits)

    @property
    def title(self) -> str:
        """The account, whom it is about, and how many releases it has."""
        period = f", {self.account.period}" if self.account.period else ""
        releases = "1 release" if self.entries == 1 else f"{self.entries:,} releases"
        failure = f"{float(self.account.failure):g}"
        return f"{self.account.name} ({self.population.name}{period}): {releases}, failure {failure}"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        rows = [each.row for each in self.limits]
        head = f"{self.head[0]} events; head {self.head[1]}."
        return block(table(LIMIT_HEAD, rows, self.title), used_note(self.limits), head)

    def to_dict(self) -> dict[str, Any]:
        """The status as a plain tree."""
        return {
            "account": self.account.name,
            "population": self.population.to_tree(),
            "period": self.account.period,
            "failure": str(self.account.failure),
            "totals": charges_text(self.totals),
            "limits": [each.to_dict() for each in self.limits],
            "entries": self.entries,
            "over all periods": charges_text(self.everybody),
            "head": list(self.head),
        }


def used_note(limits: Iterable[LimitStatus]) -> str:
    """What the used shares of limits are shares of."""
    return f"Used is the share of {' or of '.join(dict.fromkeys(each.allowance for each in limits))}."


def status_of(store: Store, name: str) -> Status:
    """Where an account stands now."""
    with store.reading():
        account, position = account_on(store, name), position_on(store, name)
        population = population_on(store, account.population)
        head, everybody = store.head, _over_periods(store, population.name)
    totals = position.totals
    limits = tuple(_limit(account, limit, totals, population) for limit in account.limits)
    return Status(account, population, totals, limits, position.entries, head, everybody)


def limits_with(store: Store, name: str, promise: Promise, *, parts: tuple[str, ...] = ()) -> tuple[LimitStatus, ...]:
    """The limits of an account as one more release would leave them, about everybody if no part is named.

    Nothing is written.
    """
    with store.reading():
        account, position = account_on(store, name), position_on(store, name)
        population = population_on(store, account.population)
    charges = charges_of(account.books, promise, population.neighbours)
    totals = position.plus(charges, parts, "").totals
    return tuple(_limit(account, limit, totals, population) for limit in account.limits)


def exceeded(store: Store, name: str, recipient: str = "") -> tuple[str, ...]:
    """A sentence about each limit that an account, or one that it is within, exceeds; and about a recipient's quota."""
    said: list[str] = []
    for account in charged_with(store, name):
        relation, position = population_on(store, account.population).neighbours, position_on(store, account.name)
        said += [_over(account, limit, position.totals, relation) for limit in account.broken(position.totals)]
        if position.beyond_quota(recipient):
            said.append(f"{recipient} now has more than the quota in account {account.name}.")
    return tuple(said)


def _over(account: Account, limit: str, totals: Charges, neighbours: Neighbours) -> str:
    risk = risk_of(account, limit, totals, neighbours)
    why = "no book bounds the risk any more"
    if risk is not None:
        why = f"the {risk.quantity.name} may reach {number_text(float(risk), Direction.AT_MOST, risk.quantity.unit)}"
        why += following(risk.exception, why)
    return f"Account {account.name} now exceeds its limit {limit}: {why}."


def accounts_of(store: Store) -> list[Account]:
    """All accounts, by their names."""
    return [read_account(text) for _, text in store.places("account/")]


def _limit(account: Account, limit: str, totals: Charges, population: Population) -> LimitStatus:
    kept = account.keeping(limit, totals) is not None
    risk = risk_of(account, limit, totals, population.neighbours)
    return LimitStatus(limit, kept, risk, account.used(limit, totals), account.allowance(limit, totals))


def _over_periods(store: Store, population: str) -> Charges:
    """The totals of all accounts of a population that are not within another one, added up book by book."""
    found: dict[str, Any] = {}
    for account in accounts_of(store):
        if account.population == population and not account.within:
            totals: Mapping[str, Any] = position_on(store, account.name).totals
            for word, total in totals.items():
                found[word] = added(found[word], total) if word in found else total
    return found
