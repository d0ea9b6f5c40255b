"""Budgets of Tumult and odometers of SmartNoise."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

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


class PureDPBudget:
    """Counts with fractions, as the live one does: its `value` is exact, its `epsilon` is rounded."""

    def __init__(self, value):
        self.value = Fraction(value)
        self.epsilon = 0.0

    def __sub__(self, other):
        raise AssertionError("the budgets subtract rounded numbers")


class ApproxDPBudget:
    value = (2, Fraction(1, 10**6))


def test_a_live_budget_is_read_exactly_and_rounded_up():
    third = Fraction(1, 3)
    found = from_tumult(PureDPBudget(third)).promise
    assert third <= Fraction(found.stated_epsilon) <= third * (1 + Fraction(1, 2**52))
    both = learn(ApproxDPBudget()).promise
    assert both.stated_epsilon == 2.0
    assert Fraction(1, 10**6) <= Fraction(both.stated_delta) <= Fraction(1 + 2**-51) / 10**6


def test_of_a_session_what_was_spent_is_what_is_no_longer_there():
    session = SimpleNamespace(remaining_privacy_budget=PureDPBudget(2))
    found = from_tumult(session, start=PureDPBudget(3), protected_change="AddMaxRows(max_rows=3)")
    assert found.promise == PureDP(1.0)
    assert found.source == "Tumult budget that protects AddMaxRows(max_rows=3)"
    assert found.open == (OpenPoint.SPENT,)
    with pytest.raises(InvalidInput, match="start must have epsilon; got epsilon, delta"):
        from_tumult(session, start=ApproxDPBudget())
    with pytest.raises(InvalidInput, match=r"start must be given with a session.*from_tumult\(session, start="):
        learn(session)


def test_steps_are_composed_and_not_summed_by_the_odometer():
    found = learn({"steps": [[0.5, 0.0], [0.5, 1e-6]], "spent": [99, 1]})
    assert float(found.promise.epsilon(1e-6)) <= 1.0
    assert from_smartnoise([(0.5, 0.0)]).promise == PureDP(0.5)


class Odometer:
    k, privacy = 3, SimpleNamespace(epsilon=0.5, delta=0.0)


def test_an_odometer_of_equal_steps_has_as_many_as_it_counted():
    assert float(learn(Odometer()).promise.epsilon(0.0)) == 1.5


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (lambda: from_tumult({"mu": 1}), "budget.mu is not known here"),
        (lambda: from_tumult({"rho": 1, "epsilon": 1}), "epsilon, epsilon and delta, or rho"),
        (lambda: from_tumult({"epsilon": "1/0"}), "budget.epsilon must be a finite number"),
        (lambda: from_tumult({"epsilon": True}), "budget.epsilon must be a finite number"),
        (lambda: from_tumult({"epsilon": "oo"}), "budget.epsilon must be a finite number"),
        (lambda: from_tumult({"epsilon": 10**400}), "budget.epsilon must be a finite number"),
        (lambda: from_tumult(object()), "must be a budget of Tumult"),
        (lambda: from_tumult({}), "epsilon, epsilon and delta, or rho"),
        (lambda: from_smartnoise([]), r"list of \(epsilon, delta\)"),
        (lambda: from_smartnoise([(1,)]), r"steps\[0\] must be \(epsilon, delta\)"),
        (lambda: from_smartnoise([(1, "x")]), r"steps\[0\]\[1\] must be a finite number"),
    ],
)
def test_what_is_no_budget_is_refused_with_its_place(read, words):
    with pytest.raises(InvalidInput, match=words):
        read()


def test_steps_that_differ_may_have_been_chosen_on_the_way():
    assert OpenPoint.ADAPTIVITY in from_smartnoise([(0.5, 0.0), (0.25, 0.0)]).open
    assert OpenPoint.ADAPTIVITY not in from_smartnoise([(0.5, 0.0), (0.5, 0.0)]).open
