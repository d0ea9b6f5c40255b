"""Other books: whether an account with one of them alone would have had room for what is refused.

For Gaussian noise alone the book gdp shows less risk than the others. A release that no book of the account takes may
be taken by another one. An account cannot change its books, so this is advice for the next one, and decides nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from whit.curves import Promise
from whit.guarantees import GaussianDP
from whit.ledger.account import limit_of
from whit.ledger.amounts import Spent
from whit.ledger.books import book_of, charges_of
from whit.ledger.perform import entry_on
from whit.ledger.recorded import recorded_promise
from whit.ledger.refusal import Refusal, risk_in
from whit.ledger.shown import risk_text
from whit.ledger.store import Store
from whit.ledger.takes import SUMS
from whit.mechanisms import Gaussian
from whit.theory import Finding

MOST = 1000
"""With more entries than this nothing is looked for."""

OTHERS = ("zcdp", "pure", *SUMS)
"""The books that are tried where none of the account takes a release."""

Charged = tuple[Promise, tuple[str, ...], int]
"""What is promised of a release, the parts that it is about, and how many of them count."""


def advised(store: Store, refusal: Refusal, promise: Promise, parts: tuple[str, ...] = ()) -> Refusal:
    """The refusal with a sentence about a book, if that alone has room for all that counts and for the release.

    A limit on a risk must refuse the release. The book gdp is tried where all of it is Gaussian noise, and others where
    no book of the account takes the release.
    """
    words = () if refusal.is_quota else _words(refusal, promise)
    released = _released(store, refusal) if words else None
    if released is None:
        return refusal
    charged = [*released, (promise, parts, 1)]
    for word in words:
        if word == "gdp" and not all(_is_gaussian(each) for each, _, _ in charged):
            continue
        risk = _risk(charged, refusal, word)
        if risk is not None:
            room = f"An account with the book {word} alone would have room for it, with a risk of {risk_text(risk)}"
            return replace(refusal, elsewhere=f" {room}: choose that book when you open the next one.")
    return refusal


def _words(refusal: Refusal, promise: Promise) -> tuple[str, ...]:
    """The books that are tried, the first one that has room is named."""
    gaussian = ("gdp",) if _is_gaussian(promise) else ()
    return (*gaussian, *OTHERS) if refusal.is_untaken else gaussian


def _is_gaussian(promise: Promise) -> bool:
    return all(isinstance(part, Gaussian | GaussianDP) for part, _ in promise.composed_of or ((promise, 1),))


def _released(store: Store, refusal: Refusal) -> list[Charged] | None:
    """The releases that count, if each was charged for what its entry keeps."""
    numbers = store.listed(refusal.account.name, before=2**53, size=MOST + 1)
    entries = [entry for number in numbers if (entry := entry_on(store, number)).counts]
    kept = {text: recorded_promise(text) for text in {entry.promise for entry in entries}}
    read = {text: promise for text, promise in kept.items() if promise is not None}
    if len(numbers) > MOST or len(read) < len(kept):
        return None
    costs = {text: charges_of(refusal.account.books, each, refusal.neighbours) for text, each in read.items()}
    if any(entry.charges.get(word) != cost for entry in entries for word, cost in costs[entry.promise].items()):
        return None
    counted = Counter((entry.promise, entry.parts) for entry in entries)
    return [(read[text], parts, count) for (text, parts), count in counted.items()]


def _risk(charged: list[Charged], refusal: Refusal, word: str) -> Finding | None:
    """The risk by one book with the whole failure, if it keeps every limit with all that is charged."""
    book, neighbours = book_of(word, refusal.account.failure), refusal.neighbours
    spent = Spent(book.nothing)
    for promise, parts, count in charged:
        cost = book.charge(promise, neighbours)
        spent = spent.plus(None if cost is None else tuple(count * each for each in cost), parts)
    total = spent.total
    if total is None or (book.name == "sums" and total[1] > book.number):
        return None
    if not all(book.keeps(limit_of(each), total, neighbours) for each in refusal.account.limits):
        return None
    return next(iter(risk_in(book, refusal.limit, total, neighbours)), None)
