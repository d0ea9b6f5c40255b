"""The success of a guess about a record, against worlds in which every guess can be tried."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Finite, Gaussian, RandomizedResponse
from whit.semantics.testing import power, success
from whit.setting import Neighbours


def test_it_is_the_power_at_the_baseline():
    for promise in (PureDP(1.0), ApproxDP(0.5, 1e-6), Gaussian(2.0)):
        for baseline in (0.0, 1e-6, 0.01, 0.5, 1.0):
            assert float(success(promise, baseline)) == pytest.approx(float(power(promise, baseline)), rel=1e-12)


def test_nothing_released_leaves_the_baseline():
    assert success(PureDP(0.0), [0.01, 0.3]).value == pytest.approx([0.01, 0.3], rel=1e-12)


@pytest.mark.parametrize("values", [2, 5, 100])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_randomized_response_is_guessed_with_less(values, epsilon):
    """The best guess is the report: right with e^epsilon/(e^epsilon + values - 1), from one in so many."""
    truth = math.exp(epsilon) / (math.exp(epsilon) + values - 1)
    mechanism = RandomizedResponse(epsilon, categories=values)
    assert truth <= float(success(mechanism, 1 / values, neighbours=Neighbours.REPLACE))


def test_random_guesses_and_records_keep_to_it_and_one_reaches_it():
    """Ten thousand beliefs, right guesses and releases on one record: none above the bound of the worst pair."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        outputs = int(rng.integers(2, 5))
        laws = rng.dirichlet(np.ones(outputs), size=int(rng.integers(2, 5))) * 0.9 + 0.1 / outputs
        without = rng.dirichlet(np.ones(outputs)) * 0.9 + 0.1 / outputs
        # A promise that every record keeps, in both orders.
        epsilon = float(np.max(np.abs(np.log(laws / without)))) + 1e-12
        for _ in range(50):
            prior = rng.dirichlet(np.full(len(laws), 0.7))
            right = rng.random((len(laws), int(rng.integers(1, 5)))) < 0.5
            baseline = min(float((prior @ right).max()), 1.0)
            found = float(np.max(np.einsum("z,zt,zg->tg", prior, laws, right), axis=1).sum())
            bound = min(1.0, math.exp(epsilon) * baseline, 1 - math.exp(-epsilon) * (1 - baseline))
            assert found <= bound + 1e-12
        assert float(success(PureDP(epsilon), baseline)) == pytest.approx(bound, rel=1e-9)
    one = Finite([0.731, 0.269], [0.5, 0.5])
    assert float(success(one, 0.5)) == pytest.approx(0.731, rel=1e-12)


def test_a_baseline_is_a_probability():
    with pytest.raises(InvalidInput, match="baseline"):
        success(PureDP(1.0), 1.5)
