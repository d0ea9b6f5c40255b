"""The account of a ledger that a file names in [ledger]: one place for every command that reads the file."""

from __future__ import annotations

import os.path
from dataclasses import dataclass

from whit.files import from_home
from whit.spec.given import Given
from whit.spec.toml import Entry

_LEDGER = "Leave path out, and name the ledger by the environment variable WHIT_LEDGER."


@dataclass(frozen=True)
class LedgerAccount:
    """The account of a ledger that a release is to be charged to.

    Attributes:
        where: the file of the ledger, or the URL of its database; empty if the environment names it.
        account: the name of the account.
    """

    where: str
    account: str


def account_of(given: Given) -> LedgerAccount:
    """The account; the file of a ledger is looked for from the folder of the file that names it."""
    given.only(("path", "account"), needed=("account",))
    source, where = given.source, given.words("path")
    if not (isinstance(source, Entry) and source.folder):  # somebody else's text must not open what this machine holds
        raise given.refuse("account", "must stand in a file", "Save the text as a file.")
    if "://" in where:
        _require_open(given, where)
    elif where:
        where = os.path.join(source.folder, from_home(where))
    return LedgerAccount(where, given.words("account"))


def _require_open(given: Given, url: str) -> None:
    """Refuse the URL of anything but a database of PostgreSQL, and a password, which a report would print."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise given.invalid("path", "must be a path, or the URL of a PostgreSQL database", _LEDGER)
    address, _, options = url.partition("?")
    if ":" in address.partition("://")[2].rpartition("@")[0] or "pass" in options.lower():
        raise given.invalid("path", "must not hold a password, since a report prints the file", _LEDGER, "one")
