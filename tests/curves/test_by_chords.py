"""Tails from the chords of an exact profile: they hold the truth, also at atoms, and are narrow where it is smooth."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st
from pairs import finite_pairs

from whit.curves import FinitePair, GaussianLoss, LaplaceLoss, contour
from whit.curves.by_chords import _Points, log_lowest_line, tails_by_chords
from whit.curves.composition import composed_faces
from whit.curves.lowest_line import EVENLY, STRIDES
from whit.numerics import Bracket


@pytest.mark.parametrize("mu", [0.05, 1.0, 6.0])
def test_a_smooth_tail_is_held_closely(mu):
    loss = GaussianLoss(mu)
    t = mu**2 / 2 + mu * np.array([-3.0, -1.0, 0.0, 1.5, 5.0])
    found, truth = tails_by_chords(loss.log_delta, t, mu), loss.log_tail(t)
    assert np.all(found.lower <= truth.upper)
    assert np.all(truth.lower <= found.upper)
    assert np.all(found.upper - found.lower < 2e-4)


@given(finite_pairs(), st.floats(-3.0, 3.0))
def test_open_and_closed_tails_of_a_finite_pair_are_held(pair, t):
    p, q = pair
    found = tails_by_chords(FinitePair.of(p, q).log_delta, np.array([t]), 1.0).exp()
    assert found.lower[0] <= referee.tail(p, q, t)
    # Vectors of doubles may add up to a little more than 1.
    assert min(referee.tail(p, q, t, closed=True), 1) <= found.upper[0]


def test_an_atom_leaves_room_for_both_tails():
    """Laplace noise at its largest loss: open 0, closed 1/2."""
    found = tails_by_chords(LaplaceLoss(1.0).log_delta, np.array([1.0]), 1.0).exp()
    assert found.lower[0] == 0.0
    assert found.upper[0] >= 0.5


def test_errors_of_the_profile_widen_the_tail():
    loss = GaussianLoss(1.0)

    def blurred(t: np.ndarray) -> Bracket:
        exact = loss.log_delta(t)
        return Bracket(exact.lower - 1e-4, exact.mid, exact.upper + 1e-4)

    t = np.array([0.7])
    wide, narrow = tails_by_chords(blurred, t, 1.0), tails_by_chords(loss.log_delta, t, 1.0)
    truth = loss.log_tail(t)
    assert wide.lower < narrow.lower <= truth.mid <= narrow.upper < wide.upper


def test_a_few_different_laplace_releases_are_narrowed():
    """Where smoothing the tail is dear, the chords are narrower than what a modest number of nodes gives."""
    face = composed_faces({LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1}, 1e-6, False)
    t = np.array([0.3, 0.9])
    both = face.log_tail(t)
    alone = contour.tail_bracket(face.composition, t, 1e-4).log_open
    assert np.all(both.lower >= alone.lower)
    assert np.all(both.upper <= alone.upper)
    assert np.all(both.upper - both.lower < 5e-4)


def lowest_line(loss: LaplaceLoss, t: np.ndarray, level: float, stride: int) -> float:
    """The lower bound on the power at a log of a level, from the profile at these points."""
    delta = loss.log_delta(t[None, :])
    best = np.argmin(np.logaddexp(delta.mid, t + level), axis=1)
    return float(log_lowest_line(t[None, :], delta, np.array([level]), best[:, None], stride)[0])


def laplace_power(epsilon: float, level: float) -> mpmath.mpf:
    """Log of the power at a level below one half, by the formula of the trade-off function."""
    with mpmath.workdps(60):
        e, a = mpmath.mpf(epsilon), mpmath.mpf(level)
        return e + a if a <= -e - mpmath.log(2) else mpmath.log(1 - mpmath.exp(-e - a) / 4)


@given(
    st.floats(0.1, 20.0),
    st.floats(-690.0, -1.0),
    st.floats(-1.2, 1.2),
    st.floats(-9.0, -0.5).map(lambda digits: 10**digits),
    st.sampled_from(STRIDES),
)
def test_the_lowest_line_from_below_is_at_most_the_power_however_small_the_level(epsilon, level, place, half, stride):
    """The best threshold is the largest loss: next to it the profile is nothing beside what it is on the left."""
    t = epsilon + half * (EVENLY + place)
    assert lowest_line(LaplaceLoss(epsilon), t, level, stride) <= laplace_power(epsilon, level)


@pytest.mark.parametrize("level", [-80.0, -200.0, -690.0])
@pytest.mark.parametrize("epsilon", [2.0, 8.0, 16.0])
def test_the_lowest_line_from_below_is_close_where_the_level_is_nothing_beside_the_profile(epsilon, level):
    """It was too high by up to 4e-3: chords were rounded in units of the profile, which is e^50 times the level."""
    for place in np.arange(12.3, 60.0, 3.15):
        t = epsilon + 0.018 * (EVENLY + 1 - place / 32)
        found = max(lowest_line(LaplaceLoss(epsilon), t, level, stride) for stride in STRIDES)
        assert level + epsilon - 1e-4 < found <= level + epsilon


def test_points_lie_no_farther_out_than_they_are():
    """A point that rounding moved outwards would raise the line, and with it a lower bound."""
    t = np.sort(np.random.default_rng(5).uniform(-60.0, 60.0, 41))[None, :]
    centre, delta = t[:, 20:21], GaussianLoss(3.0).log_delta(t)
    with np.errstate(divide="ignore"):  # where two points are as far out, as its caller has it
        points = _Points.around(centre, np.zeros((1, 1)), t, delta, np.array([-2.0]))
    with mpmath.workdps(40):
        truth = [mpmath.exp(mpmath.mpf(float(at)) - mpmath.mpf(float(centre[0, 0]))) for at in t[0]]
        assert all(mpmath.mpf(float(x)) <= each for x, each in zip(points.x[0], truth, strict=True))
        assert all(
            mpmath.mpf(float(x)) >= each * (1 - mpmath.mpf(1e-12)) for x, each in zip(points.x[0], truth, strict=True)
        )
