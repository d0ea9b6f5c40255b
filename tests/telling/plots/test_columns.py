"""The numbers behind a picture."""

from __future__ import annotations

import csv
import io
import math

import pytest

from whit.errors import InvalidInput
from whit.telling.plots import Columns


def test_numbers_are_read_back_from_the_text_as_they_were():
    numbers = [0.1, 1 / 3, 1e-300, math.inf, 2**53 + 1.0]
    table = Columns({"name, with a comma": ["a", "b", "c", "d", 'e "quoted"'], "number": numbers})
    read = list(csv.reader(io.StringIO(table.csv())))
    assert read[0] == ["name, with a comma", "number"]
    assert [float(row[1]) for row in read[1:]] == numbers
    assert read[5][0] == 'e "quoted"'


def test_rows_and_columns_are_the_same_cells():
    table = Columns({"a": [1.0, 2.0], "b": ["x", "y"]})
    assert table.rows() == ((1.0, "x"), (2.0, "y"))
    assert dict(table) == {"a": (1.0, 2.0), "b": ("x", "y")}
    assert table == Columns({"a": [1.0, 2.0], "b": ["x", "y"]})


@pytest.mark.parametrize("columns", [{}, {"a": []}, {"a": [1.0], "b": [1.0, 2.0]}])
def test_a_table_without_numbers_or_with_uneven_columns_is_refused(columns):
    with pytest.raises(InvalidInput, match="must have columns of one length, with at least one row"):
        Columns(columns)


def test_what_is_neither_number_nor_word_is_refused():
    with pytest.raises(InvalidInput, match="must hold numbers or words"):
        Columns({"a": [object()]})
