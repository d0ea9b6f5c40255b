"""Edges from the curve of a release to the promise that its noise keeps: pure, Gaussian or zero-concentrated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from whit.curves import ComposedLoss, Curve, DiscreteGaussianLoss, Face, GaussianLoss, LaplaceSum, contour
from whit.errors import Unreachable
from whit.guarantees.conversions.step import Edge, curve_of, neighbours_of
from whit.guarantees.gaussian import GaussianDP
from whit.guarantees.pure import PureDP
from whit.guarantees.zero_concentrated import ZeroConcentratedDP
from whit.numerics import raised

# More than the relative rounding of a sum of largest losses.
SUMMED = 1e-13


def largest_loss(source: Curve) -> PureDP:
    """The loss that is never exceeded, in either order of the pair."""
    curve = curve_of(source)
    face = curve.face
    # A profile by its transform is dear just where it ends; the sum of the largest losses is the same.
    added = isinstance(face, ComposedLoss) and not isinstance(face, LaplaceSum)
    found = _sum_of_largest(face) if added else float(curve.epsilon(0.0))
    if math.isfinite(found):
        return PureDP(found, neighbours=neighbours_of(source))
    raise Unreachable("pure privacy", "needs a largest loss", source, "The loss has no bound here: ask with a delta.")


def _sum_of_largest(face: Face) -> float:
    orders = [each for each in (face, face.reverse()) if isinstance(each, ComposedLoss)]
    surely = all(math.isinf(each.log_infinity) for each in orders)
    return max(each.largest_loss for each in orders) * (1 + SUMMED) if surely else math.inf


def gaussian_noise(source: Curve) -> GaussianDP:
    """Mu of Gaussian noise: the sensitivity over the standard deviation."""
    face = curve_of(source).face
    if isinstance(face, GaussianLoss):
        return GaussianDP(float(raised(face.mu)), neighbours=neighbours_of(source))
    rule = "is known of Gaussian noise, and of what has a largest loss"
    raise Unreachable("mu", rule, source, "Ask for another kind, such as epsilon with a delta.")


def discrete_gaussian_noise(source: Curve) -> ZeroConcentratedDP:
    """Rho of discrete Gaussian noise: the squares of all changes over twice that of sigma, added up."""
    changes = _discrete(curve_of(source).face)
    if changes:
        rhos = (times * (kind.shift * kind.shift / (2 * kind.sigma2)) for kind, times in changes.items())
        return ZeroConcentratedDP(float(raised(math.fsum(rhos))), neighbours=neighbours_of(source))
    rule = "is known of Gaussian noise, discrete or not, and of what has a largest loss"
    raise Unreachable("rho", rule, source, "Ask for another kind, such as epsilon with a delta.")


def _discrete(face: Face) -> Mapping[contour.DiscreteGaussianKind, int]:
    """The changes under discrete Gaussian noise, with how many of each; none if there is other noise as well."""
    if isinstance(face, DiscreteGaussianLoss):
        return Counter(contour.DiscreteGaussianKind(face.sigma**2, abs(change)) for change in face.changes)
    counts = face.composition.counts if isinstance(face, ComposedLoss) else {}
    found = {kind: times for kind, times in counts.items() if isinstance(kind, contour.DiscreteGaussianKind)}
    return found if len(found) == len(counts) else {}


EDGES: tuple[Edge, ...] = (
    Edge(Curve, PureDP, "hockey-stick", False, largest_loss, sharp=True, curved=True),
    Edge(Curve, GaussianDP, "gaussian-differential-privacy", True, gaussian_noise, curved=True),
    Edge(Curve, ZeroConcentratedDP, "noise-of-a-share", False, discrete_gaussian_noise, curved=True),
)
"""The edges from a curve to what its noise keeps."""
