"""Numerical compositions against closed forms, exact enumeration and published powers."""

from __future__ import annotations

import math
from collections.abc import Iterable

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds_by_hand import of_pair
from pairs import Vectors, distinct_pairs

from whit.curves import (
    ComposedLoss,
    Curve,
    DiscreteGaussianLoss,
    FinitePair,
    GaussianLoss,
    Slack,
    composed,
    contour,
    lowest_line,
    self_composed,
)
from whit.errors import InvalidInput, TooCostly
from whit.mechanisms import Gaussian, PoissonSubsampled
from whit.numerics import Bracket


def composed_loss(kind: contour.Kind, copies: int = 1) -> ComposedLoss:
    return ComposedLoss(contour.Composition({kind: copies}))


def overlap(first: Bracket, second: Bracket) -> bool:
    """Whether two brackets of the same number have a number in common."""
    return bool(np.all(first.lower <= second.upper) and np.all(second.lower <= first.upper))


GAUSSIAN = composed_loss(contour.GaussianKind(0.5), 4)
EXACT = GaussianLoss(1.0)
LEVELS = np.log([1e-60, 1e-10, 1e-6, 1e-3, 0.05, 0.5, 0.99])


def test_every_answer_holds_the_gaussian_closed_form() -> None:
    epsilons = np.array([-3.0, 0.0, 0.7, 4.0, 12.0, 30.0, 50.0])
    assert overlap(GAUSSIAN.log_delta(epsilons), EXACT.log_delta(epsilons))
    assert overlap(GAUSSIAN.log_tail(epsilons), EXACT.log_tail(epsilons))
    assert overlap(GAUSSIAN.log_tail_closed(epsilons), EXACT.log_tail_closed(epsilons))
    assert overlap(GAUSSIAN.log_power(LEVELS), EXACT.log_power(LEVELS))
    assert overlap(GAUSSIAN.log_cdf(epsilons), EXACT.log_cdf(epsilons))
    deltas = np.log([0.3, 1e-6, 1e-15, 1e-60])
    assert overlap(GAUSSIAN.epsilon(deltas), EXACT.epsilon(deltas))


def test_a_rough_loss_holds_the_same_numbers_less_closely() -> None:
    """Laplace noise ends in atoms: there the integral has to smooth, and the rough one smooths more."""
    kinds = {contour.LaplaceKind(size): 12 for size in (2.0, 4.0, 8.0)}
    loss = ComposedLoss(contour.Composition(kinds))
    epsilons = np.array([1.0, 100.0, 145.0, 151.2])
    closely, roughly = loss.log_delta(epsilons), loss.rough.log_delta(epsilons)
    assert overlap(closely, roughly)
    assert np.all(roughly.upper - roughly.lower <= 1e-4)
    assert loss.rough.certificate(epsilons).nodes < loss.certificate(epsilons).nodes / 5
    assert float(loss.rough.epsilon(math.log(0.01)).upper) <= float(loss.epsilon(math.log(0.01)).upper) * (1 + 1e-3)
    assert loss.rough.rough.relative_width == loss.rough.relative_width


def test_many_points_at_once_have_the_brackets_that_they_have_alone() -> None:
    """The nodes of an integral come in ranges, found in no order; places close together share their phases."""
    scales = [0.5 + 0.37 * i + 0.013 * i * i for i in range(12)]
    loss = composed_loss_of(contour.LaplaceKind(1 / scale) for scale in scales)
    epsilons = np.repeat(5.78993814 * np.exp(np.linspace(-0.5463, 0.5463, 257) / 17), 3)
    together, alone = loss.log_delta(epsilons), loss.log_delta(epsilons[::110])
    assert overlap(together[::110], alone)
    assert np.all(np.diff(together.upper) <= 0)


def composed_loss_of(kinds: Iterable[contour.Kind]) -> ComposedLoss:
    return ComposedLoss(contour.Composition(dict.fromkeys(kinds, 1)))


def test_the_brackets_are_as_narrow_as_asked() -> None:
    delta = GAUSSIAN.log_delta(np.array([0.0, 1.0, 5.0, 20.0]))
    assert np.max(delta.upper - delta.lower) <= 1.001e-6
    power = GAUSSIAN.log_power(LEVELS[1:])
    assert np.max(power.upper - power.lower) < 1e-4
    epsilon = GAUSSIAN.epsilon(np.log([1e-6, 1e-10]))
    assert np.max(epsilon.upper - epsilon.lower) < 1e-5


