"""Mechanisms, and what can be made of any of them: several copies or several mechanisms together, and processing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.curves import Curve, LossDistribution, Order, composition
from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.mechanisms.release import Release
from whit.numerics import count
from whit.setting import Neighbours
from whit.theory import Basis, Direction


class Mechanism(Release):
    """A release by the law of its output, which can be repeated and processed further."""

    def times(self, count: int) -> Mechanism:
        """This mechanism so many times, with independent noise each time."""
        return Composed((self, count))

    def then(self, step: str) -> Mechanism:
        """This mechanism with its output processed further, as the words say: its curve stays as an upper bound."""
        return PostProcessed(self, step)


@dataclass(frozen=True, init=False, repr=False)
class Composed(Mechanism):
    """Several mechanisms on the same data, each as often as its count says.

    The noise is independent and no mechanism is chosen by the outcome of another. The worst case of all together is
    taken to be that of each: one change of the data that is the largest one for every part.
    """

    parts: tuple[tuple[Mechanism, int], ...]

    def __init__(self, *parts: tuple[Mechanism, int]) -> None:
        listed([mechanism for mechanism, _ in parts])
        way_out = "Use the number of times that the mechanism is run, such as 12."
        self._keep(parts=tuple((mechanism, count("count", times, way_out)) for mechanism, times in parts))
        shared(self._mechanisms)

    @property
    def _mechanisms(self) -> tuple[Mechanism, ...]:
        return tuple(mechanism for mechanism, _ in self.parts)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations under which the loss of every part is known."""
        return shared(self._mechanisms)

    @property
    def basis(self) -> Basis:
        """What the parts rest on, and that losses add up."""
        return reduce(lambda a, b: a | b, (part.basis for part in self._mechanisms)) | Basis.of("losses-add")

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of all together."""
        relation = self.relation(neighbours)
        copies: Counter[Curve] = Counter()
        for part, times in self.parts:
            copies[part.curve(relation)] += times
        return composition.composed(copies)

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


@dataclass(frozen=True)
class PostProcessed(Mechanism):
    """The output of a mechanism, rounded, cut, tabulated or the like: its curve stays as an upper bound.

    Only the profile stays: processing can raise the tail of the loss above what it was (KAA22, Example 4.9).
    Mechanisms with finitely many outcomes know more: their `then` takes the channel as a table and is exact.

    >>> from whit.mechanisms import Laplace
    >>> print(PostProcessed(Laplace(2.0), "cut at zero").delta(0.25))
    delta is at most 0.118
    """

    mechanism: Mechanism
    step: str

    def __post_init__(self) -> None:
        """Refuse what is no mechanism, and a step without words."""
        way_out = "Pass a mechanism such as Laplace(1.0) and a few words such as 'cut at zero'."
        known = isinstance(self.mechanism, Mechanism)
        require(known, name="mechanism", rule="must be a mechanism", value=self.mechanism, way_out=way_out)
        words = _words(self.step) != ""
        require(words, name="step", rule="must say in words what is done", value=repr(self.step), way_out=way_out)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Those of the mechanism."""
        return self.mechanism.relations

    @property
    def basis(self) -> Basis:
        """What the mechanism rests on, and post-processing."""
        return self.mechanism.basis | Basis.of("post-processing")

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        way_out = "Use curve(), which is an upper bound, or a finite mechanism and its channel as a table."
        raise NotImplied("the loss after processing", "is not known", self, way_out)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the mechanism, as an upper bound on the profile."""
        before = self.mechanism.curve(neighbours)
        direction = Direction.combine(before.direction, Direction.AT_MOST)
        return replace(before, direction=direction, order=Order.PROFILE, basis=before.basis | self.basis)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: the step is known by its words only. Sample the mechanism, and do what the step says."""
        way_out = "Sample .mechanism, and do what the step says."
        raise NotImplied("a sample after processing", "needs the step itself, not its words", self, way_out)


def _words(step: object) -> str:
    return step.strip() if isinstance(step, str) else ""


def listed(mechanisms: Sequence[Mechanism]) -> tuple[Mechanism, ...]:
    """Some mechanisms, at least one."""
    way_out = "Pass mechanisms one by one, such as Geometric(1.0), Geometric(0.5)."
    given = tuple(mechanisms)
    require(len(given) > 0, name="mechanisms", rule="must be at least one", value=mechanisms, way_out=way_out)
    for part in given:
        if not isinstance(part, Mechanism):
            raise InvalidInput("mechanisms", "must be mechanisms", part, way_out)
    return given


def shared(mechanisms: Sequence[Mechanism]) -> tuple[Neighbours, ...]:
    """The relations under which the loss of each is known, in the order of the first; refused if there is none."""
    known = tuple(each for each in mechanisms[0].relations if all(each in part.relations for part in mechanisms))
    if not known:
        rule = "must be known under a common relation between datasets"
        found = "; ".join(repr(part.relations) for part in mechanisms)
        raise Incompatible("mechanisms", rule, found, "Use mechanisms that are about the same neighbours.")
    return known
