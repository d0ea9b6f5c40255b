"""A comparison has a row for each promise and a column for each question, and says what keeps rows apart."""

from __future__ import annotations

import math

import pytest

from whit import Adversary, ApproxDP, DiscreteGaussian, Gaussian, Laplace, Neighbours, PureDP, assess, compare
from whit.errors import InvalidInput, UnknownKey
from whit.setting import Knowledge

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
    with pytest.raises(UnknownKey, match="No promise of this comparison has the name week"):
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


def test_an_exact_standard_deviation_has_no_digit_more_than_it_needs():
    head, rows = compare({"whole": DiscreteGaussian(20.0), "real": Gaussian(20.0)}).cells()
    assert [row[head.index("standard deviation")] for row in rows] == ["exactly 20", "exactly 20"]


def test_several_adversaries_are_refused_in_a_sentence() -> None:
    with pytest.raises(
        InvalidInput, match="adversary must be one Adversary; got .* Compare for each adversary by itself"
    ):
        compare(NAMED, [Adversary(prior=0.1), Adversary(prior=0.5)])  # type: ignore[arg-type]


_KNOWS_THE_REST = Adversary(prior=0.1, knows=Knowledge.EVERYONE_ELSE)


def test_a_bound_by_the_profile_beside_one_by_the_loss_is_noted_everywhere() -> None:
    promises = {"a": Gaussian(4.0).times(20), "b": DiscreteGaussian(4.0).times(20)}
    found = compare(promises, _KNOWS_THE_REST, questions=["posterior", "power"], failure=0.01)
    note = "The bound on the posterior of b comes from the privacy profile (tail-from-profile)."
    assert found.notice.startswith(note)
    assert note in str(found)
    assert note in found._repr_html_()


@pytest.mark.parametrize(
    ("first", "second", "who"),
    [
        # A few releases of discrete noise go by the law of their loss as well.
        (Gaussian(4.0).times(5), DiscreteGaussian(4.0).times(5), _KNOWS_THE_REST),
        # For any belief about the others the profile is all that there is.
        (Gaussian(4.0).times(20), DiscreteGaussian(4.0).times(20), Adversary(prior=0.1)),
        # Nothing else is known of a promise.
        (Gaussian(4.0), ApproxDP(1.0, 1e-6), _KNOWS_THE_REST),
    ],
)
def test_bounds_that_are_as_tight_as_what_is_known_need_no_note(first, second, who) -> None:
    assert compare({"a": first, "b": second}, who, questions=["posterior"], failure=0.01).notice == ""
