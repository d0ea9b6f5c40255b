"""Losses with densities: outcomes gathered into cells, each with both probabilities and the range of its losses.

Merging each cell into one outcome forgets something, so the profile falls; splitting each cell into the two ends of
its range, with the same probabilities under P and Q, makes up something, so the profile rises. The truth lies between.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves.face import Array, LossDistribution
from whit.curves.finite import FinitePair, log_ratio
from whit.errors import require
from whit.numerics import ULP, Bracket, probability_vector


@dataclass(frozen=True, eq=False)
class CellLoss(LossDistribution):
    """A pair known cell by cell: probabilities p and q, and the least and the greatest loss within each cell.

    An atom is a cell whose least and greatest loss agree; where q is 0 the loss is infinite.
    """

    theorems: ClassVar[tuple[str, ...]] = ("cells",)

    p: Array
    q: Array
    least: Array
    greatest: Array
    _below: FinitePair = field(init=False, repr=False)
    _above: FinitePair = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse cells whose range of losses does not hold their own log(p/q)."""
        way_out = "Pass the probability of every cell; they must add up to 1."
        for name in ("p", "q"):
            object.__setattr__(self, name, probability_vector(name, getattr(self, name), way_out))
        for name in ("least", "greatest"):
            object.__setattr__(self, name, np.array(getattr(self, name), dtype=np.float64))
        _require_ranges(self.p, self.q, self.least, self.greatest)
        object.__setattr__(self, "_below", FinitePair.of(self.p, self.q))
        object.__setattr__(self, "_above", _split(self.p, self.q, self.least, self.greatest))

    @property
    def log_infinity(self) -> float:
        """Log of the mass under P of the cells that Q never reaches."""
        return self._below.log_infinity

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile, between that of the merged and that of the split cells."""
        return _between(self._below.log_delta(epsilons), self._above.log_delta(epsilons))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power, between that of the merged and that of the split cells."""
        return _between(self._below.log_power(log_levels), self._above.log_power(log_levels))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]: cells wholly above t at least, cells that reach above t at most."""
        t = np.asarray(losses, dtype=np.float64)[..., None]
        return self._tail(self.least > t, self.greatest > t)

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        t = np.asarray(losses, dtype=np.float64)[..., None]
        return self._tail(self.least >= t, self.greatest >= t)

    def _tail(self, surely: NDArray[np.bool_], perhaps: NDArray[np.bool_]) -> Bracket:
        error = ULP * (8 + 2 * len(self.p))
        with np.errstate(divide="ignore"):
            lower = np.log(np.sum(self.p * surely, axis=-1)) - error
            upper = np.minimum(np.log(np.sum(self.p * perhaps, axis=-1)) + error, 0.0)
        return Bracket(np.minimum(lower, upper), _middle(lower, upper), upper)

    def reverse(self) -> CellLoss:
        """The pair (Q, P): probabilities change places, ranges change sign."""
        return CellLoss(self.q, self.p, -self.greatest, -self.least)

    def __repr__(self) -> str:
        """A short description: cells can be many."""
        return f"<CellLoss: {len(self.p)} cells, losses from {self.least.min():.4g} to {self.greatest.max():.4g}>"


def _split(p: Array, q: Array, least: Array, greatest: Array) -> FinitePair:
    """Each cell as two outcomes at the ends of its range, with the cell's own probabilities under P and under Q."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where((p > 0) & (q > 0), log_ratio(p, q), np.where(p > 0, np.inf, -np.inf))
        low, high = least - _hair(least), greatest + _hair(greatest)
        share = np.where((p > 0) & (q > 0), np.expm1(low - mean) / np.expm1(low - high), 1.0)
    p_top = p * np.minimum(share, 1.0)
    q_top = np.minimum(p_top * np.exp(-np.where(p > 0, high, 0.0)), q)
    return FinitePair.of(np.concatenate([p_top, p - p_top]), np.concatenate([q_top, q - q_top]))


def _hair(ends: Array) -> Array:
    """By how much a range is widened: far more than all rounding in the split, far less than the width of a cell."""
    return np.where(np.isfinite(ends), 1e-13 * (1 + np.abs(np.where(np.isfinite(ends), ends, 0.0))), 0.0)


def _between(below: Bracket, above: Bracket) -> Bracket:
    # Cells without width make the two pairs one: then rounding alone may have exchanged their ends.
    lower, upper = np.minimum(below.lower, above.upper), np.maximum(below.lower, above.upper)
    return Bracket(lower, _middle(lower, upper), upper)


def _middle(lower: Array, upper: Array) -> Array:
    return np.where(np.isneginf(lower), lower, (lower + upper) / 2)


def _require_ranges(p: Array, q: Array, least: Array, greatest: Array) -> None:
    require(
        p.shape == q.shape == least.shape == greatest.shape,
        name="p, q, least and greatest",
        rule="must be four lists of equal length",
        value=f"lengths {len(p)}, {len(q)}, {len(least)} and {len(greatest)}",
        way_out="Pass one entry a cell in each.",
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where((p > 0) & (q > 0), log_ratio(p, q), np.where(p > 0, np.inf, -np.inf))
        inside = (least <= mean + _hair(least)) & (mean <= greatest + _hair(greatest))
    wrong = np.flatnonzero(~(inside | ((p == 0) & (q == 0))))
    require(
        len(wrong) == 0,
        name="the range of losses of a cell",
        rule="must hold log(p/q) of the cell",
        value=f"cell {wrong[0]} with [{least[wrong[0]]:.6g}, {greatest[wrong[0]]:.6g}]" if len(wrong) else "",
        way_out="Pass the least and the greatest log-ratio of the two densities within each cell.",
    )
