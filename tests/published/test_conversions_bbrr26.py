"""Finite mechanisms of Bon, Bailie, Rousseau and Robert (2026), Proposition 6: one and two sides of the loss.

Their definition is one-sided, that of Kazan et al. two-sided, under one name (errata 003.5).
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from whit.curves import Curve, FinitePair
from whit.errors import Unreachable
from whit.guarantees import ProbabilisticDP
from whit.guarantees.conversions import convert

DATA = json.loads((Path(__file__).parent / "golden_conversions.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in DATA if case["paper"] == "BBRR26"}


def smallest_epsilon(curve: Curve, delta: float, sides: int) -> float:
    """The epsilon at a delta, infinite where the loss itself is with more than that probability."""
    try:
        return convert(curve, to=ProbabilisticDP, delta=delta, sides=sides).result.stated_epsilon
    except Unreachable:
        return math.inf


@pytest.mark.parametrize("key", CASES)
def test_the_smallest_delta(key: str) -> None:
    """At the printed delta the epsilon is met; just below the delta it is not."""
    case = CASES[key]
    rows = [[float(text) for text in row] for row in case["inputs"]["rows"]]
    epsilon = math.log(2) if case["inputs"]["eps"] == "log 2" else float(case["inputs"]["eps"])
    sides, delta = (2 if "-two-" in key else 1), float(case["value"])
    curve = Curve.exact(FinitePair.of(*rows))
    assert smallest_epsilon(curve, min(delta * (1 + 1e-12), 1.0), sides) <= epsilon * (1 + 1e-12)
    assert smallest_epsilon(curve, delta * (1 - 1e-9), sides) > epsilon
