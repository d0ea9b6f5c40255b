"""The rounding model against ball arithmetic: computed transforms are as near to the true ones as their growth says."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from flint import acb, arb, ctx
from kinds_by_hand import of_pair

from whit.curves.contour import (
    AtomsKind,
    Composition,
    DiscreteGaussianKind,
    EpsilonDeltaKind,
    GaussianKind,
    GaussianMixtureKind,
    Kind,
    LaplaceKind,
    RandomizedResponseKind,
    SubsampledGaussianKind,
    SubsampledLaplaceKind,
)
from whit.curves.contour.rules import Rule, Tilted

Transform = Callable[[acb], acb]


def gaussian(mu: float) -> Transform:
    return lambda s: (arb(mu) ** 2 * s * (s + 1) / 2).exp()


def randomized_response(epsilon: float) -> Transform:
    return lambda s: (arb(epsilon) * (s + arb(1) / 2)).cosh() / (arb(epsilon) / 2).cosh()


def laplace(epsilon: float) -> Transform:
    def transform(s: acb) -> acb:
        e = arb(epsilon)
        a, b = (s * e).exp(), (-(s + 1) * e).exp()
        return (a * (s + 1) + b * s) / (2 * s + 1)

    return transform


def discrete_gaussian(sigma2: float, shift: int) -> Transform:
    def transform(s: acb) -> acb:
        reach = int(abs(float(s.real)) * shift + 12 * math.sqrt(sigma2)) + 25
        twice = 2 * arb(sigma2)
        cells = range(-reach, reach + 1)
        terms = (acb(-k * k / twice) + s * (shift * (shift - 2 * k) / twice) for k in cells)
        return sum((x.exp() for x in terms), acb(0)) / sum(((-k * k / twice).exp() for k in cells), arb(0))

    return transform


def atoms(kind: AtomsKind) -> Transform:
    total = sum((arb(p) for p in kind.masses), arb(0))
    scale = (1 - arb(kind.infinity_mass)) / total
    pairs = list(zip(kind.losses, kind.masses, strict=True))
    return lambda s: sum((scale * arb(p) * (s * arb(z)).exp() for z, p in pairs), acb(0))


def subsampled_gaussian(sigma: float, rate: float) -> Transform:
    def transform(s: acb) -> acb:
        def integrand(x: acb, analytic: bool) -> acb:
            inner = 1 - arb(rate) + arb(rate) * ((2 * x - 1) / (2 * arb(sigma) ** 2)).exp()
            power = ((s + 1) * inner.log(analytic=analytic)).exp()
            return power * (-(x**2) / (2 * arb(sigma) ** 2)).exp() / (arb(sigma) * (2 * arb.pi()).sqrt())

        centre = abs(float(s.real) + 1)
        return acb.integral(integrand, -centre - 16 * sigma, centre + 16 * sigma)

    return transform


def subsampled_laplace(epsilon: float, rate: float) -> Transform:
    def transform(s: acb) -> acb:
        e, q, k = arb(epsilon), arb(rate), s + 1

        def integrand(x: acb, analytic: bool) -> acb:
            inner = 1 - q + q * (e * (2 * x - 1)).exp()
            return (k * inner.log(analytic=analytic)).exp() * (-e * x).exp() * e / 2

        low, high = 1 - q + q * (-e).exp(), 1 - q + q * e.exp()
        ends = (k * acb(low).log()).exp() / 2 + (-e).exp() * (k * acb(high).log()).exp() / 2
        return ends + acb.integral(integrand, 0, 1)

    return transform


PAIR = of_pair((0.45, 0.3, 0.2, 0.05), (0.3, 0.4, 0.3, 0.0))
KINDS: dict[str, tuple[Kind, Transform]] = {
    "gaussian": (GaussianKind(0.7), gaussian(0.7)),
    "randomized response, tiny": (RandomizedResponseKind(1e-6), randomized_response(1e-6)),
    "randomized response": (RandomizedResponseKind(0.8), randomized_response(0.8)),
    "randomized response, large": (RandomizedResponseKind(40.0), randomized_response(40.0)),
    "laplace, tiny": (LaplaceKind(1e-6), laplace(1e-6)),
    "laplace": (LaplaceKind(0.5), laplace(0.5)),
    "laplace, large": (LaplaceKind(30.0), laplace(30.0)),
    "discrete gaussian, theta": (DiscreteGaussianKind(0.7), discrete_gaussian(0.7, 1)),
    "discrete gaussian, wide": (DiscreteGaussianKind(9.0, 2), discrete_gaussian(9.0, 2)),
    "discrete gaussian, narrow": (DiscreteGaussianKind(0.3), discrete_gaussian(0.3, 1)),
    "atoms": (PAIR, atoms(PAIR)),
    "epsilon delta": (
        EpsilonDeltaKind(0.3, 1e-3),
        lambda s: randomized_response(0.3)(s) * (1 - arb(1e-3)),
    ),
    "subsampled gaussian": (SubsampledGaussianKind(1.0, 0.01), subsampled_gaussian(1.0, 0.01)),
    "subsampled gaussian, strong": (SubsampledGaussianKind(0.6, 0.4), subsampled_gaussian(0.6, 0.4)),
    "subsampled laplace": (SubsampledLaplaceKind(1.0, 0.1), subsampled_laplace(1.0, 0.1)),
}


def points(rng: np.random.Generator, kind: Kind, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
    """Tilts on all three sides of the poles, and t from tiny to large, on the scale of the loss."""
    scale = 1.0
    if isinstance(kind, RandomizedResponseKind | LaplaceKind):
        scale = max(1.0, min(1 / kind.epsilon, 1e3))
    tilts = np.concatenate([rng.uniform(-0.99, -0.01, count), scale * 10 ** rng.uniform(-2, 1, count)])
    tilts = np.concatenate([tilts, -1 - scale * 10 ** rng.uniform(-2, 0.5, count)])
    t = 10 ** rng.uniform(-4, 1.7, len(tilts)) * scale * rng.choice([0.0, 1.0, 1.0, 1.0], len(tilts))
    return tilts + 1j * t


def excess_error(kind: Kind, transform: Transform, s: np.ndarray[tuple[int, ...], np.dtype[np.complex128]]) -> float:
    """The largest of |true/computed - 1| / (e^growth - 1); at most 1 if the model is sound."""
    computed = kind.log_mgf(s)
    growth = kind.growth(s, computed)
    worst = 0.0
    for at, value, allowed in zip(s, computed, growth, strict=True):
        true = transform(acb(float(at.real), float(at.imag)))
        ratio = true * (-acb(float(value.real), float(value.imag))).exp() - 1
        worst = max(worst, float(abs(ratio).upper()) / max(float(np.expm1(allowed)), 1e-300))
    return worst


@pytest.mark.parametrize("name", sorted(KINDS))
def test_growth_covers_the_rounding(name: str) -> None:
    ctx.prec = 160
    kind, transform = KINDS[name]
    s = points(np.random.default_rng(3), kind, 8)
    assert excess_error(kind, transform, s) <= 1.0


@pytest.mark.parametrize("name", ["laplace", "randomized response", "discrete gaussian, theta", "atoms"])
def test_growth_is_not_wildly_pessimistic(name: str) -> None:
    """A bound that is a thousand times the unit of rounding would hide errors of the engine."""
    kind, _ = KINDS[name]
    s = np.array([0.5 + 1j, 2.0 + 0.3j, 0.1 + 0.0j])
    assert float(kind.growth(s, kind.log_mgf(s)).max()) < 1e-12


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_bound_on_the_modulus_holds(name: str) -> None:
    """Sampled values of |M(c + it)| / M(c) in each interval stay below the bound of the interval."""
    kind, _ = KINDS[name]
    rng = np.random.default_rng(11)
    for c in (-0.4, 0.3, 2.0, -1.7):
        start = np.sort(10 ** rng.uniform(-2, 2.2, 12))
        stop = start * (1 + 10 ** rng.uniform(-3, 0, 12))
        bound = kind.log_abs_bound(c, start, stop, 50)
        t = start[:, None] + (stop - start)[:, None] * rng.uniform(size=(12, 25))
        at_tilt = kind.log_mgf(np.array([complex(c)])).real[0]
        moduli = kind.log_mgf((c + 1j * t).ravel()).real.reshape(t.shape) - at_tilt
        assert np.all(moduli <= bound[:, None] + 1e-9)


def test_the_bounds_are_not_trivial() -> None:
    """Far from the real line and from every replica each kind has a bound below 1."""
    start, stop = np.array([40.0]), np.array([40.01])
    for name, (kind, _) in KINDS.items():
        if "tiny" not in name and "large" not in name:
            assert float(kind.log_abs_bound(0.5, start, stop, 50)[0]) < -1e-3, name


@pytest.mark.parametrize("seed", range(5))
def test_growth_of_random_compositions(seed: int) -> None:
    ctx.prec = 200
    rng = np.random.default_rng(seed)
    names = rng.choice([n for n in sorted(KINDS) if "subsampled" not in n and "large" not in n], 4, replace=False)
    counts = {KINDS[str(name)][0]: int(10 ** rng.uniform(0, 4)) for name in names}
    s = rng.uniform(0.05, 1.0, 6) + 1j * rng.uniform(0.0, 0.2, 6)
    computed, growth = Composition(counts).log_mgf_and_growth(s)
    for at, value, allowed in zip(s, computed, growth, strict=True):
        point, true = acb(float(at.real), float(at.imag)), acb(1)
        for name in names:
            kind, transform = KINDS[str(name)]
            true *= transform(point) ** counts[kind]
        ratio = true * (-acb(float(value.real), float(value.imag))).exp() - 1
        assert float(abs(ratio).upper()) <= float(np.expm1(allowed))


SAMPLED = [name for name in sorted(KINDS) if name.startswith("subsampled gaussian")]


@pytest.mark.parametrize("name", SAMPLED)
def test_what_a_transform_has_lost_it_keeps_losing(name: str) -> None:
    """From each start on, whatever the end: the bound by the decay at multiples of t holds in ball arithmetic."""
    ctx.prec = 120
    kind, transform = KINDS[name]
    rng = np.random.default_rng(29)
    for c in (0.4, 6.0):
        at_tilt = transform(acb(c))
        start = np.sort(10 ** rng.uniform(0, 3, 8))
        # So long an interval has no middle that says anything.
        bounds = kind.log_abs_bound(c, start, np.full(8, 1e300), 10**6)
        assert np.all(np.diff(bounds) <= 0)
        assert bounds[-1] < 0
        for first, bound in zip(start, bounds, strict=True):
            for t in first * (1 + rng.exponential(size=3)):
                modulus = abs(transform(acb(c, float(t))) / at_tilt)
                assert float(modulus.upper()) <= math.exp(bound) * (1 + 1e-15)


@pytest.mark.parametrize("name", SAMPLED)
def test_tilts_that_are_summed_together_agree_with_ball_arithmetic(name: str) -> None:
    """Near each other and far apart, on both sides of the poles: log M on the real line to eleven digits."""
    ctx.prec = 160
    kind, transform = KINDS[name]
    rng = np.random.default_rng(31)
    tilts = np.concatenate([10 ** rng.uniform(-3, 2.3, 12), -(10 ** rng.uniform(-3, 1.5, 12))])
    for way, sign in ((kind, 1), (kind.reverse(), -1)):
        found = way.log_mgf_real(tilts)
        for c, value in zip(tilts, found, strict=True):
            true = transform(acb(float(c)) if sign > 0 else -1 - acb(float(c))).real.log()
            assert abs(float(true - arb(float(value)))) <= 1e-11 * abs(float(true)) + 1e-15


@pytest.mark.parametrize(("epsilon", "rate"), [(1.0, 0.5), (2.0, 0.9), (0.4, 0.05)])
def test_far_out_the_modulus_of_sampled_laplace_noise_is_that_of_its_two_atoms(epsilon: float, rate: float) -> None:
    """Where their phases agree nothing is lost but the part between them, of which hardly anything is left there."""
    kind = SubsampledLaplaceKind(epsilon, rate)
    low, high = (math.log1p(rate * math.expm1(end)) for end in (-epsilon, epsilon))
    t = 2 * math.pi * round(5000 * (high - low)) / (high - low)
    for c in (-3.0, -2.0, -0.5, 1.0, 4.0):
        masses = 0.5 * math.exp((c + 1) * low), 0.5 * math.exp((c + 1) * high - epsilon)
        scale = float(kind.log_mgf(np.array([complex(c)])).real[0])
        bound = float(kind.log_abs_bound(c, np.array([t]), np.array([t * (1 + 1e-9)]), 50)[0])
        assert math.log(sum(masses)) - scale <= bound + 1e-3
        assert bound <= math.log(sum(masses)) - scale + 1e-2


@pytest.mark.parametrize("c", [0.3, 2.0, 5.0])
def test_the_error_of_a_rule_counts_whole_however_large_the_transform_is(c: float) -> None:
    """It is relative to M(c), which is 50 at the last tilt; so it moves log M(c) by as much."""
    masses, error = np.array([0.5, 0.5]), 1e-6
    rule = Rule(np.array([-1.0, 1.0]), np.log(masses), 0.0, np.zeros(2), np.zeros(2), lambda t: np.full(t.shape, error))
    tilted = Tilted.of(rule, c)
    assert tilted.log_scale == pytest.approx(math.log(math.cosh(c)), rel=1e-12)
    assert tilted.scale_growth >= error


@pytest.mark.parametrize("c", [-2.5, -0.5, 1.0, 4.0])
@pytest.mark.parametrize(
    ("kind", "changes", "weights"),
    [
        (GaussianMixtureKind(1.5, (0.0, 0.3, 1.0), (0.6, 0.3, 0.1)), (0.0, 0.3, 1.0), (0.6, 0.3, 0.1)),
        (GaussianMixtureKind(0.6, (0.2, 1.0), (0.5, 0.5)), (0.2, 1.0), (0.5, 0.5)),
        (SubsampledGaussianKind(0.8, 0.2), (0.0, 1.0), (0.8, 0.2)),
    ],
    ids=["three changes", "always a change", "sample"],
)
def test_the_decay_is_the_variation_of_the_tilted_density_of_the_loss(kind, changes, weights, c: float) -> None:
    """By sums over a fine grid: f e^{cZ} / Z' varies by as much as the decay says, and not by far less."""
    x, u = np.linspace(-40.0, 40.0, 400_001), np.array(changes)
    parts = np.array(weights) * np.exp((np.multiply.outer(x, u) - u * u / 2) / kind.sigma**2)
    ratio = parts.sum(axis=1)
    slope = parts @ u / ratio / kind.sigma**2
    density = np.exp(-0.5 * (x / kind.sigma) ** 2) * ratio ** (c + 1)
    varies = np.sum(np.abs(np.diff(density / slope))) / (np.sum(density) * (x[1] - x[0]))
    assert varies * (1 - 1e-6) <= kind.decay(c) <= 2.5 * varies
