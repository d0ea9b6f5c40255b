"""Zero-concentrated differential privacy: every Rényi divergence of order alpha is at most rho alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whit.curves import Array, Curve, Order, copies, identical
from whit.guarantees.guarantee import Guarantee, group_size
from whit.guarantees.properties import Known, Properties, Property
from whit.guarantees.renyi_face import Concentrated, RenyiFace
from whit.guarantees.sums import product_up
from whit.numerics import ULP, finite_nonnegative
from whit.setting import Parameter
from whit.theory import Basis, Direction

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
            "The rhos add up along every history that keeps to a total.",
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
        face = RenyiFace(Concentrated(self.rho)) if self.rho > 0.0 else identical()
        return Curve(face, Direction.AT_MOST, Order.PROFILE, Basis.of("renyi-power", "renyi-to-approximate"))

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        """-(t - rho)^2 / (4 rho) above rho: the best order is 1 + (t - rho)/(2 rho)."""
        return self._squared(np.maximum(t - self.rho, 0.0)), Basis.of("zcdp-tails")

    def _squared(self, distance: Array) -> Array:
        """-distance^2 / (4 rho), rounded up; nothing is lost where rho is 0."""
        if self.rho == 0.0:
            return np.where(distance > 0.0, -np.inf, 0.0)
        with np.errstate(over="ignore"):
            exponent = -distance * (distance / (4 * self.rho))
        return np.where(np.isfinite(exponent), exponent * (1 - 16 * ULP), exponent)

    def times(self, count: int) -> ZeroConcentratedDP:
        """The rhos add up."""
        return self.restated(rho=product_up(copies(count), self.rho))

    def group(self, size: int) -> ZeroConcentratedDP:
        """Rho times the square of the size of the group."""
        return self.restated(rho=product_up(group_size(size) ** 2, self.rho))
