"""The release beside those of the catalogue that have the same unit of privacy."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from whit.errors import NotImplied
from whit.mechanisms import Gaussian
from whit.semantics.testing import power
from whit.setting import Knowledge, Neighbours
from whit.spec import Release, Series
from whit.telling.catalogue import (
    FAILURE,
    LEVEL,
    PRIOR,
    Deployment,
    belief,
    by_unit,
    deployments,
    risks,
    with_unit,
)
from whit.telling.reports.cases import AnsweredRelease
from whit.telling.reports.document import Paragraph, Points, Section, Table
from whit.telling.reports.wording import Words
from whit.theory import Answer


def comparison(work: AnsweredRelease) -> Section:
    """The section: releases with the same unit; else those about the same unit within another period, unranked."""
    request, words = work.request, work.words
    title, apart = words("comparison.title"), Paragraph(words("comparison.apart"))
    same, near = with_unit(request.unit), _other_period(request)
    rest = Paragraph(words("comparison.rest", number=words.count(len(deployments()) - len(same or near))))
    unit = {"unit": words.unit(request.unit.name), "period": words.period(request.unit.period)}
    if same:
        table = _table(request, same, words)
        last = [row[-1] for row in table.rows] if len(table.header) == _COLUMNS else []
        return Section(title, (apart, Paragraph(_read(words, last)), table, rest))
    if near:
        opening = Paragraph(words("comparison.other_period", **unit))
        read = Paragraph(_read(words, []))
        return Section(title, (apart, opening, read, _table(request, near, words, by_period=True), rest))
    units = ", ".join(
        words("comparison.has_unit", unit=words.unit(each.name), period=words.period(each.period)) for each in by_unit()
    )
    return Section(title, (apart, Paragraph(words("comparison.none", **unit, units=units))))


def sources(work: AnsweredRelease) -> tuple[Section, ...]:
    """The appendix that says where the catalogue has its rows from."""
    shown = with_unit(work.request.unit) or _other_period(work.request)
    points = tuple(_source(each, work.words) for each in shown)
    return (Section(work.words("comparison.sources"), (Points(points),)),) if points else ()


_COLUMNS = 6
"""The columns of the table; the last one, the power of Gaussian noise, is left out where it is known of no row."""


_WIDTHS = (13, 14, 7, 8, 7, 7)
_WIDTHS_BY_PERIOD = (13, 6, 14, 7, 8, 7)
"""The widths of the columns; those of releases about another period have one for the period, and none at the end."""


def _read(words: Words, gaussian: Collection[object]) -> str:
    """What the columns are, the last one only if there are cells of it."""
    level, prior, failure = (words.percent(each) for each in (LEVEL, PRIOR, FAILURE))
    said = [words("comparison.read", level=level, prior=prior, failure=failure)]
    said += [words("comparison.read_gaussian")] if gaussian else []
    said += [words("comparison.read_dash")] if words("comparison.nothing") in gaussian else []
    return " ".join(said)


def _other_period(request: Release) -> tuple[Deployment, ...]:
    """The releases about the same unit within another period."""
    near = [each for unit, several in by_unit().items() if unit.name == request.unit.name for each in several]
    return tuple(sorted(near, key=lambda each: (each.year, each.curator, each.product)))


def _table(request: Release, others: tuple[Deployment, ...], words: Words, *, by_period: bool = False) -> Table:
    """The release in the first row: all releases together if the period holds them all, else each by itself."""
    period = {} if by_period else {"period": words.period(request.unit.period)}
    gaps = {"unit": words.unit(request.unit.name), **period}
    suffix, widths = ("_unit", _WIDTHS_BY_PERIOD) if by_period else ("", _WIDTHS)
    header = words.names(f"comparison.header{suffix}", prior=words.percent(PRIOR), level=words.percent(LEVEL))
    rows = [_ours(request, words), *(_row(each, words) for each in others)]
    periods = [words.period(each) for each in (request.unit.period, *(one.unit.period for one in others))]
    if by_period:
        rows = [(name, period, *cells[:-1]) for (name, *cells), period in zip(rows, periods, strict=True)]
    elif all(row[-1] == words("comparison.nothing") for row in rows):
        header, rows = header[:-1], [row[:-1] for row in rows]
    return Table(words(f"comparison.caption{suffix}", **gaps), header, tuple(rows), widths[: len(header)])


def _ours(request: Release, words: Words) -> tuple[str, ...]:
    series, name = request.series, words("comparison.ours", name=request.name)
    if not request.covers_all:
        number = words.count(series.releases)
        series, name = replace(series, releases=1), words("comparison.ours_each", name=request.name, number=number)
    found = words.top(power(series.together, LEVEL, neighbours=series.relation, knows=Knowledge.ANY_BELIEF))
    gaussian = found if isinstance(series.one, Gaussian) else words("comparison.nothing")
    stated, related = words.promise(series.words), _related(series.neighbours, words)
    return name, stated, related, _believed(series, words), found, gaussian


def _row(deployment: Deployment, words: Words) -> tuple[str, ...]:
    found = risks(deployment)
    gaussian = words.top(found.if_gaussian[0]) if found.if_gaussian else words("comparison.nothing")
    gaps = {"curator": deployment.curator, "product": deployment.product, "year": str(deployment.year)}
    related, risk = _related(deployment.neighbours, words), _without_exception(found.posterior, words)
    stated = words.promise(deployment.stated)
    return words("comparison.row", **gaps), stated, related, risk, words.top(found.power), gaussian


def _related(neighbours: Neighbours, words: Words) -> str:
    return words(f"related.{neighbours.name.lower()}")


def _source(deployment: Deployment, words: Words) -> str:
    return words(
        "comparison.source",
        product=deployment.product,
        source=deployment.source,
        link=deployment.link,
        checked=deployment.checked.isoformat(),
        note=deployment.note,
    )


def _believed(series: Series, words: Words) -> str:
    """The belief that the catalogue compares; a promise may be too weak to bound it."""
    try:
        return _without_exception(belief(series.together, neighbours=series.relation), words)
    except NotImplied:
        return words("summary.not_known")


def _without_exception(answer: Answer, words: Words) -> str:
    """The largest that a number may be; the text above the table says with which probability it may be false."""
    return words.top(answer) if answer.worst is None else words.top_alone(answer.worst.bound)
