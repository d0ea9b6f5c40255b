"""The composition rules of each kind of promise: parameters add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from whit.errors import Incompatible, require
from whit.guarantees.approximate import ApproxDP
from whit.guarantees.gaussian import GaussianDP
from whit.guarantees.guarantee import Guarantee
from whit.guarantees.probabilistic import ProbabilisticDP
from whit.guarantees.properties import Known
from whit.guarantees.pure import PureDP
from whit.guarantees.renyi import RenyiDP
from whit.guarantees.sums import product_up, root_of_squares_up, sum_up
from whit.guarantees.zero_concentrated import ZeroConcentratedDP
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
        _require_same_sides(first, promises)
    return Composition(first.restated(**changes), "basic-composition", Known.YES)


def _require_same_sides(first: ProbabilisticDP, promises: list[ProbabilisticDP]) -> None:
    for other in promises:
        if other.sides != first.sides:
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
