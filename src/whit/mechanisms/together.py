"""Guarantees and mechanisms on the same data: one curve for releases about which different things are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from whit import curves, guarantees, mechanisms
from whit.curves import Curve, Promise, copies
from whit.errors import Incompatible, InvalidInput, NoPromise, NotImplied
from whit.guarantees import Guarantee
from whit.guarantees.composition import least_delta, least_epsilon
from whit.mechanisms.mechanism import Mechanism
from whit.numerics import add_up, distinct, times_up
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

# A bound on divergences is read near the epsilons of these deltas: a chord between two lies about 1 % above it, down to
# a delta of 1e-13. A few of the epsilons are searched for, and the others lie between them.
LOG_DELTAS = -np.concatenate([np.arange(0.0, 30.0, 0.25), np.arange(30.0, 100.1)])
SEARCHED = -np.linspace(0.0, 100.0, 11)
# Of what is farther out, the chance in one order of the pair would be lost among the smallest doubles.
FARTHEST = 600.0

_UNPACKED = "Leave out the brackets: compose(a, b), or compose(*several)."
_PARTS = "Pass promises such as PureDP(1.0) and mechanisms such as Gaussian(1.0)."
_SAME = (
    "State all of them under the same neighbours: what is promised for added or removed records holds for replaced ones"
)


@dataclass(frozen=True, repr=False)
class Together(Promise):
    """Several releases on the same data, some known by a guarantee and some by their noise.

    Each release stands for itself by a pair of distributions whose profile is at least its own, and the pairs compose.
    A later release may be chosen by the outcomes of earlier ones; what is promised of it is fixed beforehand.

    Attributes:
        parts: the promises, each with how often it is made.

    >>> from whit.guarantees import PureDP
    >>> from whit.mechanisms import Gaussian
    >>> print(Together(((PureDP(0.5), 2), (Gaussian(4.0), 3))).epsilon(1e-6))
    epsilon is at most 2.84
    """

    parts: tuple[tuple[Promise, int], ...]

    def __post_init__(self) -> None:
        """Refuse what is no promise, and promises without common neighbours."""
        for part, _ in self.parts:
            NoPromise.stop(part)
            if not isinstance(part, Guarantee | Mechanism):
                way_out = _UNPACKED if isinstance(part, list | tuple) else _PARTS
                raise InvalidInput("what is composed", "must be a promise or a mechanism", part, way_out)
        self._keep(parts=tuple((part, copies(number)) for part, number in self.parts))
        self.relation()

    @property
    def composed_of(self) -> tuple[tuple[Promise, int], ...]:
        """The promises, each with its count."""
        return self.parts

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours:
        """The relation that is named, else the first under which every part is known."""
        known = [each for each in Neighbours if all(_is_known(part, each) for part, _ in self.parts)]
        if not known:
            rule = "must be known under a common relation between datasets"
            found = "; ".join(dict.fromkeys(str(part.relation()) for part, _ in self.parts))
            raise Incompatible("what is composed", rule, found, f"{_SAME}, with twice the epsilon.")
        if neighbours is None:
            return known[0]
        if Neighbours.checked(neighbours) not in known:
            way_out = f"Use {' or '.join(map(repr, known))}."
            rule = f"is not known under the neighbours {neighbours.word}"
            raise NotImplied("what is composed", rule, self, way_out, parameter="neighbours")
        return neighbours

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of all parts together, as a bound on the profile."""
        return _curve(self.parts, self.relation(neighbours))

    def covered(self, neighbours: Neighbours | None = None, *, sides: int = 1) -> tuple[Promise, ...]:
        """The curve: a bound on the profile covers everybody."""
        return (self.curve(neighbours),)

    def times(self, count: int) -> Together:
        """All parts so many times."""
        number = copies(count)
        return Together(tuple((part, times * number) for part, times in self.parts))

    def between_contents(self, people: int, neighbours: Neighbours | None) -> Promise:
        """What the parts promise between any two contents of a block, together."""
        relation = self.relation(neighbours)
        return _product((part.between_contents(people, relation).curve(relation), n) for part, n in self.parts)

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta at each epsilon: by the curve, or by what epsilons and deltas add up to."""
        answer, relation = super().delta(epsilons, neighbours=neighbours), self.relation(neighbours)
        return least_delta(answer, epsilons, self.parts, relation, together=_of_rest)

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon at each delta: by the curve, or by what epsilons and deltas add up to."""
        answer, relation = super().epsilon(deltas, neighbours=neighbours), self.relation(neighbours)
        return least_epsilon(answer, deltas, self.parts, relation, together=_of_rest)

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The sum of the losses that the parts never exceed."""
        relation = self.relation(neighbours)
        sure = [(part.sure_loss(relation), times) for part, times in self.parts]
        total = reduce(add_up, (times_up(times, each.value) for each, times in sure))
        basis = reduce(or_, (each.basis for each, _ in sure), Basis.of("losses-add"))
        direction = Direction.combine(Direction.AT_MOST, *(each.direction for each, _ in sure))
        return Finding(curves.LARGEST_LOSS, total, direction, {"promise": self}, basis)

    @property
    def is_exact(self) -> bool:
        """Whether a part is known to have an infinite loss, so that all of them have."""
        relation = self.relation()
        return any(part.is_exact and bool(np.isinf(part.sure_loss(relation).value)) for part, _ in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The kind, and each part with how often it is made."""
        parts = [{"promise": part.to_dict(), "releases": times} for part, times in self.parts]
        return {"kind": "Together", "parts": parts}

    def __repr__(self) -> str:
        """The expression that rebuilds it."""
        return f"Together({self.parts!r})"


