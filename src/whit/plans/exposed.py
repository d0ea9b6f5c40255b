"""The noise between a concern and the adversary: the cells that may differ, as one mechanism."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any

import numpy as np

from whit.curves import Curve, LossDistribution, composed, identical
from whit.errors import NotImplied
from whit.mechanisms import Composed, Mechanism
from whit.numerics import count as whole
from whit.numerics import finite_positive
from whit.plans.lattice import LatticeLoss
from whit.setting import Neighbours
from whit.theory import Basis


@dataclass(frozen=True, repr=False)
class Exposed(Composed):
    """Every cell that may differ between the datasets of a concern, with its own noise, composed exactly.

    Its only relation is that of the concern, so every question can be put to it without naming one.

    Attributes:
        parts: the noise of one cell, and how many such cells there are.
        title: the plan, the concern and the reading that it comes from.
        about: the relation between the datasets.
        relative_width: how closely the composition is worked out, relative to delta.
        groups: the variances of the noise and how many cells have each, where the sums of their losses can be listed.
    """

    title: str
    about: Neighbours
    relative_width: float = 1e-6
    groups: tuple[tuple[Fraction, int], ...] = ()

    def __post_init__(self) -> None:
        way_out = "Use a width such as 1e-6."
        object.__setattr__(self, "relative_width", finite_positive("relative_width", self.relative_width, way_out))

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relation that the concern is about."""
        return (self.about,)

    @property
    def basis(self) -> Basis:
        """The laws of the noise, and that no other query tells anything."""
        own = Basis.of("concern-to-queries", "losses-add")
        return reduce(lambda a, b: a | b, (mechanism.basis for mechanism, _ in self.parts), own)

    def times(self, count: int) -> Exposed:
        """The whole plan so many times, with independent noise each time."""
        copies = whole("count", count, "Use the number of times that the plan is carried out, such as 12.")
        parts = tuple((mechanism, copies * number) for mechanism, number in self.parts)
        return replace(self, parts=parts, title=f"{self.title}, {copies} times", groups=())

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of all cells together; worked out once."""
        self.relation(neighbours)
        return self._curve

    @cached_property
    def _curve(self) -> Curve:
        curve = self._listed() if self.groups else self._composed()
        return replace(curve, basis=self.basis | curve.basis)

    def _composed(self) -> Curve:
        copies: Counter[Curve] = Counter()
        alone = self.cells == 1
        for mechanism, number in self.parts:
            copies[_of_cell(mechanism, self.about, alone=alone)] += number
        return composed(copies, relative_width=self.relative_width) if copies else Curve.exact(identical())

    def _listed(self) -> Curve:
        """By all sums of the losses, with the mass that was cut off on record."""
        loss = LatticeLoss(self.groups)
        cut = max(float(np.exp(loss.log_cut)), math.ulp(0.0))
        curve = Curve.exact(loss)
        return replace(curve, basis=curve.basis | Basis(truncation=cut))

    @property
    def cells(self) -> int:
        """How many cells may differ."""
        return sum(number for _, number in self.parts)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        face = self._curve.face
        if isinstance(face, LossDistribution):
            return face
        raise NotImplied("the loss of all cells", "is only known by its profile", self, "Use curve() instead.")

    def to_dict(self) -> dict[str, Any]:
        """The plan, the concern and the reading that it comes from, and how many cells may differ."""
        return {"kind": type(self).__name__, "title": self.title, "cells": self.cells}

    def __repr__(self) -> str:
        return f"<{self.title}: {self.cells} cells>"


def _of_cell(mechanism: Mechanism, relation: Neighbours, *, alone: bool) -> Curve:
    """The curve of one cell; among others only its law is needed, not the list of its atoms."""
    if alone:
        return mechanism.curve(relation)
    curve = Curve.exact(mechanism.loss(relation))
    return replace(curve, basis=mechanism.basis | curve.basis)
