"""The checklist of hazards: what can undo a promise, as questions to whoever releases."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Hazard:
    """One question of the checklist.

    Attributes:
        key: its name in a file.
        group: the part of the work that it belongs to.
        title: a few words for it.
        question: what has to be answered.
        by_file: the part of a report's file that answers it; empty if none does.
    """

    key: str
    group: str
    title: str
    question: str
    by_file: str


def _read() -> tuple[Hazard, ...]:
    text = files(__package__).joinpath("hazards.toml").read_text(encoding="utf-8")
    return tuple(Hazard(key, **row) for key, row in tomllib.loads(text).items())


HAZARDS = _read()
"""The questions, in order."""

KEYS = tuple(each.key for each in HAZARDS)
"""Their names."""
