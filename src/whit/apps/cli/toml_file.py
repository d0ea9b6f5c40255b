"""TOML files that state promises, profiles and limits; whatever is wrong is told with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whit.apps.cli.written import Given, plain
from whit.errors import InvalidInput, WhitError

if TYPE_CHECKING:
    from pathlib import Path

_READ = "Give the path of a text file in TOML."


@dataclass(frozen=True)
class Part:
    """One table of a file: its values, and where to look for them.

    Attributes:
        path: the file.
        text: all that is in it.
        first: the line on which the table begins, counted from 1.
        given: what the table holds.
    """

    path: Path
    text: str
    first: int
    given: Given

    def line(self, name: str) -> int:
        """The line on which a name of the table is given; that of the table itself if it is not found."""
        wanted = re.compile(rf'^\s*["\']?{re.escape(name).replace("_", "[-_]")}["\']?\s*=', flags=re.IGNORECASE)
        lines = self.text.splitlines()[self.first - 1 :]
        found = (at for at, line in enumerate(lines, start=self.first) if wanted.match(line))
        return next(found, self.first)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Put the file and the line before what is wrong with the values."""
        try:
            yield
        except WhitError as wrong:
            words = [plain(word) for word in re.findall(r"[\w-]+", f"{wrong.name} {wrong.value}")]
            named = next((name for name in self.given if plain(name) in words), "")
            place = f"{self.path}, line {self.line(named)}: {wrong.name}"
            raise type(wrong)(place, wrong.rule, wrong.value, wrong.way_out) from wrong


def read(path: str | Path) -> tuple[Path, str, dict[str, object]]:
    """The file, its text, and what it holds."""
    import tomllib  # these two cost as much as an answer, and most commands read no file
    from pathlib import Path

    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not text"
        raise InvalidInput(f"the file {file}", f"must be readable ({reason})", str(file), _READ) from wrong
    try:
        return file, text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        place = re.search(r"line (\d+)", str(wrong))
        line = int(place[1]) if place else len(text.splitlines())
        rule = f"must be TOML: {str(wrong).partition(' (')[0].lower()}"
        raise InvalidInput(f"{file}, line {line}:", rule, _line(text, line), "Correct the line.") from wrong


def parts(path: str | Path, table: str) -> tuple[Part, ...]:
    """The tables of this name; the whole file if it has no tables at all.

    A file may state one `[promise]`, several `[[promise]]`, or have the parameters of a single one at its top.
    """
    file, text, content = read(path)
    found = content.get(table)
    if isinstance(found, list) and found and all(isinstance(each, dict) for each in found):
        heads = _heads(text, rf"\[\[\s*{table}\s*\]\]") or [1]
        return tuple(Part(file, text, heads[min(at, len(heads) - 1)], _plain(each)) for at, each in enumerate(found))
    if isinstance(found, dict):
        return (Part(file, text, (_heads(text, rf"\[\s*{table}\s*\]") or [1])[0], _plain(found)),)
    if found is None and not any(isinstance(value, dict) for value in content.values()):
        return (Part(file, text, 1, _plain(content)),)
    near = f"It has {', '.join(content) or 'nothing'}."
    raise InvalidInput(f"the file {file}", f"must have a table [{table}]", str(file), near)


def has(path: str | Path, table: str) -> bool:
    """Whether a file has such a table."""
    return table in read(path)[2]


def _plain(content: dict[str, object]) -> dict[str, object]:
    return {plain(name): value for name, value in content.items()}


def _heads(text: str, pattern: str) -> list[int]:
    """The lines on which such a head stands."""
    return [at for at, line in enumerate(text.splitlines(), start=1) if re.match(rf"\s*{pattern}", line)]


def _line(text: str, line: int) -> str:
    lines = text.splitlines()
    return repr(lines[line - 1].strip()) if 0 < line <= len(lines) else "the end of the file"
