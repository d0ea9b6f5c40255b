"""What is done to an output before it is published, known by its words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.curves import Curve, LossDistribution, Order
from whit.errors import NotImplied, require
from whit.mechanisms.mechanism import Mechanism
from whit.setting import Neighbours
from whit.theory import Basis, Direction


@dataclass(frozen=True)
class PostProcessed(Mechanism):
    """The output of a mechanism, rounded, cut, tabulated or the like: its curve stays as an upper bound.

    Only the profile stays: processing can raise the tail of the loss above what it was (KAA22, Example 4.9).
    Mechanisms with finitely many outcomes know more: their `then` takes the channel as a table and is exact.

    >>> from whit.mechanisms import Laplace
    >>> print(PostProcessed(Laplace(2.0), "cut at zero").delta(0.25))
    delta is at most 0.118
    """

    mechanism: Mechanism
    step: str

    def __post_init__(self) -> None:
        """Refuse what is no mechanism, and a step without words."""
        way_out = "Pass a mechanism such as Laplace(1.0) and a few words such as 'cut at zero'."
        known = isinstance(self.mechanism, Mechanism)
        require(known, name="mechanism", rule="must be a mechanism", value=self.mechanism, way_out=way_out)
        said: object = self.step
        words = isinstance(said, str) and said.strip() != ""
        require(words, name="step", rule="must say in words what is done", value=repr(self.step), way_out=way_out)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations of the mechanism."""
        return self.mechanism.relations

    @property
    def basis(self) -> Basis:
        """What the mechanism rests on, and post-processing."""
        return self.mechanism.basis | Basis.of("post-processing")

    @property
    def of_one_pair(self) -> bool:  # type: ignore[override]
        """Whether that is so of what it is made of."""
        return self.mechanism.of_one_pair

    @property
    def knows_size(self) -> bool:  # type: ignore[override]
        """Whether the loss of the mechanism depends on how many people there are."""
        return self.mechanism.knows_size

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        way_out = "Use curve(), which is an upper bound, or a finite mechanism and its channel as a table."
        raise NotImplied("the loss after processing", "is not known", self, way_out)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the mechanism, as an upper bound on the profile."""
        before = self.mechanism.curve(neighbours)
        direction = Direction.combine(before.direction, Direction.AT_MOST)
        return replace(before, direction=direction, order=Order.PROFILE, basis=before.basis | self.basis)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: the step is known by its words only. Sample the mechanism, and do what the step says."""
        way_out = "Sample .mechanism, and do what the step says."
        raise NotImplied("a sample after processing", "needs the step itself, not its words", self, way_out)
