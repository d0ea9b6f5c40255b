"""Why a release is refused, and what would fit instead."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from whit.assessment import in_each, promise_name
from whit.curves import Promise
from whit.display import block, table
from whit.errors import NotAllowed, NotImplied, Sentence, WhitError
from whit.guarantees import Filter
from whit.ledger.account import Account, limit_of
from whit.ledger.amounts import Amount, Charges, charges_text
from whit.ledger.books import Book, charges_of, read_charges
from whit.ledger.room import Room
from whit.ledger.shown import risk_text
from whit.ledger.takes import sums_note, untaken_note
from whit.ledger.trees import fields_of, text_of, whole_of
from whit.mechanisms import arguments, inside, parameter_of, restated
from whit.numerics import doubles_around
from whit.setting import Neighbours
from whit.spec import Series
from whit.theory import Basis, Finding

_DIGITS, _TENFOLD = 4, 18
_DECADE = 9 * 10 ** (_DIGITS - 1)
_PLACES = _TENFOLD * _DECADE  # up to 1e9


@dataclass(frozen=True)
class Refusal:
    """A release that was not allowed: the limit, the totals before and after, and which entries hold most.

    Attributes:
        account: the account whose limit would be broken.
        limit: the limit as it is written; or the quota of a recipient.
        before: the totals by book, without the release.
        after: the totals by book, with it.
        holders: the entries that hold most of the account, each with its share of what is allowed.
        neighbours: the relation between datasets.
        elsewhere: the sentence about another book where that would have had room; else empty.
        room: what was left in all accounts that the release is charged to, which decides what would fit instead.
    """

    account: Account
    limit: str
    before: Charges = field(hash=False)
    after: Charges = field(hash=False)
    holders: tuple[tuple[int, str], ...]
    neighbours: Neighbours
    elsewhere: str = field(default="", compare=False)
    room: Room | None = field(default=None, compare=False, repr=False)

    @property
    def is_quota(self) -> bool:
        """Whether a quota refuses it, and not a limit on a risk."""
        return self.limit not in self.account.limits

    @property
    def left(self) -> tuple[Book, ...]:
        """The books that decided about the limit before the release; none for a quota."""
        words = () if self.is_quota else self.account.allowed(self.limit)
        return tuple(book for book in self.account.books if book.word in words and self.before[book.word] is not None)

    @property
    def is_untaken(self) -> bool:
        """Whether none of these books takes the release; then a smaller one does not fit either."""
        return bool(self.left) and all(self.after.get(book.word) is None for book in self.left)

    @property
    def risk_before(self) -> Finding | None:
        """The risk that the limit is about, without the release, by the book that shows least of it.

        A quota is about no risk.
        """
        return None if self.is_quota else risk_of(self.account, self.limit, self.before, self.neighbours)

    @property
    def risk_after(self) -> Finding | None:
        """The same with the release; None where no book bounds it."""
        return None if self.is_quota else risk_of(self.account, self.limit, self.after, self.neighbours)

    def fits(self, asked: Promise, *, releases: int = 1) -> Promise | None:
        """The release of the same kind with the least noise that still fits; None if none does.

        It is stated by another parameter with four digits. Each of several releases is charged by itself. It fits each
        account that is charged, and the quota of the recipient.
        """
        if self.is_quota or self.is_untaken or self.room is None:
            return None
        return largest_fitting(self.room, self.neighbours, asked, releases)

    def fitting(self, series: Series) -> str:
        """The sentences about the largest release of the same kind that fits, and about a book that has room.

        They name the promises that no book takes. It is empty if there is nothing to say.
        """
        if self.is_untaken:
            sums = sums_note(series, self.account, self.neighbours)
            said = f" {untaken_note(series, self.left, self.neighbours)}"
            return f"{said}{self.elsewhere or f' {sums}'.rstrip()}"
        try:
            found = self.fits(series.one, releases=series.releases)
        except NotImplied:
            found = None
        fits = "" if found is None else f" It would fit with {in_each(promise_name(found), series.releases)}."
        return f"{fits}{self.elsewhere}"

    @property
    def rule(self) -> str:
        """What must hold of the release."""
        if self.is_quota:
            return f"must fit the quota of {self.limit} in account {self.account.name}"
        return f'must stay within the limit "{self.limit}" of account {self.account.name} at every moment'

    @property
    def way_out(self) -> str:
        """What can be done."""
        if not self.is_quota and not self.left:
            return "Entries closed each book that decides, and nothing more fits. Open a new account."
        if self.is_untaken:
            return "No smaller one fits either, because no book that decides takes it."
        held = ", ".join(f"{number} ({share})" for number, share in self.holders[:3])
        most = f"Entries that use most of it: {held}. " if held else ""
        opens = f" The next period opens {self.account.opens}." if self.account.opens else ""
        return f"{most}Ask for a smaller release, or cancel what was not released.{opens}"

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Why it is refused, the risk before and after, and what uses most of the limit."""
        rows = [("why", f"The release {self.rule}.")]
        if not self.is_quota:
            rows += [("risk before", risk_text(self.risk_before)), ("risk after", risk_text(self.risk_after))]
        return rows + [(f"entry {number}", f"uses {share} of {self.allowance}") for number, share in self.holders]

    @property
    def allowance(self) -> str:
        """What the shares of the entries are parts of."""
        return "what the limit allows" if self.is_quota else self.account.allowance(self.limit, self.before)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return block(table((), self.rows, "A release that does not fit"), f"{self.way_out}{self.elsewhere}")

    def to_tree(self) -> dict[str, Any]:
        """The refusal as a plain tree without floating-point numbers."""
        return {
            "account": self.account.name,
            "limit": self.limit,
            "before": charges_text(self.before),
            "after": charges_text(self.after),
            "holders": [list(each) for each in self.holders],
        }

    @classmethod
    def of_tree(cls, tree: Mapping[str, Any], account: Account, neighbours: Neighbours) -> Refusal:
        """The refusal of a plain tree."""
        fields_of(tree, needed=("account", "limit", "before", "after", "holders"))
        holders = tuple((whole_of(number), text_of(share)) for number, share in tree["holders"])
        return cls(
            account,
            text_of(tree["limit"]),
            read_charges(tree["before"]),
            read_charges(tree["after"]),
            holders,
            neighbours,
        )


