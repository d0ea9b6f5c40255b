from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from whit.assessment import Unanswered, views
from whit.errors import InvalidInput
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, SimpleRandomSample


def test_gaussian_noise_in_the_words_of_every_kind():
    found = views(Gaussian(2.0), epsilon=0.5, delta=1e-5, orders=[2.0, 8.0], level=0.1)
    assert isinstance(found["epsilon"], Unanswered)
    normal = NormalDist()
    truths = {
        "delta at epsilon 0.5": normal.cdf(-0.75) - math.exp(0.5) * normal.cdf(-1.25),
        "rho": 1 / 8,
        "mu": 0.5,
        "Rényi divergence of order 2": 0.25,
        "Rényi divergence of order 8": 1.0,
        "power at level 0.1": normal.cdf(normal.inv_cdf(0.1) + 0.5),
    }
    for name, truth in truths.items():
        assert float(found[name]) == pytest.approx(truth, rel=1e-9)
        assert float(found[name]) >= truth * (1 - 1e-12)


def test_what_a_kind_has_no_word_for_is_a_sentence_and_not_a_number():
    assert isinstance(views(SimpleRandomSample(10, 100))["mu"], Unanswered)
    assert isinstance(views(SimpleRandomSample(10, 100))["rho"], Unanswered)
    assert isinstance(views(ZeroConcentratedDP(0.5))["epsilon"], Unanswered)
    assert views(ZeroConcentratedDP(0.5))["rho"].value == 0.5


def test_pure_privacy_and_noise_on_a_sample_have_a_mu():
    assert float(views(PureDP(1.0))["mu"]) == pytest.approx(1.2320353853, rel=1e-9)
    assert float(views(PoissonSubsampled(Gaussian(4.0), 0.1))["mu"]) == pytest.approx(0.25, rel=1e-9)
    assert float(views(Laplace(1.0))["epsilon"]) == 1.0


def test_a_wrong_question_is_not_an_answer():
    with pytest.raises(InvalidInput, match="orders must be above 1"):
        views(Gaussian(1.0), orders=[0.5])
