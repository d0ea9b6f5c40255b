"""What is said of an entry that was made or moved in the ledger; exit code 1 where a limit is then exceeded."""

from __future__ import annotations

import click

from whit.apps.asking import Answers
from whit.apps.asking.codes import NOT_ALLOWED
from whit.apps.cli.output import say, tell
from whit.ledger import Ledger, Receipt


def receipt_text(receipt: Receipt) -> str:
    """A receipt as a sentence."""
    return f"{str(receipt)[:1].upper()}{str(receipt)[1:]}."


def tell_receipt(book: Ledger, receipt: Receipt, command: str, as_json: bool) -> None:
    """Print a receipt and each limit that is now exceeded."""
    entry, notes = book.entry(receipt.number), (receipt_text(receipt), *receipt.exceeded)
    result = {"entry": entry.to_tree(), "event": receipt.event, "head": receipt.head, "at": receipt.at}
    result["exceeded"] = list(receipt.exceeded)
    answers = Answers(f"ledger {command}", {}, notes=notes, result=result)
    tell(answers, as_json=True) if as_json else say("\n".join(notes))
    if receipt.exceeded:
        click.get_current_context().exit(NOT_ALLOWED)
