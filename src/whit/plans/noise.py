"""The noise between a concern and the adversary: the cells that may differ, as one mechanism.

The variances of a plan are fractions, so the losses of cells with discrete Gaussian noise lie on one lattice. Where
that has few points the sums of losses coincide, and a list of all sums is quicker and closer than a transform, which
does not fade on a coarse lattice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit import curves
from whit.curves import (
    Array,
    Curve,
    CutLoss,
    DiscreteGaussianSum,
    FinitePair,
    LossDistribution,
    Order,
    Promise,
    composed,
    identical,
    questions,
)
from whit.errors import NotImplied, TooCostly
from whit.guarantees import PureDP
from whit.guarantees.composition import least_delta, least_epsilon
from whit.mechanisms import Composed, DiscreteGaussian, Gaussian, Mechanism
from whit.numerics import ULP, exact_sum, finite_positive, square_root
from whit.numerics import count as whole
from whit.plans import grouped
from whit.plans.grouped import curve_among_others, few_curves, has_largest_loss, sum_of_losses
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

MOST_POINTS = 2**15
"""A lattice with more points than this is left to the transform."""

MOST_KINDS = 25_000
"""With more kinds of cells, of different noise or change, a composition would take more than a minute."""

LARGEST_LOSS = 400.0
"""So are losses beyond this: their probabilities under one dataset are too small for a double."""

LOUD = 0.999e8
"""From this rho on everything is revealed: all losses but e^-900 of them are far beyond the log of every chance."""

# A rho beyond this leaves no room for the losses around it.
_LARGEST_RHO = 1e290

# All but e^-900 of the losses, on either side, lie within so many roots of rho around it.
_ROOTS, _LOG_BEYOND = 60, -900.0

# More than the rounding of these numbers.
_RHO_ERROR = 1e-12

# Noise beyond so many standard deviations is below the smallest double.
_REACH = 40

# Below this a sum of products of doubles does not keep its digits.
_FAINT = 1e-280

_NARROWER = "Name a narrower concern, such as one attribute, or give queries of one kind the same noise."

Groups = Mapping[Fraction, int]
"""Variances of discrete Gaussian noise, and how many cells that change by 1 have each of them."""


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
        loud = self._loud()
        curve = loud or (self._listed() if self.groups else self._composed())
        return replace(curve, basis=self.basis | curve.basis)

    def _loud(self) -> Curve | None:
        """The curve of a rho that reveals everything; None where there is other noise, or a closed form."""
        kinds = {type(mechanism) for mechanism, _ in self.parts}
        if not kinds <= {Gaussian, DiscreteGaussian} or kinds <= {Gaussian}:
            return None
        rho = exact_sum(number * _rho(mechanism, self.about) for mechanism, number in self.parts)
        return Curve.exact(LoudLoss(float(rho))) if LOUD <= rho < _LARGEST_RHO else None

    def _composed(self) -> Curve:
        if len(self.parts) > MOST_KINDS:
            rule = f"must have at most {MOST_KINDS:,} kinds of cells, each with its own noise, to be composed"
            raise TooCostly("the plan", rule, f"{len(self.parts):,} kinds in {self.title}", _NARROWER)
        copies: Counter[Curve] = Counter()
        if self._is_grouped:
            copies.update(few_curves(self.parts, self.about))
        else:
            alone = self.cells == 1
            for mechanism, number in self.parts:
                copies[mechanism.curve(self.about) if alone else curve_among_others(mechanism, self.about)] += number
        return composed(copies, relative_width=self.relative_width) if copies else Curve.exact(identical())

    @cached_property
    def _is_grouped(self) -> bool:
        """Whether so many kinds have a largest loss that they are composed by groups, which is an upper bound."""
        return sum(has_largest_loss(mechanism) for mechanism, _ in self.parts) > grouped.MOST_SEPARATE

    @cached_property
    def _adds_up(self) -> bool:
        """Whether what each kind adds to epsilon is found by itself: all have a largest loss, and they are few."""
        return not self._is_grouped and all(has_largest_loss(mechanism) for mechanism, _ in self.parts)

    @cached_property
    def _in_one(self) -> tuple[tuple[Promise, int], ...]:
        """What the largest losses of the cells add up to, which no group makes larger; none where one has none."""
        if not all(has_largest_loss(mechanism) for mechanism, _ in self.parts):
            return ()
        return ((PureDP(sum_of_losses(self.parts, self.about), neighbours=self.about), 1),)

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The sum of the losses that the cells never exceed."""
        if not self._is_grouped:
            return super().sure_loss(neighbours)
        self.relation(neighbours)
        sure = math.inf if not self._in_one else self._in_one[0][0].sure_loss().value
        return Finding(curves.LARGEST_LOSS, sure, Direction.AT_MOST, {"promise": self}, self.basis)

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta at each epsilon: by the curve, or by what the largest losses add up to."""
        if self._adds_up:
            return super().delta(epsilons, neighbours=neighbours)
        answer = questions.delta(self, epsilons, neighbours=neighbours)
        return least_delta(answer, epsilons, self._in_one, self.relation(neighbours))

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon at each delta: by the curve, or by what the largest losses add up to."""
        if self._adds_up:
            return super().epsilon(deltas, neighbours=neighbours)
        answer = questions.epsilon(self, deltas, neighbours=neighbours)
        return least_epsilon(answer, deltas, self._in_one, self.relation(neighbours))

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
        if isinstance(face, LossDistribution) and self._curve.order is Order.LOSS:
            return face
        raise NotImplied("the loss of all cells", "is only known by its profile", self, "Use curve() instead.")

    def to_dict(self) -> dict[str, Any]:
        """The plan, the concern and the reading that it comes from, and how many cells may differ."""
        return {"kind": type(self).__name__, "title": self.title, "cells": self.cells}

    def __repr__(self) -> str:
        return f"<{self.title}: {self.cells} cells>"


