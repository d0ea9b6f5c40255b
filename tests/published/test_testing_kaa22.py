"""Level, power and pbdp of the 2020 Census redistricting noise, as Kifer et al. (2022) report them.

Values are exact, to 25 digits; what is printed comes from simulation or from the continuous Gaussian.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from published import golden

from whit.curves import Curve, composed
from whit.guarantees import GaussianDP, PureDP, bounded_epsilon
from whit.mechanisms import DiscreteGaussian
from whit.semantics.testing import log_level, positive_predictive_value, posterior_after_rejection, power, pure_power
from whit.setting import Neighbours, Sensitivity

CASES = golden("golden_testing.json", "KAA22")
TABLE_1 = {key: case for key, case in golden("golden_guarantees.json", "KAA22").items() if key.startswith("004-t1-")}
TABLES = json.loads((Path(__file__).parents[2] / "benchmarks" / "census.json").read_text(encoding="utf-8"))

# The discrete and the continuous Gaussian differ by less than 1e-9 here: the composition must be closer than that.
WIDTH = 1e-10
CLOSE = 1e-9


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [case for case in CASES.values() if case["kind"] == kind]


def rhos(*, levels: tuple[int, ...]) -> list[Fraction]:
    """Rho of each query at some of the levels, from Tables 3 to 5, for persons and for housing units."""
    shares = {unit: [Fraction(share) for share in given] for unit, given in TABLES["level_shares"].items()}
    rho = {unit: Fraction(value) for unit, value in TABLES["rho"].items()}
    queries = [[Fraction(share) for share in query["shares"]] for query in TABLES["query_shares"].values()]
    persons = [rho["person"] * shares["person"][i] * query[i] for query in queries for i in levels]
    return [each for each in persons + [rho["housing"] * shares["housing"][i] for i in levels] if each > 0]


@cache
def composition(levels: tuple[int, ...]) -> Curve:
    """One changed person: two cells of each query change by 1, with discrete Gaussian noise of variance 1/rho."""
    curves: dict[Curve, int] = {}
    for rho in rhos(levels=levels):
        noise = DiscreteGaussian(math.sqrt(1 / rho), sensitivity=Sensitivity.histogram())
        curve = noise.curve(Neighbours.REPLACE)
        curves[curve] = curves.get(curve, 0) + 1
    return composed(curves, relative_width=WIDTH)


def everything() -> Curve:
    return composition(tuple(range(len(TABLES["level_shares"]["person"]))))


def blocks() -> Curve:
    return composition((len(TABLES["level_shares"]["person"]) - 1,))


def holds(found: object, value: float) -> bool:
    """Whether an interval holds the value, and is narrower than what the cases are told apart by."""
    lower, upper = float(found.lower), float(found.upper)  # type: ignore[attr-defined]
    return lower <= value * (1 + 1e-15) and value * (1 - 1e-15) <= upper and upper - lower <= CLOSE * max(1.0, value)


def test_the_queries_are_those_that_the_cases_count() -> None:
    assert len(rhos(levels=tuple(range(6)))) == int(
        of_kind("power of the discrete Gaussian composition")[0]["inputs"]["queries"]
    )
    assert len(rhos(levels=(5,))) == int(of_kind("power of the block-level composition")[0]["inputs"]["queries"])


@pytest.mark.parametrize(
    "case", of_kind("power of the discrete Gaussian composition"), ids=lambda case: str(case["id"])
)
def test_the_power_of_all_queries(case: dict[str, Any]) -> None:
    assert holds(power(everything(), float(case["inputs"]["level"])), float(case["value"]))


@pytest.mark.parametrize("case", of_kind("power of the block-level composition"), ids=lambda case: str(case["id"]))
def test_the_power_of_the_queries_at_block_level(case: dict[str, Any]) -> None:
    """The value is that of the continuous Gaussian, and agrees to 1e-10 but not exactly.

    The shares of these queries are 5, 9, 21, 71 and 3945 parts in 4097, so that their losses lie on one lattice: the
    power is made of chords, and lies some 1e-11 below the Gaussian's or above it.
    """
    found, value = power(blocks(), float(case["inputs"]["level"])), float(case["value"])
    assert holds(found, float(found.mid))
    assert float(found.mid) == pytest.approx(value, abs=1e-10)
    assert abs(value - float(case["printed"])) <= 0.005


@pytest.mark.parametrize(
    "case", of_kind("pbdp epsilon of the discrete Gaussian composition"), ids=lambda case: str(case["id"])
)
def test_the_pbdp_of_all_queries(case: dict[str, Any]) -> None:
    delta, value = float(case["inputs"]["delta"]), float(case["value"])
    assert holds(bounded_epsilon(everything(), delta), value)
    # The same number by the level of a test of that power, and by the belief after it rejects.
    found = log_level(everything(), math.log(delta))
    assert math.log(delta) - float(found.lower) == pytest.approx(value, abs=2 * CLOSE * value)
    after = float(posterior_after_rejection(everything(), delta, 0.5).upper)
    assert math.log(after) - math.log1p(-after) == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize("case", of_kind("power at a rho"), ids=lambda case: str(case["id"]))
def test_the_power_of_a_scenario_at_its_printed_rho(case: dict[str, Any]) -> None:
    found = power(GaussianDP(math.sqrt(2 * float(case["inputs"]["rho"]))), float(case["inputs"]["level"]))
    value = float(case["value"])
    assert float(found) == pytest.approx(value, rel=1e-12)
    assert float(found) >= value * (1 - 1e-15)
    assert abs(value - float(case["printed"])) <= 0.005 * (1 + 1e-9)


@pytest.mark.parametrize("case", TABLE_1.values(), ids=lambda case: str(case["id"]))
def test_table_1_by_the_theorem_and_by_the_question(case: dict[str, Any]) -> None:
    epsilon, level = float(case["inputs"]["eps"]), float(case["inputs"]["level"])
    value = float(case["value"])
    for found in (power(PureDP(epsilon), level), pure_power(epsilon, level)):
        assert value * (1 - 1e-15) <= float(found) == pytest.approx(value, rel=1e-12)


def test_a_rejection_at_level_one_percent_is_worth_little_at_a_small_prior() -> None:
    """Power 0.487 at level 0.01: odds of 1 to 999 become 48.7 to 999."""
    found = positive_predictive_value(everything(), 0.01, 0.001)
    odds = 0.486885584582279593485299 / 0.01 / 999
    assert holds(found, odds / (1 + odds))
