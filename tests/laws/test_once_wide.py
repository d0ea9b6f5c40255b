"""Releases whose brackets were once too wide to be of use: each holds the truth, and is narrow."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from flint import arb
from summed_laws import Sampled, Together, with_bits

from whit.curves import Array, Face
from whit.mechanisms import Gaussian, PoissonSubsampled, RandomizedResponse

THRESHOLDS = (0.1, 0.5, 1.2)


@pytest.mark.parametrize("level", [0.01, 1e-9, 1e-40])
def test_the_power_of_many_randomized_responses_with_three_answers(level):
    """210 of epsilon 2: at level 0.01 the power was only known to lie between 0.402 and 1."""
    release = RandomizedResponse(2.0, categories=3).times(210)
    with mpmath.workdps(60):
        low, high, null = _three_answers(2.0)
        atoms = _sums(low, high, null, 210)
        truth, left = mpmath.mpf(0), mpmath.mpf(level)
        for loss, mass in sorted(atoms.items(), reverse=True):
            cost = mass * mpmath.exp(-2 * loss)
            share = min(left / cost, 1)
            truth, left = truth + share * mass, left - share * cost
        found = release.power(level)
        assert found.lower <= truth <= found.upper
        assert found.upper - found.lower < 1e-9 * found.upper


def test_the_tail_of_many_randomized_responses_at_an_atom():
    """At a loss that has a mass of its own the tail was known to a part in ten."""
    loss = RandomizedResponse(2.0, categories=3).times(210).curve().face
    with mpmath.workdps(60):
        atoms = _sums(*_three_answers(2.0), 210)
        for place in (80, 112, 140):
            for ask, least in ((loss.log_tail, place + 1), (loss.log_tail_closed, place)):
                truth = mpmath.log(mpmath.fsum(mass for at, mass in atoms.items() if at >= least))
                found = ask(2.0 * place + (1e-9 if least > place else -1e-9))
                assert found.lower <= truth <= found.upper
                assert found.upper - found.lower < 1e-9


def _three_answers(epsilon: float) -> tuple[mpmath.mpf, mpmath.mpf, mpmath.mpf]:
    """The chances of the losses -epsilon, epsilon and 0."""
    whole = mpmath.exp(epsilon) + 2
    return 1 / whole, mpmath.exp(epsilon) / whole, 1 / whole


def _sums(low: mpmath.mpf, high: mpmath.mpf, null: mpmath.mpf, copies: int) -> dict[int, mpmath.mpf]:
    """The masses of the sums, by their number of steps, one release after the other."""
    law = {0: mpmath.mpf(1)}
    for _ in range(copies):
        wider = range(min(law) - 1, max(law) + 2)
        law = {at: low * law.get(at + 1, 0) + null * law.get(at, 0) + high * law.get(at - 1, 0) for at in wider}
    return law


@pytest.mark.parametrize(
    ("removed", "t"), [(True, 0.05), (True, 0.3), (True, 1.5), (True, 2.2), (False, 0.001), (False, 0.01)]
)
def test_two_releases_on_a_small_sample(removed, t):
    """Sigma 1 at rate 1/100 twice: log delta was wide by 0.05 to 0.89, the tail by 5, the power at 1e-12 by 2.3."""
    curve = PoissonSubsampled(Gaussian(1.0), 0.01).times(2).curve()
    face = curve.face if removed == _is_of_removed(curve.face) else curve.face.reverse()
    with_bits(384)
    law = Sampled(1.0, 0.01, normal_noise=True, removed=removed)
    p, q = Together(law, law).above(arb(t))
    delta = p - arb(t).exp() * q
    for found, truth, width in (
        (face.log_delta(t), delta, 1e-5),
        (face.log_tail(t), p, 0.005),
        (face.log_power(float(q.log())), p, 1e-5),
    ):
        assert float(found.lower) - 1e-9 <= float(truth.log()) <= float(found.upper) + 1e-9
        assert float(found.upper - found.lower) < width


def test_five_releases_on_a_sample_in_both_orders():
    """Sigma 2 at rate 0.3: in the order of an added record delta was known to 3.6 parts in a thousand.

    Losses that are rounded up, or down, to a lattice give a delta that is too large, or too small.
    """
    curve = PoissonSubsampled(Gaussian(2.0), 0.3).times(5).curve()
    for removed in (True, False):
        face = curve.face if removed == _is_of_removed(curve.face) else curve.face.reverse()
        least, most = (_rounded_deltas(0.5, 0.3, 5, removed=removed, up=up) for up in (False, True))
        found = face.log_delta(THRESHOLDS).exp()
        assert np.all(found.lower <= most)
        assert np.all(found.upper >= least)
        assert np.all(found.upper - found.lower < 1e-5 * found.upper)
        assert np.all(most - least < 0.1 * most)


def _is_of_removed(face: Face) -> bool:
    """Whether the losses have no bound above, as those of a removed record."""
    return bool(np.isinf(face.largest_loss))  # type: ignore[attr-defined]


def _rounded_deltas(mu: float, rate: float, copies: int, *, removed: bool, up: bool) -> Array:
    """The deltas of the sums of losses, each moved to the next multiple of 1/5000 on one side."""
    step, x = 2e-4, np.linspace(-9.5, 9.5, 60_001)  # what lies beyond is below 1e-20
    null = np.diff([0.5 * math.erfc(-each / math.sqrt(2)) for each in x])
    mixed = np.diff([0.5 * math.erfc(-(each - mu) / math.sqrt(2)) for each in x]) * rate + (1 - rate) * null
    ratio = [np.log1p(rate * np.expm1(mu * each - mu * mu / 2)) for each in (x[:-1], x[1:])]
    masses = mixed if removed else null
    losses = ratio[1 if up else 0] if removed else -ratio[0 if up else 1]
    places = (np.ceil if up else np.floor)(losses / step).astype(int)
    law = np.bincount(places - places.min(), weights=masses)
    size = copies * (len(law) - 1) + 1
    whole = np.fft.irfft(np.fft.rfft(law, size) ** copies, size)  # to 1e-15 or so, which is little beside each delta
    sums = step * (np.arange(size) + copies * int(places.min()))
    return np.array([np.sum(whole * np.maximum(-np.expm1(t - sums), 0.0)) for t in THRESHOLDS])
