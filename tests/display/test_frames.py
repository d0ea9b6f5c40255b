"""Rows of plain values as data frames."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from whit.display import frame
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


def test_no_rows_are_an_empty_frame():
    assert len(frame([])) == 0


def test_an_unknown_library_is_refused_with_those_that_are_known():
    with pytest.raises(UnknownKey, match=r"library of data frames must .*; got panda\. .*pandas"):
        frame(ROWS, "panda")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_missing_is_named_with_the_way_out(library, monkeypatch):
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == library:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=rf"^{library} must be installed to make .*to_rows\(\).*\.\[notebooks\]'$"):
        frame(ROWS, library)
