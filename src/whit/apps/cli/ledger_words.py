"""The ledger on a terminal: what entries cost."""

from __future__ import annotations

from whit.ledger import Entry


def charged(entry: Entry) -> str:
    """What an entry costs, by book, in few digits."""
    shown = {
        word: "closed" if amount is None else "+".join(f"{float(each):.4g}" for each in amount)
        for word, amount in entry.charges.items()
    }
    return ", ".join(f"{word} {text}" for word, text in shown.items())
