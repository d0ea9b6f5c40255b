"""Several budgets at once: releases may go on for as long as one of them has room."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Promise
from whit.errors import Incompatible, NotImplied, Unreachable, require, require_kind
from whit.guarantees.filters import Filter
from whit.guarantees.guarantee import sum_up
from whit.theory import Basis, Finding, Quantity, Unit

EVER_BEYOND = Quantity("probability that the privacy loss ever exceeds the threshold", Unit.PROBABILITY)

_FILTERS = "Use Books([Filter(PureDP(1.0)), Filter(ZeroConcentratedDP(0.2))]) or the like."


@dataclass(frozen=True, init=False)
class Books:
    """Filters that all releases are charged to; a release may be made while some book has room for all so far.

    A book that has no room for a release, or in whose terms the release has no cost, is closed for good.

    Attributes:
        filters: the books, as they were when they last had room.
        are_open: which of them have had room for every release.

    >>> from whit.guarantees import GaussianDP, PureDP, ZeroConcentratedDP
    >>> books = Books([Filter(PureDP(1.0)), Filter(ZeroConcentratedDP(0.4))])
    >>> books.after(PureDP(0.8)).are_open, books.after(GaussianDP(0.8)).are_open
    ((True, True), (False, True))
    >>> print(books.delta(1.0))
    delta is at most 0.163
    """

    filters: tuple[Filter, ...]
    are_open: tuple[bool, ...]

    def __init__(self, filters: list[Filter] | tuple[Filter, ...], are_open: tuple[bool, ...] | None = None) -> None:
        books = tuple(filters)
        require(len(books) > 0, name="filters", rule="must be at least one", value=filters, way_out=_FILTERS)
        for book in books:
            require_kind(Filter, book, name="a book", way_out=_FILTERS)
        if len({book.budget.neighbours for book in books}) > 1:
            rule = "must be about the same neighbours"
            raise Incompatible("books", rule, [book.budget for book in books], "Bring them to one with .under(...).")
        object.__setattr__(self, "filters", books)
        object.__setattr__(self, "are_open", (True,) * len(books) if are_open is None else are_open)

    def fits(self, promise: Promise) -> bool:
        """Whether a release may be made: some book has room for it and for all before."""
        return any(self._rooms(promise))

    def after(self, promise: Promise) -> Books:
        """The books once the release is charged to each of them; one that fits nowhere is refused."""
        rooms = self._rooms(promise)
        if not any(rooms):
            raise Incompatible("a release", "must fit in a book that is open", promise, "Ask fits before.")
        charged = (book.after(promise) if room else book for book, room in zip(self.filters, rooms, strict=True))
        return Books(tuple(charged), rooms)

    def _rooms(self, promise: Promise) -> tuple[bool, ...]:
        pairs = zip(self.filters, self.are_open, strict=True)
        return tuple(is_open and _has_room(book, promise) for book, is_open in pairs)

    @property
    def basis(self) -> Basis:
        """The theorems by which all releases together keep what the books allow."""
        keys = dict.fromkeys(key for book in self.filters for key in book.basis.theorems)
        return Basis.of("several-books", *keys)

    def delta(self, epsilons: ArrayLike) -> Finding:
        """The smallest delta that is known of all releases together: what the budgets allow, added up."""
        return self._added([book.budget.delta(epsilons) for book in self.filters])

    def ever(self, losses: ArrayLike) -> Finding:
        """The probability that the loss exceeds each threshold at some moment: what the budgets allow, added up."""
        found = [book.budget.ever().beyond(losses) for book in self.filters]
        moment = Basis.of("at-every-moment")
        return self._added([replace(each, quantity=EVER_BEYOND, basis=each.basis | moment) for each in found])

    def _added(self, found: list[Finding]) -> Finding:
        """Probabilities added up, and cut at 1."""
        rows = np.array([np.asarray(each.value, dtype=np.float64) for each in found])
        flat = [min(1.0, sum_up(column)) for column in rows.reshape(len(found), -1).T.tolist()]
        basis = self.basis
        for each in found:
            basis = basis | each.basis
        inputs = {**found[0].inputs, "promise": [book.budget for book in self.filters]}
        return replace(found[0], value=np.array(flat).reshape(rows.shape[1:]), inputs=inputs, basis=basis)


def _has_room(book: Filter, promise: Promise) -> bool:
    """Whether a release has a cost in the terms of a book, and the book has room for it."""
    try:
        return book.fits(promise)
    except (NotImplied, Unreachable):
        return False
