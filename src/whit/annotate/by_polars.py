"""Polars: a LazyFrame in, a LazyFrame out; the distinct settings are collected, the rows are not."""

from __future__ import annotations

from functools import partial
from typing import Any

from whit.annotate.annotated import Annotated
from whit.annotate.by_arrow import columns_of
from whit.annotate.columns import Holds, RiskColumns, answers_for, charges_for, settled, totals_for
from whit.annotate.compute import Computing
from whit.annotate.lookup import Answers, Charges, Looked, found_by
from whit.annotate.rounding import Rounding
from whit.annotate.setting import MOST_GRAINS, Plain
from whit.display import polars
from whit.errors import InvalidInput


def annotate_polars(frame: Any, columns: RiskColumns | None = None, computing: Computing | None = None) -> Annotated:
    """A LazyFrame of Polars with risk columns; the rows stay in their order.

    The frame is read twice: for its settings at once, and when somebody collects or sinks what comes back.

    Args:
        frame: a polars.LazyFrame; a polars.DataFrame is taken as lazy.
        columns: what is read and added; columns by their names, at even odds, if it is left out.
        computing: how many processes, and where answers are kept.
    """
    library, columns, computing = polars(), *settled(columns, computing)
    if not isinstance(frame, library.LazyFrame | library.DataFrame):
        way_out = "Use polars.scan_parquet(...), or a polars.DataFrame."
        raise InvalidInput("frame", "must be a LazyFrame of Polars", type(frame).__name__, way_out)
    lazy = frame.lazy()
    if columns.unit:
        lazy, lookup = _totals(lazy, columns, computing), totals_for(columns)
    else:
        lookup = answers_for(columns, _columns(lazy))
    keyed, looked = _looked(lazy, lookup, computing)
    found = _joined(keyed, lookup, looked).select(*lazy.collect_schema().names(), *lookup.names)
    return Annotated(found, lookup.read, looked.table.num_rows, looked.basis, looked.cost)


def _columns(lazy: Any) -> dict[str, Holds]:
    return columns_of(lazy.head(0).collect().to_arrow().schema)


def _looked(lazy: Any, lookup: Answers | Charges, computing: Computing) -> tuple[Any, Looked]:
    """The frame with its keys, and what is looked up by them."""
    keyed = lazy.with_columns(**{key: _key(lookup, word) for key, word in lookup.keys.items()})
    keys = keyed.select(*lookup.keys).unique(maintain_order=True).collect(engine="streaming")
    return keyed, found_by(lookup, _plain_types(keys.to_arrow()), computing, partial(_place, keyed))


def _key(lookup: Answers | Charges, word: str) -> Any:
    """A key as an expression: a column, or a column that whit rounds."""
    library, how = polars(), lookup.rounded(word)
    if how is None:
        return library.col(lookup.read[word])
    rounding, names = how
    kind = library.Int64 if rounding.whole else library.Float64
    several = library.struct(*names)
    return several.map_batches(partial(_rounded, rounding, names), return_dtype=kind)


def _rounded(rounding: Rounding, names: tuple[str, ...], cells: Any) -> Any:
    columns = [_plain_type(cells.struct.field(name).to_arrow()) for name in names]
    return polars().Series(rounding.column(*columns))


def _joined(keyed: Any, lookup: Answers | Charges, looked: Looked) -> Any:
    """The rows with what was found for each; keys are equal where both are empty."""
    found = polars().from_arrow(looked.table).lazy()
    types = {key: keyed.collect_schema()[key] for key in lookup.keys}
    found = found.with_columns(**{key: polars().col(key).cast(kind) for key, kind in types.items()})
    return keyed.join(found, on=list(lookup.keys), how="inner", nulls_equal=True, maintain_order="left")


def _totals(lazy: Any, columns: RiskColumns, computing: Computing) -> Any:
    """One row for each unit: how many charges it has, and their exact totals in grains."""
    library, lookup = polars(), charges_for(columns, _columns(lazy))
    keyed, looked = _looked(lazy, lookup, computing)
    rows = _joined(keyed, lookup, looked)
    # Sums of 64 bits would wrap around.
    sums = {name: library.col(name).cast(library.Int128).sum().clip(upper_bound=MOST_GRAINS) for name in lookup.totals}
    totals = rows.group_by(columns.unit).agg(charges=library.len().cast(library.Int64), **sums)
    return totals.with_columns(library.col(*lookup.totals).cast(library.Int64))


def _place(keyed: Any, key: Plain) -> str:
    """The first row with a key, counted from 1."""
    library = polars()
    same = [library.col(name).eq_missing(library.lit(value)) for name, value in key.items()]
    rows = keyed.with_row_index("whit_row").filter(*same).select("whit_row").head(1).collect()
    return f"row {rows['whit_row'][0] + 1}"


def _plain_types(table: Any) -> Any:
    """The table with texts of one type."""
    for at, name in enumerate(table.column_names):
        table = table.set_column(at, name, _plain_type(table[name]))
    return table


def _plain_type(column: Any) -> Any:
    return column.cast("string") if str(column.type) in ("large_string", "string_view") else column
