"""Level and power of random finite mechanisms: the exact best test, every guess and every verdict, one by one."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import referee
from numpy.typing import NDArray
from pairs import Vectors, normalised, random_pair

from whit.curves import Curve, FinitePair
from whit.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian, Kernel, RandomizedResponse
from whit.semantics.testing import (
    advantage,
    advantage_at,
    best_guess,
    level,
    positive_predictive_value,
    posterior_after_rejection,
    power,
)
from whit.setting import Knowledge
from whit.theory import Direction

Array = NDArray[np.float64]

LEVELS = np.array([0.0, 1e-9, 0.003, 0.05, 0.31, 0.8, 1.0])
POWERS = np.array([0.0, 1e-6, 0.04, 0.3, 0.75, 0.999, 1.0])
PRIORS = np.array([0.0, 1e-15, 0.02, 0.4, 0.5, 0.77, 1.0])


def dyadic(weights: Array) -> Array:
    """Weights as probabilities that add up to 1 exactly: multiples of 2^-40."""
    counts = np.floor(normalised(weights) * 2.0**40)
    counts[np.argmax(counts)] += 2.0**40 - counts.sum()
    return counts / 2.0**40


def some_pair(rng: np.random.Generator) -> Vectors:
    """Two to five outcomes; every third pair has outcomes that only one of the two produces."""
    p, q = random_pair(rng, int(rng.integers(2, 6)))
    if rng.uniform() < 1 / 3:
        p[rng.integers(len(p))] = 0.0
        q[rng.integers(len(q))] = 0.0
    if p.sum() == 0 or q.sum() == 0:
        return some_pair(rng)
    return dyadic(p), dyadic(q)


def renyi(p: Array, q: Array, alpha: float) -> float:
    """The divergence of one order; infinite where Q has no mass and P has."""
    if np.any((q == 0) & (p > 0)):
        return math.inf
    both = (p > 0) & (q > 0)
    return float(np.log(np.sum(p[both] ** alpha * q[both] ** (1 - alpha))) / (alpha - 1))


def promises(p: Array, q: Array) -> list[object]:
    """Promises that the pair keeps, each tight in some way: pure, approximate, Rényi and concentrated."""
    found: list[object] = []
    losses = [abs(math.log(a / b)) for a, b in zip(p, q, strict=True) if a > 0 and b > 0]
    finite = all((a > 0) == (b > 0) for a, b in zip(p, q, strict=True))
    if finite:
        found.append(PureDP(max(losses) * (1 + 1e-12) + 1e-13))
        gammas = {alpha: max(renyi(p, q, alpha), renyi(q, p, alpha)) for alpha in (1.5, 3.0, 20.0)}
        found.append(RenyiDP({alpha: gamma * (1 + 1e-9) + 1e-12 for alpha, gamma in gammas.items()}))
        found.append(ZeroConcentratedDP(max(losses) ** 2 / 2 * (1 + 1e-12) + 1e-13))
    for epsilon in (0.0, 0.7):
        delta = max(float(referee.delta(list(a), list(b), epsilon)) for a, b in ((p, q), (q, p)))
        found.append(ApproxDP(epsilon, min(1.0, delta * (1 + 1e-12) + 1e-15)))
    return found


def exact_level(p: Array, q: Array, wanted: float) -> Fraction:
    """The smallest level of a test of a power: outcomes in falling order of p/q, the last one only in part."""
    pairs = [(Fraction(a), Fraction(b)) for a, b in zip(p, q, strict=True) if a > 0]
    left, spent = Fraction(wanted), Fraction(0)
    for a, b in sorted(pairs, key=lambda pair: pair[1] / pair[0]):
        share = min(Fraction(1), left / a)
        left, spent = left - share * a, spent + share * b
        if left <= 0:
            break
    return spent


def truth(p: Array, q: Array) -> dict[str, Array]:
    """Each quantity of the pair by sorting in rational arithmetic, or by trying everything; of the worse order."""
    ways = [(p, q), (q, p)]
    says = np.array(list(product([0.0, 1.0], repeat=len(p))))
    powers = [[float(referee.power(list(a), list(b), x)) for x in LEVELS] for a, b in ways]
    levels = [[float(exact_level(a, b, y)) for y in POWERS] for a, b in ways]
    guesses = [np.max(x * (says @ a) + (1 - x) * (1 - says @ b)) for x in PRIORS for a, b in ways]
    return {
        "power": np.max(powers, axis=0),
        "level": np.min(levels, axis=0),
        "guess": np.array(guesses).reshape(-1, 2).max(axis=1),
        "advantage": np.max([np.max(says @ a - says @ b) for a, b in ways]),
    }


def agrees(found: object, value: object, tolerance: float = 1e-12) -> bool:
    """Whether an interval holds the truth, which is itself rounded to a double, and is as narrow as the tolerance."""
    lower, upper = np.asarray(found.lower), np.asarray(found.upper)  # type: ignore[attr-defined]
    expected = np.asarray(value)
    inside = np.all((lower <= np.nextafter(expected, 2.0)) & (np.nextafter(expected, -1.0) <= upper))
    return bool(inside and np.all(upper - lower <= tolerance))


def steepest(p: Array, q: Array) -> float:
    """The largest likelihood ratio, by which the rounding of a power moves a level."""
    both = (p > 0) & (q > 0)
    return float(np.max(np.maximum(p[both] / q[both], q[both] / p[both]), initial=1.0))


def check_exact(p: Array, q: Array) -> None:
    mechanism, exact = Finite(p, q), truth(p, q)
    assert agrees(power(mechanism, LEVELS), exact["power"])
    assert agrees(level(mechanism, POWERS), exact["level"], 1e-12 + 1e-14 * steepest(p, q))
    assert agrees(best_guess(mechanism, PRIORS), exact["guess"])
    assert agrees(advantage(mechanism), exact["advantage"])


def check_bounds(p: Array, q: Array) -> None:
    exact = truth(p, q)
    for promise in promises(p, q):
        assert np.all(power(promise, LEVELS).value >= exact["power"] * (1 - 2e-16))
        assert np.all(level(promise, POWERS).value <= exact["level"] * (1 + 2e-16))
        assert np.all(advantage_at(promise, LEVELS).value >= exact["power"] - LEVELS - 1e-15)


def check_beliefs(p: Array, q: Array) -> None:
    """The best guess, the advantage and the verdict of promises, against all that a pair of that promise allows."""
    exact = truth(p, q)
    for promise in promises(p, q):
        assert np.all(best_guess(promise, PRIORS).value >= exact["guess"] - 1e-15)
        assert float(advantage(promise).value) >= float(exact["advantage"]) - 1e-15


@pytest.mark.parametrize("seed", range(25))
def test_the_exact_answers_are_those_of_the_enumerated_best_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(3):
        check_exact(*some_pair(rng))


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_beats_the_bounds_of_the_promises_that_it_keeps(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    check_bounds(*some_pair(rng))


@pytest.mark.parametrize("seed", range(2))
def test_no_guess_beats_the_bounds_of_the_promises_that_a_pair_keeps(seed: int) -> None:
    check_beliefs(*some_pair(np.random.default_rng(2000 + seed)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_thousands_of_pairs_do_not_beat_any_of_them(seed: int) -> None:
    rng = np.random.default_rng(3000 + seed)
    for _ in range(50):
        pair = some_pair(rng)
        check_exact(*pair)
    for _ in range(4):
        check_bounds(*some_pair(rng))
    check_beliefs(*some_pair(rng))


@pytest.mark.parametrize("seed", range(25))
def test_no_verdict_of_a_random_test_exceeds_the_largest_posterior(seed: int) -> None:
    """All tests without coins, and many with coins, of each pair: level, power and posterior of each by definition."""
    rng = np.random.default_rng(4000 + seed)
    p, q = some_pair(rng)
    rejects = np.concatenate(
        [np.array(list(product([0.0, 1.0], repeat=len(p)))), rng.uniform(size=(200, len(p))) ** rng.choice([0.2, 1, 6])]
    )
    mechanism, prior = Finite(p, q), rng.uniform(0.01, 0.99)
    for a, b in ((p, q), (q, p)):
        y, x = rejects @ a, rejects @ b
        some = (prior * y + (1 - prior) * x) > 0
        posterior = np.where(some, prior * y / np.where(some, prior * y + (1 - prior) * x, 1.0), 0.0)
        at_level = positive_predictive_value(mechanism, np.minimum(x, 1.0), prior).upper
        at_power = posterior_after_rejection(mechanism, np.minimum(y, 1.0), prior).upper
        assert np.all(posterior <= at_level + 1e-14)
        assert np.all(posterior <= at_power + 1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_the_largest_posterior_is_that_of_the_best_test(seed: int) -> None:
    rng = np.random.default_rng(5000 + seed)
    p, q = some_pair(rng)
    mechanism, prior = Finite(p, q), float(rng.uniform(0.01, 0.99))
    about = replace(mechanism.curve(), direction=Direction.ABOUT)  # of which the middle is reported, without bounds
    for x in (1e-6, 0.05, 0.6):
        y = max(referee.power(list(a), list(b), x) for a, b in ((p, q), (q, p)))
        # The rounding of the losses counts the more, the smaller the power.
        found = positive_predictive_value(mechanism, x, prior)
        assert agrees(found, believed(prior, y, Fraction(x)), 1e-12 + 1e-16 / x)
        estimate = positive_predictive_value(about, x, prior)
        assert float(estimate) == pytest.approx(believed(prior, y, Fraction(x)), rel=1e-12)
    for hits in (0.01, 0.3, 0.9):
        alarms = min(exact_level(a, b, hits) for a, b in ((p, q), (q, p)))
        found = posterior_after_rejection(mechanism, hits, prior)
        assert agrees(found, believed(prior, Fraction(hits), alarms), 1e-12 + 1e-14 * steepest(p, q))


def believed(prior: float, hits: Fraction, alarms: Fraction) -> float:
    """Bayes's rule in rational arithmetic."""
    p = Fraction(prior)
    return float(p * hits / (p * hits + (1 - p) * alarms))


