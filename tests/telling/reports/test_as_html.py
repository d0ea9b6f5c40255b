"""Reports as pages."""

from __future__ import annotations

import pytest

from whit.telling.reports.as_html import unbroken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("at most 12.6 % of 5 %", "at most 12.6\u00a0% of 5\u00a0%"),
        ("percent is % here", "percent is % here"),
        ("1.24e-7 is no percentage", "1.24e-7 is no percentage"),
    ],
)
def test_only_the_space_between_a_number_and_its_percent_sign_is_held(text, said):
    assert unbroken(text) == said
