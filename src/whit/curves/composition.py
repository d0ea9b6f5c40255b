"""Several releases about the same people: one curve for all of them together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce

from whit.curves import contour
from whit.curves.curve import Curve
from whit.curves.face import Face, Order
from whit.curves.finite import FinitePair, enumerated
from whit.curves.gaussian import GaussianLoss
from whit.curves.kinds import kinds
from whit.curves.laplace import LaplaceLoss
from whit.curves.laplace_sum import LaplaceSum, few_uniforms
from whit.curves.numerical import ComposedLoss, Slack
from whit.curves.profile import ChordProfile
from whit.curves.tradeoff import PowerTable, TradeOff
from whit.errors import require
from whit.numerics import count, log_multisets
from whit.theory import Basis, Direction

# Up to so many different sums the losses of finite pairs are enumerated exactly.
FEW_SUMS = 2e4


def composed(
    curves: Iterable[Curve] | Mapping[Curve, int], *, relative_width: float = 1e-6, strict: bool = False
) -> Curve:
    """The curve of independent releases: a list, or a mapping from each to how often it is made.

    Upper bounds compose to an upper bound and lower bounds to a lower bound; the two do not mix. Gaussians compose to a
    Gaussian, few losses are enumerated, and equal Laplace releases are summed as splines. All else is composed by its
    transform, to the relative width; where that costs too much, to a wider one, or not at all if strict.
    """
    copies = _counted(curves)
    order = reduce(lambda a, b: a & b, (curve.order for curve in copies))
    basis = reduce(lambda a, b: a | b, (curve.basis for curve in copies))
    face = composed_faces(_faces(copies), relative_width, strict)
    basis |= Basis.of("losses-add" if order is Order.LOSS else "dominating-pairs-compose")
    direction = Direction.combine(*(curve.direction for curve in copies))
    if isinstance(face, ComposedLoss):
        basis |= Basis.of(*face.theorems)
    return Curve(face, direction, order, basis)


def _counted(curves: Iterable[Curve] | Mapping[Curve, int]) -> dict[Curve, int]:
    copies = dict(curves) if isinstance(curves, Mapping) else dict(Counter(curves))
    require(len(copies) > 0, name="curves", rule="must be at least one", value=curves, way_out="Pass a release.")
    for curve, number in copies.items():
        way_out = "Pass the curves of the releases, such as promise.curve()."
        require(isinstance(curve, Curve), name="what is composed", rule="must be a curve", value=curve, way_out=way_out)
        count(f"the number of copies of {curve.face}", number, "Use a whole number such as 12.")
    return copies


def _faces(copies: Mapping[Curve, int]) -> Counter[Face]:
    faces: Counter[Face] = Counter()
    for curve, number in copies.items():
        faces[curve.face] += number
    return faces


def composed_faces(faces: Mapping[Face, int], relative_width: float, strict: bool) -> Face:
    """One face for all: in closed form, by enumeration, or by the transform."""
    if all(isinstance(face, GaussianLoss) for face in faces):
        mus = [(face.mu, number) for face, number in faces.items() if isinstance(face, GaussianLoss)]
        total = math.fsum(mu * mu * number for mu, number in mus)
        # Where squares vanish or overflow the root of their sum is found without them.
        ordinary = 1e-280 < total < 1e280
        return GaussianLoss(math.sqrt(total) if ordinary else math.hypot(*(mu * math.sqrt(n) for mu, n in mus)))
    if sum(faces.values()) == 1:
        return next(iter(faces))
    pairs = [(_pair_of(face), number) for face, number in faces.items()]
    finite = {pair: number for pair, number in pairs if pair is not None}
    if len(finite) == len(pairs) and _few_sums(finite):
        return enumerated(finite)
    whole = _by_transform(faces, relative_width, strict)
    only = next(iter(faces)) if len(faces) == 1 else None
    if isinstance(only, LaplaceLoss) and few_uniforms(only.largest, faces[only]):
        return LaplaceSum(**vars(whole), largest=only.largest, copies=faces[only])
    return whole


def _pair_of(face: Face) -> FinitePair | None:
    if isinstance(face, FinitePair):
        return face
    if isinstance(face, TradeOff):
        return face.pair
    return face.pair() if isinstance(face, ChordProfile | PowerTable) else None


def _few_sums(pairs: Mapping[FinitePair, int]) -> bool:
    """Whether the multisets of losses are few."""
    logs = (log_multisets(len(pair.losses), number) for pair, number in pairs.items())
    return math.fsum(logs) <= math.log(FEW_SUMS)


def _by_transform(faces: Mapping[Face, int], relative_width: float, strict: bool) -> ComposedLoss:
    counts: Counter[contour.Kind] = Counter()
    slack = Slack()
    for face, number in faces.items():
        of_face, errors = kinds(face)
        for kind, copies in of_face.items():
            counts[kind] += copies * number
        slack = slack.plus(errors, number)
    return ComposedLoss(contour.Composition(counts), slack, relative_width, strict)