def _of_rest(parts: tuple[tuple[Promise, int], ...]) -> Promise:
    """Some of the parts, by their own rule where they have one: it is closer than a product of pairs."""
    return mechanisms.compose(*(part.times(number) for part, number in parts))  # type: ignore[call-overload, no-any-return]


def _is_known(part: Promise, relation: Neighbours) -> bool:
    if isinstance(part, Mechanism):
        return relation in part.relations
    try:
        part.stated_under(relation)
    except NotImplied:
        return False
    return True


@lru_cache(maxsize=16)
def _curve(parts: tuple[tuple[Promise, int], ...], relation: Neighbours) -> Curve:
    """The product of all pairs; promises whose parameters add up without loss are added up first."""
    return _product((part.composable(relation), times) for part, times in _added(parts, relation))


def _added(parts: tuple[tuple[Promise, int], ...], relation: Neighbours) -> Iterable[tuple[Promise, int]]:
    """The parts, with one for all bounds on divergences: their sum says more than the product of pairs."""
    divergences = [
        (part.under(relation), times) for part, times in parts if isinstance(part, Guarantee) and part.by_divergences
    ]
    if divergences:
        yield guarantees.compose(*(part.added_up(times) for part, times in divergences)), 1
    yield from ((part, n) for part, n in parts if not (isinstance(part, Guarantee) and part.by_divergences))


def _product(known: Iterable[tuple[Curve, int]]) -> Curve:
    """The curve of independent pairs, each a bound on the profile of one release."""
    counts: Counter[Curve] = Counter()
    for curve, times in known:
        bound = curve.by_profile()
        counts[bound if curves.composes(bound.face) else _by_chords(bound)] += times
    return curves.composed(counts, from_above=True).by_profile()


def _by_chords(bound: Curve) -> Curve:
    """A pair whose profile lies above the bound by a little; what is too far out counts as infinite loss.

    A bound at each epsilon by itself may fall more steeply from epsilon 0 than the profile of a pair can. A longer
    first chord falls less steeply, and lies above it all the same.
    """
    searched = np.asarray(bound.epsilon(np.exp(SEARCHED)).value)
    epsilons = distinct(np.interp(-LOG_DELTAS, -SEARCHED, searched))
    epsilons = epsilons[(epsilons > 0.0) & (epsilons + np.interp(epsilons, searched, -SEARCHED) <= FARTHEST)]
    deltas = np.asarray(bound.delta(np.append(0.0, epsilons)).value)
    falls = (deltas[0] - deltas[1:]) / np.expm1(epsilons)
    return bound.as_profile(np.append(0.0, epsilons[np.maximum.accumulate(2 * falls <= 1.0 - deltas[0])]))
