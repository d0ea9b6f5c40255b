"""A ledger in one SQLite file: the standard library alone, and the default."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from whit.errors import Incompatible, Unavailable, WhitError, shown
from whit.files import new_file, note_source, reason_of
from whit.ledger.store import Store, transaction

APPLICATION = 0x77686974
"""What tells a ledger from another SQLite file: "whit"."""

PATIENCE = 60
"""How many seconds a writer waits for the others."""

_NETWORKS = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs"})
_BACKUP = "The file is damaged. Go back to a backup, or to an export."
_DAMAGED = ("malformed", "decode", "no such table", "no such column", "constraint failed", "mismatch")
"""Words by which SQLite says that what is kept is not what a ledger wrote."""

_SPACE = "Free some space, or give the right to write the file and its folder; nothing was written."
_RIGHTS = "Give the right to write the file and its folder, for the journal beside it. Reading needs neither."
_NO_RIGHTS = ("readonly", "unable to open")

_OF_TARGET = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""What SQLite says of a copy that it cannot write."""

_FOLDER = "Name a file in a folder that is there and has room."


class SqliteStore(Store):
    """The tables in one file, with a journal beside it while it is open.

    Args:
        path: the file.
        writes: whether it is changed, or only read.
        becomes: the name that a new and empty file gets at the end; none for a ledger that is there.
    """

    dialect = "sqlite"

    def __init__(self, path: Path, *, writes: bool = True, becomes: Path | None = None) -> None:
        self._path = becomes or path  # by which messages speak of it
        self._only_reads = not writes
        _require_file(path)
        _require_local(self._path)
        with _sentences(self._path):
            self._connection = _for_writer(path) if writes else _for_reader(path)
            if becomes is None:
                self._require_ours()
            note_source(path)
            # FULL: what was acknowledged survives a loss of power. Who only reads takes the journal as it is.
            kept = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
            for pragma in kept if writes else ("query_only = ON",):
                self._connection.execute(f"PRAGMA {pragma}")
        with self.closed_if_refused():
            if writes:
                self.migrate(create=becomes is not None)
            else:
                self.require_newest()

    @classmethod
    @contextmanager
    def whole(cls, path: Path) -> Iterator[SqliteStore]:
        """A new ledger in one transaction, whose file takes its name at the end; else nothing is there.

        A file that is made by its name at once would be found empty, or be written to, before it can be taken away.
        """
        with _new("ledger", path, 0o644) as part:  # the rights that SQLite gives
            try:
                with closing(cls(part, becomes=path)) as store, store.writing():
                    yield store
            finally:
                for beside in ("-wal", "-shm", "-journal"):
                    part.with_name(part.name + beside).unlink(missing_ok=True)

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and fetch what it gives."""
        with _sentences(self._path):
            return self._connection.execute(statement, tuple(values)).fetchall()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that takes the one lock of a writer at once: a later upgrade would fail under load."""
        with transaction(self, ["BEGIN IMMEDIATE"]):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction that sees one moment."""
        with transaction(self, ["BEGIN"]):
            yield

    def layout(self) -> int:
        """The version that the file says of itself."""
        return int(self.execute("PRAGMA user_version")[0][0])

    def adopt(self, layout: int) -> None:
        """Write the version, and that the file is a ledger."""
        self.execute(f"PRAGMA application_id = {APPLICATION}")
        self.execute(f"PRAGMA user_version = {layout:d}")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def backup(self, to: Path) -> None:
        """Copy the ledger, as it is at one moment, into another file, which is there whole or not at all."""
        with _new("backup", to, self.rights) as whole, _sentences(self._path):
            try:
                self._connection.execute("PRAGMA query_only = OFF")  # which stops copies too
                self._connection.execute("VACUUM INTO ?", (str(whole),))
            except sqlite3.OperationalError as wrong:
                if wrong.sqlite_errorcode & 0xFF not in _OF_TARGET:
                    raise
                raise OSError(wrong.sqlite_errorcode, str(wrong)) from wrong
            finally:
                self._connection.execute(f"PRAGMA query_only = {self._only_reads:d}")

    @property
    def rights(self) -> int:
        """Who may read and write the file."""
        return self._path.stat().st_mode & 0o666

    def _require_ours(self) -> None:
        """Refuse a file that is no ledger, before anything is written to it."""
        if self.execute("PRAGMA application_id")[0][0] != APPLICATION:
            self._connection.close()
            rule = "must be a ledger of whit"
            raise Unavailable("the file", rule, str(self._path), "Name the file that whit ledger init made.")


def _connected(place: str) -> sqlite3.Connection:
    return sqlite3.connect(place, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _for_writer(path: Path) -> sqlite3.Connection:
    return _connected(f"{path.absolute().as_uri()}?mode=rw")


def _for_reader(path: Path) -> sqlite3.Connection:
    """The file; where the journal beside it cannot be made, which SQLite needs to read too, a copy in memory."""
    try:
        with ExitStack() as refused:
            connection = refused.enter_context(closing(_connected(f"{path.absolute().as_uri()}?mode=ro")))
            connection.execute("PRAGMA application_id")
            refused.pop_all()  # it stays open
            return connection
    except sqlite3.OperationalError as wrong:
        if wrong.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise
    content, copy = _at_one_moment(path), _connected(":memory:")
    # Two bytes of its head say that a journal belongs to a file, which a copy in memory has not.
    copy.deserialize(content[:18] + b"\1\1" + content[20:])
    return copy


def _at_one_moment(path: Path) -> bytes:
    """What is in a ledger that nobody has open: it does not change until a journal is beside it."""
    journal = path.with_name(f"{path.name}-wal")

    def seen() -> tuple[bool, int, int, int]:
        found = path.stat()
        return journal.exists(), found.st_ino, found.st_size, found.st_mtime_ns

    try:
        before = seen()
        content = path.read_bytes()
        # Twice, since a clock of the file system may stand still for some milliseconds.
        still = not before[0] and content == path.read_bytes() and before == seen()
    except OSError as wrong:
        rule = f"must be a file that can be read ({reason_of(wrong)})"
        raise Unavailable("the ledger", rule, str(path), "Give the right to read it.") from wrong
    if not still:
        rule = "must have no journal beside it that only a writer can read"
        way_out = "Ask again in a moment; or let somebody who may write its folder run whit ledger status."
        raise Unavailable("the ledger", rule, str(path), way_out)
    return content


def _require_file(path: Path) -> None:
    """Refuse a place where no file is, or none that can be reached."""
    try:
        there, why = stat.S_ISREG(path.stat().st_mode), ""
    except (OSError, ValueError) as wrong:
        unseen = isinstance(wrong, FileNotFoundError | NotADirectoryError)
        there, why = False, "" if unseen else f" ({reason_of(wrong)})"
    if not there:
        way_out = f"Check the path, or begin a new one: whit ledger init --ledger {shown(str(path))}."
        raise Unavailable("the ledger", f"must be a file that is there{why}", str(path), way_out)


def _taken(what: str, path: Path) -> Incompatible:
    return Incompatible(f"the {what}", "must not be there yet", str(path), "Use another name.")


@contextmanager
def _new(what: str, path: Path, rights: int) -> Iterator[Path]:
    """A new file that is there whole or not at all."""
    if os.path.lexists(path):
        raise _taken(what, path)
    try:
        with new_file(path, rights=rights) as whole:
            yield whole
    except FileExistsError as wrong:
        raise _taken(what, path) from wrong
    except WhitError:
        raise
    except (OSError, ValueError) as wrong:
        rule = f"must be a file that can be written ({reason_of(wrong)})"
        raise Unavailable(f"the {what}", rule, str(path), _FOLDER) from wrong


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Say in whit's words what SQLite refuses."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as wrong:  # SQLite quotes damaged bytes, and Python stumbles
        said = "malformed text" if isinstance(wrong, UnicodeDecodeError) else str(wrong)
        ways_out = {("not a database",): "Name a ledger.", _DAMAGED: _BACKUP, _NO_RIGHTS: _RIGHTS}
        known = (way for words, way in ways_out.items() if any(word in said for word in words))
        way_out = next(known, _SPACE)
        raise Unavailable(f"the ledger {path.name}", "must be readable and writable", said, way_out) from wrong


def _require_local(path: Path) -> None:
    """Refuse a network file system, whose locks cannot be trusted; where the system does not tell, take it as local."""
    mounts = Path("/proc/self/mounts")
    if not mounts.is_file():
        return
    folder, found = path.absolute().parent, ("", "")
    for line in mounts.read_text("utf-8", "replace").splitlines():
        point, kind = line.split(" ")[1:3]
        if folder.is_relative_to(point) and len(point) >= len(found[0]):
            found = (point, kind)
    if found[1] in _NETWORKS:
        rule = "must be on a disk of this machine"
        raise Incompatible("the ledger", rule, f"{path} on {found[1]}", "Use a local disk, or PostgreSQL by its URL.")
