"""The catalogue holds what was confirmed, groups by unit, and never ranks across units."""

from __future__ import annotations

import datetime

import pytest

from whit.setting import PERSON, UnitOfPrivacy
from whit.telling.catalogue import Model, Noise, by_unit, deployments, undisclosed, with_unit


def test_every_key_is_there_once():
    keys = [each.key for each in (*deployments(), *undisclosed())]
    assert len(keys) == len(set(keys))
    assert len(deployments()) >= 35


def test_every_deployment_has_a_source_with_a_link_and_the_date_of_the_check():
    assert all(each.link.startswith("https://") for each in deployments())
    assert all(each.source.strip() for each in deployments())
    assert all(datetime.date(2026, 1, 1) <= each.checked for each in deployments())


@pytest.mark.parametrize("word", ["OnTheMap", "8.6"])
def test_what_was_not_confirmed_stays_out(word):
    texts = [f"{each.key} {each.product} {each.stated} {each.note}" for each in deployments()]
    assert not any(word in text for text in texts)


@pytest.mark.parametrize(
    ("key", "stated"),
    [
        ("us-census-redistricting-persons", "rho = 2.56"),  # not 2.63, which adds the housing units
        ("us-census-redistricting-units", "rho = 0.07"),
        ("us-census-dhc-units", "rho = 7.7"),
        ("google-community-mobility", "epsilon = 2.64"),
        ("google-vaccine-search", "epsilon = 2.19, delta = 1e-5"),
        ("recurve-ohmconnect", "epsilon = 4.72, delta = 5.06e-9"),  # as corrected; the paper has 0.843
        ("microsoft-windows-telemetry", "epsilon = 1.672"),
    ],
)
def test_the_native_parameters_are_those_of_the_source(key, stated):
    assert next(each.stated for each in deployments() if each.key == key) == stated


def test_the_groups_hold_every_deployment_once_and_one_unit_each():
    groups = by_unit()
    assert sorted(each.key for group in groups.values() for each in group) == sorted(e.key for e in deployments())
    assert all(each.unit == unit for unit, group in groups.items() for each in group)


def test_a_day_of_a_user_and_a_user_are_different_groups():
    groups = by_unit()
    assert UnitOfPrivacy("user", period="one day") in groups
    assert UnitOfPrivacy("user") in groups


def test_a_group_is_ordered_by_year_and_not_by_risk():
    for group in by_unit().values():
        years = [each.year for each in group]
        assert years == sorted(years)


def test_a_unit_that_nobody_has_gives_nothing():
    assert with_unit(UnitOfPrivacy("cow")) == ()
    assert len(with_unit(PERSON)) == 5


def test_local_deployments_compare_the_records_of_one_sender():
    local = [each for each in deployments() if each.model is Model.LOCAL]
    assert local
    assert {each.neighbours.name for each in local} == {"LOCAL"}


def test_the_noise_is_named_for_promises_by_rho_only():
    named = [each for each in deployments() if each.noise is not Noise.NOT_USED]
    assert named
    assert all(dict(each.parameters).keys() == {"rho"} for each in named)


def test_what_is_undisclosed_says_why():
    assert len(undisclosed()) == 8
    assert all(each.reason.endswith(".") for each in undisclosed())
