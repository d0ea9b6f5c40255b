"""What is free to choose about the promise that a conversion leads to, and by which number it is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from whit.errors import InvalidInput, require
from whit.guarantees.approximate import ApproxDP
from whit.guarantees.fdp import FDP
from whit.guarantees.gaussian import GaussianDP
from whit.guarantees.guarantee import Guarantee
from whit.guarantees.probabilistic import ProbabilisticDP
from whit.guarantees.probabilistically_bounded import ProbabilisticallyBoundedCurve, ProbabilisticallyBoundedDP
from whit.guarantees.pure import PureDP
from whit.guarantees.renyi import RenyiDP
from whit.guarantees.semantic import SemanticPrivacy
from whit.guarantees.zero_concentrated import ZeroConcentratedDP
from whit.numerics import count, finite_nonnegative, open_probability, positive, probability
from whit.setting import Knowledge

Free: TypeAlias = Mapping[str, Any]
"""Free parameters by name."""

_PROBABILITY = "Use a probability such as 1e-6."


@dataclass(frozen=True)
class Target:
    """A kind of promise as the end of a conversion.

    Attributes:
        choices: the sets of parameters, one of which must be given.
        optional: parameters that may be given beside them.
        score: the number by which two promises of this kind with the same free parameters compare; less is better.
    """

    choices: tuple[frozenset[str], ...]
    optional: frozenset[str]
    score: Callable[[Any], float]


def _stated_epsilon(promise: PureDP | ProbabilisticDP | ProbabilisticallyBoundedDP) -> float:
    return promise.stated_epsilon


def _sum_of_point(promise: ApproxDP) -> float:
    """One of the two is asked for, and so the same for all that are compared: their sum compares by the other."""
    return promise.stated_epsilon + promise.stated_delta


def _sum_of_gammas(promise: RenyiDP) -> float:
    return float(np.sum(list(promise.orders.values())))


def _no_difference(_: Guarantee) -> float:
    """Two trade-off functions may cross: the first that is found is kept, and the shortest path is found first."""
    return 0.0


def _one_of(*choices: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(choice.split()) for choice in choices)


TARGETS: dict[type[Guarantee], Target] = {
    PureDP: Target(_one_of(""), frozenset(), _stated_epsilon),
    ApproxDP: Target(_one_of("delta", "epsilon"), frozenset(), _sum_of_point),
    ProbabilisticDP: Target(_one_of("delta"), frozenset({"sides"}), _stated_epsilon),
    ZeroConcentratedDP: Target(_one_of(""), frozenset(), lambda promise: promise.rho),
    RenyiDP: Target(_one_of("orders"), frozenset(), _sum_of_gammas),
    GaussianDP: Target(_one_of(""), frozenset(), lambda promise: promise.mu),
    FDP: Target(_one_of(""), frozenset(), _no_difference),
    ProbabilisticallyBoundedDP: Target(_one_of("delta"), frozenset(), _stated_epsilon),
    ProbabilisticallyBoundedCurve: Target(_one_of(""), frozenset(), _no_difference),
    SemanticPrivacy: Target(_one_of("", "failure population"), frozenset({"knows"}), lambda promise: promise.level),
}
"""Every kind of promise that a conversion can lead to."""


def target(to: object) -> Target:
    """The target of this type."""
    if isinstance(to, type) and to in TARGETS:
        return TARGETS[to]
    names = ", ".join(sorted(each.__name__ for each in TARGETS))
    raise InvalidInput("to", "must be a kind of promise", to, f"Use one of {names}.")


def checked(to: type[Guarantee], given: Free) -> Free:
    """The free parameters, if they are those that the target needs, each of them legal."""
    wanted = target(to)
    names = frozenset(given) - wanted.optional
    if names not in wanted.choices:
        needs = " or ".join(" and ".join(sorted(choice)) or "nothing" for choice in wanted.choices)
        raise InvalidInput(
            "the free parameters of the result",
            f"must be {needs}",
            ", ".join(sorted(given)) or "nothing",
            _hint(wanted),
            suggested={name: _EXAMPLES[name] for choice in wanted.choices for name in choice},
        )
    return {name: _LEGAL[name](value) for name, value in given.items()}


def _hint(wanted: Target) -> str:
    examples = [" and ".join(f"{{{name}}}" for name in sorted(choice)) for choice in wanted.choices]
    return f"Give {' or '.join(example or 'none' for example in examples)}."


def _sides(value: object) -> int:
    legal = value in (1, 2) and not isinstance(value, bool)
    require(legal, name="sides", rule="must be 1 or 2", value=value, way_out="Use 2 for a bound on both sides.")
    return 1 if value == 1 else 2


def _orders(value: object) -> tuple[float, ...]:
    way_out = "Use a list of orders above 1, such as [2, 8, 32]."
    listed = isinstance(value, list | tuple | np.ndarray) and len(value) > 0
    require(listed, name="orders", rule="must be a list of at least one order", value=value, way_out=way_out)
    orders = tuple(positive("an order", float(each), way_out) for each in value)  # type: ignore[attr-defined]
    above = all(order > 1.0 for order in orders)
    require(above, name="orders", rule="must be above 1", value=orders, way_out=way_out)
    return orders


def _knows(value: object) -> Knowledge:
    if isinstance(value, Knowledge):
        return value
    raise InvalidInput("knows", "must be one of Knowledge", value, f"Use one of {list(Knowledge)}.")


_LEGAL: dict[str, Callable[[Any], Any]] = {
    "delta": lambda value: probability("delta", value, _PROBABILITY),
    "epsilon": lambda value: finite_nonnegative("epsilon", value, "Use a number such as 1."),
    "failure": lambda value: open_probability("failure", value, "Use a probability such as 0.001."),
    "population": lambda value: count("population", value, "Use the number of people in the data."),
    "sides": _sides,
    "orders": _orders,
    "knows": _knows,
}

_EXAMPLES: dict[str, object] = {
    "delta": 1e-6,
    "epsilon": 1.0,
    "failure": 0.001,
    "population": 10000,
    "orders": [2, 8, 32],
}
