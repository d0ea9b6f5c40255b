"""Tables of releases, as rows, as CSV and as live tables."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stopwatch import at_most

from whit.errors import InvalidInput, WhitError
from whit.exchange import OpenPoint, from_releases, learn, learn_from_file, releases_in_file, releases_of
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP

ROWS = [
    {"what": "May", "date": "2026-05-01", "epsilon": 0.5, "delta": 1e-6, "rho": None, "unit": "person", "key": "m"},
    {"what": "June", "date": "2026-06-01", "epsilon": None, "delta": None, "rho": 0.125, "unit": "person", "key": ""},
]
CSV = "what,date,epsilon,delta,rho,unit,key\nMay,2026-05-01,0.5,1e-6,,person,m\nJune,2026-06-01,,,0.125,person,\n"


def told(listed: Any) -> list[tuple[Any, ...]]:
    return [(each.what, each.promise, each.key) for each in listed]


EXPECTED = [("May", ApproxDP(0.5, 1e-6), "m"), ("June", ZeroConcentratedDP(0.125), "")]


@pytest.mark.parametrize(
    "table", [ROWS, pa.Table.from_pylist(ROWS), pd.DataFrame(ROWS), pl.DataFrame(ROWS)], ids=["rows", "pa", "pd", "pl"]
)
def test_every_kind_of_table_has_the_same_releases(table: Any) -> None:
    assert told(releases_of(table)) == EXPECTED


def test_a_csv_file_has_them_row_by_row_and_together(tmp_path: Any) -> None:
    path = tmp_path / "office.csv"
    path.write_text(CSV, encoding="utf-8-sig")
    assert told(releases_in_file(path)) == EXPECTED
    found = learn_from_file(path)
    assert found.source == "2 releases in office.csv"
    assert OpenPoint.UNIT not in found.open
    assert float(found.promise.delta(2.0)) == float(learn(pa.Table.from_pylist(ROWS)).promise.delta(2.0))


def test_all_releases_together_are_never_below_one_of_them() -> None:
    both = from_releases(ROWS).promise
    assert float(both.delta(0.5)) >= float(ApproxDP(0.5, 1e-6).delta(0.5))
    assert float(both.delta(0.5)) >= float(ZeroConcentratedDP(0.125).delta(0.5))


def test_a_row_may_stand_for_several_releases() -> None:
    (one,) = releases_of([{"epsilon": "0.5", "releases": "4"}])
    assert float(one.promise.epsilon(0.0)) == 2.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must have 1 to 100000 rows; got 0"),
        ("epsilon\n", "must have 1 to 100000 rows"),
        ("what,epsilon\nMay,1\nJune,-1\n", r"t\.csv, row 2: epsilon must be"),
        ("what,epsilon\nMay\n", "row 1 must have 2 cells"),
        ("epsilon,epsilon\n1,2\n", "must all be there, and differ"),
        ("what,epsilom\nMay,1\n", "epsilom is not known here.*epsilon"),
        ("what\nMay\n", "row 1: the promise must be stated"),
        ("what,epsilon\nMay,many\n", "row 1: epsilon must be a number; got many"),
        ('what,epsilon\n"May,1\n', "must be CSV"),
        ("what,epsilon\nMay,nan\n", "row 1: epsilon must be a number; got nan"),
    ],
)
def test_what_is_no_table_of_releases_is_refused_with_its_row(tmp_path: Any, text: str, words: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WhitError, match=words):
        learn_from_file(path)


NAN = float("nan")


@pytest.mark.parametrize("kind", ["rows", "arrow", "polars", "parquet"])
@pytest.mark.parametrize("column", ["delta", "releases", "epsilon", "sensitivity", "unit", "what"])
def test_a_number_that_is_missing_is_no_stronger_promise(tmp_path: Any, kind: str, column: str) -> None:
    cells = {"epsilon": [0.5, 1.0], column: [None, NAN] if column != "epsilon" else [0.5, NAN]}
    table = pa.table(cells)
    pq.write_table(table, tmp_path / "t.parquet")
    read = {
        "rows": lambda: learn_from_rows(table),
        "arrow": lambda: learn(table),
        "polars": lambda: learn(pl.DataFrame(cells)),
        "parquet": lambda: learn_from_file(tmp_path / "t.parquet"),
    }
    with pytest.raises(InvalidInput, match=rf"row 2: {column} must be a number, or empty; got nan\. "):
        read[kind]()


@pytest.mark.parametrize("odd", [pd.NA, Decimal("snan"), [1.0]], ids=["pandas", "decimal", "list"])
def test_a_cell_that_is_no_number_is_refused(odd: object) -> None:
    with pytest.raises(InvalidInput, match=r"row 1: delta must be a number"):
        releases_of([{"epsilon": 1.0, "delta": odd}])


def twice(tmp_path: Any) -> dict[str, object]:
    """Tables with two columns of one name."""
    arrow = pa.table([[5.0], [1.0]], names=["epsilon", "epsilon"])
    pq.write_table(arrow, tmp_path / "t.parquet")
    return {"arrow": arrow, "pandas": pd.DataFrame([[5.0, 1.0]], columns=["epsilon", "epsilon"])}


@pytest.mark.parametrize("kind", ["arrow", "pandas", "parquet"])
def test_two_columns_of_one_name_are_refused(tmp_path: Any, kind: str) -> None:
    """The last of them counted: 1 where the first said 5."""
    tables = twice(tmp_path)
    with pytest.raises(InvalidInput, match=r"the names of the columns must all be there, and differ"):
        learn(tables[kind]) if kind in tables else learn_from_file(tmp_path / "t.parquet")


def learn_from_rows(table: Any) -> Any:
    return from_releases(table.to_pylist())


@pytest.mark.parametrize("library", [pa.Table.from_pydict, pl.DataFrame, pd.DataFrame])
def test_an_empty_cell_states_nothing(library: Any) -> None:
    cells = {"epsilon": [0.5, 1.0], "delta": [1e-6, None], "releases": [2, None]}
    assert [each.promise for each in releases_of(library(cells))][1] == PureDP(1.0)


def test_an_empty_cell_of_a_nullable_column_of_pandas_states_nothing() -> None:
    frame = pd.DataFrame({"epsilon": [0.5, 1.0], "releases": [2, None]}).convert_dtypes()
    assert [each.series.releases for each in releases_of(frame)] == [2, 1]


def test_bytes_that_are_no_text_are_refused(tmp_path: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="must be text in UTF-8"):
        learn_from_file(path)


def test_a_parquet_file_is_read_as_the_same_table_in_csv(tmp_path: Any) -> None:
    cells = {"what": ["May", "June"], "epsilon": [0.5, None], "rho": [None, 0.1], "releases": [None, 3]}
    pq.write_table(pa.table(cells), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("what,epsilon,rho,releases\nMay,0.5,,\nJune,,0.1,3\n")
    found, other = (learn_from_file(tmp_path / name) for name in ("t.parquet", "t.csv"))
    assert found.promise == other.promise
    assert [each.what for each in releases_in_file(tmp_path / "t.parquet")] == ["May", "June"]
    pq.write_table(pa.table({"epsilon": [0.5, -1.0]}), tmp_path / "bad.parquet")
    with pytest.raises(InvalidInput, match=r"^bad\.parquet, row 2: epsilon must be"):
        learn_from_file(tmp_path / "bad.parquet")


def test_what_is_no_parquet_or_too_long_is_refused(tmp_path: Any) -> None:
    for content in (b"PAR1", b"", b"PAR1" + bytes(100) + b"PAR1"):
        (tmp_path / "t.parquet").write_bytes(content)
        with pytest.raises(InvalidInput, match=r"^t\.parquet must be Parquet; got something else\."):
            learn_from_file(tmp_path / "t.parquet")
    pq.write_table(pa.table({"epsilon": [0.5] * 100_001}), tmp_path / "long.parquet")
    with pytest.raises(InvalidInput, match=r"^long\.parquet must have 1 to 100000 rows; got 100001\."):
        learn_from_file(tmp_path / "long.parquet")


@pytest.mark.parametrize("dictionary", [True, False], ids=["one text for all rows", "one long text"])
def test_a_small_parquet_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Any, dictionary: bool) -> None:
    number, length = (4_000, 3_000_000) if dictionary else (1, 150_000_000)
    whats = pa.DictionaryArray.from_arrays(pa.array([0] * number, pa.int32()), pa.array(["x" * length]))
    table = pa.table({"epsilon": [1.0] * number, "what": whats if dictionary else whats.dictionary_decode()})
    path = tmp_path / "bomb.parquet"
    pq.write_table(table, path, compression="zstd", use_dictionary=dictionary, dictionary_pagesize_limit=10**9)
    assert path.stat().st_size < 100_000
    with at_most(seconds=5), pytest.raises(InvalidInput, match="must hold at most 100,000,000 bytes"):
        releases_in_file(path)
