"""What sessions of other libraries have spent: Tumult and SmartNoise.

These state a promise, not the noise, so every answer is the worst case over all mechanisms that keep the promise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from whit.curves import Promise
from whit.errors import InvalidInput
from whit.exchange.learned import Learned, OpenPoint, chosen_on_the_way, field_of, number_of, stated_pair, whole_of
from whit.guarantees import ApproxDP, Guarantee, PureDP, ZeroConcentratedDP
from whit.mechanisms import compose
from whit.numerics import nearest_up

_NUMBERS = ("epsilon", "delta", "rho")
_BUDGETS = {"PureDPBudget": ("epsilon",), "ApproxDPBudget": ("epsilon", "delta"), "RhoZCDPBudget": ("rho",)}
"""The budgets of Tumult, and what the numbers are that their `value` has."""

_START = "Use from_tumult(session, start=PureDPBudget(3)): a session does not say what it started with."


def from_tumult(spent: Any, *, start: Any = None, protected_change: object = None) -> Learned:
    """What a privacy budget of Tumult promises.

    spent              what was spent: PureDPBudget, ApproxDPBudget or RhoZCDPBudget, or a tree such as {"rho": 0.5};
                       or a session, if `start` is given
    start              the budget that the session was built with
    protected_change   what the session protects, such as AddMaxRows(3)

    >>> print(from_tumult({"rho": 0.5}).promise)
    ZeroConcentratedDP(rho=0.5)
    """
    points = (OpenPoint.SPENT,) if protected_change is not None else (OpenPoint.UNIT, OpenPoint.SPENT)
    source = "Tumult budget" if protected_change is None else f"Tumult budget that protects {protected_change}"
    if is_tumult_session(spent):
        if start is None:
            raise InvalidInput("start", "must be given with a session", "nothing", _START)
        spent = _difference(start, spent.remaining_privacy_budget)
    return Learned(_stated(_numbers(spent), "budget"), source, points)


def is_tumult(value: object) -> bool:
    """Whether something is a budget of Tumult, or its tree: epsilon, epsilon and delta, or rho, and nothing else."""
    if isinstance(value, Mapping):
        return bool(value) and set(value) <= set(_NUMBERS)
    return type(value).__name__ in _BUDGETS


def is_tumult_session(value: object) -> bool:
    """Whether something is a session of Tumult."""
    return hasattr(value, "remaining_privacy_budget")


def from_smartnoise(odometer: object) -> Learned:
    """What the steps of an odometer of SmartNoise add up to.

    odometer   an odometer with `steps`, one with `k` steps of the same `privacy`, or the list of (epsilon, delta)

    The sum that the odometer itself reports is not used: whit composes the steps.

    >>> print(from_smartnoise([(0.5, 0.0), (0.5, 0.0)]).promise.epsilon(0.0))
    epsilon is at most 1
    """
    steps: Any = getattr(odometer, "steps", odometer)
    if _has_equal_steps(odometer):
        same: Any = odometer
        steps = [(same.privacy.epsilon, same.privacy.delta)] * whole_of(same.k, "k")
    if isinstance(steps, Mapping):
        steps = field_of(steps, "steps", "odometer")
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not steps:
        raise InvalidInput("steps", "must be a list of (epsilon, delta)", steps, "Use [(0.5, 0.0), (0.5, 1e-6)].")
    each = Counter(_step(step, f"steps[{place}]") for place, step in enumerate(steps))
    points = (OpenPoint.UNIT, OpenPoint.NEIGHBOURS, OpenPoint.SPENT, *chosen_on_the_way(each))
    return Learned(_composed(each), "SmartNoise odometer", points)


def _composed(each: Counter[Guarantee]) -> Promise:
    several = list(each.elements())
    return several[0] if len(several) == 1 else compose(*several)


def is_smartnoise(value: object) -> bool:
    """Whether something is an odometer of SmartNoise, or its tree."""
    if isinstance(value, Mapping):
        return "steps" in value
    known = type(value).__name__ in ("Odometer", "OdometerHeterogeneous")
    return known and (hasattr(value, "steps") or _has_equal_steps(value))


def _has_equal_steps(odometer: object) -> bool:
    return hasattr(odometer, "k") and hasattr(odometer, "privacy") and not hasattr(odometer, "steps")


def _step(step: object, path: str) -> Guarantee:
    if not isinstance(step, Sequence) or isinstance(step, str) or len(step) != 2:
        raise InvalidInput(path, "must be (epsilon, delta)", step, "Use (0.5, 0.0).")
    return stated_pair(step[0], step[1], f"{path}[0]", f"{path}[1]")


def _numbers(budget: Any) -> Mapping[str, object]:
    """The numbers of a budget by name; of a live one those that it counts with, since the others are rounded."""
    if isinstance(budget, Mapping):
        return {str(name): value for name, value in budget.items()}
    names = _BUDGETS.get(type(budget).__name__, ())
    exact = getattr(budget, "value", None)
    several = exact if isinstance(exact, tuple) else (exact,)
    if len(names) != len(several) or exact is None:
        raise InvalidInput("budget", "must be a budget of Tumult", budget, "Pass PureDPBudget(1) or another one.")
    return dict(zip(names, several, strict=True))


def _difference(start: Any, left: Any) -> Mapping[str, object]:
    """What is no longer there, exactly: the budgets themselves subtract rounded numbers, which may end below it."""
    before, after = _numbers(start), _numbers(left)
    if set(before) != set(after):
        rule, way_out = f"must have {', '.join(after)}", "Pass the budget that the session was built with."
        raise InvalidInput("start", rule, ", ".join(before), way_out)
    return {name: _exact(before[name], f"start.{name}") - _exact(after[name], f"left.{name}") for name in before}


def _exact(value: object, path: str) -> Fraction:
    """A number of a budget; a fraction is written as one."""
    if isinstance(value, float):
        return Fraction(number_of(value, path))
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError) as wrong:
        raise InvalidInput(path, "must be a finite number", str(value), "Use a number such as 1.1.") from wrong


def _rounded_up(value: object, path: str) -> float:
    """A number of a budget as a double that is not below it."""
    try:
        return number_of(nearest_up(_exact(value, path)), path)
    except OverflowError as wrong:
        raise InvalidInput(path, "must be a finite number", str(value), "Use a number such as 1.1.") from wrong


def _stated(numbers: Mapping[str, object], path: str) -> Guarantee:
    unknown = [name for name in numbers if name not in _NUMBERS]
    if unknown:
        raise InvalidInput(
            f"{path}.{unknown[0]}", "is not known here", numbers[unknown[0]], "Use epsilon, delta or rho."
        )
    found = {name: _rounded_up(value, f"{path}.{name}") for name, value in numbers.items()}
    if set(found) == {"rho"}:
        return ZeroConcentratedDP(found["rho"])
    epsilon = found.get("epsilon")
    if epsilon is None or "rho" in found:
        raise InvalidInput(path, "must have epsilon, epsilon and delta, or rho", sorted(found), 'Use {"epsilon": 1}.')
    return ApproxDP(epsilon, found["delta"]) if found.get("delta") else PureDP(epsilon)
