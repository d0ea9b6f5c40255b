"""What compares the files of several engines finds one bit, an empty cell and a lost row."""

from __future__ import annotations

import math
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from benchmarks.annotate_identity import differing

PLAIN: dict[str, list[Any]] = {"id": [2, 0, 1], "posterior": [0.1, None, 0.0], "basis": ["a", "b", "c"]}


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ({name: cells[::-1] for name, cells in PLAIN.items()}, {}),
        ({**PLAIN, "posterior": [math.nextafter(0.1, 1.0), None, 0.0]}, {"posterior": 1}),
        ({**PLAIN, "posterior": [0.1, None, -0.0]}, {"posterior": 1}),
        ({**PLAIN, "posterior": [0.1, 0.0, 0.0]}, {"posterior": 1}),
        ({**PLAIN, "basis": ["a", "c", "b"]}, {"basis": 2}),
        ({name: cells[1:] for name, cells in PLAIN.items()}, {"rows": 2}),
        ({name: [*cells, cells[0]] for name, cells in PLAIN.items()}, {"rows": 1}),
        ({"id": [2, 0, 1], "posterior": [0.1, None, 0.0]}, {"names or types of columns": 3}),
    ],
    ids=[
        "another order",
        "one bit",
        "a sign of zero",
        "an empty cell",
        "texts",
        "a lost row",
        "a row twice",
        "a column",
    ],
)
def test_what_differs_is_counted_by_column(cells, found, tmp_path):
    one, two = str(tmp_path / "one.parquet"), str(tmp_path / "two.parquet")
    pyarrow.parquet.write_table(pyarrow.table(PLAIN), one)
    pyarrow.parquet.write_table(pyarrow.table(cells), two)
    assert differing(one, two, 3) == found
