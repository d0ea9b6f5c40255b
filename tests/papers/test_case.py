"""The cases of the papers: complete, each named once, and each verdict what the print and the value say."""

from __future__ import annotations

import operator
import re
from decimal import ROUND_HALF_UP, Decimal

import pytest

from whit.papers import PAPERS, Case, Verdict, read_cases

# The number of cases that were computed apart from this project, by paper; more may be added.
AT_LEAST = {"KS14": 51, "KAA22": 216, "KR24": 139, "KSZJY25": 116, "BBRR26": 25}
CASES = [case for paper in PAPERS for case in read_cases(paper)]
NUMBER = re.compile(
    r"(?P<relation><=|>=|<|>|)\s*(?P<number>-?\d+(?:\.(?P<decimals>\d+))?(?:e-?\d+)?)(?:/(?P<below>[\d.]+))?(?P<percent>%?)"
)
RELATIONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
# What these print is a condition or a formula, not a number: 003.1 and 003.3 say what is wrong with it.
NOT_NUMBERS = {"003-prop7-r2min-2", "003-prop7-r2min-3", "003-prop7-r2min-10", "003-def9"}

# What is printed is said of a quantity exactly, so that no rounding can make it agree.
EXACT = {"001-lap-sd"}

as_numbers = [case for case in CASES if case.printed and case.key not in NOT_NUMBERS]


def says(case: Case) -> bool:
    """Whether the value is what is printed: to its digits, or on its side of it."""
    match = NUMBER.fullmatch(case.printed)
    assert match, case
    value = Decimal(case.value) * (100 if match["percent"] else 1)
    if match["relation"]:
        return RELATIONS[match["relation"]](value, Decimal(match["number"]))
    if case.key in EXACT or match["below"]:
        return abs(value - Decimal(match["number"]) / Decimal(match["below"] or 1)) < Decimal("1e-20")
    unit = Decimal(1).scaleb(-len(match["decimals"] or ""))
    return value.quantize(unit, rounding=ROUND_HALF_UP) == Decimal(match["number"])


def test_the_papers_have_all_their_cases():
    counts = {paper: len(read_cases(paper)) for paper in PAPERS}
    assert set(counts) == set(AT_LEAST)
    assert all(counts[paper] >= least for paper, least in AT_LEAST.items())
    assert sum(AT_LEAST.values()) == 547


def test_every_case_has_a_name_of_its_own():
    assert len({case.key for case in CASES}) == len(CASES)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_quantity_has_a_way_and_every_way_a_case(paper):
    assert {case.quantity for case in read_cases(paper)} == set(PAPERS[paper])


@pytest.mark.parametrize("case", as_numbers, ids=lambda case: case.key)
def test_the_verdict_is_what_print_and_value_say(case):
    assert says(case) is (case.verdict in (Verdict.AGREES, Verdict.ROUNDED_INWARD))


def test_not_printed_means_not_printed():
    assert all((case.verdict is Verdict.NOT_PRINTED) == (case.printed == "") for case in CASES)


def test_what_is_said_to_be_wrong_has_an_erratum():
    assert all(case.errata for case in CASES if case.verdict in (Verdict.WRONG, Verdict.ROUNDED_INWARD))
