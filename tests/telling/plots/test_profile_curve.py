"""Delta at each epsilon, and the loss at each chance."""

from __future__ import annotations

import mpmath
import pytest

from whit.curves import largest_loss
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.telling.plots import loss_curve, profile_curve


def line(picture, name: str) -> list[dict]:
    datasets = picture.chart.to_dict()["datasets"].values()
    return [row for rows in datasets for row in rows if row.get("series") == name]


def test_the_line_of_gaussian_dp_is_its_closed_form():
    picture = profile_curve({"x": GaussianDP(1.0)}, epsilons=[0.0, 0.5, 1.0, 4.0])
    for row in line(picture, "x"):
        e = mpmath.mpf(row["epsilon"])
        truth = mpmath.ncdf(mpmath.mpf(1) / 2 - e) - mpmath.exp(e) * mpmath.ncdf(-mpmath.mpf(1) / 2 - e)
        assert truth <= row["delta"] <= truth * (1 + mpmath.mpf("1e-9"))


@pytest.mark.parametrize("promise", [PureDP(1.0), ApproxDP(1.0, 1e-5), ZeroConcentratedDP(0.5), PureDP(0.0)])
def test_the_line_reaches_to_where_nothing_changes_any_more(promise):
    table = profile_curve({"x": promise}).table
    epsilons, deltas = table["epsilon"], table["delta at most: x"]
    assert epsilons[0] == 0.0
    assert 0.9 * max(epsilons) <= 60
    assert deltas[-1] == pytest.approx(float(promise.delta(1e3).upper), abs=1e-10)
    assert list(deltas) == sorted(deltas, reverse=True)


def test_a_delta_of_zero_lies_below_the_picture_and_is_zero_in_the_table():
    picture = profile_curve({"x": PureDP(1.0)})
    last = line(picture, "x")[-1]
    assert last["delta"] < 1e-10
    assert picture.table["delta at most: x"][-1] == 0.0


def test_the_loss_at_each_chance_is_that_of_the_finding():
    chances = [1e-6, 1e-3, 0.1]
    picture = loss_curve({"x": ZeroConcentratedDP(0.5)}, sides=2, failures=chances)
    found = largest_loss(ZeroConcentratedDP(0.5), chances, sides=2).value.tolist()
    assert [row["loss"] for row in line(picture, "x")] == found
    assert "in either direction" in picture.alt
    assert "For somebody who may believe anything of the others, the profile answers" in picture.caption


def test_a_loss_without_a_bound_is_left_out_of_the_drawing_but_not_of_the_table():
    picture = loss_curve({"x": ApproxDP(1.0, 1e-3)}, failures=[1e-6, 1e-2, 0.1])
    assert line(picture, "x")[0]["loss"] is None
    assert picture.table["privacy loss at most: x"][0] == float("inf")
