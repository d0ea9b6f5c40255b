"""An account of the ledger over time: the risk in steps, and its limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from whit.errors import NotImplied
from whit.ledger import Course, used_text
from whit.telling.plots.answers import Columns, certainty, knowing, percent, said
from whit.telling.plots.layers import Spec, axis, layer, layered, marked, rows_of, whole_ticks
from whit.telling.plots.lettering import noted
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import Plane, Room
from whit.telling.plots.releases import limit_line, limit_text
from whit.telling.plots.style import COLOURS, Page
from whit.telling.plots.texts import LONGEST_NAME, shortened
from whit.telling.plots.wording import Words, capital, words_of
from whit.theory import Quantity, Unit

_SHARE_OF_LAST = 12
"""The last step is at least this part of the way to it, so that it is seen among many."""


def account_over_time(course: Course, *, language: str = "en") -> Picture:
    """The risk of an account after each of its releases, as steps up to its limit.

    Args:
        course: what `ledger.course_of` found.
        language: the code of the language of its words, such as "de".
    """
    words = words_of(language)
    known = [(step, step.risk) for step in course.steps if step.risk is not None]
    if not known:
        rule = "has no bound that could be drawn"
        raise NotImplied(f"the risk of account {course.account.name}", rule, course.written, "Use another book.")
    risks = [float(risk) for _, risk in known]
    quantity, most = known[0][1].quantity, course.limit.largest
    title = words("account.title", name=shortened(course.account.name, LONGEST_NAME))
    caption = _caption(course, quantity, words)
    last, found = known[-1]
    told = words("account.after", releases=str(last.releases), risk=said(found, 0, words))
    table = Columns(
        {
            "releases": [step.releases for step, _ in known],
            "last entry": [step.entry for step, _ in known],
            f"{quantity.name} at most": risks,
        }
    )
    allowed = capital(limit_text(most, quantity.unit, words))
    alt = words("account.step_chart", title=title, text=f"{caption} {told} {allowed}.")
    chart = partial(_chart, [step.releases for step, _ in known], risks, most, quantity, words)
    return pictured(chart, title=title, caption=caption, alt=alt, table=table, language=language)


def _caption(course: Course, quantity: Quantity, words: Words) -> str:
    """What the line says, and how much of the limit is used."""
    bound, name = certainty(float(course.account.failure), words), capital(words.quantity(quantity.name))
    line = words("account.line", quantity=name, certainty=bound)
    prior = course.limit.parameters.get("prior")
    if isinstance(prior, float):
        line = f"{words('common.prior', prior=percent(prior, words))} {line}"
    line += knowing(course.limit.knows, words)
    if course.used is None:
        return f"{line} {words('account.no_book')}"
    return f"{line} {words('account.used', share=words.language.digits(used_text(course.used)))}"


def _chart(
    releases: Sequence[int], risks: Sequence[float], most: float, quantity: Quantity, words: Words, page: Page
) -> Spec:
    """The steps, with the limit as a line across."""
    percent = quantity.unit is Unit.PROBABILITY
    top = 1.0 if percent else 1.15 * max([most, *(risk for risk in risks if math.isfinite(risk))])
    last = float(releases[-1])
    end = last + max(last / _SHARE_OF_LAST, 1.0)
    ticks = [each for each in whole_ticks(0.0, end) if each <= last]
    x = axis("releases", words("account.x"), (0.0, end), whole=True, values=ticks, words=words)
    y = axis("risk", words.quantity(quantity.name), (0.0, top), percent=percent, apart=True, words=words)
    rows = rows_of(releases=[float(each) for each in releases], risk=risks)
    line = {"type": "line", "interpolate": "step-after", "strokeWidth": 2.5, "color": COLOURS[0]}
    level, room = limit_line(most, x, y, quantity.unit, words), Room(Plane.on(page, x, y))
    for points in (*level["crossed"], _steps([*releases, end], [*risks, risks[-1]])):
        room.crossed(*points)
    steps = layer([*rows, {"releases": end, "risk": risks[-1]}], line, x, y)
    layers = [*level["below"], steps, marked(rows[-1], x, y, rim=False), *noted(level["notes"], room)]
    return layered(layers, page.width, page.height)


def _steps(releases: Sequence[float], risks: Sequence[float]) -> tuple[list[float], list[float]]:
    """The corners of the line, which goes on to the next release before it rises."""
    across = [each for pair in pairwise(releases) for each in pair]
    return [*map(float, across), float(releases[-1])], [*(risk for risk in risks[:-1] for _ in range(2)), risks[-1]]
