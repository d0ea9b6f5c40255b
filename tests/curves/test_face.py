"""Tails from the profile alone: never below the truth, and attained by the pair of theorem T2."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import mpmath
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import ChordProfile, Curve, FinitePair, GaussianLoss, LaplaceLoss, composed, log_tail_bound
from whit.mechanisms import RandomizedResponse, Shuffled


@given(finite_pairs(), st.floats(-5.0, 20.0))
def test_the_bound_is_never_below_the_closed_tail(vectors: Vectors, loss: float) -> None:
    pair = FinitePair.of(*vectors)
    assert pair.log_tail_closed(loss).lower <= log_tail_bound(pair, loss)


@given(st.floats(0.1, 5.0), st.floats(-10.0, 40.0))
def test_the_bound_covers_the_gaussian(mu: float, loss: float) -> None:
    assert GaussianLoss(mu).log_tail(loss).lower <= log_tail_bound(GaussianLoss(mu), loss)


def test_one_point_of_the_curve_gives_the_textbook_bound() -> None:
    """With (epsilon, delta) alone the bound at t is at most delta/(1 - e^{epsilon - t})."""
    epsilon, delta = 1.0, 1e-6
    t = np.array([1.1, 1.5, 2.0, 5.0, 20.0])
    bound = np.exp(log_tail_bound(ChordProfile.of([epsilon], [delta]), t))
    np.testing.assert_allclose(bound, delta / -np.expm1(epsilon - t), rtol=2e-3)


def test_the_pair_of_the_theorem_attains_the_bound() -> None:
    """Outcomes +, -, 0 with P(+) = a, Q(+) = a e^{-t}, and the same exchanged at -: P[Z >= t] = a = the bound."""
    epsilon, delta, t = 1.0, 0.01, 2.0
    a = delta / -np.expm1(epsilon - t)
    b = a * np.exp(-t)
    pair = FinitePair.of([a, b, 1 - a - b], [b, a, 1 - a - b])
    np.testing.assert_allclose(np.exp(pair.log_delta(epsilon).mid), delta, rtol=1e-12)
    bound = np.exp(log_tail_bound(ChordProfile.of([epsilon], [delta]), t * (1 - 1e-15)))
    np.testing.assert_allclose(bound, a, rtol=1e-4)


def test_the_ends() -> None:
    profile = ChordProfile.of([1.0], [0.25])
    np.testing.assert_allclose(np.exp(log_tail_bound(profile, [-np.inf, 0.0, np.inf])), [1.0, 1.0, 0.25], atol=0.2)
    assert log_tail_bound(profile, -np.inf) == 0.0
    np.testing.assert_allclose(log_tail_bound(profile, np.inf), np.log(0.25), rtol=1e-14)


def test_the_ends_of_an_epsilon_do_not_cross_by_a_last_digit() -> None:
    """The first doubles that do, for the lower and for the upper end of this profile, are found in the wrong order."""
    reports = Shuffled(RandomizedResponse(1.0), 100)
    found = reports.curve().face.epsilon(np.log(0.05))
    assert found.lower <= found.upper
    np.testing.assert_allclose(float(np.exp(reports.curve().face.log_delta(found.upper).mid)), 0.05, rtol=1e-9)


def beside_laplace(a: float, of: Callable[[mpmath.mpf], mpmath.mpf], bends: list[float]) -> mpmath.mpf:
    """The mean over a Laplace loss: a with 1/2, -a with e^-a / 2, and between them by the density e^((z-a)/2) / 4."""
    ends = [-a, *sorted(bend for bend in bends if -a < bend < a), a]
    dense = mpmath.quad(lambda z: of(z) * mpmath.exp((z - a) / 2) / 4, ends)
    return of(mpmath.mpf(a)) / 2 + of(-mpmath.mpf(a)) * mpmath.exp(-a) / 2 + dense


def laplace_tail(a: float, x: mpmath.mpf) -> mpmath.mpf:
    """P[Z >= x], in closed form."""
    return mpmath.mpf(0) if x > a else mpmath.mpf(1) if x <= -a else 1 - mpmath.exp((x - a) / 2) / 2


def laplace_profile(a: float, x: mpmath.mpf) -> mpmath.mpf:
    """D(x), in closed form."""
    return mpmath.mpf(0) if x > a else 1 - mpmath.exp(x) if x < -a else 1 - mpmath.exp((x - a) / 2)


def after(of: Callable[[float, mpmath.mpf], mpmath.mpf], a: float, x: float, z: mpmath.mpf) -> mpmath.mpf:
    """What a loss has beyond x, once another one has come to z."""
    return of(a, x - z)


def test_the_tail_of_a_short_sum_by_its_lattice_lies_between_the_truth_and_the_best_point_of_its_profile() -> None:
    first, second = 0.7, 0.45
    both = composed({Curve.exact(LaplaceLoss(each)): 1 for each in (first, second)}).face
    assert both.rough is not both
    for t in (0.3, 0.8, 1.1):
        bound = float(np.exp(log_tail_bound(both, t)))
        tail = beside_laplace(first, partial(after, laplace_tail, second, t), [t - second, t + second])
        points = [
            beside_laplace(first, partial(after, laplace_profile, second, e), [e - second, e + second])
            / (1 - mpmath.exp(e - t))
            for e in (t - np.geomspace(1e-3, 0.6, 20)).tolist()
        ]
        assert tail * (1 - mpmath.mpf("1e-12")) <= bound <= min(points) * (1 + mpmath.mpf("1e-4"))


def test_a_loss_is_that_of_one_pair_of_datasets():
    assert GaussianLoss(1.0).is_one_pair
    assert LaplaceLoss(1.0).is_one_pair
