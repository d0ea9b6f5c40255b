"""The account of a ledger that a file names in [ledger]: one place for every command that reads the file."""

from __future__ import annotations

import os.path
from dataclasses import dataclass

from whit.files import from_home
from whit.spec.given import Given
from whit.spec.toml import Entry

_LEDGER = "Leave path out, and name the database by the environment variable WHIT_LEDGER."


@dataclass(frozen=True)
class LedgerAccount:
    """The account of a ledger that a release is to be charged to.

    Attributes:
        where: the file of the ledger; empty if the environment names the ledger.
        account: the name of the account.
    """

    where: str
    account: str


def account_of(given: Given) -> LedgerAccount:
    """The account; the file of a ledger is looked for from the folder of the file that names it.

    A file names no database: it may be somebody else's, and their server could ask for the reader's password.
    """
    given.only(("path", "account"), needed=("account",))
    source, where = given.source, given.words("path")
    if not (isinstance(source, Entry) and source.folder):  # somebody else's text must not open what this machine holds
        raise given.refuse("account", "must stand in a file", "Save the text as a file.")
    if "://" in where:
        raise given.invalid("path", "must be the path of a file, not of a database", _LEDGER, "a URL")
    if where:
        where = os.path.join(source.folder, from_home(where))
    return LedgerAccount(where, given.words("account"))
