"""Numbers that other tools print or test, where they are right: powers at small levels above all.

Gaussian and Laplace values are closed forms in 50 digits; the two compositions are reference computations on three
grids, good to 1e-9 (Laplace) and 3e-8 (training with noisy gradients).
"""

from __future__ import annotations

import numpy as np
import pytest

from whit.guarantees import ApproxDP, GaussianDP, PureDP, compose
from whit.mechanisms import Finite, Gaussian, Laplace, Mechanism, PoissonSubsampled, RandomizedResponse

LEVELS = np.array([1e-6, 1e-4, 0.01, 0.05, 0.1, 0.5])

MISSES: list[tuple[str, Mechanism, list[float], float]] = [
    (
        "Gaussian 0.1",
        Gaussian(10.0),
        [0.999998367663, 0.999852137599, 0.987004555454, 0.938809163787, 0.881308159304, 0.460172162723],
        1e-12,
    ),
    (
        "Gaussian 1",
        Gaussian(1.0),
        [0.999912782390, 0.996726182765, 0.907637751926, 0.740488977159, 0.610856308355, 0.158655253931],
        1e-12,
    ),
    (
        "Gaussian 5",
        Gaussian(0.2),
        [0.402618309687, 0.100099728294, 0.003751511875, 3.96615005e-4, 1.00225100e-4, 2.86651572e-7],
        1e-12,
    ),
    (
        "Laplace 0.1",
        Laplace(10.0),
        [0.999998894829, 0.999889482908, 0.988948290819, 0.944741454096, 0.889482908192, 0.452418709018],
        1e-12,
    ),
    (
        "Laplace 1",
        Laplace(1.0),
        [0.999997281718, 0.999728171817, 0.972817181715, 0.864085908577, 0.728171817154, 0.183939720586],
        1e-12,
    ),
    (
        "Laplace 4",
        Laplace(0.25),
        [0.999945401850, 0.994540184997, 0.457890972218, 0.091578194444, 0.045789097222, 0.009157819444],
        1e-12,
    ),
    (
        "Laplace 0.01 x 1000",
        Laplace(100.0).times(1000),
        [0.9999954654, 0.9996675061, 0.9778236905, 0.9081061746, 0.8329419102, 0.3761043971],
        1e-9,
    ),
    (
        "noisy gradients",
        PoissonSubsampled(Gaussian(1.0), 0.01).times(10_000),
        [0.9996826165, 0.9916934597, 0.8460546816, 0.6354436424, 0.4949258293, 0.097759894],
        5e-8,
    ),
]


@pytest.mark.parametrize(
    ("mechanism", "misses", "error"), [case[1:] for case in MISSES], ids=[case[0] for case in MISSES]
)
def test_the_power_is_the_reference_and_never_below_it(mechanism: Mechanism, misses: list[float], error: float) -> None:
    """The references are misses, 1 - power, printed to about `error`: one unit of that is allowed, no more."""
    found = mechanism.power(LEVELS)
    power = 1 - np.array(misses)
    assert np.all(found.upper >= power - error)
    assert np.all(found.lower <= power + error)
    assert np.all(found.upper - found.lower <= 2e-6 * power + 1e-14)


# dp_accounting's test of true-positive rates of a Gaussian, mu = 1, at levels 1e-3 to 1e-10.
GAUSSIAN_POWERS = [0.01830, 0.003274, 5.475e-4, 8.7218e-5, 1.3385e-5, 1.99405e-6, 2.8993e-7, 4.1303e-8]


def test_gaussian_powers_at_extreme_levels() -> None:
    levels = 10.0 ** -np.arange(3, 11)
    np.testing.assert_allclose(Gaussian(1.0).power(levels).upper, GAUSSIAN_POWERS, rtol=3e-4)
    np.testing.assert_allclose(GaussianDP(1.0).power(levels).value, GAUSSIAN_POWERS, rtol=3e-4)


# dp_accounting's randomized response with noise 1/2: the truth, or one of k buckets at random.
BUCKETS = {2: {0.125: 0.375, 0.25: 0.75}, 4: {0.0625: 0.3125, 0.125: 0.625, 0.375: 0.875, 0.75: 0.95}}


@pytest.mark.parametrize("buckets", BUCKETS)
def test_randomized_response_with_buckets(buckets: int) -> None:
    rest = 0.5 / buckets
    p = np.full(buckets, rest)
    q = p.copy()
    p[0] += 0.5
    q[1] += 0.5
    for level, power in BUCKETS[buckets].items():
        assert float(Finite(p, q).power(level)) == pytest.approx(power, rel=1e-12)
        categories = RandomizedResponse(float(np.log((0.5 + rest) / rest)), categories=buckets)
        assert float(categories.power(level)) == pytest.approx(power, rel=1e-12)


def test_two_promises_of_epsilon_together() -> None:
    """dp_accounting's test_epsilon_basic: epsilon 1 and 2 composed have power 0.8286 at level 0.1."""
    pairs = compose(ApproxDP(1.0, 0.0), PureDP(2.0)).promise
    assert float(pairs.power(0.1)) == pytest.approx(0.8286, abs=5e-5)


# delta where other tools return noise: 25-digit values of the Gaussian, mu = 1.
SMALL = {8.0: 3.650821687421790858e-15, 12.0: 5.208442068950465674e-32, 15.0: 3.875123041693271454e-49}


@pytest.mark.parametrize("epsilon", SMALL)
def test_delta_is_right_where_others_return_noise(epsilon: float) -> None:
    found = Gaussian(1.0).delta(epsilon)
    assert found.lower <= SMALL[epsilon] * (1 + 1e-15)
    assert SMALL[epsilon] * (1 - 1e-15) <= found.upper <= found.lower * (1 + 1e-11)
