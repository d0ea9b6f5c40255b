"""What the engine needs to know about one kind of mechanism: the transform of its loss, and bounds on it.

For a pair of laws P and Q with loss Z = log P/Q, a kind knows M(s) = E_P[e^{sZ}; Z finite]. The same function serves
both orientations: the loss of the reversed pair has M_rev(s) = E_Q[e^{-sZ}] = M(-1 - s).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whit.curves.contour.floating import UNIT, Complex, Real
from whit.errors import require


class Kind(ABC):
    """One kind of mechanism: hashable, so that a composition is a multiset of kinds."""

    certified: ClassVar[bool] = True

    @abstractmethod
    def log_mgf(self, s: Complex) -> Complex:
        """log E_P[e^{sZ}; Z finite] at each point of a 1-d array, on any branch of the logarithm."""

    @abstractmethod
    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """A bound on the rounding error of the computed log_mgf(s), as a growth (see floating).

        It also covers a relative error of 4 UNIT in Im s.
        """

    @abstractmethod
    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """An upper bound on log |M(c + it)| / M(c) that holds for every t in [start, stop], for each interval.

        It is a bound for one copy; the number of copies only tells how much sharpness is worth its price.
        """

    @property
    @abstractmethod
    def loss_range(self) -> tuple[float, float]:
        """Between which numbers every finite loss lies."""

    @property
    def infinity_mass(self) -> float:
        """P[Z = +infinity]."""
        return 0.0

    @property
    def reverse_infinity_mass(self) -> float:
        """Q[Z = -infinity], the infinite mass of the reversed pair."""
        return 0.0

    @property
    def log_finite_mass(self) -> float:
        """log M(0) = log P[Z finite]."""
        return math.log1p(-self.infinity_mass) if self.infinity_mass < 1 else -math.inf

    @property
    def log_null_mass(self) -> float:
        """log M(-1) = log Q[Z finite]."""
        return math.log1p(-self.reverse_infinity_mass) if self.reverse_infinity_mass < 1 else -math.inf

    @property
    def pair_error(self) -> float:
        """By how much the masses of Q fail to add up to 1, where they are given in doubles."""
        return 0.0

    @property
    def gaussian_variance(self) -> float:
        """The variance of a Gaussian part of the loss, which makes the transform fall like e^{-variance t^2 / 2}."""
        return 0.0

    @property
    def lattice(self) -> tuple[float, int] | None:
        """(unit, parity) if every finite loss is m times the unit, with all m even (parity 0) or all odd (1)."""
        return None

    @property
    def atoms(self) -> float:
        """About how many different finite losses there are that matter."""
        return math.inf

    def cost(self, reach: float) -> float:
        """What one evaluation at |t| <= reach costs, a closed form being 1."""
        return 1.0

    def reverse(self) -> Kind:
        """The kind with P and Q exchanged."""
        return Reversed(self)

    @classmethod
    def merged(cls, counts: Mapping[Kind, int]) -> Mapping[Kind, int]:
        """Equivalent kinds and counts that cost less; all the given ones are of this class."""
        return counts


@dataclass(frozen=True)
class Reversed(Kind):
    """A kind with P and Q exchanged, by M_rev(s) = M(-1 - s)."""

    forward: Kind

    def log_mgf(self, s: Complex) -> Complex:
        """The forward transform at the reflected point."""
        return self.forward.log_mgf(-1 - s)

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """The transform at the reflected point."""
        return self.forward.growth(-1 - s, log_mgf)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """The bound on the reflected line: |M(-1 - c - it)| = |M(-1 - c + it)|, since losses are real."""
        return self.forward.log_abs_bound(-1 - c, start, stop, copies)

    @property
    def certified(self) -> bool:  # type: ignore[override]
        """Whether the forward kind is."""
        return self.forward.certified

    @property
    def loss_range(self) -> tuple[float, float]:
        """The forward range, mirrored."""
        low, high = self.forward.loss_range
        return -high, -low

    @property
    def lattice(self) -> tuple[float, int] | None:
        """The forward lattice, which is its own mirror image."""
        return self.forward.lattice

    @property
    def infinity_mass(self) -> float:
        """The mass that Q puts where P has none."""
        return self.forward.reverse_infinity_mass

    @property
    def reverse_infinity_mass(self) -> float:
        """The mass that P puts where Q has none."""
        return self.forward.infinity_mass

    @property
    def log_finite_mass(self) -> float:
        """What Q has where both are."""
        return self.forward.log_null_mass

    @property
    def log_null_mass(self) -> float:
        """What P has where both are."""
        return self.forward.log_finite_mass

    @property
    def pair_error(self) -> float:
        """The figure of the forward kind."""
        return self.forward.pair_error

    @property
    def atoms(self) -> float:
        """As many as those of the forward kind."""
        return self.forward.atoms

    def cost(self, reach: float) -> float:
        """The figure of the forward kind."""
        return self.forward.cost(reach)

    def reverse(self) -> Kind:
        """The forward kind again."""
        return self.forward


@dataclass(frozen=True)
class GaussianKind(Kind):
    """Two normal laws whose means lie mu standard deviations apart."""

    mu: float

    def __post_init__(self) -> None:
        require(
            math.isfinite(self.mu) and self.mu > 0,
            name="mu",
            rule="must be a finite number above 0",
            value=self.mu,
            way_out="It is the shift divided by the standard deviation of the noise.",
        )

    def log_mgf(self, s: Complex) -> Complex:
        """mu^2 s (s + 1) / 2, exactly."""
        return (0.5 * self.gaussian_variance) * (s * (s + 1))

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """Two complex operations, and mu^2 that carries up to 6 UNIT when it is a merged sum."""
        return 6 * UNIT * self.gaussian_variance * np.abs(s) * np.abs(s + 1)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """The modulus falls in |t|, so the start of each interval is its worst point."""
        return -0.5 * self.gaussian_variance * start * start

    @property
    def loss_range(self) -> tuple[float, float]:
        """Unlimited."""
        return -math.inf, math.inf

    @property
    def gaussian_variance(self) -> float:
        """All of the loss."""
        return self.mu * self.mu

    def reverse(self) -> Kind:
        """This kind: it is symmetric."""
        return self

    @classmethod
    def merged(cls, counts: Mapping[Kind, int]) -> Mapping[Kind, int]:
        """Gaussians compose to one Gaussian: their mu^2 add up."""
        total = math.fsum(count * kind.gaussian_variance for kind, count in counts.items())
        return {GaussianKind(math.sqrt(total)): 1}
