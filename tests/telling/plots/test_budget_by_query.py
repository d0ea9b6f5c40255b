"""What each query of a plan costs a concern."""

from __future__ import annotations

import re

import pytest

from whit.errors import InvalidInput
from whit.plans import census_2020, expose
from whit.telling.plots import budget_by_query


@pytest.fixture(scope="module")
def exposure():
    return expose(census_2020.plan(), census_2020.SCENARIOS["C"])


def test_the_bars_are_the_costs_and_the_table_adds_up_to_all_of_it(exposure):
    picture = budget_by_query(exposure, most=4)
    bars = [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows]
    assert tuple(row["rho"] for row in bars) == picture.table["rho at most"][:4]
    assert sum(picture.table["rho at most"]) == pytest.approx(float(exposure.exact_rho), rel=1e-12)
    assert sum(picture.table["share at most"]) == pytest.approx(1.0, rel=1e-12)
    assert list(picture.table["rho at most"]) == sorted(picture.table["rho at most"], reverse=True)
    assert f"The 4 most costly of {len(picture.table['rho at most'])} kinds." in picture.alt


def test_what_is_no_exposure_is_refused(exposure):
    with pytest.raises(InvalidInput, match="must be a plan as a concern meets it"):
        budget_by_query(census_2020.plan())
    with pytest.raises(InvalidInput, match="most"):
        budget_by_query(exposure, most=0)


@pytest.mark.parametrize(
    ("language", "title", "unit"),
    [
        ("de", "Was jede Abfrage über das Anliegen verrät", "Balkendiagramm."),
        ("fr", "Ce que chaque requête dit de ce qu’il faut protéger", "Diagramme en barres."),
    ],
)
def test_the_picture_speaks_the_language_and_has_the_same_numbers(exposure, language, title, unit):
    english, drawn = budget_by_query(exposure, most=3), budget_by_query(exposure, most=3, language=language)
    assert drawn.title == title
    assert drawn.alt.startswith(unit)
    assert [*drawn.table.items()] == [*english.table.items()]
    digits = [re.findall(r"\d+", re.sub(r"(?<=\d)[.,](?=\d)", ".", text)) for text in (english.alt, drawn.alt)]
    assert digits[0] == digits[1]
    assert "Bars" not in drawn.caption
