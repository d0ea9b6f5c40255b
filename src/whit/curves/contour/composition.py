"""A multiset of kinds: what was released, how often each. Its transform is a weighted sum, whatever the counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from whit.curves.contour.cover import TooManyNodes
from whit.curves.contour.floating import UNIT, Complex, Real
from whit.curves.contour.kind import Kind
from whit.errors import require
from whit.numerics import log_multisets


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
        """The composition with P and Q exchanged in every mechanism."""
        turned: dict[Kind, int] = {}
        for kind, count in self.counts.items():
            turned[kind.reverse()] = turned.get(kind.reverse(), 0) + count
        return Composition(turned)

    @property
    def certified(self) -> bool:
        """Whether every bound used for every kind is proved."""
        return all(kind.certified for kind in self.counts)

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
        low = math.fsum(count * kind.loss_range[0] for kind, count in self.counts.items())
        high = math.fsum(count * kind.loss_range[1] for kind, count in self.counts.items())
        return low, high

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
                value = self.log_mgf(c.astype(np.complex128)).real
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
