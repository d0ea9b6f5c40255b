"""Kinds whose transform is a finite sum over losses: atoms, or the nodes of a quadrature rule.

At a tilt c the sum is normalised to weights w_j ~ p_j e^{c z_j}, so that M(c + it) = M(c) phi(t) with
phi(t) = sum_j w_j e^{i t z_j}. Nothing overflows, and phi(t) - 1 is summed directly, so that small losses keep their
digits.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from whit.curves.contour.composition import Kind
from whit.curves.contour.floating import (
    ELEMENTARY,
    UNIT,
    Complex,
    Real,
    blocked_sum,
    blocked_sum_factor,
    dot,
    log1p,
    log1p_growth,
)
from whit.curves.contour.top import Top, atoms_top
from whit.errors import require

CHUNK = 1 << 18
# The largest exponent that the form sum p expm1(cz) is used for; beyond it the sum is scaled by its largest term.
EXPONENT_LIMIT = 300.0
# Below this log M(c), what is left of 1 - 1 + M(c) has lost too many digits.
FAR_BELOW_ONE = -20.0
LEAST_LOG = -700.0
MASS_TOLERANCE = 1e-9
# With fewer copies no bound on |phi| below 1 saves any nodes worth its price.
FEWEST_COPIES_TO_BOUND = 4


def no_error(t: Real) -> Real:
    """The quadrature error of a sum over atoms."""
    return np.zeros_like(t)


@dataclass(frozen=True)
class Rule:
    """Losses and the logarithms of their masses, with an absolute error for each loss and a relative one for each mass.

    `excess` is the total mass minus 1 (minus the mass at infinity), known better than the sum of the masses;
    `quadrature_error` bounds |rule - integral| / M(c) as a function of |t|.
    """

    losses: Real
    log_masses: Real
    excess: float
    loss_error: Real
    mass_error: Real
    quadrature_error: Callable[[Real], Real]


@dataclass(frozen=True)
class Tilted:
    """A rule at the tilt c: normalised weights, log M(c), and the constants of the rounding bound."""

    losses: Real
    weights: Real
    log_scale: float
    scale_growth: float
    amplitude_slope: float
    amplitude_cap: float
    phase_slope: float
    spread: float
    quadrature_error: Callable[[Real], Real]

    @classmethod
    def of(cls, rule: Rule, c: float) -> Tilted:
        """The rule at the tilt c."""
        exponents = rule.log_masses + c * rule.losses
        top = float(exponents.max())
        raw = np.exp(exponents - top)
        total = float(blocked_sum(raw))
        weights = raw / total
        log_scale, scale_growth = _log_scale(rule, c, weights, top + math.log(total))
        # The weights carry the errors of the masses, of c z, and of their own sum.
        coefficient = rule.mass_error + abs(c) * (2 * UNIT * np.abs(rule.losses) + rule.loss_error) + 4 * ELEMENTARY
        coefficient = coefficient + 2 * blocked_sum_factor(len(weights)) + UNIT * np.abs(exponents - top)
        modulus = np.abs(rule.losses)
        return cls(
            losses=rule.losses,
            weights=weights,
            log_scale=log_scale,
            scale_growth=scale_growth,
            amplitude_slope=2 * dot(weights, coefficient * modulus),
            amplitude_cap=4 * dot(weights, coefficient),
            phase_slope=2 * dot(weights, 6 * UNIT * modulus + rule.loss_error),
            spread=dot(weights, np.abs(rule.losses - dot(weights, rule.losses))) * (1 + 1e-9),
            quadrature_error=rule.quadrature_error,
        )

    def phi_excess(self, t: Real) -> Complex:
        """phi(t) - 1, in chunks that stay small in memory."""
        result = np.empty(t.shape, dtype=np.complex128)
        step = max(1, CHUNK // len(self.losses))
        for start in range(0, len(t), step):
            half = np.multiply.outer(0.5 * t[start : start + step], self.losses)
            sine = np.sin(half)
            weighted = self.weights * sine
            result.real[start : start + step] = -2 * blocked_sum(weighted * sine)
            result.imag[start : start + step] = 2 * blocked_sum(weighted * np.cos(half))
        return result

    def phi_error(self, t: Real) -> Real:
        """|computed - true| of phi: amplitudes are wrong in proportion to min(2, |t z|), phases to |t z|."""
        size = np.abs(t)
        rounding = np.minimum(size * self.amplitude_slope, self.amplitude_cap) + size * self.phase_slope
        return rounding + self.quadrature_error(size)

    def modulus_bound(self, start: Real, stop: Real) -> Real:
        """|phi| at the middle of each interval, plus its slope times half the width."""
        middle, half = 0.5 * (start + stop), 0.5 * (stop - start)
        reach = self.spread * half
        result = np.ones_like(middle)
        worth = np.flatnonzero(reach < 0.9)
        at = middle[worth]
        value = np.abs(1 + self.phi_excess(at)) + self.phi_error(at) + reach[worth]
        result[worth] = np.minimum(value, 1.0)
        return result


def _log_scale(rule: Rule, c: float, weights: Real, scaled: float) -> tuple[float, float]:
    """log M(c) and its growth, by sum p expm1(cz) where that neither overflows nor cancels."""
    exponent = c * rule.losses
    blocked = blocked_sum_factor(len(weights))
    size = dot(weights, 2 * UNIT * np.abs(exponent) + abs(c) * rule.loss_error)
    quadrature = float(rule.quadrature_error(np.zeros(1))[0])
    if float(exponent.max()) > EXPONENT_LIMIT or scaled < FAR_BELOW_ONE:
        errors = dot(weights, rule.mass_error) + 4 * ELEMENTARY + blocked + 4 * UNIT * abs(scaled)
        return scaled, 2 * (size + errors + quadrature * math.exp(min(max(-scaled, 0.0), -LEAST_LOG)))
    masses = np.exp(rule.log_masses)
    terms = masses * np.expm1(exponent)
    excess = float(blocked_sum(terms)) + rule.excess
    moduli = dot(np.abs(terms), rule.mass_error + UNIT * np.abs(rule.log_masses) + 3 * ELEMENTARY + blocked)
    relative = (moduli + abs(rule.excess) * 4 * UNIT) / (1 + excess) + size + quadrature / min(1.0, 1 + excess)
    log_scale = math.log1p(excess)
    return log_scale, 2 * relative + 2 * ELEMENTARY * abs(log_scale)


class RuleKind(Kind):
    """A kind given by a rule for each tilt and each reach in t."""

    @abstractmethod
    def tilted(self, c: float, reach: float) -> Tilted:
        """The rule at tilt c, good for all |t| <= reach."""

    def log_mgf(self, s: Complex) -> Complex:
        """log M(c) + log phi(t), one tilt after the other."""
        result = np.empty(s.shape, dtype=np.complex128)
        for c, index in by_value(s.real):
            t = s.imag[index]
            tilted = self.tilted(c, float(np.abs(t).max(initial=0.0)))
            result[index] = tilted.log_scale + (log1p(tilted.phi_excess(t)) if t.any() else 0.0)
        return result

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """The growth of M(c), and that of 1 + (phi - 1)."""
        result = np.empty(s.shape)
        for c, index in by_value(s.real):
            t = s.imag[index]
            tilted = self.tilted(c, float(np.abs(t).max(initial=0.0)))
            excess = np.exp(log_mgf[index] - tilted.log_scale) - 1
            result[index] = tilted.scale_growth + log1p_growth(excess, tilted.phi_error(t) + 16 * UNIT * np.abs(excess))
            result[index] += UNIT * np.abs(log_mgf[index])
        return result


def by_value(numbers: Real) -> list[tuple[float, NDArray[np.intp]]]:
    """The different numbers, each with the places where it stands."""
    if numbers.size and bool(np.all(numbers == numbers[0])):
        return [(float(numbers[0]), np.arange(numbers.size))]
    values, inverse = np.unique(numbers, return_inverse=True)
    return [(float(value), np.flatnonzero(inverse == i)) for i, value in enumerate(values)]


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
    def top(self) -> Top:
        """The largest of the losses."""
        return atoms_top(self.rule.losses, self.rule.log_masses, 16 * UNIT)

    @property
    def reverse_top(self) -> Top:
        """The smallest of them, with what Q has there."""
        return atoms_top(-self.rule.losses, self.rule.log_masses - self.rule.losses, 16 * UNIT)

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
