"""Several releases about the same people: one curve for all of them together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache, reduce, singledispatch
from typing import Any, Protocol, TypeAlias

import numpy as np

from whit.curves import contour
from whit.curves.clones import ClonesProfile
from whit.curves.curve import Curve
from whit.curves.discrete_gaussian import DiscreteGaussianLoss
from whit.curves.distinct_sums import few_distinct_sums, summed
from whit.curves.face import Face, Order
from whit.curves.finite import FinitePair, enumerated
from whit.curves.gaussian import GaussianLoss, one_gaussian
from whit.curves.laplace import LaplaceLoss, LaplaceSum, few_uniforms
from whit.curves.lattice_bound import LatticeBound, bounded_sum
from whit.curves.logistic import LogisticPair
from whit.curves.mixture import GaussianMixtureLoss
from whit.curves.numerical import ComposedLoss
from whit.curves.profile import ChordProfile
from whit.curves.promise import Promise, require_promise
from whit.curves.replaced import Replacement
from whit.curves.sampled_kinds import transformed
from whit.curves.short_sum import ShortSum, is_quick, shorter
from whit.curves.slack import Slack
from whit.curves.subsampled import SubsampledLoss
from whit.curves.told_mixture import ToldMixture
from whit.curves.tradeoff import PowerTable, TradeOff
from whit.errors import NotImplied, TooCostly, require
from whit.numerics import ULP, count, log_multisets
from whit.theory import Basis, Direction

# Up to so many different sums the losses of finite pairs are enumerated exactly.
FEW_SUMS = 2**16
# Masses below this cannot be told from 0 by a product of doubles.
SMALLEST_MASS = 1e-290
MOST_LOSS = 10_000
"""The largest privacy loss of a release that is added up to others by numerics."""
FIELDS = tuple(each.name for each in fields(FinitePair))

Kinds: TypeAlias = "tuple[Counter[contour.Kind], Slack]"


class CompositionRule(Protocol):
    """How so many releases, each with the same promise, add up; Unreachable where the rule says nothing of them."""

    def __call__(self, promise: Promise, releases: int) -> Promise:
        """What so many releases promise together."""

    def basis(self, promise: Promise) -> Basis:
        """The theorems that the rule rests on."""


@dataclass(frozen=True)
class OwnComposition:
    """So many releases as tightly as they compose: the losses that the promise or mechanism allows add up."""

    def __call__(self, promise: Promise, releases: int) -> Promise:
        """So many times the same."""
        return require_promise(promise).times(releases)

    def basis(self, promise: Promise) -> Basis:
        """The theorem by which two of them add up."""
        return promise.composition_basis


def composed(
    curves: Iterable[Curve] | Mapping[Curve, int],
    *,
    relative_width: float = 1e-6,
    strict: bool = False,
    from_above: bool = False,
) -> Curve:
    """The curve of independent releases: a list, or a mapping from each to how often it is made.

    Upper bounds compose to an upper bound and lower bounds to a lower bound; the two do not mix. Gaussians compose to a
    Gaussian, few sums of losses are listed, and equal Laplace releases are summed as splines. All else is composed by
    its transform, to the relative width; where that costs too much, to a wider one, or not at all if strict. From above
    only, all is composed on a lattice: that is quick also where a pair has hundreds of losses.
    """
    copies = _counted(curves)
    order = reduce(lambda a, b: a & b, (curve.order for curve in copies))
    basis = reduce(lambda a, b: a | b, (curve.basis for curve in copies))
    face: Face
    if from_above:
        _require_moderate(_faces(copies))
        face = bounded_sum({pair_of(each) or each: number for each, number in _faces(copies).items()})
    else:
        face = composed_faces(_faces(copies), relative_width, strict)
    basis |= Basis.of("losses-add")
    bounds = (Direction.AT_MOST,) if from_above else ()
    direction = Direction.combine(*bounds, *(curve.direction for curve in copies))
    if isinstance(face, ComposedLoss):
        basis |= Basis.of(*face.theorems)
    if order is Order.PROFILE:
        basis = basis.with_instead("losses-add", "dominating-pairs-compose")
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
    """The faces with their counts; what is a composition itself, such as the cells of one release, by its parts.

    Finite pairs with the same numbers are copies of one: their sums are far fewer than those of different ones.
    """
    faces: Counter[Face] = Counter()
    for curve, number in copies.items():
        for part, times in _parts(curve.face).items():
            faces[_first_alike(part) if isinstance(part, FinitePair) else part] += number * times
    return faces


def _first_alike(pair: FinitePair) -> FinitePair:
    """The first pair with these numbers that was asked about lately, so that what is composed of it is found again.

    A pair with very many atoms is only equal to itself.
    """
    if len(pair.losses) > FEW_SUMS:
        return pair
    parts = map(vars(pair).get, FIELDS)
    alike = _alike(*(each.tobytes() if isinstance(each, np.ndarray) else each for each in parts))
    if not alike:
        alike.append(pair)
    return alike[0]


@lru_cache(maxsize=64)
def _alike(*_: object) -> list[FinitePair]:
    """Where the first pair with these numbers is put."""
    return []


def _parts(face: Face) -> Mapping[Face, int]:
    """The releases that a face is composed of, where it knows them; else the face itself."""
    if isinstance(face, LaplaceSum):
        return {LaplaceLoss(face.largest): face.copies}
    if isinstance(face, ClonesProfile):
        return {face.finite: 1}
    if isinstance(face, LatticeBound) and not face.turned:
        return face.sums.counts
    if isinstance(face, ShortSum) and face.sums is not None and not face.turned:
        known: Mapping[Any, int] = face.sums.counts
        return known
    return {face: 1}


def composed_faces(faces: Mapping[Face, int], relative_width: float, strict: bool) -> Face:
    """One face for all: the same one where the same releases are asked about again, with what it has worked out."""
    return _composed_once(tuple(faces.items()), relative_width, strict)


@lru_cache(maxsize=8)
def _composed_once(counts: tuple[tuple[Face, int], ...], relative_width: float, strict: bool) -> Face:
    """In closed form, by enumeration, on a lattice, or by the transform."""
    faces = dict(counts)
    gaussians = {face: number for face, number in faces.items() if isinstance(face, GaussianLoss)}
    if len(gaussians) == len(faces):
        return one_gaussian(gaussians)
    if sum(faces.values()) == 1:
        return next(iter(faces))
    _require_moderate(faces)
    if any(face.is_from_above for face in faces):
        return _from_above(faces, relative_width, strict)
    pairs = [(pair_of(face), number) for face, number in faces.items()]
    finite = {pair: number for pair, number in pairs if pair is not None}
    if len(finite) == len(pairs):
        if _few_sums(finite):
            return enumerated(finite)
        lattice = few_distinct_sums(finite)
        if lattice is not None:
            return summed(finite, lattice)
    whole = _by_transform(faces, relative_width, strict)
    only = next(iter(faces)) if len(faces) == 1 else None
    if isinstance(only, LaplaceLoss) and few_uniforms(only.largest, faces[only]):
        return LaplaceSum(**vars(whole), largest=only.largest, copies=faces[only])
    return shorter(faces, whole)


def _from_above(faces: Mapping[Face, int], relative_width: float, strict: bool) -> Face:
    """By the transform where all releases have one, which falls off quickly, and else on a lattice."""
    if all(not face.is_from_above or transformed(face) for face in faces):
        whole = _by_transform(faces, relative_width, strict)
        if is_quick(whole):
            return whole
    return bounded_sum(faces)


def _require_moderate(faces: Mapping[Face, int]) -> None:
    """Refuse to add up losses whose exponentials no double comes near, so that every mass would be lost on the way."""
    largest = max(map(_size, faces))
    way_out = "Such a release hides nothing. Ask about it alone, or use more noise."
    if largest > MOST_LOSS:
        rule = f"must be at most {MOST_LOSS:,} in each release, for several to be added up"
        raise TooCostly("the privacy loss", rule, largest, way_out)
    mus = {face.mu: number for face, number in faces.items() if isinstance(face, GaussianLoss)}
    if math.isinf(sum(number * mu * mu for mu, number in mus.items())):
        rule = "must be at least about 1e-150 times what one record changes, for other noise to be added up to it"
        raise TooCostly("Gaussian noise", rule, 1 / max(mus), way_out)


def _size(face: Face) -> float:
    """The largest finite loss of a face, either way, where it is known without a search; else 0."""
    inside = face.base if isinstance(face, SubsampledLoss) else face
    if isinstance(inside, LaplaceLoss):
        return inside.largest
    pair = pair_of(inside)
    return 0.0 if pair is None else float(np.max(np.abs(pair.losses), initial=0.0))


def pair_of(face: Face) -> FinitePair | None:
    """The finite pair that a face is, or that it is drawn through; None where it has infinitely many losses."""
    if isinstance(face, FinitePair):
        return face
    if isinstance(face, TradeOff):
        return face.pair
    return face.pair() if isinstance(face, ChordProfile | LogisticPair | PowerTable) else None


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


@singledispatch
def kinds(face: Face) -> Kinds:
    """The kinds that make up a face, each with its number of copies, and the errors of what they are made of."""
    rule = "cannot be composed by its transform, which is not known"
    way_out = "Use its profile at some epsilons (as_profile), or compose the promises by their own rule."
    raise NotImplied("this curve", rule, face, way_out)


def composes(face: Face) -> bool:
    """Whether a face composes as it is; others must be bounded by one that does, such as a profile by chords."""
    return face.is_from_above or kinds.dispatch(type(face)) is not kinds.dispatch(object)


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
    # A sampled loss moves by no more than the loss behind it.
    error = 8 * ULP
    if isinstance(face.base, GaussianLoss):
        kind = contour.SubsampledGaussianKind(1 / face.base.mu, face.rate)
    else:
        kind, error = contour.SubsampledLaplaceKind(face.base.largest, face.rate), error + face.base.loss_error
    return Counter({kind if face.removed else kind.reverse(): 1}), Slack(error)


@kinds.register
def _(face: Replacement | ToldMixture) -> Kinds:
    return transformed(face) or kinds.dispatch(object)(face)


@kinds.register
def _(face: GaussianMixtureLoss) -> Kinds:
    largest = face.means[-1]
    changes = tuple(each / largest for each in face.means)
    total = math.fsum(face.weights)
    kind = contour.GaussianMixtureKind(1 / largest, changes, tuple(each / total for each in face.weights))
    # Each mean and each weight is a double: a loss moves by that much of its parts, which the transform allows for.
    return Counter({kind if face.mixed else kind.reverse(): 1}), Slack(16 * ULP, 4 * ULP)


@kinds.register
def _(face: ComposedLoss) -> Kinds:
    return Counter(face.composition.counts), face.slack


@kinds.register
def _(face: TradeOff) -> Kinds:
    return kinds(face.pair)


@kinds.register
def _(face: ChordProfile | LogisticPair | PowerTable) -> Kinds:
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
