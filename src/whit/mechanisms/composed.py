"""Several mechanisms on the same data: what they have in common, and the loss of all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit import curves, guarantees
from whit.curves import Curve, LossDistribution, Promise
from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.guarantees import Guarantee
from whit.guarantees.composition import least_delta, least_epsilon
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.together import Together
from whit.numerics import add_up, count, times_up
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding


@dataclass(frozen=True, init=False, repr=False)
class Composed(Mechanism):
    """Several mechanisms on the same data, each as often as its count says.

    The noise is independent and no mechanism is chosen by the outcome of another. The worst case of all together is
    taken to be that of each: one change of the data that is the largest one for every part.
    """

    parts: tuple[tuple[Mechanism, int], ...]

    def __init__(self, *parts: tuple[Mechanism, int]) -> None:
        listed(tuple(mechanism for mechanism, _ in parts))
        way_out = "Use the number of times that the mechanism is run, such as 12."
        self._keep(parts=tuple((mechanism, count("count", times, way_out)) for mechanism, times in parts))
        shared(self._mechanisms)

    @property
    def _mechanisms(self) -> tuple[Mechanism, ...]:
        return tuple(mechanism for mechanism, _ in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The kind, and each part with how often it is run."""
        parts = [{"promise": part.to_dict(), "releases": times} for part, times in self.parts]
        return {"kind": type(self).__name__, "parts": parts}

    @property
    def composed_of(self) -> tuple[tuple[Promise, int], ...]:
        """The mechanisms, each with its count."""
        return self.parts

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations under which the loss of every part is known."""
        return shared(self._mechanisms)

    @property
    def basis(self) -> Basis:
        """What the parts rest on, and that losses add up."""
        return reduce(lambda a, b: a | b, (part.basis for part in self._mechanisms)) | Basis.of("losses-add")

    @property
    def kept(self) -> Promise | None:
        """What the one mechanism keeps, as often as it is run; none where several are."""
        one, times = self.parts[0]
        if one.kept is None or len(self.parts) > 1:
            return None
        assert isinstance(one.kept, Guarantee)  # what a single mechanism keeps is one
        return guarantees.compose(*[one.kept] * times)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of all together."""
        relation = self.relation(neighbours)
        if self.kept is not None:
            whole = self.kept.curve(relation)
            return replace(whole, basis=whole.basis | self.basis)
        copies: Counter[Curve] = Counter()
        for part, times in self.parts:
            copies[part.curve(relation)] += times
        return curves.composed(copies)

    @property
    def of_one_pair(self) -> bool:  # type: ignore[override]
        """Whether that is so of a part."""
        return any(part.of_one_pair for part in self._mechanisms)

    @property
    def knows_size(self) -> bool:  # type: ignore[override]
        """Whether that of a part does."""
        return any(part.knows_size for part in self._mechanisms)

    def grows_with_change(self, neighbours: Neighbours, sides: int) -> bool:
        """That of the one release, if there is but one."""
        return sum(times for _, times in self.parts) == 1 and self.parts[0][0].grows_with_change(neighbours, sides)

    def steps(self, neighbours: Neighbours) -> Counter[Curve] | None:
        """The steps of all parts."""
        found: Counter[Curve] = Counter()
        for part, times in self.parts:
            steps = part.steps(neighbours)
            if steps is None:
                return None
            found.update({step: times * number for step, number in steps.items()})
        return found

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta at each epsilon: by the curve, or by what epsilons and deltas add up to."""
        answer = super().delta(epsilons, neighbours=neighbours)
        return least_delta(answer, epsilons, self.parts, self.relation(neighbours))

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon at each delta: by the curve, or by what epsilons and deltas add up to."""
        answer = super().epsilon(deltas, neighbours=neighbours)
        return least_epsilon(answer, deltas, self.parts, self.relation(neighbours))

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The sum of the losses that the parts never exceed."""
        relation = self.relation(neighbours)
        total, basis, direction = np.zeros(()), Basis.of("losses-add"), Direction.AT_MOST
        for part, times in self.parts:
            sure = part.sure_loss(relation)
            total, basis = add_up(total, times_up(times, sure.value)), basis | sure.basis
            direction = Direction.combine(direction, sure.direction)
            if np.isinf(total):  # no other part adds to it
                break
        return Finding(curves.LARGEST_LOSS, total, direction, {"promise": self}, basis)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        face = self.curve(neighbours).face
        if isinstance(face, LossDistribution):
            return face
        raise NotImplied("the loss of all together", "is only known by its profile", self, "Use curve() instead.")

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: the outputs of different mechanisms do not fit one array. Sample the parts."""
        raise NotImplied("one sample of several mechanisms", "is not defined", self, "Sample each of .parts instead.")

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"Composed({', '.join(map(repr, self.parts))})"


