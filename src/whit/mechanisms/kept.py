"""Mechanisms known only by a guarantee."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.curves import Curve, LossDistribution, Promise
from whit.errors import NotImplied
from whit.guarantees import Guarantee
from whit.mechanisms.mechanism import Mechanism
from whit.setting import Neighbours
from whit.theory import Finding


class KeepsGuarantee(Mechanism):
    """A mechanism by the guarantee that it keeps: every answer is that of the guarantee, an upper bound."""

    over_all_data = True

    @property
    @abstractmethod
    def kept(self) -> Guarantee:
        """The guarantee."""

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The one relation that the guarantee is about."""
        return (self.kept.neighbours,)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the guarantee."""
        whole = self.kept.curve(self.relation(neighbours))
        return replace(whole, basis=whole.basis | self.basis)

    def covered(self, neighbours: Neighbours | None = None, *, sides: int = 1) -> tuple[Promise, ...]:
        """The guarantee, which holds for everybody."""
        self.relation(neighbours)
        return (self.kept,)

    def between_contents(self, people: int, neighbours: Neighbours | None) -> Promise:
        """That of the guarantee."""
        return self.kept.between_contents(people, neighbours)

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """That of the guarantee."""
        sure = self.kept.sure_loss(self.relation(neighbours))
        return replace(sure, inputs={"promise": self}, basis=sure.basis | self.basis)

    @property
    def is_exact(self) -> bool:
        """False: an infinite loss is what is left unproved."""
        return False

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        rule = "is not known in law, only by the guarantee that is kept"
        raise NotImplied("the loss of this mechanism", rule, self, "Use curve(), which is an upper bound.")

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: what comes out depends on the data. Not for release in any case."""
        rule, way_out = "depends on the data, which is not known here", "Sample the mechanism that it is made of."
        raise NotImplied("a sample of this mechanism", rule, self, way_out)