class Refused(NotAllowed):
    """A release that the ledger does not allow; `refusal` says why and what would fit."""

    refusal: Refusal

    @classmethod
    def by(cls, refusal: Refusal, what: str) -> Refused:
        """The error about a refusal."""
        risk = refusal.risk_after
        found = "more than it" if refusal.is_quota else "no bound on it" if risk is None else Sentence(risk)
        error = cls(f'the release "{what}"', refusal.rule, found, refusal.way_out)
        error.refusal = refusal
        return error


def risk_of(account: Account, limit: str, totals: Charges, neighbours: Neighbours) -> Finding | None:
    """The risk that a limit is about, at every moment, by the book that shows least; None where none bounds it."""
    found = []
    for word in account.most[limit]:
        book, total = account.book(word), totals.get(word)
        if total is not None:
            found += risk_in(book, limit, total, neighbours)
    return min(found, key=float, default=None)


def risk_in(book: Book, limit: str, total: Amount, neighbours: Neighbours) -> list[Finding]:
    """The risk by one book, and the theorems by which its total is a promise and may be one of several."""
    promise = book.promise(total, neighbours)
    try:
        found = limit_of(limit).risk(promise, failure=doubles_around(book.share)[0])
    except WhitError:
        return []
    return [replace(found, basis=found.basis | Filter(promise).basis | Basis.of("several-books"))]


def largest_fitting(room: Room, neighbours: Neighbours, asked: Promise, releases: int) -> Promise | None:
    """The release like another one that tells most and fits all accounts that are charged; None if none does.

    The search goes from the parameter that was refused towards less, first tenfold: what tells more is not looked at.
    """
    parameter = parameter_of(asked)

    def fits(place: int) -> bool:
        try:
            charges = charges_of(room.books, restated(asked, _decimal(place)), neighbours)
        except WhitError:
            return False
        return room.broken_by({word: _times(releases, charge) for word, charge in charges.items()}) is None

    less = -1 if parameter.rising else 1
    start = _place(_value(asked, parameter.name))
    ends = [end for k in range(1, _TENFOLD) if 0 <= (end := start + less * k * _DECADE) < _PLACES]
    fitting = next((end for end in ends if fits(end)), None)
    if fitting is None:
        return None
    # From less to more, the last one that fits is before the first that does not.
    places = range(fitting, fitting - less * (_DECADE + 1), -less)
    return restated(asked, _decimal(places[bisect_left(places, True, key=lambda at: not fits(at)) - 1]))


def _value(asked: Promise, name: str) -> float:
    """The number that a release is stated by, or what it is made of."""
    within = inside(asked)
    return float(arguments(asked)[name]) if within is None else _value(within, name)


def _times(count: int, amount: Amount | None) -> Amount | None:
    return None if amount is None else tuple(count * each for each in amount)


def _decimal(place: int) -> float:
    """The decimal of four digits at a place in the order of all of them, from 1e-9 on."""
    exponent, digits = divmod(place, _DECADE)
    return float(f"{digits + _DECADE // 9}e{exponent - _DIGITS + 1 - 9}")


def _place(number: float) -> int:
    """The place of the decimal next to a number."""
    clipped = min(max(number, _decimal(0)), _decimal(_PLACES - 1))
    return bisect_left(range(_PLACES), clipped, key=_decimal)
