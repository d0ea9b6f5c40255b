"""A plan as a notebook shows it: what it says of noise is enough to be used."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from shown_pages import words_of

from whit.plans import Budget, Kind, Plan, Query, Rho, Share
from whit.setting import PERSON


def plan_of(rho: str) -> Plan:
    kinds = [Kind(("sex",), "County", Share("all", "2/3")), Kind((), "Country", Share("all", "1/3"))]
    queries = [Query("by sex", kinds[0]), Query("total", kinds[1])]
    levels = ["Country", "County"]
    return Plan.of(queries, name="plan", levels=levels, unit=PERSON, budgets=[Budget("all", Rho(rho))])


@pytest.mark.parametrize("rho", ["0.05", "0.0501", "0.5", "0.75", "3.75"])
def test_noise_that_is_typed_in_as_it_is_shown_does_not_overspend(rho):
    plan = plan_of(rho)
    said = [Fraction(each) for each in re.findall(r"(?:exactly )?([\d.]+)(?: \(rounded up\))?<", _cells(plan))]
    assert len(said) == 2
    assert sum(1 / (2 * sigma**2) for sigma in said) <= Fraction(rho)
    assert sum(1 / (2 * Fraction(repr(row["sigma"])) ** 2) for row in plan.to_rows()) <= Fraction(rho)


def _cells(plan: Plan) -> str:
    """The cells that show a sigma."""
    return "".join(re.findall(r">((?:exactly )?[\d.]+(?: \(rounded up\))?<)/td></tr>", plan._repr_html_()))


def test_noise_says_where_it_is_rounded():
    assert "5.47723 (rounded up)" in words_of(plan_of("0.05"))
    assert "exactly 2" in words_of(plan_of("0.75"))
