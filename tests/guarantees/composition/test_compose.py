"""Promises of any kind together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import FinitePair, GaussianLoss
from whit.errors import NotImplied
from whit.guarantees import (
    FDP,
    ApproxDP,
    GaussianDP,
    Known,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    compose,
)
from whit.setting import Neighbours


@pytest.mark.parametrize(
    ("promises", "together", "theorem"),
    [
        ((PureDP(1.0), PureDP(0.5)), PureDP(1.5), "basic-composition"),
        ((ApproxDP(1.0, 0.25), ApproxDP(0.5, 0.5)), ApproxDP(1.5, 0.75), "basic-composition"),
        ((ZeroConcentratedDP(1.0), ZeroConcentratedDP(0.5)), ZeroConcentratedDP(1.5), "zcdp-composition"),
        ((GaussianDP(3.0), GaussianDP(4.0)), GaussianDP(5.0), "gaussian-composition"),
        ((RenyiDP({2: 1.0}), RenyiDP({2: 0.5})), RenyiDP({2: 1.5}), "renyi-composition"),
        ((RenyiDP({2: 1.0}), ZeroConcentratedDP(0.5)), RenyiDP({2: 2.0}), "renyi-composition"),
        ((PureDP(1.0),), PureDP(1.0), "basic-composition"),
    ],
)
def test_promises_of_one_kind_compose_by_their_own_rule(promises, together, theorem):
    found = compose(*promises)
    assert found.promise == together
    assert found.theorem == theorem
    assert found.adaptive is Known.YES


def test_promises_of_different_kinds_compose_through_their_pairs():
    found = compose(PureDP(1.0, neighbours=Neighbours.REPLACE), ApproxDP(0.5, 1e-3, neighbours=Neighbours.REPLACE))
    assert isinstance(found.promise, FDP)
    assert found.promise.neighbours is Neighbours.REPLACE
    assert found.theorem == "dominating-pairs-compose"
    assert float(found.promise.delta(1.5)) == pytest.approx(1e-3, rel=1e-9)
    # By hand: the product of two coins and of infinite loss 1e-3. At epsilon 0.6 only the loss of 1.5 counts.
    heads = [1 / (1 + np.exp(-1.0)), 1 / (1 + np.exp(-0.5))]
    by_hand = 1e-3 + (1 - 1e-3) * heads[0] * heads[1] * (1 - np.exp(0.6 - 1.5))
    assert float(found.promise.delta(0.6)) == pytest.approx(by_hand, rel=1e-9)


def test_a_delta_that_only_one_promise_has_stays_what_it_is():
    """By adding up: (0.1 + 0.2, 1e-6)."""
    together = compose(ApproxDP(0.1, 1e-6), PureDP(0.2)).promise
    assert 0.1 + 0.2 <= float(together.epsilon(1e-6)) == pytest.approx(0.3, rel=1e-14)
    assert float(together.epsilon(0.99e-6)) == np.inf


def test_trade_off_functions_and_gaussians_compose():
    assert compose(FDP(GaussianLoss(3.0)), GaussianDP(4.0)).promise == FDP(GaussianLoss(5.0))


@settings(max_examples=30)
@given(st.floats(0.05, 1.0), st.floats(0.05, 1.0), st.floats(0.0, 2.0))
def test_going_through_pairs_is_never_worse_than_adding_up(e1, e2, epsilon):
    together = compose(PureDP(e1), ApproxDP(e2, 1e-4)).promise
    added = compose(ApproxDP(e1, 0.0), ApproxDP(e2, 1e-4)).promise
    assert float(together.delta(epsilon)) <= float(added.delta(epsilon)) * (1 + 1e-9) + 1e-12


def test_renyi_promises_do_not_mix_with_others():
    with pytest.raises(
        NotImplied, match=r"do not compose with promises of another kind .* Convert all promises to one"
    ):
        compose(ZeroConcentratedDP(1.0), PureDP(1.0))


def test_a_dominated_mechanism_stays_below_the_composition():
    p, q = np.array([0.6, 0.3, 0.1]), np.array([0.3, 0.3, 0.4])
    epsilon = float(np.max(np.abs(np.log(p / q))))
    together = compose(PureDP(epsilon), GaussianDP(0.0)).promise
    twice = FinitePair.of(p, q)
    assert np.all(
        np.exp(twice.log_delta([0.0, 0.5, 1.0]).lower) <= together.delta([0.0, 0.5, 1.0]).value * (1 + 1e-9) + 1e-15
    )
