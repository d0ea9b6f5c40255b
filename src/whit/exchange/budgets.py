"""What sessions of other libraries have spent: Tumult and SmartNoise.

These state a promise, not the noise, so every answer is the worst case over all mechanisms that keep the promise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whit.curves import Promise
from whit.errors import InvalidInput
from whit.exchange.learned import Learned, OpenPoint, field_of, number_of
from whit.guarantees import ApproxDP, Guarantee, PureDP, ZeroConcentratedDP
from whit.mechanisms import compose

_NUMBERS = ("epsilon", "delta", "rho")


def from_tumult(budget: object) -> Learned:
    """What a privacy budget of Tumult promises.

    budget   PureDPBudget, ApproxDPBudget or RhoZCDPBudget, or the same as a tree such as {"rho": 0.5}

    Pass what was spent: the budget at the start less `session.remaining_privacy_budget`.

    >>> print(from_tumult({"rho": 0.5}).promise)
    ZeroConcentratedDP(rho=0.5)
    """
    return Learned(_stated(_numbers(budget), "budget"), "Tumult budget", (OpenPoint.UNIT, OpenPoint.SPENT))


def is_tumult(value: object) -> bool:
    """Whether something is a budget of Tumult."""
    return type(value).__name__ in ("PureDPBudget", "ApproxDPBudget", "RhoZCDPBudget")


def from_smartnoise(odometer: object) -> Learned:
    """What the steps of an odometer of SmartNoise add up to.

    odometer   an odometer with `steps`, or the list of (epsilon, delta) itself

    The sum that the odometer itself reports is not used: whit composes the steps.

    >>> print(from_smartnoise([(0.5, 0.0), (0.5, 0.0)]).promise.epsilon(0.0))
    epsilon is at most 1
    """
    steps = getattr(odometer, "steps", odometer)
    if isinstance(steps, Mapping):
        steps = field_of(steps, "steps", "odometer")
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not steps:
        raise InvalidInput("steps", "must be a list of (epsilon, delta)", steps, "Use [(0.5, 0.0), (0.5, 1e-6)].")
    each = [_step(step, f"steps[{place}]") for place, step in enumerate(steps)]
    promise: Promise = each[0] if len(each) == 1 else compose(*each)
    return Learned(promise, "SmartNoise odometer", (OpenPoint.UNIT, OpenPoint.NEIGHBOURS, OpenPoint.SPENT))


def is_smartnoise(value: object) -> bool:
    """Whether something is an odometer of SmartNoise, or its tree."""
    if isinstance(value, Mapping):
        return "steps" in value
    return type(value).__name__ in ("Odometer", "OdometerHeterogeneous") and hasattr(value, "steps")


def _step(step: object, path: str) -> Guarantee:
    if not isinstance(step, Sequence) or isinstance(step, str) or len(step) != 2:
        raise InvalidInput(path, "must be (epsilon, delta)", step, "Use (0.5, 0.0).")
    epsilon, delta = (number_of(step[place], f"{path}[{place}]") for place in (0, 1))
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


def _numbers(budget: object) -> Mapping[str, object]:
    """The numbers of a budget by name."""
    if isinstance(budget, Mapping):
        return {str(name): value for name, value in budget.items()}
    return {name: getattr(budget, name) for name in _NUMBERS if hasattr(budget, name)}


def _stated(numbers: Mapping[str, object], path: str) -> Guarantee:
    unknown = [name for name in numbers if name not in _NUMBERS]
    if unknown:
        raise InvalidInput(
            f"{path}.{unknown[0]}", "is not known here", numbers[unknown[0]], "Use epsilon, delta or rho."
        )
    found = {name: number_of(float(str(value)), f"{path}.{name}") for name, value in numbers.items()}
    if set(found) == {"rho"}:
        return ZeroConcentratedDP(found["rho"])
    epsilon = found.get("epsilon")
    if epsilon is None or "rho" in found:
        raise InvalidInput(path, "must have epsilon, epsilon and delta, or rho", sorted(found), 'Use {"epsilon": 1}.')
    return ApproxDP(epsilon, found["delta"]) if found.get("delta") else PureDP(epsilon)
