"""One-sided and two-sided probabilistic privacy, exactly."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Finite, Gaussian
from whit.persuasion import Table, kappa_of_promise, probabilistic_delta, satisfies

ABORT = Table(
    [
        [Fraction(98, 100), Fraction(15, 1000), Fraction(5, 1000)],
        [Fraction(98, 100), Fraction(5, 1000), Fraction(15, 1000)],
    ],
    [(0, 1)],
)


def test_two_sides_count_more_than_one():
    assert float(probabilistic_delta(ABORT, 1.0)) == pytest.approx(0.015, rel=1e-15)
    assert float(probabilistic_delta(ABORT, 1.0, sides=2)) == pytest.approx(0.02, rel=1e-15)


def test_two_sides_are_at_most_larger_by_the_far_side():
    random = np.random.default_rng(0)
    for _ in range(200):
        table = Table(random.dirichlet(np.full(4, 0.5), size=2).tolist(), [(0, 1)])
        epsilon = float(random.uniform(0, 3))
        one, two = (float(probabilistic_delta(table, epsilon, sides=sides).upper) for sides in (1, 2))
        assert one <= two <= one * (1 + math.exp(-epsilon)) * (1 + 1e-14)


def test_a_promise_gives_its_kappa():
    assert float(kappa_of_promise(PureDP(1.5), 0.0)) == pytest.approx(1.5, rel=1e-15)
    assert float(kappa_of_promise(ApproxDP(1.0, 1e-6), 0.0)) == math.inf
    assert kappa_of_promise(PureDP(1.5), [0.0, 0.1]).value.shape == (2,)


def test_the_kappa_of_a_mechanism_is_the_quantile_of_its_loss():
    # Z is N(1/2, 1) for one unit of noise: the quantile is 1/2 + 1.6448536...
    assert float(kappa_of_promise(Gaussian(1.0), 0.05)) == pytest.approx(0.5 + 1.6448536269514722, rel=1e-9)


def test_the_kappa_of_a_finite_mechanism_is_kept():
    coin = Finite([0.7, 0.2, 0.1], [0.3, 0.3, 0.4])
    kappa = float(kappa_of_promise(coin, 0.15))
    assert satisfies(coin, kappa=kappa * (1 + 1e-12), delta=0.4)


def test_sides_are_one_or_two():
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        probabilistic_delta(ABORT, 1.0, sides=3)
