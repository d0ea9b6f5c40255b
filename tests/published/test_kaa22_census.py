"""The 2020 Census redistricting noise, composed exactly: 71 queries, 142 changed cells, 38 different scales (KAA22)."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from whit.curves import ComposedLoss, Curve, GaussianLoss, composed, posterior_tail
from whit.guarantees import FDP
from whit.mechanisms import DiscreteGaussian
from whit.setting import Neighbours, Sensitivity

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "tests" / "numerics" / "contour" / "loss_reference.json"


def query_rhos() -> list[Fraction]:
    """Tables 3 to 5: rho times the share of the level times the share of the query, for persons and housing units."""
    tables = json.loads((ROOT / "benchmarks" / "census.json").read_text(encoding="utf-8"))
    levels = {unit: [Fraction(share) for share in shares] for unit, shares in tables["level_shares"].items()}
    rho = {unit: Fraction(value) for unit, value in tables["rho"].items()}
    queries = [[Fraction(share) for share in query["shares"]] for query in tables["query_shares"].values()]
    persons = [rho["person"] * level * query[i] for query in queries for i, level in enumerate(levels["person"])]
    housing = [rho["housing"] * level for level in levels["housing"]]
    return [each for each in persons + housing if each > 0]


@cache
def census() -> Curve:
    """If one person's answers change, two cells of every query change by 1, with noise of sigma^2 = 1/rho."""
    curves: dict[Curve, int] = {}
    for rho in query_rhos():
        noise = DiscreteGaussian(math.sqrt(1 / rho), sensitivity=Sensitivity.histogram())
        curve = noise.curve(Neighbours.REPLACE)
        curves[curve] = curves.get(curve, 0) + 1
    return composed(curves)


def test_the_tables_are_those_of_the_paper() -> None:
    assert len(query_rhos()) == 71
    assert len(set(query_rhos())) == 38
    assert sum(query_rhos()) == Fraction("2.63")


@pytest.mark.parametrize("epsilon", json.loads(REFERENCE.read_text(encoding="utf-8"))["census"])
def test_the_profile_holds_the_reference(epsilon: str) -> None:
    truth = json.loads(REFERENCE.read_text(encoding="utf-8"))["census"][epsilon]
    face = census().face
    assert isinstance(face, ComposedLoss)
    bracket = face.log_delta(float(epsilon))
    log_truth = math.log(float(truth))
    assert bracket.lower - 1e-14 <= log_truth <= bracket.upper + 1e-14
    assert bracket.upper - bracket.lower <= 1.001e-6


# Exact composition to 25 digits; the paper prints 0.49, 0.74 and 0.84 (Table 2), from simulation.
POWERS = {
    0.01: 0.486885584582279593485299,
    0.05: 0.7417064885166353305280282,
    0.10: 0.8442112315948795057634086,
}


@pytest.mark.parametrize("level", POWERS)
def test_the_power_of_table_2_is_between_the_bounds(level: float) -> None:
    found = census().power(level)
    assert found.lower.value <= POWERS[level] <= found.upper.value
    assert found.upper.value - found.lower.value < 1e-5


# The pbdp epsilon that Section 5.2.1 conjectures to be that of the continuous Gaussian.
BOUNDED = {0.5: 3.824881605152931, 0.1: 6.347567133302563, 0.01: 8.557809721101308, 1e-6: 13.904579480341640}


@pytest.mark.slow
@pytest.mark.parametrize("delta", BOUNDED)
def test_the_bounded_epsilon_of_section_5_2_1_is_found(delta: float) -> None:
    found = FDP(census().face).bounded_epsilon(delta)
    assert float(found.upper) == pytest.approx(BOUNDED[delta], rel=1e-5)
    assert float(found.upper) >= BOUNDED[delta] * (1 - 1e-12)


def test_the_posterior_exceeds_nine_tenths_with_probability_0_5748() -> None:
    """Prior 1/2. Certified elsewhere to lie in [0.574822, 0.574849]."""
    found = posterior_tail(census(), 0.9, prior=0.5)
    assert 0.574822 <= found.lower.value <= found.upper.value <= 0.574849


def test_the_conjecture_that_the_continuous_gaussian_is_the_same_holds() -> None:
    """Section 5.2.1: delta of the continuous Gaussian with mu^2 = 2 rho."""
    continuous = Curve.exact(GaussianLoss(math.sqrt(2 * 2.63)))
    epsilons = np.array([1.0, 5.0, 10.0])
    difference = census().delta(epsilons).upper.value / continuous.delta(epsilons).upper.value - 1
    assert np.all(np.abs(difference) < 1.1e-6)
