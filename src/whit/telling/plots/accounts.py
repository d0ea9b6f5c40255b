"""An account of the ledger over time: the risk in steps, and its limit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from whit.errors import NotImplied
from whit.ledger import Course, used_text
from whit.telling.plots.answers import Columns, certainty, said
from whit.telling.plots.curves import limit_line
from whit.telling.plots.layers import Spec, axis, layer, layered, marked, rows_of
from whit.telling.plots.lettering import noted
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import Plane, Room
from whit.telling.plots.style import COLOURS, HEIGHT, WIDTH
from whit.telling.plots.texts import LONGEST_NAME, shortened
from whit.theory import Unit


def account_over_time(course: Course) -> Picture:
    """The risk of an account after each of its releases, as steps up to its limit.

    Args:
        course: what `ledger.course_of` found.
    """
    known = [(step, step.risk) for step in course.steps if step.risk is not None]
    if not known:
        rule = "has no bound that could be drawn"
        raise NotImplied(f"the risk of account {course.account.name}", rule, course.written, "Use another book.")
    risks = [float(risk) for _, risk in known]
    quantity, most = known[0][1].quantity, course.limit.largest
    percent = quantity.unit is Unit.PROBABILITY
    last = max(step.releases for step, _ in known)
    ends = (0.0, float(max(last, 1)))
    x = axis("releases", "releases that count", ends, whole=True)
    top = 1.0 if percent else 1.15 * max(*risks, most)
    y = axis("risk", quantity.name, (0.0, top), percent=percent)
    rows = rows_of(releases=[float(step.releases) for step, _ in known], risk=risks)
    line = {"type": "line", "interpolate": "step-after", "strokeWidth": 2.5, "color": COLOURS[0]}
    level, room = limit_line(most, x, y, quantity.unit), Room(Plane(x, y, WIDTH, HEIGHT))
    room.crossed(*_steps(rows))
    room.crossed(ends, [most, most])
    layers = [*level["below"], layer(rows, line, x, y), marked(rows[-1], x, y), *noted(level["notes"], room)]
    allowed = level["notes"][0].text
    used = "no book is left" if course.used is None else f"{used_text(course.used)} of the limit is used"
    title = f"The risk of account {shortened(course.account.name, LONGEST_NAME)}"
    bound = certainty(float(course.account.failure))
    caption = (
        f"{quantity.name[:1].upper()}{quantity.name[1:]} is at most the line at every moment, {bound}. "
        f"{used[:1].upper()}{used[1:]}."
    )
    told = f"After {known[-1][0].releases} releases it is {said(known[-1][1], 0)}."
    table = Columns(
        {
            "releases": [step.releases for step, _ in known],
            "last entry": [step.entry for step, _ in known],
            f"{quantity.name} at most": risks,
        }
    )
    alt = f"Step chart. {title}. {caption} {told} {allowed[:1].upper()}{allowed[1:]}."
    return pictured(layered(layers), title=title, caption=caption, alt=alt, table=table)


def _steps(rows: Sequence[Spec]) -> tuple[list[float], list[float]]:
    """The corners of the line, which goes on to the next release before it rises."""
    corners = [(after["releases"], before["risk"]) for before, after in pairwise(rows)]
    found = sorted([*corners, *((row["releases"], row["risk"]) for row in rows)])
    return [x for x, _ in found], [y for _, y in found]
