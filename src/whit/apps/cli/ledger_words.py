"""The ledger on a terminal: what entries cost, and what would fit where a release is refused."""

from __future__ import annotations

from whit import spec
from whit.assessment import promise_name
from whit.errors import NotImplied
from whit.ledger import Entry, Refusal


def fitting(refusal: Refusal, series: spec.Series) -> str:
    """The sentence about the largest release of the same kind that fits; none if there is none, or no parameter."""
    try:
        found = refusal.fits(series.one, releases=series.releases)
    except NotImplied:
        return ""
    return "" if found is None else f" It would fit with {promise_name(found)}."


def charged(entry: Entry) -> str:
    """What an entry costs, by book, in few digits."""
    shown = {
        word: "closed" if amount is None else "+".join(f"{float(each):.4g}" for each in amount)
        for word, amount in entry.charges.items()
    }
    return ", ".join(f"{word} {text}" for word, text in shown.items())
