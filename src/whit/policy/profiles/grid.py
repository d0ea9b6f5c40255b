"""A profile by a table: limits at some beliefs, interpolated between them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from itertools import pairwise
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, TooCostly, require
from whit.files import content_of, place_of
from whit.notations import from_toml
from whit.numerics import ULP, probability
from whit.policy.profiles.profile import TINY, Array, Domain, RiskProfile, fixed, relative_limit

Row = tuple[float, float, float]
Indices = NDArray[np.intp]

COLUMNS = ("inclusion", "value", "relative")

MOST_ROWS = 200_000
"""A longer table is refused before its rows are looked at."""

FEW_LINES = 4
"""Lines of the grid that are looked at one by one where they cross a box."""

ROOM = 1e-12
"""A posterior that falls by less than this is taken not to fall."""

_ROWS = "Give rows of inclusion, value and relative, or two columns and the other belief as a keyword."
_THINNED = "Leave out rows: between those that stay the largest posterior is linear in each belief."
_HOLE = "Add the row, or leave out the other rows with this inclusion or this value."


@dataclass(frozen=True)
class Table(RiskProfile):
    """Limits on a grid of beliefs; between its points the largest posterior is linear in each belief.

    Below the smallest belief of the grid the largest posterior stays as it is there; above the largest there is no
    limit. Between points the relative risk rises or falls steadily in each belief.

    Attributes:
        inclusions: the inclusions of the grid, rising.
        values: the values of the grid, rising.
        limits: one row of limits for each inclusion.
    """

    inclusions: tuple[float, ...]
    values: tuple[float, ...]
    limits: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        shape = (len(self.inclusions), len(self.values))
        whole = len(self.limits) == shape[0] and all(len(row) == shape[1] for row in self.limits)
        rule = "must have a row of limits for each inclusion, with one for each value"
        require(whole and min(shape) > 0, name="the table", rule=rule, value=self.limits, way_out=_ROWS)
        for nodes in (self.inclusions, self.values):
            rising = all(a < b for a, b in pairwise((0.0, *nodes))) and nodes[-1] <= 1.0
            rule = "must have beliefs above 0 and at most 1 that rise"
            require(rising, name="the table", rule=rule, value=nodes, way_out=_ROWS)
        for limit in {limit for row in self.limits for limit in row}:
            relative_limit("a limit of the table", limit)

    @property
    def domain(self) -> Domain:
        """Up to the largest beliefs of the grid; a single one is fixed."""
        ranges = [(nodes[0] if len(nodes) == 1 else 0.0, nodes[-1]) for nodes in (self.inclusions, self.values)]
        return Domain(*ranges)

    def to_dict(self) -> dict[str, Any]:
        """The names and values that state it in options and files."""
        rows = zip(self.inclusions, self.limits, strict=True)
        listed = [[p, q, most] for p, row in rows for q, most in zip(self.values, row, strict=True)]
        return {"table": listed}

    def _limit(self, p: Array, q: Array) -> Array:
        (i, j, s), (k, m, t) = _between(self.inclusions, p), _between(self.values, q)
        grid, posteriors = self._grid, self._posteriors
        places = ((i, k), (j, k), (i, m), (j, m))
        weights = ((1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t)
        mean = np.asarray(sum(w * posteriors[place] for w, place in zip(weights, places, strict=True)))
        least = np.min([grid[place] for place in places], axis=0)
        with np.errstate(over="ignore"):
            return np.asarray(np.maximum(mean / np.maximum(p * q, TINY) * (1 - 16 * ULP), least))

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        """The least over the box's corners and the points where lines of the grid cross the box.

        Where many lines cross it, the least limit of the cells that it touches: no limit in a cell is below all those
        at its corners, up to rounding.
        """
        p_lines = _Lines(self.inclusions, p_low.ravel(), p_high.ravel())
        q_lines = _Lines(self.values, q_low.ravel(), q_high.ravel())
        least = self._ranges.least(*p_lines.touched, *q_lines.touched) * (1 - 64 * ULP)
        few = np.asarray(p_lines.few & q_lines.few)
        if few.any():
            ps, qs = _distinct(p_lines.crossings(few)), _distinct(q_lines.crossings(few))
            least[few] = np.min([self._limit(p, q) for p in ps for q in qs], axis=0)
        return least.reshape(p_low.shape)

    def notices(self) -> tuple[str, ...]:
        """Which adversaries the table leaves out, and where a higher prior is allowed a lower posterior."""
        ranges = (("an inclusion", self.domain.inclusion), ("a value", self.domain.value))
        short = [f"{name} above {high:.3g}" for name, (low, high) in ranges if low < high < 1.0]
        left_out = (f"The table sets no limit to adversaries with {' or '.join(short)}.",) if short else ()
        return (*left_out, *self._crossed())

    @cached_property
    def _grid(self) -> Array:
        return np.asarray(self.limits)

    @cached_property
    def _ranges(self) -> _Ranges:
        return _Ranges(self._grid)

    @cached_property
    def _posteriors(self) -> Array:
        """The largest posterior at each point of the grid; above 1 where the limit is void."""
        return self._grid * np.multiply.outer(self.inclusions, self.values).astype(np.float64)

    def _crossed(self) -> tuple[str, ...]:
        posterior = np.minimum(self._posteriors, 1.0)
        for axis, (name, nodes) in enumerate((("inclusion", self.inclusions), ("value", self.values))):
            for place in np.argwhere(np.diff(posterior, axis=axis) < -ROOM)[:1]:
                at = f"from {name} {nodes[place[axis]]:.3g} to {nodes[place[axis] + 1]:.3g}"
                return (f"The largest posterior falls {at}: a higher prior is allowed a lower posterior.",)
        return ()


def _distinct(points: Iterable[Array]) -> list[Array]:
    """The points without those that repeat others, as all do where a belief is fixed."""
    found: list[Array] = []
    for each in points:
        if not any(np.array_equal(each, other) for other in found):
            found.append(each)
    return found


def table(
    source: str | PathLike[str] | Mapping[float, float] | Iterable[Sequence[float]],
    *,
    inclusion: float | None = None,
    value: float | None = None,
) -> Table:
    """A profile by rows of inclusion, value and largest relative risk, or of one belief where the other is fixed.

    Args:
        source: rows, a mapping from the free belief to the limit, or the path of a file. A .csv file has a header with
            `inclusion`, `value` and `relative`; a .toml file has tables [[limit]] with these fields. A column of a
            belief that is fixed by keyword may be left out.
        inclusion: the inclusion of all rows, if it is fixed.
        value: the value of all rows, if it is fixed.

    >>> profile = table({0.01: 10.0, 0.1: 3.0, 1.0: 1.5}, value=1.0)
    >>> round(float(profile.limit(0.1, 1.0)), 6)
    3.0
    """
    given = {"inclusion": inclusion, "value": value}
    said = {name: fixed(name, belief)[0] for name, belief in given.items() if belief is not None}
    rows = _rows(source)
    if len(rows) > MOST_ROWS:
        rule = f"must have at most {MOST_ROWS:,} rows to be read and searched in seconds"
        raise TooCostly("the table", rule, f"{len(rows):,} rows", _THINNED)
    return _table([_row(place, row, said) for place, row in enumerate(rows, start=1)])


def _table(rows: list[Row]) -> Table:
    """The grid of the rows, complete and without rows that contradict each other."""
    require(len(rows) > 0, name="the table", rule="must have at least one row", value="none", way_out=_ROWS)
    found: dict[tuple[float, float], float] = {}
    for p, q, limit in rows:
        if found.setdefault((p, q), limit) != limit:
            place = f"{found[p, q]!r} and {limit!r} at inclusion {p!r} and value {q!r}"
            raise InvalidInput(
                "the table", "must have one limit for each inclusion and value", place, "Keep one of them."
            )
    ps, qs = (tuple(sorted({place[k] for place in found})) for k in (0, 1))
    hole = next(((p, q) for p in ps for q in qs if (p, q) not in found), None)
    if hole is not None:
        at = f"none at inclusion {hole[0]!r} and value {hole[1]!r}"
        raise InvalidInput("the table", "must have no hole", at, _HOLE)
    return Table(ps, qs, tuple(tuple(found[p, q] for q in qs) for p in ps))


def _rows(source: object) -> list[Any]:
    """The rows of a source, as mappings or as sequences."""
    if isinstance(source, str | PathLike):
        return _read(fspath(source))
    if isinstance(source, Mapping):
        return list(source.items())
    if isinstance(source, Iterable):
        return list(source)
    raise InvalidInput("the table", "must be rows or the path of a file", source, _ROWS)


def _read(path: str) -> list[dict[str, Any]]:
    """The rows of a file."""
    kind = path.rpartition(".")[2].lower()
    rule = "must be the path of a .csv or .toml file"
    require(kind in ("csv", "toml"), name="the table", rule=rule, value=path, way_out=_ROWS)
    try:
        text = content_of(place_of(path)).decode("utf-8-sig")
        if kind == "toml":
            return _listed(from_toml(text.replace("\r\n", "\n"), "the table").get("limit", []))
        return _lines(csv.reader(StringIO(text, newline=""), skipinitialspace=True))
    except InvalidInput:
        raise
    except (OSError, ValueError, csv.Error, RecursionError) as unreadable:  # also no UTF-8, no TOML, a NUL in the path
        shown = path.replace("\0", "\\0")
        rule = f"must be a file that can be read ({_why(unreadable)})"
        raise InvalidInput("the table", rule, shown, "Give the path of a text file in UTF-8.") from unreadable


def _why(unreadable: Exception) -> str:
    """Why a file cannot be read, in a few words."""
    if isinstance(unreadable, RecursionError):
        return "it is nested too deeply"
    if isinstance(unreadable, UnicodeDecodeError):
        return "it is not text"
    return getattr(unreadable, "strerror", None) or str(unreadable)


def _lines(lines: Iterator[list[str]]) -> list[dict[str, Any]]:
    """The rows of a file with a header, each field under its column."""
    header = [name.strip() for name in next(lines, [])]
    for name in filter(None, header):
        rule = "must have one column of each name"
        require(header.count(name) == 1, name="the table", rule=rule, value=f"two of {name!r}", way_out=_ROWS)
    found = []
    for place, fields in enumerate((each for each in lines if each), start=1):
        rule = f"must have a field for each of the {len(header)} column(s)"
        fit = not any(each.strip() for each in fields[len(header) :])
        require(fit, name=f"row {place} of the table", rule=rule, value=fields, way_out=_ROWS)
        found.append(dict(zip(header, fields, strict=False)))
    return found


def _listed(limits: object) -> list[Any]:
    """The tables [[limit]] of a file."""
    rule = "must have its rows as tables [[limit]]"
    require(isinstance(limits, list), name="the table", rule=rule, value=limits, way_out=_ROWS)
    return list(limits) if isinstance(limits, list) else []


def _row(place: int, row: object, said: Mapping[str, float]) -> Row:
    """One row, checked, with the belief that is fixed filled in."""
    free = [name for name in COLUMNS if name not in said]
    fields = {**said, **_fields(place, row, free)}
    name = f"row {place} of the table"
    p, q = (probability(f"{belief} in {name}", fields[belief], "Use a probability above 0.") for belief in COLUMNS[:2])
    require(p > 0.0 and q > 0.0, name=name, rule="must have beliefs above 0", value=row, way_out="Use 0.001, say.")
    return p, q, relative_limit(f"relative in {name}", fields["relative"])


def _fields(place: int, row: object, free: list[str]) -> dict[str, Any]:
    """The fields of a row by name; a text that stands for a number becomes one."""
    rule = f"must have {', '.join(free)}"
    name = f"row {place} of the table"
    if isinstance(row, Mapping):
        missing = [column for column in free if row.get(column) is None or str(row[column]) == ""]
        require(not missing, name=name, rule=rule, value=dict(row), way_out=_ROWS)
        return {column: _number(row[column]) for column in free}
    if isinstance(row, np.ndarray) and row.ndim == 1:
        row = row.tolist()
    whole = isinstance(row, Sequence) and not isinstance(row, str) and len(row) == len(free)
    require(whole, name=name, rule=rule, value=row, way_out=_ROWS)
    assert isinstance(row, Sequence)
    return dict(zip(free, row, strict=True))


def _number(field: object) -> object:
    """The number that a text of a file stands for; what is none is left for the check."""
    try:
        return float(field) if isinstance(field, str) else field
    except ValueError:
        return field


def _between(nodes: tuple[float, ...], x: Array) -> tuple[Any, Any, Array]:
    """The nodes on either side of x, and how far x is from the first to the second."""
    grid = np.asarray(nodes)
    if grid.size == 1:
        return np.zeros(x.shape, dtype=int), np.zeros(x.shape, dtype=int), np.zeros(x.shape)
    first = np.clip(np.searchsorted(grid, x, side="right") - 1, 0, grid.size - 2)
    share = (x - grid[first]) / (grid[first + 1] - grid[first])
    return first, first + 1, np.clip(share, 0.0, 1.0)


class _Lines:
    """The lines of the grid that cross ranges of one belief."""

    def __init__(self, nodes: tuple[float, ...], low: Array, high: Array) -> None:
        self._grid, self._low, self._high = np.asarray(nodes), low, high
        self._first = np.searchsorted(self._grid, low, side="right")
        self._end = np.searchsorted(self._grid, high, side="left")

    @property
    def few(self) -> NDArray[np.bool_]:
        """Whether few lines cross the range, each by itself."""
        return np.asarray(self._end - self._first <= FEW_LINES)

    @property
    def touched(self) -> tuple[Indices, Indices]:
        """The first and the last line of the cells that each range touches."""
        last = self._grid.size - 1
        return np.clip(self._first - 1, 0, last), np.clip(self._end, 0, last)

    def crossings(self, chosen: NDArray[np.bool_]) -> list[Array]:
        """The ends of the ranges, and the lines inside of them; a line outside is moved to the nearer end."""
        low, high, first = self._low[chosen], self._high[chosen], self._first[chosen]
        inside = (self._grid[np.minimum(first + k, self._grid.size - 1)] for k in range(FEW_LINES))
        return [low, high, *(np.clip(line, low, high) for line in inside)]


class _Ranges:
    """The least number in each rectangle of a grid, by those of rectangles whose sides are powers of two."""

    def __init__(self, grid: Array) -> None:
        self._known = {(0, 0): grid}

    def least(self, top: Indices, bottom: Indices, left: Indices, right: Indices) -> Array:
        """The least number from each top to bottom row and from each left to right column, both included."""
        found = np.empty(top.shape)
        tall, wide = (np.frexp(end - start + 1)[1] - 1 for start, end in ((top, bottom), (left, right)))
        for size in {*zip(tall.ravel().tolist(), wide.ravel().tolist(), strict=True)}:
            these, known = (tall == size[0]) & (wide == size[1]), self._of(*size)
            rows, columns = (top, bottom - 2 ** size[0] + 1), (left, right - 2 ** size[1] + 1)
            found[these] = np.min([known[i[these], j[these]] for i in rows for j in columns], axis=0)
        return found

    def _of(self, tall: int, wide: int) -> Array:
        """The least of the rectangle of 2^tall rows and 2^wide columns that starts at each place."""
        if (tall, wide) not in self._known:
            if tall:
                half, step = self._of(tall - 1, wide), 2 ** (tall - 1)
                self._known[tall, wide] = np.minimum(half[:-step], half[step:])
            else:
                half, step = self._of(tall, wide - 1), 2 ** (wide - 1)
                self._known[tall, wide] = np.minimum(half[:, :-step], half[:, step:])
        return self._known[tall, wide]
