"""RAPPOR: a value as a few bits of a Bloom filter, made noisy once for all, and again for each report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from whit import curves
from whit.curves import Array, Curve, FinitePair, LossDistribution, identical, log_ratio, merged_atoms
from whit.errors import NotImplied, TooCostly
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import drawn, surely_infinite
from whit.numerics import ULP, Bracket, count, log_binomial, probability
from whit.setting import Neighbours
from whit.theory import Basis

MOST_REPORTS = 10_000

_ONCE = "It is the probability that a bit is replaced by a fair coin, once for all; use a number such as 0.5."
_EACH = "It is the probability that a report says 1; use a number such as 0.5."


@dataclass(frozen=True, init=False, repr=False)
class Rappor(Mechanism):
    """Reports about one value that stays the same; each raises a few bits of a Bloom filter.

    Each bit is replaced by a fair coin with probability f, once and for all reports. Each report then says 1 with
    probability q where the bit is 1, and with probability p where it is 0. However many reports there are, they tell
    no more than the bits that were kept.

    f         the probability that a bit is replaced by a coin, once for all
    p         the probability that a report says 1 for a bit that is 0
    q         the probability that a report says 1 for a bit that is 1
    hashes    how many bits one value raises
    reports   how many reports there are about the value; None for any number of them

    Two values differ in at most twice as many bits as there are hashes, which is what the curve is of.

    >>> print(Rappor(0.5, p=0.5, q=0.75, hashes=2).epsilon(0.0))
    epsilon is 1.08 (rounded up)
    >>> print(Rappor(0.5, p=0.5, q=0.75, hashes=2, reports=None).epsilon(0.0))
    epsilon is 4.4 (rounded up)
    """

    details = (
        Detail(
            "f", "CHANCE", "RAPPOR: each bit is a coin with this chance, once for all.", Written.NUMBER, "rappor", True
        ),
        Detail("p", "CHANCE", "RAPPOR: the chance of a 1 for a bit that is 0.", Written.NUMBER, needed=True),
        Detail("q", "CHANCE", "RAPPOR: the chance of a 1 for a bit that is 1.", Written.NUMBER, needed=True),
        Detail("hashes", "K", "RAPPOR: how many bits one value raises. 1 if not given.", Written.WHOLE),
        Detail("reports", "K", "RAPPOR: how many reports, or any. 1 if not given.", Written.WHOLE, words={"any": None}),
    )
    instead: ClassVar[str] = "Ask for the epsilon of UnaryEncoding, or check a few values of f."

    f: float
    p: float
    q: float
    hashes: int
    reports: int | None

    def __init__(self, f: float, *, p: float, q: float, hashes: int = 1, reports: int | None = 1) -> None:
        few = None if reports is None else count("reports", reports, "Use 1, or None for however many.")
        if few is not None and few > MOST_REPORTS:
            way_out = "Use reports=None, which holds for any number of them."
            raise TooCostly("reports", f"must be at most {MOST_REPORTS}", reports, way_out)
        self._keep(
            f=probability("f", f, _ONCE),
            p=probability("p", p, _EACH),
            q=probability("q", q, _EACH),
            hashes=count("hashes", hashes, "Use the number of bits that one value raises, such as 2."),
            reports=few,
        )

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Any two values of the one who reports are neighbours; reports that are missing are not protected."""
        return (Neighbours.LOCAL, Neighbours.REPLACE)

    @property
    def basis(self) -> Basis:
        """The losses of the bits."""
        return Basis.of("rappor")

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of two values that have no bit in common."""
        found = curves.composed(self.steps(self.relation(neighbours)))
        return replace(found, basis=self.basis | found.basis)

    def steps(self, neighbours: Neighbours) -> Counter[Curve]:
        """The bits of the one value and those of the other: two values may have some of them in common."""
        bit = self._bit
        if bit.symmetric:
            return Counter({self._bit_curve(bit): 2 * self.hashes})
        return Counter({self._bit_curve(bit): self.hashes, self._bit_curve(bit.reverse()): self.hashes})

    def _bit_curve(self, bit: FinitePair) -> Curve:
        curve = Curve.exact(bit)
        return replace(curve, basis=self.basis | curve.basis)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        face = self.curve(neighbours).face
        if isinstance(face, LossDistribution):
            return face
        raise NotImplied("the loss of several bits", "is only known by its profile", self, "Use curve() instead.")

    @property
    def _bit(self) -> FinitePair:
        """The loss of the report on one bit, between 1 and 0."""
        if self.f == 1.0:
            return identical()
        if self.reports is None:
            return _kept(self.f)
        return identical() if self.p == self.q else _told(self.f, self.p, self.q, self.reports)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, truth: bool = True
    ) -> NDArray[np.int64]:
        """The report on the bits in which two values differ, those of the first value first. Not for release.

        Each is how many reports say 1; or the bit that is kept, where any number of reports is asked about.
        """
        shape = (*drawn(size), 2 * self.hashes)
        raised = (np.arange(2 * self.hashes) < self.hashes) == truth
        kept = np.where(rng.random(shape) < self.f, rng.random(shape) < 0.5, raised)
        if self.reports is None:
            return kept.astype(np.int64)
        return np.asarray(rng.binomial(self.reports, np.where(kept, self.q, self.p)))

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"Rappor({self.f!r}, p={self.p!r}, q={self.q!r}, hashes={self.hashes!r}, reports={self.reports!r})"


@lru_cache(maxsize=8)
def _kept(f: float) -> FinitePair:
    """The loss of the bit that is kept: randomized response."""
    if f == 0.0:
        return surely_infinite()
    loss = float(log_ratio(np.array(2 - f), np.array(f)))
    log_masses = np.array([np.log(f / 2), np.log1p(-f / 2)])
    error = ULP * (16 + 4 * float(np.max(np.abs(log_masses))))
    return FinitePair(np.array([-loss, loss]), log_masses, mass_error=error, loss_error=4 * ULP * loss, symmetric=True)


@lru_cache(maxsize=8)
def _told(f: float, p: float, q: float, reports: int) -> FinitePair:
    """The loss of reports about one bit, which are summed up by how often they say 1."""
    ones, zeros = (log_binomial(reports, chance, 1 - chance) for chance in (q, p))
    with np.errstate(divide="ignore"):
        log_kept, log_changed = np.log1p(-f / 2), np.log(f / 2)
    log_one = np.logaddexp(log_kept + ones.mid, log_changed + zeros.mid)
    log_zero = np.logaddexp(log_changed + ones.mid, log_kept + zeros.mid)
    both = np.isfinite(log_one) & np.isfinite(log_zero)
    size = float(np.max(np.abs(np.concatenate([log_one[both], log_zero[both]])), initial=0.0))
    error = max(map(_width, (ones, zeros))) + ULP * (32 + 8 * size)
    return merged_atoms(
        _losses(f, p, q, reports)[both],
        log_one[both],
        log_infinity=_log_total(log_one[~both]),
        log_missing=_log_total(log_zero[~both]),
        mass_error=error,
        loss_error=_loss_error(p, q, reports),
        infinity_error=error,
    )


def _losses(f: float, p: float, q: float, reports: int) -> Array:
    """The loss for each number of reports that say 1: log((1 - f/2 + f/2 r) / (f/2 + (1 - f/2) r)).

    Here r is how much more likely that number is at 0 than at 1. It is taken at most 1, and the loss turned round
    where it is more.
    """
    told = np.arange(reports + 1.0)
    chances = np.array([p, 1 - p]), np.array([q, 1 - q])
    with np.errstate(divide="ignore", invalid="ignore"):
        for_one, for_zero = log_ratio(*chances)
        log_r = np.where(told > 0, told * for_one, 0.0) + np.where(told < reports, (reports - told) * for_zero, 0.0)
        fall = -np.expm1(-np.abs(log_r))
        losses = np.log1p((1 - f) * fall / (f / 2 + (1 - f / 2) * np.exp(-np.abs(log_r))))
    return np.asarray(np.where(log_r <= 0, losses, -losses))


def _loss_error(p: float, q: float, reports: int) -> float:
    """The log of r has an error for each report, and moves the loss by no more."""
    chances = np.array([p, q, 1 - p, 1 - q])
    logs = np.abs(np.log(chances[(chances > 0) & (chances < 1)]))
    return 8 * ULP * (8 + reports * (1 + float(np.max(logs, initial=0.0))))


def _width(bracket: Bracket) -> float:
    """By how much the logs of some probabilities may be wrong."""
    known = np.isfinite(bracket.mid)
    return float(np.max(bracket.upper[known] - bracket.lower[known], initial=0.0))


def _log_total(logs: Array) -> float:
    return float(np.logaddexp.reduce(logs, initial=-np.inf))
