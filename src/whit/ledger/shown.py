"""The values of a ledger in few words for the cells of tables."""

from __future__ import annotations

from fractions import Fraction

from whit.ledger.amounts import Charges
from whit.numerics import doubles_around, round_up
from whit.theory import Finding


def share_text(weight: float) -> str:
    """How much of what is allowed an entry holds, in percent, rounded up.

    >>> share_text(0.1234)
    '12.4 %'
    """
    return _percent(100 * weight)


def used_text(used: Fraction | None) -> str:
    """How much of a limit is used, in percent, rounded up; None where no book is left.

    >>> used_text(Fraction(1, 3))
    '33.4 %'
    """
    return "no book is left" if used is None else percent_text(used)


def percent_text(share: Fraction) -> str:
    """An exact share in percent, rounded up.

    >>> percent_text(Fraction(3, 100))
    '3 %'
    """
    return _percent(doubles_around(100 * share)[1])


def _percent(number: float) -> str:
    return f"{round_up(min(number, 1e6), 3):f} %"


def risk_text(risk: Finding | None) -> str:
    """A risk on its safe side with its direction; None where no book bounds it."""
    return "no bound" if risk is None else risk.brief()


def charged_text(charges: Charges) -> str:
    """What a release costs, by book, in few digits; a book without a charge is closed by it.

    >>> charged_text({"pure": None, "zcdp": (Fraction(1, 100),)})
    'pure closed, zcdp 0.01'
    """
    shown = {
        word: "closed" if amount is None else "+".join(f"{float(each):.4g}" for each in amount)
        for word, amount in charges.items()
    }
    return ", ".join(f"{word} {text}" for word, text in shown.items())
