"""The map of a profile with the adversary who decides: KR24, Figure 5."""

from __future__ import annotations

import pytest
from drawn_texts import drawn_texts

from whit.errors import Incompatible, InvalidInput
from whit.guarantees import PureDP
from whit.policy import profiles
from whit.semantics import disclosure
from whit.telling.plots import NO_LIMIT, SCALE, profile_map


@pytest.fixture(scope="module")
def figure_5():
    return profile_map(profiles.capped(relative=3.0, absolute=0.25), cells=12)


def rows(picture) -> list[dict]:
    return [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows]


def test_the_dot_is_where_the_paper_has_it(figure_5):
    dots = [row for row in rows(figure_5) if set(row) == {"inclusion", "value"}]
    assert {(row["inclusion"], round(row["value"], 3)) for row in dots} == {(1.0, 0.083)}
    # KR24, appendix C.3 prints 0.65.
    assert "an epsilon of up to 0.649 meets it" in figure_5.alt


def test_each_cell_has_the_epsilon_of_its_middle(figure_5):
    cells = [row for row in rows(figure_5) if "epsilon" in row]
    assert len(cells) == 144
    for cell in cells:
        p, q = (cell["inclusion"] + cell["right"]) / 2, (cell["value"] + cell["upper"]) / 2
        if cell["epsilon"] is not None:
            risk = disclosure.relative_risk(PureDP(cell["epsilon"]), inclusion=p, value=q)
            assert float(risk.upper) == pytest.approx(max(0.25 / (p * q), 3.0), rel=1e-9)


def test_the_table_has_the_numbers_of_the_cells(figure_5):
    finite = [e for e in figure_5.table["largest epsilon"] if e != float("inf")]
    assert finite == [row["epsilon"] for row in rows(figure_5) if row.get("epsilon") is not None]
    assert len(finite) < 144


def test_a_profile_along_one_belief_has_no_map():
    with pytest.raises(Incompatible, match="must have both beliefs free.*profile_and_epsilon"):
        profile_map(profiles.capped(relative=3.0, absolute=0.25, value=1.0))
    with pytest.raises(Incompatible, match="must be that of a risk profile"):
        profile_map(3.0)
    with pytest.raises(InvalidInput, match="cells must be from 2 to 100"):
        profile_map(profiles.constant(3.0), cells=1)


def test_no_colour_of_the_scale_is_grey():
    # The ends and the middle of viridis; the nearest of them is still far from grey, where all three parts are equal.
    for colour in ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"):
        parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
        assert max(parts) - min(parts) > 60
    assert SCALE == "viridis"
    parts = {NO_LIMIT[n : n + 2] for n in (1, 3, 5)}
    assert len(parts) == 1


def test_grey_is_explained_where_it_is_seen():
    def texts(profile):
        return [each.text for each in drawn_texts(profile_map(profile, cells=8).svg())]

    assert "no limit" in texts(profiles.capped(relative=3.0, absolute=0.25))
    assert "no limit" not in texts(profiles.difference(0.1))
