"""Who reads: everybody, those who decide, and those who check."""

from __future__ import annotations

from enum import Enum

from whit.errors import InvalidInput


class Audience(Enum):
    """Who reads; the value is the name by which a caller asks."""

    PUBLIC = "public"
    OFFICER = "officer"
    TECHNICAL = "technical"


def audience_of(name: object) -> Audience:
    """The audience of this name."""
    names = [each.value for each in Audience]
    if isinstance(name, Audience):
        return name
    if isinstance(name, str) and name in names:
        return Audience(name)
    raise InvalidInput("audience", "must be one that texts are written for", name, f"Use one of {names}.")
