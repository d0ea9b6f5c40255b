"""What the neighbours of a promise leave out, in a sentence: presence, and what a replaced record may change."""

from __future__ import annotations

from whit import spec
from whit.setting import Neighbours

# By this name, so that sentences are loaded when they are asked for.
from whit.theory import echo, noises

PRESENCE = {
    Neighbours.REPLACE: (
        "These numbers are about what a record says, not about whether somebody has one: a record is replaced here, "
        "and none is added or removed."
    ),
    Neighbours.LOCAL: (
        "These numbers are about what the report of one person says, not about whether somebody sends one: a local "
        "promise says nothing about presence."
    ),
}
"""What is said where no neighbours differ in whether a record is there."""

AS_A_COUNT = (
    "A replaced record is taken to change the exact answer by no more than an added one, as in a count. Clipped "
    "gradients and sums may change by twice as much: then state the sensitivity, such as 1:2."
)
"""What is said where noise has the same sensitivity to a replaced record as to an added one."""


def scope_notes(series: spec.Series) -> tuple[str, ...]:
    """What to know about the neighbours before reading a number."""
    notes = [PRESENCE[series.neighbours]] if series.neighbours in PRESENCE else []
    if series.neighbours is Neighbours.REPLACE and _counts_alike(series):
        notes.append(AS_A_COUNT)
    return tuple(notes)


def _counts_alike(series: spec.Series) -> bool:
    """Whether some noise has the same sensitivity to an added record as to a replaced one."""
    known = (each["sensitivity"] for each in noises(echo(series.together)))
    return any(each["add_remove"] == each["replace"] for each in known)
