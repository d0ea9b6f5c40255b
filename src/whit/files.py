"""Files of the user: how their paths and contents are read, and how they are written, as a whole or not at all."""

from __future__ import annotations

import errno
import operator
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING

from whit.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 250_000_000
"""The most bytes of a file that are read."""

PATIENCE = 5.0
"""Seconds that a pipe is given until somebody writes into it."""

_PIECE = 1 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)
"""What a file system says that has no second names, such as that of many memory sticks."""

_SOURCES: ContextVar[set[tuple[int, int]] | None] = ContextVar("whit.sources", default=None)
_NO_NAME = "no file can have this name"
_NO_SOURCE = "must be another one than the file that it is made from"


def from_home(path: str | os.PathLike[str]) -> str:
    """The path with a `~` at its beginning replaced by the home folder, as a shell does it; else as it is.

    A quoted path, a path in a file and one after an equals sign reach whit with the `~` in them. Where nobody knows the
    home folder the path is refused: a folder of the name `~` is meant by none.
    """
    given: object = path  # whatever a caller passes in spite of the annotation
    text = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(text, str):
        raise InvalidInput("path", "must be the path of a file or folder", path, 'Use a text such as "release.toml".')
    found = os.path.expanduser(text)
    if found == "~" or found.startswith(f"~{os.sep}"):
        way_out = "Set the environment variable HOME, or write the path in full."
        raise InvalidInput("path", "must begin with a home folder that is known, in the place of ~", found, way_out)
    return found


def place_of(path: str | os.PathLike[str]) -> Path:
    """The same as a path that can be asked and written."""
    from pathlib import Path as File  # costs as much as an answer, and most commands read no file

    return File(from_home(path))


def place_beside(folder: str | os.PathLike[str], name: str | os.PathLike[str]) -> Path:
    """The place of a file that another one names: in the folder of that one, unless the name leads elsewhere."""
    return place_of(folder) / from_home(name)


def resolved(path: Path) -> Path:
    """The path without links; OSError where a link leads to itself."""
    try:
        return path.resolve()
    except RuntimeError as loop:  # what Python says before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from loop


def reason_of(failed: OSError | ValueError) -> str:
    """Why the system refused a path, in its own words; it has none for a name such as one with a zero byte."""
    return failed.strerror or str(failed) if isinstance(failed, OSError) else _NO_NAME


def content_of(path: Path, *, most: int | None = None) -> bytes:
    """What is in a file or a pipe; OSError, with a reason in words, where it does not end or nobody writes into it."""
    most = LARGEST if most is None else most
    with open(path, "rb", opener=_at_once) as file:
        about = os.fstat(file.fileno())
        first = _first_of_pipe(file.fileno()) if stat.S_ISFIFO(about.st_mode) else b""
        os.set_blocking(file.fileno(), True)
        _note(about)
        pieces, size = [first], max(about.st_size, len(first))
        while size <= most and (piece := file.read(_PIECE)):
            pieces.append(piece)
            size = sum(map(len, pieces))
        if size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
    return b"".join(pieces)


def _at_once(path: str, flags: int) -> int:
    """Open a file; a pipe too, without waiting for somebody at its other end."""
    return os.open(path, flags | os.O_NONBLOCK)


