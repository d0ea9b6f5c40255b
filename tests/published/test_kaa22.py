"""Every number of Kifer et al. (2022), recomputed: near its value, on its own side, and against the print."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import cache

import pytest

from whit.papers import Case, Verdict, read_cases
from whit.papers.kaa22 import WAYS

CASES = {case.key: case for case in read_cases("KAA22")}
NUMBER = re.compile(r"\d+(\.\d+)?")
COMPARED: dict[str, Callable[[float, float], bool]] = {"<=": operator.le, "<": operator.lt, ">": operator.gt}

# A numerical composition is good to 1e-9; all else is a closed form, a fraction or a search to the last digits.
COMPOSED = {"largest power against the discrete Gaussian noise", "epsilon of pbdp of the discrete Gaussian noise"}

BOUNDS = {
    "largest power under pure DP",
    "largest power under approximate DP",
    "largest power against Gaussian noise",
    "largest power under zCDP",
    "delta of Gaussian noise",
    "delta of pbdp of Gaussian noise",
    "tail of the loss under zCDP",
    "tail of the loss under Renyi DP",
    "lower tail of the loss under zCDP",
    "lower tail of the loss under Renyi DP",
}


@cache
def computed(key: str) -> float:
    return WAYS[CASES[key].quantity].compute(CASES[key])


def of(*verdicts: Verdict) -> list[str]:
    return [key for key, case in CASES.items() if case.verdict in verdicts]


def test_every_case_has_a_way_and_every_way_a_case() -> None:
    assert len(CASES) == 247
    assert {case.quantity for case in CASES.values()} == set(WAYS)


def test_only_numerical_compositions_are_allowed_more_than_rounding() -> None:
    assert {quantity for quantity, way in WAYS.items() if way.within > 1e-12} == COMPOSED
    assert all(WAYS[quantity].within == 1e-9 for quantity in COMPOSED)


@pytest.mark.parametrize("key", CASES)
def test_a_number_of_the_paper_is_recomputed(key: str) -> None:
    way = WAYS[CASES[key].quantity]
    assert computed(key) == pytest.approx(CASES[key].expected, rel=way.within, abs=0.0)


@pytest.mark.parametrize("key", [key for key, case in CASES.items() if case.quantity in BOUNDS])
def test_a_bound_is_one_in_its_last_digit_too(key: str) -> None:
    assert computed(key) >= CASES[key].expected * (1 - 1e-15)


def agrees(case: Case, number: float) -> bool:
    """Whether a number is what is printed, to the digits that are printed; or keeps to the bound that is printed."""
    sign = next((sign for sign in COMPARED if case.printed.startswith(sign)), "")
    if sign:
        return COMPARED[sign](number, float(case.printed.removeprefix(sign)))
    assert NUMBER.fullmatch(case.printed)
    digits = len(case.printed.partition(".")[2])
    return abs(number - float(case.printed)) <= 0.5 * 10.0**-digits * (1 + 1e-9)


@pytest.mark.parametrize("key", [key for key, case in CASES.items() if case.printed])
def test_a_number_agrees_with_the_print_exactly_where_the_verdict_says_so(key: str) -> None:
    case = CASES[key]
    assert agrees(case, computed(key)) == (case.verdict is Verdict.AGREES)
    assert agrees(case, case.expected) == (case.verdict is Verdict.AGREES)


def test_the_variance_in_the_caption_of_figure_1_is_twice_too_large() -> None:
    """The caption has 1/2.63."""
    case = CASES["004-fig1-sigma"]
    assert (case.verdict, case.errata) == (Verdict.WRONG, "004.4")
    assert 2 * computed(case.key) == pytest.approx(1 / 2.63, rel=1e-12)
    assert f"{1 / 2.63:.4f}" == case.printed


@pytest.mark.parametrize("key", of(Verdict.WRONG, Verdict.DOES_NOT_FOLLOW))
def test_whatever_is_wrong_is_in_the_errata(key: str) -> None:
    assert CASES[key].printed
    assert re.fullmatch(r"004\.\d+", CASES[key].errata)


@pytest.mark.parametrize("key", of(Verdict.NOT_PRINTED))
def test_what_is_not_printed_has_nothing_printed(key: str) -> None:
    assert not CASES[key].printed


def test_the_rows_and_the_columns_of_tables_3_to_5_add_up_to_the_same() -> None:
    rows = [computed(key) for key, case in CASES.items() if case.quantity == "rho of a query over all levels"]
    columns = [computed(key) for key, case in CASES.items() if case.quantity == "rho of a level"]
    assert (len(rows), len(columns)) == (12, 6)
    assert sum(rows) == pytest.approx(2.63, rel=1e-12)
    assert sum(columns) == pytest.approx(2.63, rel=1e-12)
