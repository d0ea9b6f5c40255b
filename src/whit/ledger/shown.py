"""The values of a ledger in few words for the cells of tables."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from whit.ledger.account import Account
from whit.ledger.amounts import Amount, Charges
from whit.ledger.entry import Entry
from whit.ledger.recorded import promise_words
from whit.numerics import doubles_around, round_down, round_up
from whit.theory import Direction, Finding, Unit, number_text

_DIGITS = 4

ENTRY_HEAD = ("entry", "state", "what", "promise", "charges", "by")
"""What the row of an entry says."""


def entry_row(entry: Entry) -> tuple[str, ...]:
    """An entry in words for the cells of a table."""
    charges, promise = charged_text(entry.charges), promise_words(entry.promise)
    return str(entry.number), entry.state.value, entry.what, promise, charges, entry.requester


def used_text(used: Fraction | None) -> str:
    """How much of a limit is used, in percent, rounded up; None where no book is left.

    >>> used_text(Fraction(1, 3))
    '33.4 %'
    """
    return "no book is left" if used is None else percent_text(used)


def left_text(used: Fraction) -> str:
    """How much of a limit is left where some of it is used, in percent, rounded down.

    >>> left_text(Fraction(1, 3))
    '66.6 %'
    """
    return f"{round_down(doubles_around(100 * max(1 - used, Fraction(0)))[0], 3):f} %"


def percent_text(share: Fraction) -> str:
    """An exact share in percent, rounded up.

    >>> percent_text(Fraction(3, 100))
    '3 %'
    """
    return f"{round_up(min(doubles_around(100 * share)[1], 1e6), 3):f} %"


def risk_text(risk: Finding | None) -> str:
    """A risk on its safe side with its direction; None where no book bounds it."""
    return "no bound" if risk is None else risk.brief()


def bounds_note(positions: Iterable[tuple[Account, Charges]]) -> str:
    """Why `whit check` may give a smaller bound than accounts with these totals; empty where no book is left."""
    books = dict.fromkeys(book.adds for account, totals in positions for book in account.deciding(totals))
    if not books:
        return ""
    return (
        f"The ledger adds up {' or '.join(books)}, which holds whatever is chosen on the way; "
        "whit check composes releases that are fixed beforehand, and may give less."
    )


def closed_note(account: Account, entries: Iterable[Entry]) -> str:
    """What it means that entries close a book of an account; empty where none does."""
    closed = {word for entry in entries for word, amount in entry.charges.items() if amount is None}
    books = [book for book in account.books if book.word in closed]
    return " ".join(
        f"{book.word} closed: no charge in {book.adds} covers that release; once it counts, "
        f"the book {book.word} allows nothing more."
        for book in books
    )


def most_text(most: Amount | None) -> str:
    """The largest total that a limit allows, rounded down; of the book sums its epsilon. None where none is allowed.

    >>> most_text((Fraction("1.34996"),))
    '1.349'
    """
    if most is None:
        return "never kept"
    return number_text(doubles_around(most[0])[0], Direction.AT_LEAST, Unit.NUMBER, _DIGITS)


def charged_text(charges: Charges) -> str:
    """What a release costs, by book, in few digits; a book without a charge is closed by it.

    >>> charged_text({"pure": None, "zcdp": (Fraction(1, 100),)})
    'pure closed, zcdp 0.01'
    """
    shown = {
        word: "closed" if amount is None else "+".join(f"{float(each):.{_DIGITS}g}" for each in amount)
        for word, amount in charges.items()
    }
    return ", ".join(f"{word} {text}" for word, text in shown.items())
