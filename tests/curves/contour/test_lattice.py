"""Lattice losses against exact binomial and discrete sums, at lattice points, between them, and near the ends."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves.contour import Composition, DiscreteGaussianKind, RandomizedResponseKind, delta_bracket
from whit.curves.contour.discrete_gaussian import NarrowLattice
from whit.curves.contour.question import neighbours

Law = list[tuple[mpmath.mpf, mpmath.mpf]]


def binomial(epsilon: float, count: int) -> Law:
    p = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
    return [
        ((2 * k - count) * mpmath.mpf(epsilon), mpmath.binomial(count, k) * p**k * (1 - p) ** (count - k))
        for k in range(count + 1)
    ]


def product(first: Law, second: Law) -> Law:
    return [(z + w, p * q) for z, p in first for w, q in second]


def assert_matches(composition: Composition, law: Law, xs: list[float]) -> None:
    found = delta_bracket(composition, xs)
    for i, x in enumerate(xs):
        delta = sum(p * (1 - mpmath.exp(mpmath.mpf(x) - z)) for z, p in law if z > x)
        complement = sum(p * min(mpmath.mpf(1), mpmath.exp(mpmath.mpf(x) - z)) for z, p in law)
        assert found.log_delta.lower[i] <= mpmath.log(delta) <= found.log_delta.upper[i]
        assert found.log_complement.lower[i] <= mpmath.log(complement) <= found.log_complement.upper[i]
        assert found.log_delta.upper[i] - found.log_delta.lower[i] < 1e-9


@pytest.mark.parametrize(("epsilon", "count"), [(0.25, 1), (0.25, 40), (1e-6, 50), (3.0, 7), (20.0, 3)])
def test_randomized_response(epsilon: float, count: int) -> None:
    with mpmath.workdps(60):
        shares = (-0.9, -0.5, -0.013, 0.0, 0.1, 0.5, 0.77, 0.99)
        assert_matches(
            Composition({RandomizedResponseKind(epsilon): count}),
            binomial(epsilon, count),
            [share * epsilon * count for share in shares],
        )


def test_two_commensurable_kinds() -> None:
    with mpmath.workdps(60):
        composition = Composition({RandomizedResponseKind(0.25): 9, RandomizedResponseKind(0.75): 4})
        law = product(binomial(0.25, 9), binomial(0.75, 4))
        assert_matches(composition, law, [-2.0, 0.0, 0.25, 0.3, 2.5, 5.0, 5.2])


@pytest.mark.parametrize(("sigma2", "shift"), [(0.05, 1), (0.4, 2), (0.6, 1), (4.0, 1), (4.0, 3)])
def test_discrete_gaussian(sigma2: float, shift: int) -> None:
    with mpmath.workdps(60):
        weights = {k: mpmath.exp(-mpmath.mpf(k * k) / (2 * mpmath.mpf(sigma2))) for k in range(-120, 121)}
        total = sum(weights.values())
        law = [(shift * (shift - 2 * k) / (2 * mpmath.mpf(sigma2)), w / total) for k, w in weights.items()]
        assert_matches(Composition({DiscreteGaussianKind(sigma2, shift): 1}), law, [-3.0, 0.0, 0.4, 1.0, 5.0, 20.0])


def test_neighbours_enclose_every_point() -> None:
    xs = np.array([-0.5, -0.1, 0.0, 0.2, 0.30000000000000004, 7.0])
    for parity in (0, 1):
        around = neighbours((0.1, parity), xs)
        assert np.all(around.points[around.below] <= xs)
        assert np.all(xs <= around.points[around.above] + around.error)
        np.testing.assert_allclose(around.points[around.above] - around.points[around.below], 0.2)
        np.testing.assert_array_equal(np.mod(np.rint(around.points / 0.1), 2), parity)


@pytest.mark.parametrize(("sigma2", "shift"), [(0.49, 1), (0.49, 4), (0.04, 2), (1e-4, 3)])
def test_a_narrow_discrete_gaussian_has_its_transform_on_the_real_line(sigma2: float, shift: int) -> None:
    tilts = np.array([-30.0, -3.7, -1.0, -0.5, -1e-3, 1e-7, 0.1, 2.5, 31.0])
    found = NarrowLattice(DiscreteGaussianKind(sigma2, shift)).log_mgf_real(tilts)
    with mpmath.workdps(60):
        variance = mpmath.mpf(sigma2)
        total = mpmath.fsum(mpmath.exp(-n * n / (2 * variance)) for n in range(-60, 61))
        for tilt, value in zip(tilts.tolist(), found.tolist(), strict=True):
            middle = round(-shift * tilt)
            cells = {n for centre in (0, middle) for n in range(centre - 60, centre + 61)}
            terms = [
                mpmath.exp((-n * n + tilt * shift * (shift - 2 * n)) / (2 * variance))
                for n in map(mpmath.mpf, sorted(cells))
            ]
            truth = mpmath.log(mpmath.fsum(terms) / total)
            assert abs(value - truth) <= 1e-14 * (1 + abs(truth) + shift**2 * tilt**2 / sigma2)
