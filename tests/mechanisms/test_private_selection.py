"""The best of a random number of runs, against its exact law: differences of the generating function of the number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import log, mpf

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import PureDP, RenyiDP, SemanticPrivacy, ZeroConcentratedDP
from whit.mechanisms import BestOfRuns, Finite, Gaussian


def generating(shape: float, gamma: float, x: np.ndarray) -> np.ndarray:
    """E[x^K] for the truncated negative binomial law."""
    if shape == 0.0:
        return np.log1p(-(1 - gamma) * x) / math.log(gamma)
    return ((1 - (1 - gamma) * x) ** -shape - 1) / (gamma**-shape - 1)


def mean_of(shape: float, gamma: float) -> float:
    n, g = mpf(shape), mpf(gamma)
    return float((1 / g - 1) / -log(g) if shape == 0.0 else n * (1 - g) / (g * (1 - g**n)))


def best(p: np.ndarray, pgf) -> np.ndarray:
    """The law of the best output, where later outputs are better."""
    return np.diff(pgf(np.append(0.0, np.minimum(np.cumsum(p), 1.0))))


def divergence(p: np.ndarray, q: np.ndarray, order: float) -> float:
    return float(np.logaddexp.reduce(order * np.log(p) + (1 - order) * np.log(q)) / (order - 1))


def pairs(random: np.random.Generator, epsilon: float, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    q = random.dirichlet(np.ones(outputs))
    p = q * np.exp(random.choice([-1.0, 1.0], size=outputs) * epsilon / 2)
    return p / p.sum(), q


@pytest.mark.parametrize("shape", [-0.5, 0.0, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("gamma", [0.5, 0.1, 0.001])
def test_no_finite_release_beats_the_bound(shape, gamma):
    random = np.random.default_rng(7)
    epsilon = 0.6
    bounds = BestOfRuns(PureDP(epsilon), mean=mean_of(shape, gamma), shape=shape).kept.orders
    largest = 0.0
    for _ in range(60):
        p, q = pairs(random, epsilon, random.integers(2, 7))
        first, second = (best(law, lambda x: generating(shape, gamma, x)) for law in (p, q))
        assert first.sum() == pytest.approx(1.0)
        largest = max(largest, np.max(np.abs(np.log(first / second))))
        for order, bound in bounds.items():
            if order < 500:
                assert divergence(first, second, order) <= bound + 1e-9
    assert largest <= bounds[math.inf] + 1e-9
    assert bounds[math.inf] == pytest.approx((2 + shape) * epsilon)


@pytest.mark.parametrize("mean", [1.0, 2.0, 30.0])
def test_no_finite_release_beats_the_bound_for_a_poisson_number(mean):
    random = np.random.default_rng(8)
    epsilon = 0.6
    bounds = BestOfRuns(PureDP(epsilon), mean=mean, shape=math.inf).kept.orders
    assert math.inf not in bounds
    for _ in range(60):
        p, q = pairs(random, epsilon, random.integers(2, 7))
        laws = [np.append(math.exp(-mean), best(law, lambda x: np.exp(mean * (x - 1)))) for law in (p, q)]
        assert laws[0].sum() == pytest.approx(1.0)
        for order, bound in bounds.items():
            if order < 500:
                assert divergence(laws[0], laws[1], order) <= bound + 1e-9


def test_a_poisson_number_below_one_would_break_the_formula():
    """Which is why such a mean is refused: the divergence is above 0, and the formula below."""
    mean, order, p, q = 0.5, 1.01, np.array([0.5, 0.5]), np.array([0.4, 0.6])
    laws = [np.append(math.exp(-mean), best(law, lambda x: np.exp(mean * (x - 1)))) for law in (p, q)]
    assert divergence(p, q, order) + math.log(mean) / (order - 1) < 0.0 < divergence(laws[0], laws[1], order)


def test_the_parameter_of_the_number_is_on_the_safe_side_of_its_mean():
    for shape in (-0.9, 0.0, 1e-12, 0.5, 1.0, 7.0):
        for gamma in (0.999, 0.5, 1e-6):
            runs = BestOfRuns(PureDP(0.1), mean=mean_of(shape, gamma), shape=shape)
            assert math.log(1 / gamma) * (1 - 1e-9) <= runs.log_stops <= math.log(1 / gamma) * (1 + 1e-6) + 1e-9


def test_bounds_at_gaussian_noise_follow_the_formula_of_the_paper():
    """2 sqrt(rho log m) + 2 (1 + n) sqrt(rho log 1/gamma) - n rho, where the order is below 1 + sqrt(log m / rho)."""
    rho, gamma, shape = 0.01, 0.01, 1.0
    mean = mean_of(shape, gamma)
    runs = BestOfRuns(ZeroConcentratedDP(rho), mean=mean, shape=shape)
    order = 1 + math.sqrt(math.log(mean) / rho)
    printed = 2 * math.sqrt(rho * math.log(mean)) + 2 * (1 + shape) * math.sqrt(rho * math.log(1 / gamma)) - shape * rho
    near = min(bound for each, bound in runs.kept.orders.items() if each >= order)
    assert printed * (1 - 1e-9) <= near <= printed * 1.05


def test_one_run_is_the_run_itself():
    kept = BestOfRuns(ZeroConcentratedDP(0.1), mean=1.0).kept.orders
    assert all(bound == pytest.approx(0.1 * order, rel=1e-6, abs=1e-9) for order, bound in kept.items())


def test_more_runs_are_never_less_risk():
    few, many = (BestOfRuns(Gaussian(3.0), mean=mean) for mean in (2.0, 50.0))
    assert all(few.kept.orders[order] < bound for order, bound in many.kept.orders.items())


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: BestOfRuns(PureDP(1.0), mean=0.5), InvalidInput, "mean must be at least 1; got 0.5. Use the number"),
        (lambda: BestOfRuns(PureDP(1.0), mean=0.5, shape=math.inf), InvalidInput, "mean must be at least 1; got 0.5"),
        (lambda: BestOfRuns(PureDP(1.0), mean=math.inf), InvalidInput, "mean must be a finite number; got inf"),
        (lambda: BestOfRuns(PureDP(1.0), mean=2.0, shape=-1.0), InvalidInput, "shape must be above -1; got -1.0"),
        (lambda: BestOfRuns(1.0, mean=2.0), InvalidInput, "promise must be a promise, a mechanism or a curve"),
        (
            lambda: BestOfRuns(Finite([0.5, 0.5], [1.0, 0.0]), mean=2.0),
            NotImplied,
            "the best of several runs needs Rényi divergences of each run",
        ),
    ],
)
def test_bad_input_is_answered_in_one_sentence(build, error, message):
    with pytest.raises(error, match=message):
        build()


def test_promises_of_other_kinds_are_taken_where_they_have_divergences():
    assert isinstance(BestOfRuns(SemanticPrivacy(0.1), mean=2.0).kept, RenyiDP)


@pytest.mark.parametrize(
    ("shape", "epsilon", "delta"),
    [(1.0, 2.2716234018397654, 0.3573966223756313), (0.0, 1.9021061286702192, 0.0749201370602645)],
)
def test_no_bound_is_above_that_of_an_accountant_with_common_orders(shape, epsilon, delta):
    """The epsilon at 1e-6 and the delta at 1.136 of dp-accounting 0.6.0, which knows the divergences at 156 orders."""
    runs = BestOfRuns(Gaussian(4.0), mean=10.0, shape=shape)
    assert float(runs.epsilon(1e-6)) <= epsilon * (1 + 1e-9)
    assert float(runs.delta(1.136)) <= delta * (1 + 1e-9)


def test_no_divergence_is_above_that_of_a_higher_order():
    bounds = list(dict(sorted(BestOfRuns(Gaussian(4.0), mean=10.0).kept.orders.items())).values())
    assert bounds == sorted(bounds)
