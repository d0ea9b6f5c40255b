"""The hint says what a failure probability would do, and takes no search where one point of the profile decides."""

from __future__ import annotations

import math

import pytest

from whit import assess
from whit.apps.asking import hints
from whit.apps.asking.hints import NOT_ALWAYS, TOO_FREQUENT, TOO_LITTLE, hint_of
from whit.curves import Promise
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import DiscreteGaussian, Gaussian
from whit.setting import Adversary

PROMISES = [
    *(Gaussian(sigma) for sigma in (0.1, 0.3, 0.4, 0.5, 1.0, 3.0)),
    *(DiscreteGaussian(sigma) for sigma in (0.2, 0.5, 2.0)),
    *(ApproxDP(epsilon, delta) for epsilon in (1.0, 6.0, 12.0) for delta in (1e-6, 0.009)),
]


def hint(promise: Promise, prior: float) -> tuple[str, ...]:
    return hint_of(promise, [Adversary(prior=prior)], neighbours=None, failure=0.0)


@pytest.mark.parametrize("prior", [0.001, 0.1, 0.5, 0.99, 0.9995])
@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_a_failure_is_advised_where_it_makes_a_difference_and_nowhere_else(promise, prior):
    bound = float(assess(promise, Adversary(prior=prior), failure=0.01).posterior.worst)
    helps = bound < max(0.999, (1 + prior) / 2)
    assert hint(promise, prior) == ((NOT_ALWAYS,) if helps else (TOO_LITTLE,))


@pytest.mark.parametrize("delta", [0.01, 0.02, 0.5])
def test_what_gives_the_fact_away_too_often_is_named(delta):
    assert hint(ApproxDP(1.0, delta), 0.1) == (TOO_FREQUENT,)


def test_a_promise_with_a_bound_needs_no_hint():
    assert hint(PureDP(30.0), 0.1) == ()


def test_where_one_point_of_the_profile_decides_nothing_is_searched(monkeypatch):
    monkeypatch.setattr(hints, "assess_one", lambda *_, **__: pytest.fail("searched"))
    monkeypatch.setattr(hints, "largest_loss", _only_of_nothing)
    assert hint(Gaussian(0.1), 0.1) == (TOO_LITTLE,)


def _only_of_nothing(_: Promise, failure: float, **__: object) -> float:
    assert failure == 0.0, "searched"
    return math.inf
