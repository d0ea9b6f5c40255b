"""whit's answers: by its curves, as anybody would ask for them, and by the engine under them."""

from __future__ import annotations

from functools import reduce, singledispatch

import numpy as np

from benchmarks.cases import Question
from benchmarks.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Laplace,
    Mechanism,
    Parts,
    RandomizedResponse,
    SubsampledGaussian,
)
from benchmarks.peers import NotOffered
from benchmarks.truth import Answer
from whit import mechanisms
from whit.curves import Curve, DiscreteGaussianLoss, GaussianLoss, LaplaceLoss, composed, contour
from whit.numerics import Bracket
from whit.setting import Neighbours

RELATIVE_WIDTH = 1e-6


class Whit:
    """Curves, composed; an answer is an interval between certified bounds, the larger one of both orientations."""

    name = "whit"

    def answer(self, parts: Parts, question: Question, points: tuple[float, ...]) -> Answer:
        """Lower and upper bounds at all points, from one curve."""
        curve = composed({curve_of(part): number for part, number in parts.items()}, relative_width=RELATIVE_WIDTH)
        asked = curve.delta(points) if question is Question.DELTA else curve.power(points)
        return Answer(tuple(np.ravel(asked.lower).tolist()), tuple(np.ravel(asked.upper).tolist()))


class WhitEngine:
    """The contour engine alone, without a closed form, an enumeration or a report."""

    name = "whit engine"

    def answer(self, parts: Parts, question: Question, points: tuple[float, ...]) -> Answer:
        """Lower and upper bounds on delta at all points."""
        if question is not Question.DELTA or sum(parts.values()) == 1:
            raise NotOffered("compositions and their profiles only")
        forward = contour.Composition({_kind(part): number for part, number in parts.items()})
        backward = forward.reverse()
        ways = [forward] if backward.counts == forward.counts else [forward, backward]
        profiles = [contour.delta_bracket(way, points, RELATIVE_WIDTH).log_delta for way in ways]
        worst = reduce(Bracket.maximum, profiles).exp()
        return Answer(tuple(worst.lower.tolist()), tuple(worst.upper.tolist()))


@singledispatch
def curve_of(mechanism: Mechanism) -> Curve:
    """The curve of one release."""
    raise NotOffered(f"{mechanism}")


@curve_of.register
def _(mechanism: Gaussian) -> Curve:
    return Curve.exact(GaussianLoss(mechanism.mu))


@curve_of.register
def _(mechanism: Laplace) -> Curve:
    return Curve.exact(LaplaceLoss(mechanism.epsilon))


@curve_of.register
def _(mechanism: DiscreteGaussian) -> Curve:
    return Curve.exact(DiscreteGaussianLoss(mechanism.sigma))


@curve_of.register
def _(mechanism: RandomizedResponse) -> Curve:
    return mechanisms.RandomizedResponse(mechanism.epsilon).curve(Neighbours.LOCAL)


@curve_of.register
def _(mechanism: SubsampledGaussian) -> Curve:
    noise = mechanisms.Gaussian(mechanism.sigma)
    return mechanisms.PoissonSubsampled(noise, mechanism.rate).curve()


@singledispatch
def _kind(mechanism: Mechanism) -> contour.Kind:
    raise NotOffered(f"{mechanism}")


@_kind.register
def _(mechanism: Gaussian) -> contour.Kind:
    return contour.GaussianKind(mechanism.mu)


@_kind.register
def _(mechanism: Laplace) -> contour.Kind:
    return contour.LaplaceKind(mechanism.epsilon)


@_kind.register
def _(mechanism: DiscreteGaussian) -> contour.Kind:
    return contour.DiscreteGaussianKind(mechanism.sigma**2)


@_kind.register
def _(mechanism: RandomizedResponse) -> contour.Kind:
    return contour.RandomizedResponseKind(mechanism.epsilon)


@_kind.register
def _(mechanism: SubsampledGaussian) -> contour.Kind:
    return contour.SubsampledGaussianKind(mechanism.sigma, mechanism.rate)