def _first_of_pipe(descriptor: int) -> bytes:
    """The first that is written into a pipe, or nothing if somebody has it open and writes later."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            first = os.read(descriptor, _PIECE)
        except BlockingIOError:
            return b""
        if first:
            return first
        if time.monotonic() > until:
            raise OSError(errno.EPIPE, "it is a pipe into which nobody writes")
        time.sleep(0.02)


@contextmanager
def sources_spared() -> Iterator[None]:
    """Inside, nothing is written over a file that was read or opened there before."""
    before = _SOURCES.set(set(_SOURCES.get() or ()))
    try:
        yield
    finally:
        _SOURCES.reset(before)


def note_source(path: Path) -> None:
    """Note that something is made from a file that others read, such as a ledger."""
    with suppress(OSError):
        _note(path.stat())


def _note(about: os.stat_result) -> None:
    if (sources := _SOURCES.get()) is not None:
        sources.add((about.st_dev, about.st_ino))


def written(path: Path, content: bytes, *, secret: bool = False) -> Path:
    """The path, after the content is there; a file that was there before stays as it is if that fails."""
    try:
        _require_place(path)
        replace_files({path: content}, secret=secret)
    except InvalidInput:
        raise
    except (OSError, ValueError) as failed:
        way_out = "Choose a folder in which you may write."
        rule = f"must be one that can be written ({reason_of(failed)})"
        raise InvalidInput("path", rule, str(path), way_out) from failed
    return path


def replace_files(files: Mapping[Path, bytes], *, secret: bool = False) -> None:
    """Write all of these beside their places, then let each take its place in one step; else leave nothing behind.

    A link stays a link to the file that is written, and a file that was there before keeps its owner, if it can, and
    its rights. A new one that belongs to such a file, as the pictures of a report do, gets no more rights. A secret
    file can be read by its owner only, whatever was there before.
    """
    whole = {resolved(path): content for path, content in files.items()}
    beside = {path: _part(path) for path in whole}
    before = {path: about for path in whole if (about := _before(path)) is not None}
    new = reduce(operator.and_, (about.st_mode for about in before.values()), 0o666)
    try:
        for path, content in whole.items():
            rights = 0o600 if secret else before[path].st_mode & 0o777 if path in before else new & 0o666
            _write(beside[path], content, rights)
            if path in before:
                _keep_owner(beside[path], before[path])
                beside[path].chmod(rights)
        for path, part in beside.items():
            part.replace(path)
    finally:
        for part in beside.values():
            part.unlink(missing_ok=True)


def _keep_owner(part: Path, before: os.stat_result) -> None:
    """Give a file the owner of the one that it replaces, such as a service for which somebody else writes it."""
    if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):
            os.chown(part, before.st_uid, before.st_gid)


def _before(path: Path) -> os.stat_result | None:
    """What is known of the file that is replaced, if there is one; a source is not."""
    try:
        about = path.stat()
    except FileNotFoundError:
        return None
    if (about.st_dev, about.st_ino) in (_SOURCES.get() or ()):
        raise InvalidInput("path", _NO_SOURCE, str(path), "Choose another name.")
    return about


def _part(path: Path) -> Path:
    """A hidden file beside a path, by a name that nothing has: not even what a process of the same number left."""
    return path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")


def _write(path: Path, content: bytes, rights: int) -> None:
    """Write a new file, and wait until the disk has it."""
    with open(os.open(path, _NEW, rights), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def new_file(path: Path, *, rights: int = 0o666) -> Iterator[Path]:
    """An empty file beside a path, which takes that name at the end, as a whole, unless something has it by then.

    Raises FileExistsError if somebody else made the file meanwhile, and leaves that as it is.
    """
    part = _part(path)
    try:
        os.close(os.open(part, _NEW, rights))
        yield part
        publish_new({part: path})
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def publish_new(parts: Mapping[Path, Path]) -> None:
    """Give each finished file, by its place for now, the name that is its own: all of them, or none.

    Raises FileExistsError if something has one of these names by then, and leaves that as it is.
    """
    done: list[Path] = []
    try:
        for part, path in parts.items():
            with open(part, "rb+") as file:
                os.fsync(file.fileno())
            _take_name(part, path)
            done.append(path)
    except BaseException:
        for path in done:
            path.unlink(missing_ok=True)
        raise


def _take_name(part: Path, path: Path) -> None:
    """Give a file a name that nothing has: a link, unlike a rename, never takes the place of a file, nor of a link."""
    try:
        os.link(part, path)
    except OSError as wrong:
        if wrong.errno not in _NO_LINKS:
            raise
        os.close(os.open(path, _NEW))  # takes the name, for a moment without the content
        part.replace(path)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, as a whole; raise FileExistsError if somebody else made it meanwhile."""
    with new_file(path) as part, part.open("wb") as file:
        file.write(content)


def require_other(path: Path, source: Path, *, name: str) -> None:
    """Refuse to write over the file that something is made from, by whatever name that goes."""
    if _same(path, source):
        raise InvalidInput(name, _NO_SOURCE, str(path), "Choose another name.")


def require_apart(files: Mapping[str, Path]) -> None:
    """Refuse to write two files over each other, whether they are there yet or not.

    Args:
        files: the files to write, by what a message calls them.
    """
    for (first, one), (second, other) in combinations(files.items(), 2):
        if _same(one, other):
            rule = f"must be another file than that of {first}"
            raise InvalidInput(second, rule, str(other), "Give each a name of its own.")


def _same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by their names or by what is there."""
    with suppress(OSError, ValueError):  # a link that leads to itself, or a name that no file can have
        if resolved(one) == resolved(other):
            return True
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there
        return False


def _require_place(path: Path) -> None:
    """Refuse a folder, and a file in a folder that is not there."""
    if path.is_dir():
        raise InvalidInput("path", "must be a file", str(path), "Add the name of a file.")
    if path.exists() and not path.is_file():
        rule = "must be an ordinary file, or one that is not there yet"
        raise InvalidInput("path", rule, str(path), "Choose another name.")
    if not path.parent.is_dir():
        raise InvalidInput("path", "must lie in a folder that exists", str(path), f"Make the folder {path.parent}.")
