"""Several equal Laplace releases as splines, against the integral of the transform and against direct convolution."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

from whit.curves import ComposedLoss, Curve, LaplaceLoss, LaplaceSum, composed


def face(epsilon: float, copies: int) -> LaplaceSum:
    found = composed({Curve.exact(LaplaceLoss(epsilon)): copies}).face
    assert isinstance(found, LaplaceSum)
    return found


def integral(sums: LaplaceSum) -> ComposedLoss:
    return ComposedLoss(sums.composition, sums.slack)


def two_release_profile(epsilon: float, t: float) -> mpmath.mpf:
    """The profile of two releases, with the first loss integrated over: D(t) = E[D_1(t - Z_1)]."""
    e, t = mpmath.mpf(epsilon), mpmath.mpf(t)

    def one(s: mpmath.mpf) -> mpmath.mpf:
        if s >= e:
            return mpmath.mpf(0)
        return -mpmath.expm1(s) if s <= -e else -mpmath.expm1((s - e) / 2)

    knots = sorted({-e, e, *(k for k in (t - e, t + e) if -e < k < e)})
    density = mpmath.quad(lambda z: mpmath.exp((z - e) / 2) / 4 * one(t - z), knots)
    return one(t - e) / 2 + mpmath.exp(-e) / 2 * one(t + e) + density


@pytest.mark.parametrize("epsilon", [0.01, 0.7, 3.0])
@pytest.mark.parametrize("share", [-1.5, -0.3, 0.0, 0.45, 0.999])
def test_two_releases_agree_with_the_double_integral(epsilon, share):
    t = share * 2 * epsilon
    bracket = face(epsilon, 2).log_delta(t)
    truth = mpmath.log(two_release_profile(epsilon, t))
    assert bracket.lower <= truth <= bracket.upper
    assert bracket.upper - bracket.lower < 1e-11


@pytest.mark.parametrize(
    ("epsilon", "copies", "ask"),
    [
        (3.0, 20, "log_delta"),
        (1.0, 100, "log_tail"),
        *(
            pytest.param(epsilon, copies, ask, marks=pytest.mark.slow)
            for epsilon, copies in [(0.1, 100), (1.0, 30), (0.01, 1000)]
            for ask in ("log_delta", "log_tail")
        ),
    ],
)
def test_splines_and_the_integral_agree(epsilon, copies, ask):
    sums = face(epsilon, copies)
    t = epsilon * copies * np.array([-0.9, 0.05, 0.21, 0.6])
    ours, other = getattr(sums, ask)(t), getattr(integral(sums), ask)(t)
    assert np.all(ours.lower <= other.upper)
    assert np.all(other.lower <= ours.upper)
    assert np.all(ours.upper - ours.lower < 1e-9)


def test_beyond_the_largest_sum_nothing_is_left():
    sums = face(0.5, 4)
    assert np.all(np.isneginf(sums.log_delta([2.0, 3.0]).upper))
    assert np.all(np.isneginf(sums.log_tail([2.0, 3.0]).upper))
    assert sums.log_tail([-2.0]).upper < 0.0  # the atom at -2 itself is not above -2
    assert sums.log_tail([-2.5]).lower == 0.0


def test_closed_tails_have_the_atoms_that_open_tails_leave_out():
    """Epsilon 1/2, four releases: Z = 2 with probability 1/16, all four at their largest."""
    sums = face(0.5, 4)
    top = sums.log_tail_closed(2.0).exp()
    assert top.lower <= 1 / 16 <= top.upper
    open_tail, closed = sums.log_tail(1.0).exp(), sums.log_tail_closed(1.0).exp()
    atom = 4 * mpmath.mpf(0.5) ** 3 * mpmath.exp(-mpmath.mpf(0.5)) / 2
    assert closed.lower - open_tail.upper <= atom <= closed.upper - open_tail.lower


def test_tails_add_up_with_the_other_order():
    """P[Z < -t] = E_Q[e^{-Z'}; Z' > t], and the pair is symmetric: checked by a fine Riemann sum."""
    sums = face(0.3, 7)
    t = np.linspace(0.111, 2.1, 4000)
    tail = sums.log_tail(t).exp().mid
    below = 1 - sums.log_tail_closed(-0.111).exp().mid
    integral_of_tail = np.exp(-0.111) * tail[0] - np.trapezoid(np.exp(-t) * tail, t)
    assert abs(below - integral_of_tail) < 1e-3


@pytest.mark.parametrize("copies", [1000, 10_000])
def test_reference_values_lie_inside(copies):
    table = json.loads((Path(__file__).parents[2] / "benchmarks" / "reference.json").read_text(encoding="utf-8"))
    name = {1000: "laplace_x1000", 10_000: "laplace"}[copies]
    entry = table["delta"][name]
    values, precision = entry["values"], float(entry.get("precision", 0.0))
    bracket = face(0.01, copies).log_delta([float(epsilon) for epsilon in values])
    logs = np.array([float(mpmath.log(mpmath.mpf(truth))) for truth in values.values()])
    # The references have the error that they state, and their logs are rounded to doubles.
    error = precision + 2e-16 * np.abs(logs)
    assert np.all(bracket.lower - error <= logs)
    assert np.all(logs <= bracket.upper + error)


def test_numbers_too_small_for_doubles_are_left_to_the_integral():
    sums = face(0.01, 10_000)
    bracket = sums.log_delta(60.0)
    assert bracket.lower < -700
    assert bracket.upper - bracket.lower < 1e-5


def test_an_epsilon_that_is_not_exact_widens_the_answer():
    exact, wide = (
        composed({Curve.exact(LaplaceLoss(0.5, error)): 6}).face.log_delta(1.0).exp() for error in (0.0, 1e-6)
    )
    assert wide.lower < exact.lower
    assert wide.upper > exact.upper


def test_places_are_found_without_rounding():
    assert face(0.1, 3)._place(0.1) == Fraction(2)
    assert face(0.1, 3)._place(0.30000000000000004) > 3


@pytest.mark.parametrize(("scale", "copies"), [(0.05, 10), (0.03125, 5), (0.05, 25), (0.04, 20), (0.01, 4), (0.1, 10)])
def test_large_losses_of_one_release_do_not_overflow(scale, copies):
    """Repeated sums grow like e^loss: where they would not fit, the integral takes over."""
    curve = composed({Curve.exact(LaplaceLoss(1 / scale)): copies})
    delta = curve.delta([0.0, 0.5, 0.3 * copies / scale])
    assert np.all(delta.lower <= delta.upper)
    assert delta.upper[0] > 0.99


@pytest.mark.parametrize(("epsilon", "copies"), [(4.0, 30), (6.0, 20), (0.3, 1500), (0.05, 9000), (10.0, 3)])
def test_wherever_splines_are_taken_they_fit(epsilon, copies):
    face = composed({Curve.exact(LaplaceLoss(epsilon)): copies}).face
    t = epsilon * copies * np.array([-0.95, 0.0, 0.1, 0.5, 0.97])
    bracket = face.log_delta(t)
    assert np.all(np.isfinite(bracket.upper))
    assert np.all(bracket.upper[:3] - bracket.lower[:3] < 1e-5)


@pytest.mark.parametrize("epsilon", [1e-301, 1e-308, 1e-317, 5e-324])
@pytest.mark.parametrize("share", [0.0, 0.25, 0.75])
def test_next_to_the_smallest_doubles_two_releases_hold_the_double_integral(epsilon, share):
    t = float(np.float64(share) * 2 * epsilon)
    with mpmath.workdps(700):
        truth = mpmath.log(two_release_profile(epsilon, t)) if t < 2 * epsilon else -mpmath.inf
    bracket = face(epsilon, 2).log_delta(t)
    assert bracket.lower <= truth <= bracket.upper


@pytest.mark.parametrize("copies", [3, 12])
def test_next_to_the_smallest_normal_double_a_few_releases_are_known_to_a_part_in_a_thousand(copies):
    shares = np.array([0.0, 0.3, 0.6])
    found = face(1e-307, copies).log_delta(shares * copies * 1e-307)
    # So small losses are told in proportion to epsilon.
    larger = face(1e-250, copies).log_delta(shares * copies * 1e-250)
    moved = 57 * np.log(10)
    assert np.all(found.lower + moved <= larger.upper + 1e-9)
    assert np.all(found.upper + moved >= larger.lower - 1e-9)
    assert np.all(found.upper - found.lower < 1e-3)