@pytest.mark.parametrize("epsilon", [1e-6, 1.0])
def test_randomized_response_reaches_the_bounds_of_pure_differential_privacy(epsilon: float) -> None:
    levels, priors = np.linspace(0.0, 1.0, 6), np.linspace(0.0, 1.0, 6)
    coin, promise = RandomizedResponse(epsilon), PureDP(epsilon)
    pairs = [
        (power(coin, levels), power(promise, levels)),
        (best_guess(coin, priors), best_guess(promise, priors)),
        (advantage(coin), advantage(promise)),
        (positive_predictive_value(coin, levels, 0.2), positive_predictive_value(promise, levels, 0.2)),
        (posterior_after_rejection(coin, levels, 0.2), posterior_after_rejection(promise, levels, 0.2)),
    ]
    for reached, bound in pairs:
        assert np.all(reached.lower <= bound.upper)
        np.testing.assert_allclose(bound.upper, reached.value, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(level(promise, levels).lower, level(coin, levels).value, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-3), (1.0, 0.2)])
def test_the_coin_that_gives_itself_away_reaches_those_of_approximate_differential_privacy(
    epsilon: float, delta: float
) -> None:
    heads = (1 - delta) / (1 + math.exp(-epsilon))
    p, q = np.array([delta, heads, 1 - delta - heads, 0.0]), np.array([0.0, 1 - delta - heads, heads, delta])
    coin, promise = Finite(p, q), ApproxDP(epsilon, delta)
    np.testing.assert_allclose(power(promise, LEVELS).value, power(coin, LEVELS).value, rtol=1e-6)
    np.testing.assert_allclose(best_guess(promise, PRIORS).value, best_guess(coin, PRIORS).value, rtol=1e-6)
    np.testing.assert_allclose(level(promise, POWERS).value, level(coin, POWERS).value, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("mu", [0.05, 1.0, 4.0])
def test_the_gaussian_reaches_those_of_gaussian_differential_privacy(mu: float) -> None:
    noise, promise = Gaussian(1 / mu), GaussianDP(mu)
    np.testing.assert_allclose(power(promise, LEVELS).value, power(noise, LEVELS).value, rtol=1e-6)
    np.testing.assert_allclose(level(promise, POWERS).value, level(noise, POWERS).value, rtol=1e-6)
    np.testing.assert_allclose(best_guess(promise, PRIORS).value, best_guess(noise, PRIORS).value, rtol=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_the_same_curve_bounds_tests_when_everyone_else_is_random(seed: int) -> None:
    """Two records in each of three worlds that differ in everyone else; whoever tests does not know the world.

    Every row keeps the promise against its neighbour. The mixtures are tested by the exact best test.
    """
    rng = np.random.default_rng(6000 + seed)
    worlds = [some_pair(rng) for _ in range(3)]
    size = max(len(p) for p, _ in worlds)
    rows = [tuple(np.append(side, np.zeros(size - len(side))) for side in pair) for pair in worlds]
    weights = normalised(rng.exponential(size=3))
    mixed = [sum(w * row[side] for w, row in zip(weights, rows, strict=True)) for side in (0, 1)]
    deltas = [float(referee.delta(list(a), list(b), 0.5)) for pair in rows for a, b in (pair, pair[::-1])]
    promise = ApproxDP(0.5, min(1.0, max(deltas) * (1 + 1e-12) + 1e-15))
    for a, b in (mixed, mixed[::-1]):
        reached = np.array([float(referee.power(list(normalised(a)), list(normalised(b)), x)) for x in LEVELS])
        assert np.all(reached <= power(promise, LEVELS, knows=Knowledge.ANY_BELIEF).value * (1 + 1e-12) + 1e-15)


def test_one_release_needs_its_concave_hull_when_everyone_else_is_random() -> None:
    """The outcome tells the world; level spent in one world buys more than in the other, more than a pair allows."""
    late, steep = ([1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]), ([0.0, 0.0, 0.5, 0.5], [0.0, 0.0, 1.0, 0.0])
    release = Kernel([late[0], late[1], steep[0], steep[1]], [(0, 1), (2, 3)])
    mixed = [list((np.array(steep[side]) + np.array(late[side])) / 2) for side in (0, 1)]
    reached = float(referee.power(mixed[0], mixed[1], 0.25))
    assert reached == 0.75
    assert float(power(release, 0.25)) < reached <= float(power(release, 0.25, knows=Knowledge.ANY_BELIEF))


def test_an_audit_is_bounded_from_the_other_side() -> None:
    rng = np.random.default_rng(7)
    for _ in range(4):
        p, q = some_pair(rng)
        exact = Curve.exact(FinitePair.of(p, q))
        audit = exact.as_tradeoff(np.array([0.02, 0.3]))
        assert np.all(power(audit, LEVELS).value <= power(exact, LEVELS).upper)
        assert np.all(level(audit, POWERS).value >= level(exact, POWERS).lower)
        assert np.all(best_guess(audit, PRIORS).value <= best_guess(exact, PRIORS).upper)
