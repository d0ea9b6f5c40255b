"""Scenarios A to H, with what is printed beside what follows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from whit.errors import UnknownKey
from whit.papers import kaa22_census


@pytest.mark.parametrize("letter", "ABCDEFGH")
def test_both_rhos_are_shown_and_only_a_and_b_agree(letter):
    found = kaa22_census.scenario(letter)
    assert found.follows is (letter in "AB")
    assert f"printed {float(found.printed_rho):g}" in str(found)
    assert f"rho {float(found.exposure.exact_rho):.5f}" in str(found)


@pytest.mark.parametrize("rho", kaa22_census.PRINTED_RHOS.values(), ids=float)
def test_what_a_printed_rho_promises_is_rounded_to_the_safe_side(rho):
    assert 2 * rho <= Fraction(kaa22_census.gaussian(rho).mu) ** 2 <= 2 * rho * (1 + Fraction(1, 10**15))
    assert rho <= Fraction(kaa22_census.concentrated(rho).rho) <= rho * (1 + Fraction(1, 10**15))


@pytest.mark.parametrize("letter", "CDEFGH")
def test_the_tables_give_more_than_is_printed(letter):
    found = kaa22_census.scenario(letter)
    assert Fraction("0.056") < found.exposure.exact_rho - found.printed_rho < Fraction("0.059")


@pytest.mark.parametrize("letter", "ABCDEFGH")
def test_every_affected_query_has_a_reason_that_names_it(letter):
    for queries in kaa22_census.scenario(letter).exposure.affected:
        assert queries.reason.startswith(f"{queries.names} at {queries.kind.level} ")
        assert queries.reason.endswith(".")


def test_totals_are_touched_by_a_change_of_place_only():
    for letter in "ABCDEFGH":
        exposure = kaa22_census.scenario(letter).exposure
        levels = {each.kind.level for each in exposure.affected if each.names == "TOTAL"}
        moved = {"A": 1, "B": 2, "C": 0, "D": 0, "E": 2, "F": 1, "G": 1, "H": 1}[letter]
        assert levels == set(exposure.plan.levels[6 - moved :])


def test_a_scenario_that_is_not_there_is_refused():
    with pytest.raises(UnknownKey, match=r"a scenario must be one of those of section 8\.2; got Z\. Use a letter"):
        kaa22_census.scenario("Z")
