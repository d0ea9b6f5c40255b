"""Several findings over the same places as lines of one picture, each with its name beside it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from whit.telling.plots.answers import Array, chosen, said, values
from whit.telling.plots.layers import Spec, end_labels, lines, rows_of
from whit.theory import Finding


def curve_rows(at: Array, tops: Mapping[str, Finding], x: Spec, y: Spec) -> list[Spec]:
    """The rows of a chart: the series, the place, and the number; a 0 on a scale of powers of ten is far below it."""
    logarithmic, below = y["scale"].get("type") == "log", y["scale"]["domain"][0] * 1e-3
    rows = []
    for name, top in tops.items():
        numbers = values(top)
        drawn = np.where(numbers > 0.0, numbers, below) if logarithmic else numbers
        rows += rows_of(**{"series": [name] * len(at), x["field"]: at, y["field"]: drawn})
    return rows


def curves(
    at: Array, tops: Mapping[str, Finding], x: Spec, y: Spec, *, height: float, clip: bool = False, labels: bool = True
) -> list[Spec]:
    """A line for each finding; where there are several, their names stand at the right in the order of the lines."""
    names = list(tops)
    drawn = [lines(curve_rows(at, tops, x, y), x, y, names, clip=clip)]
    if labels and len(names) > 1:
        drawn += end_labels([(name, *_end(tops[name], y)) for name in names], y, height=height, names=names)
    return drawn


def curve_words(at: Array, tops: Mapping[str, Finding], wanted: tuple[float, ...], place: str) -> str:
    """Some of the numbers of each line, in words; the place is a sentence part with {} for the place itself."""
    told = (
        f"{name}: " + ", ".join(f"{place.format(_short(at[n]))} {said(top, n)}" for n in chosen(at, wanted))
        for name, top in tops.items()
    )
    return "; ".join(told) + "."


def curve_table(place: str, at: Array, quantity: str, tops: Mapping[str, Finding]) -> dict[str, object]:
    """The columns of a table: the places, and a column for each line that says its direction."""
    named = {f"{quantity} {top.direction.value}: {name}": values(top) for name, top in tops.items()}
    return {place: at, **named}


def _end(top: Finding, y: Spec) -> tuple[float, float]:
    """Where a line ends inside the picture; lines that end together are ordered by their middles."""
    low, high = y["scale"]["domain"]
    inside = np.clip(values(top), low, high)
    logs = np.log(inside) if y["scale"].get("type") == "log" else inside
    return float(inside[-1]), float(np.mean(logs))


def _short(number: float) -> str:
    return f"{float(number):.4g}"
