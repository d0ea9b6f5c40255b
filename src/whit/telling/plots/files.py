"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from whit.errors import InvalidInput


def written(path: Path, content: bytes) -> Path:
    """The path, after the content is there; a file that was there before stays as it is if that fails."""
    try:
        _require_place(path)
        _replaced(path, content)
    except InvalidInput:
        raise
    except (OSError, ValueError) as failed:
        why = getattr(failed, "strerror", None) or "no file can have this name"
        way_out = "Choose a folder in which you may write."
        raise InvalidInput("path", f"must be one that can be written ({why})", str(path), way_out) from failed
    return path


def _require_place(path: Path) -> None:
    """Refuse a folder, and a file in a folder that is not there."""
    if path.is_dir():
        raise InvalidInput("path", "must be a file", str(path), f"Add a name, such as {path / 'picture.png'}.")
    if not path.parent.is_dir():
        raise InvalidInput("path", "must lie in a folder that exists", str(path), f"Make the folder {path.parent}.")


def _replaced(path: Path, content: bytes) -> None:
    """Write beside the path, then take its place in one step."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with beside.open("xb") as file:
            file.write(content)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
