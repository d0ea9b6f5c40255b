"""What is said of an account of the ledger: that it is open, where it stands, and whether a release fits."""

from __future__ import annotations

from collections.abc import Sequence

import click

from whit import spec
from whit.apps.asking import Answers, Table
from whit.apps.asking.codes import NOT_ALLOWED
from whit.apps.cli.output import tell, working
from whit.ledger import LIMIT_HEAD, Account, Fit, Status, bounds_note, most_text, takes_note, used_note
from whit.setting import Neighbours
from whit.theory import echo

USUAL = "Its books are {books}."
NARROWER = "For Gaussian noise alone the book gdp allows more than zcdp: open an account with --book gdp."


def tell_opened(made: Account, relation: Neighbours, *, chosen: bool, as_json: bool) -> None:
    """Print that an account is open, which books it has if nobody chose them, and what they take."""
    rows = [(limit, word, most_text(amount)) for limit, by in made.most.items() for word, amount in by.items()]
    usual = () if chosen else _usual(made)
    notes = (f"Account {made.name} is open.", *usual, takes_note(made, relation))
    answers = Answers("ledger open", {"account": made.name}, notes=notes, result=made.to_tree())
    tell(answers, Table(("limit", "book", "largest total"), rows), as_json=as_json)


def _usual(made: Account) -> tuple[str, ...]:
    """The books that nobody chose; of another one where noise without a largest loss can be within every limit."""
    books = USUAL.format(books=" and ".join(book.word for book in made.books))
    return (f"{books} {NARROWER}" if all(by.get("zcdp") is not None for by in made.most.values()) else books,)


def tell_fit(found: Fit, account: str, series: spec.Series, *, as_json: bool) -> None:
    """Print whether a release fits; exit code 1 if it does not."""
    rows = found.rows
    if found.refusal is not None:
        with working("Looking for what fits"):
            rows += [("what fits", found.refusal.fitting(series).strip() or "nothing of it")]
    asked = {"account": account, "promise": echo(series.together)}
    notes = (found.note,) if found.note else ()
    answers = Answers("ledger check", asked, notes=notes, result=found.to_dict())
    tell(answers, Table(("what", "answer"), rows), as_json=as_json, opening=found.verdict)
    if found.refusal is not None:
        click.get_current_context().exit(NOT_ALLOWED)


def tell_status(found: Sequence[Status], account: str, head: tuple[int, str], *, as_json: bool) -> None:
    """Print where accounts stand; exit code 1 if one is not kept."""
    tables = [Table(LIMIT_HEAD, [limit.row for limit in each.limits], each.title) for each in found]
    used = used_note(limit for each in found for limit in each.limits) if found else ""
    why = bounds_note((each.account, each.totals) for each in found)
    notes = tuple(filter(None, (used, why, f"{head[0]} events; head {head[1]}.")))
    result = {"accounts": [each.to_dict() for each in found]}
    answers = Answers("ledger status", {"account": account}, notes=notes, result=result)
    tell(answers, *(tables or [Table(("account",), [("none is open",)])]), as_json=as_json)
    if not all(each.kept for each in found):
        click.get_current_context().exit(NOT_ALLOWED)
