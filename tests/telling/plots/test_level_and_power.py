"""Level and power: what is drawn is what is known."""

from __future__ import annotations

import mpmath
import pytest

from whit.errors import InvalidInput
from whit.guarantees import GaussianDP, PureDP
from whit.policy import limits
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


def test_a_limit_on_the_power_is_a_diamond_in_both_panels():
    asked = [limits.power(0.3, level=0.05), limits.advantage(0.2)]
    picture = level_and_power({"x": PureDP(1.0)}, levels=[0.0, 1e-5, 0.05, 1.0], allowed=asked)
    rows = [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows]
    assert rows.count({"level": 0.05, "power": 0.3}) >= 1
    assert "limit 30 %" in str(picture.chart.to_dict())
    assert "Allowed: at level 0.05 power 30 %." in picture.alt
    assert "A limit that is not about the power is not shown." in picture.alt
    alone = level_and_power({"x": PureDP(1.0)}, levels=[0.0, 1e-5, 0.05, 1.0])
    assert "limit" not in alone.alt
    assert "diamond" not in str(alone.chart.to_dict())


def test_a_limit_at_a_level_below_the_small_ones_is_in_one_panel():
    few = level_and_power(PureDP(1.0), levels=[0.0, 0.5, 1.0], allowed=limits.power(0.3, level=1e-9))
    both = level_and_power(PureDP(1.0), levels=[0.0, 0.5, 1.0], allowed=limits.power(0.3, level=1e-3))
    assert [str(each.chart.to_dict()).count("'shape': 'diamond'") for each in (few, both)] == [1, 2]
