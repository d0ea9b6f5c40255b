"""Files of the user: how their paths are read, and how they are written, as a whole or not at all."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from whit.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def from_home(path: str | os.PathLike[str]) -> str:
    """The path with a `~` at its beginning replaced by the home folder, as a shell does it; else as it is.

    A quoted path, a path in a file and one after an equals sign reach whit with the `~` in them.
    """
    return os.path.expanduser(os.fspath(path))


def place_of(path: str | os.PathLike[str]) -> Path:
    """The same as a path that can be asked and written."""
    from pathlib import Path as File  # costs as much as an answer, and most commands read no file

    return File(from_home(path))


def written(path: Path, content: bytes, *, secret: bool = False) -> Path:
    """The path, after the content is there; a file that was there before stays as it is if that fails."""
    try:
        _require_place(path)
        replace_files({path: content}, secret=secret)
    except InvalidInput:
        raise
    except (OSError, ValueError) as failed:
        why = getattr(failed, "strerror", None) or "no file can have this name"
        way_out = "Choose a folder in which you may write."
        raise InvalidInput("path", f"must be one that can be written ({why})", str(path), way_out) from failed
    return path


def replace_files(files: Mapping[Path, bytes], *, secret: bool = False) -> None:
    """Write all of these beside their places, then let each take its place in one step; else leave nothing behind.

    A link stays a link to the file that is written, and a file that was there before keeps its rights. A secret file
    can be read by its owner only, whatever was there before.
    """
    mark = f"{os.getpid()}.{threading.get_ident()}.part"
    whole = {path.resolve(): content for path, content in files.items()}
    beside = {path: path.with_name(f".{path.name}.{mark}") for path in whole}
    try:
        for path, content in whole.items():
            with open(os.open(beside[path], _NEW, 0o600 if secret else 0o666), "wb") as file:
                file.write(content)
            if path.exists() and not secret:
                beside[path].chmod(path.stat().st_mode & 0o777)
        for path, part in beside.items():
            part.replace(path)
    finally:
        for part in beside.values():
            part.unlink(missing_ok=True)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, as a whole; raise FileExistsError if somebody else made it meanwhile."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
        os.link(part, path)  # unlike a rename it never takes the place of a file, nor of a link
    finally:
        part.unlink(missing_ok=True)


def require_other(path: Path, source: Path, *, name: str) -> None:
    """Refuse to write over the file that something is made from, by whatever name that goes."""
    try:
        same = path.samefile(source)
    except (OSError, ValueError):  # one of them is not there
        same = False
    if same:
        rule, way_out = "must be another one than the file that it is made from", "Choose another name."
        raise InvalidInput(name, rule, str(path), way_out)


def _require_place(path: Path) -> None:
    """Refuse a folder, and a file in a folder that is not there."""
    if path.is_dir():
        raise InvalidInput("path", "must be a file", str(path), f"Add a name, such as {path / 'picture.png'}.")
    if path.exists() and not path.is_file():
        rule = "must be an ordinary file, or one that is not there yet"
        raise InvalidInput("path", rule, str(path), "Choose another name.")
    if not path.parent.is_dir():
        raise InvalidInput("path", "must lie in a folder that exists", str(path), f"Make the folder {path.parent}.")
