from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from whit.assessment import Unanswered, views
from whit.errors import InvalidInput, WhitError
from whit.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP, convert
from whit.mechanisms import Gaussian, Geometric, Laplace, PoissonSubsampled, SimpleRandomSample, kinds
from whit.setting import Sensitivity
from whit.theory import Direction


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


@pytest.mark.parametrize("promise", [Laplace(0.8), Geometric(1.25), Laplace(1.6).times(2)])
def test_an_epsilon_of_noise_that_is_known_exactly_is_said_to_be_exact(promise):
    epsilon = views(promise)["epsilon"]
    assert epsilon.direction is Direction.EXACTLY
    assert epsilon.largest == pytest.approx(1.25, rel=1e-14)


def test_an_epsilon_of_a_promise_is_a_bound_on_what_is_released():
    assert views(PureDP(1.25))["epsilon"].direction is Direction.AT_MOST


def test_a_wrong_question_is_not_an_answer():
    with pytest.raises(InvalidInput, match="orders must be above 1"):
        views(Gaussian(1.0), orders=[0.5])


ALONE = {
    "epsilon": (PureDP, {}, lambda found: found.stated_epsilon),
    "epsilon at delta 1e-6": (ApproxDP, {"delta": 1e-6}, lambda found: found.stated_epsilon),
    "delta at epsilon 1": (ApproxDP, {"epsilon": 1.0}, lambda found: found.stated_delta),
    "rho": (ZeroConcentratedDP, {}, lambda found: found.rho),
    "mu": (GaussianDP, {}, lambda found: found.mu),
    "Rényi divergence of order 2": (RenyiDP, {"orders": [2.0]}, lambda found: found.orders[2.0]),
}


def converted(promise, name):
    to, free, number = ALONE[name]
    try:
        return number(convert(promise, to=to, **free).result)
    except WhitError:
        return math.inf


@pytest.mark.parametrize("releases", [1, 3])
@pytest.mark.parametrize("kind", [*kinds()], ids=lambda kind: kind.__name__)
def test_a_kind_in_the_table_has_the_number_of_a_conversion_to_it_alone(kind, releases):
    one = kind(2.0, **dict.fromkeys(kind.parameter.beside, 1e-06))
    promise = one if releases == 1 else one.times(releases)
    found = views(promise)
    for name in ALONE:
        worst = found[name].worst
        # Rounding differs by the way that was taken, and nothing else does.
        assert (math.inf if worst is None else worst.largest) == pytest.approx(converted(promise, name), rel=1e-9), name


def test_the_mu_of_many_vectors_is_at_most_that_of_their_parts_added_up():
    noise = Geometric(0.030777, sensitivity=Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))).times(12)
    # Each part is covered by the mu of a two-valued answer, and the squares of twelve times three of them add up.
    quantile = NormalDist().inv_cdf
    parts = [-2 * quantile(1 / (1 + math.exp(0.030777 * change))) for change in (1, 2, 4)]
    assert float(views(noise)["mu"]) <= math.sqrt(12 * sum(mu * mu for mu in parts)) * 1.01
