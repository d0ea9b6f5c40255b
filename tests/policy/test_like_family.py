"""Releases like one that is given: all of it stays but its parameter, which is found on the safe side."""

from __future__ import annotations

import math

import mpmath
import pytest

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import (
    BestOfRuns,
    Epochs,
    Gaussian,
    Laplace,
    MatrixMechanism,
    MixtureOfGaussians,
    PartitionSelection,
    PoissonSubsampled,
    RandomizedResponse,
    Rappor,
    SampledWithoutReplacement,
    Shuffled,
    SparseVector,
    SquareRootMechanism,
    ThresholdedNoise,
    TreeAggregation,
    Tulap,
    UnaryEncoding,
    restated,
)
from whit.policy import Rule, limits, recommend
from whit.policy.like_family import LikeFamily
from whit.setting import Neighbours, Sensitivity

POWER = limits.power(0.2, level=0.05)
QUICK = [
    Shuffled(RandomizedResponse(1.0), 1000),
    Shuffled(PureDP(1.0, neighbours=Neighbours.LOCAL), 100),
    TreeAggregation(1.0, [400, 400], in_each_tree=True),
    MatrixMechanism(1.0, [[1.0, 0.0], [0.5, 1.0]], Epochs(2)),
    SquareRootMechanism(1.0, 100, bands=4),
    MixtureOfGaussians(1.0, [0.0, 1.0, 2.0], [0.5, 0.3, 0.2]),
    PartitionSelection(1.0, 1e-7, keys=2),
    SampledWithoutReplacement(Gaussian(1.0), size=50, population=100),
    Tulap(1.0, 1e-7),
    UnaryEncoding(1.0, symmetric=True),
    SparseVector(1.0, positives=3),
]


@pytest.mark.parametrize("example", QUICK, ids=lambda each: type(each).__name__)
def test_the_parameter_keeps_to_the_limit_and_a_little_more_does_not(example):
    found = recommend(POWER, example)
    assert POWER.headroom(found.release).value >= 0.0
    value = float(found.parameter)
    further = value * (1.001 if found.family.rising else 0.999)
    assert float(POWER.headroom(restated(example, further)).value) < 0.0
    assert restated(found.release, 1.0) == restated(example, 1.0)
    assert float(POWER.headroom(restated(example, float(found.rounded(3)))).value) >= 0.0


def test_the_noise_of_a_tree_is_that_of_a_number_that_changes_by_the_root_of_its_depth():
    """Eleven nodes hold the first of 1600 steps: the sigma of one Gaussian number, times the root of eleven."""
    sigma = float(recommend(ApproxDP(1.0, 1e-6), TreeAggregation(1.0, 1600)).parameter)

    def delta(s):
        mu = mpmath.sqrt(11) / s
        return mpmath.ncdf(mu / 2 - 1 / mu) - mpmath.e * mpmath.ncdf(-mu / 2 - 1 / mu)

    truth = mpmath.findroot(lambda s: mpmath.log(delta(s)) - mpmath.log(mpmath.mpf("1e-6")), 14)
    assert truth * (1 - mpmath.mpf(10) ** -15) <= sigma <= truth * (1 + mpmath.mpf(10) ** -9)


def test_a_promise_to_keep_is_kept_by_the_best_of_several_runs():
    """The largest loss of a geometric number of runs is three times that of one: (2 + shape) epsilon."""
    found = float(recommend(ApproxDP(0.9, 1e-9), BestOfRuns(PureDP(0.1), mean=10.0)).parameter)
    assert 0.3 * (1 - 1e-4) <= found <= 0.3 * (1 + 1e-3)


@pytest.mark.slow
def test_several_releases_like_one_are_counted_together():
    example = SampledWithoutReplacement(Gaussian(1.0), size=10, population=1000)
    promise = ApproxDP(1.0, 1e-6)
    sigma = float(recommend(promise, example, releases=100).parameter)
    together = restated(example, sigma).times(100)
    assert float(together.delta(1.0, neighbours=Neighbours.ADD_REMOVE).upper) <= 1e-6
    less = restated(example, sigma * 0.999).times(100)
    assert float(less.delta(1.0, neighbours=Neighbours.ADD_REMOVE).value) > 1e-6


def test_whoever_is_seldom_drawn_may_need_no_noise():
    found = recommend(POWER, SampledWithoutReplacement(Gaussian(1.0), size=10, population=1000))
    assert found.unlimited


@pytest.mark.parametrize(
    ("example", "by_class"),
    [
        (Laplace(7.0, sensitivity=Sensitivity.histogram()), {"sensitivity": Sensitivity.histogram()}),
        (PoissonSubsampled(Laplace(7.0), 0.5), {"sampling_rate": 0.5}),
    ],
)
def test_plain_noise_has_the_answer_of_its_class(example, by_class):
    assert recommend(POWER, example).parameter == recommend(POWER, Laplace, **by_class).parameter


@pytest.mark.parametrize(
    ("example", "way_out"),
    [
        (ThresholdedNoise(Laplace(1.0), 15.0), "raise the threshold until delta is small enough"),
        (Rappor(0.5, p=0.5, q=0.75), "Ask for the epsilon of UnaryEncoding"),
        (Gaussian(1.0).times(2), "Ask assess or check about a few"),
    ],
)
def test_a_release_without_one_number_to_search_for_is_refused_with_what_to_ask(example, way_out):
    with pytest.raises(NotImplied, match=f"a search for a parameter needs .*{way_out}"):
        recommend(POWER, example)


def test_options_of_a_class_are_no_options_of_an_example():
    with pytest.raises(Incompatible, match="sampling_rate is no option of the family TreeAggregation"):
        recommend(POWER, TreeAggregation(1.0, 9), sampling_rate=0.1)
    with pytest.raises(Incompatible, match="rule is for promises"):
        recommend(POWER, TreeAggregation(1.0, 9), rule=Rule.OPTIMAL)
    with pytest.raises(InvalidInput, match=r"or a release like those planned, such as TreeAggregation\(1.0, 1600\)"):
        recommend(POWER, TreeAggregation)


def test_another_value_is_all_that_is_restated():
    assert restated(BestOfRuns(PureDP(0.1), mean=3.0, shape=math.inf), 0.2) == BestOfRuns(
        PureDP(0.2), mean=3.0, shape=math.inf
    )
    assert restated(SquareRootMechanism(1.0, 9, participation=Epochs(3)), 2.0) == SquareRootMechanism(
        2.0, 9, participation=Epochs(3)
    )


@pytest.mark.parametrize(
    "example", [TreeAggregation(1.0, [400, 400], in_each_tree=True), UnaryEncoding(1.0, symmetric=True)]
)
def test_several_releases_like_one_tell_what_they_tell_together(example):
    alone, several = recommend(POWER, example), recommend(POWER, example, releases=3)
    assert POWER.keeps(several.release.times(3))
    assert not POWER.keeps(alone.release.times(3))


def test_where_divergences_are_all_that_is_known_the_releases_are_their_own_estimate():
    family = LikeFamily(2, BestOfRuns(PureDP(0.1), mean=3.0))
    found, truth = (ask(0.2, Neighbours.ADD_REMOVE) for ask in (family.about, family.all))
    assert found == truth == family.one(0.2).times(2)
