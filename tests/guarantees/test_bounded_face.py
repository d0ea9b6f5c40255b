"""One point of pbdp: the two bounds on the power, and the pair above them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.guarantees.probabilistically_bounded import BoundedPointFace

POINTS = [(1.0, 0.02), (0.2, 0.4), (2.0, 0.95), (5.0, 1e-8), (0.0, 0.3)]


@pytest.mark.parametrize(("epsilon", "delta"), POINTS)
def test_the_power_is_the_smaller_of_the_bound_and_its_reflection(epsilon, delta):
    face, a = BoundedPointFace(epsilon, delta), delta * math.exp(-epsilon)
    d = (delta - a) / (1 - a)

    def bound(level: float) -> float:
        return min(1.0, d + (1 - d) * level if level <= a else math.exp(epsilon) * level)

    def reflected(level: float) -> float:
        """The largest y with 1 - level <= bound(1 - y), by bisection."""
        low, high = 0.0, 1.0
        for _ in range(100):
            y = (low + high) / 2
            low, high = (y, high) if 1 - level <= bound(1 - y) else (low, y)
        return low

    for level in (1e-9, 0.01, 0.2, 0.5, 0.9, 0.999):
        expected = min(bound(level), reflected(level))
        assert float(np.exp(face.log_power(math.log(level)).mid)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), POINTS)
def test_the_pair_stays_above_the_bounds_and_below_the_promise(epsilon, delta):
    face = BoundedPointFace(epsilon, delta)
    levels = np.log(np.linspace(0.0005, 0.9995, 500))
    assert np.all(face.log_power(levels).mid <= face.pair().log_power(levels).upper + 1e-12)
    follows = face.approximate()
    assert follows[0] <= epsilon + 1e-12
    assert follows[1] <= delta


def test_a_delta_of_one_promises_nothing():
    assert BoundedPointFace(1.0, 1.0).approximate() == (0.0, 1.0)
    assert float(BoundedPointFace(1.0, 1.0).log_power(-np.inf).upper) == 0.0
