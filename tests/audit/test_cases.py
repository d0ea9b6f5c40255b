"""Cases whose answers are known exactly, from every dataset or from a line of arithmetic; the file says which."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from whit.audit import (
    Between,
    Equation,
    Exact,
    Knowledge,
    Publication,
    Rounded,
    RoundedEitherWay,
    Statement,
    Suppressed,
    TopCoded,
    adds_up,
    left,
    verify,
)

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))["cases"]

WORDS: Mapping[str, Callable[[Any], Statement]] = {
    "exact": Exact,
    "rounded": lambda said: Rounded(*said),
    "either_way": lambda said: RoundedEitherWay(*said),
    "between": lambda said: Between(*said),
    "top": TopCoded,
    "suppressed": lambda said: Suppressed(Between(*said) if said else None),
}


def statements(said: Mapping[str, Mapping[str, Any]]) -> dict[str, Statement]:
    return {cell: WORDS[word](value) for cell, each in said.items() for word, value in each.items()}


def equation(said: Mapping[str, Any]) -> Equation:
    if "total" in said:
        return adds_up(said["total"], said["parts"])
    return Equation(said["name"], said["terms"], said["right"])


def publication(case: Mapping[str, Any]) -> Publication:
    return Publication(statements(case["cells"]), map(equation, case["equations"]))


def knowledge(case: Mapping[str, Any]) -> Knowledge:
    return Knowledge(statements(case.get("known", {})), least=case.get("least", 0))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_values_left_are_those_of_the_case(case):
    found = left(publication(case), knowledge(case))
    for cell, values in case["left"].items():
        assert found.values(cell) == tuple(values)
        assert found.interval(cell).determined == (len(values) == 1)
        found.verify(cell)


@pytest.mark.parametrize("case", [case for case in CASES if "number" in case], ids=lambda case: case["id"])
def test_the_number_of_datasets_is_that_of_the_case(case):
    found = left(publication(case), knowledge(case))
    assert found.number == case["number"]
    verify(publication(case), found.counted, knowledge(case))
