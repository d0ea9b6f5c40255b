"""The parts of pictures: names that do not lie on each other, and numbers that cannot be drawn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from whit.telling.plots.layers import (
    axis,
    end_labels,
    lines,
    powers_of_ten,
    rows_of,
    series_rows,
    shelved,
    whole_ticks,
)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("ends", [[1.0, 1.0, 1.0], [0.5, 0.51, 0.9], [1e-6, 1e-6, 2e-6], [0.2, 0.1, 1.0]])
def test_names_beside_lines_are_a_line_apart_and_in_the_order_of_the_ends(log, ends):
    y = axis("y", "y", (1e-6, 1.0), log=log)
    series = [(name, end, float(tie)) for tie, (name, end) in enumerate(zip("abc", ends, strict=True))]
    layers = end_labels(series, y, height=300.0, names="abc")
    found = {
        layer["mark"]["text"]: layer["encoding"]["y"]["datum"] for layer in layers if layer["mark"]["type"] == "text"
    }
    units = {name: _unit(place, log) for name, place in found.items()}
    ordered = sorted(units.values())
    assert all(high - low >= 16.0 - 1e-6 for low, high in pairwise(ordered))
    assert -1e-6 <= ordered[0]
    assert ordered[-1] <= 300.0 + 1e-6
    by_end = [name for name, _, _ in sorted(series, key=lambda each: each[1:])]
    assert sorted(units, key=units.get) == by_end


def _unit(place: float, log: bool) -> float:
    return 300.0 * ((np.log10(place) + 6) / 6 if log else (place - 1e-6) / (1 - 1e-6))


def test_what_is_infinite_is_left_empty():
    assert rows_of(x=np.array([0.0, 1.0]), y=[np.inf, 2.0]) == [{"x": 0.0, "y": None}, {"x": 1.0, "y": 2.0}]


def test_rows_are_kept_once():
    part = {"data": {"values": [{"a": 1}]}, "mark": "point"}
    found = shelved({"layer": [part, dict(part), {"data": {"values": [{"a": 2}]}, "mark": "line"}]})
    assert found["datasets"] == {"rows-1": [{"a": 1}], "rows-2": [{"a": 2}]}
    assert [layer["data"]["name"] for layer in found["layer"]] == ["rows-1", "rows-1", "rows-2"]


@pytest.mark.parametrize("log", [False, True])
def test_a_logarithmic_axis_says_nothing_of_zero(log):
    # The drawing library complains about it in the page of everybody who opens the picture.
    assert ("zero" in axis("x", "x", (1e-6, 1.0), log=log)["scale"]) is not log


@pytest.mark.parametrize("high", [1, 2, 3, 5, 9, 10, 36, 365, 20_000, 10**12])
@pytest.mark.parametrize("low", [0, 1])
def test_whole_things_have_whole_ticks(low, high):
    ticks = whole_ticks(low, high)
    assert all(tick == round(tick) and low <= tick <= high for tick in ticks)
    assert 1 <= len(ticks) <= 9
    assert len({round(after - before, 6) for before, after in pairwise(ticks)}) <= 1
    drawn = axis("n", "number of releases", (low, max(high, low + 1)), whole=True)["axis"]
    assert all(tick == round(tick) for tick in drawn["values"])


def test_whole_things_over_powers_of_ten_have_whole_ticks():
    assert whole_ticks(1, 365, log=True) == [1, 2, 5, 10, 20, 50, 100, 200]
    assert whole_ticks(1, 10**9, log=True) == [10**power for power in range(10)]


def test_a_scale_of_powers_of_ten_has_its_ticks_there():
    assert powers_of_ten(1e-6, 1.0) == [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0]
    assert powers_of_ten(2.0, 5.0) is None
    assert powers_of_ten(1.0, 10.0) == [1.0, 2.0, 5.0, 10.0]  # two ticks say too little about what is between
    assert powers_of_ten(0.05, 3.0) == [0.05, 0.1, 0.2, 0.5, 1.0, 2.0]
    assert len(powers_of_ten(1e-300, 1.0)) <= 9


@pytest.mark.parametrize("log", [False, True])
def test_a_line_that_another_covers_is_broader_and_no_other(log):
    x, y = axis("x", "x", (0.0, 1.0)), axis("y", "y", (0.01, 1.0), log=log)
    at = np.linspace(0.0, 1.0, 5)
    under, over, apart = 0.1 + 0.5 * at, 0.1 + 0.5001 * at, 0.9 - 0.5 * at
    names = ["under", "over", "apart"]
    rows = series_rows(dict(zip(names, [(at, under), (at, over), (at, apart)], strict=True)), x, y)
    broad = dict(zip(names, lines(rows, x, y, names)["encoding"]["strokeWidth"]["scale"]["range"], strict=True))
    assert broad["under"] > 2 * broad["over"] == 2 * broad["apart"]
    alone = [row for row in rows if row["series"] != "over"]
    assert "strokeWidth" not in lines(alone, x, y, ["under", "apart"])["encoding"]
