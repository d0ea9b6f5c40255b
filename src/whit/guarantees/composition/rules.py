"""Promises together: those of one kind by their own rule, by which parameters add up; others through their curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from whit.curves import Curve, composed
from whit.errors import Incompatible, NotImplied, require
from whit.guarantees.epsilon_delta import ApproxDP, ProbabilisticDP, PureDP
from whit.guarantees.fdp import FDP, GaussianDP
from whit.guarantees.guarantee import Guarantee, Known, product_up, root_of_squares_up, sum_up
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.guarantees.renyi_face import RenyiFace
from whit.setting import Neighbours
from whit.theory import Basis, theorem

Promised = TypeVar("Promised", bound=Guarantee)
Promised_co = TypeVar("Promised_co", bound=Guarantee, covariant=True)


@dataclass(frozen=True)
class Composition(Generic[Promised_co]):
    """The promise of several releases together.

    Attributes:
        promise: what they promise together.
        theorem: key of the rule.
        adaptive: whether the rule holds where a later release is chosen by the outcomes of earlier ones.
    """

    promise: Promised_co
    theorem: str
    adaptive: Known

    def __post_init__(self) -> None:
        """Refuse a rule that is in no list."""
        theorem(self.theorem)

    @property
    def basis(self) -> Basis:
        """What the composition rests on."""
        return Basis.of(self.theorem)


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
    return Composition(first.restated(**changes), "basic-composition", Known.YES)


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
    return Composition(first.restated(rho=total), "zcdp-composition", Known.YES)


def gaussian_composition(first: GaussianDP, *others: GaussianDP) -> Composition[GaussianDP]:
    """The squares of the mus add up.

    >>> gaussian_composition(GaussianDP(3.0), GaussianDP(4.0)).promise
    GaussianDP(mu=5.0)
    """
    promises = [first, *others]
    require_same_kind(promises, GaussianDP)
    total = root_of_squares_up([each.mu for each in promises])
    return Composition(first.restated(mu=total), "gaussian-composition", Known.YES)


def renyi_composition(
    first: RenyiDP | ZeroConcentratedDP, *others: RenyiDP | ZeroConcentratedDP
) -> Composition[RenyiDP]:
    """The bounds add up at each order that all promises name; zero-concentrated ones name every finite order.

    >>> renyi_composition(RenyiDP({2: 0.5, 4: 1.0}), RenyiDP({2: 0.25, 8: 3.0})).promise
    RenyiDP(orders={2.0: 0.75})
    """
    promises = [first, *others]
    neighbours = require_same_kind(promises, RenyiDP, ZeroConcentratedDP)
    listed = [each.orders for each in promises if isinstance(each, RenyiDP)]
    common = sorted(set.intersection(*(set(orders) for orders in listed))) if listed else []
    rhos = [each.rho for each in promises if isinstance(each, ZeroConcentratedDP)]
    usable = [alpha for alpha in common if not rhos or alpha < float("inf")]
    if not usable:
        raise Incompatible(
            "Rényi promises that are composed",
            "must have an order in common",
            "; ".join(map(repr, promises)),
            "State them at common orders, such as 2, 4, 8, 16 and 32.",
        )
    total = {alpha: _total(alpha, [orders[alpha] for orders in listed], rhos) for alpha in usable}
    return Composition(RenyiDP(total, neighbours=neighbours), "renyi-composition", Known.YES)


def _total(alpha: float, bounds: list[float], rhos: list[float]) -> float:
    """The sum of the bounds at an order, and of alpha times each rho, rounded up."""
    return sum_up([*bounds, *(product_up(alpha, rho) for rho in rhos)])


RULES: dict[frozenset[type[Guarantee]], Callable[..., Composition[Guarantee]]] = {
    frozenset({PureDP}): basic_composition,
    frozenset({ApproxDP}): basic_composition,
    frozenset({ProbabilisticDP}): basic_composition,
    frozenset({ZeroConcentratedDP}): zcdp_composition,
    frozenset({RenyiDP}): renyi_composition,
    frozenset({RenyiDP, ZeroConcentratedDP}): renyi_composition,
    frozenset({GaussianDP}): gaussian_composition,
}
"""The own rule of each kind of promise, and of kinds that share one."""


def compose(*promises: Guarantee) -> Composition[Guarantee]:
    """What the promises come to together; a later release may be chosen by the outcomes of earlier ones.

    Promises of one kind compose by their own rule, and stay of that kind. Others compose through the pairs that
    dominate them, and come to a trade-off function.

    >>> compose(PureDP(1.0), PureDP(0.5)).promise
    PureDP(epsilon=1.5)
    >>> print(compose(PureDP(1.0), ApproxDP(0.5, 1e-6)).promise.delta(1.0))
    delta is at most 0.18
    """
    require(len(promises) > 0, name="promises", rule="must be at least one", value=promises, way_out="Pass a promise.")
    for promise in promises:
        rule, way_out = "must be a promise", "Pass promises such as PureDP(1.0), or the promise of a mechanism."
        require(isinstance(promise, Guarantee), name="what is composed", rule=rule, value=promise, way_out=way_out)
    neighbours = same_neighbours(promises)
    own_rule = RULES.get(frozenset(type(promise) for promise in promises))
    if own_rule is not None:
        return own_rule(*promises)
    curve = composed(_curves(promises))
    return Composition(FDP(curve.face, neighbours=neighbours), "dominating-pairs-compose", Known.YES)


def _curves(promises: Sequence[Guarantee]) -> list[Curve]:
    """The curves that stand for the promises; those with a density do not mix with others."""
    curves = [promise.composable() for promise in promises]
    for promise, curve in zip(promises, curves, strict=True):
        if isinstance(curve.face, RenyiFace):
            rule = "do not compose with promises of another kind through their curves"
            way_out = "Convert all promises to one kind first, such as ZeroConcentratedDP."
            raise NotImplied("promises about Rényi divergences", rule, promise, way_out)
    return curves
