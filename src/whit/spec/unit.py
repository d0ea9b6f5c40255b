"""Whom or what a promise is about, as a file states it in [unit]: one place for every command that reads the file."""

from __future__ import annotations

from dataclasses import dataclass

from whit.setting import UnitOfPrivacy
from whit.spec.given import Given

COVERS = {"all_releases": True, "each_release": False}
"""The words for what a period holds, and whether that is all releases together."""

_PERIOD = 'Write period = "one year" above it, or leave covers out.'


@dataclass(frozen=True)
class StatedUnit:
    """The unit of a file.

    Attributes:
        unit: whom or what the promise is about.
        covers_all: whether its period holds all releases, and not each of them one; None if the file does not say so.
    """

    unit: UnitOfPrivacy
    covers_all: bool | None


def unit_of(given: Given) -> StatedUnit:
    """The unit that a table states."""
    given.only(("name", "period", "covers"), needed=("name",))
    name, period = given.words("name"), given.words("period")
    if "covers" in given and "period" not in given:
        raise given.refuse("covers", "goes with a period", _PERIOD)
    covers_all = given.word("covers", COVERS, between=" ") if "covers" in given else None
    with given.placed():
        return StatedUnit(UnitOfPrivacy(name, *([period] if period else [])), covers_all)
