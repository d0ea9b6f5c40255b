"""How much a query or a budget may tell, by the parameter of the noise: rho, mu, sigma or epsilon, without rounding.

A part of a budget is a share of what adds up: of rho, of the square of mu, of one over the square of sigma, of epsilon.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

from whit.guarantees import PureDP, ZeroConcentratedDP, convert
from whit.mechanisms import AdditiveNoise, Mechanism, kinds
from whit.plans.exact import nearest_up, positive, root
from whit.setting import Sensitivity

Law: TypeAlias = type[AdditiveNoise]
"""A class of noise that is added to each cell, such as Gaussian."""

LAWS: dict[str, Law] = {kind.parameter.word: kind for kind in kinds() if issubclass(kind, AdditiveNoise)}
"""The laws by the words that files have for them."""

# The parameter of each law from the spread, which is a variance for those that have a sigma and a scale for the others.
_PARAMETERS: dict[str, Callable[[Fraction], float]] = {
    "sigma": root,
    "scale": float,
    "epsilon": lambda scale: float(1 / scale),
}


def by_variance(law: Law) -> bool:
    """Whether the noise is given by its variance, and not by its scale."""
    return law.parameter.name == "sigma"


def cell_noise(law: Law, spread: Fraction, change: Fraction) -> Mechanism:
    """The noise of one cell that changes by so much, with the double nearest to its parameter.

    >>> from whit.mechanisms import DiscreteGaussian
    >>> cell_noise(DiscreteGaussian, Fraction(4), Fraction(1)).sigma
    2.0
    """
    size, made = float(change), _parameter(law, spread)
    return law(**made, sensitivity=Sensitivity(add_remove=size, replace=size))


def cell_rho(law: Law, spread: Fraction, change: Fraction) -> Fraction:
    """A rho with which one cell that changes by so much is zero-concentrated differentially private.

    Exact for Gaussian noise, discrete or not; for the others the best that follows from their epsilon.
    """
    if by_variance(law):
        return change**2 / (2 * spread)
    pure = PureDP(nearest_up(change / spread))
    promise = convert(pure, to=ZeroConcentratedDP).result
    assert isinstance(promise, ZeroConcentratedDP)  # what was asked for
    return Fraction(promise.rho)


def _parameter(law: Law, spread: Fraction) -> dict[str, Any]:
    return {law.parameter.name: _PARAMETERS[law.parameter.name](spread)}


@dataclass(frozen=True, init=False, repr=False)
class Amount(ABC):
    """A parameter of the noise, above 0; texts such as "2.56" and "1/3" are kept exact."""

    value: Fraction

    word: ClassVar[str]
    by_variance: ClassVar[bool]

    @property
    def noise_power(self) -> int:
        """With which power of the size of the noise falls what a share is a share of: rho with its square."""
        return 2 if self.by_variance else 1

    def __init__(self, value: object) -> None:
        way_out = f"Use a number such as 0.5, or a fraction such as '1/3', for {self.word}."
        object.__setattr__(self, "value", positive(self.word, value, way_out))

    @abstractmethod
    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The noise of a query with this share, of which one record changes so many cells by so much.

        It is the variance of Gaussian noise, and the scale of Laplace noise.
        """

    @abstractmethod
    def with_noise(self, factor: Fraction) -> Amount:
        """The amount that is left if the noise is so many times as large."""

    def __repr__(self) -> str:
        """The expression that builds the amount."""
        return f"{type(self).__name__}('{self.value}')"


@dataclass(frozen=True, init=False, repr=False)
class Rho(Amount):
    """Rho of zero-concentrated differential privacy: the changes squared and added up, over twice the variance.

    >>> Rho("2.56").spread(Fraction(1), 2, Fraction(1))
    Fraction(25, 64)
    """

    word: ClassVar[str] = "rho"
    by_variance: ClassVar[bool] = True

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The variance that has this rho."""
        return cells * change**2 / (2 * self.value * share)

    def with_noise(self, factor: Fraction) -> Rho:
        """Falls with the square of the noise."""
        return Rho(self.value / factor**2)


@dataclass(frozen=True, init=False, repr=False)
class Mu(Amount):
    """Mu of Gaussian differential privacy: the root of the changes squared and added up, over sigma."""

    word: ClassVar[str] = "mu"
    by_variance: ClassVar[bool] = True

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The variance that has this mu."""
        return cells * change**2 / (self.value**2 * share)

    def with_noise(self, factor: Fraction) -> Mu:
        """Falls with the noise."""
        return Mu(self.value / factor)


@dataclass(frozen=True, init=False, repr=False)
class Sigma(Amount):
    """Sigma, the standard deviation of Gaussian noise; as a budget, that of a query to which all of it is given."""

    word: ClassVar[str] = "sigma"
    by_variance: ClassVar[bool] = True

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The variance itself, over the share."""
        return self.value**2 / share

    def with_noise(self, factor: Fraction) -> Sigma:
        """The noise itself."""
        return Sigma(self.value * factor)


@dataclass(frozen=True, init=False, repr=False)
class Epsilon(Amount):
    """Epsilon of pure differential privacy: the changes added up, over the scale of Laplace or geometric noise."""

    word: ClassVar[str] = "epsilon"
    by_variance: ClassVar[bool] = False

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The scale that has this epsilon."""
        return cells * change / (self.value * share)

    def with_noise(self, factor: Fraction) -> Epsilon:
        """Falls with the noise."""
        return Epsilon(self.value / factor)


AMOUNTS: dict[str, type[Amount]] = {kind.word: kind for kind in (Rho, Mu, Sigma, Epsilon)}
"""The amounts by the words that files have for them."""
