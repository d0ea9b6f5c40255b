"""A replaced record on a Poisson sample, and samples that say which they are, against integrals in many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import contour
from whit.curves.contour import Composition, ReplacedGaussianKind, SubsampledGaussianKind, ToldKind, delta_bracket
from whit.errors import InvalidInput

POINTS = [0.0 + 0j, 0.5 + 3j, -0.5 + 1j, 2.0 + 0.3j, -1.7 + 4j]
TOLD = ToldKind((ReplacedGaussianKind(1.0, 0.3), ReplacedGaussianKind(0.5, 0.2)), (0.75, 0.25))


def transform(sigma: float, rate: float, s: mpmath.mpc) -> mpmath.mpc:
    """E_P[e^{sZ}] of P = (1 - q) N(0) + q N(1) against (1 - q) N(0) + q N(-1), by an adaptive rule."""
    deviation, q = mpmath.mpf(sigma), mpmath.mpf(rate)

    def density(x: mpmath.mpf) -> mpmath.mpf:
        return (1 - q) * mpmath.npdf(x, 0, deviation) + q * mpmath.npdf(x, 1, deviation)

    def integrand(x: mpmath.mpf) -> mpmath.mpc:
        return density(x) ** (1 + s) * density(-x) ** (-s)

    ends = [sign * (end * deviation + 6) for sign, end in ((-1, 30), (-1, 8), (1, 8), (1, 30))]
    return mpmath.quad(integrand, [*ends[:2], -2, -1, 0, 1, 2, *ends[2:]])


def profile(copies: int, epsilon: float, tilt: float, step: float) -> mpmath.mpf:
    """delta(epsilon) of samples at rate 0.2 with sigma 0.5, by the integral of M^n e^{-s epsilon} / (s (s + 1)).

    It goes along Re s = tilt. M is a sum over x in steps of 0.05, which is good to e^-49 (Poisson's summation), and
    beyond 8 the densities are below e^-90.
    """
    places = [mpmath.mpf(k) / 20 for k in range(-160, 161)]
    logs = [mpmath.log(0.8 * mpmath.npdf(x, 0, 0.5) + 0.2 * mpmath.npdf(x, 1, 0.5)) for x in places]
    pairs = list(zip(logs, reversed(logs), strict=True))
    total = mpmath.mpf(0)
    for k in range(200):
        s = mpmath.mpc(tilt, k * step)
        power = (sum(mpmath.exp(p + s * (p - q)) for p, q in pairs) / 20) ** copies
        term = mpmath.re(power * mpmath.exp(-s * epsilon) / (s * (s + 1)))
        total += term if k else term / 2
        if k > 2 and abs(term) < 1e-16 * abs(total):
            return total * step / mpmath.pi
    raise AssertionError("the transform does not fall off")


@pytest.mark.parametrize(("sigma", "rate"), [(1.0, 0.01), (0.5, 0.2), (2.0, 0.7)])
def test_the_transform_is_that_of_the_pair(sigma: float, rate: float) -> None:
    kind = ReplacedGaussianKind(sigma, rate)
    for s in POINTS:
        with mpmath.workdps(30):
            truth = complex(transform(sigma, rate, mpmath.mpc(s)))
        found = kind.log_mgf(np.array([s]))
        error = abs(complex(np.exp(found[0])) - truth) / abs(truth)
        assert error <= math.expm1(float(kind.growth(np.array([s]), found)[0])) + 1e-15
        assert error < 1e-11


@pytest.mark.parametrize("kind", [ReplacedGaussianKind(1.0, 0.01), ReplacedGaussianKind(0.5, 0.2), TOLD], ids=repr)
def test_no_modulus_is_above_its_bound(kind: ReplacedGaussianKind | ToldKind) -> None:
    t = np.concatenate([np.linspace(0.1, 5.0, 50), np.geomspace(5.0, 300.0, 40)])
    for c in (-1.3, 0.0, 0.4, 2.0):
        modulus = kind.log_mgf(c + 1j * t).real - kind.log_mgf(np.array([c + 0j])).real
        noise = np.log1p(1e-10 / np.exp(np.maximum(modulus, -30.0)))
        assert np.all(modulus <= math.log(kind.decay(c)) - np.log(t) + noise)
        for copies in (1, 100):
            bounds = kind.log_abs_bound(c, t * 0.999, t * 1.001, copies)
            assert np.all(modulus <= bounds + noise)


@pytest.mark.parametrize(
    ("copies", "epsilon", "tilt", "step"), [(300, 164.0, 0.125, 0.015), (1000, 420.0, 0.07, 0.008)]
)
def test_the_profile_of_many_copies_is_the_integral(copies: int, epsilon: float, tilt: float, step: float) -> None:
    with mpmath.workdps(25):
        truth = profile(copies, epsilon, tilt, step)
    found = delta_bracket(Composition({ReplacedGaussianKind(0.5, 0.2): copies}), epsilon).log_delta.exp()
    assert float(found.lower) <= truth * (1 + mpmath.mpf(1e-12))
    assert truth * (1 - mpmath.mpf(1e-12)) <= float(found.upper) <= truth * (1 + mpmath.mpf(1e-9))


def test_a_told_sample_has_the_mean_of_the_transforms() -> None:
    s = np.array([0.4 + 0j, 0.4 + 1.5j, -1.2 + 0.3j])
    for cases in (TOLD.cases, (SubsampledGaussianKind(1.0, 0.3), SubsampledGaussianKind(0.5, 0.2))):
        told = ToldKind(cases, (3.0, 1.0))
        mean = sum(share * np.exp(case.log_mgf(s)) for case, share in zip(cases, (0.75, 0.25), strict=True))
        np.testing.assert_allclose(np.exp(told.log_mgf(s)), mean, rtol=1e-12)
        c = np.array([-0.9, -0.2, 0.1, 3.0])
        np.testing.assert_allclose(told.log_mgf_real(c), told.log_mgf(c.astype(np.complex128)).real, rtol=1e-10)


def test_the_same_case_twice_is_that_case() -> None:
    case = SubsampledGaussianKind(1.0, 0.1)
    one, two = (Composition({kind: 50}) for kind in (case, ToldKind((case, case), (0.25, 0.75))))
    epsilons = np.array([0.0, 1.0, 4.0])
    for way in (lambda each: each, lambda each: each.reverse()):
        found = [contour.delta_bracket(way(each), epsilons).log_delta for each in (one, two)]
        np.testing.assert_allclose(found[0].mid, found[1].mid, atol=1e-9)


def test_what_is_no_sample_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"rate must be in \(0, 1\)"):
        ReplacedGaussianKind(1.0, 1.0)
    with pytest.raises(InvalidInput, match="sigma must be"):
        ReplacedGaussianKind(0.0, 0.5)
