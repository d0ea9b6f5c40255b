"""Whole-number noise and randomized response on a Poisson sample: against sums over all samples and outcomes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from whit.curves import FinitePair, sampled
from whit.errors import InvalidInput, NotImplied
from whit.mechanisms import DiscreteGaussian, Geometric, PoissonSubsampled, RandomizedResponse, Staircase
from whit.setting import Neighbours, Sensitivity

FAR = 80


def geometric(epsilon: float) -> dict[int, mpmath.mpf]:
    ratio = mpmath.exp(-mpmath.mpf(epsilon))
    return {k: (1 - ratio) / (1 + ratio) * ratio ** abs(k) for k in range(-FAR, FAR + 1)}


def discrete_gaussian(sigma: float) -> dict[int, mpmath.mpf]:
    weights = {k: mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * mpmath.mpf(sigma) ** 2)) for k in range(-FAR, FAR + 1)}
    total = mpmath.fsum(weights.values())
    return {k: each / total for k, each in weights.items()}


def released(noise: dict[int, mpmath.mpf], records: tuple[int, ...], rate: float) -> dict[int, mpmath.mpf]:
    """The law of the noisy sum of a Poisson sample, by going through all samples."""
    law: dict[int, mpmath.mpf] = {}
    for drawn in product((0, 1), repeat=len(records)):
        chance = mpmath.fprod(mpmath.mpf(rate) if each else 1 - mpmath.mpf(rate) for each in drawn)
        total = sum(value for value, each in zip(records, drawn, strict=True) if each)
        for k, mass in noise.items():
            law[k + total] = law.get(k + total, mpmath.mpf(0)) + chance * mass
    return law


def hockey_stick(p: dict[int, mpmath.mpf], q: dict[int, mpmath.mpf], epsilon: float) -> mpmath.mpf:
    factor = mpmath.exp(epsilon)
    return mpmath.fsum(max(p.get(k, 0) - factor * q.get(k, 0), mpmath.mpf(0)) for k in p.keys() | q.keys())


CASES = [
    (Geometric(1.0), geometric(1.0), 1),
    (Geometric(0.4, sensitivity=Sensitivity(add_remove=3, replace=3)), geometric(0.4), 3),
    (DiscreteGaussian(1.5), discrete_gaussian(1.5), 1),
    (DiscreteGaussian(2.0, sensitivity=Sensitivity(add_remove=2, replace=2)), discrete_gaussian(2.0), 2),
]


@pytest.mark.parametrize(("mechanism", "noise", "change"), CASES)
@pytest.mark.parametrize("rate", [0.01, 0.3, 0.95])
def test_no_dataset_beats_the_pair_and_the_single_record_reaches_it(mechanism, noise, change, rate):
    curve, epsilons = PoissonSubsampled(mechanism, rate).curve(), (-0.4, 0.0, 0.05, 0.4)
    both = [face.log_delta(np.array(epsilons)).exp() for face in (curve.face, curve.face.reverse())]
    others = [(), (1,), (change, -change)]
    for place, epsilon in enumerate(epsilons):
        for rest in others:
            for value in {1, change, -change}:
                with_it, without = released(noise, (*rest, value), rate), released(noise, rest, rate)
                found = hockey_stick(with_it, without, epsilon), hockey_stick(without, with_it, epsilon)
                for side, bound in zip(found, both, strict=True):
                    # What lies beyond the listed noise is below e^-30.
                    assert side <= float(bound.upper[place]) + 1e-12
        alone = released(noise, (change,), rate), noise
        assert float(hockey_stick(*alone, epsilon)) == pytest.approx(float(both[0].mid[place]), rel=1e-9, abs=1e-13)
        assert float(hockey_stick(*alone[::-1], epsilon)) == pytest.approx(
            float(both[1].mid[place]), rel=1e-9, abs=1e-13
        )


def test_a_finite_pair_is_mixed_as_fractions_say():
    p, q, rate = [Fraction(5, 10), Fraction(3, 10), Fraction(2, 10), Fraction(0)], [Fraction(2, 10)] * 5, Fraction(1, 4)
    p, q = [*p, Fraction(0)], [Fraction(2, 10), Fraction(5, 10), Fraction(0), Fraction(2, 10), Fraction(1, 10)]
    mixed = [(1 - rate) * b + rate * a for a, b in zip(p, q, strict=True)]
    found = sampled(FinitePair.of([float(each) for each in p], [float(each) for each in q]), 0.25)
    for factor in (Fraction(1, 2), Fraction(9, 10), Fraction(1), Fraction(5, 4), Fraction(2)):
        for pair, (one, other) in ((found, (mixed, q)), (found.reverse(), (q, mixed))):
            exact = sum(max(a - factor * b, Fraction(0)) for a, b in zip(one, other, strict=True))
            bracket = pair.log_delta(np.log(float(factor))).exp()
            assert float(bracket.lower) * (1 - 1e-12) <= exact <= float(bracket.upper) * (1 + 1e-12)


@pytest.mark.parametrize("categories", [2, 4])
def test_randomized_response_of_those_drawn_is_a_report_or_none(categories):
    rate, epsilon = 0.2, 1.0
    truth = mpmath.exp(epsilon) / (mpmath.exp(epsilon) + categories - 1)
    other = truth / mpmath.exp(epsilon)
    p = {-1: mpmath.mpf(1 - rate), 0: rate * truth, 1: rate * other, 2: rate * (1 - truth - other)}
    q = {**p, 0: p[1], 1: p[0]}
    found = PoissonSubsampled(RandomizedResponse(epsilon, categories=categories), rate)
    for each in (0.0, 0.3, 0.9):
        assert float(found.delta(each)) == pytest.approx(float(hockey_stick(p, q, each)), rel=1e-12)
    assert found.relations == (Neighbours.LOCAL, Neighbours.REPLACE)
    with pytest.raises(NotImplied, match="the privacy loss is not known under the neighbours add-remove"):
        found.delta(0.1, neighbours=Neighbours.ADD_REMOVE)


def test_many_releases_of_sampled_geometric_noise_are_binomial():
    rate, copies, epsilon = 0.05, 200, 1.0
    ratio = mpmath.exp(-1)
    up, down = 1 / (1 + ratio), ratio / (1 + ratio)
    p, q = [(1 - rate) * a + rate * b for a, b in ((down, up), (up, down))], [down, up]
    exact = mpmath.mpf(0)
    for k in range(copies + 1):
        many = mpmath.binomial(copies, k)
        there, here = p[0] ** k * p[1] ** (copies - k), q[0] ** k * q[1] ** (copies - k)
        exact += many * max(there - mpmath.exp(epsilon) * here, 0)
    found = PoissonSubsampled(Geometric(1.0), rate).times(copies).curve().face.log_delta(epsilon)
    assert float(found.exp().mid) == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize("mechanism", [Geometric(1.0), DiscreteGaussian(1.0), RandomizedResponse(1.0)])
def test_at_rate_0_nothing_is_seen_and_at_rate_1_everything(mechanism):
    assert float(PoissonSubsampled(mechanism, 0.0).times(5).delta(0.0).upper) == 0.0
    whole = PoissonSubsampled(mechanism, 1.0).delta(0.3)
    assert float(whole.upper) == pytest.approx(float(mechanism.delta(0.3).upper), rel=1e-12)


def test_noise_whose_loss_on_a_sample_is_not_known_is_refused():
    with pytest.raises(InvalidInput, match="mechanism must be noise whose loss on a sample is known"):
        PoissonSubsampled(Staircase(1.0), 0.1)
