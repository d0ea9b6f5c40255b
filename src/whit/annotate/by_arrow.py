"""Arrow: tables as a whole, and batches of any number, one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.annotate.annotated import Annotated
from whit.annotate.columns import Holds, RiskColumns, answers_for, charges_for, settled, totals_for
from whit.annotate.compute import Computing
from whit.annotate.lookup import Answers, Charges, Looked, found_by
from whit.annotate.setting import MOST_GRAINS, Plain
from whit.display import pyarrow
from whit.errors import InvalidInput, require_kind
from whit.notations import require_columns_once

_BATCHES = "Use table.to_batches(), or the batches of a reader."
_TABLE = "Use a pyarrow.Table; whit.annotate has functions for Polars, Spark and files."


def annotate(table: Any, columns: RiskColumns | None = None, computing: Computing | None = None) -> Annotated:
    """An Arrow table with risk columns.

    Args:
        table: a pyarrow.Table.
        columns: what is read and added; columns by their names, at even odds, if it is left out.
        computing: how many processes, and where answers are kept.
    """
    arrow, columns, computing = pyarrow(purpose="for risk columns"), *settled(columns, computing)
    if not isinstance(table, arrow.Table):
        raise InvalidInput("table", "must be an Arrow table", type(table).__name__, _TABLE)
    if columns.unit:
        lookup = totals_for(columns)
        table = _totals(table, columns, computing)
    else:
        lookup = answers_for(columns, columns_of(table.schema))
    looked, codes = _looked(table, lookup, computing)
    added = looked.table.select(lookup.names).take(arrow.array(codes))
    for name in lookup.names:
        table = table.append_column(name, added[name])
    return Annotated(table, lookup.read, looked.table.num_rows, looked.basis, looked.cost, table.num_rows)


def annotate_batches(
    batches: Iterable[Any], columns: RiskColumns | None = None, computing: Computing | None = None
) -> Iterator[Any]:
    """Arrow batches with risk columns, one by one; a setting is computed in the first batch that has it.

    The batches of a table that does not fit in memory come from whatever reads it. A unit may have rows in any batch,
    so that charges are not summed here.
    """
    arrow, columns, computing = pyarrow(purpose="for risk columns"), *settled(columns, computing)
    if columns.unit:
        way_out = "Use annotate_file, or annotate with a whole table."
        raise InvalidInput("unit", "must be left out where batches come one by one", columns.unit, way_out)
    known: dict[tuple[object, ...], Plain] = {}
    before = 0
    require_kind(Iterable, batches, name="batches", way_out=_BATCHES)
    for batch in batches:
        require_kind(arrow.RecordBatch, batch, name="a batch", way_out=_BATCHES)
        table = arrow.Table.from_batches([batch])
        lookup = answers_for(columns, columns_of(table.schema))
        keys, codes = distinct_keys(lookup.key_table(table))
        rows = list(zip(*(column.to_pylist() for column in keys.columns), strict=True))
        new = [at for at, row in enumerate(rows) if row not in known]
        place = partial(_place, lookup.key_table(table), before=before)
        found = found_by(lookup, keys.take(arrow.array(new, "int64")), computing, place).table.to_pylist()
        known |= {tuple(row[key] for key in lookup.keys): row for row in found}
        computing.require_few(len(known))
        answers = arrow.Table.from_pylist([known[row] for row in rows], _schema(lookup, keys))
        added = answers.select(lookup.names).take(arrow.array(codes)).combine_chunks()
        for name in lookup.names:
            table = table.append_column(name, added[name])
        before += batch.num_rows
        yield from table.combine_chunks().to_batches()


def columns_of(schema: Any) -> dict[str, Holds]:
    """The columns of an Arrow schema, and what each holds."""
    types = pyarrow().types
    kinds = (types.is_integer, types.is_floating, types.is_decimal)
    found: dict[str, Holds] = {}
    require_columns_once(schema.names)
    for each in schema:
        kind = each.type.value_type if types.is_dictionary(each.type) else each.type
        plain = Holds.NUMBERS if any(check(kind) for check in kinds) else Holds.WORDS
        found[each.name] = Holds.SEVERAL if types.is_nested(kind) else plain
    return found


def distinct_keys(keys: Any) -> tuple[Any, NDArray[np.int64]]:
    """The distinct rows of a table of keys, and which of them each row is."""
    codes = np.zeros(keys.num_rows, dtype=np.int64)
    for column in keys.columns:
        coded = column.combine_chunks().dictionary_encode(null_encoding="encode")
        places = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        codes = _dense(codes * max(1, len(coded.dictionary)) + places)[1]
    first, dense = _dense(codes)
    return keys.take(pyarrow().array(first)), dense


def _dense(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first place of each distinct number, and the numbers counted from 0: products stay below the rows squared."""
    _, first, dense = np.unique(codes, return_index=True, return_inverse=True)
    return first.astype(np.int64), dense.astype(np.int64)


