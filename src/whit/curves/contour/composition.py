"""What is composed: kinds of mechanisms, each known by the transform of its loss, and multisets of them.

For a pair of laws P and Q with loss Z = log P/Q, a kind knows M(s) = E_P[e^{sZ}; Z finite]. The same function serves
both orientations: the loss of the reversed pair has M_rev(s) = E_Q[e^{-sZ}] = M(-1 - s). The transform of a composition
is a product, and its logarithm a weighted sum, whatever the counts.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from whit.curves.contour.floating import UNIT, Complex, Real
from whit.curves.contour.top import UNKNOWN, Top
from whit.errors import require
from whit.numerics import doubles_around, log_multisets

MOST_NODES = 4_000_000
"""The most nodes that are summed on one line."""


class TooManyNodes(Exception):
    """More nodes than the budget allows; says about how many there would be."""

    def __init__(self, nodes: float) -> None:
        super().__init__(nodes)
        self.nodes = nodes


class Kind(ABC):
    """One kind of mechanism: hashable, so that a composition is a multiset of kinds."""

    symmetric: ClassVar[bool] = False
    """Whether the reversed pair has the same loss."""

    @abstractmethod
    def log_mgf(self, s: Complex) -> Complex:
        """log E_P[e^{sZ}; Z finite] at each point of a 1-d array, on any branch of the logarithm."""

    def log_mgf_real(self, c: Real) -> Real:
        """log M at each point of the real line, good to many digits, but without a bound on its rounding."""
        return np.asarray(self.log_mgf(c.astype(np.complex128)).real, dtype=np.float64)

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
    def loss_range(self) -> tuple[float, float]:
        """Between which numbers every finite loss lies."""
        return -math.inf, math.inf

    @property
    def top(self) -> Top:
        """The largest loss and what lies just below it."""
        return UNKNOWN

    @property
    def reverse_top(self) -> Top:
        """The same of the reversed pair."""
        return self.top if self.symmetric else UNKNOWN

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

    def dear_until(self, c: float) -> float:
        """Beyond which t a bound on |M(c + it)| is a closed form; infinite where it never is."""
        return math.inf

    def reverse(self) -> Kind:
        """The kind with P and Q exchanged."""
        return self if self.symmetric else Reversed(self)

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

    def log_mgf_real(self, c: Real) -> Real:
        """The forward transform at the reflected point."""
        return self.forward.log_mgf_real(-1 - c)

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """The transform at the reflected point."""
        return self.forward.growth(-1 - s, log_mgf)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """The bound on the reflected line: |M(-1 - c - it)| = |M(-1 - c + it)|, since losses are real."""
        return self.forward.log_abs_bound(-1 - c, start, stop, copies)

    @property
    def loss_range(self) -> tuple[float, float]:
        """The forward range, mirrored."""
        low, high = self.forward.loss_range
        return -high, -low

    @property
    def top(self) -> Top:
        """That of the pair as it is reversed."""
        return self.forward.reverse_top

    @property
    def reverse_top(self) -> Top:
        """That of the forward kind."""
        return self.forward.top

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

    def dear_until(self, c: float) -> float:
        """That of the forward kind on the reflected line."""
        return self.forward.dear_until(-1 - c)

    def reverse(self) -> Kind:
        """The forward kind again."""
        return self.forward


class Composition:
    """Independent mechanisms {kind: count}, released together.

    >>> from whit.curves.contour import Composition, LaplaceKind
    >>> Composition({LaplaceKind(0.5): 3}).loss_range
    (-1.5, 1.5)
    """

    def __init__(self, counts: Mapping[Kind, int]) -> None:
        require(
            len(counts) > 0,
            name="a composition",
            rule="must hold at least one mechanism",
            value=counts,
            way_out="Give {kind: count}.",
        )
        for kind, count in counts.items():
            require(
                type(count) is int and 1 <= count < 2**53,
                name=f"the count of {kind}",
                rule="must be a whole number of at least 1",
                value=count,
                way_out="Leave out a kind that is not used.",
            )
        self.counts: dict[Kind, int] = dict(counts)

    def __repr__(self) -> str:
        """The expression that rebuilds it."""
        return f"Composition({self.counts!r})"

    @cached_property
    def parts(self) -> tuple[tuple[Kind, int], ...]:
        """The kinds with their counts, merged where a class knows how to."""
        by_class: dict[type[Kind], dict[Kind, int]] = {}
        for kind, count in self.counts.items():
            by_class.setdefault(type(kind), {})[kind] = count
        return tuple(part for cls, members in by_class.items() for part in cls.merged(members).items())

    def reverse(self) -> Composition:
        """The composition with P and Q exchanged in every mechanism; this very one if all are symmetric."""
        if all(kind.symmetric for kind in self.counts):
            return self
        turned: dict[Kind, int] = {}
        for kind, count in self.counts.items():
            turned[kind.reverse()] = turned.get(kind.reverse(), 0) + count
        return Composition(turned)

    @cached_property
    def log_finite_mass(self) -> float:
        """log P[Z finite] = log M(0)."""
        return math.fsum(count * kind.log_finite_mass for kind, count in self.counts.items())

    @cached_property
    def log_infinity_mass(self) -> float:
        """log P[Z = +infinity] = log(1 - prod (1 - m_j)^{n_j})."""
        masses = ((kind.infinity_mass, count) for kind, count in self.counts.items())
        log_none = math.fsum(count * (math.log1p(-mass) if mass < 1 else -math.inf) for mass, count in masses)
        return math.log(-math.expm1(log_none)) if log_none < 0 else -math.inf

    @cached_property
    def log_null_mass(self) -> float:
        """log Q[Z finite] = log M(-1)."""
        return math.fsum(count * kind.log_null_mass for kind, count in self.counts.items())

    @cached_property
    def pair_error(self) -> float:
        """By how much the masses of Q fail to add up to 1."""
        return math.expm1(math.fsum(count * math.log1p(kind.pair_error) for kind, count in self.counts.items()))

    @cached_property
    def loss_range(self) -> tuple[float, float]:
        """Between which numbers every finite loss lies."""
        return self._summed(0)[0], self.highest_loss[1]

    @cached_property
    def highest_loss(self) -> tuple[float, float]:
        """The largest finite loss: the sum of those of all mechanisms, rounded once downwards and once upwards."""
        return self._summed(1)

    def _summed(self, end: int) -> tuple[float, float]:
        ends = [(kind.loss_range[end], count) for kind, count in self.counts.items()]
        unbounded = [value for value, _ in ends if math.isinf(value)]
        if unbounded:
            return unbounded[0], unbounded[0]
        return doubles_around(sum((count * Fraction(value) for value, count in ends), Fraction(0)))

    @cached_property
    def lattice(self) -> tuple[float, int] | None:
        """(unit, parity) as in Kind.lattice, if all units are whole multiples of the smallest one, exactly."""
        lattices = [(kind.lattice, count) for kind, count in self.counts.items()]
        unit = min(lattice[0] if lattice else 0.0 for lattice, _ in lattices)
        if unit == 0 or any(lattice and lattice[0] != unit * round(lattice[0] / unit) for lattice, _ in lattices):
            return None
        odd = sum(count * lattice[1] * round(lattice[0] / unit) for lattice, count in lattices if lattice)
        return unit, odd % 2

    @cached_property
    def gaussian_variance(self) -> float:
        """The variance of the Gaussian part of the loss."""
        return math.fsum(count * kind.gaussian_variance for kind, count in self.parts)

    @cached_property
    def atoms(self) -> float:
        """About how many different finite losses: for each kind, the ways to draw n of k losses with repetition."""
        logs = (log_multisets(kind.atoms, count) for kind, count in self.counts.items())
        return math.exp(min(math.fsum(logs), 700.0))

    def cost(self, reach: float) -> float:
        """What one evaluation of the transform at |t| <= reach costs, a closed form being 1."""
        return math.fsum(kind.cost(reach) for kind, _ in self.parts)

    def bound_cost(self, c: float, reach: float) -> float:
        """What one bound on the transform costs, for t up to the reach."""
        return math.fsum(kind.cost(min(reach, kind.dear_until(c))) for kind, _ in self.parts)

    def log_mgf(self, s: Complex) -> Complex:
        """The sum of count times log M over the parts."""
        total = np.zeros(s.shape, dtype=np.complex128)
        for kind, count in self.parts:
            total += count * kind.log_mgf(s)
        return total

    def log_mgf_and_growth(self, s: Complex) -> tuple[Complex, Real]:
        """The transform, and a bound on all the rounding in it.

        Each product is wrong by one UNIT, and the sum of K parts by K UNIT of the sum of the moduli.
        """
        total, moduli, growth = np.zeros(s.shape, dtype=np.complex128), np.zeros(s.shape), np.zeros(s.shape)
        for kind, count in self.parts:
            value = kind.log_mgf(s)
            growth += count * kind.growth(s, value)
            total += count * value
            moduli += count * np.abs(value)
        return total, growth + (len(self.parts) + 1) * UNIT * moduli

    def log_mgf_real(self, c: Real) -> Real:
        """log M on the real line; infinite where it is, and where it would cost too much to know."""
        try:
            with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
                value = sum((count * kind.log_mgf_real(c) for kind, count in self.parts), np.zeros(c.shape))
        except TooManyNodes:
            if len(c) == 1:
                return np.full(1, np.inf)
            return np.concatenate([self.log_mgf_real(each) for each in np.array_split(c, 2)])
        return np.where(np.isnan(value), np.inf, value)

    def log_abs_bound(self, c: float, start: Real, stop: Real) -> Real:
        """An upper bound on log |M(c + it)| / M(c) over each interval of t."""
        total = np.zeros(start.shape)
        for kind, count in self.parts:
            total += count * np.minimum(kind.log_abs_bound(c, start, stop, count), 0.0)
        return total
