"""The laws of noise that a plan knows, and what one cell with that noise tells."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from whit.guarantees import PureDP, ZeroConcentratedDP, convert
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, Mechanism
from whit.plans.exact import nearest_up, root
from whit.setting import Sensitivity


class Law(Enum):
    """A law of the noise in a cell; the value is the name of its mechanism."""

    DISCRETE_GAUSSIAN = "DiscreteGaussian"
    GAUSSIAN = "Gaussian"
    GEOMETRIC = "Geometric"
    LAPLACE = "Laplace"

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Law.{self.name}"

    @property
    def by_variance(self) -> bool:
        """Whether the noise is given by its variance, and not by its scale."""
        return self in (Law.DISCRETE_GAUSSIAN, Law.GAUSSIAN)

    @property
    def whole(self) -> bool:
        """Whether the noise is made of whole numbers, so that changes must be."""
        return self in (Law.DISCRETE_GAUSSIAN, Law.GEOMETRIC)

    def cell(self, spread: Fraction, change: Fraction) -> Mechanism:
        """The noise of one cell that changes by so much, with the double nearest to its parameter.

        >>> Law.DISCRETE_GAUSSIAN.cell(Fraction(4), Fraction(1)).sigma
        2.0
        """
        size = float(change)
        one = Sensitivity(add_remove=size, replace=size)
        if self is Law.GAUSSIAN:
            return Gaussian(root(spread), sensitivity=one)
        if self is Law.DISCRETE_GAUSSIAN:
            return DiscreteGaussian(root(spread), sensitivity=one)
        if self is Law.LAPLACE:
            return Laplace(float(spread), sensitivity=one)
        return Geometric(float(1 / spread), sensitivity=one)

    def rho(self, spread: Fraction, change: Fraction) -> Fraction:
        """A rho with which one cell that changes by so much is zero-concentrated differentially private.

        Exact for Gaussian noise, discrete or not; for the others the best that follows from their epsilon.
        """
        if self.by_variance:
            return change**2 / (2 * spread)
        pure = PureDP(nearest_up(change / spread))
        promise = convert(pure, to=ZeroConcentratedDP).result
        assert isinstance(promise, ZeroConcentratedDP)  # what was asked for
        return Fraction(promise.rho)


LAWS: dict[str, Law] = {law.value: law for law in Law}
"""The laws by the names of their mechanisms."""
