"""What every guarantee has in common: parameters, a relation between datasets, and bounds on the tail of the loss.

Also what is known of each as a definition, how parameters are added up and multiplied, and the list of the kinds that
are stated by one number.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from whit import curves, guarantees
from whit.curves import (
    LOWER_TAIL,
    TAIL,
    TWO_SIDED_TAIL,
    Array,
    Curve,
    Face,
    LossDistribution,
    Order,
    Promise,
    copies,
    log_tail_bound,
    questions,
)
from whit.errors import NotImplied
from whit.guarantees.held import require_held_together
from whit.numerics import ULP, Bracket, add_up, count, exp_up, log_expm1, nearest_up, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Finding, Quantity, echo, require_reference


class Known(Enum):
    """Whether something holds, as far as is known."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "not known"


@dataclass(frozen=True)
class Property:
    """An answer, the sentence that gives the reason, and where it is shown.

    Attributes:
        known: whether the guarantee has the property.
        reason: one sentence.
        cited: key of the publication.
        locator: where in that publication.
    """

    known: Known
    reason: str
    cited: str
    locator: str

    def __post_init__(self) -> None:
        """Refuse a citation that is in no list."""
        require_reference(self.cited)

    def __str__(self) -> str:
        return f"{self.known.value}: {self.reason} ({self.cited}, {self.locator})"


@dataclass(frozen=True)
class Properties:
    """The four questions of Kifer et al. (2022), section 4.2, that a definition can be asked.

    Attributes:
        post_processing: what is computed from a protected output is protected as well.
        convex: choosing at random between two protected releases, whatever the data, gives a protected one.
        adaptive_composition: the promise for several releases follows from their promises, where a later release may
            be chosen by the outcomes of earlier ones and their promises are fixed beforehand.
        fully_adaptive_composition: the same where the promises too are chosen on the way.
    """

    post_processing: Property
    convex: Property
    adaptive_composition: Property
    fully_adaptive_composition: Property


def product_up(count: float, value: float) -> float:
    """The smallest double that is not below the product.

    >>> product_up(3, 0.1)
    0.30000000000000004
    """
    return nearest_up(Fraction(count) * Fraction(value))


def sum_up(values: Iterable[float]) -> float:
    """The smallest double that is not below the sum."""
    return nearest_up(sum((number * Fraction(value) for value, number in Counter(values).items()), Fraction(0)))


def root_of_squares_up(values: Iterable[float], copies: int = 1) -> float:
    """The smallest double that is not below the root of the sum of squares, each square taken so many times.

    Infinite where no double is.
    """
    known = [(Fraction(value), number) for value, number in Counter(values).items()]
    largest = max(value for value, _ in known)
    if largest == 0:
        return 0.0
    total = copies * sum((number * (value / largest) ** 2 for value, number in known), Fraction(0))
    root, exact = float(largest) * math.sqrt(total), total * largest**2
    while math.isfinite(root) and Fraction(root) ** 2 < exact:
        root = math.nextafter(root, math.inf)
    return root


def group_delta_up(size: int, epsilon: float, delta: float) -> float:
    """delta (e^{size epsilon} - 1) / (e^epsilon - 1), rounded up and cut at 1; at epsilon 0 it is size delta."""
    if delta == 0.0 or size == 1:
        return delta
    if epsilon == 0.0:
        return min(1.0, product_up(size, delta))
    log_factor = float(log_expm1(size * epsilon) - log_expm1(epsilon))
    log_total = log_factor + math.log(delta)
    # Each of the logs is rounded to a few units of its size.
    error = ULP * (32 + 8 * (abs(log_factor) + abs(math.log(delta)) + size * epsilon))
    return min(1.0, math.nextafter(float(np.exp(min(log_total + error, 0.0))), 1.0))


_GROUP = "Use the number of records that one group has, such as 2."


