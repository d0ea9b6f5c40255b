"""Faces as kinds of mechanisms: what the numerical composition needs to know of each."""

from __future__ import annotations

from collections import Counter
from functools import singledispatch

import numpy as np

from whit.curves import contour
from whit.curves.discrete_gaussian import DiscreteGaussianLoss
from whit.curves.face import Face
from whit.curves.finite import FinitePair
from whit.curves.gaussian import GaussianLoss
from whit.curves.laplace import LaplaceLoss
from whit.curves.numerical import ComposedLoss, Slack
from whit.curves.profile import ChordProfile
from whit.curves.subsampled import SubsampledLoss
from whit.curves.tradeoff import PowerTable, TradeOff
from whit.errors import NotImplied, TooCostly
from whit.numerics import ULP

Kinds = tuple[Counter[contour.Kind], Slack]

# Masses below this cannot be told from 0 by a product of doubles.
SMALLEST_MASS = 1e-290


@singledispatch
def kinds(face: Face) -> Kinds:
    """The kinds that make up a face, each with its number of copies, and the errors of what they are made of."""
    rule = "cannot be composed by its transform, which is not known"
    way_out = "Use its profile at some epsilons (as_profile), or compose the promises by their own rule."
    raise NotImplied("this curve", rule, face, way_out)


@kinds.register
def _(face: GaussianLoss) -> Kinds:
    return Counter({contour.GaussianKind(face.mu): 1}), Slack()


@kinds.register
def _(face: LaplaceLoss) -> Kinds:
    return Counter({contour.LaplaceKind(face.largest): 1}), Slack(face.loss_error)


@kinds.register
def _(face: DiscreteGaussianLoss) -> Kinds:
    cells = Counter(face.changes)
    return Counter({contour.DiscreteGaussianKind(face.sigma**2, change): n for change, n in cells.items()}), Slack()


@kinds.register
def _(face: SubsampledLoss) -> Kinds:
    kind: contour.Kind
    if isinstance(face.base, GaussianLoss):
        kind = contour.SubsampledGaussianKind(1 / face.base.mu, face.rate)
    else:
        kind = contour.SubsampledLaplaceKind(face.base.largest, face.rate)
    return Counter({kind if face.removed else kind.reverse(): 1}), Slack(8 * ULP)


@kinds.register
def _(face: ComposedLoss) -> Kinds:
    return Counter(face.composition.counts), face.slack


@kinds.register
def _(face: TradeOff) -> Kinds:
    return kinds(face.pair)


@kinds.register
def _(face: ChordProfile) -> Kinds:
    return kinds(face.pair())


@kinds.register
def _(face: PowerTable) -> Kinds:
    return kinds(face.pair())


@kinds.register
def _(face: FinitePair) -> Kinds:
    two_sided = _two_sided(face)
    if two_sided is not None:
        return Counter({two_sided: 1}), Slack(face.loss_error, face.mass_error)
    masses = np.exp(face.log_masses)
    if masses.size == 0 or masses.min() < SMALLEST_MASS:
        way_out = "Leave out what is that rare, or count it as infinite loss."
        raise TooCostly("a finite pair", f"must have masses above {SMALLEST_MASS} to be composed", face, way_out)
    infinity, missing = float(np.exp(face.log_infinity)), float(np.exp(face.log_missing))
    kind = contour.AtomsKind(tuple(face.losses.tolist()), tuple(masses.tolist()), infinity, missing)
    return Counter({kind: 1}), Slack(face.loss_error, face.mass_error)


def _two_sided(face: FinitePair) -> contour.Kind | None:
    """Losses epsilon and -epsilon, and the same infinite mass on both sides, can only be randomized response."""
    if len(face.losses) != 2 or face.losses[0] != -face.losses[1] or face.log_infinity != face.log_missing:
        return None
    epsilon, delta = float(face.losses[1]), float(np.exp(face.log_infinity))
    return contour.EpsilonDeltaKind(epsilon, delta) if delta > 0 else contour.RandomizedResponseKind(epsilon)
