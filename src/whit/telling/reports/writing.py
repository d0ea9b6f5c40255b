"""Files that are whole or not there: written under another name first, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from whit.errors import InvalidInput


def require_place(path: Path) -> None:
    """Refuse a folder, and a file whose folder is not there, before anything is computed for it."""
    try:
        folder, taken = path.parent.is_dir(), path.is_dir()
    except OSError as wrong:  # a name that no file can have
        raise _refused(path, wrong) from wrong
    if not folder:
        raise _refused(path, FileNotFoundError(2, "No such file or directory"))
    if taken:
        raise _refused(path, IsADirectoryError(0, "it is a folder"))


def write(files: Mapping[Path, bytes]) -> None:
    """Write all of these files, or none that has its final name; the last one is renamed last."""
    temporary: dict[Path, str] = {}
    try:
        for path, content in files.items():
            temporary[path] = _beside(path, content)
        for path, name in temporary.items():
            os.replace(name, path)
    except OSError as wrong:
        place = next(iter(files)).parent if not temporary else path
        raise _refused(place, wrong) from wrong
    finally:
        for name in temporary.values():
            Path(name).unlink(missing_ok=True)


def _beside(path: Path, content: bytes) -> str:
    """A file with this content in the folder of the path, under a name that is not taken."""
    if path.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_mask())
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return name


def _mask() -> int:
    """What the system takes away from the permissions of a new file; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _refused(path: Path, wrong: OSError) -> InvalidInput:
    way_out = f"It cannot, because: {wrong.strerror or wrong}. Choose another folder or name."
    return InvalidInput("the file of a report", "must be one that can be written", str(path), way_out)
