"""The noise in a cell of a plan, by its class, and what one cell with it tells."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from whit.guarantees import PureDP, ZeroConcentratedDP, convert
from whit.mechanisms import AdditiveNoise, Mechanism, kinds
from whit.plans.exact import nearest_up, root
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
