"""The columns of the tables on a decision sheet: no word runs into the next one."""

from __future__ import annotations

import datetime
from dataclasses import replace

import numpy as np
import pytest
from set_pages import set_pages

from whit.spec import parsed, release_of
from whit.telling.reports import document_of

DOTS = 100.0
IN_MM = 25.4 / DOTS
LEFT, WIDTH, GAP = 19.0, 81.0, 7.0
"""In millimetres: the margin of the page, the tables beside the picture, and what is between them and the picture."""

FILE = """
[release]
name = "Patients"
publisher = "Office"

[unit]
name = "person"

[promise]
epsilon = 2.0
releases = 5

[[adversary]]
name = "an employer"
fact = "a certain applicant is a patient"
prior = 0.1

[limit.posterior]
limit = 0.3
prior = 0.1

[questions]
failure = 0.01
"""


def dots(millimetres: float) -> int:
    return round(millimetres / IN_MM)


def below_header(page: np.ndarray) -> np.ndarray:
    """What is below the line under the header of the table beside the picture, the footer left out."""
    is_line = page[:, dots(LEFT + 0.5) : dots(LEFT + WIDTH - 0.5)].all(axis=1)
    ends = ~page[:, dots(LEFT + WIDTH + 1.0) : dots(LEFT + WIDTH + GAP - 1.0)].any(axis=1)
    return page[np.flatnonzero(is_line & ends)[-1] + 2 : dots(297.0 - 22.0)]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_word_runs_into_the_next_column(language):
    """In German, "(Ausnahmewahrscheinlichkeit" stood upon the error of the noise, and others upon the verdict."""
    request = release_of(parsed(FILE, "release.toml"))
    document = document_of(request, date=datetime.date(2026, 1, 31), language=language, sheet=True)
    assert document.sheet is not None
    table = document.sheet.beside[1].blocks[0]
    (page,) = set_pages(replace(document, sheet=replace(document.sheet, below=())), dots_per_inch=DOTS)
    found = below_header(page)
    assert found[:, dots(LEFT) : dots(LEFT + WIDTH)].any()
    for place in range(1, len(table.widths)):
        start = LEFT + WIDTH * sum(table.widths[:place]) / sum(table.widths)
        assert not found[:, dots(start) : dots(start + 1.0)].any(), table.header[place]
    assert not found[:, dots(LEFT + WIDTH + 0.5) : dots(LEFT + WIDTH + GAP - 1.0)].any()
