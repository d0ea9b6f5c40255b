"""The discrete Gaussian, p(k) ~ e^{-k^2 / 2 sigma^2} on the integers, moved by a whole number d of cells.

With a = sigma^2 / d^2 the transform is M(s) = e^{s(s+1)/2a} Theta(s) / Theta(0), where by Poisson's summation
Theta(s) = sum_m q^{m^2} e^{2 pi i m d s}, q = e^{-2 pi^2 sigma^2}. The losses lie on a lattice, so M is periodic up
to a sign: M(c + i(t + P)) = (-1)^d M(c + it) with P = 2 pi sigma^2 / d. Below sigma^2 = 1/2 the sum over k itself is
shorter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from whit.curves.contour.composition import Kind
from whit.curves.contour.floating import ELEMENTARY, UNIT, Complex, Flags, Real, log1p, log1p_growth
from whit.curves.contour.rules import Rule, RuleKind, Tilted, no_error
from whit.errors import require
from whit.numerics import finite_positive

THETA_FROM = 0.5
TWO_PI = 2 * math.pi
# Terms of the theta series below e^-45 are left out, and counted as an error of 2 e^-45 < 1e-19 each.
NEGLIGIBLE = -45.0
SERIES_LENGTH = 4


@dataclass(frozen=True)
class DiscreteGaussianKind(Kind):
    """One cell with discrete Gaussian noise of parameter sigma^2, whose value moves by `shift`."""

    symmetric: ClassVar[bool] = True

    sigma2: float
    shift: int = 1

    def __post_init__(self) -> None:
        finite_positive("sigma2", self.sigma2, "It is the square of the scale of the discrete Gaussian.")
        require(self.shift >= 1, name="shift", rule="must be at least 1", value=self.shift, way_out="Use 1.")

    @cached_property
    def form(self) -> Kind:
        """The form that is exact and short for this sigma."""
        return DiscreteGaussianBank(((self.sigma2, self.shift, 1),)) if self._is_wide else NarrowLattice(self)

    @property
    def _is_wide(self) -> bool:
        return self.sigma2 >= THETA_FROM

    def log_mgf(self, s: Complex) -> Complex:
        """As the form of the kind has it."""
        return self.form.log_mgf(s)

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """As the form of the kind has it."""
        return self.form.growth(s, log_mgf)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """As the form of the kind has it."""
        return self.form.log_abs_bound(c, start, stop, copies)

    @property
    def lattice(self) -> tuple[float, int] | None:
        """The losses are (d - 2k) d / 2 sigma^2."""
        return self.shift / (2 * self.sigma2), self.shift % 2

    @property
    def atoms(self) -> float:
        """The cells that matter."""
        return 10 + 12 * math.sqrt(self.sigma2)

    def cost(self, reach: float) -> float:
        """As the form of the kind has it."""
        return self.form.cost(reach)

    @classmethod
    def merged(cls, counts: Mapping[Kind, int]) -> Mapping[Kind, int]:
        """All the wide ones in one bank, evaluated together."""
        kinds = [(kind, count) for kind, count in counts.items() if isinstance(kind, DiscreteGaussianKind)]
        narrow: dict[Kind, int] = {kind.form: count for kind, count in kinds if not kind._is_wide}
        wide = sorted((kind.sigma2, kind.shift, count) for kind, count in kinds if kind._is_wide)
        return {**narrow, DiscreteGaussianBank(tuple(wide)): 1} if wide else narrow


@dataclass(frozen=True)
class DiscreteGaussianBank(Kind):
    """Many discrete Gaussians (sigma^2 >= 1/2, shift, count) at once: log_mgf is the sum over all of them."""

    symmetric: ClassVar[bool] = True

    members: tuple[tuple[float, int, int], ...]

    @cached_property
    def columns(self) -> tuple[Real, Real, Real]:
        """sigma^2, shift and count, each as one array."""
        table = np.array(self.members, dtype=np.float64)
        return table[:, 0], table[:, 1], table[:, 2]

    @cached_property
    def period(self) -> Real:
        """P = 2 pi sigma^2 / d of each member."""
        sigma2, shift, _ = self.columns
        return TWO_PI * sigma2 / shift

    @cached_property
    def precision(self) -> Real:
        """1 / 2a of each member."""
        sigma2, shift, _ = self.columns
        return shift * shift / (2 * sigma2)

    @cached_property
    def log_theta_at_zero(self) -> float:
        """The sum of count times log Theta(0)."""
        sigma2, _, count = self.columns
        squares = np.arange(1, SERIES_LENGTH + 1)[:, None] ** 2
        return float(count @ np.log1p(2 * np.exp(-2 * math.pi**2 * sigma2 * squares).sum(axis=0)))

    def log_mgf(self, s: Complex) -> Complex:
        """Members whose first replica lies beyond every t share one quadratic; the others are folded one period."""
        _, _, count = self.columns
        folded = 0.5 * self.period < float(np.abs(s.imag).max(initial=0.0))
        plain = float((count * self.precision)[~folded].sum())
        result = plain * (s * (s + 1)) - self.log_theta_at_zero
        for j in self._needing_theta(s, folded):
            point, sign = self._fold(s, j) if folded[j] else (s, np.zeros(s.shape))
            own = self.precision[j] * (point * (point + 1)) if folded[j] else np.zeros(1)
            result += count[j] * (own + log1p(self._theta_excess(point, j)) + 1j * sign)
        return result

    def _needing_theta(self, s: Complex, folded: Flags) -> list[int]:
        """The members whose theta factor is not 1 to double precision somewhere."""
        sigma2, shift, _ = self.columns
        reach = float(np.abs(s.imag).max(initial=0.0))
        exponent = -2 * math.pi**2 * sigma2 + TWO_PI * shift * np.minimum(reach, 0.5 * self.period)
        return [int(j) for j in np.flatnonzero(folded | (exponent > NEGLIGIBLE))]

    def _fold(self, s: Complex, j: int) -> tuple[Complex, Real]:
        """The point one period or more nearer to the real line, and the angle of the sign that this costs."""
        turns = np.rint(s.imag / self.period[j])
        parity = np.mod(turns * self.columns[1][j], 2.0)
        return s.real + 1j * (s.imag - turns * self.period[j]), math.pi * parity

    def _theta_excess(self, s: Complex, j: int) -> Complex:
        """Theta(s) - 1 at folded points; the series is cut where its terms are below e^-45."""
        sigma2, shift, _ = self.columns
        result = np.zeros_like(s)
        reach = float(np.abs(s.imag).max(initial=0.0))
        for m in range(1, SERIES_LENGTH + 1):
            fall = -2 * math.pi**2 * sigma2[j] * m * m
            if fall + TWO_PI * m * shift[j] * reach < NEGLIGIBLE:
                break
            turn = 1j * (TWO_PI * m * shift[j]) * s
            result += np.exp(fall + turn) + np.exp(fall - turn)
        return result

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """The quadratic to 8 UNIT; folding moves t by 4 UNIT |t|, times the slope; the theta series by its terms."""
        _, _, count = self.columns
        folded = 0.5 * self.period < float(np.abs(s.imag).max(initial=0.0))
        size = np.abs(s) * np.abs(s + 1)
        plain = float((count * self.precision)[~folded].sum())
        result: Real = 24 * UNIT * plain * size + 4 * UNIT * self.log_theta_at_zero + float(count.sum()) * 1e-18
        result += 2 * len(count) * UNIT * np.abs(log_mgf)
        for j in self._needing_theta(s, folded):
            result += count[j] * self._member_growth(s, j, bool(folded[j]))
        return result

    def _member_growth(self, s: Complex, j: int, folded: bool) -> Real:
        """One member: its quadratic if folded, and the theta series with terms e^{A + B} to 8 UNIT (1 + |A| + |B|)."""
        sigma2, shift, _ = self.columns
        point = self._fold(s, j)[0] if folded else s
        moved = 4 * UNIT * np.abs(s.imag) if folded else np.zeros(s.shape)
        error = np.full(s.shape, 1e-18)
        for m in range(1, SERIES_LENGTH + 1):
            fall, rate = 2 * math.pi**2 * sigma2[j] * m * m, TWO_PI * m * shift[j]
            term = 2 * np.exp(-fall + rate * np.abs(point.imag))
            error += term * (ELEMENTARY * (3 + fall + rate * np.abs(point)) + rate * moved)
        growth: Real = log1p_growth(self._theta_excess(point, j), error)
        if folded:
            slope = self.precision[j] * np.abs(2 * point + 1)
            growth = growth + 12 * UNIT * self.precision[j] * np.abs(point) * np.abs(point + 1) + slope * moved
        return growth

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """|M(c+it)| / M(c) <= sum_m e^{-(t + mP)^2 / 2a} / (1 - 2.2 q): Gaussian replicas at the multiples of P.

        Let x be the distance from t to the nearest multiple. The next one is P - x away, all others together add at
        most 4 e^{-P^2 / 2a}, since P^2 / 2a = 2 pi^2 sigma^2 >= 9.8. Over an interval, x is at least the distance of
        the interval, and P - x at least P/2.
        """
        sigma2, _, count = (column[:, None] for column in self.columns)
        period, precision = self.period[:, None], self.precision[:, None]
        middle, half = 0.5 * (start + stop), 0.5 * (stop - start)
        off = np.abs(np.mod(middle + 0.5 * period, period) - 0.5 * period)
        nearest = np.maximum(off - half - 8 * UNIT * stop, 0.0)
        second = np.maximum(period - off - half, 0.5 * period)
        q = np.exp(-2 * math.pi**2 * sigma2)
        others = np.exp(precision * (nearest**2 - second**2)) + 4 * np.exp(
            precision * nearest**2 - 2 * math.pi**2 * sigma2
        )
        each = -precision * nearest**2 + np.log1p(others) - np.log1p(-2.2 * q)
        bound: Real = (count * np.minimum(each, 0.0)).sum(axis=0)
        return bound

    def cost(self, reach: float) -> float:
        """Far out all members need a theta series."""
        return float(len(self.members))


@dataclass(frozen=True)
class NarrowLattice(RuleKind):
    """A discrete Gaussian of small sigma by the sum over its own cells, in a window that follows the tilt."""

    symmetric: ClassVar[bool] = True

    kind: DiscreteGaussianKind

    def log_mgf_real(self, c: Real) -> Real:
        """Tilting by c moves the cells by d c: with the part f of a cell that is left of it, the sum over e^{-(n+f)^2}.

        The largest terms are those of the cells next to f, which is at most 1/2; so nothing overflows.
        """
        doubled, shift, cells = 2 * self.kind.sigma2, self.kind.shift, np.arange(-12.0, 13.0)
        moved = shift * c
        part = moved - np.rint(moved)
        sums = np.exp(-(cells * (cells + 2 * part[:, None])) / doubled).sum(axis=1)
        height = (moved * (moved + shift) - part * part) / doubled
        return np.asarray(height + np.log(sums / np.exp(-cells * cells / doubled).sum()))

    def tilted(self, c: float, reach: float) -> Tilted:
        """Tilting by c moves the centre to -d c; 12 cells to each side leave out less than e^-130 of the mass."""
        sigma2, shift = self.kind.sigma2, self.kind.shift
        near, far = sorted((0, round(-shift * c)))
        cells = (
            np.arange(near - 12, far + 13, dtype=np.float64)
            if far - near < 100
            else np.unique(np.concatenate([np.arange(-12.0, 13.0), round(-shift * c) + np.arange(-12.0, 13.0)]))
        )
        around = np.arange(-12, 13)
        log_total = math.log(math.fsum(np.exp(-(around**2) / (2 * sigma2))))
        losses = shift * (shift - 2 * cells) / (2 * sigma2)
        log_masses = -cells * cells / (2 * sigma2) - log_total
        rule = Rule(losses, log_masses, 0.0, 4 * UNIT * np.abs(losses), 8 * UNIT * (2 + np.abs(log_masses)), no_error)
        return Tilted.of(rule, c)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """By the modulus at the middle of each interval."""
        bound: Real = np.log(self.tilted(c, 0.0).modulus_bound(start, stop))
        return bound
