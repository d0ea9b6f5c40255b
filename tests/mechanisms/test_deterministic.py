"""No noise: all or nothing."""

from __future__ import annotations

import numpy as np
import pytest
from ends import middle

from whit.mechanisms import Deterministic
from whit.setting import Neighbours, Sensitivity

NEARLY_ONE = 1 - 1e-14


def test_an_answer_that_changes_gives_everything_away() -> None:
    exact = Deterministic()
    assert float(exact.delta(1e6).lower) > NEARLY_ONE
    assert float(exact.power(0.0).lower) > NEARLY_ONE
    assert float(exact.tail(1e6).lower) > NEARLY_ONE
    assert float(exact.epsilon(0.5).lower) == np.inf


def test_an_answer_that_does_not_change_gives_nothing_away() -> None:
    total = Deterministic(sensitivity=Sensitivity(add_remove=1, replace=0))
    assert float(total.delta(0.0, neighbours=Neighbours.REPLACE).upper) == 0.0
    assert float(middle(total.power(0.3, neighbours=Neighbours.REPLACE))) == pytest.approx(0.3, rel=1e-15)
    assert float(total.delta(0.0, neighbours=Neighbours.ADD_REMOVE).lower) > NEARLY_ONE


def test_there_is_no_error() -> None:
    exact = Deterministic()
    assert float(exact.standard_deviation()) == 0.0
    assert exact.error_quantile([0.5, 1.0]).value.tolist() == [0.0, 0.0]
    assert float(exact.probability_of_exact_answer()) == 1.0
    assert exact.noise_tail([-1.0, 0.0, 1e-300]).value.tolist() == [1.0, 1.0, 0.0]
    assert not exact.sample(np.random.default_rng(0), (2, 3)).any()
