"""A million rows with 10,000 settings: DuckDB, Polars and Spark give the same bits, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow
import pyarrow.parquet
import pytest

from whit.annotate import Annotated, Computing, RiskColumns, annotate_file, annotate_polars, annotate_spark

ROWS, SETTINGS = 10**6, 10**4

COLUMNS = RiskColumns(same={"prior": 0.1, "failure": 0.01, "limit": "posterior=0.3, prior=0.1"})

NUMBERS = ["posterior", "posterior_ever", "ratio", "difference", "power", "limit_used"]


PLAIN: dict[str, list[Any]] = {"id": [2, 0, 1], "posterior": [0.1, 0.2, 0.0], "within": [True, None, False]}


def written(cells: dict[str, list[Any]], path: Path) -> None:
    pyarrow.parquet.write_table(pyarrow.table(cells), path)


def make(path: Path) -> None:
    """Rows in an order of their own: an id, and one of many values of rho."""
    draw = np.random.default_rng(7)
    rho = (1 + draw.permutation(ROWS) % SETTINGS) / 20_000
    pyarrow.parquet.write_table(pyarrow.table({"id": draw.permutation(ROWS), "rho": rho}), path)


def by_duckdb(source: Path, out: Path, computing: Computing) -> Annotated:
    return annotate_file(source, out, COLUMNS, computing, memory="2GB", threads=2)


def by_polars(source: Path, out: Path, computing: Computing) -> Annotated:
    found = annotate_polars(polars.scan_parquet(source), COLUMNS, computing)
    found.data.sink_parquet(out)
    return found


def by_spark(source: Path, out: Path, spark: Any) -> Annotated:
    found = annotate_spark(spark.read.parquet(str(source)), COLUMNS)
    found.data.write.parquet(str(out))
    return found


def sorted_bits(path: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Each column by the order of the ids: where it is empty, and its bits; texts as they are."""
    table = pyarrow.parquet.read_table(path)
    order = np.argsort(table["id"].to_numpy(), kind="stable")
    found = {}
    for name in table.column_names:
        column = table[name].combine_chunks()
        empty = column.is_null().to_numpy(zero_copy_only=False)[order]
        cells = column.to_numpy(zero_copy_only=False)[order]
        found[name] = (empty, cells.view(np.int64) if cells.dtype == np.float64 else cells)
    return found


def differing(first: Path, second: Path) -> list[str]:
    """The columns in which two files differ, or that only one of them has."""
    one, two = sorted_bits(first), sorted_bits(second)
    common = [name for name in one if name in two]
    apart = [name for name in common if not all(map(np.array_equal, one[name], two[name]))]
    return sorted([*apart, *(set(one) ^ set(two))])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_million_rows_have_the_same_bits_in_every_engine(spark, tmp_path):
    source, cache = tmp_path / "rows.parquet", str(tmp_path / "kept")
    make(source)
    ways = {name: tmp_path / f"{name}.parquet" for name in ("duckdb", "polars", "spark")}
    # Polars takes the answers that DuckDB kept, so that these pass through the cache; workers of Spark compute anew.
    found = [by_duckdb(source, ways["duckdb"], Computing(cache=cache))]
    found += [by_polars(source, ways["polars"], Computing(cache=cache)), by_spark(source, ways["spark"], spark)]
    assert [each.settings for each in found] == [SETTINGS] * 3
    assert found[0].basis == found[1].basis == found[2].basis
    bits = sorted_bits(ways["duckdb"])
    assert np.array_equal(bits["id"][1], np.arange(ROWS))
    assert {*NUMBERS, "within", "direction", "basis"} <= set(bits)
    assert len(np.unique(bits["posterior"][1])) > SETTINGS // 2
    assert differing(ways["duckdb"], ways["polars"]) == []
    assert differing(ways["duckdb"], ways["spark"]) == []


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("posterior", [0.1, float(np.nextafter(0.2, 1.0)), 0.0]),
        ("posterior", [0.1, 0.2, -0.0]),
        ("within", [True, False, False]),
    ],
)
def test_one_bit_or_an_empty_cell_would_be_found(name, cells, tmp_path):
    written(PLAIN, tmp_path / "plain.parquet")
    written({**PLAIN, name: cells}, tmp_path / "other.parquet")
    assert differing(tmp_path / "plain.parquet", tmp_path / "other.parquet") == [name]


def test_a_lost_row_would_be_found_and_another_order_is_none(tmp_path):
    written(PLAIN, tmp_path / "plain.parquet")
    written({name: cells[::-1] for name, cells in PLAIN.items()}, tmp_path / "turned.parquet")
    written({name: cells[1:] for name, cells in PLAIN.items()}, tmp_path / "fewer.parquet")
    assert differing(tmp_path / "plain.parquet", tmp_path / "turned.parquet") == []
    assert "id" in differing(tmp_path / "plain.parquet", tmp_path / "fewer.parquet")
