"""An account of the ledger over time: the risk in steps, and the limit that it must keep."""

from __future__ import annotations

from whit.errors import NotImplied
from whit.ledger import Course, used_text
from whit.telling.plots.answers import Columns, certainty, said
from whit.telling.plots.layers import COLOURS, axis, layer, layered, marked, reference, rows_of, words
from whit.telling.plots.picture import Picture, pictured
from whit.theory import Direction, Unit, number_text


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
    x = axis("releases", "releases that count", (0.0, float(max(last, 1))), ticks=min(max(last, 1), 8))
    top = 1.0 if percent else 1.15 * max(*risks, most)
    y = axis("risk", quantity.name, (0.0, top), percent=percent)
    rows = rows_of(releases=[float(step.releases) for step, _ in known], risk=risks)
    line = {"type": "line", "interpolate": "step-after", "strokeWidth": 2.5, "color": COLOURS[0]}
    ends = rows_of(releases=[0.0, float(max(last, 1))], risk=[most, most])
    allowed = f"limit {number_text(most, Direction.EXACTLY, quantity.unit)}"
    layers = [reference(ends, x, y), *words(allowed, ends[0], x, y, dx=6, dy=-9), layer(rows, line, x, y)]
    layers.append(marked(rows[-1], x, y))
    used = "no book is left" if course.used is None else f"{used_text(course.used)} of the limit is used"
    title = f"The risk of account {course.account.name}"
    bound = certainty(float(course.account.failure))
    caption = f"Steps: {quantity.name} is at most this at every moment, {bound}. {used[:1].upper()}{used[1:]}."
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
