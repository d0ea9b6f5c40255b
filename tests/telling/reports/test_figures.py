"""The pictures of a report: drawn, or left out because their numbers are not known, and never lost."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from whit.errors import InvalidInput, NotImplied
from whit.telling.plots import picture
from whit.telling.reports import figures, report

DEMO = Path(__file__).parents[3] / "demo" / "release.toml"


class Failing:
    """A drawing library that fails at each drawing, as one does whose runtime does not start."""

    def __getattr__(self, name):
        def fail(*_, **__):
            raise ValueError("Failed to retrieve conversion result")

        return fail


@pytest.mark.parametrize("ending", ["html", "md"])
def test_a_report_is_not_written_without_the_pictures_that_the_library_fails_to_draw(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(picture, "_converter", Failing)
    with pytest.raises(InvalidInput, match=r"the chart must be one that can be drawn.*library itself has failed"):
        report(DEMO, tmp_path / f"report.{ending}", date=datetime.date(2026, 1, 31), sheet=True)
    assert not list(tmp_path.iterdir())


def test_a_picture_whose_numbers_are_not_known_is_left_out():
    def unknown():
        raise NotImplied("the risk", "has no bound that could be drawn", "nothing", "Use another book.")

    assert figures._drawn(unknown) == ()
