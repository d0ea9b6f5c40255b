"""Spark: distinct settings go through mapInArrow, and the answers come back by a broadcast join.

Nothing of Spark is imported: the frame that is given has all that is needed. The workers need whit and pyarrow.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial, reduce
from operator import and_
from typing import Any

from whit.annotate.annotated import Annotated
from whit.annotate.columns import Holds, RiskColumns, answers_for, charges_for, settled, totals_for
from whit.annotate.compute import Computing
from whit.annotate.lookup import Answers, Charges, Looked
from whit.annotate.setting import MOST_GRAINS, answer_of, charge_of
from whit.display import pyarrow
from whit.errors import InvalidInput, WhitError, shown
from whit.notations import require_columns_once

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")
_FRAME = "Use a DataFrame of pyspark.sql, such as spark.read.parquet(...)."
_FOUND = "whit_found_"
_AT_ONCE = 64
_TYPES = {"double": "double", "bool": "boolean", "string": "string", "int64": "long"}


def annotate_spark(frame: Any, columns: RiskColumns | None = None, computing: Computing | None = None) -> Annotated:
    """A DataFrame of Spark with risk columns; the workers compute the settings, so that jobs has no use here.

    Args:
        frame: a DataFrame of pyspark.sql.
        columns: what is read and added; columns by their names, at even odds, if it is left out.
        computing: how many settings there may be at most.
    """
    columns, computing = settled(columns, computing)
    if not hasattr(frame, "mapInArrow"):
        raise InvalidInput("frame", "must be a DataFrame of Spark", type(frame).__name__, _FRAME)
    if columns.unit:
        frame, lookup = _totals(frame, columns, computing), totals_for(columns)
    else:
        lookup = answers_for(columns, _columns(frame))
    keyed, looked = _looked(frame, lookup, computing)
    found = _joined(keyed, lookup, looked).select(*_quoted([*frame.columns, *lookup.names]))
    return Annotated(found, lookup.read, looked.table.num_rows, looked.basis, looked.cost)


def _columns(frame: Any) -> dict[str, Holds]:
    # A type is written such as decimal(9,2), or array<double>.
    kinds = {name: kind.partition("(")[0].partition("<") for name, kind in frame.dtypes}
    require_columns_once(frame.columns)
    plain = {True: Holds.NUMBERS, False: Holds.WORDS}
    return {name: Holds.SEVERAL if inside else plain[kind in _NUMBERS] for name, (kind, inside, _) in kinds.items()}


def _quoted(names: Iterable[str]) -> list[str]:
    return [f"`{name.replace('`', '``')}`" for name in names]


def _looked(frame: Any, lookup: Answers | Charges, computing: Computing) -> tuple[Any, Looked]:
    """The frame with its keys, and what is looked up by them."""
    keyed = _keyed(frame, lookup)
    keys = keyed.select(*lookup.keys).distinct()
    settings = keys.count()
    computing.require_few(settings)
    # Spark would put so few bytes into one task, and one worker would compute all of them.
    keys = keys.repartition(max(1, settings // _AT_ONCE))
    schema = _extended(keys.schema, {"answer": "string", "refusal": "string"})
    rows = keys.mapInArrow(partial(_computed, lookup), schema).collect()
    for row in rows:
        if row["refusal"] is not None:
            wrong = _error(row["refusal"])
            raise wrong.renamed(f"{_place(keyed, lookup, row)}: {wrong.name}")
    # 0 and -0 are one key for whoever joins by it.
    first = {tuple(row[key] for key in lookup.keys): row for row in reversed(rows)}
    table = pyarrow().table({key: pyarrow().array([row[at] for row in first]) for at, key in enumerate(lookup.keys)})
    return keyed, lookup.looked(table, [json.loads(row["answer"]) for row in first.values()])


def _computed(lookup: Answers | Charges, batches: Iterator[Any]) -> Iterator[Any]:
    """On a worker: each key with its answer or its refusal, as JSON."""
    arrow = pyarrow(purpose="on every worker")
    compute = charge_of if isinstance(lookup, Charges) else answer_of
    for batch in batches:
        table = arrow.Table.from_batches([batch])
        answers: list[str | None] = []
        refusals: list[str | None] = []
        for setting in lookup.settings(table):
            try:
                answer, refusal = json.dumps(compute(setting)), None
            except WhitError as wrong:
                parts = (wrong.name, wrong.rule, shown(wrong.value), wrong.way_out)
                answer, refusal = None, json.dumps([type(wrong).__name__, *parts, wrong.suggested], default=str)
            answers.append(answer)
            refusals.append(refusal)
        for name, column in (("answer", answers), ("refusal", refusals)):
            table = table.append_column(name, arrow.array(column, "string"))
        yield from table.combine_chunks().to_batches()


def _error(text: str) -> WhitError:
    """The error of a worker."""
    kind, name, rule, value, way_out, suggested = json.loads(text)
    known = {each.__name__: each for each in WhitError.__subclasses__()}
    return known[kind](name, rule, value, way_out, suggested=suggested)


def _keyed(frame: Any, lookup: Answers | Charges) -> Any:
    """The frame with its keys beside it; only where keys are rounded do the rows pass through Python."""
    plain = {key: word for key, word in lookup.keys.items() if lookup.rounded(word) is None}
    columns = [f"{_quoted([lookup.read[word]])[0]} as {key}" for key, word in plain.items()]
    keyed = frame.selectExpr("*", *columns)
    rounded = [key for key in lookup.keys if key not in plain]
    if not rounded:
        return keyed
    whole = "total" in lookup.read
    schema = _extended(keyed.schema, dict.fromkeys(rounded, "long" if whole else "double"))
    return keyed.mapInArrow(partial(_rounded, lookup, rounded), schema)


def _rounded(lookup: Answers | Charges, rounded: list[str], batches: Iterator[Any]) -> Iterator[Any]:
    """On a worker: the rows of each batch with their rounded keys."""
    arrow = pyarrow(purpose="on every worker")
    for batch in batches:
        table = arrow.Table.from_batches([batch])
        keys = lookup.key_table(table)
        for key in rounded:
            table = table.append_column(key, keys[key])
        yield from table.combine_chunks().to_batches()


def _extended(schema: Any, types: dict[str, str]) -> Any:
    """A schema with more columns; the given one stays as it is."""
    found = type(schema)(list(schema.fields))
    for name, kind in types.items():
        found = found.add(name, kind)
    return found


def _joined(keyed: Any, lookup: Answers | Charges, looked: Looked) -> Any:
    """The rows with what was found for each; keys are equal where both are empty."""
    keys = keyed.select(*lookup.keys).schema
    renamed = type(keys)([type(each)(f"{_FOUND}{each.name}", each.dataType, True) for each in keys.fields])
    names = [name for name in looked.table.column_names if name not in lookup.keys]
    schema = _extended(renamed, {name: _TYPES[str(looked.table.schema.field(name).type)] for name in names})
    rows = [tuple(row.values()) for row in looked.table.select([*lookup.keys, *names]).to_pylist()]
    found = keyed.sparkSession.createDataFrame(rows, schema).hint("broadcast")
    return keyed.join(found, reduce(and_, [keyed[key].eqNullSafe(found[f"{_FOUND}{key}"]) for key in lookup.keys]))


def _totals(frame: Any, columns: RiskColumns, computing: Computing) -> Any:
    """One row for each unit: how many charges it has, and their exact totals in grains."""
    lookup = charges_for(columns, _columns(frame))
    keyed, looked = _looked(frame, lookup, computing)
    rows = _joined(keyed, lookup, looked)
    [unit] = _quoted([columns.unit])
    charged = rows.selectExpr(unit, *(f"cast({name} as decimal(20, 0)) as {name}" for name in lookup.totals))
    sums = charged.groupBy(columns.unit).agg({"*": "count", **dict.fromkeys(lookup.totals, "sum")})
    most = f"cast({MOST_GRAINS} as decimal(38, 0))"
    totals = (f"cast(least(`sum({name})`, {most}) as bigint) as {name}" for name in lookup.totals)
    return sums.selectExpr(unit, "`count(1)` as charges", *totals)


def _place(keyed: Any, lookup: Answers | Charges, bad: Any) -> str:
    """The first row with a key, counted from 1; and the file, if the frame is that of one file."""
    wanted, names = [bad[key] for key in lookup.keys], list(lookup.keys)
    rows = keyed.select(*names).rdd.zipWithIndex()
    found = rows.filter(lambda each: [each[0][key] for key in names] == wanted).map(lambda each: each[1]).take(1)
    files = keyed.inputFiles()
    row = f"row {found[0] + 1}" if found else "a row"
    return f"{files[0].rpartition('/')[2]}, {row}" if len(files) == 1 else row
