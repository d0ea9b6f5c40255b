"""What noise of one kind shares with that of another: losses cell by cell, whole numbers; and no noise at all."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit import curves
from whit.curves import Array, Curve, FinitePair, LossDistribution, identical
from whit.errors import NotImplied, TooCostly, require
from whit.mechanisms.mechanism import NOISE_DEVIATION, AdditiveNoise
from whit.numerics import ULP, real_array, smallest_true
from whit.setting import Neighbours, Sensitivity
from whit.theory import Basis, Direction, Finding

# More atoms of one loss than this are not listed.
MOST_ATOMS = 2**20


@dataclass(frozen=True, kw_only=True, repr=False)
class CellwiseNoise(AdditiveNoise):
    """Noise whose loss is known cell by cell, and composed where one record changes several cells."""

    @abstractmethod
    def _cell_loss(self, change: float) -> LossDistribution:
        """The exact loss of one cell that changes by a positive amount."""

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of all cells that change together; as good as their composition, if there are several."""
        changes = Counter(self.sensitivity.changes(self.relation(neighbours)))
        if not changes:
            return replace(Curve.exact(identical()), basis=self.basis)
        cells = {self._cell_curve(change): cells for change, cells in changes.items()}
        return curves.composed(cells) if changes.total() > 1 else next(iter(cells))

    def _cell_curve(self, change: float) -> Curve:
        """The curve of one cell that changes by a positive amount."""
        curve = Curve.exact(self._cell_loss(change))
        return replace(curve, basis=self.basis | curve.basis)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        face = self.curve(neighbours).face
        if isinstance(face, LossDistribution):
            return face
        way_out = "Use curve() instead, or neighbours that change one cell only."
        raise NotImplied("the loss of several cells", "is only known by its profile", self, way_out)


def require_affordable(change: float) -> None:
    """Refuse a change with more losses than can be listed."""
    if change > MOST_ATOMS:
        way_out = "Count in larger units, or use Laplace noise."
        raise TooCostly("a change of the answer", f"must be at most {MOST_ATOMS}", change, way_out)


def require_whole(sensitivity: Sensitivity) -> None:
    """Refuse changes that are no whole numbers, where the noise is."""
    changes = sensitivity.add_remove + sensitivity.replace
    require(
        all(float(change).is_integer() for change in changes),
        name="sensitivity",
        rule="must be made of whole numbers, as the noise is whole",
        value=sensitivity,
        way_out="Count in smaller units, or use Laplace or Gaussian noise.",
    )


def drawn(size: int | tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a sample."""
    return tuple(np.atleast_1d(np.asarray(size, dtype=np.int64)).tolist())


def whole_errors(
    log_beyond: Callable[[Array], Array], probability: Array, error: float
) -> tuple[Array, float, Direction]:
    """The smallest whole b for which log P[|noise| > b] is at most log(1 - probability), not rounded; its direction.

    The log of the probability beyond b carries a relative error of a few units and the absolute error given. Where
    rounding could decide between two answers, the larger one is given, and it is an upper bound.
    """
    with np.errstate(divide="ignore"):
        log_rest = np.log1p(-probability)

    def smallest(sign: float) -> Array:
        def within(b: Array) -> Array:
            logs = log_beyond(np.floor(b))
            slack = error + 8 * ULP * (1 + np.where(np.isfinite(logs), np.abs(logs), 0.0))
            with np.errstate(over="ignore"):
                return np.asarray(logs + sign * slack <= log_rest)

        found = smallest_true(within, np.zeros(probability.shape), np.full(probability.shape, np.inf))
        return np.where(np.isneginf(log_rest), np.inf, found)  # no number holds the noise for certain

    surely, perhaps = smallest(1.0), smallest(-1.0)
    return surely, 0.0, Direction.EXACTLY if np.array_equal(surely, perhaps) else Direction.AT_MOST


@dataclass(frozen=True, repr=False)
class Deterministic(AdditiveNoise):
    """An exact answer: the loss is 0 if no neighbour has another answer, and infinite if one has.

    >>> from whit.setting import Sensitivity
    >>> total = Deterministic(sensitivity=Sensitivity(add_remove=1, replace=0))
    >>> print(total.delta(0.0, neighbours=Neighbours.REPLACE))
    delta is exactly 0
    """

    both_sides_grow = True

    noise_theorem: ClassVar[str] = "finite-loss"
    basis = Basis.of("finite-loss")
    """The definition of the loss."""

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        return surely_infinite() if self.sensitivity.changes(neighbours) else identical()

    def standard_deviation(self) -> Finding:
        """Zero: there is no noise."""
        return self._about_noise(NOISE_DEVIATION, 0.0)

    @property
    def has_noise(self) -> bool:
        """False."""
        return False

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        return np.zeros(chances.shape), 0.0, Direction.EXACTLY

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """One up to the threshold 0, and zero above it."""
        return self._no_tail(real_array("thresholds", thresholds, "Use a number such as 1."))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Zeros: no noise is added."""
        return np.zeros(size)


def surely_infinite() -> FinitePair:
    """The pair of two distributions with no outcome in common."""
    return FinitePair(np.zeros(0), np.zeros(0), log_infinity=0.0, log_missing=0.0)