def test_a_tighter_request_never_gives_a_wider_bracket() -> None:
    epsilons = np.array([0.0, 1.0, 3.0, 12.0])
    loss = composed_loss(contour.LaplaceKind(0.1), 1000)
    widths = [
        ComposedLoss(loss.composition, relative_width=width).log_delta(epsilons) for width in (1e-3, 1e-4, 1e-5, 1e-6)
    ]
    gaps = np.array([bracket.upper - bracket.lower for bracket in widths])
    assert np.all(np.diff(gaps, axis=0) <= 0)


@settings(max_examples=25)
@given(distinct_pairs(4), st.integers(2, 6), st.floats(-1.0, 6.0).map(lambda x: round(x, 6)))
def test_random_finite_pairs_are_composed_as_by_enumeration(vectors: Vectors, copies: int, epsilon: float) -> None:
    pair = FinitePair.of(*vectors)
    if not 0 < len(pair.losses):
        return
    exact = self_composed(pair, copies)
    kind = contour.AtomsKind(
        tuple(pair.losses.tolist()),
        tuple(np.exp(pair.log_masses).tolist()),
        float(np.exp(pair.log_infinity)),
        float(np.exp(pair.log_missing)),
    )
    slack = Slack(copies * pair.loss_error, copies * pair.mass_error)
    loss = ComposedLoss(contour.Composition({kind: copies}), slack, relative_width=1e-2)
    assert overlap(loss.log_delta(epsilon), exact.log_delta(epsilon))
    assert overlap(loss.reverse().log_delta(epsilon), exact.reverse().log_delta(epsilon))


# The largest true-positive rate of DP-SGD (sigma 1, rate 0.01, 10^4 steps), published to these digits by a reference
# computation on three grids; a well-known tool reports 5.1e-6 for the first.
DPSGD_POWERS = {1e-6: 3.17e-4, 1e-4: 0.00831, 1e-2: 0.1539}


def test_the_power_of_dpsgd_is_right_where_others_understate_it() -> None:
    loss = composed_loss(contour.SubsampledGaussianKind(1.0, 0.01), 10**4)
    power = loss.log_power(np.log(list(DPSGD_POWERS))).exp()
    np.testing.assert_allclose(power.mid, list(DPSGD_POWERS.values()), rtol=5e-3)
    assert np.all(power.upper / power.lower < 1 + 1e-4)


def test_the_ends_are_known_without_an_integral() -> None:
    loss = composed_loss(contour.EpsilonDeltaKind(0.5, 0.01), 3)
    infinite = 1 - 0.99**3
    np.testing.assert_allclose(np.exp(loss.log_delta([-np.inf, np.inf]).mid), [1.0, infinite], rtol=1e-13)
    np.testing.assert_allclose(np.exp(loss.log_power([-np.inf, 0.0]).mid), [infinite, 1.0], rtol=1e-13)
    assert loss.epsilon(np.log(0.01)).mid == np.inf
    assert loss.epsilon(np.log(0.99)).upper == 0.0


def test_answers_have_the_shape_of_the_question() -> None:
    question = np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]])
    assert GAUSSIAN.log_delta(question).shape == (2, 3)
    assert GAUSSIAN.log_power(-question).shape == (2, 3)
    assert GAUSSIAN.epsilon(-question).shape == (2, 3)
    assert GAUSSIAN.log_delta(0.3).shape == ()


def test_slack_of_the_mechanisms_widens_the_answers() -> None:
    loose = ComposedLoss(GAUSSIAN.composition, Slack(loss=0.01, mass=1e-3))
    epsilons = np.array([0.5, 2.0])
    narrow, wide = GAUSSIAN.log_delta(epsilons), loose.log_delta(epsilons)
    assert np.all(wide.lower < narrow.lower)
    assert np.all(narrow.upper < wide.upper)
    assert overlap(wide, EXACT.log_delta(epsilons + 0.01))
    assert overlap(wide, EXACT.log_delta(epsilons - 0.01))


