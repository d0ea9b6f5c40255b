"""Panels: lines that anybody may draw."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.guarantees import GaussianDP, PureDP
from whit.telling.plots import Axis, Mark, Panel, panels

PLACES = np.linspace(0.0, 4.0, 9)
X, Y = Axis("epsilon", 0.0, 4.0), Axis("delta", 1e-6, 1.0, log=True)


def drawn(*shown: Panel):
    return panels(shown, title="Epsilon and delta", caption="Lines: delta at each epsilon.")


def test_the_table_holds_every_point_of_every_line():
    first = Panel("left", X, Y, {"a": (PLACES, np.exp(-PLACES)), "b": ([0.0, 4.0], [1.0, 0.5])})
    table = drawn(first, Panel("right", X, Y, {"a": (PLACES, np.exp(-PLACES))})).table
    assert len(table["x"]) == 9 + 2 + 9
    assert table["line"] == ("a",) * 9 + ("b",) * 2 + ("a",) * 9
    assert table["panel"][-1] == "right"
    assert table["y"][1] == math.exp(-0.5)


def test_a_finding_is_drawn_by_its_upper_bound():
    found = GaussianDP(1.0).delta(PLACES)
    table = drawn(Panel("one", X, Y, {"noise": (PLACES, found)})).table
    assert list(table["y"]) == list(found.upper)


def test_a_line_has_the_same_colour_in_every_panel():
    left = Panel("left", X, Y, {"a": (PLACES, np.exp(-PLACES))})
    right = Panel("right", X, Y, {"b": (PLACES, np.exp(-PLACES)), "a": (PLACES, np.exp(-2 * PLACES))})
    scales = [part["layer"][0]["encoding"]["color"]["scale"] for part in drawn(left, right).chart.to_dict()["concat"]]
    assert scales[0] == scales[1]
    assert scales[0]["domain"] == ["a", "b"]


def test_the_description_names_panels_lines_and_numbers():
    alt = drawn(Panel("left", X, Y, {"a": ([0.0, 1.0, 2.0], [0.5, 0.25, 0.125])})).alt
    for part in ("left", "delta against epsilon", "a: 0.5 at 0, 0.25 at 1, 0.125 at 2"):
        assert part in alt


def test_a_zero_on_a_scale_of_powers_of_ten_is_drawn_below_it():
    chart = drawn(Panel("one", X, Y, {"a": ([0.0, 1.0], [0.5, 0.0])})).chart.to_dict()
    rows = next(rows for rows in chart["datasets"].values() if "series" in rows[0])
    assert rows[1]["y"] == pytest.approx(1e-9)


def test_a_mark_is_drawn_with_its_words():
    chart = drawn(Panel("one", X, Y, {"a": ([0.0, 1.0], [0.5, 0.1])}, marks=[Mark("here", 1.0, 0.1)])).chart.to_dict()
    texts = [layer["mark"].get("text") for layer in chart["layer"]]
    assert "here" in texts


@pytest.mark.parametrize(
    ("low", "high", "log"), [(1.0, 1.0, False), (2.0, 1.0, False), (0.0, 1.0, True), (0.0, math.inf, False)]
)
def test_an_axis_without_extent_is_refused(low, high, log):
    with pytest.raises(InvalidInput, match="the axis 'x' must go from a smaller to a larger number"):
        Axis("x", low, high, log=log)


@pytest.mark.parametrize("numbers", [[1.0], [1.0, 2.0, 3.0], [1.0, math.nan]])
def test_a_line_with_other_numbers_than_places_is_refused(numbers):
    with pytest.raises(InvalidInput, match="the line 'a' must have one number for each place"):
        Panel("one", X, Y, {"a": ([0.0, 1.0], numbers)})


def test_an_empty_panel_and_no_panel_are_refused():
    with pytest.raises(InvalidInput, match="the panel 'one' must have at least one line"):
        Panel("one", X, Y, {})
    with pytest.raises(InvalidInput, match="panels must be at least one"):
        drawn()


def test_an_infinite_number_leaves_a_gap():
    found = PureDP(1.0).curve().epsilon([0.0, 0.5]).upper
    table = drawn(Panel("one", X, Y, {"a": ([0.0, 1.0], [math.inf, found[1] + 0.1])})).table
    assert table["y"][0] == math.inf
