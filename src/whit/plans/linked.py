"""Queries about units that are linked to the protected one, such as the housing unit that a person lives in.

A plan protects one unit, say a person. What a person's move does to a count of occupied housing units depends on who
else lives there; so a plan says which reading it takes, and every answer repeats it.
"""

from __future__ import annotations

from enum import Enum


class Linked(Enum):
    """What a change of a protected record does to the records of linked units; the value is a sentence that says it."""

    AS_THE_PERSON = (
        "Where the place of a record may be another, one record of a linked unit changes with it; where everything "
        "about the record may be another, it changes at every level."
    )
    EMPTIED_AND_FILLED = (
        "A record that moves empties one linked unit and fills another: two of them change where its place does, and "
        "no total above."
    )
    EMPTIED_OR_FILLED = (
        "A record that moves or drops out may empty or fill one linked unit and no other: its record changes at every "
        "level."
    )
    WORST = (
        "A record that moves may empty one linked unit or fill another or both: two records count where its place "
        "changes, and one at every other level."
    )
    UNTOUCHED = "The records of linked units stay as they are, since others live there."

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Linked.{self.name}"

    @property
    def records_where_moved(self) -> int:
        """How many records of linked units change at a level at which the place changes."""
        return {Linked.UNTOUCHED: 0, Linked.EMPTIED_AND_FILLED: 2, Linked.WORST: 2}.get(self, 1)

    @property
    def records_elsewhere(self) -> int:
        """How many change at a level at which the place stays, if it changes at another."""
        return 1 if self in (Linked.EMPTIED_OR_FILLED, Linked.WORST) else 0

    @property
    def records_of_presence(self) -> int:
        """How many change, at every level, if the record is added or removed."""
        return 0 if self is Linked.UNTOUCHED else 1
