"""The releases nearest to a claim are of its unit first, say how they differ, and are in no rank."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.semantics.testing import power
from whit.setting import PERSON, Neighbours, UnitOfPrivacy
from whit.telling.catalogue import LEVEL, deployments, nearest_to

DAY = UnitOfPrivacy("user", "one day")


def test_releases_of_the_same_unit_come_first() -> None:
    found = nearest_to(PureDP(1.0), DAY, number=3)
    assert {each.deployment.unit for each in found} == {DAY}
    many = nearest_to(PureDP(1.0), DAY, number=len(deployments()))
    assert {each.deployment for each in many} == set(deployments())


def test_of_one_unit_the_closest_powers_are_chosen() -> None:
    ours = float(power(PureDP(1.0), LEVEL))
    same = [each for each in deployments() if each.unit == DAY]
    closest = sorted(same, key=lambda each: abs(float(power(each.promise, LEVEL)) - ours))[:2]
    assert {each.deployment for each in nearest_to(PureDP(1.0), DAY, number=2)} == set(closest)


def test_of_one_unit_releases_with_the_neighbours_of_the_claim_come_before_closer_ones() -> None:
    person = [each for each in deployments() if each.unit == PERSON]
    for relation in (Neighbours.ADD_REMOVE, Neighbours.REPLACE):
        alike = sum(each.neighbours is relation for each in person)
        assert 0 < alike < len(person)
        near = nearest_to(PureDP(1.0, neighbours=relation), PERSON, number=alike)
        assert {each.deployment.neighbours for each in near} == {relation}


def test_they_stand_by_year_and_not_by_risk() -> None:
    years = [each.deployment.year for each in nearest_to(PureDP(8.0), PERSON, number=12)]
    assert years == sorted(years)


def test_a_difference_of_period_of_unit_and_of_neighbours_is_spelled_out() -> None:
    of_user = nearest_to(PureDP(1.0), UnitOfPrivacy("user", "one hour"), number=1)[0]
    assert not of_user.comparable
    assert f"within {of_user.deployment.unit.period}; the claim does so within one hour" in of_user.difference
    other = nearest_to(PureDP(1.0), UnitOfPrivacy("sensor"), number=1)[0]
    assert "the claim protects one sensor within the whole of the data" in other.difference
    none = nearest_to(PureDP(1.0), None, number=1)[0]
    assert "the claim does not say what it protects" in none.difference
    unnamed = nearest_to(PureDP(1.0), DAY, named=False, number=1)[0]
    assert "the claim does not name its neighbours" in unnamed.difference
    assert not unnamed.comparable
    replaced = nearest_to(PureDP(1.0, neighbours=Neighbours.REPLACE), DAY, number=1)[0]
    assert "the claim is about a record that is replaced" in replaced.difference


def test_the_same_unit_and_neighbours_are_said_to_be_the_same() -> None:
    found = nearest_to(PureDP(1.0), DAY, number=1)[0]
    assert found.comparable
    assert found.difference == "Same unit and same neighbours as the claim."


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInput, match="number must be"):
        nearest_to(PureDP(1.0), DAY, number=0)
