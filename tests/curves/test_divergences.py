"""Rényi divergences of known noise, against closed forms and integrals in many digits that share no code with them."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, FinitePair, GaussianLoss, LaplaceLoss, Orientation, SubsampledLoss, WorstLoss
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import (
    Deterministic,
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    SimpleRandomSample,
    compose,
)

ORDERS = (1.0009765625, 1.5, 2.0, 3.75, 16.0, 64.0, 512.0)


def missed(curve, orders, truths, *, relative):
    """The truths, in many digits, that do not lie between ends as close as stated."""
    face = curve.curve().face
    for order, truth in zip(orders, truths, strict=True):
        ends = face.renyi(np.array([order - 1.0]))
        held = ends.lower[0] <= truth <= ends.upper[0]
        if not held or ends.upper[0] - ends.lower[0] > relative * abs(truth) + 1e-15:
            yield order, truth, ends


def gaussian(mu, order):
    return mpmath.mpf(order) * mpmath.mpf(mu) ** 2 / 2


def laplace(loss, order):
    """Mironov (2017), Proposition 6."""
    a, e = mpmath.mpf(order), mpmath.mpf(loss)
    return mpmath.log(a / (2 * a - 1) * mpmath.exp((a - 1) * e) + (a - 1) / (2 * a - 1) * mpmath.exp(-a * e)) / (a - 1)


def finite(p, q, order):
    a = mpmath.mpf(order)
    return mpmath.log(mpmath.fsum(mpmath.mpf(x) ** a * mpmath.mpf(y) ** (1 - a) for x, y in zip(p, q, strict=True))) / (
        a - 1
    )


def sampled_gaussian(sigma, rate, order, *, removed):
    """The integral of the normal density times a power of the likelihood ratio."""
    s, q, a = mpmath.mpf(sigma), mpmath.mpf(rate), mpmath.mpf(order)
    power = a if removed else 1 - a

    def integrand(x):
        density = mpmath.exp(-((x / s) ** 2) / 2) / (s * mpmath.sqrt(2 * mpmath.pi))
        return density * (1 - q + q * mpmath.exp((2 * x - 1) / (2 * s**2))) ** power

    low, high = -14 * s, (a if removed else 1) + 14 * s
    points = [low + (high - low) * i / 12 for i in range(13)]
    return mpmath.log(mpmath.quad(integrand, points)) / (a - 1)


@pytest.mark.parametrize("mu", [1e-6, 0.1, 1.0, 30.0])
def test_gaussian_noise_has_the_order_times_half_of_mu_squared(mu):
    with mpmath.workdps(40):
        assert not list(
            missed(Curve.exact(GaussianLoss(mu)), ORDERS, [gaussian(mu, each) for each in ORDERS], relative=1e-13)
        )


@pytest.mark.parametrize("loss", [0.01, 1.0, 5.0, 40.0])
def test_laplace_noise_has_the_closed_form_of_the_literature(loss):
    with mpmath.workdps(60):
        assert not list(
            missed(Curve.exact(LaplaceLoss(loss)), ORDERS, [laplace(loss, each) for each in ORDERS], relative=1e-11)
        )


@pytest.mark.parametrize("removed", [True, False])
@pytest.mark.parametrize(("sigma", "rate"), [(1.0, 0.01), (0.5, 0.25), (8.0, 0.001)])
def test_gaussian_noise_on_a_sample_has_the_integral_in_both_orders(sigma, rate, removed):
    orders = (1.5, 3.75, 16.0)
    curve = Curve.exact(SubsampledLoss(GaussianLoss(1 / sigma), rate, removed))
    with mpmath.workdps(30):
        truths = [sampled_gaussian(sigma, rate, each, removed=removed) for each in orders]
        assert not list(missed(curve, orders, truths, relative=2e-7))


def test_random_finite_pairs_have_the_sum_of_powers():
    random = np.random.default_rng(11)
    for size in (2, 3, 9):
        whole_p, whole_q = (random.integers(1, 2**20, size) for _ in range(2))
        p, q = (np.append(x, 2**26 - x.sum()) / 2**26 for x in (whole_p, whole_q))
        with mpmath.workdps(60):
            for face, pair in ((FinitePair.of(p, q), (p, q)), (FinitePair.of(q, p), (q, p))):
                truths = [finite(*pair, each) for each in ORDERS]
                # Next to order 1 the rounding of the masses counts a thousand times.
                assert not list(missed(Curve.exact(face), ORDERS, truths, relative=1e-9))


def test_masses_too_small_for_a_double_are_summed_by_their_logs():
    tiny = -800.0
    loss = 700.0
    # Under P the second outcome has probability e^-800, under Q e^-1500.
    pair = FinitePair(np.array([0.0, loss]), np.array([0.0, tiny]), mass_error=1e-15)
    with mpmath.workdps(40):
        truth = mpmath.log(1 + mpmath.exp(tiny + 2 * loss)) / 2
        assert not list(missed(Curve.exact(pair), [3.0], [truth], relative=1e-12))


@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.0])
def test_discrete_gaussian_noise_has_the_sum_over_its_cells(sigma):
    with mpmath.workdps(50):
        s = mpmath.mpf(sigma) ** 2
        truths = []
        for order in (1.5, 2.0, 4.25, 16.0):
            cells = range(-400, 400)
            p = [mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * s)) for k in cells]
            q = [mpmath.exp(-(mpmath.mpf(k - 1) ** 2) / (2 * s)) for k in cells]
            total, a = mpmath.fsum(p), mpmath.mpf(order)
            moment = mpmath.fsum(x**a * y ** (1 - a) for x, y in zip(p, q, strict=True)) / total
            truths.append(mpmath.log(moment) / (a - 1))
        assert not list(missed(DiscreteGaussian(sigma), (1.5, 2.0, 4.25, 16.0), truths, relative=1e-12))


def test_the_integral_of_the_profile_is_the_same_divergence():
    """The theorem itself, for a pair that is not symmetric: the profile knows nothing of the transform."""
    curve, s = PoissonSubsampled(Gaussian(1.0), 0.25).curve(), 1.5
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for orientation, corner in ((Orientation.FORWARD, math.log(0.75)), (Orientation.BACKWARD, -math.log(0.75))):
        t = np.concatenate([corner + 1 + centre + nodes for centre in range(-62, 62, 2)])
        delta = np.asarray(curve.delta(t, orientation=orientation).value)
        # x^(s-1) dx is e^(st) dt; left of all these the profile is 1.
        moment = s * (1 + s) * (np.sum(np.tile(weights, 62) * np.exp(s * t) * delta) + math.exp((corner - 62) * s) / s)
        ends = (curve.face if orientation is Orientation.FORWARD else curve.face.reverse()).renyi(np.array([s]))
        assert math.log(moment) / s == pytest.approx(ends.mid[0], rel=1e-9)


def test_releases_add_up_at_every_order_in_each_order_of_the_pair():
    parts = [PoissonSubsampled(Gaussian(1.0), 0.1), Laplace(2.0), Geometric(0.5)]
    together = compose(*parts).curve().face
    excesses = np.array([0.5, 1.0, 7.0])
    for turned in (False, True):
        faces = [part.curve().face for part in parts]
        total = sum(np.asarray((face.reverse() if turned else face).renyi(excesses).mid) for face in faces)
        found = (together.reverse() if turned else together).renyi(excesses)
        assert np.all(found.lower <= total * (1 + 1e-12))
        assert np.all(found.upper >= total * (1 - 1e-12))


def test_the_worse_order_of_the_pair_is_reported():
    lopsided = FinitePair.of([0.5, 0.5], [0.999, 0.001])
    finding = Curve.exact(lopsided).renyi(2.0)
    forward, backward = (finite(*pair, 2.0) for pair in (([0.5, 0.5], [0.999, 0.001]), ([0.999, 0.001], [0.5, 0.5])))
    assert forward > 2 * backward
    assert finding.lower <= forward <= finding.upper
    assert Curve.exact(lopsided.reverse()).renyi(2.0).value == pytest.approx(float(forward), rel=1e-12)
    assert Curve.exact(WorstLoss.of([lopsided])).renyi(2.0).value == pytest.approx(float(forward), rel=1e-12)


def test_at_infinity_it_is_the_largest_loss():
    for mechanism, largest in (
        (RandomizedResponse(1.5), 1.5),
        (Laplace(2.0).times(10), 5.0),
        (Gaussian(1.0), math.inf),
    ):
        found = mechanism.renyi(math.inf)
        assert found.lower <= largest <= found.upper
        assert found.lower == found.upper or found.upper - found.lower < 1e-11
    assert PureDP(0.75).renyi(math.inf).value >= 0.75


@pytest.mark.parametrize("told", [SimpleRandomSample(10, 100), Deterministic(), ApproxDP(1.0, 1e-9)])
def test_an_infinite_loss_makes_it_infinite_however_rare(told):
    assert told.renyi([2.0, 1000.0]).value.tolist() == [math.inf, math.inf]


def test_nothing_told_has_none():
    assert PureDP(0.0).renyi([2.0, math.inf]).value.tolist() == [0.0, 0.0]


def test_an_order_that_would_take_too_many_nodes_is_not_bounded_and_never_nan():
    found = PoissonSubsampled(Gaussian(0.01), 0.5).renyi([2.0, 1e9])
    assert not np.any(np.isnan(found.value))
    assert found.value[1] >= 1e9 / 2 / 0.01**2 * 0.999


@pytest.mark.parametrize("orders", [1.0, 0.5, [2.0, -1.0]])
def test_orders_up_to_1_are_refused(orders):
    with pytest.raises(InvalidInput, match="must be above 1"):
        Gaussian(1.0).renyi(orders)


def test_a_promise_by_divergences_says_what_it_states_and_what_follows_between():
    stated = RenyiDP({2: 0.5, 4: 2.0, math.inf: 10.0})
    found = stated.renyi([1.5, 2.0, 3.0, 4.0, 7.0, math.inf])
    # (order - 1) times the divergence is convex: 0 at 1, 0.5 at 2, 6 at 4; then it rises by at most 10 for each order.
    least = [0.5, 0.5, (0.5 + 6) / 2 / 2, 2.0, (6 + 30) / 6, 10.0]
    assert np.all(found.value >= least)
    assert found.value == pytest.approx(least, rel=1e-12)
    assert ZeroConcentratedDP(0.25).renyi([2.0, 8.0]).value == pytest.approx([0.5, 2.0], rel=1e-12)
    assert RenyiDP({2: 0.5}).renyi(3.0).value == math.inf
