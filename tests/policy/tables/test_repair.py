"""Repairs: the least change, proved by its audit, and no smaller one does."""

from __future__ import annotations

from itertools import combinations

import pytest

from whit.audit import Exact, Publication, Suppressed, adds_up, left, two_way
from whit.errors import TooCostly, Unreachable
from whit.policy.tables import Task, ValuesLeft, WidthLeft, fewest_suppressions, smallest_base

X = None
ALONE = two_way([[X, 5, 9], [4, 8, 7], [3, 6, 2]], rows=[17, 19, 11], columns=[10, 19, 18], total=47)


def withholding(publication: Publication, cells) -> Publication:
    said = [(cell, Suppressed() if cell in cells else each) for cell, each in publication.statements]
    return Publication(said, publication.equations)


def test_one_withheld_cell_needs_three_more_and_no_two_do():
    inside = [cell for cell, _ in ALONE.statements if "all" not in cell and cell != ("1", "1")]
    cells, found = fewest_suppressions(Task(ALONE), inside)
    assert len(cells) == 3
    assert found.is_kept
    for pair in combinations(inside, 2):
        assert left(withholding(ALONE, pair)).interval(("1", "1")).determined
    assert not left(withholding(ALONE, cells)).interval(("1", "1")).determined


def test_a_table_within_its_limits_needs_no_repair():
    safe = withholding(ALONE, [("1", "2"), ("2", "1"), ("2", "2")])
    cells, _ = fewest_suppressions(Task(safe))
    assert cells == ()


def test_rounding_to_the_smallest_base_meets_the_limit_and_the_one_below_does_not():
    task = Task(ALONE, limits=(WidthLeft(6),))
    base, found = smallest_base(task)
    assert found.is_kept
    with pytest.raises(Unreachable, match="a repair must keep the limits by rounding"):
        smallest_base(task, range(2, base))


def test_limits_that_no_suppression_meets_are_unreachable():
    with pytest.raises(Unreachable, match="a repair must keep the limits by withholding more"):
        fewest_suppressions(Task(ALONE, limits=(ValuesLeft(5),)), [("1", "2")])


def test_a_repair_gives_up_after_so_many_audits():
    with pytest.raises(TooCostly, match="a repair must be found within 3 audits"):
        fewest_suppressions(Task(ALONE), most=3)


def test_what_was_exact_needs_nothing_left():
    cells, found = fewest_suppressions(Task(ALONE))
    assert all(isinstance(dict(ALONE.statements)[cell], Exact) for cell in cells)
    assert all(not each.required for each in found.found if each.cell in cells)


def test_a_base_of_two_is_tried_first():
    task = Task(Publication({"total": Exact(3)}, [adds_up("total", ("only",))]), limits=(ValuesLeft(2),))
    assert smallest_base(task)[0] == 2
