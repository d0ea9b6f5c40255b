"""Budgets of Tumult and odometers of SmartNoise."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.exchange import OpenPoint, from_smartnoise, from_tumult, learn
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP


@pytest.mark.parametrize(
    ("budget", "promise"),
    [
        ({"epsilon": 1}, PureDP(1.0)),
        ({"epsilon": 1, "delta": 1e-6}, ApproxDP(1.0, 1e-6)),
        ({"epsilon": "0.5", "delta": 0}, PureDP(0.5)),
        ({"rho": 0.25}, ZeroConcentratedDP(0.25)),
    ],
)
def test_a_budget_is_a_promise(budget, promise):
    found = from_tumult(budget)
    assert found.promise == promise
    assert OpenPoint.SPENT in found.open


def test_steps_are_composed_and_not_summed_by_the_odometer():
    found = learn({"steps": [[0.5, 0.0], [0.5, 1e-6]], "spent": [99, 1]})
    assert float(found.promise.epsilon(1e-6)) <= 1.0
    assert from_smartnoise([(0.5, 0.0)]).promise == PureDP(0.5)


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (lambda: from_tumult({"mu": 1}), "budget.mu is not known here"),
        (lambda: from_tumult({"rho": 1, "epsilon": 1}), "epsilon, epsilon and delta, or rho"),
        (lambda: from_tumult({}), "epsilon, epsilon and delta, or rho"),
        (lambda: from_smartnoise([]), r"list of \(epsilon, delta\)"),
        (lambda: from_smartnoise([(1,)]), r"steps\[0\] must be \(epsilon, delta\)"),
        (lambda: from_smartnoise([(1, "x")]), r"steps\[0\]\[1\] must be a finite number"),
    ],
)
def test_what_is_no_budget_is_refused_with_its_place(read, words):
    with pytest.raises(InvalidInput, match=words):
        read()
