"""A replaced record on a sample, with and without replacement: against sums over all samples, and integrals."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction

REPLACE, ADD = Neighbours.REPLACE, Neighbours.ADD_REMOVE
WIDE = Sensitivity(add_remove=1, replace=2)
FAR = 60
Law = dict[int, mpmath.mpf]


def geometric(epsilon: float) -> Law:
    ratio = mpmath.exp(-mpmath.mpf(epsilon))
    return {k: (1 - ratio) / (1 + ratio) * ratio ** abs(k) for k in range(-FAR, FAR + 1)}


def mixed(noise: Law, totals: list[tuple[mpmath.mpf, int]]) -> Law:
    law: Law = {}
    for chance, total in totals:
        for k, mass in noise.items():
            law[k + total] = law.get(k + total, mpmath.mpf(0)) + chance * mass
    return law


def poisson(records: tuple[int, ...], rate: float) -> list[tuple[mpmath.mpf, int]]:
    """The sum of each sample with its chance."""
    q = mpmath.mpf(rate)
    return [
        (
            mpmath.fprod(q if each else 1 - q for each in drawn),
            sum(v for v, each in zip(records, drawn, strict=True) if each),
        )
        for drawn in product((0, 1), repeat=len(records))
    ]


def fixed(records: tuple[int, ...], size: int) -> list[tuple[mpmath.mpf, int]]:
    sums = [sum(drawn) for drawn in combinations(records, size)]
    return [(mpmath.mpf(1) / len(sums), each) for each in sums]


def hockey_stick(p: Law, q: Law, epsilon: float) -> mpmath.mpf:
    factor = mpmath.exp(epsilon)
    return mpmath.fsum(max(p.get(k, 0) - factor * q.get(k, 0), mpmath.mpf(0)) for k in p.keys() | q.keys())


def largest(pairs: list[tuple[Law, Law]], epsilon: float) -> float:
    return float(max(hockey_stick(a, b, epsilon) for p, q in pairs for a, b in ((p, q), (q, p))))


@pytest.mark.parametrize(("sensitivity", "values"), [(WIDE, (-1, 0, 1)), (Sensitivity.count(), (0, 1))])
@pytest.mark.parametrize("rate", [0.1, 0.6])
def test_no_replaced_record_on_a_poisson_sample_beats_the_bound_and_one_reaches_it(sensitivity, values, rate):
    noise, found = geometric(0.8), PoissonSubsampled(Geometric(0.8, sensitivity=sensitivity), rate)
    laws = {
        (*rest, one): mixed(noise, poisson((*rest, one), rate))
        for rest in [(), *product(values, repeat=2)]
        for one in values
    }
    pairs = [(laws[a], laws[b]) for a, b in combinations(laws, 2) if len(a) == len(b) and a[:-1] == b[:-1]]
    for epsilon in (0.0, 0.1, 0.4, 1.0):
        bound = found.delta(epsilon, neighbours=REPLACE)
        assert bound.direction is Direction.AT_MOST
        assert largest(pairs, epsilon) <= float(bound) + 1e-18
        assert largest(pairs, epsilon) == pytest.approx(float(bound), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize(("size", "others"), [(1, (0, 1)), (2, (0, 1, 1)), (2, (0, 0, 0)), (3, (0, 1, 0, 1))])
def test_no_record_beats_the_bound_for_samples_of_fixed_size(size, others):
    noise, people = geometric(0.8), len(others) + 1
    found = SampledWithoutReplacement(Geometric(0.8), size=size, population=people)
    with_0, with_1 = (mixed(noise, fixed((*others, value), size)) for value in (0, 1))
    without = mixed(noise, fixed(others, size))
    for epsilon in (0.0, 0.1, 0.4):
        assert largest([(with_0, with_1)], epsilon) <= float(found.delta(epsilon)) + 1e-18
        removed = largest([(with_0, without), (with_1, without)], epsilon)
        assert removed <= float(found.delta(epsilon, neighbours=ADD)) + 1e-18


def test_the_bound_for_samples_of_fixed_size_is_reached_where_all_others_are_alike():
    noise, rate = geometric(0.8), 2 / 4
    found = SampledWithoutReplacement(Geometric(0.8), size=2, population=4)
    pair = [(mixed(noise, fixed((0, 0, 0, each), 2))) for each in (0, 1)]
    for epsilon in (0.0, 0.1, 0.3):
        assert largest([tuple(pair)], epsilon) == pytest.approx(float(found.delta(epsilon)), rel=1e-9)
    assert float(found.delta(0.1)) == pytest.approx(
        float(PoissonSubsampled(Geometric(0.8), rate).delta(0.1, neighbours=REPLACE)), rel=1e-12
    )


def test_two_releases_are_bounded_by_all_pairs_of_outcomes():
    rate, epsilon = 0.3, 0.5
    noise = geometric(0.8)
    p, q = (mixed(noise, poisson((each,), rate)) for each in (1, -1))
    exact = mpmath.fsum(
        max(p[a] * p[b] - mpmath.exp(epsilon) * q[a] * q[b], 0) for a in range(-40, 41) for b in range(-40, 41)
    )
    found = PoissonSubsampled(Geometric(0.8, sensitivity=WIDE), rate).times(2).delta(epsilon, neighbours=REPLACE)
    assert exact <= float(found)
    assert float(found) <= float(exact) * (1 + 1e-4)


def gaussian_mixture(sigma: float, rate: float, shift: float) -> Callable[[np.ndarray], np.ndarray]:
    def density(x: np.ndarray) -> np.ndarray:
        def one(mean: float) -> np.ndarray:
            return np.exp(-((x - mean) ** 2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))

        return (1 - rate) * one(0.0) + rate * one(shift)

    return density


@pytest.mark.parametrize("sigma", [0.6, 2.0])
@pytest.mark.parametrize("rate", [0.02, 0.5])
def test_gaussian_noise_reaches_the_bound_at_opposite_records_and_no_others_beat_it(sigma, rate):
    x = np.linspace(-12 * sigma, 12 * sigma, 200_001)
    step = x[1] - x[0]
    found = PoissonSubsampled(Gaussian(sigma, sensitivity=WIDE), rate)
    for epsilon in (0.0, 0.05, 0.5):
        bound = float(found.delta(epsilon, neighbours=REPLACE))
        for one, other in ((1.0, -1.0), (1.0, 0.0), (1.0, -0.5), (1.0, 0.5), (0.3, -1.0)):
            p, q = (gaussian_mixture(sigma, rate, shift)(x) for shift in (one, other))
            integral = float(np.sum(np.maximum(p - np.exp(epsilon) * q, 0.0)) * step)
            assert integral <= bound * (1 + 1e-6)
            if (one, other) == (1.0, -1.0):
                assert integral == pytest.approx(bound, rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("mechanism", [Gaussian(1.0, sensitivity=WIDE), Laplace(1.0, sensitivity=WIDE), Laplace(0.5)])
def test_power_and_profile_of_a_replaced_record_are_one_curve(mechanism):
    """The lowest line D(t) + e^t level, over many t, is the power."""
    found = PoissonSubsampled(mechanism, 0.2)
    epsilons = np.linspace(0.0, 3.0, 3001)
    deltas = np.asarray(found.delta(epsilons, neighbours=REPLACE).upper)
    for level in (0.001, 0.01, 0.1):
        line = float(np.min(deltas + np.exp(epsilons) * level))
        power = float(found.power(level, neighbours=REPLACE))
        assert line * (1 - 2e-3) <= power <= line * (1 + 1e-9)  # a corner may lie between two of the t


@pytest.mark.parametrize("mechanism", [Gaussian(1.0, sensitivity=WIDE), Laplace(1.0, sensitivity=WIDE), Gaussian(1.0)])
def test_epsilon_and_delta_of_a_replaced_record_are_inverse_and_extremes_are_ordinary(mechanism):
    found = PoissonSubsampled(mechanism, 0.05)
    for delta in (1e-2, 1e-4, 1e-3):
        epsilon = float(found.epsilon(delta, neighbours=REPLACE))
        assert float(found.delta(epsilon, neighbours=REPLACE)) <= delta
        assert epsilon == 0 or float(found.delta(epsilon * (1 - 1e-6), neighbours=REPLACE)) > delta * (1 - 1e-9)
    extremes = found.delta([1e3, 1e8, 1e300, np.inf], neighbours=REPLACE)
    assert np.all(np.asarray(extremes.value) <= 1e-300)
    rare = PoissonSubsampled(Gaussian(1e-3, sensitivity=WIDE), 1e-12)
    assert 0 < float(rare.delta(0.0, neighbours=REPLACE)) <= 2e-12
    assert float(rare.delta(5.0, neighbours=REPLACE)) <= 1.0000001e-12


def test_the_whole_is_the_mechanism_and_nobody_drawn_is_nothing():
    wide = Gaussian(1.0, sensitivity=WIDE)
    swapped = float(wide.delta(1.0, neighbours=REPLACE))
    assert float(PoissonSubsampled(wide, 1.0).delta(1.0, neighbours=REPLACE)) == swapped
    assert float(PoissonSubsampled(wide, 0.0).delta(0.0, neighbours=REPLACE)) == 0.0
    all_of_them = SampledWithoutReplacement(wide, size=7, population=7)
    assert float(all_of_them.delta(1.0)) == pytest.approx(swapped, rel=1e-14)


def test_discrete_gaussian_noise_is_near_gaussian_noise_on_a_sample():
    discrete, dense = (PoissonSubsampled(kind(20.0, sensitivity=WIDE), 0.1) for kind in (DiscreteGaussian, Gaussian))
    for relation in (ADD, REPLACE):
        assert float(discrete.delta(0.01, neighbours=relation)) == pytest.approx(
            float(dense.delta(0.01, neighbours=relation)), rel=2e-2
        )


def test_what_is_not_known_is_refused():
    with pytest.raises(NotImplied, match="the loss of a replaced record is only known by its profile"):
        PoissonSubsampled(Gaussian(1.0), 0.1).loss(REPLACE)
    with pytest.raises(NotImplied, match="the loss on a sample of fixed size is only known by its profile"):
        SampledWithoutReplacement(Gaussian(1.0), 1, 10).loss()
    with pytest.raises(InvalidInput, match="size must be at most the population, 10; got 11"):
        SampledWithoutReplacement(Gaussian(1.0), 11, 10)
    with pytest.raises(InvalidInput, match="mechanism must be noise whose loss on a sample is known"):
        SampledWithoutReplacement(RandomizedResponse(1.0), 1, 10)
    with pytest.raises(NotImplied, match="noise alone does not describe a release on a sample"):
        SampledWithoutReplacement(Gaussian(1.0), 1, 10).sample(np.random.default_rng(1))
