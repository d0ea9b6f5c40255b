"""Largest gains of other scores of a normal belief, against a search over values at high precision."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.persuasion import IntervalScore, LogProbability, RankedProbability, interval_hit, linear_release
from whit.persuasion.gaussian_scores import farthest, with_shrinkage


def ranked(z: mpmath.mpf) -> mpmath.mpf:
    return z * (2 * mpmath.ncdf(z) - 1) + 2 * mpmath.npdf(z) - 1 / mpmath.sqrt(mpmath.pi)


@pytest.mark.parametrize("t", [0.0, 1e-8, 0.5, 3.0, -40.0])
@pytest.mark.parametrize("noise", [0.0, 1.0, 1e6])
def test_the_ranked_score_is_bounded_and_attained(t, noise):
    # Two records, variances 4 and 1, and their total.
    found = linear_release([[1.0, 1.0]], [4.0, 1.0], noise=noise).under(RankedProbability(), [t]).value
    for i, variance in enumerate((4, 1)):
        v = mpmath.mpf(5) + noise
        s, q = mpmath.sqrt(variance), mpmath.sqrt(1 - variance / v)
        b = s * t / v
        z = b / (1 - q)
        gain = s * (ranked(z) - q * ranked((z - b) / q))
        assert gain <= found[i]
        assert found[i] <= gain * (1 + 1e-6) + 1e-9
        for other in (z * 0.9, z + 1, z - 1):
            assert s * (ranked(other) - q * ranked((other - b) / q)) <= found[i]


def test_an_interval_moves_only_if_the_mean_does():
    release = linear_release([[1.0, 1.0]], [4.0, 1.0])
    assert release.under(IntervalScore(1), [0.0]).value.max() == pytest.approx(0.0)
    assert release.under(IntervalScore(1), [0.1]).value.min() == 1.0


@pytest.mark.parametrize("off", [0.0, 0.3, 5.0, 30.0])
@pytest.mark.parametrize("length", [1e-9, 1.0, 100.0])
def test_the_chance_of_an_interval_is_enclosed(off, length):
    found = interval_hit(length, off_centre=off)
    half = mpmath.mpf(length) / 2
    truth = mpmath.ncdf(half - off) - mpmath.ncdf(-half - off)  # on the left, where nothing cancels
    assert mpmath.mpf(float(found.lower)) <= truth <= mpmath.mpf(float(found.upper))


def test_the_log_density_gains_half():
    release = linear_release([[1.0, 1.0]], [1.0, 1.0])
    expected = (1.0 + math.log(2)) / 2  # b^2/R^2 = t^2/2 with t^2 = 2, and R^2 = 1/2
    assert np.allclose(release.under(LogProbability(), [math.sqrt(2)]).value, expected, rtol=1e-9)


@pytest.mark.parametrize("delta", [1e-300, 1e-12, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("share", [0.0, 1e-9, 0.3, 1.0])
def test_the_quantile_is_on_the_safe_side(delta, share):
    reach = 4.0
    found = float(farthest(reach, np.array([share]), np.array([share]), delta)[0])
    centre, spread = mpmath.sqrt(reach * (1 - mpmath.mpf(share))), mpmath.sqrt(share)
    if share == 0.0:
        assert found >= reach
        return
    beyond = lambda q: mpmath.ncdf((centre - q) / spread) + mpmath.ncdf((-centre - q) / spread)  # noqa: E731
    assert beyond(mpmath.sqrt(found)) <= delta
    assert beyond(mpmath.sqrt(found) * (1 - mpmath.mpf("1e-6")) - mpmath.mpf("1e-9")) > delta or found <= reach * (
        1 + 1e-12
    )


def test_what_is_fully_explained_has_no_bound_and_what_is_not_gains_nothing():
    assert with_shrinkage(np.array([1.0, 1.0]), np.array([1.0, 0.0])).tolist() == [math.inf, 0.0]
