"""Mechanisms that add independent noise of the same law to each cell of an answer."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from whit import curves
from whit.curves import Array, Curve, LossDistribution, identical
from whit.errors import NotImplied, TooCostly, require
from whit.mechanisms.mechanism import NOISE_TAIL, Mechanism
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Finding

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

    def _about_tail(self, tail: Array, thresholds: Array, key: str, slack: float, *, bounded: bool = False) -> Finding:
        """The tail of the noise, exactly; as an upper bound where it is only bounded or too small for a double."""
        faint = (tail < FAINT) & np.isfinite(thresholds)
        inputs = {"thresholds": thresholds}
        if not bounded and not np.any(faint):
            return self._about_noise(NOISE_TAIL, tail, key, slack=slack, inputs=inputs)
        bounds = np.minimum(np.where(faint, FAINT, tail * (1 + slack)), 1.0)
        return self._about_noise(NOISE_TAIL, bounds, key, slack=slack, direction=Direction.AT_MOST, inputs=inputs)


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
