"""What is said of an entry that was made or moved in the ledger; exit code 1 where a limit is then exceeded."""

from __future__ import annotations

import click

from whit.apps.asking import Answers
from whit.apps.asking.codes import NOT_ALLOWED
from whit.apps.asking.spelling import sentence
from whit.apps.cli.output import say, tell
from whit.ledger import Ledger, NotReserved, Receipt


def receipt_text(receipt: Receipt) -> str:
    """A receipt as a sentence."""
    return f"{str(receipt)[:1].upper()}{str(receipt)[1:]}."


def tell_receipt(book: Ledger, receipt: Receipt, command: str, as_json: bool) -> None:
    """Print a receipt and each limit that is now exceeded."""
    notes = (receipt_text(receipt), *receipt.exceeded)
    if as_json:
        tell(_document(book, receipt, command, notes), as_json=True)
    else:
        say("\n".join(notes))
    if receipt.exceeded:
        click.get_current_context().exit(NOT_ALLOWED)


def tell_not_reserved(book: Ledger, wrong: NotReserved, command: str, as_json: bool) -> None:
    """Say that a repeated request is no leave to publish: as an error, or as a document; exit code 1 in both."""
    if not as_json:
        raise wrong
    tell(_document(book, wrong.receipt, command, (sentence(wrong),)), as_json=True)
    click.get_current_context().exit(NOT_ALLOWED)


def _document(book: Ledger, receipt: Receipt, command: str, notes: tuple[str, ...]) -> Answers:
    tree = book.entry(receipt.number).to_tree() | {"state": receipt.state.value}
    result = {"entry": tree, "event": receipt.event, "head": receipt.head, "at": receipt.at}
    result["exceeded"] = list(receipt.exceeded)
    return Answers(f"ledger {command}", {}, notes=notes, result=result)
