"""Bounds on Rényi divergences: at one or several orders, or rho alpha at every order alpha (zero-concentrated)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from whit.curves import Array, Curve, Order, copies, identical
from whit.errors import NotImplied, require
from whit.guarantees.guarantee import Guarantee, Known, Properties, Property, group_size, product_up
from whit.guarantees.renyi_face import RenyiFace
from whit.guarantees.renyi_orders import Concentrated, Listed
from whit.numerics import ULP, finite_nonnegative, positive
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Frozen

_BASIS = Basis.of("renyi-power", "renyi-to-approximate", "renyi-joint-range")

ORDERS_WAY_OUT = "Use a mapping of orders above 1 to bounds, such as {2: 0.5, 8: 2.1}."


@dataclass(frozen=True, repr=False)
class RenyiDP(Guarantee):
    """(alpha, gamma)-Rényi differential privacy at each order alpha of a mapping.

    >>> print(RenyiDP({2: 0.1, 32: 1.6}).delta(2.0))
    delta is at most 4.82e-8
    """

    by_divergences: ClassVar[bool] = True
    properties: ClassVar[Properties] = Properties(
        post_processing=Property(Known.YES, "Rényi divergences do not grow by processing.", "KAA22", "section 5.3"),
        convex=Property(Known.YES, "It composes adaptively, and mixing is a case of that.", "KAA22", "section 4.2"),
        adaptive_composition=Property(Known.YES, "The bounds at each order add up.", "M17", "Proposition 1"),
        fully_adaptive_composition=Property(
            Known.YES,
            "The bounds at an order add up along every history within a total.",
            "FZ21",
            "in KAA22, s. 5.3",
        ),
    )

    orders: Mapping[float, float] = field(hash=False)

    def __post_init__(self) -> None:
        self._keep(orders=Frozen(_clean_orders(self.orders)))
        super().__post_init__()

    def _curve(self) -> Curve:
        """The curve of all the orders together."""
        nothing_told = min(self.orders.values()) == 0.0
        face = identical() if nothing_told else RenyiFace(Listed.of(self.orders))
        return Curve(face, Direction.AT_MOST, Order.PROFILE, _BASIS)

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        return self._lowest(t), Basis.of("renyi-tails")

    def _lowest(self, t: Array) -> Array:
        """The smallest (alpha - 1)(gamma - t), rounded up; at order infinity the loss is at most gamma."""
        lowest = np.zeros(t.shape)
        for alpha, gamma in self.orders.items():
            if math.isinf(alpha):
                bound = np.where(t >= gamma, -np.inf, 0.0)
            else:
                rounding = 8 * ULP * (alpha - 1.0) * (gamma + np.where(np.isfinite(t), np.abs(t), 0.0))
                bound = (alpha - 1.0) * (gamma - t) + rounding
            lowest = np.minimum(lowest, bound)
        return lowest

    def added_up(self, count: int) -> RenyiDP:
        """The bounds at each order add up."""
        k = copies(count)
        return self.restated(orders={alpha: product_up(k, gamma) for alpha, gamma in self.orders.items()})

    def group(self, size: int) -> RenyiDP:
        """For up to 2^c records alpha becomes alpha/2^c and gamma 3^c gamma, where alpha is at least 2^(c+1).

        The bound at order infinity is that of pure differential privacy, and grows with the size.
        """
        k = group_size(size)
        doublings = (k - 1).bit_length()
        kept = {
            (alpha / 2**doublings): product_up(k if math.isinf(alpha) else 3**doublings, gamma)
            for alpha, gamma in self.orders.items()
            if alpha >= 2 ** (doublings + 1) or doublings == 0
        }
        if not kept:
            rule = f"needs an order of at least {2 ** (doublings + 1)}"
            way_out = "State the promise at a higher order, or as zero-concentrated differential privacy."
            raise NotImplied(f"the Rényi promise to a group of {k} records", rule, self, way_out)
        return self.restated(orders=kept)


def _clean_orders(orders: object) -> dict[float, float]:
    """The orders in increasing order, each above 1 and with a finite bound."""
    require(
        isinstance(orders, Mapping) and len(orders) > 0,
        name="orders",
        rule="must be a mapping with at least one order",
        value=orders,
        way_out=ORDERS_WAY_OUT,
    )
    assert isinstance(orders, Mapping)
    clean = {
        positive("an order", alpha, ORDERS_WAY_OUT): finite_nonnegative("the bound at an order", gamma, ORDERS_WAY_OUT)
        for alpha, gamma in orders.items()
    }
    for alpha in clean:
        require(alpha > 1.0, name="an order", rule="must be above 1", value=alpha, way_out=ORDERS_WAY_OUT)
    return dict(sorted(clean.items()))


SMALLEST_RHO = 1e-300
"""A smaller rho above 0 is taken as this one."""

RHO_WAY_OUT = "Use a number such as 0.5; Gaussian noise of standard deviation s on a count has 1/(2 s^2)."


@dataclass(frozen=True, repr=False)
class ZeroConcentratedDP(Guarantee):
    """rho-zero-concentrated differential privacy (rho-zCDP).

    >>> print(ZeroConcentratedDP(2.63).power(0.05))
    power of the best test is at most 94.7 %
    """

    by_divergences: ClassVar[bool] = True
    properties: ClassVar[Properties] = Properties(
        post_processing=Property(Known.YES, "Rényi divergences do not grow by processing.", "KAA22", "section 5.3"),
        convex=Property(Known.YES, "It composes adaptively, and mixing is a case of that.", "KAA22", "section 4.2"),
        adaptive_composition=Property(Known.YES, "The rhos add up.", "BS16", "the lemma on composition"),
        fully_adaptive_composition=Property(
            Known.YES,
            "The rhos add up along every history within a total.",
            "FZ21",
            "cited in KAA22, section 5.3",
        ),
    )

    parameter: ClassVar[Parameter] = Parameter(
        "rho", "rho", "NUMBER", "Zero-concentrated differential privacy with this rho.", rising=True, bounded=False
    )

    rho: float

    def __post_init__(self) -> None:
        self._keep(rho=finite_nonnegative("rho", self.rho, RHO_WAY_OUT))
        super().__post_init__()

    def _curve(self) -> Curve:
        """The curve of all orders alpha > 1 together."""
        # What a larger rho allows is an upper bound; below the smallest one no arithmetic tells two apart.
        face = RenyiFace(Concentrated(max(self.rho, SMALLEST_RHO))) if self.rho > 0.0 else identical()
        return Curve(face, Direction.AT_MOST, Order.PROFILE, _BASIS)

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        """-(t - rho)^2 / (4 rho) above rho: the best order is 1 + (t - rho)/(2 rho)."""
        return self._squared(np.maximum(t - self.rho, 0.0)), Basis.of("zcdp-tails")

    def likely_loss(self, chances: Array, *, neighbours: Neighbours | None = None) -> Array:
        """Where the bound on the tail is the chance: at rho + 2 sqrt(rho log(1/chance))."""
        rho = self.under(neighbours).rho
        return np.asarray(rho + 2 * math.sqrt(rho) * np.sqrt(-np.log(chances)))

    def _squared(self, distance: Array) -> Array:
        """-distance^2 / (4 rho), rounded up; nothing is lost where rho is 0."""
        if self.rho == 0.0:
            return np.where(distance > 0.0, -np.inf, 0.0)
        with np.errstate(over="ignore"):
            exponent = -distance * (distance / self.rho / 4)
        return np.where(np.isfinite(exponent), exponent * (1 - 16 * ULP), exponent)

    def added_up(self, count: int) -> ZeroConcentratedDP:
        """The rhos add up."""
        return self.restated(rho=product_up(copies(count), self.rho))

    def group(self, size: int) -> ZeroConcentratedDP:
        """Rho times the square of the size of the group."""
        return self.restated(rho=product_up(group_size(size) ** 2, self.rho))
