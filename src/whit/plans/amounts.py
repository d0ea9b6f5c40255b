"""How much a query or a budget may tell, by the parameter of the noise: rho, mu, sigma or epsilon, without rounding.

A part of a budget is a share of what adds up: of rho, of the square of mu, of one over the square of sigma, of epsilon.
All are fractions as they are written, and become the doubles next to them where noise is made of them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, TypeAlias

from whit.errors import InvalidInput
from whit.guarantees import conversions
from whit.mechanisms import AdditiveNoise, Laplace, Mechanism, kinds
from whit.numerics import doubles_around, nearest_up, square_root
from whit.setting import Sensitivity

# Numbers of a plan lie between these, so that a double holds them and their squares.
SMALLEST = Fraction(1, 10**120)
LARGEST = Fraction(10**120)

# So do the variance or the scale that follows from them, and the rho of all that a concern is exposed to.
SMALLEST_SPREAD = Fraction(1, 10**300)
LARGEST_SPREAD = LARGEST_RHO = Fraction(10**300)

# More digits than this in a number, or in its exponent, are a slip of the pen.
_MOST_DIGITS = 400
_EXPONENT = re.compile(r"e[+-]?[\d_]{4,}$", flags=re.IGNORECASE)


def fraction(name: str, value: object, way_out: str) -> Fraction:
    """The number without rounding: "447/4099", "2.56", 2, or a float by the decimal that it is written as.

    >>> fraction("rho", 2.56, "")
    Fraction(64, 25)
    """
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    text = str(value).strip() if isinstance(value, str | float | Decimal) else ""
    if text and len(text) <= _MOST_DIGITS and not _EXPONENT.search(text):
        try:
            return Fraction(text)
        except (ValueError, ZeroDivisionError):
            pass
    raise InvalidInput(name, "must be a number or a fraction", repr(value), way_out)


def positive(name: str, value: object, way_out: str) -> Fraction:
    """A number above 0 without rounding."""
    number = fraction(name, value, way_out)
    if number <= 0:
        raise InvalidInput(name, "must be above 0", str(number), way_out)
    if not SMALLEST <= number <= LARGEST:
        raise InvalidInput(name, "must lie between 1e-120 and 1e120", str(number), way_out)
    return number


def require_moderate(name: str, spread: Fraction) -> None:
    """Refuse noise whose variance or scale no double holds; without a share there is none."""
    if spread and not SMALLEST_SPREAD <= spread <= LARGEST_SPREAD:
        rule = "must make noise whose variance or scale lies between 1e-300 and 1e300"
        raise InvalidInput(name, rule, about(spread), "Use numbers of a usual size, such as 1.")


def about(number: Fraction) -> str:
    """A positive number of any size in three digits.

    >>> about(Fraction(2 * 10**475, 3))
    '6.67E+474'
    """
    return str(Context(prec=3).divide(Decimal(number.numerator), Decimal(number.denominator)))


def checked_share(name: str, value: object, way_out: str) -> Fraction:
    """A share in [0, 1] without rounding."""
    number = fraction(name, value, way_out)
    if not 0 <= number <= 1:
        raise InvalidInput(name, "must be in [0, 1]", str(number), way_out)
    return number


Law: TypeAlias = type[AdditiveNoise]
"""A class of noise that is added to each cell, such as Gaussian."""

LAWS: dict[str, Law] = {kind.parameter.word: kind for kind in kinds() if issubclass(kind, AdditiveNoise)}
"""The laws by the words that files have for them."""

# The parameter of each law from the spread, which is a variance for those that have a sigma and a scale for the others.
# The law with a sigma reckons with the nearest double; a scale and an epsilon are taken as they are, so that they are
# rounded to the side of less noise.
_PARAMETERS: dict[str, Callable[[Fraction], float]] = {
    "sigma": square_root,
    "scale": lambda scale: doubles_around(scale)[0],
    "epsilon": lambda scale: nearest_up(1 / scale),
}


def by_variance(law: Law) -> bool:
    """Whether the noise is given by its variance, and not by its scale."""
    return law.parameter.name == "sigma"


def cell_noise(law: Law, spread: Fraction, change: Fraction) -> Mechanism:
    """The noise of one cell that changes by so much, as a double holds it: a bound on it is one on the noise itself.

    >>> from whit.mechanisms import DiscreteGaussian
    >>> cell_noise(DiscreteGaussian, Fraction(4), Fraction(1)).sigma
    2.0
    """
    size, parameter = nearest_up(change), law.parameter.name
    made = {parameter: _PARAMETERS[parameter](spread)}
    return law(**made, sensitivity=_of_one_cell(size))


@lru_cache(maxsize=64)
def _of_one_cell(size: float) -> Sensitivity:
    """The sensitivity of a cell that changes by so much, whatever the neighbours; many cells change alike."""
    return Sensitivity(add_remove=size, replace=size)


def cell_rho(law: Law, spread: Fraction, change: Fraction) -> Fraction:
    """A rho with which one cell that changes by so much is zero-concentrated differentially private.

    Exact for Gaussian noise, discrete or not, and for Laplace noise up to rounding; for the others the best that
    follows from their epsilon.
    """
    if by_variance(law):
        return change**2 / (2 * spread)
    rule, loss = conversions.laplace_rho if law is Laplace else conversions.pure_rho, change / spread
    # It is never above the loss, which may be more than a double holds.
    return loss if loss > LARGEST_RHO else Fraction(float(rule(nearest_up(loss)).value))


def rho_theorems(laws: Iterable[Law]) -> tuple[str, ...]:
    """Keys of what gives the rhos of these laws, beside that of Gaussian noise."""
    other = {law for law in laws if not by_variance(law)}
    keys = (("laplace-zcdp", Laplace in other), ("pure-to-zcdp", bool(other - {Laplace})))
    return tuple(key for key, needed in keys if needed)


@dataclass(frozen=True, init=False, repr=False)
class Amount(ABC):
    """A parameter of the noise, above 0; texts such as "2.56" and "1/3" are kept exact."""

    value: Fraction

    word: ClassVar[str]
    by_variance: ClassVar[bool] = True
    # The power of the size of the noise with which the parameter grows.
    grows_as: ClassVar[int] = -1

    @property
    def noise_power(self) -> int:
        """With which power of the size of the noise falls what a share is a share of: rho with its square."""
        return 2 if self.by_variance else 1

    def __init__(self, value: object) -> None:
        way_out = f"Use a number such as 0.5, or a fraction such as '1/3', for {self.word}."
        object.__setattr__(self, "value", positive(self.word, value, way_out))

    @abstractmethod
    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The noise of a query with this share; one record changes so many of its cells by so much.

        It is the variance of Gaussian noise, and the scale of Laplace noise.
        """

    def with_noise(self, factor: Fraction) -> Amount:
        """The amount that is left if the noise is so many times as large."""
        return type(self)(self.value * factor**self.grows_as)

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
    grows_as: ClassVar[int] = -2

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The variance that has this rho."""
        return cells * change**2 / (2 * self.value * share)


@dataclass(frozen=True, init=False, repr=False)
class Mu(Amount):
    """Mu of Gaussian differential privacy: the root of the changes squared and added up, over sigma."""

    word: ClassVar[str] = "mu"

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The variance that has this mu."""
        return cells * change**2 / (self.value**2 * share)


@dataclass(frozen=True, init=False, repr=False)
class Sigma(Amount):
    """Sigma, the standard deviation of Gaussian noise; as a budget, that of a query to which all of it is given."""

    word: ClassVar[str] = "sigma"
    grows_as: ClassVar[int] = 1

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The variance itself, over the share."""
        return self.value**2 / share


@dataclass(frozen=True, init=False, repr=False)
class Epsilon(Amount):
    """Epsilon of pure differential privacy: the changes added up, over the scale of Laplace or geometric noise."""

    word: ClassVar[str] = "epsilon"
    by_variance: ClassVar[bool] = False

    def spread(self, share: Fraction, cells: int, change: Fraction) -> Fraction:
        """The scale that has this epsilon."""
        return cells * change / (self.value * share)


AMOUNTS: dict[str, type[Amount]] = {kind.word: kind for kind in (Rho, Mu, Sigma, Epsilon)}
"""The amounts by the words that files have for them."""
