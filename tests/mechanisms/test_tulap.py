"""Tulap noise, from its density: a sum of two geometric numbers and a uniform one, cut off in many digits."""

from __future__ import annotations

import math
from itertools import pairwise

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP
from whit.mechanisms import Gaussian, Staircase, Tulap
from whit.policy import limits, recommend
from whit.setting import Neighbours, Sensitivity

CASES = [(1.0, 1e-3), (0.1, 1e-6), (0.01, 0.2), (3.0, 0.1), (0.5, 0.9), (2.0, 0.0), (5.0, 1e-12)]


class Density:
    """The law of the noise: plateaus b^|k| around whole numbers k, between -end and end."""

    def __init__(self, epsilon: float, delta: float) -> None:
        self.b, d = mpmath.exp(-mpmath.mpf(epsilon)), mpmath.mpf(delta)
        self.cut = 2 * d * self.b / (1 - self.b + 2 * d * self.b)
        self.end = self._end() if delta > 0 else mpmath.inf

    def before(self, x: mpmath.mpf) -> mpmath.mpf:
        """P[noise >= x] before the cut, for x of at least 0."""
        k = int(mpmath.floor(x + 0.5))
        height = (1 - self.b) / (1 + self.b)
        return height * self.b**k * (k + mpmath.mpf(0.5) - x) + self.b ** (k + 1) / (1 + self.b)

    def _end(self) -> mpmath.mpf:
        k = 0
        while self.before(mpmath.mpf(k) + 0.5) > self.cut / 2:
            k += 1
        over = self.cut / 2 - self.before(mpmath.mpf(k) + 0.5)
        return k + mpmath.mpf(0.5) - over / ((1 - self.b) / (1 + self.b) * self.b**k)

    def tail(self, x: float) -> mpmath.mpf:
        x = mpmath.mpf(x)
        if x < 0:
            return 1 - self.tail(-x)
        return max((self.before(x) - self.cut / 2) / (1 - self.cut), mpmath.mpf(0))

    def height(self, x: mpmath.mpf) -> mpmath.mpf:
        if abs(x) > self.end:
            return mpmath.mpf(0)
        return (1 - self.b) / (1 + self.b) * self.b ** int(mpmath.floor(abs(x) + 0.5)) / (1 - self.cut)

    def delta(self, at: float, change: float = 1.0) -> mpmath.mpf:
        """Delta by the places where one of the two densities steps."""
        end = min(self.end, mpmath.mpf(60) / -mpmath.log(self.b) + 2)
        reach = int(mpmath.ceil(end)) + 2
        steps = [mpmath.mpf(k) + 0.5 for k in range(-reach, reach)] + [-end, end]
        steps = sorted({*steps, *(step + change for step in steps)})
        return mpmath.fsum(
            max(self.height((a + c) / 2) - mpmath.exp(at) * self.height((a + c) / 2 - change), 0) * (c - a)
            for a, c in pairwise(steps)
        )

    def variance(self) -> mpmath.mpf:
        ends = [mpmath.mpf(0), *(mpmath.mpf(k) + 0.5 for k in range(int(mpmath.floor(self.end + 0.5)))), self.end]
        pieces = pairwise(ends)
        return 2 * mpmath.fsum(self.height((a + c) / 2) * (c**3 - a**3) / 3 for a, c in pieces)


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
def test_the_profile_is_that_of_two_densities(epsilon: float, delta: float) -> None:
    law = Density(epsilon, delta)
    for at in (0.0, 0.3 * epsilon, 0.99 * epsilon, epsilon, 3 * epsilon):
        found = Tulap(epsilon, delta).delta(at)
        truth = law.delta(at)
        assert float(found.lower) * (1 - 1e-9) - 1e-20 <= truth <= float(found.upper) * (1 + 1e-9) + 1e-20


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
def test_all_that_the_promise_allows_is_possible_and_no_more(epsilon: float, delta: float) -> None:
    levels = np.array([0.0, 1e-9, 0.01, 0.3, 0.9, 1.0])
    noise, promise = Tulap(epsilon, delta).power(levels), ApproxDP(epsilon, delta).power(levels)
    np.testing.assert_allclose(noise.upper, promise.upper, rtol=1e-12)
    np.testing.assert_allclose(noise.lower, promise.upper, rtol=1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
@pytest.mark.parametrize("change", [0.2, 0.5, 0.9])
def test_smaller_changes_are_told_less(epsilon: float, delta: float, change: float) -> None:
    law, found = Density(epsilon, delta), Tulap(epsilon, delta)
    for at in (0.0, 0.5 * epsilon, epsilon):
        # The density itself is known to some forty digits.
        assert law.delta(at, change) <= float(found.delta(at).upper) * (1 + 1e-12) + mpmath.mpf("1e-40")


@pytest.mark.parametrize(("epsilon", "delta"), [case for case in CASES if case[1] > 0])
def test_the_errors_are_those_of_the_law(epsilon: float, delta: float) -> None:
    law, found = Density(epsilon, delta), Tulap(epsilon, delta)
    deviation = found.standard_deviation()
    assert float(deviation.lower) <= mpmath.sqrt(law.variance()) <= float(deviation.upper)
    end = found.error_quantile(1.0)
    assert float(end.lower) <= law.end <= float(end.upper)
    for chance in (0.05, 0.5, 0.95, 0.999):
        error = found.error_quantile(chance)
        assert 2 * law.tail(float(error.upper)) <= 1 - mpmath.mpf(chance) <= 2 * law.tail(float(error.lower))
        assert float(error.upper) == pytest.approx(float(error.lower), rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
def test_the_tail_of_the_noise_is_bounded_closely(epsilon: float, delta: float) -> None:
    law = Density(epsilon, delta)
    for x in (-2.3, -0.5, 0.0, 0.4, 1.0, 1.7, 6.0):
        found = float(Tulap(epsilon, delta).noise_tail(x).upper)
        assert law.tail(x) <= found <= law.tail(x) * (1 + 1e-9) + 1e-14


def test_without_a_delta_it_is_staircase_noise_with_a_plateau_of_one_step() -> None:
    noise, same = Tulap(0.7, sensitivity=Sensitivity(add_remove=2.5, replace=3)), Staircase(0.7, gamma=0.5)
    assert float(noise.standard_deviation()) == pytest.approx(float(same.standard_deviation()), rel=1e-13)
    for relation, change in ((Neighbours.ADD_REMOVE, 2.5), (Neighbours.REPLACE, 3)):
        stairs = Staircase(0.7, gamma=0.5, sensitivity=Sensitivity(add_remove=change, replace=change))
        at = np.array([0.0, 0.5, 1.0, 2.0])
        np.testing.assert_allclose(noise.delta(at, neighbours=relation).upper, stairs.delta(at).upper, rtol=1e-12)


def test_a_step_is_the_change_that_the_noise_is_made_for() -> None:
    wide = Tulap(1.0, 1e-3, step=3.0, sensitivity=Sensitivity(add_remove=3, replace=3))
    assert float(wide.delta(0.5).upper) == float(Tulap(1.0, 1e-3).delta(0.5).upper)
    assert float(wide.standard_deviation()) == pytest.approx(3 * float(Tulap(1.0, 1e-3).standard_deviation()))
    with pytest.raises(NotImplied, match="the loss of Tulap noise is known for changes of one step only"):
        Tulap(1.0, 1e-3, sensitivity=Sensitivity(add_remove=2, replace=2)).delta(0.5)


def test_two_cells_are_two_releases() -> None:
    histogram = Tulap(1.0, 1e-3, sensitivity=Sensitivity.histogram())
    twice = ApproxDP(1.0, 1e-3).curve().times(2)
    found = histogram.delta([0.5, 1.5], neighbours=Neighbours.REPLACE)
    np.testing.assert_allclose(found.upper, twice.delta([0.5, 1.5]).upper, rtol=1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), [(1e-15, 1e-9), (1e-9, 0.1), (1e4, 1e-300), (700.0, 0.5), (1e-12, 0.0)])
def test_extremes_have_errors_that_are_numbers(epsilon: float, delta: float) -> None:
    noise = Tulap(epsilon, delta)
    assert 0.28 < float(noise.standard_deviation().upper) < math.inf
    errors = np.asarray(noise.error_quantile([0.0, 0.5, 0.9]).upper)
    assert np.all(np.isfinite(errors))
    assert np.all(np.diff(errors) > 0)
    assert math.isinf(float(noise.error_quantile(1.0).upper)) == (delta == 0.0)
    assert np.all(np.isfinite(noise.sample(np.random.default_rng(2), 20)))


def test_draws_follow_the_law() -> None:
    draws = np.abs(Tulap(1.0, 1e-2).sample(np.random.default_rng(11), 20_000))
    law = Density(1.0, 1e-2)
    for x in (0.3, 1.0, 2.2):
        assert abs(np.mean(draws >= x) - float(2 * law.tail(x))) < 5 * math.sqrt(0.25 / 20_000)
    assert draws.max() <= float(law.end) * (1 + 1e-9)


def test_an_epsilon_is_recommended() -> None:
    found = recommend(limits.power(0.2, level=0.05), Tulap)
    assert float(found.parameter) == pytest.approx(math.log(4), rel=1e-6)


def test_it_spreads_less_than_gaussian_noise_with_the_same_promise() -> None:
    """For a small delta and epsilon 1, by about a third of the variance; not an identity, but the point of it."""
    sigma = float(recommend(ApproxDP(1.0, 1e-6), Gaussian).parameter)
    assert float(Tulap(1.0, 1e-6).standard_deviation()) < sigma / 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": 0.0}, "epsilon must be a finite number above 0; got 0.0"),
        ({"epsilon": 1.0, "delta": 1.0}, "delta must be below 1; got 1.0. Use a small probability"),
        ({"epsilon": 1.0, "delta": -1.0}, "delta must be a probability"),
        ({"epsilon": 1.0, "step": 0.0}, "step must be"),
    ],
)
def test_what_is_no_tulap_noise_is_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Tulap(**arguments)
