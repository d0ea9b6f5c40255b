"""No finite mechanism and no prior beats a bound on beliefs; where a bound is tight, a mechanism comes close to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from operator import sub, truediv

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pairs import Vectors, finite_pairs, random_pair

from whit.curves import Curve, FinitePair, Promise, largest_loss
from whit.errors import NotImplied
from whit.guarantees import ApproxDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian, RandomizedResponse
from whit.semantics.membership import difference, largest_difference, largest_ratio, odds, posterior, ratio

Array = NDArray[np.float64]
PRIORS = np.array([1e-12, 1e-3, 0.05, 0.2689, 0.5, 0.7311, 0.97, 1 - 1e-9])
HAIR = 1e-12  # for the rounding of the referee, which works in doubles where thousands of pairs are tried


def failing(vectors: Vectors, lowest: Array, highest: Array) -> float:
    """The largest probability, over the priors, of a posterior of the first outside of what was said: Bayes's rule."""
    p, q = (side[vectors[0] > 0] for side in vectors)
    start = PRIORS[:, None]
    after = start * p / (start * p + (1 - start) * q)
    outside = (after > highest[:, None] * (1 + HAIR)) | (after < lowest[:, None] * (1 - HAIR))
    return float((outside @ p).max())


def bounds(promised: Promise, failure: float, sides: int) -> tuple[Array, Array]:
    """What is said of the posterior at each prior."""
    found = posterior(promised, PRIORS, failure=failure, sides=sides)
    lower = np.asarray(found.lower) if sides == 2 else np.zeros(len(PRIORS))
    return lower, np.asarray(found.upper)


def check_no_prior_beats(promised: Promise, vectors: Vectors, failure: float, sides: int) -> None:
    """In both orders, at every prior, the bounds fail with at most the failure."""
    said = bounds(promised, failure, sides)
    for pair in (vectors, vectors[::-1]):
        assert failing(pair, *said) <= failure * (1 + HAIR) + 1e-15


def divergence(p, q, alpha: float) -> float:
    with np.errstate(divide="ignore"):
        losses = np.log(p[p > 0]) - np.log(q[p > 0])
    if np.isinf(losses).any():
        return math.inf
    return float(np.logaddexp.reduce(np.log(p[p > 0]) + (alpha - 1) * losses)) / (alpha - 1)


def kept(vectors: Vectors, epsilon: float) -> list[Promise]:
    """Promises of each kind that the pair keeps, hardly larger than they must be, and the pair itself."""
    curve = Curve.exact(FinitePair.of(*vectors))
    delta = float(curve.delta(epsilon).upper)
    tail = float(curve.tail(epsilon).upper)
    promises: list[Promise] = [Finite(*vectors), ApproxDP(epsilon, delta), ProbabilisticDP(epsilon, tail, sides=1)]
    largest = float(largest_loss(Finite(*vectors), 0.0))
    if math.isfinite(largest):
        # The divergence over the order is at most the largest loss; half its square bounds it for small losses.
        worst = max(divergence(*pair, 2.0) for pair in (vectors, vectors[::-1])) * (1 + HAIR) + 1e-15
        promises += [PureDP(largest), ZeroConcentratedDP(largest**2 / 2 * (1 + HAIR)), RenyiDP({2.0: worst})]
    return promises


@settings(max_examples=12)
@given(finite_pairs(5), st.floats(0.0, 3.0), st.floats(1e-4, 0.6), st.sampled_from([1, 2]))
def test_no_pair_and_no_prior_beats_a_bound(vectors: Vectors, epsilon: float, failure: float, sides: int) -> None:
    for promised in kept(vectors, epsilon):
        try:
            check_no_prior_beats(promised, vectors, failure, sides)
        except NotImplied:  # the failure is not above the delta of this pair
            continue


def with_a_rest(rng: np.random.Generator, epsilon: float, delta: float) -> Vectors:
    """A random pair that keeps (epsilon, delta) and no smaller delta, if need be by an outcome that tells nothing."""
    p, q = random_pair(rng, int(rng.integers(2, 7)))
    own = max(float(np.maximum(a - math.exp(epsilon) * b, 0.0).sum()) for a, b in ((p, q), (q, p)))
    share = min(1.0, delta * (1 - HAIR) / own) if own > 0 else 1.0
    return np.append(share * p, 1 - share), np.append(share * q, 1 - share)


