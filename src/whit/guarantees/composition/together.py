"""What several promises come to: what can be stated of them, and the curve of all together, which says more."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from whit import guarantees
from whit.curves import Array, Curve, Face, Order, Promise, composed, copies
from whit.errors import NotImplied, TooCostly
from whit.guarantees.bounded_range import BoundedRange
from whit.guarantees.composition.lattice import FARTHEST, MOST, profile_on_lattice
from whit.guarantees.composition.sums import added_up, any_up, least_delta, least_epsilon
from whit.guarantees.epsilon_delta import ApproxDP, ProbabilisticDP, PureDP
from whit.guarantees.fdp import GaussianDP
from whit.guarantees.guarantee import Guarantee, Known
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.guarantees.renyi_face import RenyiFace
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, theorem

Promised_co = TypeVar("Promised_co", bound=Guarantee, covariant=True)
Parts: TypeAlias = "tuple[tuple[Guarantee, int], ...]"
Point: TypeAlias = "tuple[float, float, int]"

# Of these kinds nothing is lost when parameters add up: the sum has the curve of all together.
LOSSLESS = (RenyiDP, ZeroConcentratedDP, GaussianDP, BoundedRange)
# Up to so many different sums they are enumerated.
FEW_SUMS = 2e4


@dataclass(frozen=True)
class Composition(Promise, Generic[Promised_co]):
    """The promise of several releases together.

    What can be stated in parameters is `promise`; questions are answered by the curve of all parts together, which no
    releases with these promises exceed, and which some attain. Each release may be chosen by the outcomes of earlier
    ones, but the promises are fixed beforehand.

    Attributes:
        promise: what they promise together, in the parameters of one promise.
        theorem: key of the rule that states it.
        adaptive: whether the rule holds where a later release is chosen by the outcomes of earlier ones.
        parts: the promises, each with how often it is made.

    >>> both = guarantees.compose(PureDP(1.0), PureDP(2.0))
    >>> both.promise, both.theorem
    (PureDP(epsilon=3.0), 'basic-composition')
    >>> print(both.power(0.1), "instead of", f"{float(both.promise.power(0.1)):.1%}")
    power of the best test is at most 82.9 % instead of 95.5%
    """

    promise: Promised_co
    theorem: str
    adaptive: Known
    parts: Parts

    def __post_init__(self) -> None:
        """Refuse a rule that is in no list."""
        theorem(self.theorem)

    @property
    def basis(self) -> Basis:
        """What the stated promise rests on."""
        return Basis.of(self.theorem)

    @property
    def composition_basis(self) -> Basis:
        """The same rule again."""
        return self.basis

    @property
    def neighbours(self) -> Neighbours:
        """The relation between datasets that all parts are stated under."""
        return self.promise.neighbours

    @property
    def composed_of(self) -> tuple[tuple[Promise, int], ...]:
        """The promises, each with its count."""
        return self.parts

    @property
    def kept(self) -> Promised_co | None:
        """The stated promise where it says all that the parts say: nothing is lost when their parameters add up."""
        return self.promise if isinstance(self.promise, LOSSLESS) else None

    @property
    def in_one(self) -> Promised_co:
        """The stated promise."""
        return self.promise

    @property
    def by_divergences(self) -> bool:  # type: ignore[override]
        """Whether the stated promise bounds Rényi divergences."""
        return self.promise.by_divergences

    @property
    def is_stated(self) -> bool:
        """Whether the stated promise says all."""
        return self.kept is not None

    def stated_under(self, neighbours: Neighbours | None = None) -> Mapping[str, Any]:
        """The parameters of the stated promise, where they say all."""
        return {} if self.kept is None else self.kept.stated_under(neighbours)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of all parts together; that of the stated promise where it is the same, or the other too costly."""
        relation = self.relation(neighbours)
        if self.kept is not None:
            return self._stated_curve(relation)
        try:
            return curve_together(self.parts, relation)
        except TooCostly:
            return self._stated_curve(relation)

    def _stated_curve(self, relation: Neighbours) -> Curve:
        """The curve of the stated promise, which rests on the rule as well."""
        curve = self.promise.curve(relation)
        return replace(curve, basis=curve.basis | self.basis)

    def _by_rule(self, stated: Finding) -> Finding:
        """What was found of the stated promise, which rests on the rule as well."""
        return replace(stated, inputs={**stated.inputs, "promise": self}, basis=stated.basis | self.basis)

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours:
        """The relation that is named, else the one that the parts are stated under."""
        return self.promise.relation(neighbours)

    def under(self, neighbours: Neighbours | None) -> Composition[Guarantee]:
        """The parts under another relation between datasets, where they follow, together."""
        return (
            self if self.relation(neighbours) is self.neighbours else self._of_each(lambda one: one.under(neighbours))
        )

    def step_to(self, neighbours: Neighbours | None) -> Basis:
        """What leads from the relation of the parts to another one."""
        return self.promise.step_to(neighbours)

    def times(self, count: int) -> Composition[Guarantee]:
        """All parts so many times."""
        stated, number = self.promise.added_up(count), copies(count)
        rule = self.theorem if number == 1 else guarantees.compose(self.promise).theorem
        return Composition(stated, rule, self.adaptive, tuple((part, n * number) for part, n in self.parts))

    def group(self, size: int) -> Composition[Guarantee]:
        """What the parts promise to a group, together."""
        return self._of_each(lambda one: one.group(size))

    def _of_each(self, changed: Callable[[Guarantee], Guarantee]) -> Composition[Guarantee]:
        """The parts, each changed, together."""
        return guarantees.compose(*(guarantees.compose(changed(one)).times(number) for one, number in self.parts))

    def between_contents(self, people: int, neighbours: Neighbours | None) -> Promise:
        """What the parts promise between any two contents of a block, together."""
        found = {part: part.between_contents(people, neighbours) for part, _ in self.parts}
        known = {part: made for part, made in found.items() if isinstance(made, Guarantee)}
        if len(known) == len(found):
            return self._of_each(known.__getitem__).mixed()
        return composed({found[part].composable(): n for part, n in self.parts}).by_profile()

    def has_concave_power(self, face: Face) -> bool:
        """Whether mixing and processing keep the promise, or the curve is that of one pair."""
        return face.is_one_pair or self.promise.has_concave_power(face)

    def mixed(self, neighbours: Neighbours | None = None) -> Promise:
        """The promise itself where mixing keeps it, else its curve as a bound on the profile."""
        if self.promise.properties.convex.known is not Known.YES:
            return super().mixed(neighbours)
        if self.kept is not None:
            return self.under(neighbours)
        return self if self.relation(neighbours) is self.neighbours else super().mixed(neighbours)

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """That of the stated promise."""
        return self._by_rule(self.promise.sure_loss(neighbours))

    def corner(self, neighbours: Neighbours | None = None) -> float | None:
        """The sum of the epsilons, from which on delta is what the parts give away for sure."""
        if self.kept is not None:
            return self.kept.corner(neighbours)
        point, others = added_up(self.parts, self.relation(neighbours))
        return None if point is None or others else point.epsilon

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta at each epsilon; at the points that are stated it is known without rounding."""
        if self.kept is not None:
            return self._by_rule(self.kept.delta(epsilons, neighbours=neighbours))
        answer, relation = super().delta(epsilons, neighbours=neighbours), self.relation(neighbours)
        return reduce(lambda best, parts: least_delta(best, epsilons, parts, relation), self._stated, answer)

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon at each delta; at the points that are stated it is known without rounding."""
        if self.kept is not None:
            return self._by_rule(self.kept.epsilon(deltas, neighbours=neighbours))
        answer, relation = super().epsilon(deltas, neighbours=neighbours), self.relation(neighbours)
        return reduce(lambda best, parts: least_epsilon(best, deltas, parts, relation), self._stated, answer)

    @property
    def _stated(self) -> tuple[Parts, Parts]:
        """What states points (epsilon, delta) that hold as they stand: all parts, and the stated promise."""
        return self.parts, ((self.promise, 1),)

    def bounded_delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta of pbdp at each epsilon."""
        if self.kept is not None:
            return self._by_rule(self.kept.bounded_delta(epsilons, neighbours=neighbours))
        return super().bounded_delta(epsilons, neighbours=neighbours)

    def knows_tail(self, neighbours: Neighbours | None = None) -> bool:
        """True: the stated promise bounds the tail by more than the curve."""
        return True

    def beyond(self, losses: ArrayLike, *, sides: int = 1, neighbours: Neighbours | None = None) -> Finding:
        """The better of two bounds at each loss: by the curve of all together, and by the stated promise."""
        stated = self._by_rule(self.promise.beyond(losses, sides=sides, neighbours=neighbours))
        if self.kept is not None:
            return stated
        by_curve = self.curve(neighbours).beyond(losses, sides=sides)
        return replace(stated, value=np.minimum(by_curve.value, stated.value), basis=by_curve.basis | stated.basis)

    def chances_beyond(self, losses: Array, *, sides: int = 1, neighbours: Neighbours | None = None) -> Array:
        """The numbers of `beyond`."""
        if self.kept is not None:
            return self.kept.chances_beyond(losses, sides=sides, neighbours=neighbours)
        return super().chances_beyond(losses, sides=sides, neighbours=neighbours)

    def likely_loss(self, chances: Array, *, neighbours: Neighbours | None = None) -> Array | None:
        """About where the bound on the tail comes down to each chance, if the stated promise says all."""
        return None if self.kept is None else self.kept.likely_loss(chances, neighbours=neighbours)

    def tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] that the privacy loss exceeds each threshold t."""
        return self.beyond(losses, neighbours=neighbours)

    def lower_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z < -t] by the stated promise."""
        return self._by_rule(self.promise.lower_tail(losses, neighbours=neighbours))

    def two_sided_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] + P[Z < -t] that the privacy loss is beyond each threshold t >= 0 on either side."""
        return self.beyond(losses, sides=2, neighbours=neighbours)

    def to_dict(self) -> dict[str, Any]:
        """The kind, each part with how often it is made, and what is stated of all together by which rule."""
        parts = [{"promise": part.to_dict(), "releases": times} for part, times in self.parts]
        return {"kind": "Composition", "parts": parts, "promise": self.promise.to_dict(), "theorem": self.theorem}

    def __repr__(self) -> str:
        """What was composed, and what is stated of it by which rule."""
        parts = ", ".join(repr(part) if n == 1 else f"{n} times {part!r}" for part, n in self.parts)
        return f"<Composition of {parts}: {self.promise!r} by {self.theorem}>"


