"""A picture to explore: its words are on the safe side, and nothing of it stands at a place of the window."""

from __future__ import annotations

import re

import pytest

from whit import Gaussian, ZeroConcentratedDP
from whit.semantics import membership
from whit.telling import plots

PICTURES = {
    "posterior": lambda: plots.posterior_against_prior(ZeroConcentratedDP(0.1), failure=0.01),
    "power": lambda: plots.level_and_power(ZeroConcentratedDP(0.1)),
    "releases": lambda: plots.risk_over_releases(
        Gaussian(2.0), membership.PosteriorFrom(prior=0.1), range(1, 25), failure=0.01
    ),
}


PLACES, RISKS = ("prior", "level", "releases"), ("posterior", "power", "risk")


def said_rows(drawing):
    """The rows that say their number."""
    return [row for rows in drawing["datasets"].values() for row in rows if "said" in row]


def numbers(text):
    """The two numbers of a sentence: a share for each that is followed by a percent sign."""
    return [float(digits) / (100 if sign else 1) for digits, sign in re.findall(r"(\d[\d.]*(?:e-?\d+)?)(\s%)?", text)]


@pytest.mark.parametrize("name", PICTURES)
def test_every_number_of_a_line_is_said_on_its_safe_side(name):
    rows = said_rows(plots.explorable(PICTURES[name]()))
    assert len(rows) >= 24
    for row in rows:
        x, y = (next(row[each] for each in some if each in row) for some in (PLACES, RISKS))
        place, most = numbers(row["said"])
        assert place <= x * (1 + 1e-12), row  # what is printed as a share of a hundred is read with one rounding
        assert most >= y * (1 - 1e-12) or "possibly" in row["said"], row
        assert most <= y * 1.02 + 1e-9 or "possibly" in row["said"], row


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_stands_at_a_place_of_the_window_since_the_picture_moves(name):
    drawing = plots.explorable(PICTURES[name]())
    for view in drawing.get("hconcat", [drawing]):
        assert all("field" in layer["encoding"]["x"] for layer in view["layer"])
        assert all(layer["mark"]["clip"] for layer in view["layer"])
        bound = [one for layer in view["layer"] for one in layer.get("params", ()) if one.get("bind") == "scales"]
        assert len(bound) == 1


def test_the_picture_itself_stays_as_it_was():
    picture = PICTURES["posterior"]()
    before = repr(picture.drawing)
    plots.explorable(picture)
    assert repr(picture.drawing) == before


def test_the_library_is_one_script_that_interprets_expressions():
    script = plots.library_script()
    assert "vegaEmbed" in script
    assert "import " not in script[:200]