def _looked(table: Any, lookup: Answers | Charges, computing: Computing) -> tuple[Looked, NDArray[np.int64]]:
    """What is looked up by the rows of a table, and which of it each row has."""
    keys = lookup.key_table(table)
    distinct, codes = distinct_keys(keys)
    looked = found_by(lookup, distinct, computing, partial(_place, keys))
    # 0 and -0 are one key, and two codes.
    rows = list(zip(*(column.to_pylist() for column in looked.table.select(list(lookup.keys)).columns), strict=True))
    place = {row: at for at, row in enumerate(rows)}
    each = zip(*(column.to_pylist() for column in distinct.columns), strict=True)
    return looked, np.array([place[row] for row in each], dtype=np.int64)[codes]


def _totals(table: Any, columns: RiskColumns, computing: Computing) -> Any:
    """One row for each unit: how many charges it has, and their exact totals in grains."""
    arrow, lookup = pyarrow(), charges_for(columns, columns_of(table.schema))
    looked, codes = _looked(table, lookup, computing)
    # Sums of decimals do not wrap around, as those of integers do.
    charged = {
        name: looked.table[name].cast(arrow.decimal128(38, 0)).take(arrow.array(codes)) for name in lookup.totals
    }
    rows = arrow.table({columns.unit: _one_each(table[columns.unit]), **charged})
    sums = [(name, "sum") for name in lookup.totals]
    found = rows.group_by(columns.unit, use_threads=False).aggregate([([], "count_all"), *sums])
    totals = {
        name: arrow.array([min(int(each), MOST_GRAINS) for each in found[f"{name}_sum"].to_pylist()], "int64")
        for name in lookup.totals
    }
    return arrow.table({columns.unit: found[columns.unit], "charges": found["count_all"], **totals})


def _one_each(units: Any) -> Any:
    """Units where 0 and -0 are one, and all that is no number another one, as for every other engine."""
    arrow, compute = pyarrow(), import_module("pyarrow.compute")
    coded = arrow.types.is_dictionary(units.type)
    kind = units.type.value_type if coded else units.type
    if not arrow.types.is_floating(kind):
        return units
    plain = units.cast(kind) if coded else units
    whole = plain.combine_chunks().cast("float64")  # which holds every shorter number as it is
    return compute.if_else(compute.is_nan(whole), math.nan, compute.add(whole, 0.0)).cast(kind)


def _place(keys: Any, key: Plain, *, before: int = 0) -> str:
    """The first row with a key, counted from 1."""
    columns = [keys[name].to_pylist() for name in key]
    rows = zip(*columns, strict=True)
    wanted = tuple(key.values())
    row = next(at for at, each in enumerate(rows) if _same(each, wanted))
    return f"row {before + row + 1}"


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether two keys are equal; what is no number equals itself."""
    return all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))


def _schema(lookup: Answers, keys: Any) -> Any:
    return lookup.with_answers(keys.slice(0, 0), []).schema
