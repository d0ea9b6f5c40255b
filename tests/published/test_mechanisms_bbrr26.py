"""Proposition 6 of Bon, Bailie, Rousseau and Robert (2026): tails of finite mechanisms, one-sided and two-sided."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from published import golden

from whit.curves import LossDistribution
from whit.mechanisms import Finite, Kernel

CASES = golden("golden_mechanisms.json", "BBRR26")
ONE_SIDED = [key for key in CASES if "-two-" not in key]
TWO_SIDED = [key for key in CASES if "-two-" in key]


def rows(case) -> list[list[float]]:
    return [[float(p) for p in row] for row in case["inputs"]["rows"]]


def epsilon(case) -> float:
    return math.log(2) if case["inputs"]["eps"] == "log 2" else float(case["inputs"]["eps"])


def two_sided(loss: LossDistribution, t: float) -> float:
    return float(np.exp(loss.log_tail(t).mid) + 1 - np.exp(loss.log_tail_closed(-t).mid))


def test_the_cases_were_found():
    assert len(ONE_SIDED) == 5
    assert len(TWO_SIDED) == 4


@pytest.mark.parametrize("key", ONE_SIDED)
def test_the_smallest_one_sided_delta_is_the_largest_tail(key):
    case = CASES[key]
    table = rows(case)
    tail = Kernel(table, list(combinations(range(len(table)), 2))).tail(epsilon(case))
    assert float(tail.mid) == pytest.approx(float(case["value"]), rel=1e-12)
    assert float(tail.lower) <= float(case["value"]) <= float(tail.upper)


@pytest.mark.parametrize("key", TWO_SIDED)
def test_the_smallest_two_sided_delta_adds_the_far_side(key):
    case = CASES[key]
    losses = [Finite(p, q).loss() for p, q in combinations(rows(case), 2)]
    both = max(two_sided(each, epsilon(case)) for loss in losses for each in (loss, loss.reverse()))
    assert both == pytest.approx(float(case["value"]), rel=1e-12)


def test_an_impossible_outcome_does_not_rule_out_probabilistic_privacy():
    case = CASES["003-case2"]
    assert case["errata"] == "003.4"
    mechanism = Finite(*rows(case))
    assert float(np.exp(mechanism.loss().log_infinity)) == pytest.approx(0.05, rel=1e-12)
    assert float(mechanism.tail(epsilon(case)).mid) < 1
