"""A profile along one belief, and the epsilon that it allows: KR24, Figures 1, 3 and 4."""

from __future__ import annotations

import mpmath
import pytest

from whit.errors import Incompatible, InvalidInput
from whit.policy import profiles
from whit.telling.plots import profile_and_epsilon


def rows(picture) -> list[dict]:
    return [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows]


def dots(picture, field: str) -> list[dict]:
    """The adversaries who decide: rows of their own, without a series."""
    return [row for row in rows(picture) if field in row and "series" not in row]


@pytest.mark.parametrize(
    ("options", "epsilon"),
    [
        # KR24, Table 1 (Figure 3) and Table 5 (Figure 4), to the two digits that are printed.
        ({"relative": 1.5, "absolute": 0.25, "value": 1.0}, 0.51),
        ({"relative": 3.0, "absolute": 0.25, "value": 1.0}, 1.30),
        ({"relative": 6.0, "absolute": 0.25, "value": 1.0}, 2.04),
        ({"relative": 3.0, "absolute": 0.025, "inclusion": 0.05}, 1.09),
        ({"relative": 3.0, "absolute": 0.15, "inclusion": 0.05}, 1.21),
        ({"relative": 3.0, "absolute": 0.3, "inclusion": 0.05}, 2.10),
    ],
)
def test_the_dot_is_at_the_epsilon_that_the_paper_prints(options, epsilon):
    picture = profile_and_epsilon(profiles.capped(**options))
    assert {round(row["epsilon"], 2) for row in dots(picture, "epsilon")} == {epsilon}


def test_the_dot_is_the_lowest_point_of_the_line():
    picture = profile_and_epsilon(profiles.capped(relative=3.0, absolute=0.25, value=1.0))
    dot, drawn = dots(picture, "epsilon")[0], picture.table["largest epsilon: the profile"]
    assert dot["inclusion"] == pytest.approx(0.25 / 3, rel=1e-12)
    assert dot["epsilon"] == pytest.approx(min(drawn), rel=1e-9)
    assert dot["inclusion"] in picture.table["inclusion"]


def test_each_epsilon_is_that_of_the_formula_and_on_its_safe_side():
    picture = profile_and_epsilon(profiles.capped(relative=3.0, absolute=0.1, value=1.0))
    columns = (picture.table[name] for name in ("inclusion", "largest epsilon: the profile"))
    for p, epsilon in zip(*columns, strict=True):
        # With value 1 the risk is 1/(p + (1-p) e^-epsilon), which is to be at most max(0.1/p, 3).
        prior = mpmath.mpf(p)
        room = 1 / max(mpmath.mpf(0.1) / prior, 3) - prior
        truth = -mpmath.log(room / (1 - prior)) if room > 0 else mpmath.inf
        assert epsilon <= truth
        assert epsilon == pytest.approx(float(truth), rel=1e-9, abs=1e-12)


def test_where_there_is_no_limit_nothing_is_drawn():
    picture = profile_and_epsilon(profiles.capped(relative=3.0, absolute=0.25, value=1.0))
    last = [row for row in rows(picture) if row.get("series") == "the profile" and "epsilon" in row][-1]
    assert last["epsilon"] is None
    assert picture.table["largest epsilon: the profile"][-1] == float("inf")


def test_several_agencies_share_a_picture_with_their_epsilons_beside_them():
    several = {name: profiles.capped(relative=r, absolute=0.25, value=1.0) for name, r in (("A", 1.5), ("C", 6.0))}
    picture = profile_and_epsilon(several)
    text = picture.chart.to_json()
    assert "A: epsilon 0.51" in text
    assert "C: epsilon 2.03" in text
    assert len(dots(picture, "epsilon")) == 2
    assert len(dots(picture, "limit")) == 2


def test_profiles_that_do_not_lie_along_one_belief_are_refused():
    free, along = profiles.capped(relative=3.0, absolute=0.25), profiles.capped(relative=3.0, absolute=0.2, value=1.0)
    with pytest.raises(Incompatible, match="must have exactly one belief fixed.*draw a map"):
        profile_and_epsilon(free)
    with pytest.raises(Incompatible, match="the same in all of them"):
        profile_and_epsilon({"a": along, "b": profiles.capped(relative=3.0, absolute=0.2, inclusion=0.05)})
    with pytest.raises(InvalidInput, match="profile must be a risk profile"):
        profile_and_epsilon({})
