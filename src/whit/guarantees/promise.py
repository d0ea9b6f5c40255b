"""What every guarantee has in common: a curve between neighbours, and the questions that can be put to it.

`promise.delta(epsilons)` and `promise.epsilon(deltas)` are questions. So the parameters that a promise was stated with
are kept under other names, `stated_epsilon` and `stated_delta`: ApproxDP(epsilon=1, delta=1e-6).stated_epsilon is 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import (
    LOWER_TAIL,
    TAIL,
    TWO_SIDED_TAIL,
    Array,
    Curve,
    Face,
    LossDistribution,
    Order,
    log_tail_bound,
    thresholds,
)
from whit.errors import NotImplied, require
from whit.guarantees import bounded_curve
from whit.guarantees.properties import Properties
from whit.numerics import Bracket, add_up, count, real_array
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Interval, Quantity, echo

_LOSSES = "Use numbers such as 0.5 and 1."
_GROUP = "Use the number of records that one group has, such as 2."
_RELATIONS = "Use Neighbours.ADD_REMOVE, Neighbours.REPLACE or Neighbours.LOCAL."
_COPIES = "Use the number of releases, such as 12."


@dataclass(frozen=True, kw_only=True, repr=False)
class Promise(ABC):
    """A guarantee about every pair of neighbours, in both orders; a value that is valid or not built at all."""

    properties: ClassVar[Properties]
    by_divergences: ClassVar[bool] = False
    """Whether it bounds Rényi divergences, which say more of tests than the (epsilon, delta) that follow from them."""

    neighbours: Neighbours = Neighbours.ADD_REMOVE

    def __post_init__(self) -> None:
        """Refuse what is no relation between datasets."""
        _require_relation(self.neighbours)

    @abstractmethod
    def curve(self) -> Curve:
        """A curve that no mechanism with this guarantee exceeds."""

    def composable(self) -> Curve:
        """The curve that stands for this promise among others of another kind; it may be looser than its own."""
        return self.curve()

    @abstractmethod
    def times(self, count: int) -> Self:
        """The promise of so many releases, each with this one; a later release may be chosen by earlier outcomes."""

    @abstractmethod
    def group(self, size: int) -> Self:
        """What is promised to a group of so many records, instead of one."""

    def under(self, neighbours: Neighbours) -> Self:
        """The same promise under another relation between datasets, where it follows.

        Replacing a record is removing one and adding one: a group of two under add/remove. The local relation is that
        of replacing the one record that a person sends.
        """
        _require_relation(neighbours)
        if neighbours is self.neighbours:
            return self
        if self.neighbours is Neighbours.ADD_REMOVE and neighbours is Neighbours.REPLACE:
            return self.group(2).restated(neighbours=neighbours)
        if {self.neighbours, neighbours} == {Neighbours.REPLACE, Neighbours.LOCAL}:
            return self.restated(neighbours=neighbours)
        raise NotImplied(
            f"a promise under {neighbours!r}",
            f"does not follow from one under {self.neighbours!r}",
            self,
            "Ask for the promise that the mechanism itself gives under that relation.",
        )

    def delta(self, epsilons: ArrayLike) -> Finding | Interval:
        """The smallest delta that is promised at each epsilon."""
        return self._own(self.curve().delta(epsilons))

    def epsilon(self, deltas: ArrayLike) -> Finding | Interval:
        """The smallest epsilon that is promised at each delta."""
        return self._own(self.curve().epsilon(deltas))

    def power(self, levels: ArrayLike) -> Finding | Interval:
        """The largest power of a test of one dataset against the other, at each level (false-positive rate)."""
        return self._own(self.curve().power(levels))

    def log_power(self, log_levels: ArrayLike) -> Finding | Interval:
        """Log of the largest power, at each log of a level."""
        return self._own(self.curve().log_power(log_levels))

    def bounded_epsilon(self, deltas: ArrayLike) -> Finding | Interval:
        """The smallest epsilon of pbdp at each delta: no processed output of probability delta raises odds by more."""
        return self._own(bounded_curve.bounded_epsilon(self.curve(), deltas))

    def bounded_delta(self, epsilons: ArrayLike) -> Finding | Interval:
        """The smallest delta of pbdp at each epsilon: the tail of the loss, made proof against processing."""
        return self._own(bounded_curve.bounded_delta(self.curve(), epsilons))

    def tail(self, losses: ArrayLike) -> Finding:
        """The probability P[Z > t] that the privacy loss exceeds each threshold t."""
        return self._finding(TAIL, losses, *self._log_tail(real_array("losses", losses, _LOSSES)))

    def lower_tail(self, losses: ArrayLike) -> Finding:
        """The probability P[Z < -t] that the privacy loss falls below minus each threshold t >= 0."""
        return self._finding(LOWER_TAIL, losses, *self._log_lower_tail(thresholds(losses)))

    def two_sided_tail(self, losses: ArrayLike) -> Finding:
        """The probability P[Z > t] + P[Z < -t] that the privacy loss is beyond each threshold t >= 0 on either side."""
        return self._finding(TWO_SIDED_TAIL, losses, *self._log_two_sided_tail(thresholds(losses)))

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        """Log of an upper bound on P[Z > t], and what it rests on."""
        curve = self.curve()
        if curve.order is Order.LOSS and isinstance(curve.face, LossDistribution):
            bound = curve.face.log_tail(t).maximum(curve.face.reverse().log_tail(t)).upper
            return bound, curve.basis | Basis.of("loss-tail")
        bounds = [_log_tail_bound(face, t) for face in {curve.face, curve.face.reverse()}]
        return np.max(bounds, axis=0), curve.basis | Basis.of("tail-from-profile")

    def _log_lower_tail(self, t: Array) -> tuple[Array, Basis]:
        """Log of an upper bound on P[Z < -t] for t >= 0, and what it rests on."""
        log_tail, basis = self._log_tail(t)
        return add_up(np.minimum(log_tail, 0.0), -t), basis | Basis.of("far-side")

    def _log_two_sided_tail(self, t: Array) -> tuple[Array, Basis]:
        """Log of an upper bound on P[Z > t] + P[Z < -t] for t >= 0, and what it rests on."""
        (near, near_basis), (far, far_basis) = self._log_tail(t), self._log_lower_tail(t)
        both = Bracket.exact(np.minimum(near, 0.0)).log_sum(Bracket.exact(np.minimum(far, 0.0)))
        return both.upper, near_basis | far_basis

    def _finding(self, quantity: Quantity, losses: ArrayLike, log_bound: Array, basis: Basis) -> Finding:
        bound = np.minimum(Bracket.exact(np.minimum(log_bound, 0.0)).exp().upper, 1.0)
        inputs = {"promise": repr(self), "losses": echo(losses)}
        return Finding(quantity, bound, Direction.AT_MOST, inputs, basis)

    def _capped(self, answer: Finding | Interval, points: ArrayLike, start: float, cap: float) -> Finding | Interval:
        """The answer, cut at what the promise states from a point on: rounding does not show there."""
        assert isinstance(answer, Finding)  # the curve of a stated promise is an upper bound
        stated = np.asarray(points, dtype=np.float64) >= start
        return replace(answer, value=np.where(stated, np.minimum(answer.value, cap), answer.value))

    def _own(self, answer: Finding | Interval) -> Finding | Interval:
        """The answer of the curve, with this promise in the place of the curve among its inputs."""
        if isinstance(answer, Finding):
            return self._signed(answer)
        return Interval(self._signed(answer.lower), self._signed(answer.mid), self._signed(answer.upper))

    def _signed(self, finding: Finding) -> Finding:
        inputs = {("promise" if name == "curve" else name): tree for name, tree in finding.inputs.items()}
        return replace(finding, inputs={**inputs, "promise": repr(self)})

    def restated(self, **changes: object) -> Self:
        """The same promise with some of its parameters changed, by the names that it is built with."""
        return type(self)(**{**self.parameters, **changes})

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the promise, by the names that it is built with; the relation between datasets is last."""
        named = {each.name.removeprefix("stated_"): getattr(self, each.name) for each in fields(self) if each.init}
        return {**{name: value for name, value in named.items() if name != "neighbours"}, "neighbours": self.neighbours}

    def __repr__(self) -> str:
        """The expression that builds the promise."""
        named = self.parameters
        if self.neighbours is Neighbours.ADD_REMOVE:
            del named["neighbours"]
        return f"{type(self).__name__}({', '.join(f'{name}={_shown(value)}' for name, value in named.items())})"

    def _keep(self, **values: object) -> None:
        """Put validated values into the frozen fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


def copies(number: object) -> int:
    """How many releases: a whole number of at least 1."""
    return count("count", number, _COPIES)


def group_size(size: object) -> int:
    """How many records a group has: a whole number of at least 1."""
    return count("size", size, _GROUP)


def _require_relation(neighbours: object) -> None:
    known = isinstance(neighbours, Neighbours)
    require(known, name="neighbours", rule="must be a member of Neighbours", value=neighbours, way_out=_RELATIONS)


def _log_tail_bound(face: Face, t: Array) -> Array:
    """Log of the bound on P[Z > t] by the profile: 0 where the profile at t is 0, since then no loss exceeds t."""
    return np.where(np.isneginf(face.log_delta(t).upper), -np.inf, log_tail_bound(face, t))


def _shown(value: object) -> str:
    return repr(dict(value)) if isinstance(value, Mapping) else repr(value)
