"""The page of an audit: well-formed, every cell, each known one with its sum, nothing that somebody wrote as markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from whit.audit import Exact, Interval, Publication, Suppressed, adds_up, two_way
from whit.policy.tables import Task, audited
from whit.telling.audits import audit_page, left_picture

X = None
NASTY = "<script>alert('x')</script>&"
LEAKY = two_way(
    [[X, X, X, 8], [X, X, 9, 6], [12, 7, X, X], [9, 5, X, X]],
    rows=[42, 34, 39, 38],
    columns=[45, 30, 36, 42],
    total=153,
)


def test_the_page_has_the_verdict_the_sum_and_every_cell():
    page = audit_page(audited(Task(LEAKY)), title="a table")
    assert "✗ Not allowed" in page
    assert "1 × 3 is exactly 11: 12 (3 × 1) + 9 (4 × 1)" in page
    assert page.count("an outsider</td>") == 9
    assert "No bound on beliefs holds for every prior" in page


def test_a_page_within_the_limits_says_so():
    safe = Publication({"t": Exact(9), "a": Suppressed(), "b": Suppressed()}, [adds_up("t", "ab")])
    page = audit_page(audited(Task(safe)), title="a table")
    assert "✓ Allowed" in page
    assert "known exactly, each with" not in page


def test_what_somebody_wrote_is_text():
    nasty = Publication({"t": Exact(9), NASTY: Suppressed(), "b": Suppressed()}, [adds_up("t", (NASTY, "b"))])
    page = audit_page(audited(Task(nasty)), title=NASTY)
    assert "<script" not in page
    assert "default-src 'none'" in page


@pytest.mark.parametrize("cells", [1, 9, 60])
def test_the_picture_is_well_formed_and_has_a_bar_or_a_mark_for_each_cell(cells):
    intervals = [Interval(f"cell {at} <", 0, at) for at in range(cells)] + [Interval("endless", 0, None)]
    picture = left_picture(intervals)
    tree = ElementTree.fromstring(picture)
    names = [each.tag.rpartition("}")[2] for each in tree.iter()]
    assert names.count("rect") + names.count("path") == min(cells + 1, 40)
    assert names.count("path") == 1
    assert ("more cells" in picture) == (cells + 1 > 40)


def test_bars_are_as_long_as_intervals_are_wide():
    picture = left_picture([Interval("a", 0, 10), Interval("b", 5, 10), Interval("c", 0, 20)])
    widths = [int(each) for each in re.findall(r'width="(\d+)"', picture)]
    assert widths == [210 * 5 // 10, 210, 420]
