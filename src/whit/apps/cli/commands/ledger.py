"""`whit ledger`: what was released about whom, how much risk that makes, and what still fits."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from whit import spec
from whit.apps.asking import Answers, Table
from whit.apps.cli.accounts import tell_fit, tell_opened, tell_status
from whit.apps.cli.group import Group
from whit.apps.cli.options import Command, Number, PromiseCommand, Whole, filled_in, json_option, such
from whit.apps.cli.output import confirm, say, tell, working
from whit.apps.cli.receipts import tell_not_reserved, tell_receipt
from whit.apps.cli.streams import require_delivered
from whit.errors import InvalidInput, UnknownKey, WhitError
from whit.files import content_of, new_file, place_of, reason_of
from whit.ledger import (
    ENTRY_HEAD,
    Ledger,
    NotReserved,
    Refused,
    accounts_of,
    advised,
    closed_note,
    course_of,
    entry_row,
    export,
    fit_of,
    restored,
    status_of,
    verify,
)
from whit.setting import UnitOfPrivacy
from whit.telling import plots

PAGE = 20
"""How many entries a page of history has, if nobody says."""

Function = Callable[..., Any]


@click.group(cls=Group, short_help="An account of releases: the risk so far, and what still fits.")
def ledger() -> None:
    """Keep an account of releases: what each promises, the risk of all of them together, and what still fits.

    A ledger is a file, or a PostgreSQL database by its URL. Name it with --ledger or the environment variable
    WHIT_LEDGER. Exit codes: 0 done or allowed; 1 refused, or a limit is exceeded; 2 wrong input;
    3 no answer.
    """


def _on_ledger(command: Function) -> Function:
    """The options that every command of the ledger has."""
    command = click.option("--ledger", "where", metavar="PATH|URL", default="", help="The ledger.")(command)
    command = click.option("--actor", metavar="NAME", default="", help="Who asks. The default is the user.")(command)
    return json_option(command)


def _entering(command: Function) -> Function:
    """The options of a command that makes an entry."""
    for name, symbol, said in reversed(
        [
            ("--what", "TEXT", "What is released, in words."),
            ("--part", "NAME", "Only about this part of the population; may be given several times."),
            ("--recipient", "NAME", "Who gets it, where recipients have quotas."),
            ("--key", "TEXT", "An idempotency key: the same request again gets the same answer."),
        ]
    ):
        many = {"multiple": True} if name == "--part" else {"default": ""}
        command = click.option(name, metavar=symbol, help=said, **many)(command)
    return click.argument("account")(_on_ledger(command))


@ledger.command(cls=Command)
@_on_ledger
def init(where: str, actor: str, as_json: bool) -> None:
    """Make a new ledger, empty."""
    with Ledger.create(where or None, actor=actor) as made:
        answers = Answers("ledger init", {}, notes=("A new ledger is there.",), result={"head": list(made.head)})
    tell(answers, as_json=as_json) if as_json else say(answers.notes[0])


@ledger.command("open", cls=Command)
@click.argument("account")
@click.option("--population", metavar="NAME", required=True, help="Whom it is about; declared if it is new.")
@click.option("--unit", metavar="NOUN", default="person", show_default=True, help="What one record stands for.")
@click.option("--unit-period", metavar="WORDS", default="the whole of the data", help="The period of the unit.")
@click.option(
    "--neighbours", metavar="WORD", default="", help="Which two datasets are compared. The default is add-remove."
)
@click.option("--part", "parts", multiple=True, metavar="NAME", help="A part of a new population; parts share nobody.")
@click.option("--limit", "limits", multiple=True, metavar="TEXT", help='A limit: "posterior=0.3, prior=0.1".')
@click.option("--failure", metavar="NUMBER", default="0", help="The probability with which a limit may fail.")
@click.option("--book", "books", multiple=True, metavar="WORD[=SHARE]", help="pure, zcdp, gdp, renyi@8 or sums@1e-6.")
@click.option("--within", metavar="ACCOUNT", default="", help="An account that is charged as well, such as all years.")
@click.option("--period", metavar="WORDS", default="", help="What the account covers.")
@click.option("--opens", metavar="WORDS", default="", help="When the next period opens.")
@click.option("--second-person", is_flag=True, help="A reservation needs another person than the one who asks.")
@_on_ledger
def open_account(
    account: str,
    population: str,
    unit: str,
    unit_period: str,
    neighbours: str,
    parts: tuple[str, ...],
    books: tuple[str, ...],
    where: str,
    actor: str,
    as_json: bool,
    **more: Any,
) -> None:
    """Open an account. Its limits, its failure and its books are fixed from then on."""
    said = (
        {"neighbours": spec.Given({"neighbours": neighbours}).word("neighbours", spec.NEIGHBOURS)} if neighbours else {}
    )
    with Ledger(where or None, actor=actor) as book:
        try:
            book.population(population)
        except UnknownKey:
            book.declare(population, unit=UnitOfPrivacy(unit, unit_period), parts=parts, **said)
        shares = {word: share for word, _, share in (each.partition("=") for each in books)}
        chosen: dict[str, Any] = {"books": shares if any(shares.values()) else list(shares)} if books else {}
        with working("Finding what the limits allow"):
            made = book.open(account, population, **chosen, **more)
        relation = book.population(population).neighbours
    tell_opened(made, relation, chosen=bool(books), as_json=as_json)


@ledger.command(cls=Command)
@click.argument("account")
@click.option("--recipient", metavar="NAME", required=True, help="Who gets releases.")
@click.option("--book", "books", multiple=True, metavar="WORD=AMOUNT", help="The most in a book: zcdp=0.01.")
@_on_ledger
def quota(account: str, recipient: str, books: tuple[str, ...], where: str, actor: str, as_json: bool) -> None:
    """Set the most that one recipient may get of an account. It bounds no risk: recipients can share what they get.

    The book sums counts epsilon and delta: --book sums@1e-6=1+1e-7. A new quota takes the place of the old one. It
    counts all that the recipient ever got of the account.
    """
    most = {word: amounts.split("+") for word, _, amounts in (each.partition("=") for each in books)}
    with Ledger(where or None, actor=actor) as book:
        book.limit_recipient(account, recipient, most)
        head = book.head
    asked = {"account": account, "recipient": recipient, "books": list(books)}
    said = f"The quota of {recipient} in account {account} is set."
    answers = Answers("ledger quota", asked, notes=(said,), result={"head": list(head)})
    tell(answers, as_json=True) if as_json else confirm(said)


@ledger.command(cls=PromiseCommand)
@_entering
@click.option("--minutes", type=Number(), default=0.0, help="After so long the reservation becomes uncertain.")
@filled_in()
def reserve(form: spec.Form, account: str, where: str, actor: str, as_json: bool, **more: Any) -> None:
    """Reserve room for a release before it runs. Exit code 1 if it does not fit.

    With a --key that was used before: exit code 0 while its entry is still reserved, 1 once it is not.
    """
    with Ledger(where or None, actor=actor) as book:
        try:
            receipt = book.reserve(account, form.together.together, **_entry(more))
        except NotReserved as wrong:
            return tell_not_reserved(book, wrong, "reserve", as_json)
        except Refused as refused:
            with working("Looking for what fits"):
                said = _entry(more)
                found = advised(book.store, refused.refusal, form.together.together, said["parts"])
                refused.way_out += found.fitting(form.together)
            raise
        return tell_receipt(book, receipt, "reserve", as_json)


@ledger.command(cls=PromiseCommand)
@_entering
@filled_in()
def plan(form: spec.Form, account: str, where: str, actor: str, as_json: bool, **more: Any) -> None:
    """Put a release on the plan. It does not count until somebody reserves it by its number."""
    with Ledger(where or None, actor=actor) as book:
        tell_receipt(book, book.plan(account, form.together.together, **_entry(more)), "plan", as_json)


@ledger.command(cls=PromiseCommand)
@_entering
@filled_in()
def record(form: spec.Form, account: str, where: str, actor: str, as_json: bool, **more: Any) -> None:
    """Record what is already out: it counts in full, also beyond a limit. Exit code 1 if a limit is then exceeded."""
    with Ledger(where or None, actor=actor) as book:
        tell_receipt(book, book.record(account, form.together.together, **_entry(more)), "record", as_json)


@ledger.command(cls=PromiseCommand)
@click.argument("number", type=Whole())
@click.option("--why", metavar="TEXT", default="", help="What was wrong.")
@click.option("--approver", metavar="NAME", default="", help="The second person, where a charge is lowered or moved.")
@click.option("--key", metavar="TEXT", default="", help="An idempotency key.")
@_on_ledger
@filled_in()
def correct(form: spec.Form, number: int, where: str, actor: str, as_json: bool, **more: Any) -> None:
    """Correct an entry by a new one that counts in its place. Exit code 1 if a limit is then exceeded."""
    with Ledger(where or None, actor=actor) as book:
        tell_receipt(book, book.correct(number, form.together.together, **more), "correct", as_json)


def _moving(name: str, option: str, said: str) -> Callable[[Function], click.Command]:
    """A command that moves an entry to another state."""

    def made(command: Function) -> click.Command:
        command = click.option("--key", metavar="TEXT", default="", help="An idempotency key.")(_on_ledger(command))
        if option:
            command = click.option(f"--{option}", metavar="TEXT", default="", help=said)(command)
        return ledger.command(name, cls=Command)(click.argument("number", type=Whole())(command))

    return made


@_moving("approve", "", "")
def approve(number: int, where: str, actor: str, as_json: bool, key: str) -> None:
    """Reserve what is on the plan. Exit code 1 if it does not fit any more."""
    with Ledger(where or None, actor=actor) as book:
        try:
            receipt = book.approve(number, key=key)
        except NotReserved as wrong:
            return tell_not_reserved(book, wrong, "approve", as_json)
        return tell_receipt(book, receipt, "approve", as_json)


@_moving("release", "artefact", "A hash of what was published.")
def release(number: int, where: str, actor: str, as_json: bool, **more: str) -> None:
    """Say that a reserved release is out."""
    with Ledger(where or None, actor=actor) as book:
        tell_receipt(book, book.release(number, **more), "release", as_json)


@_moving("cancel", "statement", "That no output left, and how that is known.")
def cancel(number: int, where: str, actor: str, as_json: bool, **more: str) -> None:
    """Cancel what was not released; an uncertain release takes a second person."""
    with Ledger(where or None, actor=actor) as book:
        tell_receipt(book, book.cancel(number, **more), "cancel", as_json)


@_moving("doubt", "why", "What happened.")
def doubt(number: int, where: str, actor: str, as_json: bool, **more: str) -> None:
    """Say that nobody knows whether a reserved release is out; it goes on to count."""
    with Ledger(where or None, actor=actor) as book:
        tell_receipt(book, book.doubt(number, **more), "doubt", as_json)


@_moving("withdraw", "why", "Why it was withdrawn.")
def withdraw(number: int, where: str, actor: str, as_json: bool, **more: str) -> None:
    """Note that a release was withdrawn; it goes on to count."""
    with Ledger(where or None, actor=actor) as book:
        tell_receipt(book, book.withdraw(number, **more), "withdraw", as_json)


@ledger.command(cls=PromiseCommand)
@_entering
@filled_in()
def check(form: spec.Form, account: str, where: str, actor: str, as_json: bool, **more: Any) -> None:
    """Whether a release would fit now: exit code 0 or 1. Nothing is written."""
    said = {name: value for name, value in _entry(more).items() if name not in ("what", "key")}
    with Ledger.read(where or None, actor=actor) as book, working("Checking"):
        found = fit_of(book, account, form.together.together, **said)
    tell_fit(found, account, form.together, as_json=as_json)


@ledger.command(cls=Command)
@click.argument("account", required=False, default="")
@_on_ledger
def status(account: str, where: str, actor: str, as_json: bool) -> None:
    """Where an account stands, or all of them: for each limit the risk so far, at every moment, and what is used.

    Exit code 1 if a limit is exceeded.
    """
    with Ledger.read(where or None, actor=actor) as book:
        names = [account] if account else [each.name for each in accounts_of(book.store)]
        found = [status_of(book.store, name) for name in names]
        head = book.head
    tell_status(found, account, head, as_json=as_json)


@ledger.command(cls=Command)
@click.argument("account")
@click.option("--before", type=Whole(), default=2**53, help="Only entries before this number.")
@click.option("--size", type=Whole(), default=PAGE, show_default=True, help="How many entries.")
@_on_ledger
def history(account: str, before: int, size: int, where: str, actor: str, as_json: bool) -> None:
    """The entries of an account, the newest first."""
    with Ledger.read(where or None, actor=actor) as book:
        entries = book.history(account, before=before, size=size)
        note = closed_note(book.account(account), entries)
    result = {"entries": [entry.to_tree() for entry in entries]}
    rows = [entry_row(entry) for entry in entries]
    answers = Answers("ledger history", {"account": account}, notes=(note,) if note else (), result=result)
    tell(answers, Table(ENTRY_HEAD, rows), as_json=as_json)


@ledger.command("plot", cls=Command)
@click.argument("account")
@click.option("--limit", metavar="TEXT", default="", help="The limit, if not the first of the account.")
@click.option(
    "--out", metavar="FILE", required=True, type=such("--out year.png"), help="Such as year.png; or .svg, .pdf, .html."
)
@_on_ledger
def plot_account(account: str, limit: str, out: str, where: str, actor: str, as_json: bool) -> None:
    """Draw the risk of an account in steps, and its limit, as PNG, SVG, PDF or HTML by the ending of the file."""
    with Ledger.read(where or None, actor=actor) as book, working("Drawing"):
        picture = plots.account_over_time(course_of(book.store, account, limit))
        written = picture.save(out)
    answers = Answers("ledger plot", {"account": account}, notes=(f"{written}",), result={"alt": picture.alt})
    tell(answers, as_json=True) if as_json else confirm(str(written))


@ledger.command("verify", cls=Command)
@click.option(
    "--head",
    metavar="HASH",
    default="",
    help="A head that was kept elsewhere, as receipts and reports have it; its first 16 digits or more.",
)
@_on_ledger
def verify_ledger(head: str, where: str, actor: str, as_json: bool) -> None:
    """Check every hash, every link, and that the entries give the stored totals. Exit code 2 if something differs."""
    with Ledger.read(where or None, actor=actor) as book, working("Verifying"):
        found = verify(book.store, head=head or None)
    result = {"events": found.events, "head": found.head}
    tell(Answers("ledger verify", {"head": head}, result=result), as_json=True) if as_json else say(str(found))


@ledger.command("export", cls=Command)
@click.option("--out", metavar="FILE", default="-", help="The file. The default is the screen.")
@_on_ledger
def export_ledger(out: str, where: str, actor: str, as_json: bool) -> None:
    """Write the ledger as JSON Lines, one event a line."""
    with Ledger.read(where or None, actor=actor) as book:
        if out == "-":
            export(book.store, sys.stdout)
            require_delivered("the export")
            return
        target = place_of(out)
        taken = InvalidInput("--out", "must not be there yet", out, "Use another name.")
        if os.path.lexists(target):
            raise taken
        try:
            with new_file(target, rights=book.store.rights) as whole, whole.open("w", encoding="ascii") as file:
                number = export(book.store, file)
        except FileExistsError as wrong:
            raise taken from wrong
        except WhitError:
            raise
        except (OSError, ValueError) as wrong:
            rule = f"must be a file that can be written ({reason_of(wrong)})"
            raise InvalidInput("--out", rule, out, "Choose a folder in which you may write.") from wrong
    said = f"{number} events are in {out}."
    tell(Answers("ledger export", {"out": out}, notes=(said,)), as_json=True) if as_json else confirm(said)


@ledger.command(cls=Command)
@click.option("--out", metavar="FILE", required=True, type=such("--out copy.ledger"), help="Such as copy.ledger.")
@_on_ledger
def backup(out: str, where: str, actor: str, as_json: bool) -> None:
    """Copy the ledger into another file, as it is at one moment, while others go on to write. SQLite only."""
    with Ledger.read(where or None, actor=actor) as book, working("Copying"):
        book.store.backup(place_of(out))
    said = f"The ledger was copied into {out}."
    tell(Answers("ledger backup", {"out": out}, notes=(said,)), as_json=True) if as_json else confirm(said)


@ledger.command("import", cls=Command)
@click.argument("file", type=click.Path())
@_on_ledger
def import_ledger(file: str, where: str, as_json: bool, **_: str) -> None:
    """Make a new ledger from the lines of another one; all of them or none."""
    try:
        lines = content_of(place_of(file)).decode("ascii").splitlines()
    except (OSError, UnicodeError) as wrong:
        raise InvalidInput("FILE", "must be a file that whit ledger export made", file, "Name that file.") from wrong
    if not lines:
        way_out = "Take an export that was written whole; whit ledger init makes an empty ledger."
        raise InvalidInput("FILE", "must have a line or more", f"none in {file}", way_out)
    with working("Importing"):
        found = restored(where or None, lines)
    result = {"events": found.events, "head": found.head}
    tell(Answers("ledger import", {"file": file}, result=result), as_json=True) if as_json else say(str(found))


def _entry(more: dict[str, Any]) -> dict[str, Any]:
    """The options of an entry by the names of the library."""
    found = {name: value for name, value in more.items() if name != "part" and value not in ("", 0.0)}
    return {**found, "what": more.get("what") or "a release", "parts": more.get("part", ())}