def listed(parts: Sequence[Mechanism]) -> tuple[Mechanism, ...]:
    """Some mechanisms, at least one."""
    way_out = "Pass mechanisms one by one, such as Geometric(1.0), Geometric(0.5)."
    given = tuple(parts)
    require(len(given) > 0, name="mechanisms", rule="must be at least one", value=parts, way_out=way_out)
    for part in given:
        if not isinstance(part, Mechanism):
            raise InvalidInput("mechanisms", "must be mechanisms", part, way_out)
    return given


def shared(parts: Sequence[Mechanism]) -> tuple[Neighbours, ...]:
    """The relations under which the loss of each is known, in the order of the first; refused if there is none."""
    known = tuple(each for each in parts[0].relations if all(each in part.relations for part in parts))
    if not known:
        rule = "must be known under a common relation between datasets"
        found = "; ".join(repr(part.relations) for part in parts)
        raise Incompatible("mechanisms", rule, found, "Use mechanisms that are about the same neighbours.")
    return known


Stated = Guarantee | guarantees.Composition[Guarantee]


@overload
def compose(*releases: Mechanism) -> Composed: ...
@overload
def compose(*releases: Stated) -> guarantees.Composition[Guarantee] | Together: ...
@overload
def compose(*releases: Mechanism | Stated | Together) -> Composed | guarantees.Composition[Guarantee] | Together: ...
def compose(*releases: Mechanism | Stated | Together) -> Composed | guarantees.Composition[Guarantee] | Together:
    """All these releases together: on the same data and with independent noise.

    Promises of one kind are stated together by their own rule, whose theorem the result names. Mechanisms compose by
    their exact losses. Promises of different kinds, and promises beside mechanisms, compose by dominating pairs.

    >>> from whit.mechanisms import Gaussian, compose
    >>> compose(Gaussian(3.0), Gaussian(4.0)).loss()
    GaussianLoss(mu=0.4166666666666667)
    """
    parts: list[tuple[Any, int]] = []
    for each in releases:
        known = isinstance(each, Composed | Together | guarantees.Composition)
        parts += each.parts if known else [(each, 1)]  # type: ignore[union-attr]
    mechanisms = [(part, times) for part, times in parts if isinstance(part, Mechanism)]
    if len(mechanisms) == len(parts):
        return Composed(*mechanisms)
    mixed = any(isinstance(each, Together) for each in releases)
    if mechanisms or mixed or not _have_one_rule([part for part, _ in parts]):
        return Together(tuple(parts))
    promises = [each for each in releases if isinstance(each, Guarantee | guarantees.Composition)]
    return guarantees.compose(*promises)


def _have_one_rule(promises: Sequence[object]) -> bool:
    """Whether all are promises about the same neighbours, and none bounds divergences beside one that does not."""
    known = [each for each in promises if isinstance(each, Guarantee)]
    same = len({each.neighbours for each in known}) <= 1
    return len(known) == len(promises) and same and len({each.by_divergences for each in known}) == 1
