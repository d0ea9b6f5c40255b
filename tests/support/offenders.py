"""One check over many files, keys or texts: it fails once, and lists everything that breaks the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Subject = TypeVar("Subject")


def offenders(subjects: Mapping[str, Subject], find: Callable[[Subject], Iterable[object]]) -> dict[str, list[object]]:
    """What the rule finds at each subject, by the name of the subject; those at which it finds nothing are left out."""
    found = {name: list(find(subject)) for name, subject in subjects.items()}
    return {name: items for name, items in found.items() if items}


def check_all(subjects: Mapping[str, Subject], find: Callable[[Subject], Iterable[object]]) -> None:
    """Fail with one line for each offender; also if there is nothing to look at."""
    assert subjects, "there is nothing to look at"
    found = offenders(subjects, find)
    listed = "\n".join(f"  {name}: {', '.join(map(str, items))}" for name, items in found.items())
    assert not found, f"{len(found)} of {len(subjects)} break the rule\n{listed}"
