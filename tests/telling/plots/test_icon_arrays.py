"""Icon arrays: the same number for both, rounded to the safe side."""

from __future__ import annotations

import re

import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.semantics import membership, testing
from whit.telling.plots import icon_arrays
from whit.telling.words import explain


def filled(picture) -> list[tuple[int, int]]:
    """How many figures are filled and how many there are, read off the chart."""
    panels = picture.chart.to_dict()["hconcat"]
    tests = [panel["encoding"]["color"]["condition"]["test"] for panel in panels]
    sizes = [panel["data"]["sequence"]["stop"] for panel in panels]
    return [
        (int(re.fullmatch(r"datum\.number < (\d+)", test)[1]), size) for test, size in zip(tests, sizes, strict=True)
    ]


@pytest.mark.parametrize(
    ("epsilon", "level", "expected"),
    [
        (1.0, 0.05, [(5, 100), (14, 100)]),  # e * 0.05 = 0.13591
        (0.01, 0.05, [(50, 1000), (51, 1000)]),  # e^0.01 * 0.05 = 0.050503: 6 of 100 would be too large a step
        (1.0, 0.001, [(1, 1000), (3, 1000)]),  # e * 0.001 = 0.00272
    ],
)
def test_both_are_told_out_of_the_same_number(epsilon, level, expected):
    picture = icon_arrays(level, testing.power(PureDP(epsilon), level))
    assert filled(picture) == expected
    assert picture.table["filled"] == tuple(count for count, _ in expected)


def test_the_picture_and_the_words_count_alike():
    words = explain(PureDP(1.0)).text
    picture = icon_arrays(0.05, testing.power(PureDP(1.0), 0.05))
    assert "5 out of 100" in words
    assert "14 out of 100" in words
    assert "5 of 100" in picture.alt
    assert "at most 14 of 100" in picture.alt


@pytest.mark.parametrize("epsilon", [8.0, 17.14, 40.0])
def test_a_chance_below_one_is_never_told_as_all(epsilon):
    alt = icon_arrays(0.5, membership.posterior(PureDP(epsilon), 0.5)).alt
    assert not re.search(r"(100|1 000|10 000) of \1\b", alt)


def test_nothing_and_everything_are_told_only_where_they_are_so():
    alt = icon_arrays(0.0, testing.power(PureDP(1.0), 0.0)).alt
    assert "none of 100" in alt
    assert "fewer than 1 of 10 000" in icon_arrays(1e-9, testing.power(PureDP(1.0), 0.5)).alt
    assert "possibly all 100" in icon_arrays(0.5, testing.power(PureDP(1.0), 1.0)).alt


def test_believer_and_belief_are_named():
    picture = icon_arrays(0.05, 0.2, believer="your insurer", belief="that you are ill")
    assert picture.title == "Your insurer may come to believe that you are ill"
    assert "would lead your insurer to believe that you are ill. If you take part, 20 of 100 would." in picture.alt


def test_what_is_no_chance_is_refused():
    with pytest.raises(InvalidInput, match="without must be"):
        icon_arrays(1.5, 0.5)
    with pytest.raises(InvalidInput, match="taking_part must be"):
        icon_arrays(0.5, "many")
    with pytest.raises(InvalidInput, match="believer must be a text"):
        icon_arrays(0.5, 0.6, believer="")


def shapes(picture):
    return {panel["mark"]["shape"] for panel in picture.drawing["hconcat"]}


@pytest.mark.parametrize("level", [0.05, 0.005])
def test_results_are_dots_and_people_are_people(level):
    results, people = icon_arrays(level, 2 * level), icon_arrays(level, 2 * level, what="people", people=True)
    assert shapes(results) == {"circle"}
    assert shapes(people) != {"circle"}
    assert "Each dot is one of" in " ".join(results.drawing["title"]["subtitle"])
    assert "Each figure is one of" in " ".join(people.drawing["title"]["subtitle"])
