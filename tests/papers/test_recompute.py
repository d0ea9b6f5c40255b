"""Recomputing: every case once, and a number that is a little off is seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from whit.errors import UnknownKey
from whit.papers import PAPERS, Recomputed, read_cases, recompute
from whit.papers.case import Case, Way

CASE = read_cases("BBRR26")[0]


def test_every_case_is_recomputed_once_and_in_order():
    assert [each.case for each in recompute(["BBRR26", "KS14"])] == [*read_cases("BBRR26"), *read_cases("KS14")]


@pytest.mark.parametrize(("factor", "seen"), [(1.0, True), (1 + 5e-13, True), (1 + 3e-12, False), (1 - 3e-12, False)])
def test_a_number_that_is_a_little_off_is_not_as_expected(factor, seen):
    assert Recomputed(CASE, CASE.expected * factor, within=1e-12).as_expected is seen


def test_a_number_is_worked_out_once_in_a_process(monkeypatch):
    asked: list[Case] = []

    def noted(way: Way) -> Way:
        def compute(case: Case) -> float:
            asked.append(case)
            return way.compute(case)

        return Way(compute)

    for quantity, way in PAPERS["BBRR26"].items():
        monkeypatch.setitem(PAPERS["BBRR26"], quantity, noted(way))
    first, second = list(recompute(["BBRR26"])), list(recompute(["BBRR26"]))
    assert first == second
    assert len(asked) == len(first)


def test_nothing_is_near_zero_but_zero():
    assert not Recomputed(replace(CASE, value="0"), 1e-300, within=1e-12).as_expected
    assert Recomputed(replace(CASE, value="0"), 0.0, within=1e-12).as_expected


def test_a_number_that_is_none_is_not_as_expected():
    assert not Recomputed(CASE, float("nan"), within=1e-12).as_expected


def test_an_unknown_paper_is_refused_with_the_keys():
    with pytest.raises(UnknownKey, match="No paper has the key KS15. Choose one of KS14"):
        list(recompute(["KS15"]))
