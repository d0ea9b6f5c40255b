"""A bound on a belief that may fail holds for everybody whom a mechanism covers.

Whoever changes an answer by less, or takes part in fewer releases, makes a pair that the mechanism itself can produce.
No bound on the loss is smaller than that of such a pair, at any chance of failure. The pairs are asked with FullChange,
that is by their own tails, which the referees of the curves check; coins are asked in fractions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf

from whit.curves import largest_loss
from whit.mechanisms import (
    DiscreteGaussian,
    Finite,
    FullChange,
    Gaussian,
    Geometric,
    Kernel,
    Laplace,
    Mechanism,
    PoissonSubsampled,
    RandomizedResponse,
    Staircase,
    compose,
)
from whit.semantics import membership
from whit.setting import Knowledge, Neighbours, Sensitivity

FAILURES = np.array([1e-9, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7])

Family = tuple[Mechanism, list[Mechanism]]
"""A mechanism, and some of those that it covers."""


def laplace(random: np.random.Generator) -> Family:
    """Laplace noise in several releases, and smaller changes of fewer of them."""
    scale, times = random.uniform(0.5, 4.0), int(random.integers(1, 6))
    shares = random.choice([0.3, 0.7, 1.0], size=4)
    less = [Laplace(scale / share).times(int(random.integers(1, times + 1))) for share in shares]
    return Laplace(scale).times(times), list(less)


def geometric(random: np.random.Generator) -> Family:
    """Geometric noise on a count that changes by up to so much, and by less."""
    epsilon, most, times = random.uniform(0.2, 1.5), int(random.integers(1, 4)), int(random.integers(1, 7))

    def changed(change: int) -> Mechanism:
        return Geometric(epsilon, sensitivity=Sensitivity(add_remove=change, replace=change))

    less = [changed(int(random.integers(1, most + 1))).times(int(random.integers(1, times + 1))) for _ in range(4)]
    return changed(most).times(times), less


def coins(random: np.random.Generator) -> Family:
    """Answers of randomized response to several questions, and to some of them."""
    kinds = [
        RandomizedResponse(random.uniform(0.2, 1.5), categories=int(random.integers(2, 5)))
        for _ in range(int(random.integers(1, 3)))
    ]
    counts = random.integers(1, 5, size=len(kinds))
    fewer = [[int(random.integers(0, most + 1)) for most in counts] for _ in range(4)]

    def taken(times: list[int]) -> list[Mechanism]:
        return [kind.times(number) for kind, number in zip(kinds, times, strict=True) if number]

    return compose(*taken(counts.tolist())), [compose(*taken(times)) for times in fewer if any(times)]


def discrete(random: np.random.Generator) -> Family:
    """Discrete Gaussian noise, on a count that changes by up to so much."""
    sigma, most = random.uniform(0.8, 4.0), int(random.integers(1, 4))

    def changed(change: int) -> Mechanism:
        return DiscreteGaussian(sigma, sensitivity=Sensitivity(add_remove=change, replace=change))

    return changed(most), [changed(change) for change in range(1, most + 1)]


def sampled(random: np.random.Generator) -> Family:
    """A sampled Gaussian release, and one that changes by less."""
    sigma, rate = random.uniform(0.5, 2.0), random.choice([0.01, 0.1, 0.5, 0.9])
    less = [PoissonSubsampled(Gaussian(sigma * factor), rate) for factor in (1.0, 1.3, 2.0, 4.0)]
    return PoissonSubsampled(Gaussian(sigma), rate), list(less)


def staircase(random: np.random.Generator) -> Family:
    """Staircase noise, and a smaller change."""
    epsilon = random.uniform(0.3, 2.0)

    def changed(change: float) -> Mechanism:
        return Staircase(epsilon, gamma=0.4, sensitivity=Sensitivity(add_remove=change, replace=change))

    return changed(2.0), [changed(1.0), changed(2.0)]


def finite(random: np.random.Generator) -> Family:
    """Random outcomes of a pair, as often as the person takes part."""
    p, q = random.dirichlet(np.full(4, 0.7), size=2)
    times = int(random.integers(1, 5))
    pair = Finite(p, q)
    return pair.times(times), [pair.times(fewer) for fewer in range(1, times + 1)]


def kernel(random: np.random.Generator) -> Family:
    """Random rows for three categories, each pair of which are neighbours."""
    rows = random.dirichlet(np.ones(3), size=3)
    edges = [(0, 1), (0, 2), (1, 2)]
    pairs = [Finite(rows[a], rows[b], neighbours=Neighbours.REPLACE) for a, b in edges]
    return Kernel(rows, edges, neighbours=Neighbours.REPLACE), list(pairs)


def gaussian(random: np.random.Generator) -> Family:
    """Gaussian noise in several cells, and smaller changes."""
    sigma, times = random.uniform(0.5, 5.0), int(random.integers(1, 20))
    less = [Gaussian(sigma * factor).times(int(random.integers(1, times + 1))) for factor in (1.0, 1.5, 4.0)]
    return Gaussian(sigma).times(times), list(less)


MAKERS = (laplace, geometric, coins, discrete, sampled, staircase, finite, kernel, gaussian)


def check_everybody(make: Callable[[np.random.Generator], Family], sides: int, seed: int, families: int) -> None:
    """Put the bound of each mechanism that is made against those of the ones that it covers."""
    random = np.random.default_rng([seed, sides, MAKERS.index(make)])
    for _ in range(families):
        whole, lesser = make(random)
        bound = np.asarray(largest_loss(whole, FAILURES, sides=sides).value)
        for one in lesser:
            own = np.asarray(largest_loss(FullChange(one), FAILURES, sides=sides).value)
            assert np.all(own <= bound * (1 + 1e-9) + 1e-12), (whole, one, own, bound)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("make", MAKERS)
def test_no_bound_is_smaller_than_that_of_a_pair_which_the_mechanism_can_produce(make, sides):
    check_everybody(make, sides, seed=11, families=6)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("make", MAKERS)
def test_no_bound_is_smaller_over_many_more_mechanisms(make, sides):
    check_everybody(make, sides, seed=12, families=150)


def test_the_tail_of_all_releases_alone_would_break_the_law():
    """The law can fail: by the tail of the largest change, nine answers of ten are told too small a bound."""
    ten, nine = (RandomizedResponse(0.5).times(number) for number in (10, 9))
    assert float(largest_loss(FullChange(ten), 0.01)) < float(largest_loss(FullChange(nine), 0.01))
    assert float(largest_loss(ten, 0.01)) >= float(largest_loss(FullChange(nine), 0.01))


@pytest.mark.parametrize("releases", [1, 2, 9, 10, 25])
def test_coins_are_bounded_by_the_most_unlucky_number_of_them_exactly(releases):
    """In fractions: the smallest t on the lattice that the tail of no fewer coins exceeds."""
    failure, epsilon = 0.01, math.log(3.0)
    truth = Fraction(3, 4)

    def tail(number: int, steps: int) -> Fraction:
        heads = [k for k in range(number + 1) if 2 * k - number > steps]
        return sum((math.comb(number, k) * truth**k * (1 - truth) ** (number - k) for k in heads), Fraction(0))

    expected = min(s for s in range(releases + 1) if all(tail(k, s) <= Fraction(failure) for k in range(releases + 1)))
    found = float(largest_loss(RandomizedResponse(epsilon).times(releases), failure))
    assert found == pytest.approx(expected * epsilon, rel=1e-12)


def test_gaussian_noise_stays_exact():
    for mechanism in (Gaussian(2.0), Gaussian(2.0).times(7), compose(Gaussian(1.0), Gaussian(3.0))):
        own = np.asarray(largest_loss(FullChange(mechanism), FAILURES).value)
        assert np.array_equal(np.asarray(largest_loss(mechanism, FAILURES).value), own)


def test_two_laplace_releases_cover_whoever_changes_one_of_them():
    """At a failure of 1/2 the pair itself gives 69.7 %, and somebody who is in one release alone has 73.1 %."""
    twice = Laplace(1.0).times(2)
    asked = {"failure": 0.5}
    assert float(membership.posterior(FullChange(twice), 0.5, **asked)) < 0.698
    assert float(membership.posterior(twice, 0.5, **asked)) >= 1 / (1 + math.exp(-1.0))


def test_two_cells_of_one_release_count_as_two_releases_and_keep_what_they_rest_on():
    cells = Geometric(0.5, sensitivity=Sensitivity.histogram())
    steps = cells.steps(Neighbours.REPLACE)
    assert steps is not None
    assert list(steps.values()) == [2]
    found = largest_loss(cells, 0.3, neighbours=Neighbours.REPLACE)
    twice = largest_loss(Geometric(0.5).times(2), 0.3)
    assert float(found) == float(twice)
    assert "geometric-loss" in found.basis.theorems
    assert "geometric-loss" in twice.basis.theorems


def test_below_zero_whoever_takes_part_in_nothing_decides():
    """The loss of somebody who changes nothing is 0, which is above every negative threshold."""
    assert float(Gaussian(1.0).beyond(-0.5)) == 1.0


def _losses_of_discrete_gaussian(sigma: int, releases: int) -> dict[Fraction, mpf]:
    """The law of the loss of somebody who is in so many counts, from the law of the noise, by adding up all sums."""
    weights = {k: mp.exp(-mpf(k * k) / (2 * sigma**2)) for k in range(-20 * sigma, 20 * sigma + 1)}
    total = sum(weights.values())
    law = {Fraction(0): mpf(1)}
    for _ in range(releases):
        added: dict[Fraction, mpf] = {}
        for (before, chance), (k, weight) in itertools.product(law.items(), weights.items()):
            loss = before + Fraction(2 * k + 1, 2 * sigma**2)
            added[loss] = added.get(loss, mpf(0)) + chance * weight / total
        law = added
    return law


def _quantile(law: dict[Fraction, mpf], failure: float) -> Fraction:
    """The smallest loss that is exceeded with no more than the chance of failure."""
    beyond, least = mpf(0), max(law)
    for loss in sorted(law, reverse=True):
        if beyond <= failure:
            least = loss
        beyond += law[loss]
    return least


@pytest.mark.parametrize(("sigma", "releases"), [(1, 2), (2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("failure", [0.001, 0.01, 0.05, 0.2])
def test_a_posterior_after_several_counts_with_discrete_noise_is_that_of_the_worst_choice_of_them(
    sigma: int, releases: int, failure: float
) -> None:
    laws = [_losses_of_discrete_gaussian(sigma, number) for number in range(1, releases + 1)]
    truth = max(_quantile(law, failure) for law in laws)
    noise = DiscreteGaussian(float(sigma)).times(releases)
    found = membership.posterior(noise, 0.1, failure=failure, knows=Knowledge.EVERYONE_ELSE)
    exact = 1 / (1 + 9 * mp.exp(-mpf(truth.numerator) / truth.denominator))
    assert exact <= float(found) <= exact * (1 + mpf("1e-9"))
    assert "tail-of-fewer-releases" in found.basis.theorems
