"""What was learned, and what somebody settles of it."""

from __future__ import annotations

import pytest

from whit.errors import UnknownKey
from whit.exchange import Learned, OpenPoint, learn
from whit.mechanisms import Gaussian
from whit.setting import Neighbours

FOUND = learn({"class_name": "GaussianDpEvent", "noise_multiplier": 2.0})


def test_a_point_that_is_settled_is_no_longer_open():
    settled = FOUND.settled(OpenPoint.UNIT)
    assert settled.open == (OpenPoint.NEIGHBOURS, OpenPoint.NORM)
    assert settled.relations == FOUND.relations == (Neighbours.ADD_REMOVE, Neighbours.REPLACE)


def test_neighbours_that_are_settled_are_the_only_ones():
    settled = FOUND.settled(OpenPoint.NEIGHBOURS, neighbours=Neighbours.REPLACE)
    assert settled.relations == (Neighbours.REPLACE,)
    assert OpenPoint.NEIGHBOURS not in settled.open


def test_what_is_not_open_and_what_the_noise_does_not_know_is_refused():
    with pytest.raises(UnknownKey, match="the open point cannot be spent"):
        FOUND.settled(OpenPoint.SPENT)
    with pytest.raises(UnknownKey, match="neighbours cannot be local"):
        FOUND.settled(OpenPoint.NEIGHBOURS, neighbours=Neighbours.LOCAL)
    with pytest.raises(UnknownKey, match="neighbours cannot be"):
        FOUND.settled(OpenPoint.NEIGHBOURS)


def test_every_point_has_a_word_of_its_own():
    assert len({each.word for each in OpenPoint}) == len(OpenPoint)
    assert Learned(Gaussian(1.0), "a form").open == ()


def test_a_point_permits_what_the_numbers_need_and_any_word_where_they_need_nothing():
    assert OpenPoint.SAMPLING.must == "poisson"
    assert [
        OpenPoint.SAMPLING.permits(each) for each in ("poisson", "Poisson  sampling", "shuffled", "not poisson")
    ] == [
        True,
        True,
        False,
        False,
    ]
    assert (OpenPoint.UNIT.must, OpenPoint.UNIT.permits("person")) == ("", True)
