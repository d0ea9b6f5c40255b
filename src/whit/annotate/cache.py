"""A cache on disk: the answers of settings, by what was asked and by the version of whit."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from whit.errors import Unavailable
from whit.files import place_of
from whit.version import VERSION

_AT_ONCE = 500


class Cache:
    """Answers that were computed before, in one SQLite file of a folder.

    Whoever may write the file may change the answers: keep it where the results are kept.

    Args:
        folder: where the file lies; it is made if there is none.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.path = place_of(folder) / "whit-annotate.sqlite"
        with self._opened() as file:
            file.execute("create table if not exists answers (key text primary key, answer text not null)")

    def read(self, texts: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The answers that are known, by the text of their setting."""
        found: dict[str, dict[str, Any]] = {}
        with self._opened() as file:
            for at in range(0, len(texts), _AT_ONCE):
                keys = {_key(text): text for text in texts[at : at + _AT_ONCE]}
                marks = ", ".join("?" * len(keys))
                rows = file.execute(f"select key, answer from answers where key in ({marks})", list(keys))
                found |= {keys[key]: json.loads(answer) for key, answer in rows}
        return found

    def write(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep answers by the text of their setting."""
        rows = [(_key(text), json.dumps(answer)) for text, answer in answers.items()]
        with self._opened() as file:
            file.executemany("insert or ignore into answers values (?, ?)", rows)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = sqlite3.connect(self.path, timeout=60)
            try:
                with file:
                    yield file
            finally:
                file.close()
        except (OSError, sqlite3.Error, ValueError) as wrong:
            way_out = "Remove the file, or name another folder."
            raise Unavailable(
                "the cache", "must be a file that can be read and written", str(self.path), way_out
            ) from wrong


def _key(text: str) -> str:
    return hashlib.sha256(f"{VERSION}\n{text}".encode()).hexdigest()
