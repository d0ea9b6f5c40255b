"""Random heterogeneous compositions against exact sums in ball arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from flint import arb, ctx

from whit.curves.contour import (
    Composition,
    DiscreteGaussianKind,
    EpsilonDeltaKind,
    GaussianKind,
    Kind,
    LaplaceKind,
    RandomizedResponseKind,
    SubsampledGaussianKind,
    delta_bracket,
)

Law = list[tuple[arb, arb]]
Profile = Callable[[arb], arb]


def normal_tail(x: arb) -> arb:
    return (x / arb(2).sqrt()).erfc() / 2


def gaussian_profile(mu: float) -> Profile:
    return lambda y: normal_tail(y / mu - arb(mu) / 2) - y.exp() * normal_tail(y / mu + arb(mu) / 2)


def laplace_profile(epsilon: float) -> Profile:
    def profile(y: arb) -> arb:
        if y >= epsilon:
            return arb(0)
        return 1 - ((y - epsilon) / 2).exp() if y > -epsilon else 1 - y.exp()

    return profile


def subsampled_profile(sigma: float, rate: float) -> Profile:
    """P and Q beyond the x at which the loss is y; below log(1 - q) every loss exceeds y."""

    def profile(y: arb) -> arb:
        if y <= (1 - arb(rate)).log():
            return 1 - y.exp()
        x = arb(1) / 2 + arb(sigma) ** 2 * ((y.exp() - 1 + arb(rate)) / rate).log()
        null, shifted = normal_tail(x / sigma), normal_tail((x - 1) / sigma)
        return (1 - arb(rate)) * null + arb(rate) * shifted - y.exp() * null

    return profile


def binomial_law(epsilon: float, count: int) -> Law:
    p = arb(epsilon).exp() / (1 + arb(epsilon).exp())
    return [
        (arb(epsilon) * (2 * k - count), math.comb(count, k) * p**k * (1 - p) ** (count - k)) for k in range(count + 1)
    ]


def discrete_gaussian_law(sigma2: float) -> Law:
    reach = int(16 * math.sqrt(sigma2)) + 12
    weights = {k: (-arb(k * k) / (2 * arb(sigma2))).exp() for k in range(-reach, reach + 1)}
    total = sum(weights.values(), arb(0))
    return [((1 - 2 * arb(k)) / (2 * arb(sigma2)), w / total) for k, w in weights.items()]


def product(first: Law, second: Law) -> Law:
    return [(z + w, p * q) for z, p in first for w, q in second]


def random_case(rng: np.random.Generator) -> tuple[dict[Kind, int], Law, Profile]:
    """Kinds, the law of all that is discrete, and the profile of the one that is not."""
    epsilon, count = float(10 ** rng.uniform(-2, 0.3)), int(rng.integers(1, 7))
    infinite = float(rng.choice([0.0, 10.0 ** rng.uniform(-9, -2)]))
    sigma2 = float(10 ** rng.uniform(-0.8, 0.8))
    counts: dict[Kind, int] = {DiscreteGaussianKind(sigma2): 1}
    counts[EpsilonDeltaKind(epsilon, infinite) if infinite else RandomizedResponseKind(epsilon)] = count
    law = product(binomial_law(epsilon, count), discrete_gaussian_law(sigma2))
    last: list[tuple[Kind, Profile]] = [
        (GaussianKind(0.4), gaussian_profile(0.4)),
        (GaussianKind(1e-6), gaussian_profile(1e-6)),
        (LaplaceKind(0.8), laplace_profile(0.8)),
        (LaplaceKind(0.01), laplace_profile(0.01)),
        (SubsampledGaussianKind(3.0, 0.5), subsampled_profile(3.0, 0.5)),
    ]
    kind, profile = last[int(rng.integers(len(last)))]
    counts[kind] = 1
    return counts, law, profile


def check(seed: int, cases: int, width: float) -> int:
    """How many values were compared; each must lie inside its bracket."""
    ctx.prec = 256
    rng = np.random.default_rng(seed)
    compared = 0
    for _ in range(cases):
        counts, law, profile = random_case(rng)
        composition = Composition(counts)
        xs = rng.uniform(-2, 8, size=2)
        # one subsampled Gaussian alone is known to decay only like 1/t, so that narrow brackets are refused
        single = any(isinstance(kind, SubsampledGaussianKind) for kind in counts)
        found = delta_bracket(composition, xs, 0.05 if single else width)
        finite = arb(1)
        for kind, count in counts.items():
            finite *= (1 - arb(kind.infinity_mass)) ** count
        for i, x in enumerate(xs):
            inner = sum((p * profile(arb(x) - z) for z, p in law), arb(0))
            delta = 1 - finite + finite * inner
            assert float(found.log_delta.lower[i]) <= delta.log() <= float(found.log_delta.upper[i]), (seed, counts, x)
            compared += 1
    return compared


def test_twenty_random_compositions_lie_inside() -> None:
    assert check(7, 20, 1e-3) == 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_two_hundred_random_compositions_lie_inside(seed: int) -> None:
    assert check(seed, 20, 1e-4) == 40


def test_gaussians_merge() -> None:
    composition = Composition({GaussianKind(3.0): 1, GaussianKind(4.0): 1})
    assert composition.parts == ((GaussianKind(5.0), 1),)


def test_reverse_twice_is_the_same() -> None:
    counts: dict[Kind, int] = {SubsampledGaussianKind(1.0, 0.1): 3, LaplaceKind(0.5): 2}
    assert Composition(counts).reverse().reverse().counts == counts


def test_lattices_need_commensurable_units() -> None:
    both = Composition({RandomizedResponseKind(0.25): 3, RandomizedResponseKind(0.5): 2})
    assert both.lattice == (0.25, 1)
    assert Composition({RandomizedResponseKind(0.25): 3, RandomizedResponseKind(0.3): 2}).lattice is None
    assert Composition({RandomizedResponseKind(0.25): 3, LaplaceKind(0.5): 2}).lattice is None


def test_repr_rebuilds_the_composition() -> None:
    composition = Composition({LaplaceKind(0.5): 2})
    rebuilt = eval(repr(composition), {"Composition": Composition, "LaplaceKind": LaplaceKind})
    assert rebuilt.counts == composition.counts
