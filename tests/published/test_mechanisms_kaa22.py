"""Numbers about mechanisms in Kifer et al. (2022), as printed or corrected."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from published import golden

from whit.mechanisms import Finite, Gaussian, Mixture, RandomizedResponse
from whit.setting import Neighbours

CASES = golden("golden_mechanisms.json", "KAA22")
POWERS = [key for key in CASES if "-gauss-" in key or re.match("004-fig2-0", key)]
PROFILES = [key for key in CASES if "-adp-" in key]


def gaussian(rho: str) -> Gaussian:
    """The noise of Example 4.5 that costs rho: variance 1/2rho."""
    return Gaussian(math.sqrt(1 / (2 * float(rho))))


def test_the_cases_were_found():
    assert len(POWERS) == 12
    assert len(PROFILES) == 7


@pytest.mark.parametrize("key", POWERS)
def test_the_power_against_gaussian_noise(key):
    case = CASES[key]
    power = gaussian(case["inputs"]["rho"]).power(float(case["inputs"]["level"]))
    assert float(power.mid) == pytest.approx(float(case["value"]), rel=1e-12)
    if case["printed"]:
        assert float(power.mid) == pytest.approx(float(case["printed"]), abs=0.005)


@pytest.mark.parametrize("key", PROFILES)
def test_the_delta_of_gaussian_noise_in_figure_1(key):
    case = CASES[key]
    delta = gaussian(case["inputs"]["rho"]).delta(float(case["inputs"]["eps"]))
    assert float(delta.mid) == pytest.approx(float(case["value"]), rel=1e-12)


def test_the_variance_in_the_caption_of_figure_1_is_twice_too_large():
    case = CASES["004-fig1-sigma"]
    assert case["errata"] == "004.4"
    variance = gaussian(case["inputs"]["rho"]).sigma ** 2
    assert variance == pytest.approx(float(case["value"]), rel=1e-12)
    assert 2 * variance == pytest.approx(float(case["printed"]), rel=1e-4)


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_processing_can_raise_the_tail_of_the_loss(epsilon):
    """Example 4.9: two reports, of which A2 keeps the first."""
    case, after = CASES[f"004-ex4.9-M-{epsilon}"], CASES[f"004-ex4.9-A2-{epsilon}"]
    e = float(epsilon)
    report = RandomizedResponse(e)
    both = report.times(2)
    # Of two reports, one true and one false cancel: only two true ones have a loss above e/2.
    assert float(both.tail(e / 2).mid) == pytest.approx(float(case["value"]), rel=1e-12)
    assert float(report.tail(e / 2).mid) == pytest.approx(float(after["value"]), rel=1e-12)
    truth = math.exp(e) / (1 + math.exp(e))
    p, q = np.array([truth, 1 - truth]), np.array([1 - truth, truth])
    four = Finite(np.outer(p, p).ravel(), np.outer(q, q).ravel(), neighbours=Neighbours.LOCAL)
    first = four.then([[1, 0], [1, 0], [0, 1], [0, 1]])
    assert float(four.tail(e / 2).mid) == pytest.approx(float(case["value"]), rel=1e-12)
    assert float(first.tail(e / 2).mid) == pytest.approx(float(after["value"]), rel=1e-12)
    assert float(first.delta(e / 2).upper) <= float(four.delta(e / 2).upper)


def test_the_mixture_of_example_5_8():
    """M1 answers 2 or -2 with odds e, M2 answers 1 only on D2; A says 1 to a 1, and to a -2 one time in twenty."""
    truth = math.e / (1 + math.e)
    first = [0.5 * truth, 0.5 * (1 - truth), 0.0, 0.5]
    second = [0.5 * (1 - truth), 0.5 * truth, 0.5 * 0.01, 0.5 * 0.99]
    channel = [[0, 1], [0.05, 0.95], [1, 0], [0, 1]]
    said_one = Finite(first, second).then(channel)
    assert said_one.p[0] == pytest.approx(float(CASES["004-ex5.8-a"]["value"]), rel=1e-12)
    assert said_one.q[0] == pytest.approx(float(CASES["004-ex5.8-b"]["value"]), rel=1e-12)
    parts = [Finite([truth, 1 - truth], [1 - truth, truth]), Finite([0.0, 1.0], [0.01, 0.99])]
    epsilons = [0.0, 0.5, 1.0, 1.01, 2.0]
    told = Mixture(parts, [0.5, 0.5]).delta(epsilons).mid.value
    np.testing.assert_allclose(told, Finite(first, second).delta(epsilons).mid.value, rtol=1e-12)
