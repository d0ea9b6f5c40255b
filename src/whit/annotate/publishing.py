"""How a new table and what its numbers rest on get their places: both at the end, neither over what is there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whit.annotate.annotated import basis_file
from whit.errors import InvalidInput, Unavailable
from whit.files import publish_new, reason_of

_WAY_OUT = "Use a folder that exists, has room and may be written to."


@contextmanager
def scratch(target: Path) -> Iterator[Path]:
    """A hidden folder beside the new file, on the same disk, which goes away at the end."""
    name = "the folder of the new file"
    if not target.parent.is_dir():
        raise Unavailable(name, "must be there", str(target), _WAY_OUT)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except (OSError, ValueError) as wrong:
        raise Unavailable(name, f"must take new files ({reason_of(wrong)})", str(target), _WAY_OUT) from wrong
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def publish(rows: Path, target: Path, basis: str) -> None:
    """Put what is written in its place: first what the numbers rest on, then the rows, each at once."""
    beside = rows.with_name("basis.json")
    try:
        beside.write_text(basis, encoding="utf-8")
        publish_new({beside: Path(basis_file(target)), rows: target})
    except FileExistsError:  # somebody else made it meanwhile
        require_new(target)
        raise
    except OSError as wrong:
        raise Unavailable(
            "the new file", f"must be written whole ({reason_of(wrong)})", str(target), _WAY_OUT
        ) from wrong


def require_new(target: Path) -> None:
    """Refuse a file that is there, or that stands where its basis goes; a folder, a pipe and a link alike."""
    places = {"the new file": target, "the file beside the new one": Path(basis_file(target))}
    for name, path in places.items():
        if os.path.lexists(path):
            way_out = f"Use another name{'' if path is target else ' for the new file'}, or remove it."
            raise InvalidInput(name, "must not exist yet", str(path), way_out)
