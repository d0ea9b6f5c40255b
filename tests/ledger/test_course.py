"""The course of an account: one step for each release that counts, and the picture of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whit.errors import UnknownKey
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.ledger import Course, Ledger, course_of, status_of
from whit.ledger.course import MOST
from whit.policy import limits
from whit.telling.plots import account_over_time, plot


def course(path: Path, releases: int, cancelled: int = 0) -> Course:
    """The course of an account with so many releases, the first of which are cancelled."""
    with Ledger.create(path, actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=[limits.posterior(0.3, prior=0.1)], failure="0.01", books=["zcdp"])
        numbers = [ledger.reserve("2026", ZeroConcentratedDP(1e-4), what="x").number for _ in range(releases)]
        for number in numbers[:cancelled]:
            ledger.cancel(number, statement="no output")
        found = course_of(ledger.store, "2026")
        [now] = status_of(ledger.store, "2026").limits
        assert found.steps[-1].risk == now.risk
        assert found.used == now.used
        return found


def test_each_release_that_counts_is_a_step_up(tmp_path: Path) -> None:
    found = course(tmp_path / "office.ledger", releases=5, cancelled=2)
    assert [step.releases for step in found.steps] == [0, 1, 2, 3]
    risks = [float(step.risk) for step in found.steps if step.risk is not None]
    assert risks == sorted(risks)
    assert risks[0] == pytest.approx(0.1, abs=1e-12)  # nothing was said: the prior


def test_many_releases_are_drawn_at_some_of_them(tmp_path: Path) -> None:
    found = course(tmp_path / "office.ledger", releases=MOST + 40)
    assert len(found.steps) == MOST + 1
    assert found.steps[-1].releases == MOST + 40


def test_the_picture_tells_limit_and_share_in_words(tmp_path: Path) -> None:
    found = course(tmp_path / "office.ledger", releases=3)
    picture = account_over_time(found)
    assert "limit 30 %" in picture.alt.lower()
    assert "of the limit is used" in picture.alt
    assert picture.table["releases"] == (0, 1, 2, 3)
    assert plot(found).alt == picture.alt


@pytest.mark.parametrize("releases", [1, 3, 40])
def test_the_last_step_has_a_width_and_the_dot_is_where_it_begins(tmp_path: Path, releases: int) -> None:
    found = course(tmp_path / "office.ledger", releases=releases)
    chart = account_over_time(found).drawing
    [steps] = [each for each in layers_of(chart) if each["mark"].get("interpolate") == "step-after"]
    [dot] = [each for each in layers_of(chart) if each["mark"]["type"] == "point"]
    *_, before, last = chart["datasets"][steps["data"]["name"]]
    assert [before] == chart["datasets"][dot["data"]["name"]]
    assert before["releases"] == releases
    assert last["releases"] - releases >= max(1, releases / 20)
    assert last["risk"] == before["risk"]
    assert "stroke" not in dot["mark"]  # a rim would cut the line that leads to it
    x = steps["encoding"]["x"]
    assert x["scale"]["domain"] == [0.0, last["releases"]]
    assert max(x["axis"]["values"]) <= releases


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The prior is 10 %."),
        ("de", "Die A-priori-Wahrscheinlichkeit ist 10\u00a0%."),
        ("fr", "La probabilité a priori est de 10\u202f%."),
    ],
)
def test_the_caption_states_the_prior(tmp_path: Path, language: str, said: str) -> None:
    picture = account_over_time(course(tmp_path / "office.ledger", releases=1), language=language)
    assert blanks(said) in blanks(picture.caption)
    assert blanks(said) in blanks(picture.alt)


def test_the_caption_of_a_limit_at_any_prior_states_none(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "office.ledger") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=["ratio=2"], books=["pure"])
        assert "prior is" not in account_over_time(course_of(ledger.store, "2026")).caption


def blanks(text: str) -> str:
    """The text with every blank as an ordinary one."""
    return " ".join(text.split())


def layers_of(chart: Any) -> list[Any]:
    """All layers of a chart that have a mark."""
    if isinstance(chart, dict):
        own = [chart] if isinstance(chart.get("mark"), dict) else []
        return own + [each for value in chart.values() for each in layers_of(value)]
    return [found for each in chart for found in layers_of(each)] if isinstance(chart, list) else []


def test_a_limit_that_the_account_has_not_is_refused(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "office.ledger") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=["ratio=2"], books=["pure"])
        ledger.reserve("2026", PureDP(0.1), what="x")
        with pytest.raises(UnknownKey, match="a limit must be one of account 2026"):
            course_of(ledger.store, "2026", "ratio=3")


def test_at_most_so_many_steps_are_drawn_and_the_last_release_is_one(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("whit.ledger.course.MOST", 3)
    assert [step.releases for step in course(tmp_path / "office.ledger", releases=9).steps] == [0, 3, 6, 9]
