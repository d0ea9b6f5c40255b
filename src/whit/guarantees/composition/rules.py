"""Promises together: those of one kind by their own rule, by which parameters add up; others through their curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from whit.errors import Incompatible, require
from whit.guarantees.bounded_range import BoundedRange
from whit.guarantees.composition.together import Composition, counted, curve_together
from whit.guarantees.epsilon_delta import ApproxDP, ProbabilisticDP, PureDP
from whit.guarantees.fdp import FDP, GaussianDP
from whit.guarantees.guarantee import Guarantee, Known, product_up, root_of_squares_up, sum_up
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.numerics import nearest_up
from whit.setting import Neighbours


def require_same_kind(promises: Sequence[Guarantee], *kinds: type[Guarantee]) -> Neighbours:
    """Refuse promises of other kinds than one of these or under different neighbours; return the neighbours."""
    names = " or ".join(kind.__name__ for kind in kinds)
    require(len(promises) > 0, name="promises", rule="must be at least one", value=promises, way_out="Pass a promise.")
    for promise in promises:
        require(
            isinstance(promise, kinds),
            name="a promise of this rule",
            rule=f"must be {names}",
            value=promise,
            way_out="Use compose, which takes promises of any kind, or convert them to one kind first.",
        )
    return same_neighbours(promises)


def same_neighbours(promises: Sequence[Guarantee]) -> Neighbours:
    """The relation that all promises share; promises under different ones do not go together."""
    found = list(dict.fromkeys(promise.neighbours for promise in promises))
    if len(found) > 1:
        raise Incompatible(
            "promises that are composed",
            f"must be under the same neighbours, not {found[0]!r} and {found[1]!r}",
            next(promise for promise in promises if promise.neighbours is found[1]),
            f"Bring them to one relation with .under({Neighbours.REPLACE!r}).",
        )
    return found[0]


Summed = TypeVar("Summed", PureDP, ApproxDP, ProbabilisticDP)


def basic_composition(first: Summed, *others: Summed) -> Composition[Summed]:
    """Epsilons and deltas add up.

    >>> basic_composition(ApproxDP(0.5, 1e-6), ApproxDP(0.25, 1e-6)).promise
    ApproxDP(epsilon=0.75, delta=2e-06)
    """
    promises = [first]
    promises.extend(others)
    require_same_kind(promises, type(first))
    changes: dict[str, object] = {"epsilon": sum_up(each.stated_epsilon for each in promises)}
    if not isinstance(first, PureDP):
        changes["delta"] = min(1.0, sum_up(each.parameters["delta"] for each in promises))
    if isinstance(first, ProbabilisticDP):
        _require_same_sides(promises)
    return Composition(first.restated(**changes), "basic-composition", Known.YES, counted(promises))


def _require_same_sides(promises: Sequence[Guarantee]) -> None:
    first = promises[0]
    for other in promises:
        if other.parameters["sides"] != first.parameters["sides"]:
            raise Incompatible(
                "promises about tails",
                "must be about the same sides of the loss to be composed",
                f"{first!r} and {other!r}",
                "Bring them to one form with .one_sided() or .two_sided().",
            )


def zcdp_composition(first: ZeroConcentratedDP, *others: ZeroConcentratedDP) -> Composition[ZeroConcentratedDP]:
    """Rhos add up.

    >>> zcdp_composition(ZeroConcentratedDP(0.5), ZeroConcentratedDP(0.25)).promise
    ZeroConcentratedDP(rho=0.75)
    """
    promises = [first, *others]
    require_same_kind(promises, ZeroConcentratedDP)
    total = sum_up(each.rho for each in promises)
    return Composition(first.restated(rho=total), "zcdp-composition", Known.YES, counted(promises))


def gaussian_composition(first: GaussianDP, *others: GaussianDP) -> Composition[GaussianDP]:
    """The squares of the mus add up.

    >>> gaussian_composition(GaussianDP(3.0), GaussianDP(4.0)).promise
    GaussianDP(mu=5.0)
    """
    promises = [first, *others]
    require_same_kind(promises, GaussianDP)
    total = root_of_squares_up([each.mu for each in promises])
    return Composition(first.restated(mu=total), "gaussian-composition", Known.YES, counted(promises))


def renyi_composition(
    first: RenyiDP | ZeroConcentratedDP, *others: RenyiDP | ZeroConcentratedDP
) -> Composition[RenyiDP]:
    """The bounds add up at each order that one promise names and all reach; zero-concentrated ones reach every order.

    Between two of its orders, and below the lowest, a promise bounds the divergence as well.

    >>> renyi_composition(RenyiDP({2: 0.5, 4: 1.0}), RenyiDP({2: 0.25, 3: 0.5})).promise
    RenyiDP(orders={2.0: 0.75, 3.0: 1.375})
    """
    promises = [first, *others]
    neighbours = require_same_kind(promises, RenyiDP, ZeroConcentratedDP)
    named = sorted({alpha for each in promises if isinstance(each, RenyiDP) for alpha in each.orders})
    bounds = {alpha: [_bound_at(each, alpha) for each in promises] for alpha in named}
    total = {alpha: sum_up(each) for alpha, each in bounds.items() if max(each) < math.inf}
    if not total:
        raise Incompatible(
            "Rényi promises that are composed",
            "must have an order that all of them reach",
            "; ".join(map(repr, promises)),
            "State them at common orders, such as 2, 4, 8, 16 and 32.",
        )
    listed = [each for each in promises if isinstance(each, RenyiDP)]
    common = all(alpha in each.orders for alpha in total for each in listed)
    rule = "renyi-composition" if common else "renyi-orders-between"
    return Composition(RenyiDP(total, neighbours=neighbours), rule, Known.YES, counted(promises))


def _bound_at(promise: RenyiDP | ZeroConcentratedDP, alpha: float) -> float:
    """What a promise says of the divergence at an order, rounded up; infinite beyond its highest one."""
    if isinstance(promise, ZeroConcentratedDP):
        return product_up(alpha, promise.rho) if alpha < math.inf else math.inf
    if alpha in promise.orders:
        return promise.orders[alpha]
    above = min((order for order in promise.orders if order > alpha), default=None)
    if above is None:
        return math.inf
    below = max((order for order in promise.orders if order < alpha), default=1.0)
    return min(
        promise.orders[above], _on_chord(alpha, (below, promise.orders.get(below, 0.0)), (above, promise.orders[above]))
    )


def _on_chord(alpha: float, below: tuple[float, float], above: tuple[float, float]) -> float:
    """The bound at an order between two others: (alpha - 1) times the divergence is convex in alpha."""
    order, low, start = Fraction(alpha), Fraction(below[0]), (Fraction(below[0]) - 1) * Fraction(below[1])
    if math.isinf(above[0]):
        return nearest_up((start + (order - low) * Fraction(above[1])) / (order - 1))
    high, end = Fraction(above[0]), (Fraction(above[0]) - 1) * Fraction(above[1])
    return nearest_up(((high - order) * start + (order - low) * end) / ((high - low) * (order - 1)))


def range_composition(first: BoundedRange, *others: BoundedRange) -> Composition[Guarantee]:
    """Releases with the same range are counted; with different ranges the pairs that dominate them compose."""
    promises = [first, *others]
    if len({each.stated_epsilon for each in promises}) > 1:
        return _through_pairs(promises)
    total = first.restated(releases=sum(each.releases for each in promises))
    return Composition(total, "bounded-range-composition", Known.YES, counted(promises))


def _through_pairs(parts: Sequence[Guarantee]) -> Composition[Guarantee]:
    """What promises of any kinds come to: a trade-off function."""
    neighbours = same_neighbours(parts)
    together = FDP(curve_together(counted(parts), neighbours).face, neighbours=neighbours)
    return Composition(together, "dominating-pairs-compose", Known.YES, counted(parts))


MOST_LISTED = 1_000_000
"""Beyond so many promises their sum is composed on, which promises no more than they do."""

RULES: dict[frozenset[type[Guarantee]], Callable[..., Composition[Guarantee]]] = {
    frozenset({PureDP}): basic_composition,
    frozenset({ApproxDP}): basic_composition,
    frozenset({ProbabilisticDP}): basic_composition,
    frozenset({ZeroConcentratedDP}): zcdp_composition,
    frozenset({RenyiDP}): renyi_composition,
    frozenset({RenyiDP, ZeroConcentratedDP}): renyi_composition,
    frozenset({GaussianDP}): gaussian_composition,
    frozenset({BoundedRange}): range_composition,
}
"""The own rule of each kind of promise, and of kinds that share one."""


def compose(*promises: Guarantee | Composition[Guarantee]) -> Composition[Guarantee]:
    """What the promises come to together; a later release may be chosen by the outcomes of earlier ones.

    Promises of one kind are stated together by their own rule, and stay of that kind. Others compose through the pairs
    that dominate them, and come to a trade-off function. Questions are answered by the curve of all together.

    >>> together = compose(PureDP(1.0), PureDP(0.5))
    >>> together.promise
    PureDP(epsilon=1.5)
    >>> print(together.delta(1.0), "instead of", f"{float(together.promise.delta(1.0)):.3}")
    delta is at most 0.18 instead of 0.322
    """
    parts = [part for each in promises for part in _parts(each)]
    require(len(parts) > 0, name="promises", rule="must be at least one", value=promises, way_out="Pass a promise.")
    same_neighbours(parts)
    own_rule = RULES.get(frozenset(type(part) for part in parts))
    return _through_pairs(parts) if own_rule is None else own_rule(*parts)


def _parts(promise: Guarantee | Composition[Guarantee]) -> list[Guarantee]:
    """The promises that one is made of: itself, or those composed before; of very many, what they add up to."""
    if isinstance(promise, Composition):
        if sum(number for _, number in promise.parts) > MOST_LISTED:
            return [promise.promise]
        return [part for part, number in promise.parts for _ in range(number)]
    rule, way_out = "must be a promise", "Pass promises such as PureDP(1.0), or the promise of a mechanism."
    require(isinstance(promise, Guarantee), name="what is composed", rule=rule, value=promise, way_out=way_out)
    return [promise]