@pytest.mark.parametrize("ulps", [2, 5, 40])
def test_a_slack_smaller_than_the_distance_of_doubles_still_widens_the_answer(ulps: int) -> None:
    """Two coins of 8 +- 4e-16 each: at 16, doubles lie 3.6e-15 apart, and that is what a sum of t and 8e-16 loses."""
    slack, t = 8e-16, 16.0 - ulps * 2.0**-49
    found = ComposedLoss(contour.Composition({contour.RandomizedResponseKind(8.0): 2}), Slack(loss=slack)).log_delta(t)
    with mpmath.workdps(50):
        atom = 1 / (1 + mpmath.exp(-8)) ** 2
        truths = [mpmath.log(-mpmath.expm1(t - 16 - side * mpmath.mpf(slack)) * atom) for side in (-1, 1)]
    assert found.lower <= truths[0]
    assert truths[1] <= found.upper


def test_the_certificate_has_its_four_errors_apart() -> None:
    certificate = composed_loss(contour.LaplaceKind(0.1), 100).certificate(np.array([1.0, 4.0]))
    errors = certificate.errors
    total = errors.smoothing + errors.aliasing + errors.truncation + 2 * errors.round_off
    width = np.expm1(certificate.log_delta.upper - certificate.log_delta.lower)
    assert np.all(errors.smoothing > 0)
    assert np.all(width <= 4 * total + 1e-12)


def test_a_width_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"relative_width must be .*; got 0.0?. Use a value such as 1e-6"):
        ComposedLoss(GAUSSIAN.composition, relative_width=0.0)


def test_what_costs_too_much_is_answered_wider_or_refused() -> None:
    """Round-off alone is wider than the request."""
    kind = of_pair((0.5, 0.3, 0.2), (0.3, 0.3, 0.4))
    composition = contour.Composition({kind: 3})
    with pytest.raises(TooCostly, match=r"relative_width cannot be met .* A width of .* is possible, with .* nodes"):
        ComposedLoss(composition, relative_width=1e-13, strict=True).log_delta(1.0)
    bracket = ComposedLoss(composition, relative_width=1e-13).log_delta(1.0)
    assert 1e-13 < bracket.upper - bracket.lower < 1e-5


def test_the_repr_is_short() -> None:
    assert repr(GAUSSIAN) == "<ComposedLoss: 4 mechanisms of 1 kinds>"


def test_a_power_that_is_all_but_certain_is_not_said_to_be_certain():
    """So much discrete Gaussian noise has a power of 1 - 1e-50 or so: at least 1 would be too much."""
    curve = composed({Curve.exact(DiscreteGaussianLoss(1000**0.5)): 285_714})
    assert float(curve.power(0.05).lower) < 1.0
    assert float(curve.power(0.05).upper) == 1.0


@pytest.mark.parametrize("mu", [2.0, 2.2934689, 3.0, 4.0])
def test_the_power_at_middling_levels_holds_the_closed_form_where_the_estimate_leads_astray(mu: float) -> None:
    """Around epsilon 0 the first estimate of the profile is far off; the window must move to the lowest line."""
    levels = np.log(np.linspace(0.02, 0.96, 48))
    found, exact = composed_loss(contour.GaussianKind(mu / 2), 4).log_power(levels), GaussianLoss(mu).log_power(levels)
    assert overlap(found, exact)
    assert np.max(found.upper - found.lower) < 1e-8
    assert np.max(found.upper - exact.upper) < 1e-8


@pytest.mark.parametrize("shift", [-6.0, -2.0, -0.5, -0.02, 0.0, 0.02, 0.5, 2.0, 6.0])
@pytest.mark.parametrize("mu", [0.3, 2.0, 5.0])
def test_the_bounds_on_the_power_hold_wherever_the_profile_is_read(
    monkeypatch: pytest.MonkeyPatch, mu: float, shift: float
) -> None:
    """The search for the lowest line costs tightness when it fails, never truth."""
    levels = np.log([1e-9, 1e-3, 0.05, 0.36, 0.7, 0.99])
    found_window = lowest_line._own_window

    def moved(*asked: object) -> tuple[np.ndarray, ...]:
        return tuple(place + shift * mu for place in found_window(*asked))  # type: ignore[arg-type]

    monkeypatch.setattr(lowest_line, "_shared_window", lambda *_: None)
    monkeypatch.setattr(lowest_line, "_own_window", moved)
    found, exact = composed_loss(contour.GaussianKind(mu)).log_power(levels), GaussianLoss(mu).log_power(levels)
    assert np.all(found.lower <= exact.upper)
    assert np.all(exact.lower <= found.upper)


