"""Epsilons and deltas add up: a bound beside the curve, which never lies below what releases do."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from whit import guarantees
from whit.guarantees import (
    ApproxDP,
    BoundedRange,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
)
from whit.mechanisms import (
    ExponentialMechanism,
    Finite,
    Gaussian,
    Geometric,
    Laplace,
    PartitionSelection,
    SparseVector,
    Staircase,
    compose,
)
from whit.setting import Neighbours
from whit.theory import Direction

STATED = (ApproxDP(6.35, 1e-5), ProbabilisticDP(6.35, 1e-5), ProbabilisticallyBoundedDP(6.35, 1e-5))
SURE = (
    (Laplace(2.0), 0.5),
    (Geometric(0.5), 0.5),
    (ExponentialMechanism(1.0), 1.0),
    (Staircase(1.0), 1.0),
    (SparseVector(1.0), 1.0),
    (Laplace(4.0).times(3), 0.75),
)
HAIR = Fraction(1, 10**14)


@pytest.mark.parametrize("stated", STATED, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize(("noise", "epsilon"), SURE, ids=str)
def test_a_stated_delta_beside_noise_without_one_has_the_sum_of_the_epsilons(stated, noise, epsilon):
    found = compose(stated, noise).epsilon(1e-5)
    assert float(found) <= math.nextafter(6.35 + epsilon, math.inf)
    assert found.direction is Direction.AT_MOST
    assert float(compose(stated, noise).delta(6.35 + epsilon + 1e-9)) <= 1e-5


def test_the_rule_that_was_used_is_named_and_another_is_not():
    together = compose(ApproxDP(6.35, 1e-5), Laplace(2.0))
    assert "basic-composition" in together.epsilon(1e-5).basis.theorems
    assert "dominating-pairs-compose" not in together.epsilon(1e-5).basis.theorems
    assert "basic-composition" not in together.epsilon(1e-3).basis.theorems
    both = together.epsilon([1e-5, 1e-3]).basis.theorems
    assert {"basic-composition", "dominating-pairs-compose"} <= set(both)


def test_several_deltas_come_to_less_than_their_sum_by_the_best_composition():
    together = compose(ApproxDP(1.0, 1e-5).times(3), Laplace(2.0))
    # As doubles, three times 1e-5 exceeds 3e-5.
    assert 3 * Fraction(1e-5) > Fraction(3e-5)
    found = together.epsilon(3e-5)
    assert float(found) == pytest.approx(3.5, rel=1e-12)
    assert "optimal-composition-heterogeneous" in found.basis.theorems


@pytest.mark.parametrize("rest", [ZeroConcentratedDP(0.1), GaussianDP(0.5), Gaussian(2.0), Gaussian(3.0).times(2)])
def test_promises_without_a_point_have_what_the_others_leave_of_delta(rest):
    together = compose(PureDP(1.0), Laplace(2.0), rest)
    assert float(together.epsilon(1e-60)) <= 1.5 + float(rest.epsilon(1e-60)) * (1 + 1e-12)
    assert float(together.delta(9.0)) <= float(rest.delta(7.5)) * (1 + 1e-9)
    beside = compose(ApproxDP(1.0, 1e-5), Laplace(2.0), rest)
    assert float(beside.epsilon(3e-5)) <= 1.5 + float(rest.epsilon(1.9999e-5)) * (1 + 1e-12)


def test_noise_that_reaches_every_loss_leaves_no_epsilon_at_the_stated_delta():
    # Beside 1e-5 for sure, Gaussian noise exceeds every epsilon with a chance above 0.
    assert math.isinf(float(compose(ApproxDP(1.0, 1e-5), Gaussian(2.0)).epsilon(1e-5)))
    assert math.isinf(float(compose(ApproxDP(1.0, 1e-5), ApproxDP(1.0, 1e-6), Laplace(1.0)).epsilon(1e-5)))


def test_keys_have_the_epsilon_and_the_delta_that_they_were_stated_with():
    for keys in (1, 7):
        selection = PartitionSelection(1.0, delta=1e-5, keys=keys)
        assert float(selection.epsilon(1e-5)) == 1.0
        assert float(selection.delta(1.0)) == 1e-5
        assert float(compose(selection, Laplace(2.0)).epsilon(1e-5)) == 1.5
        assert float(compose(selection, PureDP(0.5)).epsilon(1e-5)) == 1.5


def test_a_range_adds_up_beside_epsilon_and_delta():
    together = guarantees.compose(*[ApproxDP(3.99, 1e-4)], *[BoundedRange(1.97)] * 2)
    assert float(together.epsilon(1e-4)) <= 3.99 + 2 * 1.97 + 1e-14
    assert float(together.delta(8.0)) <= 1e-4


def test_points_are_those_of_the_neighbours_that_are_asked_about():
    together = compose(ApproxDP(1.0, 1e-6), Laplace(2.0))
    delta = 1e-6 * (1 + math.e) * (1 + 1e-12)
    found = together.epsilon(delta, neighbours=Neighbours.REPLACE)
    assert float(found) == pytest.approx(2.0 + 0.5, rel=1e-12)
    assert "group-privacy" in found.basis.theorems


def _random_pair(rng: random.Random) -> tuple[list[Fraction], list[Fraction]]:
    """Two laws over three outcomes in 64ths, one of which may be impossible under one of them."""
    laws = []
    for _ in range(2):
        cuts = sorted(rng.choices(range(65), k=2))
        laws.append([Fraction(n, 64) for n in (cuts[0], cuts[1] - cuts[0], 64 - cuts[1])])
    return laws[0], laws[1]


def _delta(p: list[Fraction], q: list[Fraction], ratio: Fraction) -> Fraction:
    """The profile of a pair at the log of a ratio, the larger of both orders, exactly."""
    orders = ((p, q), (q, p))
    return max(
        sum((max(a - ratio * b, Fraction(0)) for a, b in zip(*each, strict=True)), Fraction(0)) for each in orders
    )


@pytest.mark.parametrize("seed", range(40))
def test_no_pair_of_random_releases_exceeds_the_sums(seed):
    rng = random.Random(seed)
    first, second = _random_pair(rng), _random_pair(rng)
    ratio = Fraction(rng.randint(4, 40), 4)
    stated = ApproxDP(math.log(ratio) + 1e-12, math.nextafter(float(_delta(*first, ratio)), 2.0))
    together = compose(stated, Finite(*[[float(x) for x in law] for law in second]))
    p, q = ([a * b for a, b in itertools.product(*laws)] for laws in zip(first, second, strict=True))
    for scale in (Fraction(1), Fraction(3, 2), Fraction(4), Fraction(64)):
        # A log in doubles is rounded; the profile at a ratio that is larger by more than that is no larger.
        above = ratio * scale * (1 + HAIR)
        truth = _delta(p, q, above)
        assert float(together.delta(math.log(ratio * scale))) >= truth
        found = float(together.epsilon(float(truth)))
        assert math.isinf(found) or _delta(p, q, Fraction(math.exp(found)) * (1 + HAIR)) <= Fraction(float(truth))