def counted(promises: Iterable[Guarantee]) -> Parts:
    """The different promises in the order given, each with how often it is made."""
    return tuple(Counter(promises).items())


@lru_cache(maxsize=64)
def curve_together(parts: Parts, relation: Neighbours) -> Curve:
    """The product of the pairs that dominate the parts; on a lattice where coins have too many different sums."""
    curves: Counter[Curve] = Counter()
    for part, number in parts:
        curve = part.composable(relation)
        if isinstance(curve.face, RenyiFace):
            rule = "do not compose with promises of another kind through their curves"
            way_out = "Convert all promises to one kind first, such as ZeroConcentratedDP."
            raise NotImplied("promises about Rényi divergences", rule, part, way_out)
        curves[curve] += number
    points = [] if _few_sums(parts) else _points(parts, relation)
    whole = _on_lattice(points, list(curves)) if _fit(points) else composed(curves)
    return replace(whole, basis=whole.basis | _optimal(parts))


def _few_sums(parts: Parts) -> bool:
    """Whether coins, each with its count, have so few different sums that they are enumerated."""
    return math.fsum(math.log1p(number) for _, number in parts) <= math.log(FEW_SUMS)


def _fit(points: list[Point]) -> bool:
    """Whether these are coins that a lattice is quick for."""
    number, total = sum(n for *_, n in points), math.fsum(epsilon * n for epsilon, _, n in points)
    return 0 < number <= MOST and 0.0 < total <= FARTHEST


def _on_lattice(points: list[Point], curves: list[Curve]) -> Curve:
    """The curve of many coins."""
    given_away = any_up([(delta, number) for _, delta, number in points])
    face = profile_on_lattice([(epsilon, number) for epsilon, _, number in points], given_away)
    basis = reduce(lambda a, b: a | b, (curve.basis for curve in curves))
    return Curve(face, Direction.AT_MOST, Order.PROFILE, basis | Basis.of("profile-chords", "dominating-pairs-compose"))


def _optimal(parts: Parts) -> Basis:
    """The theorem that says that no rule does better, where there is one."""
    if not all(isinstance(part, PureDP | ApproxDP) for part, _ in parts):
        return Basis()
    return Basis.of("optimal-composition" if len(parts) == 1 else "optimal-composition-heterogeneous")


def _points(parts: Parts, relation: Neighbours) -> list[Point]:
    """The epsilon, the delta and the count of each part; none at all where one is not stated by them."""
    points = []
    for part, number in parts:
        stated = part.under(relation)
        if not isinstance(stated, PureDP | ApproxDP | ProbabilisticDP):
            return []
        points.append((stated.stated_epsilon, 0.0 if isinstance(stated, PureDP) else stated.stated_delta, number))
    return points
