"""The largest power at a level: the closed forms of each promise, in 50 digits, and the ends of the scale."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import from_deltas, from_dp_accounting, from_powers
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticallyBoundedDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Kernel, RandomizedResponse
from whit.semantics.testing import log_power, power
from whit.setting import Knowledge, Neighbours
from whit.theory import Direction

LEVELS = np.array([0.0, 1e-300, 1e-9, 0.05, 0.5, 0.999, 1.0])


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1.0, 710.0, 1e4])
def test_pure_power_is_the_smaller_of_two_lines(epsilon: float) -> None:
    found = power(PureDP(epsilon), LEVELS)
    for level, value in zip(LEVELS, found.value, strict=True):
        a, factor = mpmath.mpf(level), mpmath.exp(mpmath.mpf(epsilon))
        exact = min(factor * a, -mpmath.expm1(-mpmath.mpf(epsilon)) + a / factor, mpmath.mpf(1))
        assert value >= exact * (1 - mpmath.mpf(2) ** -52)
        assert value <= exact * (1 + mpmath.mpf("1e-12"))
    assert found.direction is Direction.AT_MOST
    assert "power-under-pure" in found.basis.theorems


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-300), (0.5, 0.01), (0.0, 0.3), (1e4, 1e-6)])
def test_approximate_power_is_the_smaller_of_two_lines(epsilon: float, delta: float) -> None:
    found = power(ApproxDP(epsilon, delta), LEVELS)
    for level, value in zip(LEVELS, found.value, strict=True):
        a, d, factor = mpmath.mpf(level), mpmath.mpf(delta), mpmath.exp(mpmath.mpf(epsilon))
        exact = min(factor * a + d, -mpmath.expm1(-mpmath.mpf(epsilon)) + (a + d) / factor, mpmath.mpf(1))
        assert value >= exact * (1 - mpmath.mpf(2) ** -52)
        assert value <= exact * (1 + mpmath.mpf("1e-12"))
    assert "power-under-approximate" in found.basis.theorems


def test_gaussian_power_is_an_interval_around_the_closed_form() -> None:
    found = power(Gaussian(0.5), [0.01, 0.05])
    assert found.direction is Direction.EXACTLY
    for place, level in enumerate((0.01, 0.05)):
        quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(level) - 1)
        exact = mpmath.ncdf(quantile + 2)
        assert found.lower[place] <= exact <= found.upper[place]
        assert found.upper[place] - found.lower[place] < 1e-13


def test_a_power_too_small_for_a_double_keeps_its_log() -> None:
    found = log_power(PureDP(1.0), [-2000.0, -np.inf, 0.0])
    assert found.value[0] == pytest.approx(-1999.0, rel=1e-15)
    assert found.value[1:].tolist() == [-np.inf, 0.0]
    assert log_power(ZeroConcentratedDP(0.5), -5000.0).value < -4000.0


def test_the_power_of_many_orders_is_below_that_of_each() -> None:
    orders = {1.5: 0.2, 4.0: 0.6, 32.0: 3.0}
    together = float(power(RenyiDP(orders), 0.05))
    assert all(together <= float(power(RenyiDP({a: g}), 0.05)) * (1 + 1e-13) for a, g in orders.items())


def test_the_relation_between_datasets_is_taken_into_account() -> None:
    added, replaced = power(PureDP(0.5), 0.05), power(PureDP(0.5), 0.05, neighbours=Neighbours.REPLACE)
    assert float(replaced) == pytest.approx(0.05 * np.e, rel=1e-14)
    assert float(added) < float(replaced)
    assert replaced.inputs["neighbours"] == "REPLACE"


def test_the_direction_is_that_of_the_curve() -> None:
    class Table:
        def get_delta_for_epsilon(self, epsilon: list[float]) -> list[float]:
            return [max(0.0, 0.1 - 0.1 * each) for each in epsilon]

    assert power(from_deltas([1.0], [0.01]), 0.05).direction is Direction.AT_MOST
    assert power(from_powers([0.01], [0.2]), 0.05).direction is Direction.AT_LEAST
    assert power(from_dp_accounting(Table()), 0.05).direction is Direction.ABOUT


def test_when_everyone_else_is_random_an_exact_curve_becomes_an_upper_bound() -> None:
    known, random = (
        power(RandomizedResponse(1.0), 0.05, knows=knows) for knows in (Knowledge.EVERYONE_ELSE, Knowledge.ANY_BELIEF)
    )
    assert known.direction is Direction.EXACTLY
    assert random.direction is Direction.AT_MOST
    assert float(random) == float(known.upper)
    assert {"power-is-concave", "tests-when-the-rest-is-random"} <= set(random.basis.theorems)


def test_somebody_who_does_not_know_the_others_adds_what_is_believed_of_them_and_nothing_about_the_software() -> None:
    """The bound on the pairs is given; a mean over the others needs that they are alike under both hypotheses."""
    known, random = (
        set(power(PureDP(1.0), 0.05, knows=knows).basis.assumptions)
        for knows in (Knowledge.EVERYONE_ELSE, Knowledge.ANY_BELIEF)
    )
    assert random - known == {"others-do-not-depend-on-person"}
    assert "noise-as-modelled" not in random
    assert "noise-as-modelled" in power(Gaussian(1.0), 0.05, knows=Knowledge.ANY_BELIEF).basis.assumptions


def test_a_promise_that_mixing_breaks_is_bounded_by_its_hull() -> None:
    """A point of pbdp is not convex: Example 5.8 mixes two releases beyond it."""
    promise = ProbabilisticallyBoundedDP(1.0, 0.05)
    at = 0.05 * np.exp(-1.0)
    assert float(power(promise, at)) == pytest.approx(0.05, rel=1e-9)
    assert float(power(promise, at, knows=Knowledge.ANY_BELIEF)) > 0.051


def test_an_audit_says_nothing_of_somebody_who_knows_less() -> None:
    with pytest.raises(
        NotImplied,
        match=r"a test by somebody who does not is not bounded from below .* Ask with knows=Knowledge.EVERYONE_ELSE",
    ):
        power(from_powers([0.01], [0.2]), 0.05, knows=Knowledge.ANY_BELIEF)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: power(PureDP(1.0), 1.5), r"level must be a probability in \[0, 1\] .*; got 1.5. Use a rate"),
        (lambda: power(PureDP(1.0), "a"), "level must be a number or an array of numbers; got a. Use a rate"),
        (lambda: power(1.0, 0.5), "promise must be a promise, a mechanism or a curve; got 1.0"),
        (lambda: log_power(PureDP(1.0), 0.5), "log_level must be at most 0; got 0.5. Pass the natural log"),
        (
            lambda: power(PureDP(1.0), 0.5, knows="everyone"),
            "knows must be one of Knowledge; got everyone. Use one of .*Knowledge.EVERYONE_ELSE",
        ),
    ],
)
def test_bad_input_is_answered_in_one_sentence(ask: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        ask()  # type: ignore[operator]


def test_several_pairs_of_neighbours_are_answered_by_the_worst() -> None:
    release = Kernel([[0.5, 0.5], [0.25, 0.75], [0.1, 0.9]], [(0, 1), (1, 2)])
    assert float(power(release, 0.1)) == pytest.approx(0.25, rel=1e-12)  # 0.25 against 0.1, at ratio 2.5
    assert float(power(GaussianDP(0.0), 0.1)) == pytest.approx(0.1, rel=1e-12)
