"""The release beside those of the catalogue that have the same unit of privacy."""

from __future__ import annotations

from dataclasses import replace

from whit.errors import NotImplied
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
from whit.telling.reports.document import Paragraph, Points, Section, Table
from whit.telling.reports.sentences import percent, top

_HEADER = (
    "Release",
    "Stated",
    "Neighbours: one record",
    "Belief from even odds",
    "Power at 5 % false alarms",
    "The same if Gaussian",
)
_NEIGHBOURS = {
    Neighbours.ADD_REMOVE: "added or removed",
    Neighbours.REPLACE: "replaced",
    Neighbours.LOCAL: "sent in place of another",
}
_APART = (
    "An epsilon for a person and one for a person's day are different promises, so releases are compared with those of "
    "the same unit only. Nor is a record that is added or removed the same as one that is replaced, which is up to "
    "twice as far. What others do is no proof that it is acceptable."
)


def comparison(request: Release) -> Section:
    """The section; without a table if nobody in the catalogue has the same unit."""
    same = with_unit(request.unit)
    others = len(deployments()) - len(same)
    rest = f"The catalogue holds {others} releases with other units, which are not shown here."
    if not same:
        unit = f"one {request.unit.name} within {request.unit.period}"
        units = ", ".join(f"{each.name} within {each.period}" for each in by_unit())
        none = f"No release of the catalogue has the unit of this one, {unit}. It has these: {units}."
        return Section("Beside other releases", (Paragraph(_APART), Paragraph(none)))
    read = (
        f"Read across: the largest posterior from a prior of {percent(PRIOR)} of somebody who may believe anything "
        f"about the others, but for a chance of {percent(FAILURE)}; the largest power of a test that gives "
        f"{percent(LEVEL)} false alarms; and that power if the noise is Gaussian, where that is documented."
    )
    sources = Points(tuple(_source(each) for each in same))
    blocks = (Paragraph(_APART), Paragraph(read), _table(request, same), sources, Paragraph(rest))
    return Section("Beside other releases", blocks)


def _table(request: Release, same: tuple[Deployment, ...]) -> Table:
    """The release in the first row: all releases together if the period holds them all, else each by itself."""
    series = request.series if request.covers_all else replace(request.series, releases=1)
    each = "" if request.covers_all else f", each of {request.series.releases} releases"
    ours = (
        f"This release: {request.name}{each}",
        series.words,
        _NEIGHBOURS[series.neighbours],
        _believed(series),
        top(power(series.together, LEVEL, neighbours=series.relation, knows=Knowledge.ANY_BELIEF)),
        "–",
    )
    caption = f"Releases whose unit is one {request.unit.name} within {request.unit.period}, by year"
    return Table(caption, _HEADER, (ours, *(_row(each) for each in same)), (6, 3, 3, 3, 3, 3))


def _row(deployment: Deployment) -> tuple[str, ...]:
    found = risks(deployment)
    gaussian = top(found.if_gaussian[0]) if found.if_gaussian else "–"
    name = f"{deployment.curator}: {deployment.product} ({deployment.year})"
    relation = _NEIGHBOURS[deployment.neighbours]
    return name, deployment.stated, relation, top(found.posterior), top(found.power), gaussian


def _source(deployment: Deployment) -> str:
    note = f" {deployment.note}" if deployment.note else ""
    checked = f"checked {deployment.checked.isoformat()}"
    return f"{deployment.product}: {deployment.source}, {deployment.link} ({checked}).{note}"


def _believed(series: Series) -> str:
    """The belief that the catalogue compares; a promise may be too weak to bound it."""
    try:
        return top(belief(series.together, neighbours=series.relation))
    except NotImplied:
        return "not known"
