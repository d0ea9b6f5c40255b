"""Rows of plain values as data frames."""

from __future__ import annotations

import builtins
import csv
import io
from typing import Any

import pytest

from whit.display import csv_text, frame
from whit.errors import MissingExtra, UnknownKey

ROWS: list[dict[str, object]] = [{"name": "a", "value": 0.1}, {"name": "b", "note": "x"}]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_the_columns_in_order_and_every_row(library):
    found = frame(ROWS, library)
    assert type(found).__module__.partition(".")[0] == library
    assert list(found.columns) == ["name", "value", "note"]
    assert list(found["name"]) == ["a", "b"]
    assert found["value"][0] == 0.1


def test_a_cell_that_a_row_does_not_have_is_empty():
    assert frame(ROWS)["note"].isna().tolist() == [True, False]
    assert frame(ROWS, "polars")["note"].to_list() == [None, "x"]


def test_an_arrow_table_has_every_row_with_its_types():
    found = frame(ROWS, "pyarrow")
    assert found.column_names == ["name", "value", "note"]
    assert found.to_pylist() == [{"name": "a", "value": 0.1, "note": None}, {"name": "b", "value": None, "note": "x"}]


def test_a_csv_text_is_read_back_to_the_last_bit():
    rows = [{"name": 'a, "b"', "value": 0.1 + 0.2}, {"name": "c", "value": 5e-324}]
    [head, *read] = csv.reader(io.StringIO(csv_text(rows)))
    assert head == ["name", "value"]
    assert [(name, float(value)) for name, value in read] == [(row["name"], row["value"]) for row in rows]


def test_no_rows_are_an_empty_frame():
    assert len(frame([])) == 0


def test_an_unknown_library_is_refused_with_those_that_are_known():
    with pytest.raises(UnknownKey, match=r"No library of data frames has the name panda\. Did you mean pandas\?"):
        frame(ROWS, "panda")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_library_that_is_missing_is_named_with_the_way_out(library, monkeypatch):
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == library:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    extra = "tables" if library == "pyarrow" else "notebooks"
    with pytest.raises(MissingExtra, match=rf"^{library} must be installed to make .*to_rows\(\).*\.\[{extra}\]'$"):
        frame(ROWS, library)