def test_a_power_that_is_all_but_certain_has_a_lower_bound_that_says_so() -> None:
    levels = np.log([1e-3, 0.01, 0.1, 0.3, 0.7, 0.9, 0.99])
    found, exact = composed_loss(contour.GaussianKind(10.0)).log_power(levels), GaussianLoss(10.0).log_power(levels)
    assert overlap(found, exact)
    assert np.min(found.lower) > -1e-5


def test_the_power_is_found_where_the_profile_has_a_corner() -> None:
    """Losses lie 11 apart: the lowest line is at one of them, and nearly as low all the way to the next."""
    levels = np.log(np.append(1.0400729317230703e-10, np.geomspace(1e-12, 0.5, 40)))
    found = composed_loss(contour.DiscreteGaussianKind(0.3**2), 2).log_power(levels)
    exact = DiscreteGaussianLoss(0.3, (1, 1)).log_power(levels)
    assert overlap(found, exact)
    assert np.max(found.upper - found.lower) < 1e-3


@pytest.mark.parametrize("mu", [4.0, 8.0, 10.0])
def test_an_epsilon_at_a_large_delta_is_found_as_closely_as_at_a_small_one(mu: float) -> None:
    deltas = np.log([0.01, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99])
    found, exact = composed_loss(contour.GaussianKind(mu)).epsilon(deltas), GaussianLoss(mu).epsilon(deltas)
    assert overlap(found, exact)
    assert np.max(found.upper - found.lower) < 1e-4


def laplace_tail(t: mpmath.mpf, epsilon: mpmath.mpf) -> mpmath.mpf:
    """P[Z > t] of one Laplace release, for t that is no atom."""
    if abs(t) > epsilon:
        return mpmath.mpf(t < 0)
    return 1 - mpmath.exp((t - epsilon) / 2) / 2


def two_laplace_tail(t: mpmath.mpf, first: mpmath.mpf, second: mpmath.mpf) -> mpmath.mpf:
    """P[Z > t] of two, by the two atoms and the density of the first."""
    ends = sorted({-first, first, *(x for x in (t - second, t + second) if abs(x) < first)})
    spread = mpmath.quad(lambda z: mpmath.exp((z - first) / 2) / 4 * laplace_tail(t - z, second), ends)
    atoms = laplace_tail(t - first, second) + mpmath.exp(-first) * laplace_tail(t + first, second)
    return spread + atoms / 2


@pytest.mark.parametrize(
    "losses", [(0.2,), pytest.param((-1.2, -0.7, -0.001, 0.001, 0.9, 1.3), marks=pytest.mark.slow)]
)
def test_the_power_of_unequal_laplace_releases_is_narrow_though_their_profile_is_known_less_closely(
    losses: tuple[float, ...],
) -> None:
    """Atoms at sums of the two make the profile dear: it is known to a millionth, and so is the power, nearly."""
    first, second, thresholds = mpmath.mpf(1), mpmath.mpf("0.5"), [mpmath.mpf(x) for x in losses]
    levels = np.array([float(mpmath.log(1 - two_laplace_tail(-t, first, second))) for t in thresholds])
    truth = np.array([float(mpmath.log(two_laplace_tail(t, first, second))) for t in thresholds])
    kinds = {contour.LaplaceKind(1.0): 1, contour.LaplaceKind(0.5): 1}
    found = ComposedLoss(contour.Composition(kinds)).log_power(levels)
    assert np.all(found.lower <= truth + 1e-14)
    assert np.all(truth - 1e-14 <= found.upper)
    assert np.max(found.upper - found.lower) < 1e-4


def test_where_the_datasets_are_far_apart_the_power_is_known_without_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """365 releases of epsilon 2: by Bhattacharyya's coefficient b a test of level a misses at most b^365/sqrt(a)."""
    loss = ComposedLoss(contour.Composition({contour.LaplaceKind(2.0): 365}))
    monkeypatch.setattr(ComposedLoss, "log_delta", None)
    power = loss.log_power(np.log([0.01, 1e-9]))
    coefficient = 2 * math.exp(-1.0)  # the integral of sqrt(pq): (1 + epsilon/2) e^{-epsilon/2}
    assert np.all(power.lower > math.log1p(-(coefficient**365) / math.sqrt(1e-9)) - 1e-12)
    assert np.all(power.upper <= 0.0)


