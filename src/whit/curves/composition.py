"""Several releases about the same people: one curve for all of them together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import reduce

from whit.curves.curve import Curve
from whit.curves.enumeration import enumerated
from whit.curves.face import Face
from whit.curves.finite import FinitePair
from whit.curves.gaussian import GaussianLoss
from whit.curves.order import Order
from whit.curves.profile import ChordProfile
from whit.curves.tradeoff import TradeOff
from whit.errors import NotImplied, require
from whit.theory import Basis, Direction


def composed(curves: Iterable[Curve]) -> Curve:
    """The curve of independent releases, each listed once for every time that it is made.

    Upper bounds compose to an upper bound and lower bounds to a lower bound; the two do not mix. Where all are Gaussian
    the result is Gaussian; where all are finite their losses are enumerated.
    """
    parts = list(curves)
    require(len(parts) > 0, name="curves", rule="must be at least one", value=parts, way_out="Pass a release.")
    direction = Direction.combine(*(part.direction for part in parts))
    order = reduce(lambda a, b: a & b, (part.order for part in parts))
    rule = "losses-add" if order is Order.LOSS else "dominating-pairs-compose"
    basis = reduce(lambda a, b: a | b, (part.basis for part in parts)) | Basis.of(rule)
    return Curve(_composed_faces([part.face for part in parts]), direction, order, basis)


def _composed_faces(faces: list[Face]) -> Face:
    gaussians = [face for face in faces if isinstance(face, GaussianLoss)]
    if len(gaussians) == len(faces):
        return GaussianLoss(math.sqrt(math.fsum(face.mu**2 for face in gaussians)))
    return enumerated(Counter(_as_pair(face) for face in faces))


def _as_pair(face: Face) -> FinitePair:
    if isinstance(face, FinitePair):
        return face
    if isinstance(face, TradeOff):
        return face.pair
    if isinstance(face, ChordProfile):
        return face.pair()
    rule = "cannot be composed exactly with losses of another kind"
    raise NotImplied("a loss with a density", rule, face, "Use releases that are all Gaussian or all finite.")
