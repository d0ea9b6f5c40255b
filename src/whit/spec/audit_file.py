"""What is to be audited, from a table or from a TOML file that names tables, readers and limits."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from whit.audit import (
    OUTSIDER,
    Between,
    Cell,
    Exact,
    Hierarchy,
    Knowledge,
    Publication,
    Said,
    Suppressed,
    adds_up,
    cell_text,
    together,
)
from whit.audit import table as table_of
from whit.errors import InvalidInput
from whit.files import from_home, place_beside
from whit.policy.tables import OUTSIDER_NAME, CellLimit, LevelsLeft, Reader, Task, ValuesLeft
from whit.spec.cell_limit import CELL_LIMITS, cell_limits_of
from whit.spec.cell_words import Read, Scale, decimals_of, read_cell
from whit.spec.given import Given
from whit.spec.hierarchy_file import Column, described, flat_hierarchy, hierarchy_of
from whit.spec.table_jj import FURTHER, PUBLISHED, JJTable, read_jj, scaled_equations
from whit.spec.table_rows import Rows, rows_of_csv, rows_of_tab
from whit.spec.toml import Entry, read, read_text

_LINKED = ("file", "dimensions", "value", "flag", "flags", "hierarchies", "totals")
_TABLE = (*_LINKED, "least")
_CELL = 'Name a cell by its codes, such as ["B05", "IE04"].'
_KNOWS = 'Write knows = { cell = ["B05", "IE04"], contributes = 20 }, or value = 20 for all of it.'
_LEAST = 'Write a number such as 0, or "none" for values that may be as low as they like.'


@dataclass(frozen=True)
class AuditRead:
    """A publication that was read, ready to be audited.

    name       the file
    task       what is to be audited; it has no true values
    scale      the unit of whole numbers
    status     how each cell is published, in a word
    truth      the true value of every cell, where the file has all of them; confidential
    """

    name: str
    task: Task
    scale: Scale
    status: Mapping[Cell, str]
    truth: Mapping[Cell, int] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Linked:
    """One table of a publication: its rows, its hierarchies, the words of its flags."""

    rows: Rows
    hierarchies: tuple[Hierarchy, ...]
    flags: Mapping[str, str] = field(default_factory=dict)

    @property
    def totals(self) -> dict[str, str]:
        """The code of the grand total of each dimension."""
        return dict(zip(self.rows.dimensions, map(top_of, self.hierarchies), strict=True))


def read_audit(path: str | os.PathLike[str], limits: Sequence[CellLimit] = ()) -> AuditRead:
    """What is to be audited, from a file by its ending: .toml, .jj, .tab with its .rda beside it, else CSV.

    limits   further limits, beside those of the file
    """
    name = os.path.basename(from_home(path))
    ending = os.path.splitext(name)[1].lower()
    if ending == ".toml":
        return _of_toml(read(path), name, tuple(limits))
    if ending == ".tab":
        return _joined(name, [_table_of_file(from_home(path), name, Given({}))], tuple(limits))
    return audit_of(read_text(path), name, limits)


def audit_in(given: Given) -> AuditRead:
    """What is to be audited, from a table [audit] of another file: a file beside that one, and further limits."""
    given.only(("file", *CELL_LIMITS), needed=("file",))
    source, name = given.source, given.words("file")
    if not (isinstance(source, Entry) and source.folder):  # somebody else's text must not open what this machine holds
        raise given.refuse("file", "must stand in a file", "Save the text as a file, beside the table that it names.")
    with given.placed():
        read_text(name, beside=source.folder)
    limits = {key: value for key, value in given.values.items() if key in CELL_LIMITS}
    return read_audit(place_beside(source.folder, name), cell_limits_of(replace(given, values=limits)))


def audit_of(text: str, name: str, limits: Sequence[CellLimit] = ()) -> AuditRead:
    """What is to be audited, from the text of one table: JJ by the ending of its name, else CSV.

    limits   what must be left for every cell that is not published exactly
    """
    if name.lower().endswith(".jj"):
        return _of_jj(read_jj(text, name), name, tuple(limits))
    return _joined(name, [_table_of_csv(text, name, Given({}), "")], tuple(limits))


def starting_from_truth(found: AuditRead) -> Task:
    """The task with the true values as its first table; certificates of it are confidential."""
    if found.truth is None:
        way_out = "Leave out --confidential, or give a file with the values of withheld cells under their flags."
        raise InvalidInput("the true values", "must be in the file, one for each cell", "fewer", way_out)
    return replace(found.task, truth=found.truth)


def top_of(hierarchy: Hierarchy) -> str:
    """The code of the grand total: the one that is no part of another."""
    inside = {code for parts in hierarchy.parts.values() for code in parts}
    tops = [code for code in hierarchy.parts if code not in inside]
    if len(tops) != 1:
        way_out = "Give a hierarchy in which all codes lead to one total."
        raise InvalidInput("a hierarchy", "must have one grand total", ", ".join(tops) or "none", way_out)
    return tops[0]


def _table_of_file(path: str, name: str, said: Given, folder: str | None = None) -> Linked:
    """A table with its hierarchies; files that it names lie beside it."""
    beside = (os.path.dirname(path) or ".") if folder is None else folder
    text = read_text(path, beside=folder)
    if name.lower().endswith(".tab"):
        description = described(read_text(name[:-4] + ".rda", beside=beside), name[:-4] + ".rda")
        codes = [column for column in description.columns if column.role == "code"]
        rows = rows_of_tab(text, name, description)
        flags = _marks(rows) | _flags(said)
        return Linked(rows, tuple(_of_column(each, rows, at, beside) for at, each in enumerate(codes)), flags)
    return _table_of_csv(text, name, said, beside)


def _table_of_csv(text: str, name: str, said: Given, beside: str) -> Linked:
    columns: dict[str, Any] = {key: said.words(key) for key in ("value", "flag") if key in said}
    columns["dimensions"] = said.list_of_words("dimensions")
    rows = rows_of_csv(text, name, columns)
    if not columns["dimensions"]:
        rows = rows.without_constant()
    return Linked(rows, tuple(_hierarchies(rows, said, beside)), _flags(said))


def _marks(rows: Rows) -> dict[str, str]:
    """What the marks of a .tab file say: m and x are of cells that were withheld to protect others."""
    marks = {row.flag for row in rows.rows if row.flag}
    return {mark: "suppressed: complementary" if mark in FURTHER else "suppressed" for mark in marks}


def _flags(said: Given) -> dict[str, str]:
    """The words of each flag, which is written as in the table."""
    flags = said.values.get("flags", {})
    if not isinstance(flags, Mapping) or not all(isinstance(words, str) for words in flags.values()):
        raise said.invalid("flags", "must be a table of texts", 'Write c = "suppressed: 1 to 4" under [table.flags].')
    return {str(flag): str(words) for flag, words in flags.items()}


def _of_column(column: Column, rows: Rows, at: int, beside: str) -> Hierarchy:
    if column.hierarchy:
        text = read_text(column.hierarchy, beside=beside)
        return hierarchy_of(text, column.hierarchy, total=column.total, lead=column.lead)
    codes = rows.codes(at)
    found = flat_hierarchy(codes, column.name, total=column.total if column.total in codes else "")
    return Hierarchy.flat(codes, total=column.total) if found is None else found


def _hierarchies(rows: Rows, said: Given, beside: str) -> Iterator[Hierarchy]:
    """The hierarchy of each dimension: from a file or a table that is named, else its codes and their total."""
    files, totals = said.table("hierarchies"), said.table("totals")
    known = [each.lower().replace("-", "_") for each in rows.dimensions]
    files.only(known)
    totals.only(known)
    for at, (name, plain) in enumerate(zip(rows.dimensions, known, strict=True)):
        total = totals.words(plain) if plain in totals else ""
        if plain in files and isinstance(files.values[plain], str):
            file = files.words(plain)
            top = total or next((code for code in rows.codes(at) if code.lower() in ("total", "_t", "all")), "Total")
            yield hierarchy_of(read_text(file, beside=beside), file, total=top)
        elif plain in files:
            yield _stated(files, plain)
        else:
            yield _required(flat_hierarchy(rows.codes(at), name, total=total), name)


def _stated(given: Given, key: str) -> Hierarchy:
    """A hierarchy that is written out: the parts of each total."""
    said = given.values[key]
    if not isinstance(said, Mapping) or not all(isinstance(parts, list) for parts in said.values()):
        way_out = 'Write the name of a file, or { Total = ["A", "B"], A = ["A1", "A2"] }.'
        raise given.invalid(key, "must be a file or the parts of each total", way_out)
    return Hierarchy({str(code): tuple(map(str, parts)) for code, parts in said.items()})


def _required(hierarchy: Hierarchy | None, name: str) -> Hierarchy:
    if hierarchy is None:
        raise InvalidInput(f"the dimension {name}", "must have more than one code", "one", "Leave the dimension out.")
    return hierarchy


def _joined(name: str, tables: Sequence[Linked], limits: tuple[CellLimit, ...]) -> AuditRead:
    """Several tables as one publication: a cell has a code of every dimension of any of them, or its total."""
    totals: dict[str, str] = {}
    for each in tables:
        for dimension, total in each.totals.items():
            if totals.setdefault(dimension, total) != total:
                way_out = "Use the same code in all tables."
                raise InvalidInput(
                    f"the total of {dimension}", "must be one code", f"{totals[dimension]}, {total}", way_out
                )
    scale = Scale(max(decimals_of(row.value) for each in tables for row in each.rows.rows))
    reads: dict[Cell, Read] = {}
    parts: list[Publication] = []
    for each in tables:
        own = {row.codes: _read(each, at, scale) for at, row in enumerate(each.rows.rows)}
        published = {codes: found.statement for codes, found in own.items()}
        place = _Places(each.rows.dimensions, totals)
        parts.append(place.moved(table_of(each.hierarchies, published)))
        for codes, found in own.items():
            cell = place.cell(codes)
            reads[cell] = _both(reads[cell], found) if cell in reads else found
    return _finished(name, together(*parts), scale, reads, limits)


def _both(first: Read, second: Read) -> Read:
    """What two tables say of one cell: what is published counts; both must spare it."""
    if isinstance(first.statement, Suppressed) and isinstance(second.statement, Suppressed):
        truth = second.truth if first.truth is None else first.truth
        return Read(first.statement, first.is_further and second.is_further, truth)
    return second if isinstance(first.statement, Suppressed) else first


def _read(linked: Linked, at: int, scale: Scale) -> Read:
    row = linked.rows.rows[at]
    place = f"{linked.rows.file}, line {row.line}:"
    return read_cell(row.value, row.flag, place, scale, linked.flags, is_sdmx=linked.rows.is_sdmx)


@dataclass(frozen=True)
class _Places:
    """Where the cells of one table are among those of all."""

    dimensions: tuple[str, ...]
    totals: Mapping[str, str]

    def cell(self, codes: tuple[str, ...]) -> Cell:
        """A cell of the table, with the total of every dimension that it does not have."""
        own = dict(zip(self.dimensions, codes, strict=True))
        return tuple(own.get(name, total) for name, total in self.totals.items())

    def moved(self, publication: Publication) -> Publication:
        """The publication with the cells of all tables."""
        equations = [adds_up(*self._sides(each.terms.items())) for each in publication.equations]
        said: list[Said] = [(self._at(cell), statement) for cell, statement in publication.statements]
        return Publication(said, equations)

    def _at(self, cell: Cell) -> Cell:
        assert isinstance(cell, tuple)
        return self.cell(cell)

    def _sides(self, terms: Any) -> tuple[Cell, list[Cell]]:
        [total] = [cell for cell, times in terms if times > 0]
        return self._at(total), [self._at(cell) for cell, times in terms if times < 0]


def _finished(
    name: str, publication: Publication, scale: Scale, reads: Mapping[Cell, Read], limits: tuple[CellLimit, ...]
) -> AuditRead:
    """What was read, with the true values where the file has all of them."""
    spared = frozenset(cell for cell, each in reads.items() if each.is_further)
    status = {cell: _status(each) for cell, each in reads.items()}
    truth: dict[Cell, int] = {}
    for cell, each in reads.items():
        value = each.statement.value if isinstance(each.statement, Exact) else each.truth
        if value is not None:
            truth[cell] = value
    complete = len(truth) == len(publication.cells)
    task = Task(publication, limits=limits or (ValuesLeft(2),), spared=spared)
    return AuditRead(name, task, scale, status, truth if complete else None)


def _status(each: Read) -> str:
    if isinstance(each.statement, Suppressed):
        return "withheld to protect others" if each.is_further else "withheld"
    return "exact" if isinstance(each.statement, Exact) else "coarsened"


def _of_jj(table: JJTable, name: str, limits: tuple[CellLimit, ...]) -> AuditRead:
    """A JJ file: published cells are exact, all others withheld; its bounds are known, its levels required."""
    exponents = [each.value.as_tuple().exponent for each in table.cells]
    scale = Scale(max((-int(each) for each in exponents), default=0))
    said: list[Said] = []
    own: dict[Cell, tuple[CellLimit, ...]] = {}
    known: list[Said] = []
    for cell in table.cells:
        value = scale.whole(cell.value)
        is_open = cell.status in PUBLISHED
        said.append((cell.name, Exact(value) if is_open else Suppressed()))
        if not is_open:
            known.append((cell.name, Between(scale.up(cell.low), scale.down(cell.high))))
        if not is_open and cell.status not in FURTHER and any(cell.levels):
            own[cell.name] = (LevelsLeft(value, *(scale.up(level) for level in cell.levels)),)
    reads: dict[Cell, Read] = {
        cell.name: Read(statement, cell.status in FURTHER, scale.whole(cell.value))
        for cell, (_, statement) in zip(table.cells, said, strict=True)
    }
    publication = Publication(said, scaled_equations(table, scale.whole))
    found = _finished(name, publication, scale, reads, limits)
    reader = Reader(OUTSIDER_NAME, Knowledge(known, least=None))
    return replace(found, task=replace(found.task, own=own, readers=(reader,)))


def _of_toml(whole: Given, name: str, limits: tuple[CellLimit, ...]) -> AuditRead:
    """A TOML file: [table], [[together]], [[equation]], [[adversary]] and [limit]."""
    whole.only(("table", "together", "equation", "adversary", "limit"), needed=("table",))
    assert isinstance(whole.source, Entry)
    folder = whole.source.folder
    tables = []
    for each, known in ((whole.table("table"), _TABLE), *((each, _LINKED) for each in whole.tables("together"))):
        if known is _LINKED and "least" in each:
            raise each.refuse("least", "is about the cells of all tables", "Write it in [table].")
        each.only(known, needed=("file",))
        tables.append(_table_of_file(each.words("file"), each.words("file"), each, folder))
    stated = tuple(limit for each in whole.tables("limit") for limit in cell_limits_of(each))
    found = _joined(name, tables, (*limits, *stated))
    equations = [_equation(each, found) for each in whole.tables("equation")]
    publication = together(found.task.publication, Publication((), equations)) if equations else found.task.publication
    knowledge = _least(whole.table("table"), found.scale)
    readers = tuple(_reader(each, publication, found.scale, knowledge) for each in whole.tables("adversary"))
    task = replace(found.task, publication=publication, readers=readers or (Reader(OUTSIDER_NAME, knowledge),))
    return replace(found, task=task)


def _least(given: Given, scale: Scale) -> Knowledge:
    """What everybody knows of the cells: that they are 0 or more, unless the file says otherwise."""
    if "least" not in given:
        return OUTSIDER
    said = given.values["least"]
    if isinstance(said, str) and said.strip().lower() == "none":
        return Knowledge(least=None)
    number = Decimal(str(said)) if isinstance(said, int | Decimal) and not isinstance(said, bool) else None
    if number is None or not number.is_finite():
        raise given.invalid("least", "must be the least value that a cell can have", _LEAST)
    with given.placed():
        return Knowledge(least=scale.whole(number))


def _equation(given: Given, found: AuditRead) -> Any:
    given.only(("name", "total", "parts"), needed=("total", "parts"))
    known = set(found.task.publication.cells)
    parts = given.values["parts"]
    if not isinstance(parts, list):
        raise given.invalid("parts", "must be a list of cells", _CELL)
    total, *others = (_cell(given, codes, known) for codes in (given.values["total"], *parts))
    return adds_up(total, others, name=given.words("name"))


def _cell(given: Given, codes: object, known: set[Cell]) -> Cell:
    cell: Cell = tuple(map(str, codes)) if isinstance(codes, list) else str(codes)
    if cell not in known:
        raise InvalidInput(given.source.about("a cell"), "must be one of the tables", cell_text(cell), _CELL)
    return cell


def _decimal(given: Given, key: str) -> Decimal:
    with suppress(InvalidOperation):
        if (found := Decimal(str(given.values[key]))).is_finite():
            return found
    raise given.invalid(key, "must be a number", _KNOWS)


def _reader(given: Given, publication: Publication, scale: Scale, everybody: Knowledge) -> Reader:
    """Somebody who reads, and what they know: of cells their value, their own part in it, or that it is 0."""
    given.only(("name", "knows"), needed=("name",))
    known, knowledge = set(publication.cells), everybody
    for each in given.tables("knows"):
        each.only(("cell", "value", "contributes"), needed=("cell",))
        cell = _cell(each, each.values["cell"], known)
        amounts = {key: scale.whole(_decimal(each, key)) for key in ("value", "contributes") if key in each}
        if len(amounts) != 1:
            raise InvalidInput(each.source.about("what somebody knows"), "must be one number", sorted(amounts), _KNOWS)
        with each.placed():
            knowledge = (
                knowledge.knowing({cell: amounts["value"]})
                if "value" in amounts
                else knowledge.contributing({cell: amounts["contributes"]})
            )
    return Reader(given.words("name"), knowledge)
