"""Concerns, and the levels that they touch."""

from __future__ import annotations

import pytest
from small_plans import small_plan

from whit.errors import InvalidInput
from whit.plans import About, Anywhere, Presence, WholeRecord, Within
from whit.setting import Neighbours


@pytest.mark.parametrize(
    ("place", "levels"),
    [
        (Within("Town", "Region"), {"Town"}),
        (Within("Town", "Country"), {"Region", "Town"}),
        (Within("Region", "Country"), {"Region", "Town"}),
        (Anywhere(), {"Region", "Town"}),
    ],
)
def test_all_levels_below_the_larger_place_may_be_others_but_not_one_with_a_single_place(place, levels):
    assert About(place=place).change(small_plan()).moved == levels


def test_a_place_that_is_no_secret_moves_nothing():
    assert About(["age"]).change(small_plan()).moved == frozenset()


def test_everything_may_be_another_record():
    plan = small_plan()
    whole = WholeRecord().change(plan)
    assert About(("age", "sex", "job"), Anywhere()).change(plan) == whole
    assert whole.everything
    assert not About(("age", "sex"), Anywhere()).change(plan).everything
    assert Presence().change(plan).neighbours is Neighbours.ADD_REMOVE
    assert whole.neighbours is Neighbours.REPLACE


@pytest.mark.parametrize(
    ("concern", "said"),
    [
        (About(["agee"]), "the attributes of a concern must be one of .*'agee'. Did you mean 'age'"),
        (About(place=Within("Twon", "Region")), "the place of a concern, level must be one of .*Did you mean 'Town'"),
        (About(place=Within("Town", "Regin")), "the place of a concern, larger must be one of .*mean 'Region'"),
        (
            About(place=Within("Region", "Town")),
            "the place of a concern must lie within a larger one; got Region within",
        ),
        (About(place=Within("Town", "Town")), "the place of a concern must lie within a larger one"),
    ],
)
def test_a_concern_that_the_plan_does_not_know_is_refused(concern, said):
    with pytest.raises(InvalidInput, match=said):
        concern.change(small_plan())


def test_a_concern_is_about_something():
    with pytest.raises(InvalidInput, match="a concern must be about something; got nothing"):
        About()
    with pytest.raises(InvalidInput, match="place must be a place; got Town"):
        About(place="Town")


def test_a_concern_says_what_it_is():
    assert str(About(("age", "sex"), Within("Town", "Region"), name="mine")) == "mine (age, sex; Town within Region)"
    assert str(About(place=Anywhere())) == "place, anywhere"
    assert str(WholeRecord()) == "the whole record"
    assert str(Presence()) == "being in the data"
