"""Numbers about noise in Kasiviswanathan and Smith (2014), as printed or corrected."""

from __future__ import annotations

import math

import numpy as np
import pytest
from published import golden

from whit.curves import DiscreteGaussianLoss
from whit.mechanisms import Gaussian, Laplace, RandomizedResponse

CASES = golden("golden_mechanisms.json", "KS14")


def sigma(case) -> float:
    """The printed noise: variance log(1/delta)/eps^2."""
    return math.sqrt(-math.log(float(case["inputs"]["delta"]))) / float(case["inputs"]["eps"])


@pytest.mark.parametrize("key", ["001-appB-0.5", "001-appB-1", "001-appB-0.1"])
def test_the_noise_of_appendix_b_has_this_delta(key):
    case = CASES[key]
    epsilon, promised = float(case["inputs"]["eps"]), float(case["inputs"]["delta"])
    delta = Gaussian(sigma(case)).delta(epsilon)
    assert float(delta.mid) == pytest.approx(float(case["value"]), rel=1e-12)
    assert (float(delta.upper) <= promised) is case["agrees"]


def test_the_likelihood_ratio_of_appendix_b_has_the_variance_in_it():
    """exp((-2n + 1)/2 sigma^2) at n = 100 is the loss of whole-number noise that takes back 100."""
    case = CASES["001-appB-ratio"]
    losses = DiscreteGaussianLoss(sigma(case)).below.losses
    nearest = losses[np.argmin(np.abs(np.exp(losses) - float(case["value"])))]
    assert math.exp(nearest) == pytest.approx(float(case["value"]), rel=1e-12)


def test_the_standard_deviation_of_laplace_noise_is_not_its_scale():
    case = CASES["001-lap-sd"]
    deviation = Laplace(float(case["inputs"]["scale"])).standard_deviation()
    assert float(deviation) == pytest.approx(float(case["value"]), rel=1e-12)
    assert case["errata"] == "001.12"
    assert float(deviation) > 1.4 * float(case["printed"])


def test_the_counterexample_to_lemma_3_3():
    case = CASES["001-lem3.3.2-counter"]
    report, epsilon = RandomizedResponse(float(case["inputs"]["eps_rr"])), float(case["inputs"]["eps"])
    assert float(report.delta(epsilon).mid) == pytest.approx(float(case["inputs"]["delta"]), rel=1e-10)
    loss = report.loss()
    beyond = np.exp(loss.log_tail(epsilon).mid) + 1 - np.exp(loss.log_tail_closed(-epsilon).mid)
    assert float(beyond) == pytest.approx(float(case["value"]), rel=1e-12)
