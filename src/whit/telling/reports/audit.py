"""The section about a table that is published without noise: what is known, by which sum, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whit.audit import cell_text
from whit.policy import Outcome
from whit.policy.tables import Audited, CellFound
from whit.telling.audits import left_picture
from whit.telling.reports.audit_words import STATUS, CellWords, headline, required
from whit.telling.reports.cases import AnsweredRelease
from whit.telling.reports.document import Block, Figure, Paragraph, Points, Remark, Section, Table, clipped
from whit.telling.reports.sentences import OUTCOMES, verdict_word
from whit.telling.reports.wording import Words, capital

SENTENCES = 40
"""So many cells of a sort get a sentence; the command whit audit writes all of them to a file."""

ROWS = 60
"""So many cells are in the table, those beyond their limits first."""

BARS = 24
"""So many cells are in the picture, the narrowest first."""

NAME = 80
"""So many letters of the name of a cell are in the table."""


def audit_section(work: AnsweredRelease) -> tuple[Section, ...]:
    """The outcome, one sentence for each disclosed cell with its derivation, the limits, all cells and the picture."""
    if work.audit is None or work.request.table is None:
        return ()
    words, found, read = work.words, work.audit, work.request.table
    cells = CellWords(read, found, words)
    opening: tuple[Block, ...] = (
        Remark(f"{words(f'verdict.{OUTCOMES[found.outcome]}')}. {headline(found, words)}"),
        Paragraph(f"{words('audit.opening', file=read.name)} {words('audit.any_prior')}"),
    )
    rest = Section(words("audit.rests"), (Points(words.names("audit.assumed")), Paragraph(words("audit.verified"))))
    parts = (*_told(found, cells), Section(words("audit.left"), tuple(_left(found, cells))), rest)
    return (Section(words("audit.title"), (*opening, _limits(found, words)), parts),)


def audit_row(work: AnsweredRelease) -> tuple[tuple[str, str, str], ...]:
    """What must be left of the table, the outcome beside it, and the verdict, as a row; nothing without a table."""
    if work.audit is None or work.request.table is None:
        return ()
    words, found = work.words, work.audit
    limits = dict.fromkeys(required(limit, words) for each in found.found for limit, _ in each.judged)
    asked = words("audit.asked", file=work.request.table.name, limits=words.language.listed(limits, "semicolon"))
    return ((asked, headline(found, words), verdict_word(OUTCOMES[found.outcome], words)),)


def _told(found: Audited, cells: CellWords) -> Iterator[Section]:
    """A sentence for each cell that is known, each other one beyond its limits, and each that is not shown."""
    known = [each for each in found.failing if each.interval.determined]
    narrow = [each for each in found.failing if not each.interval.determined]
    for key, several in (("known_title", known), ("narrow_title", narrow), ("unshown_title", list(found.unshown))):
        if several:
            yield Section(cells.words(f"audit.{key}"), tuple(_sentences(several, cells)))


def _sentences(several: list[CellFound], cells: CellWords) -> Iterator[Block]:
    yield Points(tuple(cells.sentence(each) for each in several[:SENTENCES]))
    if len(several) > SENTENCES:
        gaps = {"number": cells.words.count(SENTENCES), "total": cells.words.count(len(several))}
        yield Paragraph(cells.words("audit.more", **gaps))


def _limits(found: Audited, words: Words) -> Table:
    """Each limit, and for how many cells and readers it is kept, exceeded or not shown."""
    judged: dict[str, list[Outcome]] = {}
    for limit, outcome in (pair for each in found.found for pair in each.judged):
        judged.setdefault(capital(required(limit, words)), []).append(outcome)
    order = (Outcome.KEPT, Outcome.BROKEN, Outcome.OPEN)
    rows = tuple((name, *(words.count(each.count(one)) for one in order)) for name, each in judged.items())
    return Table(words("audit.limits_caption"), words.names("audit.limits_header"), rows, (8, 2, 2, 2))


def _left(found: Audited, cells: CellWords) -> Iterable[Block]:
    """The table of cells, and the picture for the first reader."""
    words = cells.words
    ordered = sorted(found.found, key=lambda each: each.is_kept)
    rows = tuple(_row(each, cells) for each in ordered[:ROWS])
    gaps = {"number": words.count(ROWS), "total": words.count(len(ordered))}
    caption = words("audit.cells_caption") if len(ordered) <= ROWS else words("audit.cells_first", **gaps)
    yield Table(caption, words.names("audit.cells_header"), rows, (5, 4, 3, 6, 3))
    if not ordered:
        return
    first = found.task.readers[0].name
    intervals = [each.interval for each in found.found if each.by == first]
    more = words("audit.wider", number=words.count(max(len(intervals) - BARS, 0)))
    svg = left_picture(intervals, cells.left, most=BARS, more=more)
    said = headline(found, words)
    alt = words("audit.alt", number=words.count(min(len(intervals), BARS)), said=said)
    yield Figure(words("audit.figure", name=cells.reader(first)), alt, svg, wide=True)


def _row(each: CellFound, cells: CellWords) -> tuple[str, ...]:
    words = cells.words
    must = words.language.listed((required(limit, words) for limit, _ in each.judged), "semicolon")
    return (
        clipped(cell_text(each.cell), NAME),
        clipped(cells.reader(each.by), NAME),
        cells.left(each.interval),
        must or words("audit.nothing"),
        words(STATUS[each.status]),
    )
