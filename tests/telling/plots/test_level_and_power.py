"""Level and power: what is drawn is what is known."""

from __future__ import annotations

import mpmath
import pytest

from whit.errors import InvalidInput
from whit.guarantees import GaussianDP, PureDP
from whit.setting import Knowledge, Neighbours
from whit.telling.plots import level_and_power


def drawn(picture, name: str) -> dict[float, set[float]]:
    found: dict[float, set[float]] = {}
    for rows in picture.chart.to_dict()["datasets"].values():
        for row in rows:
            if row.get("series") == name:
                found.setdefault(row["level"], set()).add(row["power"])
    return found


def test_the_line_of_pure_dp_is_the_trade_off_of_two_lines():
    picture = level_and_power({"x": PureDP(1.0)})
    points = drawn(picture, "x")
    assert tuple(sorted(points)) == picture.table["level"]
    for level, powers in points.items():
        truth = min(mpmath.e * level, 1 - mpmath.exp(-1) * (1 - mpmath.mpf(level)))
        assert len(powers) == 1
        assert truth <= powers.copy().pop() <= truth * (1 + mpmath.mpf("1e-12"))


def test_the_panel_of_small_levels_draws_the_same_numbers():
    picture = level_and_power({"x": GaussianDP(1.0)}, levels=[0.0, 1e-7, 1e-5, 0.1, 1.0])
    sizes = sorted(len(rows) for rows in picture.chart.to_dict()["datasets"].values() if "series" in rows[0])
    assert sizes == [3, 5]
    assert all(len(powers) == 1 for powers in drawn(picture, "x").values())
    assert "at level 0.1 power at most" in picture.alt


def test_levels_outside_are_refused():
    with pytest.raises(InvalidInput, match="levels must be at least two numbers from 0 to 1"):
        level_and_power(PureDP(1.0), levels=[0.1, 2.0])


def test_the_caption_says_what_is_known_of_everyone_else_and_the_neighbours():
    known = level_and_power(PureDP(1.0), levels=[0.1, 0.5]).alt
    random = level_and_power(
        PureDP(1.0), knows=Knowledge.ANY_BELIEF, neighbours=Neighbours.REPLACE, levels=[0.1, 0.5]
    ).alt
    assert "The records of everyone else are known to the one who tests." in known
    assert "neighbours" not in known
    drawn_by_chance = "The records of everyone else are drawn by chance, in the same way whichever hypothesis is true."
    assert f"{drawn_by_chance} {Neighbours.REPLACE.value}" in random
