"""What an audit of a table without noise found, in words and as plain values."""

from __future__ import annotations

from typing import Any

from whit import spec
from whit.policy.tables import Audited, CellFound


def opening(found: Audited) -> str:
    """The outcome in two sentences."""
    return f"{found.outcome.value}. {found.headline} Every interval was verified in whole numbers."


def left_words(read: spec.AuditRead, each: CellFound) -> tuple[str, str]:
    """What is left of a cell, and the part of what must be that is exceeded, or not shown."""
    least, most = ends_of(read, each, "no end")
    return (f"only {least}" if each.interval.determined else f"{least} to {most}"), "; ".join(
        each.broken or each.unshown
    )


def ends_of(read: spec.AuditRead, each: CellFound, endless: str) -> list[str]:
    """The least and the largest value that are left, in the unit of the table."""
    ends = (each.interval.least, each.interval.most)
    return [endless if end is None else read.scale.text(end) for end in ends]


def cell_tree(read: spec.AuditRead, each: CellFound) -> dict[str, Any]:
    """A cell for JSON: ends as texts in the unit of the table."""
    least, most = ends_of(read, each, "")
    return {
        "cell": [each.cell] if isinstance(each.cell, str) else list(each.cell),
        "published": read.status.get(each.cell, "withheld"),
        "status": each.status,
        "read_by": each.by,
        "least": least or None,
        "most": most or None,
        "required": list(each.required),
        "exceeded": list(each.broken),
        "not_shown": list(each.unshown),
        "through": list(each.through),
        "why": each.why,
    }
