"""Numbers of Kifer et al. (2022) that are conversions to pbdp: Figures 1, 5 and 9, Theorem 7.5."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticallyBoundedDP, RenyiDP, ZeroConcentratedDP
from whit.guarantees.conversions import convert, renyi_tail, zcdp_tail

DATA = json.loads((Path(__file__).parent / "golden_conversions.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in DATA if case["paper"] == "KAA22"}
RELATIVE = 1e-12


def of(*prefixes: str) -> list[str]:
    return [key for key in CASES if key.startswith(prefixes)]


def value(key: str) -> float:
    return float(CASES[key]["value"])


def inputs(key: str) -> dict[str, float]:
    return {name: float(text) for name, text in CASES[key]["inputs"].items()}


@pytest.mark.parametrize("key", of("004-fig1-zcdp", "004-fig9", "004-thm7.5-opt"))
def test_zcdp_to_pbdp(key: str) -> None:
    rho, epsilon = inputs(key)["rho"], inputs(key)["eps"]
    assert float(zcdp_tail(rho, epsilon)) == pytest.approx(value(key), rel=RELATIVE)
    if epsilon > rho:  # and backwards: the epsilon of this delta
        point = convert(ZeroConcentratedDP(rho), to=ProbabilisticallyBoundedDP, delta=value(key)).result
        assert point.stated_epsilon == pytest.approx(epsilon, rel=1e-11)
        assert point.stated_epsilon <= epsilon * (1 + 1e-11)


@pytest.mark.parametrize("key", of("004-thm7.5-rdp"))
def test_renyi_to_pbdp(key: str) -> None:
    given = inputs(key)
    assert float(renyi_tail(given["alpha"], given["gamma"], given["eps"])) == pytest.approx(value(key), rel=RELATIVE)
    promise = RenyiDP({given["alpha"]: given["gamma"]})
    point = convert(promise, to=ProbabilisticallyBoundedDP, delta=value(key)).result
    assert point.stated_epsilon <= given["eps"] * (1 + RELATIVE)


@pytest.mark.parametrize("key", of("004-fig1-pbdp"))
def test_gaussian_to_pbdp(key: str) -> None:
    """The blue curve of Figure 1 (its caption has sigma^2 = 1/2.63 where 1/5.26 is meant: errata 004.4)."""
    rho, epsilon = inputs(key)["rho"], inputs(key)["eps"]
    point = convert(GaussianDP(math.sqrt(2 * rho)), to=ProbabilisticallyBoundedDP, delta=value(key)).result
    assert point.stated_epsilon == pytest.approx(epsilon, rel=1e-11)


@pytest.mark.parametrize("key", of("004-fig1-adp"))
def test_gaussian_to_approximate(key: str) -> None:
    rho, epsilon = inputs(key)["rho"], inputs(key)["eps"]
    point = convert(GaussianDP(math.sqrt(2 * rho)), to=ApproxDP, epsilon=epsilon).result
    assert point.stated_delta == pytest.approx(value(key), rel=RELATIVE)
