"""The page of an audit, as one HTML file: what is known and by which sum, what is left, and what that assumes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from whit.audit import cell_text
from whit.display import Markup, Mood, badge, block, folded, heading, joined, paragraph, points, table
from whit.policy import Outcome
from whit.policy.tables import Audited, CellFound
from whit.telling.audits.picture import left_picture, left_text

MOST = 2_000
"""The most cells that a page lists; a file has all of them."""

_STYLE = """
body { margin: 0; background: #ffffff; color: #1f2328; }
main { max-width: 60em; margin: 0 auto; padding: 1em; } figure { margin: 1em 0; }
svg.left { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: currentColor; }
svg.left .open { fill: #2a6fb0; } svg.left .known { fill: #b3261e; } svg.left .faint { opacity: 0.7; }
@media (prefers-color-scheme: dark) { body { background: #14171a; color: #e6e9ed; }
  svg.left .open { fill: #7fb8ee; } svg.left .known { fill: #ff9a92; } }
@media print { details > * { display: block; } }
"""

_CAPTION = "What is left of each cell. A diamond is a cell that is known."

_ASSUMED = (
    "What was published is as stated, and values are whole numbers in the unit of the table.",
    "Readers know what is listed for them, and nothing else.",
    "A rule that withholds cells tells what is stated of it.",
    "Who knows the program that chose further cells to withhold may conclude more.",
)

ANY_PRIOR = "No bound on beliefs holds for every prior: a release without noise can move some belief all the way."
"""What is said first of every audit."""


def audit_page(found: Audited, *, title: str, text: Callable[[int], str] = str) -> str:
    """The page of an audit.

    found   the audit
    title   what was audited
    text    how a value is written
    """
    verdict = joined((badge(*_verdict(found)), found.headline))
    known = [f"{each.why} Read by {each.by}." for each in found.failing if each.interval.determined]
    narrow = [f"{each.why} Read by {each.by}." for each in found.failing if not each.interval.determined]
    picture = left_picture(
        [each.interval for each in found.found if each.by == found.found[0].by], partial(left_text, text=text)
    )
    body = block(
        heading(f"Audit of {title}"),
        paragraph(verdict),
        paragraph(ANY_PRIOR),
        *_listed("Cells that are known exactly, each with the sum that gives it", known),
        *_listed("Cells with too little left", narrow),
        *_listed("Cells that are not shown", [f"{each.why} Read by {each.by}." for each in found.unshown]),
        _cells(found, text),
        Markup(f"<figure>{picture}<figcaption>{_CAPTION}</figcaption></figure>"),
        folded("What this rests on", points(_ASSUMED)),
        paragraph("Every interval was verified in whole numbers, without the solver that found it.", faint=True),
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(f"Audit of {title}")}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style></head><body><main>{body}</main></body></html>\n"
    )


def _verdict(found: Audited) -> tuple[Mood, str]:
    moods = {Outcome.KEPT: Mood.GOOD, Outcome.BROKEN: Mood.BAD, Outcome.OPEN: Mood.OPEN}
    return moods[found.outcome], found.outcome.value


def _listed(title: str, sentences: list[str]) -> list[Markup]:
    return [heading(title), points(sentences[:MOST])] if sentences else []


def _cells(found: Audited, text: Callable[[int], str]) -> Markup:
    ordered = sorted(found.found, key=lambda each: each.is_kept)
    rows = [_row(each, text) for each in ordered[:MOST]]
    more = f" The first {MOST} of {len(ordered)}." if len(ordered) > MOST else ""
    return table(
        ("cell", "read by", "status", "what is left", "required"), rows, f"Every cell that is not exact.{more}"
    )


def _row(each: CellFound, text: Callable[[int], str]) -> tuple[str, ...]:
    mood = {Outcome.KEPT: Mood.GOOD, Outcome.BROKEN: Mood.BAD, Outcome.OPEN: Mood.OPEN}[each.outcome]
    left = left_text(each.interval, text)
    return cell_text(each.cell), each.by, badge(mood, each.status), left, "; ".join(each.required) or "nothing"
