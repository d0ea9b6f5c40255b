"""The step of a lattice for few releases: fine beside their sum, and losses with a mass of their own lie on it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from whit.curves import contour
from whit.curves.discrete_gaussian import DiscreteGaussianLoss
from whit.curves.face import Array, LossDistribution
from whit.curves.far_out import far_tilts
from whit.curves.finite import FinitePair
from whit.curves.laplace import LaplaceLoss
from whit.curves.lattice_pairs import LEAST_LOG_DELTA
from whit.curves.numerical import ComposedLoss
from whit.curves.subsampled import SubsampledLoss

# Over about so many places the composed loss reaches, at most.
PLACES = 2**17
FEW_PLACES = 2**14
# Two samples are put together once: over so many, where fewer are too coarse for three deviations of the loss.
MOST_PLACES = 2**19
# Losses further apart than this could not be told by the doubles that weigh them.
WIDEST = 500.0
# The part of the requested width that a lattice need not be finer than.
FINE = 0.03
# The part of delta that two samples need not be known more closely than by a lattice.
CLOSE = 1e-5
# A step h widens the bounds on a release by this times (c h)^2, where delta falls like e^-ct: the sag of its cells.
SAG = 0.25
# A loss that is to lie on the lattice and lies beside it by less than this part of a step does.
FITTING = 1e-6

LISTED = (FinitePair, DiscreteGaussianLoss)


def lattice_step(faces: Mapping[LossDistribution, int], whole: ComposedLoss) -> float | None:
    """A step on whose multiples the losses lie that must; none if the losses reach too far.

    Discrete Gaussian noise is composed well by the integral, but where there is so little of it that it has few losses.
    """
    reach = sum(_reach(each) for each in (whole.composition, whole.composition.reverse()))
    if reach > WIDEST:
        return None
    scale, copies = contour.scale_of(whole.composition), sum(faces.values())
    finest = max(reach / PLACES, scale * math.sqrt(FINE * whole.relative_width / (SAG * copies)))
    if copies == 2 and any(isinstance(face, SubsampledLoss) for face in faces):
        finest = max(reach / MOST_PLACES, min(finest, scale * math.sqrt(CLOSE / (SAG * copies)) / 3))
    marks = _marks(faces)
    if not marks:
        return float(np.float32(finest))
    listed = all(isinstance(face, LISTED) for face in faces)
    step = fitting_step(marks, finest, coarsest=marks[-1] if listed else 2 * finest)
    few = reach <= FEW_PLACES * step and fits(faces, step)
    return step if few or not any(isinstance(face, DiscreteGaussianLoss) for face in faces) else None


def fitting_step(marks: list[float], finest: float, coarsest: float) -> float:
    """The coarsest step that divides all marks, or the one that does so most closely.

    >>> round(1 / fitting_step([0.5, 0.75, 1.0], 0.011, 0.022))
    48
    """
    whole = np.arange(max(int(marks[-1] / coarsest), 1), max(int(marks[-1] / finest), 1) + 1)
    steps = marks[-1] / whole
    beside = _beside(marks, steps)
    fits = np.flatnonzero(beside <= FITTING)
    return float(steps[fits[0]] if len(fits) else steps[np.argmin(beside * steps)])


def fits(faces: Mapping[LossDistribution, int], step: float) -> bool:
    """Whether all losses that must lie on the multiples of a step."""
    marks = _marks(faces)
    return not marks or bool(_beside(marks, np.array([step]))[0] <= FITTING)


def _marks(faces: Mapping[LossDistribution, int]) -> list[float]:
    """The landmarks of all of them, in rising order."""
    return sorted({mark for face in faces for mark in landmarks(face)})


def _beside(marks: list[float], steps: Array) -> Array:
    """How far beside a multiple of each step a mark lies at most, in steps."""
    parts = np.divide.outer(np.array(marks), steps)
    return np.asarray(np.max(np.abs(parts - np.rint(parts)), axis=0))


def _reach(composition: contour.Composition) -> float:
    """How far the loss reaches, except for e^LEAST_LOG_DELTA, by Chernoff's bound."""
    tilts = far_tilts(composition)
    bounds = (composition.log_mgf_real(tilts) - LEAST_LOG_DELTA) / tilts
    return float(min(np.min(bounds), max(composition.loss_range[1], 0.0)))


def landmarks(face: LossDistribution) -> list[float]:
    """The sizes of the losses that have a mass of their own, and had better lie on the lattice."""
    if isinstance(face, LaplaceLoss):
        return [face.largest]
    if isinstance(face, FinitePair):
        return [float(size) for size in np.unique(np.abs(face.losses)) if size > 0]
    if isinstance(face, DiscreteGaussianLoss):
        return [change / (2 * face.sigma**2) for change in set(face.changes)]
    if isinstance(face, SubsampledLoss) and isinstance(face.base, LaplaceLoss):
        ends = [abs(math.log1p(face.rate * math.expm1(sign * face.base.largest))) for sign in (-1, 1)]
        return [end for end in ends if end > 0]
    return []
