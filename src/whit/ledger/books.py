"""The books of an account: the currencies in which releases are charged, and what a total in each of them promises.

Whatever is chosen on the way, the charges of a book add up: epsilon; rho; mu squared; the Rényi divergence at one
order; epsilon and delta, each by itself. So a book is a filter: while its total stays below a number that was fixed
beforehand, everything that was released keeps the promise of that number. Exact curves of releases have no such rule,
and no book.

A book has its share of the chance that a limit may be broken. A release is allowed while some book keeps the limit: the
chance that it is ever broken is at most the sum of the shares.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from whit.curves import Promise
from whit.errors import InvalidInput, NotImplied, TooCostly, Unreachable, unknown_name
from whit.guarantees import ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP, convert
from whit.ledger.amounts import Amount, exact
from whit.numerics import doubles_around, largest_true, nearest_up, square_root
from whit.policy import limits
from whit.setting import Neighbours

_MOST = 1e6
"""No total beyond this is looked for: nothing is left of any protection long before."""

_WORDS = "Use pure, zcdp, gdp, renyi@8 for the order 8, or sums@1e-6 for a total delta of 1e-6."


@dataclass(frozen=True)
class Book(ABC):
    """One currency, and the share of the failure that its bound may take."""

    name: ClassVar[str]
    share: Fraction = Fraction(0)

    @property
    def word(self) -> str:
        """The book as it is written, such as renyi@8."""
        return self.name

    @property
    def nothing(self) -> Amount:
        """What nothing costs."""
        return (Fraction(0),)

    @abstractmethod
    def charge(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        """What a release costs, rounded up to a rational number; None where no charge in this book covers it."""

    @abstractmethod
    def promise(self, total: Amount, neighbours: Neighbours) -> Guarantee:
        """What everything together promises if it costs no more than a total; parameters are rounded up."""

    def most(self, limit: limits.Limit, neighbours: Neighbours) -> Amount | None:
        """The largest total with which a limit is kept at every moment, but for the share; None if there is none.

        It is found among the doubles, and every smaller total keeps the limit too: it promises more.
        """
        try:
            found = largest_true(np.vectorize(lambda each: self._keeps(limit, float(each), neighbours)), 0.0, _MOST)
        except Unreachable:
            return None
        return self._amount(Fraction(float(found)))

    def _amount(self, total: Fraction) -> Amount:
        """A total of the number that is looked for."""
        return (total,)

    def _keeps(self, limit: limits.Limit, total: float, neighbours: Neighbours) -> bool:
        promise = self.promise(self._amount(Fraction(total)), neighbours)
        try:
            return limit.keeps(promise, failure=doubles_around(self.share)[0])
        except (NotImplied, TooCostly):
            return False


@dataclass(frozen=True)
class PureBook(Book):
    """Epsilons add up, and hold always: this book needs no share."""

    name: ClassVar[str] = "pure"

    def charge(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        """The loss that is never exceeded."""
        return _rational(promise.sure_loss(neighbours).upper)

    def promise(self, total: Amount, neighbours: Neighbours) -> PureDP:
        """Pure differential privacy."""
        return PureDP(nearest_up(total[0]), neighbours=neighbours)


@dataclass(frozen=True)
class ConcentratedBook(Book):
    """The rho of zero-concentrated differential privacy adds up."""

    name: ClassVar[str] = "zcdp"

    def charge(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        """The rho that follows."""
        found = convert(promise, to=ZeroConcentratedDP, neighbours=neighbours).result
        return _rational(found.rho) if isinstance(found, ZeroConcentratedDP) else None

    def promise(self, total: Amount, neighbours: Neighbours) -> ZeroConcentratedDP:
        """Zero-concentrated differential privacy."""
        return ZeroConcentratedDP(nearest_up(total[0]), neighbours=neighbours)


@dataclass(frozen=True)
class GaussianBook(Book):
    """The squares of mu add up."""

    name: ClassVar[str] = "gdp"

    def charge(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        """The square of the smallest mu that covers the release."""
        mu = _rational(promise.covering_mu(neighbours=neighbours).upper)
        return None if mu is None else (mu[0] ** 2,)

    def promise(self, total: Amount, neighbours: Neighbours) -> GaussianDP:
        """Gaussian differential privacy, its mu rounded up."""
        mu = 0.0 if total[0] == 0 else square_root(total[0])
        while Fraction(mu) ** 2 < total[0]:
            mu = math.nextafter(mu, math.inf)
        return GaussianDP(mu, neighbours=neighbours)


@dataclass(frozen=True)
class RenyiBook(Book):
    """The Rényi divergences at one order, fixed beforehand, add up."""

    name: ClassVar[str] = "renyi"
    order: float = 8.0

    @property
    def word(self) -> str:
        """The name with the order."""
        return f"{self.name}@{self.order:g}"

    def charge(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        """The divergence at the order."""
        return _rational(promise.renyi(self.order, neighbours=neighbours).upper)

    def promise(self, total: Amount, neighbours: Neighbours) -> RenyiDP:
        """A Rényi promise at the one order."""
        return RenyiDP({self.order: nearest_up(total[0])}, neighbours=neighbours)


@dataclass(frozen=True)
class SumsBook(Book):
    """Epsilons add up and deltas add up; the total of the deltas is fixed beforehand."""

    name: ClassVar[str] = "sums"
    delta: Fraction = Fraction(1, 10**6)

    @property
    def word(self) -> str:
        """The name with the total delta."""
        return f"{self.name}@{float(self.delta):g}"

    @property
    def nothing(self) -> Amount:
        """What nothing costs."""
        return (Fraction(0), Fraction(0))

    def charge(self, promise: Promise, neighbours: Neighbours) -> Amount | None:
        """The stated epsilon and delta, or epsilon alone where the loss has a bound; else none."""
        stated = promise.stated_under(neighbours)
        if {"epsilon", "delta"} <= stated.keys() and isinstance(promise, ApproxDP):
            return (Fraction(stated["epsilon"]), Fraction(stated["delta"]))
        loss = _rational(promise.sure_loss(neighbours).upper)
        return None if loss is None else (*loss, Fraction(0))

    def promise(self, total: Amount, neighbours: Neighbours) -> ApproxDP:
        """Approximate differential privacy with the total delta."""
        return ApproxDP(nearest_up(total[0]), nearest_up(max(total[1], self.delta)), neighbours=neighbours)

    def _amount(self, total: Fraction) -> Amount:
        return (total, self.delta)


BOOKS: dict[str, type[Book]] = {
    each.name: each for each in (PureBook, ConcentratedBook, GaussianBook, RenyiBook, SumsBook)
}
"""The books by their names."""


def book_of(word: str, share: object = 0) -> Book:
    """The book of a word, with its share of the failure.

    >>> book_of("renyi@8", "0.01").word
    'renyi@8'
    """
    name, _, parameter = word.strip().lower().partition("@")
    if name not in BOOKS:
        raise unknown_name("a book", word, list(BOOKS))
    part = exact("the share of a book", share)
    if (name in ("renyi", "sums")) != bool(parameter):
        raise InvalidInput("a book", "must be written with its number, if it has one", word, _WORDS)
    if name == "renyi":
        order = float(exact("the order of a book", parameter))
        if order <= 1.0:
            raise InvalidInput("the order of a book", "must be above 1", parameter, _WORDS)
        return RenyiBook(part, order)
    if name == "sums":
        delta = exact("the total delta of a book", parameter)
        if not 0 < delta < 1:
            raise InvalidInput("the total delta of a book", "must be between 0 and 1", parameter, _WORDS)
        return SumsBook(part, delta)
    return BOOKS[name](part)


def charges_of(books: tuple[Book, ...], promise: Promise, neighbours: Neighbours) -> dict[str, Amount | None]:
    """What a release costs in each book; a book that cannot say so is closed by it."""
    return {book.word: _charge(book, promise, neighbours) for book in books}


def _charge(book: Book, promise: Promise, neighbours: Neighbours) -> Amount | None:
    try:
        return book.charge(promise, neighbours)
    except (NotImplied, TooCostly):
        return None


def _rational(number: object) -> Amount | None:
    """A double as the rational number that it is; None where it is no finite number."""
    return None if number is None or not math.isfinite(float(number)) else (Fraction(float(number)),)  # type: ignore[arg-type]
