"""One step from a promise to another that follows from it, and what is free to choose about the end of the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from whit.curves import Curve, LossDistribution
from whit.errors import InvalidInput, NotImplied, require
from whit.guarantees.bounded_range import BoundedRange
from whit.guarantees.epsilon_delta import ApproxDP, ProbabilisticDP, PureDP
from whit.guarantees.fdp import FDP, GaussianDP
from whit.guarantees.guarantee import Guarantee
from whit.guarantees.probabilistically_bounded import ProbabilisticallyBoundedCurve, ProbabilisticallyBoundedDP
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.guarantees.semantic import SemanticPrivacy
from whit.numerics import count, finite_nonnegative, open_probability, positive, probability
from whit.setting import Knowledge, Neighbours
from whit.theory import Basis, Direction, Theorem, theorem

Source: TypeAlias = Guarantee | Curve
"""What a conversion starts from: a promise, or the curve of a release."""


@dataclass(frozen=True)
class Edge:
    """A theorem that turns one kind of promise into another.

    Attributes:
        source: the type that it starts from.
        target: the type of promise that it leads to.
        theorem: key of the theorem.
        lossless: whether the way back exists and leads to the same promise.
        apply: takes the promise, and by keyword the parameters of the target that are free to choose.
        sharp: whether nothing better of the target's type follows from the source alone.
        one_point: whether the target is one point whatever is asked, so that it can be had without a parameter.
        curved: whether the step reads the curve of the source, and so rests on what that curve rests on.
        in_closed_form: whether it reads the noise of that curve alone, and adds up a rho for each change.
    """

    source: type[Source]
    target: type[Guarantee]
    theorem: str
    lossless: bool
    apply: Callable[..., Guarantee]
    sharp: bool = False
    one_point: bool = False
    curved: bool = False
    in_closed_form: bool = False

    def __post_init__(self) -> None:
        """Refuse a theorem that is in no list."""
        theorem(self.theorem)

    @property
    def entry(self) -> Theorem:
        """The theorem itself."""
        return theorem(self.theorem)

    def basis(self, source: Source) -> Basis:
        """What the step from this source rests on."""
        own = Basis.of(self.theorem)
        if self.in_closed_form:
            return _without_profile(curve_of(source)) | own
        return curve_of(source).basis | own if self.curved else own

    @property
    def lost(self) -> str:
        """What is lost on the way: nothing, the rest of the source beside the best that follows, or something."""
        return "nothing" if self.lossless else "all but this number" if self.is_best_number else "something"

    @property
    def is_best_number(self) -> bool:
        """Whether the target is one number or point, and nothing better follows from the source."""
        return self.sharp and not target(self.target).is_function

    def __str__(self) -> str:
        ending = "; nothing better follows" if self.is_best_number else "; something is lost"
        return f"{self.entry.title} ({self.entry.reference}, {self.entry.locator}{'' if self.lossless else ending})"


def _without_profile(curve: Curve) -> Basis:
    """What a curve rests on, except how its profile is computed; rhos add up in place of losses."""
    computed = curve.face.theorems if isinstance(curve.face, LossDistribution) else ()
    found, profile = curve.basis, {"hockey-stick", "losses-add", *computed}
    added = ("zcdp-composition",) if "losses-add" in found.theorems else ()
    return replace(found, theorems=(*(key for key in found.theorems if key not in profile), *added))


def curve_of(source: Source) -> Curve:
    """The curve of a source, if it is an upper bound."""
    curve = source if isinstance(source, Curve) else source.curve()
    if curve.direction in (Direction.AT_MOST, Direction.EXACTLY):
        return curve
    rule = "cannot be made of a curve that is no upper bound"
    raise NotImplied("a promise", rule, curve.direction.name, "Use the curve of a mechanism or of a promise.")


def neighbours_of(source: Source) -> Neighbours:
    """The relation between datasets that a source is about; a curve is taken to be about add/remove."""
    return source.neighbours if isinstance(source, Guarantee) else Neighbours.ADD_REMOVE


def under_edge(source: type[Guarantee]) -> Edge:
    """The step of a kind of promise to another relation between datasets."""
    return Edge(source, source, "replacing-is-removing-and-adding", False, under)


def group_edge(source: type[Guarantee]) -> Edge:
    """The step of a kind of promise from one record to a group."""
    return Edge(source, source, "group-privacy", False, group)


def under(source: Guarantee, *, neighbours: Neighbours) -> Guarantee:
    """The promise under another relation, where it follows."""
    return source.under(neighbours)


def group(source: Guarantee, *, size: int) -> Guarantee:
    """The promise to a group of so many records."""
    return source.group(size)


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

    @property
    def is_function(self) -> bool:
        """Whether it is a whole trade-off function, which nobody states by numbers."""
        return self.score is _no_difference


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
    BoundedRange: Target(_one_of(""), frozenset(), lambda promise: promise.sum_of_ranges),
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
        if not any(wanted.choices):
            surplus = min(names)
            raise InvalidInput(surplus, "does not apply to this kind of promise", given[surplus], "Leave it out.")
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
    orders = tuple(positive("an order", each, way_out) for each in value)  # type: ignore[attr-defined]
    above = all(order > 1.0 for order in orders)
    require(above, name="orders", rule="must be above 1", value=orders, way_out=way_out)
    return orders


_LEGAL: dict[str, Callable[[Any], Any]] = {
    "delta": lambda value: probability("delta", value, _PROBABILITY),
    "epsilon": lambda value: finite_nonnegative("epsilon", value, "Use a number such as 1."),
    "failure": lambda value: open_probability("failure", value, "Use a probability such as 0.001."),
    "population": lambda value: count("population", value, "Use the number of people in the data."),
    "sides": _sides,
    "orders": _orders,
    "knows": Knowledge.checked,
}

_EXAMPLES: dict[str, object] = {
    "delta": 1e-6,
    "epsilon": 1.0,
    "failure": 0.001,
    "population": 10000,
    "orders": [2, 8, 32],
}


# How the distance below a limit is searched: first this grid in its log, then by golden section about the best of it.
GRID = np.linspace(math.log(1e-4), math.log(2e5), 45)
SECTIONS = 44
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def least_over_log(function: Callable[[float], float]) -> float:
    """The x > 0 at which a function is about least: any x is sound, so the search costs tightness, never truth.

    The function is looked at on a grid of log x, and around the best point by golden section.
    """
    values = [function(math.exp(u)) for u in GRID]
    best = int(np.argmin(values))
    step = float(GRID[1] - GRID[0])
    low, high = float(GRID[best]) - step, float(GRID[best]) + step
    best_u, best_value = float(GRID[best]), values[best]
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(math.exp(left)), function(math.exp(right))
    for _ in range(SECTIONS):
        for u, value in ((left, at_left), (right, at_right)):
            if value < best_value:
                best_u, best_value = u, value
        if at_left < at_right:  # two infinite ends lie to the left of what is possible
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(math.exp(right))
    return math.exp(best_u)