@dataclass(frozen=True, kw_only=True, repr=False)
class Guarantee(Promise):
    """A guarantee about every pair of neighbours, in both orders; a value that is valid or not built at all."""

    properties: ClassVar[Properties]
    parameter: ClassVar[Parameter]
    """The one number that it is stated by, where there is one."""

    neighbours: Neighbours = Neighbours.ADD_REMOVE

    def __post_init__(self) -> None:
        """Refuse what is no relation between datasets."""
        Neighbours.checked(self.neighbours)

    @abstractmethod
    def _curve(self) -> Curve:
        """A curve that no mechanism with this guarantee exceeds, under its own relation."""

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """A curve that no mechanism with this guarantee exceeds, between neighbours of a relation."""
        curve, step = self.under(neighbours)._curve(), self.step_to(neighbours)
        return replace(curve, basis=step | curve.basis) if step.theorems else curve

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours:
        """The relation that is named, else the one that the guarantee is stated under."""
        return self.neighbours if neighbours is None else Neighbours.checked(neighbours)

    def times(self, count: int) -> Guarantee | guarantees.Composition[Guarantee]:
        """So many releases, each with this guarantee, as tightly as they compose.

        A later one may be chosen by the outcomes of earlier ones.

        >>> from whit.guarantees import PureDP
        >>> print(PureDP(0.3).times(12).power(0.05), "instead of", f"{float(PureDP(3.6).power(0.05)):.1%}")
        power of the best test is at most 26.2 % instead of 97.4%
        """
        return self if copies(count) == 1 else guarantees.compose(self).times(count)

    @abstractmethod
    def added_up(self, count: int) -> Self:
        """One guarantee of this kind that so many releases with it come to: it may promise less than they do."""

    @abstractmethod
    def group(self, size: int) -> Self:
        """What is guaranteed to a group of so many records, instead of one."""

    def under(self, neighbours: Neighbours | None) -> Self:
        """This guarantee under another relation between datasets, where it follows.

        Replacing a record is removing one and adding one: a group of two under add/remove. The local relation is that
        of replacing the one record that a person sends.
        """
        if neighbours is None or Neighbours.checked(neighbours) is self.neighbours:
            return self
        if self.neighbours is Neighbours.ADD_REMOVE and neighbours is Neighbours.REPLACE:
            return self.group(2).restated(neighbours=neighbours)
        if {self.neighbours, neighbours} == {Neighbours.REPLACE, Neighbours.LOCAL}:
            return self.restated(neighbours=neighbours)
        raise NotImplied(
            f"a promise under {neighbours.word}",
            f"does not follow from one under {self.neighbours.word}",
            self,
            "Ask for the promise that the mechanism itself gives under that relation.",
            parameter="neighbours",
        )

    def step_to(self, neighbours: Neighbours | None) -> Basis:
        """What leads from its own relation to another one; nothing where that is a matter of words."""
        stepped = self.neighbours is Neighbours.ADD_REMOVE and neighbours is Neighbours.REPLACE
        return Basis.of("group-privacy", "replacing-is-removing-and-adding") if stepped else Basis()

    def _by_step(self, found: Finding, neighbours: Neighbours | None) -> Finding:
        """What was found of the guarantee under another relation, with what leads there."""
        step = self.step_to(neighbours)
        return replace(found, basis=step | found.basis) if step.theorems else found

    def between_contents(self, people: int, neighbours: Neighbours | None) -> Promise:
        """One step for each person who is replaced; two, if records come and go, but one for this person's own coming.

        Whoever sends a noisy record of their own adds one release. What has no rule for groups goes by its curve.
        """
        added, relation = self.neighbours is Neighbours.ADD_REMOVE, self.relation(neighbours)
        if not added or relation is Neighbours.LOCAL:
            stated = self.under(relation)
            return (
                stated.added_up(people).mixed() if relation is Neighbours.LOCAL else stated._in_steps(people, relation)
            )
        return self._in_steps(2 * people - (relation is Neighbours.ADD_REMOVE), relation)

    def _in_steps(self, number: int, relation: Neighbours) -> Promise:
        """What is left after so many steps, as mixtures keep it."""
        try:
            return self.group(number).restated(neighbours=relation).mixed()
        except NotImplied:
            curve = self._curve()
            basis = curve.basis | self.step_to(relation) | Basis.of("groups-by-steps")
            return replace(curve, face=curves.chained([(curve.face,)] * number), order=Order.PROFILE, basis=basis)

    @property
    def composition_basis(self) -> Basis:
        """The rule by which two of these guarantees compose."""
        return guarantees.compose(self, self).basis

    @property
    def is_stated(self) -> bool:
        """True: the profile of a guarantee is in closed form."""
        return True

    def has_concave_power(self, face: Face) -> bool:
        """Whether mixing and processing keep the guarantee."""
        return self.properties.convex.known is self.properties.post_processing.known is Known.YES

    def knows_tail(self, neighbours: Neighbours | None = None) -> bool:
        """True: a guarantee bounds the tail by more than its curve."""
        return True

    def mixed(self, neighbours: Neighbours | None = None) -> Promise:
        """The guarantee itself where mixing keeps it, else its curve as a bound on the profile."""
        kept = self.properties.convex.known is Known.YES
        return self.under(neighbours) if kept else super().mixed(neighbours)

    def beyond(self, losses: ArrayLike, *, sides: int = 1, neighbours: Neighbours | None = None) -> Finding:
        """The best bound on P[Z > t] at each loss t, or with `sides=2` on P[Z > t] + P[Z < -t]."""
        stated = self.under(neighbours)
        return self._by_step(stated._tail(losses) if sides == 1 else stated._two_sided_tail(losses), neighbours)

    def chances_beyond(self, losses: Array, *, sides: int = 1, neighbours: Neighbours | None = None) -> Array:
        """The numbers of `beyond`, without a finding around them."""
        stated = self.under(neighbours)
        return _probability_up((stated._log_tail if sides == 1 else stated._log_two_sided_tail)(losses)[0])

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta that is guaranteed at each epsilon."""
        return self._by_step(self.under(neighbours)._delta(epsilons), neighbours)

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon that is guaranteed at each delta."""
        return self._by_step(self.under(neighbours)._epsilon(deltas), neighbours)

    def bounded_delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta of pbdp at each epsilon: the tail of the loss, made proof against processing."""
        return self._by_step(self.under(neighbours)._bounded_delta(epsilons), neighbours)

    def tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] that the privacy loss exceeds each threshold t."""
        return self._by_step(self.under(neighbours)._tail(losses), neighbours)

    def lower_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z < -t] that the privacy loss falls below minus each threshold t >= 0."""
        stated = self.under(neighbours)
        found = stated._bound(LOWER_TAIL, losses, *stated._log_lower_tail(questions.thresholds(losses)))
        return self._by_step(found, neighbours)

    def two_sided_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] + P[Z < -t] that the privacy loss is beyond each threshold t >= 0 on either side."""
        return self._by_step(self.under(neighbours)._two_sided_tail(losses), neighbours)

    def _delta(self, epsilons: ArrayLike) -> Finding:
        return questions.delta(self, epsilons)

    def _epsilon(self, deltas: ArrayLike) -> Finding:
        return questions.epsilon(self, deltas)

    def _bounded_delta(self, epsilons: ArrayLike) -> Finding:
        return questions.bounded_delta(self, epsilons)

    def _tail(self, losses: ArrayLike) -> Finding:
        return self._bound(TAIL, losses, *self._log_tail(real_array("losses", losses, questions.LOSSES_WAY_OUT)))

    def _two_sided_tail(self, losses: ArrayLike) -> Finding:
        return self._bound(TWO_SIDED_TAIL, losses, *self._log_two_sided_tail(questions.thresholds(losses)))

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        """Log of an upper bound on P[Z > t], and what it rests on."""
        curve = self._curve()
        if curve.order is Order.LOSS and isinstance(curve.face, LossDistribution):
            bound = curve.face.log_tail(t).maximum(curve.face.reverse().log_tail(t)).upper
            return bound, curve.basis | Basis.of("loss-tail")
        bounds = [_log_tail_bound(face, t) for face in {curve.face, curve.face.reverse()}]
        return np.max(bounds, axis=0), curve.basis | Basis.of("tail-from-profile")

    def _log_lower_tail(self, t: Array) -> tuple[Array, Basis]:
        """Log of an upper bound on P[Z < -t] for t >= 0, and what it rests on."""
        log_tail, basis = self._log_tail(t)
        return _far_side(log_tail, t), basis | Basis.of("far-side")

    def _log_two_sided_tail(self, t: Array) -> tuple[Array, Basis]:
        """Log of an upper bound on P[Z > t] + P[Z < -t] for t >= 0, and what it rests on."""
        near, basis = self._log_tail(t)
        both = Bracket.exact(np.minimum(near, 0.0)).log_sum(Bracket.exact(_far_side(near, t)))
        return both.upper, basis | Basis.of("far-side")

    def _bound(self, quantity: Quantity, losses: ArrayLike, log_bound: Array, basis: Basis) -> Finding:
        """An upper bound on a probability, from its log."""
        inputs = {"promise": self, "neighbours": self.neighbours.name, "losses": echo(losses)}
        return Finding(quantity, _probability_up(log_bound), Direction.AT_MOST, inputs, basis)

    def restated(self, **changes: object) -> Self:
        """This guarantee with some of its parameters changed, by the names that it is built with."""
        require_held_together(changes, self.parameters)
        return type(self)(**{**self.parameters, **changes})

    def stated_under(self, neighbours: Neighbours | None = None) -> dict[str, Any]:
        """The parameters under a relation, by the names that the guarantee is built with."""
        return self.under(neighbours).parameters

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by the names that the guarantee is built with; the relation between datasets is last."""
        named = {each.name.removeprefix("stated_"): getattr(self, each.name) for each in fields(self) if each.init}
        return {**{name: value for name, value in named.items() if name != "neighbours"}, "neighbours": self.neighbours}

    def to_dict(self) -> dict[str, Any]:
        """The guarantee as a plain tree: its kind, and its parameters by name."""
        return {"kind": type(self).__name__, **self.parameters}

    def __repr__(self) -> str:
        """The expression that builds the guarantee."""
        named = self.parameters
        if self.neighbours is Neighbours.ADD_REMOVE:
            del named["neighbours"]
        return f"{type(self).__name__}({', '.join(f'{name}={_shown(value)}' for name, value in named.items())})"


def capped(answer: Finding, points: ArrayLike, start: float, cap: float) -> Finding:
    """The answer, cut at what is stated from a point on: rounding does not show there."""
    stated = np.asarray(points, dtype=np.float64) >= start
    return replace(answer, value=np.where(stated, np.minimum(answer.value, cap), answer.value))


def group_size(size: object) -> int:
    """How many records a group has: a whole number of at least 1."""
    return count("size", size, _GROUP)


def _probability_up(log_bound: Array) -> Array:
    """The probability by the log of a bound on it."""
    return np.minimum(exp_up(np.minimum(log_bound, 0.0)), 1.0)


def _log_tail_bound(face: Face, t: Array) -> Array:
    """Log of the bound on P[Z > t] by the profile: 0 where the profile at t is 0, since then no loss exceeds t."""
    return np.where(np.isneginf(face.log_delta(t).upper), -np.inf, log_tail_bound(face, t))


def _far_side(log_tail: Array, t: Array) -> Array:
    """Log of the bound on P[Z < -t] by the one on P[Z > t] in the other order: it is e^t times as small."""
    return np.minimum(add_up(np.minimum(log_tail, 0.0), -t), 0.0)


def _shown(value: object) -> str:
    return repr(dict(value)) if isinstance(value, Mapping) else repr(value)


def kinds() -> Iterator[type[Guarantee]]:
    """The classes that declare their `parameter`, each loaded when it is reached.

    >>> [kind.parameter.kind for kind in kinds()]
    ['epsilon', 'epsilon-delta', 'rho', 'mu', 'bounded-range']
    """
    names = ("PureDP", "ApproxDP", "ZeroConcentratedDP", "GaussianDP", "BoundedRange")
    return (getattr(guarantees, name) for name in names)
