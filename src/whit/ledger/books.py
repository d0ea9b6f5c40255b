"""The books of an account: in each of them releases are charged, and its total is a promise.

Whatever is chosen on the way, the charges of a book add up: epsilon; rho; mu squared; the Rényi divergence at one
order; epsilon and delta, each by itself. So a book is a filter: while its total stays below a number that was fixed
beforehand, everything that was released keeps the promise of that number. Exact curves of releases have no such rule,
and no book.

A book has its share of the chance that a limit may be broken. A release is allowed while some book keeps the limit: the
chance that it is ever broken is at most the sum of the shares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from whit.curves import Promise
from whit.errors import InvalidInput, NotImplied, TooCostly, Unreachable, unknown_name
from whit.guarantees import ApproxDP, Filter, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from whit.ledger.amounts import Amount, Spent, added, exact, read_amount
from whit.numerics import doubles_around, largest_true, nearest_up, square_root
from whit.policy import limits
from whit.setting import Neighbours

_MOST = 1e6
"""No total beyond this is looked for: nothing is left of any protection long before."""

_OTHER_MACHINES = 1 - Fraction(1, 10**9)

_WORDS = "Use pure, zcdp, gdp, renyi@8 for the order 8, or sums@1e-6 for a total delta of 1e-6."

Budget = Callable[[Amount, Fraction, Neighbours], Guarantee]
"""What a total promises, with the number of the book if it has one; parameters are rounded up."""


def _pure(total: Amount, _: Fraction, neighbours: Neighbours) -> PureDP:
    return PureDP(nearest_up(total[0]), neighbours=neighbours)


def _concentrated(total: Amount, _: Fraction, neighbours: Neighbours) -> ZeroConcentratedDP:
    return ZeroConcentratedDP(nearest_up(total[0]), neighbours=neighbours)


def _gaussian(total: Amount, _: Fraction, neighbours: Neighbours) -> GaussianDP:
    mu = 0.0 if total[0] == 0 else square_root(total[0])
    while math.isfinite(mu) and Fraction(mu) ** 2 < total[0]:
        mu = math.nextafter(mu, math.inf)
    return GaussianDP(mu, neighbours=neighbours)


def _renyi(total: Amount, order: Fraction, neighbours: Neighbours) -> RenyiDP:
    return RenyiDP({float(order): nearest_up(total[0])}, neighbours=neighbours)


def _sums(total: Amount, delta: Fraction, neighbours: Neighbours) -> ApproxDP:
    return ApproxDP(nearest_up(total[0]), nearest_up(max(total[1], delta)), neighbours=neighbours)


BUDGETS: dict[str, Budget] = {
    "pure": _pure,
    "zcdp": _concentrated,
    "gdp": _gaussian,
    "renyi": _renyi,
    "sums": _sums,
}
"""What a total promises, by the names of the books."""

_ADDED = {
    "pure": "epsilon",
    "zcdp": "rho",
    "gdp": "the square of mu",
    "renyi": "the Rényi divergence at order {order}",
    "sums": "epsilon and delta",
}


@dataclass(frozen=True)
class Book:
    """What adds up one kind of charge, and the share of the failure that its bound may take.

    Attributes:
        word: the book as it is written, such as renyi@8.
        share: its share of the failure; the book pure needs none.
        number: the order of the book renyi, or the total delta of the book sums.
    """

    word: str
    share: Fraction = Fraction(0)
    number: Fraction = Fraction(0)

    @property
    def name(self) -> str:
        """The word without its number."""
        return self.word.partition("@")[0]

    @property
    def adds(self) -> str:
        """What it adds up, in words."""
        order = f"{float(self.number):g}" if self.name == "renyi" else ""
        return _ADDED[self.name].format(order=order)

    @property
    def nothing(self) -> Amount:
        """What nothing costs."""
        return (Fraction(0),) * (2 if self.name == "sums" else 1)

    def charge(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        """What a release costs, rounded up to a rational number; None where no charge in this book covers it.

        Releases that are declared together cost what they add up to. Only the mu of all of them may be less than that.
        """
        if promise.composed_of and self.name != "gdp":
            return self._added_up(promise, neighbours)
        try:
            return Filter(self.promise(self.nothing, neighbours)).cost(promise)
        except (NotImplied, TooCostly, Unreachable):
            return None

    def _added_up(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        total: Amount | None = self.nothing
        for part, copies in promise.composed_of:
            charge = self.charge(part, neighbours)
            total = added(total, None if charge is None else tuple(copies * each for each in charge))
        return total

    def promise(self, total: Amount, neighbours: Neighbours) -> Guarantee:
        """What everything together promises if it costs no more than a total."""
        return BUDGETS[self.name](total, self.number, neighbours)

    def most(self, limit: limits.Limit, neighbours: Neighbours) -> Amount | None:
        """The largest total with which a limit is met at every moment, except with the share; None if there is none.

        It is found among the doubles, and every smaller total keeps the limit too: it promises more.
        """
        each = np.vectorize(lambda total: self.keeps(limit, self._total(float(total)), neighbours), otypes=[bool])
        try:
            found = float(largest_true(each, 0.0, _MOST))
        except Unreachable:
            return None
        return self._total(found) if found > 0.0 else None  # nothing can be paid from a total of 0

    def _total(self, number: float) -> Amount:
        """A total of the number that is looked for; the deltas of the book sums may add up to its own."""
        return (Fraction(number), self.number) if self.name == "sums" else (Fraction(number),)

    def allows(self, limit: limits.Limit, most: Amount, neighbours: Neighbours) -> bool:
        """Whether a total that is kept as the largest of a limit is no larger than that.

        The last digits of logarithms differ between machines, and with them those of the largest total; so a ledger
        from another machine is asked about a total that is smaller by a part in a billion.
        """
        if most[0] > _MOST:
            return False
        return self.keeps(limit, (most[0] * _OTHER_MACHINES, *most[1:]), neighbours)

    def keeps(self, limit: limits.Limit, total: Amount, neighbours: Neighbours) -> bool:
        """Whether a total meets a limit at every moment, except with the share."""
        try:
            return limit.keeps(self.promise(total, neighbours), failure=doubles_around(self.share)[0])
        except (NotImplied, TooCostly):
            return False


def book_of(word: str, share: object = 0) -> Book:
    """The book of a word, with its share of the failure.

    >>> book_of("renyi@8", "0.01")
    Book(word='renyi@8', share=Fraction(1, 100), number=Fraction(8, 1))
    """
    name, _, parameter = word.strip().lower().partition("@")
    if name not in BUDGETS:
        raise unknown_name("a book", word, list(BUDGETS))
    if (name in ("renyi", "sums")) != bool(parameter):
        raise InvalidInput("a book", "must be written with its number, if it has one", word, _WORDS)
    number = exact("the number of a book", parameter) if parameter else Fraction(0)
    if name == "renyi" and not 1 < number < _MOST:
        raise InvalidInput("the order of a book", "must be above 1", parameter, _WORDS)
    if name == "sums" and not 0 < number < 1:
        raise InvalidInput("the total delta of a book", "must be between 0 and 1", parameter, _WORDS)
    written = f"{name}@{parameter}" if parameter else name
    return Book(written, exact("the share of a book", share or 0), number)


def charges_of(books: tuple[Book, ...], promise: Promise, neighbours: Neighbours) -> dict[str, Amount | None]:
    """What a release costs in each book; a book that cannot say so is closed by it."""
    return {book.word: book.charge(promise, neighbours) for book in books}


def read_charges(texts: Mapping[str, str | None]) -> dict[str, Amount | None]:
    """The amounts of texts by book; ValueError for another word than a book has, or as many numbers as none counts."""
    return {word: read_in(word, text) for word, text in texts.items()}


def read_in(word: str, text: str | None) -> Amount | None:
    """The amount of a text in the book of a word."""
    amount, count = read_amount(text), _counted(word)
    if amount is not None and len(amount) != count:
        raise ValueError(text)
    return amount


def read_spent(word: str, tree: Mapping[str, Any]) -> Spent:
    """What is spent in a book, of its plain tree."""
    parts = {part: read_in(word, text) for part, text in tree["parts"].items()}
    return Spent(read_in(word, tree["everybody"]), parts)


@lru_cache(maxsize=256)
def _counted(word: str) -> int:
    """How many numbers a book counts, by its word as the ledger writes it."""
    book = book_of(word)
    if book.word != word:
        raise ValueError(word)
    return len(book.nothing)


def stated(what: str, book: Book, said: object) -> Amount:
    """An amount that was stated by itself, of as many numbers as the book counts."""
    amount = tuple(exact(what, each) for each in (said if isinstance(said, list | tuple) else [said]))
    if len(amount) != len(book.nothing):
        rule = "must be two numbers, epsilon and delta" if len(book.nothing) == 2 else "must be one number"
        raise InvalidInput(f"{what} in book {book.word}", rule, said, "Give as many as the book counts.")
    return amount
