"""Random small instances of every mechanism: no neighbours beat a bound, and the page says how close they come."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import drawn_choices
import drawn_noise
import drawn_samples
import pytest
from small_instances import Instance

from whit import mechanisms as m
from whit.mechanisms import Mechanism
from whit.setting import Neighbours

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "the-referee.md"
DRAWN = drawn_noise.DRAWN | drawn_choices.DRAWN | drawn_samples.DRAWN
# Some data are much worse than others where scores are compared, so that these are drawn often; bounds that take long,
# and noise whose worst case every draw has in it, a few times.
FEW, MANY, MOST = 3, 12, 40
OFTEN = (m.ExponentialMechanism, m.PermuteAndFlip, m.ReportNoisyMax, m.SparseVector)
LONG = (m.BestOfRuns, m.TruncatedPoissonSample, m.PoissonSubsampled, m.Kernel, m.ThresholdedNoise)
EPSILONS = (0.0, 0.25, 1.0)
LEVEL = Fraction(1, 20)
KINDS = pytest.mark.parametrize("kind", DRAWN, ids=[each.__name__ for each in DRAWN])


@cache
def instance(kind: type[Mechanism], seed: int) -> Instance:
    return DRAWN[kind](Random(f"{kind.__name__} {seed}"))


@cache
def found(kind: type[Mechanism], seed: int) -> tuple[tuple[Fraction, ...], Fraction, float]:
    """The largest delta at each epsilon, the largest power and the largest loss."""
    one = instance(kind, seed)
    return tuple(one.delta(each) for each in EPSILONS), one.power(LEVEL), one.loss()


def draws(kind: type[Mechanism]) -> range:
    if kind in OFTEN:
        return range(MOST)
    return range(FEW if kind in LONG or kind in drawn_noise.DRAWN else MANY)


def upper(finding: Any) -> float:
    return float(finding.upper)


def claims(promise: Any, relation: Neighbours) -> tuple[list[float], float, float]:
    """What is said of delta at each epsilon, of the power and of the loss."""
    deltas = [upper(promise.delta(each, neighbours=relation)) for each in EPSILONS]
    power = upper(promise.power(float(LEVEL), neighbours=relation))
    return deltas, power, upper(promise.epsilon(0.0, neighbours=relation))


@cache
def bounds(kind: type[Mechanism], seed: int) -> tuple[list[float], float, float]:
    return claims(instance(kind, seed).mechanism, instance(kind, seed).neighbours)


def beaten(kind: type[Mechanism], seed: int, claimed: tuple[list[float], float, float]) -> list[str]:
    """The claims that the instance shows to be false."""
    deltas, power, loss = found(kind, seed)
    cases = zip(EPSILONS, deltas, claimed[0], strict=True)
    wrong = [f"delta at epsilon {epsilon}" for epsilon, delta, bound in cases if delta > Fraction(bound)]
    wrong += ["power"] if power > Fraction(claimed[1]) else []
    return wrong + (["loss"] if loss > claimed[2] else [])


def test_every_mechanism_has_an_instance():
    public = [getattr(m, name) for name in m.__all__]
    kinds = {each for each in public if isinstance(each, type) and issubclass(each, Mechanism)}
    assert {each for each in kinds if not getattr(each, "__abstractmethods__", ())} == set(DRAWN)


@KINDS
def test_no_neighbours_are_told_apart_better_than_is_said(kind):
    for seed in draws(kind):
        assert type(instance(kind, seed).mechanism) is kind
        assert beaten(kind, seed, bounds(kind, seed)) == [], instance(kind, seed)


@pytest.mark.slow
@KINDS
def test_no_neighbours_of_many_more_instances_are_told_apart_better(kind):
    for seed in range(len(draws(kind)), 3 * len(draws(kind))):
        assert beaten(kind, seed, bounds(kind, seed)) == [], instance(kind, seed)


def larger_sigma(one: Any) -> Mechanism:
    """The same with noise that is a little larger than it was."""
    given = {name: value for name, value in vars(one).items() if name != "_square"}
    return type(one)(**(given | {"sigma": 1.05 * one.sigma}))


# Claims that are a little too good, or mistakes that are easily made: each must be found out.
TOO_GOOD: dict[type[Mechanism], Callable[[Any], Any]] = {
    m.Gaussian: larger_sigma,
    m.DiscreteGaussian: larger_sigma,
    m.MatrixMechanism: larger_sigma,
    m.ToeplitzMechanism: larger_sigma,
    m.SquareRootMechanism: larger_sigma,
    m.TreeAggregation: larger_sigma,
    m.Laplace: lambda one: m.Laplace(1.05 * one.scale, sensitivity=one.sensitivity),
    m.Geometric: lambda one: m.Geometric(0.95 * one.stated_epsilon, sensitivity=one.sensitivity),
    m.Staircase: lambda one: m.Staircase(0.95 * one.stated_epsilon, gamma=one.gamma, sensitivity=one.sensitivity),
    m.Tulap: lambda one: m.Tulap(0.95 * one.stated_epsilon, one.stated_delta),
    m.PostProcessed: lambda one: m.PostProcessed(m.Laplace(1.05 * one.mechanism.scale), one.step),
    m.FullChange: lambda one: m.FullChange(m.Geometric(0.95 * one.mechanism.stated_epsilon)),
    m.Composed: lambda one: m.Composed(one.parts[0]),
    m.Mixture: lambda one: m.Mixture(one.mechanisms, one.weights[::-1], published=one.published),
    m.MixtureOfGaussians: lambda one: m.MixtureOfGaussians(one.sigma, one.sensitivities, one.probabilities[::-1]),
    m.CorrelatedGaussian: lambda one: m.Gaussian(1.05 / one.loss(Neighbours.REPLACE).mu),
    m.Deterministic: lambda _: m.Gaussian(0.5),
    m.RandomizedResponse: lambda one: m.RandomizedResponse(0.95 * one.stated_epsilon, categories=one.categories),
    m.UnaryEncoding: lambda one: m.UnaryEncoding(0.95 * one.stated_epsilon, symmetric=one.symmetric),
    m.Rappor: lambda one: m.Rappor(one.f + 0.0625, p=one.p, q=one.q, hashes=one.hashes, reports=one.reports),
    m.Shuffled: lambda one: m.Shuffled(one.report, one.people + 1),
    m.ExponentialMechanism: lambda one: m.ExponentialMechanism(one.stated_epsilon, monotone=True),
    m.PermuteAndFlip: lambda one: m.PermuteAndFlip(one.stated_epsilon, monotone=True),
    m.ReportNoisyMax: lambda one: m.ReportNoisyMax(one.stated_epsilon, monotone=True),
    # As if the answers had all of epsilon, and the noise of the threshold cost nothing.
    m.SparseVector: lambda one: m.SparseVector((1 - one.threshold_share) * one.stated_epsilon),
    # As if the best of many runs told what one of them tells.
    m.BestOfRuns: lambda one: one.promise,
    m.PartitionSelection: lambda one: m.PartitionSelection(one.stated_epsilon, 0.95 * one.stated_delta),
    m.ThresholdedNoise: lambda one: m.ThresholdedNoise(one.noise, one.threshold + 0.25),
    m.SimpleRandomSample: lambda one: m.SimpleRandomSample(one.size, one.population + 1),
    m.PoissonSubsampled: lambda one: m.PoissonSubsampled(one.mechanism, 0.95 * one.rate, one.records),
    m.SampledWithoutReplacement: lambda one: m.SampledWithoutReplacement(one.mechanism, one.size, one.population + 1),
    m.TruncatedPoissonSample: lambda one: m.TruncatedPoissonSample(
        one.mechanism, 0.8 * one.rate, one.largest, one.population
    ),
    m.Finite: lambda _: m.Finite([0.5, 0.5], [0.375, 0.625]),
    m.Kernel: lambda one: m.Kernel(one.matrix, one.edges[1:2]),
}


@KINDS
def test_a_claim_that_is_too_good_is_found_out(kind):
    instances = [instance(kind, seed) for seed in draws(kind)]
    claimed = (claims(TOO_GOOD[kind](one.mechanism), one.neighbours) for one in instances)
    assert any(beaten(kind, seed, each) for seed, each in enumerate(claimed))


def share(some: float | Fraction, bound: float) -> float | None:
    """How much of a bound is reached; nothing where there is no bound, or nothing to reach."""
    return float(Fraction(some) / Fraction(bound)) if 0 < bound < math.inf and some < math.inf else None


def reached(kind: type[Mechanism]) -> list[str]:
    """The largest shares that are reached of delta at the first two epsilons and of the loss, as the page has them."""
    rows = []
    for seed in draws(kind):
        (deltas, _, loss), (most_deltas, _, most_loss) = found(kind, seed), bounds(kind, seed)
        rows.append([*map(share, deltas[:2], most_deltas[:2]), share(loss, most_loss)])
    best = [max((each for each in column if each is not None), default=None) for column in zip(*rows, strict=True)]
    return ["none" if each is None else f"{100 * each:.1f} %" for each in best]


@KINDS
def test_the_page_says_how_close_the_instances_come(kind):
    row = re.search(rf"^\| `{kind.__name__}` \|(.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None
    said, why = [each.strip() for each in row[1].split("|")[:3]], row[1].split("|")[3].strip()
    assert said == reached(kind)
    assert why or set(said) <= {"100.0 %", "none"}
