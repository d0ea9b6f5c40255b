"""Bounds from above that are the profile of one pair, whose transform is known: Gaussian noise on a sample.

The bound on a replaced record by two steps is attained by two records that change the answer in opposite directions. So
it is the profile of a pair, and so is one of several cases where the release says which.
"""

from __future__ import annotations

import math
from collections import Counter

from whit.curves import contour
from whit.curves.face import Face
from whit.curves.gaussian import GaussianLoss
from whit.curves.replaced import Replacement
from whit.curves.slack import Slack
from whit.curves.subsampled import SubsampledLoss
from whit.curves.told_mixture import ToldMixture
from whit.numerics import ULP

# Each part of a sampled loss moves by no more than the loss behind it, and there are two at most.
ERROR = 16 * ULP


def transformed(face: Face) -> tuple[Counter[contour.Kind], Slack] | None:
    """The kind of the pair, and what is not exact in it; nothing where the bound is known by its profile alone."""
    if isinstance(face, Replacement):
        removed = _removed(face.removed)
        return None if removed is None else (Counter({_replaced(removed): 1}), Slack(ERROR))
    if not isinstance(face, ToldMixture):
        return None
    turned = all(isinstance(case, SubsampledLoss) and not case.removed for case in face.faces)
    cases = [_case(case.reverse() if turned else case) for case in face.faces]
    known = tuple(case for case in cases if case is not None)
    if len(known) < len(cases) or len({case.symmetric for case in known}) > 1:
        return None
    kind = contour.ToldKind(known, face.chances)
    rounded_up = max(math.fsum(face.chances) - 1.0, 0.0) + 4 * ULP
    return Counter({kind.reverse() if turned else kind: 1}), Slack(ERROR, rounded_up)


def _case(face: Face) -> contour.SubsampledGaussianKind | contour.ReplacedGaussianKind | None:
    if not isinstance(face, Replacement):
        return _removed(face)
    removed = _removed(face.removed)
    return None if removed is None else _replaced(removed)


def _removed(face: Face) -> contour.SubsampledGaussianKind | None:
    """The kind of Gaussian noise on a sample from which a record is removed."""
    if not isinstance(face, SubsampledLoss) or not isinstance(face.base, GaussianLoss) or not face.removed:
        return None
    return contour.SubsampledGaussianKind(1 / face.base.mu, face.rate)


def _replaced(removed: contour.SubsampledGaussianKind) -> contour.ReplacedGaussianKind:
    return contour.ReplacedGaussianKind(removed.sigma, removed.rate)
