"""A comparison has a row for each promise and a column for each question, and says what keeps rows apart."""

from __future__ import annotations

import math

import pytest

from whit import Adversary, Gaussian, Laplace, Neighbours, PureDP, assess, compare
from whit.errors import InvalidInput, UnknownKey

NAMED = {"weak": PureDP(2.0), "strong": PureDP(0.5)}


def test_each_answer_is_that_of_an_assessment() -> None:
    who = Adversary(prior=0.1)
    found = compare({**NAMED, "noise": Gaussian(2.0)}, who, failure=0.01, level=0.1)
    for row in found:
        alone = assess(row.promise, who, failure=0.01, level=0.1)
        assert [str(each) for each in found.answers(row)] == [str(getattr(alone, name)) for name in found.questions]


def test_rows_are_plain_numbers_by_question() -> None:
    rows = compare(NAMED, Adversary(prior=0.5), questions=["posterior"]).to_rows()
    assert [row["promise"] for row in rows] == ["weak", "strong"]
    for row, epsilon in zip(rows, (2.0, 0.5), strict=True):
        truth = 1 / (1 + math.exp(-epsilon))
        assert truth <= row["posterior"] <= truth * (1 + 1e-12)


def test_what_has_no_answer_is_none_in_a_row_and_a_reason_in_the_tree() -> None:
    who = Adversary(inclusion=0.5, value=0.5)
    found = compare(NAMED, who, questions=["difference"])
    assert found.to_rows()[0]["difference"] is None
    assert "unanswered" in found.to_dict()["rows"][0]["answers"]["difference"]
    assert "not answered" in str(found)


def test_a_list_is_named_by_what_is_promised() -> None:
    assert [row.name for row in compare([PureDP(1.0), PureDP(1.0), PureDP(2.0)])] == [
        "epsilon = 1 (1)",
        "epsilon = 1 (2)",
        "epsilon = 2",
    ]


def test_different_neighbours_are_noticed_and_the_same_are_not() -> None:
    mixed = compare({"a": PureDP(1.0), "b": PureDP(1.0, neighbours=Neighbours.LOCAL)})
    assert "Their numbers do not rank them" in mixed.notice
    assert mixed.notice in str(mixed)
    assert "says nothing about presence" in mixed.notice
    assert "twice" not in mixed.notice  # nobody's record is replaced there
    assert compare(NAMED).notice == ""
    named = compare({"a": Gaussian(1.0), "b": Gaussian(1.0)}, neighbours={"a": Neighbours.REPLACE}, failure=0.01)
    assert [row.neighbours for row in named] == [Neighbours.REPLACE, Neighbours.ADD_REMOVE]


def test_a_baseline_adds_the_success_of_a_guess() -> None:
    assert compare(NAMED, Adversary(prior=0.5, baseline=0.01)).questions[-1] == "success"


@pytest.mark.parametrize("nothing", [{}, [], None, {"a": 1}, [1], "epsilon=1"])
def test_what_is_no_promise_is_refused(nothing: object) -> None:
    with pytest.raises(InvalidInput, match="what is compared must be at least one promise"):
        compare(nothing)  # type: ignore[arg-type]


def test_a_question_of_several_numbers_is_refused() -> None:
    with pytest.raises(InvalidInput, match="questions must each be one number to compare by; got worst_prior"):
        compare(NAMED, questions=["worst_prior"])


def test_a_name_that_is_not_there_is_refused() -> None:
    assert compare(NAMED)["weak"].power.worst is not None
    with pytest.raises(UnknownKey, match="a promise of this comparison must be known by its name; got week"):
        compare(NAMED)["week"]


def test_noise_has_columns_of_its_own_and_notebooks_show_the_table():
    found = compare({"stated": PureDP(1.0), "noise": Laplace(2.0).times(3)}, questions=["power"])
    [stated, noise] = found.to_rows()
    assert "standard deviation" not in stated
    assert noise["standard deviation"] == pytest.approx(math.sqrt(8))  # of Laplace noise: scale times root 2
    assert noise["95 % error"] == pytest.approx(2 * math.log(20))  # P[|noise| > t] = e^(-t / scale)
    assert list(found.to_frame().columns)[-2:] == ["standard deviation", "95 % error"]
    assert "no noise stated" in str(found)
    assert "no noise stated</td>" in found._repr_html_()
    assert "error" not in str(compare([PureDP(1.0)], questions=["power"]))