def with_bounded_losses(rng: np.random.Generator, epsilon: float) -> Vectors:
    """A random pair whose losses lie within epsilon of each other, and so of 0 on both sides."""
    p = random_pair(rng, int(rng.integers(2, 7)))[0]
    q = p * np.exp(epsilon * rng.random(len(p)) * (1 - HAIR))
    return p, q / q.sum()


def check_many(promise: Promise, failure: float, make: Callable[[], Vectors], rounds: int) -> None:
    """Mechanisms that keep the promise never beat its bounds, and some come near to the failure that is allowed."""
    for sides in (1, 2):
        said = bounds(promise, failure, sides)
        for _ in range(rounds):
            vectors = make()
            assert max(failing(pair, *said) for pair in (vectors, vectors[::-1])) <= failure * (1 + HAIR)


@pytest.mark.parametrize(("epsilon", "delta", "failure"), [(0.0, 0.05, 0.3), (0.1, 1e-3, 0.01), (1.0, 0.1, 0.15)])
def test_thousands_of_mechanisms_never_beat_approximate_privacy(epsilon, delta, failure) -> None:
    rng = np.random.default_rng(11)
    check_many(ApproxDP(epsilon, delta), failure, lambda: with_a_rest(rng, epsilon, delta), 1500)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 5.0])
def test_thousands_of_mechanisms_never_beat_pure_privacy(epsilon) -> None:
    rng = np.random.default_rng(12)
    check_many(PureDP(epsilon), 0.0, lambda: with_bounded_losses(rng, epsilon), 1000)


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_thousands_of_mechanisms_never_beat_concentrated_privacy(epsilon) -> None:
    """Losses within epsilon make a release zero-concentrated with rho = epsilon^2 / 2."""
    rng = np.random.default_rng(13)
    promise = ZeroConcentratedDP(epsilon**2 / 2)
    check_many(promise, 0.05, lambda: with_bounded_losses(rng, epsilon), 1000)


def test_a_promise_that_is_too_small_is_caught() -> None:
    """The referee finds a bound that is too low: the tests above can fail."""
    vectors = np.array([0.75, 0.25]), np.array([0.25, 0.75])
    with pytest.raises(AssertionError, match="assert"):
        check_no_prior_beats(PureDP(1.09), vectors, 0.0, 1)
    check_no_prior_beats(PureDP(1.0986122886681100), vectors, 0.0, 1)


