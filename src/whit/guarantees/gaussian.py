"""Gaussian differential privacy: no test does better than it would against one Gaussian release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from whit.curves import Curve, GaussianLoss, Order, copies, identical
from whit.guarantees.guarantee import Guarantee, group_size
from whit.guarantees.properties import Known, Properties, Property
from whit.guarantees.sums import product_up, root_of_squares_up
from whit.numerics import finite_nonnegative
from whit.setting import Parameter
from whit.theory import Basis, Direction

MU_WAY_OUT = "It is the sensitivity divided by the standard deviation of the noise; use a number such as 1."


@dataclass(frozen=True, repr=False)
class GaussianDP(Guarantee):
    """mu-Gaussian differential privacy: tests have at most the power that they have between N(0, 1) and N(mu, 1).

    >>> print(GaussianDP(1.0).power(0.05))
    power of the best test is at most 26 %
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES,
            "A test of a function of the output is a test of the output.",
            "DRS22",
            "Lemma 2.9 of the preprint",
        ),
        convex=Property(Known.YES, "Its trade-off function is convex.", "KAA22", "Remark 5.10"),
        adaptive_composition=Property(
            Known.YES, "The squares of the mus add up.", "DRS22", "Corollary 3.3 of the preprint"
        ),
        fully_adaptive_composition=Property(
            Known.YES,
            "The squares of the mus add up along every history that keeps to a total.",
            "ST22",
            "the main theorem",
        ),
    )

    parameter: ClassVar[Parameter] = Parameter(
        "mu", "mu", "NUMBER", "Gaussian differential privacy with this mu.", rising=True, bounded=False
    )

    mu: float

    def __post_init__(self) -> None:
        self._keep(mu=finite_nonnegative("mu", self.mu, MU_WAY_OUT))
        super().__post_init__()

    def _curve(self) -> Curve:
        """The curve of the Gaussian pair."""
        face = GaussianLoss(self.mu) if self.mu > 0.0 else identical()
        return Curve(face, Direction.AT_MOST, Order.PROFILE, Basis.of("gaussian-differential-privacy"))

    def times(self, count: int) -> GaussianDP:
        """The squares of the mus add up."""
        return self.restated(mu=root_of_squares_up([self.mu], copies(count)))

    def group(self, size: int) -> GaussianDP:
        """Mu times the size of the group."""
        return self.restated(mu=product_up(group_size(size), self.mu))
