"""Tails of the loss: closed forms, binomial sums, the Census posterior, and the law under Q."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves.contour import (
    Composition,
    EpsilonDeltaKind,
    GaussianKind,
    LaplaceKind,
    RandomizedResponseKind,
    SubsampledGaussianKind,
    delta_bracket,
    tail_bracket,
)
from whit.errors import InvalidInput


def test_posterior_above_90_percent_after_the_census(census: Composition) -> None:
    """P[Z > log 9], certified earlier to lie within [0.574822, 0.574849] by another implementation."""
    found = tail_bracket(census, [math.log(9)], 5e-5)
    assert 0.574822 <= math.exp(float(found.log_open.lower[0]))
    assert math.exp(float(found.log_closed.upper[0])) <= 0.574849


@pytest.mark.parametrize("mu", [0.01, 1.0, 30.0])
def test_gaussian_tails(mu: float) -> None:
    ts = mu * np.array([-8.0, -1.0, 0.0, 0.7, 20.0]) + mu * mu / 2
    found, null = (
        tail_bracket(Composition({GaussianKind(mu): 1}), ts),
        # Under Q the loss is minus that of the reversed pair.
        tail_bracket(Composition({GaussianKind(mu): 1}).reverse(), -ts),
    )
    with mpmath.workdps(30):
        for i, t in enumerate(ts):
            x = (mpmath.mpf(float(t)) - mpmath.mpf(mu) ** 2 / 2) / mpmath.mpf(mu)
            for bracket, truth in (
                (found.log_open, mpmath.ncdf(-x)),
                (found.log_open_complement, mpmath.ncdf(x)),
                (null.log_closed_complement, mpmath.ncdf(-x - mpmath.mpf(mu))),
                (null.log_open, mpmath.ncdf(x + mpmath.mpf(mu))),
            ):
                assert bracket.lower[i] <= mpmath.log(truth) <= bracket.upper[i]
                assert bracket.upper[i] - bracket.lower[i] < 1e-9


def test_randomized_response_tells_open_from_closed() -> None:
    epsilon, n = 0.25, 40
    with mpmath.workdps(40):
        p = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
        masses = [mpmath.binomial(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        ts = [-10.0, -0.5, 0.0, 0.1, 2.0, 9.5, 10.0]
        found = tail_bracket(Composition({RandomizedResponseKind(epsilon): n}), ts)
        for i, t in enumerate(ts):
            above = sum(m for k, m in enumerate(masses) if (2 * k - n) * epsilon > t)
            at_or_above = sum(m for k, m in enumerate(masses) if (2 * k - n) * epsilon >= t)
            for bracket, truth in ((found.log_open, above), (found.log_closed, at_or_above)):
                truth_log = mpmath.log(truth) if truth > 0 else mpmath.mpf("-inf")
                assert float(bracket.lower[i]) <= truth_log + 1e-30
                assert truth_log <= float(bracket.upper[i]) + 1e-30
                assert bracket.upper[i] == bracket.lower[i] or bracket.upper[i] - bracket.lower[i] < 1e-9


@pytest.mark.parametrize("epsilon", [1.0, 0.1, 0.7])
def test_beside_a_lattice_point_no_bound_counts_on_the_wrong_side(epsilon: float) -> None:
    """One double before an atom its mass still lies above, and one double after it does not."""
    chance, copies = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon))), 21
    losses = [mpmath.mpf(epsilon) * (2 * k - copies) for k in range(copies + 1)]
    masses = [math.comb(copies, k) * chance**k * (1 - chance) ** (copies - k) for k in range(copies + 1)]
    atoms = np.array([float(z) for z in losses[6:-2]])
    for away in (-40, -3, -1, 1, 3, 40):
        ts = atoms + away * np.spacing(np.abs(atoms))
        found = tail_bracket(Composition({RandomizedResponseKind(epsilon): copies}), ts)
        for i, t in enumerate(ts.tolist()):
            above = mpmath.log(mpmath.fsum(p for z, p in zip(losses, masses, strict=True) if z > t))
            below = mpmath.log(mpmath.fsum(p for z, p in zip(losses, masses, strict=True) if z <= t))
            for bracket in (found.log_open, found.log_closed):
                assert bracket.lower[i] <= above <= bracket.upper[i]
            for bracket in (found.log_open_complement, found.log_closed_complement):
                assert bracket.lower[i] <= below <= bracket.upper[i]


def test_a_single_laplace() -> None:
    """P[Z >= epsilon] = 1/2, and P[Z > t] = 1/2 + (1 - e^{(t - epsilon)/2}) / 2 below it."""
    epsilon = 1.0
    ts = np.array([-0.9, 0.0, 0.5, 0.9])
    found = tail_bracket(Composition({LaplaceKind(epsilon): 1}), ts, 1e-3)
    truth = np.log(0.5 + 0.5 * -np.expm1((ts - epsilon) / 2))
    assert np.all(found.log_open.lower <= truth)
    assert np.all(truth <= found.log_closed.upper)
    assert float((found.log_closed.upper - found.log_open.lower).max()) < 2e-3


def test_infinite_mass_is_above_every_loss() -> None:
    composition = Composition({EpsilonDeltaKind(0.5, 1e-4): 3})
    found = tail_bracket(composition, [100.0, -100.0])
    infinite = 1 - (1 - 1e-4) ** 3
    np.testing.assert_allclose(np.exp(found.log_open.mid), [infinite, 1.0], rtol=1e-9)
    np.testing.assert_allclose(np.exp(found.log_open_complement.mid), [1 - infinite, 0.0], rtol=1e-9)
    null = tail_bracket(composition.reverse(), [-100.0, 100.0])
    np.testing.assert_allclose(np.exp(null.log_closed_complement.mid), [0.0, 1 - infinite], rtol=1e-9)


def test_tails_of_many_subsampled_steps_agree_with_the_profile() -> None:
    """delta(t) <= P[Z > t], and P[Z > t] (1 - e^{s-t}) <= delta(s) for s < t."""
    composition = Composition({SubsampledGaussianKind(1.0, 0.05): 500})
    ts = np.array([0.5, 2.0, 5.0])
    tail = tail_bracket(composition, ts)
    here, before = delta_bracket(composition, ts), delta_bracket(composition, ts - 0.3)
    assert np.all(here.log_delta.lower <= tail.log_closed.upper)
    assert np.all(tail.log_open.lower + math.log(-math.expm1(-0.3)) <= before.log_delta.upper)


def test_a_tighter_request_is_never_wider() -> None:
    composition = Composition({LaplaceKind(0.05): 2000})
    before = tail_bracket(composition, [0.0, 1.0, 4.0], 1e-2)
    for width in (1e-3, 1e-4, 1e-5):
        now = tail_bracket(composition, [0.0, 1.0, 4.0], width)
        assert np.all(now.log_open.lower >= before.log_open.lower)
        assert np.all(now.log_open.upper <= before.log_open.upper)
        before = now
    assert float((before.log_open.upper - before.log_open.lower).max()) < 1e-5


def test_infinite_losses_are_not_a_question() -> None:
    with pytest.raises(InvalidInput, match="losses must be finite numbers"):
        tail_bracket(Composition({LaplaceKind(0.2): 1}), [math.inf])
