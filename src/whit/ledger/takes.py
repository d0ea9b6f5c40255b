"""What the books of an account take: which kinds of promises, and which promises of a release none of them takes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from whit.assessment import promise_name
from whit.curves import Promise
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.ledger.account import Account
from whit.ledger.books import Book, book_of
from whit.setting import Neighbours
from whit.spec import Series

SUMS = ("sums@1e-6", "sums@1e-5", "sums@1e-4", "sums@1e-3", "sums@1e-2")
"""Books for a promise with a delta; the first whose total delta it fits is named."""

MOST_NAMED = 3
"""So many promises are named; of the others their number."""

WITH_DELTA = "epsilon with delta"
_CONVERTED = "an epsilon and a delta: whit convert finds them"


def kinds_taken(book: Book, neighbours: Neighbours) -> tuple[str, ...]:
    """The kinds of promises that a book takes.

    >>> from whit.ledger import book_of
    >>> kinds_taken(book_of("pure"), Neighbours.ADD_REMOVE)
    ('epsilon', 'Laplace noise')
    """
    return tuple(
        name
        for names, promise in _samples(neighbours).items()
        if book.charge(promise, neighbours) is not None
        for name in names
    )


def _samples(neighbours: Neighbours) -> dict[tuple[str, ...], Promise]:
    """A promise of each kind; Laplace noise is taken by what takes epsilon, and Gaussian noise by what takes mu."""
    return {
        ("epsilon", "Laplace noise"): PureDP(0.1, neighbours=neighbours),
        (WITH_DELTA,): ApproxDP(0.1, 1e-9, neighbours=neighbours),
        ("rho",): ZeroConcentratedDP(0.01, neighbours=neighbours),
        ("mu", "Gaussian noise"): GaussianDP(0.1, neighbours=neighbours),
    }


def takes_note(account: Account, neighbours: Neighbours) -> str:
    """What each book of an account takes, what none does, and which limits fewer books decide."""
    deciding = {limit: list(account.allowed(limit)) for limit in account.limits}
    books = [book for book in account.books if any(book.word in words for words in deciding.values())]
    taken = {book.word: kinds_taken(book, neighbours) for book in books}
    said = [f"The book {word} takes {_joined(kinds)}." for word, kinds in taken.items()]
    if len(taken) > 1:
        said.append("One of them must take all that counts.")
    every = [name for names in _samples(neighbours) for name in names]
    missing = [name for name in every if not any(name in kinds for kinds in taken.values())]
    if missing:
        none = "None of them takes" if len(taken) > 1 else "It does not take"
        said.append(f"{none} {_joined(missing, 'or')}.")
    if WITH_DELTA in missing:
        said.append(
            f"A promise with a delta needs an account with the book sums, such as {SUMS[0]}{_failing(account)}."
        )
    said += [
        f"About the limit {limit} the book {words[0]} decides alone."
        for limit, words in deciding.items()
        if len(words) == 1 < len(books)
    ]
    return " ".join(said)


def untaken_note(series: Series, books: Sequence[Book], neighbours: Neighbours) -> str:
    """Which promises of a release have no charge in books that do not take it."""
    parts = _named_parts(series)
    costs = {book.word: [book.charge(part, neighbours) is None for _, part in parts] for book in books}
    nowhere = [k for k in range(len(parts)) if all(each[k] for each in costs.values())]
    sums = [book.word for book in books if book.name == "sums"]
    if not nowhere:
        each_book = [
            f"The book {word} does not take {_few([parts[k][0] for k, is_so in enumerate(each) if is_so])}."
            for word, each in costs.items()
            if any(each)
        ]
        return " ".join([*each_book, *(f"For {word} state that by {_CONVERTED}." for word in sums if any(costs[word]))])
    subject = f"The book {books[0].word} does" if len(books) == 1 else f"The books {_joined(list(costs))} do"
    said = f"{subject} not take {_few([parts[k][0] for k in nowhere])}."
    one = len(nowhere) == 1
    if not any(isinstance(parts[k][1], ApproxDP) for k in nowhere):
        return f"{said} State {'it' if one else 'them'} by {_CONVERTED}." if sums else said
    if not all(parts[k][1].is_stated for k in nowhere):
        return said
    noisy = [book.word for book in books if "Gaussian noise" in kinds_taken(book, neighbours)]
    known = f" If {'its' if one else 'their'} noise is known, state that: "
    return f"{said}{known}{noisy[0]} takes noise of any usual kind." if noisy else said


def sums_note(series: Series, account: Account, neighbours: Neighbours) -> str:
    """A book that takes the promises of a release that have a delta, and what it asks of the others."""
    first = book_of(SUMS[0])
    costs = [(first.charge(part, neighbours), times) for part, times in _promises(series)]
    delta = sum((times * cost[1] for cost, times in costs if cost is not None), Fraction(0))
    words = [word for word in SUMS if 0 < delta <= book_of(word).number]
    if not words or any(book.name == "sums" for book in account.books):
        return ""
    said = f"The book {words[0]} takes a promise with epsilon and delta{_failing(account)}."
    if None not in [cost for cost, _ in costs]:
        return said
    way_out = "state noise without a largest loss by an epsilon and a delta as well: whit convert finds them"
    return f"{said} In an account with it alone, {way_out}."


def _failing(account: Account) -> str:
    return "" if account.failure else "; for limits on beliefs the account needs a failure probability too"


def _promises(series: Series) -> list[tuple[Promise, int]]:
    together = series.together
    return list(together.composed_of or ((together, 1),))


def _named_parts(series: Series) -> list[tuple[str, Promise]]:
    """The promises of a release, each with its name if it has one, and what it promises in words."""
    if series.parts:
        return [(f"{each.name} ({each.words})" if each.name else each.words, each.one) for each in series.parts]
    return [(promise_name(part), part) for part, _ in series.one.composed_of or ((series.one, 1),)]


def _few(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return _joined([*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])


def _joined(names: Sequence[str], word: str = "and") -> str:
    """Names in a sentence.

    >>> _joined(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = names or ["nothing"]
    return f"{', '.join(most)} {word} {last}" if most else last
