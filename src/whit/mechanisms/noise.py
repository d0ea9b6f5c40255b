"""Mechanisms that add independent noise of the same law to each cell of an answer, or no noise at all."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit import curves
from whit.curves import Array, Curve, FinitePair, LossDistribution, identical
from whit.errors import NotImplied, TooCostly, require
from whit.mechanisms.mechanism import EXACT_ANSWER, NOISE_DEVIATION, NOISE_ERROR, NOISE_TAIL, Mechanism
from whit.numerics import ULP, probability_array, real_array, smallest_true
from whit.setting import Neighbours, Sensitivity
from whit.theory import Basis, Direction, Finding

# Below this a probability does not keep its digits, or is rounded to zero.
FAINT = 1e-290
# Atoms and a density in each of few cells make a transform that fades slowly: more digits would take minutes.
RELATIVE_WIDTH = 1e-4
# More atoms of one loss than this are not listed.
MOST_ATOMS = 2**20


@dataclass(frozen=True, kw_only=True, repr=False)
class AdditiveNoise(Mechanism):
    """Noise added to each cell, and by how much one record can change the cells.

    The density of the noise, or its probabilities, are symmetric and fall with the distance from 0. So a larger change
    is easier to tell, and the largest one is the worst case.
    """

    whole: ClassVar[bool] = False
    """Whether changes must be whole numbers."""

    sensitivity: Sensitivity = field(default_factory=Sensitivity.count)

    def __post_init__(self) -> None:
        way_out = "Use Sensitivity.count(), Sensitivity.histogram() or Sensitivity(add_remove=..., replace=...)."
        known = isinstance(self.sensitivity, Sensitivity)
        require(known, name="sensitivity", rule="must be a Sensitivity", value=self.sensitivity, way_out=way_out)

    def __repr__(self) -> str:
        """The expression that builds the mechanism; a sensitivity of one count is left out."""
        named = self.to_dict()
        shown = [f"{name}={value!r}" for name, value in named.items() if name not in ("kind", "sensitivity")]
        changed = [] if self.sensitivity == Sensitivity.count() else [f"sensitivity={self.sensitivity!r}"]
        return f"{type(self).__name__}({', '.join([*shown, *changed])})"

    @abstractmethod
    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        """The error that the noise keeps within with each chance, a bound on its rounding, and its direction."""

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability."""
        chances = probability_array("probability", probability, "Use a number such as 0.95.")
        errors, slack, direction = self._errors(chances)
        inputs = {"probability": chances}
        return self._about_noise(NOISE_ERROR, errors, slack=slack, direction=direction, inputs=inputs)

    def probability_of_exact_answer(self) -> Finding:
        """Zero, where the noise has a density."""
        return self._about_noise(EXACT_ANSWER, 0.0)

    def _about_tail(self, tail: Array, thresholds: Array, slack: float, *, bounded: bool = False) -> Finding:
        """The tail of the noise, exactly; as an upper bound where it is only bounded or too small for a double."""
        faint = (tail < FAINT) & np.isfinite(thresholds)
        inputs = {"thresholds": thresholds}
        if not bounded and not np.any(faint):
            return self._about_noise(NOISE_TAIL, tail, slack=slack, inputs=inputs)
        bounds = np.minimum(np.where(faint, FAINT, tail * (1 + slack)), 1.0)
        return self._about_noise(NOISE_TAIL, bounds, slack=slack, direction=Direction.AT_MOST, inputs=inputs)


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
        cells = {Curve.exact(self._cell_loss(change)): cells for change, cells in changes.items()}
        curve = curves.composed(cells, relative_width=RELATIVE_WIDTH) if changes.total() > 1 else next(iter(cells))
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

    noise_theorem: ClassVar[str] = "finite-loss"
    basis = Basis.of("finite-loss")
    """The definition of the loss."""

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        return surely_infinite() if self.sensitivity.changes(neighbours) else identical()

    def standard_deviation(self) -> Finding:
        """Zero: there is no noise."""
        return self._about_noise(NOISE_DEVIATION, 0.0)

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        return np.zeros(chances.shape), 0.0, Direction.EXACTLY

    def probability_of_exact_answer(self) -> Finding:
        """One: there is no noise."""
        return self._about_noise(EXACT_ANSWER, 1.0)

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """One up to the threshold 0, and zero above it."""
        x = real_array("thresholds", thresholds, "Use a number such as 1.")
        return self._about_noise(NOISE_TAIL, np.where(x <= 0, 1.0, 0.0), inputs={"thresholds": x})

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Zeros: no noise is added."""
        return np.zeros(size)


def surely_infinite() -> FinitePair:
    """The pair of two distributions with no outcome in common."""
    return FinitePair(np.zeros(0), np.zeros(0), log_infinity=0.0, log_missing=0.0)