@dataclass(frozen=True)
class LatticeLoss(CutLoss):
    """The loss of cells with discrete Gaussian noise of several variances, by a list of all sums.

    Attributes:
        groups: the variances, each with the number of cells that have it and change by 1.
    """

    theorems: ClassVar[tuple[str, ...]] = ("discrete-gaussian-loss", "losses-add")

    groups: tuple[tuple[Fraction, int], ...]

    @cached_property
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        """The sums without and with what was cut off at both ends, which then counts as an infinite loss."""
        unit = _common([1 / variance for variance, _ in self.groups])
        masses: Array = np.ones(1)
        lowest, error, log_beyond = 0, 0.0, -math.inf
        for variance, cells in self.groups:
            law, step = DiscreteGaussianSum(square_root(variance), cells), int(1 / variance / unit)
            noise = np.arange(-law.reach - cells, law.reach + 1, dtype=np.float64)
            logs = law.log_masses(noise)
            spaced = np.zeros(step * (len(noise) - 1) + 1)
            spaced[::step] = np.exp(logs)
            masses, lowest = np.convolve(masses, spaced), lowest - step * (law.reach + cells)
            # The double nearest to sigma, the exponential, and a sum of positive products of doubles.
            error += law.mass_error(logs) + ULP * (8 + 8 * float(np.max(np.abs(logs))) + len(masses))
            log_beyond = float(np.logaddexp(log_beyond, law.log_beyond(law.reach)))
        offset = exact_sum(Fraction(cells, 2) / variance for variance, cells in self.groups)
        losses = float(unit) * (np.arange(len(masses)) + lowest) + float(offset)
        return _listed(np.asarray(losses), masses, error, log_beyond)


@dataclass(frozen=True)
class LoudLoss(CutLoss):
    """The loss of cells with Gaussian noise, discrete or not, that have next to none of it: about their rho.

    Attributes:
        rho: the sum of the rhos of all cells.
    """

    theorems: ClassVar[tuple[str, ...]] = ("loud-cells",)

    rho: float

    @cached_property
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        """Two randomized responses: one that tells less, and one that tells more."""
        room = _ROOTS * math.sqrt(self.rho) + _RHO_ERROR * self.rho
        least, most, cut = self.rho - room, self.rho + room, _LOG_BEYOND + 1
        (fewer, rare), (more, rarer) = ((np.array([-z, z]), np.array([-z, 0.0])) for z in (least, most))
        return FinitePair(fewer, rare), FinitePair(more, rarer, cut, cut)


def _rho(mechanism: Mechanism, about: Neighbours) -> Fraction:
    """The rho of one cell, without rounding."""
    assert isinstance(mechanism, Gaussian | DiscreteGaussian)  # nothing else comes here
    squares = sum((Fraction(change) ** 2 for change in mechanism.sensitivity.changes(about)), Fraction(0))
    return squares / (2 * Fraction(mechanism.sigma) ** 2)


def can_be_listed(groups: Groups) -> bool:
    """Whether the sums of losses are few, and not too large.

    >>> can_be_listed({Fraction(16): 4, Fraction(8): 2}), can_be_listed({Fraction(16): 4, Fraction(9999): 2})
    (True, False)
    """
    # The steps of different variances are different multiples of the unit, and each has more than its number of points.
    if len(groups) ** 2 > MOST_POINTS:
        return False
    unit = _common([1 / variance for variance in groups])
    if any(variance * unit * MOST_POINTS < 1 for variance in groups):
        return False
    # Of m cells with variance v the loss (2n + m)/2v reaches as far as the sum n of their noise, some sqrt(m v).
    reaches = {v: _REACH * math.sqrt(cells * v) + 1.5 * cells for v, cells in groups.items()}
    points = 2 * sum(reach / float(v * unit) for v, reach in reaches.items())
    largest = sum(reach / float(v) for v, reach in reaches.items())
    return points <= MOST_POINTS and largest <= LARGEST_LOSS


def _listed(losses: Array, masses: Array, error: float, log_beyond: float) -> tuple[FinitePair, FinitePair]:
    """The losses that have a probability, without and with what was cut off.

    Under either dataset both ends together hold at most twice what lies beyond the reach on one side; and what is too
    small for a double is no more than that under one dataset, and e^loss times as much under the other.
    """
    kept = masses > _FAINT
    faint = math.log(_FAINT) + math.log(len(masses)) + float(np.max(np.abs(losses)))
    cut = float(np.logaddexp(log_beyond + math.log(2.0), faint))
    loss_error = float(8 * ULP * np.max(np.abs(losses)))
    logs = np.log(masses[kept])
    below = FinitePair(losses[kept], logs, mass_error=error, loss_error=loss_error)
    return below, FinitePair(losses[kept], logs, cut, cut, error, loss_error)


def _common(steps: list[Fraction]) -> Fraction:
    """The largest fraction that divides all of them."""
    denominator = math.lcm(*(step.denominator for step in steps))
    return Fraction(math.gcd(*(int(step * denominator) for step in steps)), denominator)