@settings(max_examples=12)
@given(st.lists(st.integers(1, 50), min_size=3, max_size=3), st.lists(st.integers(1, 50), min_size=3, max_size=3))
def test_pure_bounds_hold_for_every_outcome_in_rational_arithmetic(first: list[int], second: list[int]) -> None:
    p, q = ([Fraction(each, sum(weights)) for each in weights] for weights in (first, second))
    largest = max(max(a / b, b / a) for a, b in zip(p, q, strict=True))
    promise = PureDP(float(mpmath.log(largest.numerator) - mpmath.log(largest.denominator)) * (1 + 1e-15) + 1e-300)
    priors = (Fraction(1, 1000), Fraction(2, 5), Fraction(99, 100))
    # A prior that is no double lies between two: each bound is taken at the double on its own side.
    above, below = (np.nextafter([float(prior) for prior in priors], end) for end in (1.0, 0.0))
    highest, lowest = posterior(promise, above).value, posterior(promise, below, sides=2).lower
    for prior, least, most in zip(priors, lowest, highest, strict=True):
        for a, b in zip(p, q, strict=True):
            assert Fraction(least) <= prior * a / (prior * a + (1 - prior) * b) <= Fraction(most)


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 1.0, 4.0])
def test_randomized_response_attains_the_bounds_of_pure_privacy(epsilon: float) -> None:
    """Its posteriors are the ends of the interval, its ratio and difference the largest there are."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    for prior in (1e-9, 0.3, 0.9):
        after = prior * truth / (prior * truth + (1 - prior) * (1 - truth))
        assert float(posterior(PureDP(epsilon), prior)) == pytest.approx(after, rel=1e-12)
        assert float(odds(PureDP(epsilon), prior)) == pytest.approx(after / (1 - after), rel=1e-9)
        assert float(posterior(RandomizedResponse(epsilon), prior)) == pytest.approx(after, rel=1e-12)
    rare = 1e-9
    after = rare * truth / (rare * truth + (1 - rare) * (1 - truth))
    assert float(largest_ratio(PureDP(epsilon))) == pytest.approx(after / rare, rel=1e-6)
    worst = 1 / (1 + math.exp(epsilon / 2))
    after = worst * truth / (worst * truth + (1 - worst) * (1 - truth))
    assert float(largest_difference(PureDP(epsilon))) == pytest.approx(after - worst, rel=1e-9)


def three_outcomes(epsilon: float, delta: float, t: float) -> Vectors:
    """The pair that attains the tail bound of (epsilon, delta) at t: +, - and a rest that tells nothing."""
    a = delta / (1 - math.exp(epsilon - t))
    assert a * (1 + math.exp(-t)) <= 1
    p = np.array([a, a * math.exp(-t), 1 - a - a * math.exp(-t)])
    return p, p[[1, 0, 2]]


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("epsilon", "delta", "t"), [(0.1, 1e-7, 0.1001), (1.8, 1e-5, 1.81), (0.5, 0.01, 1.0)])
def test_three_outcomes_attain_the_bounds_of_approximate_privacy(epsilon, delta, t, sides) -> None:
    vectors = three_outcomes(epsilon, delta, t)
    p, q = vectors
    assert float(np.maximum(p - math.exp(epsilon) * q, 0.0).sum()) <= delta * (1 + 1e-9)
    beyond = float(p[0] + (p[1] if sides == 2 else 0.0))
    promise = ApproxDP(epsilon, delta)
    # With a little less failure than the two outcomes have together, the bound must reach them; with more it need not.
    for prior in (0.1, 0.5):
        after = prior * p[0] / (prior * p[0] + (1 - prior) * q[0])
        bound = posterior(promise, prior, failure=beyond * (1 - 1e-9), sides=sides).upper
        assert float(bound) >= after * (1 - 1e-12)
        assert float(bound) == pytest.approx(after, rel=1e-6)
        if sides == 2:
            fallen = prior * p[1] / (prior * p[1] + (1 - prior) * q[1])
            bound = posterior(promise, prior, failure=beyond * (1 - 1e-9), sides=2).lower
            assert float(bound) <= fallen * (1 + 1e-12)
            assert float(bound) == pytest.approx(fallen, rel=1e-6)


@pytest.mark.parametrize(("mu", "failure"), [(0.1, 0.3), (0.374, 0.01), (1.0, 1e-6), (3.0, 0.01)])
def test_gaussian_noise_attains_its_bounds(mu: float, failure: float) -> None:
    """The output at which the loss has its quantile gives the posterior; asked in 50 digits."""
    mechanism = Gaussian(1 / mu)
    size = mpmath.mpf(mechanism.curve().face.mu)
    quantile = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(failure))
    loss = max(size * size / 2 + size * quantile, mpmath.mpf(0))
    priors = [1e-9, 0.3, 0.9]
    starts = [mpmath.mpf(prior) for prior in priors]
    after = [start / (start + (1 - start) * mpmath.exp(-loss)) for start in starts]
    ratios, differences = ([f(x, p) for x, p in zip(after, starts, strict=True)] for f in (truediv, sub))
    for question, truths in ((posterior, after), (ratio, ratios), (difference, differences)):
        for found, truth in zip(question(mechanism, priors, failure=failure).value, truths, strict=True):
            assert found >= truth * (1 - mpmath.mpf(10) ** -40)
            assert found == pytest.approx(float(truth), rel=1e-6)


@settings(max_examples=15)
@given(finite_pairs(4), st.floats(1e-6, 1 - 1e-6), st.floats(0.01, 0.5))
def test_the_more_is_known_the_tighter_the_bound(vectors: Vectors, prior: float, failure: float) -> None:
    """The mechanism itself, then its tail as a promise, then its profile at one point."""
    mechanism = Finite(*vectors)
    loss = float(largest_loss(mechanism, failure))
    if not math.isfinite(loss):
        return
    curve = Curve.exact(FinitePair.of(*vectors))
    promises = [mechanism, ProbabilisticDP(loss, failure, sides=1), ApproxDP(loss, float(curve.delta(loss).upper))]
    found = [float(posterior(promised, prior, failure=failure)) for promised in promises]
    assert found[0] <= found[1] * (1 + 1e-12)
    assert found[1] <= found[2] * (1 + 1e-12)
