"""Privacy loss distributions of others, live and as Google's files have them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.exchange import OpenPoint, learn
from whit.theory import Direction


def pmf(step: float, first: int, values: list[float], infinity: float = 0.0) -> dict[str, Any]:
    names = ("discretization_interval", "min_key", "values", "infinity_mass")
    return {"pessimistic_pmf": dict(zip(names, (step, first, values, infinity), strict=True))}


def truth(step: float, first: int, values: list[float], infinity: float, epsilon: float) -> Any:
    """The sum of p (1 - e^(epsilon - loss)) over the losses beyond, with fifty digits."""
    with mpmath.workdps(50):
        losses = [mpmath.mpf(step) * (first + place) for place in range(len(values))]
        terms = [p * (1 - mpmath.exp(epsilon - loss)) for p, loss in zip(values, losses, strict=True) if loss > epsilon]
        return mpmath.fsum(terms) + infinity


def drawn(seed: int, atoms: int) -> tuple[float, int, list[float], float]:
    generator = np.random.default_rng(seed)
    weights = generator.integers(0, 1000, size=atoms + 1)
    total = int(weights.sum())
    exact = [float(Fraction(int(each), total)) for each in weights]
    return float(generator.choice([0.01, 0.1, 0.5])), int(generator.integers(-atoms, 1)), exact[1:], exact[0] * 1.0


@pytest.mark.parametrize(("seed", "atoms"), [(1, 3), (2, 40), (3, 400), (4, 2000)])
def test_delta_is_the_sum_over_the_losses_beyond_and_never_below_it(seed: int, atoms: int) -> None:
    given = drawn(seed, atoms)
    found = learn(pmf(*given))
    assert found.promise.direction is Direction.ABOUT  # type: ignore[attr-defined]
    for epsilon in (0.0, 0.03, 0.5, 1.7, 4.0):
        exact, delta = truth(*given, epsilon), float(found.promise.delta(epsilon))
        assert exact * (1 - mpmath.mpf(10) ** -15) <= delta <= exact * (1 + mpmath.mpf("1e-4")) + mpmath.mpf("1e-14")


def test_what_is_missing_from_the_masses_counts_as_an_infinite_loss() -> None:
    found = learn(pmf(1.0, 0, [0.5, 0.4999999]))
    assert float(found.promise.delta(50.0)) == pytest.approx(1e-7, rel=1e-6)


def test_the_names_may_be_spelled_as_writers_of_json_spell_them() -> None:
    inside = {"discretizationInterval": 0.5, "minKey": -1, "values": [0.25, 0.25, 0.25], "infinityMass": 0.25}
    spelled, plain = learn({"pessimisticPmf": inside}), learn(pmf(0.5, -1, [0.25] * 3, 0.25))
    assert float(spelled.promise.delta(0.2)) == float(plain.promise.delta(0.2))
    assert {OpenPoint.ORDER, OpenPoint.TRANSFORMED} <= set(spelled.open)


class PrivacyLossDistribution:
    """Answers as the live distribution does."""

    def get_delta_for_epsilon(self, epsilon: list[float]) -> list[float]:
        return [float(truth(1.0, -1, [0.25, 0.25, 0.5], 0.0, each)) for each in epsilon]


def test_a_live_distribution_is_read_through_its_own_call() -> None:
    found = learn(PrivacyLossDistribution())
    assert float(found.promise.delta(0.0)) == pytest.approx(0.5 * (1 - np.exp(-1.0)), rel=1e-4)


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (pmf(0.0, 0, [1.0]), r"discretization_interval must be above 0; got 0\.0"),
        (pmf(0.1, 0, []), "must be probabilities that add up to 1"),
        (pmf(0.1, 0, [0.5]), "must be probabilities that add up to 1; got 0.5"),
        (pmf(0.1, 0, [1.5, -0.5]), "must be probabilities"),
        (pmf(0.1, 0, [0.5, float("nan")]), r"values\[1\] must be a finite number"),
        (pmf(0.1, 0.5, [1.0]), "min_key must be a whole number"),  # type: ignore[arg-type]
        ({"pessimistic_pmf": {"min_key": 0}}, "pessimistic_pmf.values must be there"),
        ({"pessimistic_pmf": None}, "pessimistic_pmf must have fields by name"),
    ],
)
def test_what_is_no_distribution_is_refused_with_its_place(tree: object, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        learn(tree)
