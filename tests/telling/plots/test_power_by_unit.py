"""The picture of the catalogue has a chart for each unit, and its table the numbers of the risks."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.telling.catalogue import by_unit, deployments, risks
from whit.telling.plots import power_by_unit


def test_each_unit_has_a_chart_of_its_own_with_its_releases() -> None:
    charts = power_by_unit(deployments()).drawing["vconcat"]
    titles = [" ".join(chart["title"]["text"]) for chart in charts]
    assert titles == [f"one {unit.name}, within {unit.period}" for unit in by_unit()]


def test_the_table_has_every_release_with_its_power_and_its_neighbours() -> None:
    table = power_by_unit(deployments()).table
    known = {each.key: each for each in deployments()}
    assert sorted(table["release"]) == sorted(known)
    for key, number in zip(table["release"], table["power at most"], strict=True):
        assert number == float(risks(known[str(key)]).power)
    assert set(table["neighbours"]) == {"added or removed", "replaced", "local"}


def test_only_the_first_chart_has_the_scale_on_top_and_every_chart_has_its_lines() -> None:
    charts = power_by_unit(deployments()).drawing["vconcat"]
    scaled = [chart["encoding"]["x"]["axis"].get("labels", True) for chart in charts]
    assert scaled == [True] + [False] * (len(charts) - 1)
    assert {chart["encoding"]["x"]["axis"]["orient"] for chart in charts} == {"top"}
    assert all(chart["encoding"]["x"]["axis"]["grid"] for chart in charts)


def test_the_words_say_that_units_are_not_ranked_and_name_the_shapes() -> None:
    picture = power_by_unit([each for each in deployments() if each.unit.name == "person"])
    assert "cannot be ranked" in picture.alt
    assert "square: replaced" in picture.alt
    assert picture.svg().count("us-census") >= 5


@pytest.mark.parametrize("nothing", [[], None, ["us-census-dhc-persons"]])
def test_what_is_no_release_is_refused(nothing: object) -> None:
    with pytest.raises(InvalidInput, match="deployments must be releases of the catalogue"):
        power_by_unit(nothing)  # type: ignore[arg-type]
