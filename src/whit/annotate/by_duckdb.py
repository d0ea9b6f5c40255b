"""DuckDB: files of any size, Parquet or CSV, through distinct keys and a join; nothing is half written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

from whit.annotate.annotated import Annotated, basis_text
from whit.annotate.by_arrow import columns_of
from whit.annotate.columns import KEY, Holds, RiskColumns, answers_for, charges_for, settled, totals_for
from whit.annotate.compute import Computing
from whit.annotate.lookup import Answers, Charges, Looked, found_by
from whit.annotate.publishing import publish, require_new, scratch
from whit.annotate.reading import READERS, distinct, ending, require_heads, rows_of, sql_name, sql_text
from whit.annotate.rounding import Rounding
from whit.annotate.setting import MOST_GRAINS, Plain
from whit.display import pyarrow, steps
from whit.errors import InvalidInput, Unavailable, missing_extra
from whit.files import from_home, place_of
from whit.notations import require_held

WRITERS = {
    ".parquet": "(FORMAT parquet)",
    ".csv": "(FORMAT csv, HEADER)",
    ".tsv": "(FORMAT csv, HEADER, DELIMITER '\\t')",
}
"""How a file is written."""

_ENDINGS = "Use a file whose name ends in .parquet, .csv or .tsv."
_PERCENT = 100
_LONG = {"int64": "BIGINT", "uint64": "UBIGINT"}
_ARROW: dict[str, Any] = {"type": "arrow", "null_handling": "special"}


def annotate_file(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    columns: RiskColumns | None = None,
    computing: Computing | None = None,
    *,
    memory: str = "",
    threads: int = 0,
) -> Annotated:
    """Write a file with risk columns beside those of another, which may be larger than memory.

    What the numbers rest on is written beside it, in a file that ends in .basis.json. Both appear at the end; whatever
    stops the work before leaves neither.

    Args:
        source: a Parquet or CSV file, or several by a pattern such as "day-*.parquet".
        out: the new file, which must not exist, as little as the one beside it.
        columns: what is read and added; columns by their names, at even odds, if it is left out.
        computing: how many processes, and where answers are kept.
        memory: the most memory that DuckDB takes, such as "4GB"; what does not fit goes to disk beside the new file.
        threads: how many threads DuckDB uses; as many as there are cores if it is 0.
    """
    columns, computing = settled(columns, computing)
    target, source_place = place_of(out), place_of(source)
    for name, path, known in (("the table", source_place, READERS), ("the new file", target, WRITERS)):
        if path.suffix.lower() not in known:
            raise InvalidInput(name, "must be Parquet or CSV", str(path), _ENDINGS)
    if source_place.exists() and not source_place.is_file():
        raise InvalidInput("the table", "must be an ordinary file", str(source), "Copy what is in it into a file.")
    require_new(target)
    with scratch(target) as folder, _opened(folder, memory, threads) as base:
        table = _Table(base, from_home(source))
        if columns.unit:
            table, lookup = _totals(table, columns, computing), totals_for(columns)
        else:
            lookup = answers_for(columns, table.columns)
        looked = table.look_up(lookup, computing)
        written = folder / f"rows{target.suffix.lower()}"
        rows = table.write(lookup, looked, written)
        publish(written, target, basis_text(looked.basis))
    return Annotated(str(out), lookup.read, looked.table.num_rows, looked.basis, looked.cost, rows)


@contextmanager
def _opened(folder: Path, memory: str, threads: int) -> Iterator[Any]:
    """DuckDB in memory, with a folder for what does not fit; its errors become sentences."""
    pyarrow(purpose="for risk columns")
    try:
        import duckdb
    except ImportError as missing:
        raise missing_extra("duckdb", "tables", purpose="to annotate files") from missing
    # The rows of one file stay in their order if it is the answers, and not the rows, that a join looks up in.
    settings = {"temp_directory": str(folder / "spill"), "disabled_optimizers": "join_order,build_side_probe_side"}
    settings |= {"memory_limit": memory} if memory else {}
    try:
        base = duckdb.connect(config={**settings, **({"threads": threads} if threads else {})})
        try:
            yield base
        finally:
            base.close()
    except duckdb.Error as wrong:
        said = str(wrong).partition("\n")[0]
        way_out = "Correct the file, give more memory, or make room on the disk."
        raise Unavailable("the table", "must be read and written by DuckDB", said, way_out) from wrong


class _Table:
    """Rows in DuckDB: a file, or what a query gives.

    Args:
        base: the connection.
        file: the file, or several by a pattern; empty for a query.
        query: the query.
    """

    def __init__(self, base: Any, file: str = "", query: str = "") -> None:
        self.base, self.file, self.functions = base, file, set[str]()
        self.rows = query or rows_of(file)
        self.schema = base.sql(f"{self.rows} LIMIT 0").to_arrow_table().schema
        if file:
            require_heads(base, file)

    @property
    def columns(self) -> dict[str, Holds]:
        """The columns, and what each holds."""
        return columns_of(self.schema)

    def keyed(self, lookup: Answers | Charges, rows: str = "") -> str:
        """The query of the rows with their keys beside them."""
        keys = [f"{self._key(lookup, word)} AS {key}" for key, word in lookup.keys.items()]
        return f"SELECT *, {', '.join(keys)} FROM ({rows or self.rows})"

    def _key(self, lookup: Answers | Charges, word: str) -> str:
        """A key as SQL: a column, or a column that a function of whit rounds."""
        how = lookup.rounded(word)
        if how is None:
            return sql_name(lookup.read[word])
        rounding, columns = how
        number, function = "BIGINT" if rounding.whole else "DOUBLE", f"whit_round_{word}"
        types = [self._number(columns[0]), *(["VARCHAR"] if len(columns) == 2 else [])]
        if function not in self.functions:
            self.base.create_function(function, _of(rounding, len(types)), types, number, **_ARROW)
            self.functions.add(function)
        cells = [f"{sql_name(column)}::{kind}" for column, kind in zip(columns, types, strict=True)]
        return f"{function}({', '.join(cells)})"

    def _number(self, column: str) -> str:
        """The type in which a function of whit gets a number: a cast of a long whole number would round it."""
        return _LONG.get(str(self.schema.field(column).type), "DOUBLE")

    def look_up(self, lookup: Answers | Charges, computing: Computing) -> Looked:
        """What is looked up by the distinct keys."""
        lost = self._lost(lookup)
        rows = self.keyed(lookup, rows_of(self.file, lost=lost)) if lost else self.keyed(lookup)
        few = f"{distinct(lookup.keys, lost.values(), rows)} LIMIT {computing.most + 1}"
        keys = _watched(self.base, lambda base: base.sql(few).to_arrow_table(), "percent of the distinct settings")
        for column, name in lost.items():
            self._require_held(column, lost, keys[name].to_pylist())
        return found_by(lookup, keys.drop_columns([*lost.values()]), computing, partial(self._place, lookup))

    def _lost(self, lookup: Answers | Charges) -> dict[str, str]:
        """The columns of a CSV file whose numbers may have become 0 or infinite, with names for their texts."""
        if not self.file or ending(self.file) == ".parquet":
            return {}
        doubles = [
            name for name in dict.fromkeys(lookup.read.values()) if str(self.schema.field(name).type) == "double"
        ]
        return {name: f"{KEY}text_{at}" for at, name in enumerate(doubles)}

    def _require_held(self, column: str, lost: dict[str, str], texts: Iterable[list[str | None]]) -> None:
        """Refuse a number that is not the 0 or the infinity that it was read as."""
        for text in dict.fromkeys(each for several in texts for each in several if each is not None):
            try:
                require_held(text.strip(), float(text), f"column {column}")
            except InvalidInput as wrong:
                rows = rows_of(self.file, lost=lost, numbered=True)
                place = self._first(rows, f"{lost[column]} = $text", {"text": text})
                raise wrong.renamed(f"{place}: {wrong.name}") from wrong

    def joined(self, lookup: Answers | Charges, looked: Looked, names: list[str]) -> str:
        """The query of the rows with what was found for each; keys are equal where both are empty."""
        self.base.register("whit_looked", looked.table)
        found = f"whit_{type(lookup).__name__.lower()}"
        self.base.execute(f"CREATE TEMP TABLE {found} AS FROM whit_looked")
        self.base.unregister("whit_looked")
        empty = {key for key in lookup.keys if looked.table[key].null_count}
        same = [f"r.{key} {'IS NOT DISTINCT FROM' if key in empty else '='} f.{key}" for key in lookup.keys]
        own = ", ".join(f"r.{sql_name(name)}" for name in self.columns)
        new = ", ".join(f"f.{sql_name(name)}" for name in names)
        return f"SELECT {own}, {new} FROM ({self.keyed(lookup)}) r JOIN {found} f ON {' AND '.join(same)}"

    def write(self, lookup: Answers, looked: Looked, path: Path) -> int:
        """Write the rows with their answers; refused if the table changed in the meantime."""
        query = f"COPY ({self.joined(lookup, looked, lookup.names)}) TO {sql_text(str(path))} {WRITERS[path.suffix]}"
        rows = _watched(self.base, lambda base: base.execute(query).fetchone()[0], "percent of the rows")
        expected = self.base.execute(f"SELECT count(*) FROM ({self.rows})").fetchone()[0]
        if rows != expected:
            way_out = "Run it again on a table that nobody writes to."
            raise Unavailable(
                "the table", "must stay as it is while it is read", f"{expected - rows} rows more", way_out
            )
        return int(rows)

    def _place(self, lookup: Answers | Charges, key: Plain) -> str:
        """The file and the row of the first row with a key, counted from 1."""
        # What is no number would arrive as an empty cell, and is in no statistics of Parquet: only its text is found.
        odd = [name for name, value in key.items() if value != value]
        found = [f"{name} IS NOT DISTINCT FROM ${name}" for name in key if name not in odd]
        same = " AND ".join([*found, *(f"{name}::VARCHAR = 'nan'" for name in odd)])
        key = {name: value for name, value in key.items() if name not in odd}
        if not self.file:
            query = f"SELECT * FROM ({self.keyed(lookup)}) WHERE {same} LIMIT 1"
            return f"unit {self.base.execute(query, key).fetchone()[0]}"
        return self._first(self.keyed(lookup, rows_of(self.file, numbered=True)), same, key)

    def _first(self, rows: str, condition: str, values: Mapping[str, Any]) -> str:
        """The file and the number of the first of these rows for which a condition holds."""
        query = f"SELECT filename, file_row_number FROM ({rows}) WHERE {condition} ORDER BY ALL LIMIT 1"
        file, row = self.base.execute(query, values).fetchone()
        return f"{Path(file).name}, row {row + 1}"


def _of(rounding: Rounding, columns: int) -> Callable[..., Any]:
    """A function of so many arguments, which DuckDB counts."""
    if columns == 1:
        return lambda numbers: rounding.column(_whole(numbers))
    return lambda numbers, kinds: rounding.column(_whole(numbers), _whole(kinds))


def _whole(cells: Any) -> Any:
    return cells.combine_chunks() if hasattr(cells, "combine_chunks") else cells


def _totals(table: _Table, columns: RiskColumns, computing: Computing) -> _Table:
    """One row for each unit: how many charges it has, and their exact totals in grains."""
    lookup, unit = charges_for(columns, table.columns), sql_name(columns.unit)
    query = table.joined(lookup, table.look_up(lookup, computing), list(lookup.totals))
    # A sum of BIGINT is a HUGEINT: it does not overflow.
    totals = ", ".join(f"least(sum({name}), {MOST_GRAINS})::BIGINT AS {name}" for name in lookup.totals)
    summed = f"SELECT {unit}, count(*) AS charges, {totals} FROM ({query}) GROUP BY {unit}"
    create = f"CREATE TEMP TABLE whit_units AS {summed}"
    _watched(table.base, lambda base: base.execute(create), "percent of the charges")
    return _Table(table.base, query="FROM whit_units")


def _watched(base: Any, work: Any, what: str) -> Any:
    """What a query gives; meanwhile a sign says how much is done, and an interrupt ends the query."""
    found: list[Any] = []
    wrong: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work(base))
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits
            wrong.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        for percent in steps(range(_PERCENT), what, _PERCENT):
            while thread.is_alive() and base.query_progress() < percent + 1:
                thread.join(0.1)
    except BaseException:
        base.interrupt()
        thread.join()
        raise
    thread.join()
    if wrong:
        raise wrong[0]
    return found[0]