def test_the_power_of_releases_that_are_told_apart_is_known_without_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test whose threshold is far below -log level still has that level: Q has little there."""
    monkeypatch.setattr(lowest_line, "_read", None)
    levels = np.log([0.05, 0.01])
    found = composed_loss(contour.GaussianKind(9.3 / 1000), 1_000_000).log_power(levels)
    exact = [
        mpmath.ncdf(mpmath.mpf(9.3) + mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(math.exp(v)) - 1)) for v in levels
    ]
    misses = -np.expm1(found.lower)
    assert all(1 - miss <= power for miss, power in zip(misses, exact, strict=True))
    assert float(misses[0]) < 1e-9


@pytest.mark.parametrize(("epsilon", "copies"), [(0.1, 3), (1.0, 7), (0.7, 40)])
def test_a_sure_power_is_never_above_the_power(epsilon: float, copies: int) -> None:
    """The power of randomized response by its binomial law."""
    loss = ComposedLoss(contour.Composition({contour.RandomizedResponseKind(epsilon): copies}))
    levels = np.array([1e-12, 1e-3, 0.1, 0.5, 0.9])
    heads = [math.comb(copies, k) for k in range(copies + 1)]
    p = 1 / (1 + math.exp(-epsilon))
    for level, sure in zip(levels, loss._sure_power(np.log(levels)), strict=True):
        power, left = 0.0, level
        for k in reversed(range(copies + 1)):
            null = heads[k] * (1 - p) ** k * p ** (copies - k)
            share = min(left / null, 1.0)
            power, left = power + share * heads[k] * p**k * (1 - p) ** (copies - k), left - share * null
        assert math.exp(sure) <= power * (1 + 1e-12)


def test_no_delta_needs_the_largest_loss_and_costs_no_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = ComposedLoss(contour.Composition({contour.LaplaceKind(1.0): 1, contour.LaplaceKind(0.5): 1}))
    monkeypatch.setattr(ComposedLoss, "log_delta", None)
    found = loss.epsilon(-np.inf)
    assert found.lower == found.upper == 1.5


def test_many_sampled_releases_have_no_epsilon_at_delta_0_and_one_order_ends_where_each_loss_does():
    face = PoissonSubsampled(Gaussian(2.0), 0.01).times(36500).curve().face
    at_zero = np.array([-np.inf])
    found = face.reverse().epsilon(at_zero), face.epsilon(at_zero)
    # Who is added moves no loss above -log(1 - rate), however far the noise goes.
    most = -36500 * math.log1p(-0.01)
    assert sorted(float(each.upper[0]) for each in found) == [pytest.approx(most, rel=1e-6), math.inf]


@pytest.mark.parametrize("place", [slice(0, 1), slice(0, 3), slice(0, 0)])
def test_a_tail_that_is_wide_is_narrowed_by_chords_and_still_holds_the_truth(place: slice) -> None:
    t = np.array([-1.0, 0.5, 2.0])
    truth = EXACT.log_tail(t)
    known = [truth.lower.copy(), truth.mid.copy(), truth.upper.copy()]
    for end, moved in zip(known, (-3.0, 0.4, 0.5), strict=True):
        end[place] += moved  # the estimate is off, and the bounds are far apart
    found = GAUSSIAN._narrowed(Bracket(*known), t)
    assert np.all(found.lower <= truth.upper)
    assert np.all(truth.lower <= found.upper)
    assert np.all(found.upper - found.lower < 1e-3)


def test_an_epsilon_is_as_close_as_the_profile():
    """Where delta is known to many digits, less by a billionth of epsilon is not enough."""
    kinds = {contour.GaussianKind(0.5): 1, contour.LaplaceKind(1 / 3): 5}
    loss, wanted = ComposedLoss(contour.Composition(kinds)), math.log(1e-6)
    epsilon = float(loss.epsilon(wanted).upper)
    assert float(loss.log_delta(epsilon).upper) <= wanted < float(loss.log_delta(epsilon * (1 - 1e-9)).lower)
