"""A finite pair, given by its losses and their masses; the geometric mechanism is one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whit.curves.contour.floating import UNIT, Complex, Real
from whit.curves.contour.kind import Kind
from whit.curves.contour.randomized_response import RandomizedResponseKind, require_epsilon
from whit.curves.contour.rules import Rule, RuleKind, Tilted, no_error
from whit.errors import require

MASS_TOLERANCE = 1e-9
# With fewer copies no bound on |phi| below 1 saves any nodes worth its price.
FEWEST_COPIES_TO_BOUND = 4


@dataclass(frozen=True)
class AtomsKind(RuleKind):
    """Finite losses with their P-masses, and the masses of infinite loss under P and of minus infinity under Q.

    The losses and the masses make the pair: the masses are scaled to the finite mass exactly, and Q is P times e^-loss.
    """

    losses: tuple[float, ...]
    masses: tuple[float, ...]
    infinity_mass: float = 0.0
    reverse_infinity_mass: float = 0.0
    lattice: tuple[float, int] | None = None

    def __post_init__(self) -> None:
        self._require_shape()
        self._require_total("masses", math.fsum(self.masses) + self.infinity_mass)
        null = math.fsum(p * math.exp(-z) for z, p in zip(self.losses, self.masses, strict=True))
        self._require_total("the masses times e^-loss", null + self.reverse_infinity_mass)

    def _require_shape(self) -> None:
        require(
            0 < len(self.losses) == len(self.masses) and all(math.isfinite(z) for z in self.losses),
            name="losses",
            rule="must be finite numbers, one for each mass, at least one",
            value=self.losses,
            way_out="Give the mass of infinite loss as infinity_mass.",
        )
        extremes = (*self.masses, self.infinity_mass, self.reverse_infinity_mass)
        require(
            all(p > 0 for p in self.masses) and all(0 <= p <= 1 for p in extremes),
            name="masses",
            rule="must be in (0, 1], and infinite masses in [0, 1]",
            value=self.masses,
            way_out="Leave out the losses that have no mass.",
        )

    @staticmethod
    def _require_total(name: str, total: float) -> None:
        require(
            abs(total - 1) <= MASS_TOLERANCE,
            name=name,
            rule="must add up to 1 together with the infinite mass",
            value=total,
            way_out="Check that each loss is log P/Q of its atom.",
        )

    @classmethod
    def of_pair(cls, p: tuple[float, ...], q: tuple[float, ...]) -> AtomsKind:
        """The kind of two probability vectors over the same outcomes."""
        both = [(math.log(a) - math.log(b), a) for a, b in zip(p, q, strict=True) if a > 0 and b > 0]
        only_p = math.fsum(a for a, b in zip(p, q, strict=True) if b == 0)
        only_q = math.fsum(b for a, b in zip(p, q, strict=True) if a == 0)
        return cls(tuple(z for z, _ in both), tuple(a for _, a in both), only_p, only_q)

    @cached_property
    def rule(self) -> Rule:
        """The atoms as a rule without quadrature error."""
        masses = np.array(self.masses)
        masses *= (1 - self.infinity_mass) / math.fsum(self.masses)
        losses, ones = np.array(self.losses), np.ones_like(masses)
        return Rule(losses, np.log(masses), -self.infinity_mass, 2 * UNIT * np.abs(losses), 16 * UNIT * ones, no_error)

    def tilted(self, c: float, reach: float) -> Tilted:
        """The rule does not depend on the reach."""
        return Tilted.of(self.rule, c)

    def log_mgf(self, s: Complex) -> Complex:
        """By tilts; an array of real points goes in one step where nothing overflows."""
        largest = float(np.abs(s.real).max(initial=0.0) * np.abs(self.rule.losses).max())
        if s.size < 3 or s.imag.any() or largest > 300:
            return super().log_mgf(s)
        terms = np.expm1(np.multiply.outer(s.real, self.rule.losses)) @ np.exp(self.rule.log_masses)
        return np.log1p(terms + self.rule.excess).astype(np.complex128)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """By the modulus at the middle of each interval."""
        if copies < FEWEST_COPIES_TO_BOUND:
            return np.zeros_like(start)
        bound: Real = np.log(self.tilted(c, float(stop.max(initial=0.0))).modulus_bound(start, stop))
        return bound

    @property
    def loss_range(self) -> tuple[float, float]:
        """The smallest and the largest loss."""
        return min(self.losses), max(self.losses)

    @property
    def atoms(self) -> float:
        """One for each loss."""
        return float(len(self.losses))

    def cost(self, reach: float) -> float:
        """One sine and one cosine for each atom."""
        return 1 + 0.25 * len(self.losses)

    @cached_property
    def _null_mass(self) -> float:
        """M(-1), the sum of all masses times e^-loss."""
        terms = (p * math.exp(-z) for z, p in zip(self.losses, self.masses, strict=True))
        return math.fsum(terms) * ((1 - self.infinity_mass) / math.fsum(self.masses))

    @property
    def log_null_mass(self) -> float:
        """log M(-1)."""
        return math.log(self._null_mass)

    @property
    def pair_error(self) -> float:
        """What is missing, and 32 UNIT for the doubles themselves."""
        return abs(self._null_mass + self.reverse_infinity_mass - 1) + 32 * UNIT


def geometric_kind(epsilon: float, shift: int = 1) -> Kind:
    """Two-sided geometric noise p(k) ~ e^{-epsilon |k|} whose value moves by `shift` cells.

    By one cell it is randomized response: the loss is +epsilon for k <= 0 and -epsilon for k >= 1. By more cells the
    losses epsilon (shift - 2j) in between have the masses of single cells.
    """
    require_epsilon(epsilon)
    require(shift >= 1, name="shift", rule="must be a whole number of at least 1", value=shift, way_out="Use 1.")
    if shift == 1:
        return RandomizedResponseKind(epsilon)
    ratio = math.exp(-epsilon)
    between = [(-math.expm1(-epsilon)) / (1 + ratio) * ratio**j for j in range(1, shift)]
    masses = (1 / (1 + ratio), *between, ratio**shift / (1 + ratio))
    losses = tuple(epsilon * (shift - 2 * j) for j in range(shift + 1))
    return AtomsKind(losses, masses, lattice=(epsilon, shift % 2))
