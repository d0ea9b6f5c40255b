"""What every mechanism has in common: a loss between neighbours, the questions that can be put to it, and its error.

`mechanism.epsilon(deltas)` is a question. So the epsilon that a mechanism was built with is kept as `stated_epsilon`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Curve, LossDistribution, lower_tail, two_sided_tail
from whit.errors import NotImplied
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Interval, Quantity, Unit

NOISE_DEVIATION = Quantity("standard deviation of the noise", Unit.NUMBER)
NOISE_ERROR = Quantity("error that the noise keeps within", Unit.NUMBER)
NOISE_TAIL = Quantity("probability that the noise is at least the threshold", Unit.PROBABILITY)
EXACT_ANSWER = Quantity("probability of the exact answer", Unit.PROBABILITY)

_NO_NUMBER = "Ask a mechanism that adds noise to a number, such as Laplace or Geometric."


class Release(ABC):
    """A release by the law of its output; a value that is valid or not built at all."""

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations between datasets under which the loss is known; the first one is taken if none is named."""
        return (Neighbours.ADD_REMOVE, Neighbours.REPLACE, Neighbours.LOCAL)

    @property
    @abstractmethod
    def basis(self) -> Basis:
        """The theorems that give the law of the loss."""

    @abstractmethod
    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        """The exact loss under one of the relations."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Draws for simulation. Not for release: noise made of floating-point numbers gives the data away."""

    def loss(self, neighbours: Neighbours | None = None) -> LossDistribution:
        """The exact law of the privacy loss between the neighbours that are easiest to tell apart."""
        return self._loss(self.relation(neighbours))

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The exact curve between the neighbours that are easiest to tell apart."""
        curve = Curve.exact(self.loss(neighbours))
        return replace(curve, basis=self.basis | curve.basis)

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours:
        """The relation asked for, or the first one known; refuses one under which the loss is not known."""
        if neighbours is None:
            return self.relations[0]
        way_out = f"Use one of {', '.join(map(repr, self.relations))}."
        if Neighbours.checked(neighbours, way_out=way_out) not in self.relations:
            rule = f"is not known under {neighbours!r}"
            raise NotImplied("the privacy loss", rule, self, way_out)
        return neighbours

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
        """The smallest delta at each epsilon."""
        return self._own(self.curve(neighbours).delta(epsilons), neighbours)

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
        """The smallest epsilon at each delta."""
        return self._own(self.curve(neighbours).epsilon(deltas), neighbours)

    def power(self, levels: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
        """The largest power of a test of one dataset against the other, at each level (false-positive rate)."""
        return self._own(self.curve(neighbours).power(levels), neighbours)

    def log_power(self, log_levels: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
        """Log of the largest power, at each log of a level."""
        return self._own(self.curve(neighbours).log_power(log_levels), neighbours)

    def tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
        """The probability P[Z > t] that the privacy loss exceeds each threshold t."""
        return self._own(self.curve(neighbours).tail(losses), neighbours)

    def lower_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
        """The probability P[Z < -t] that the privacy loss falls below minus each threshold t >= 0."""
        return self._own(lower_tail(self.curve(neighbours), losses), neighbours)

    def two_sided_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding | Interval:
        """The probability P[Z > t] + P[Z < -t] that the privacy loss is beyond each threshold t >= 0 on either side."""
        return self._own(two_sided_tail(self.curve(neighbours), losses), neighbours)

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise; refused where the answer is not a number with noise added to it."""
        raise self._no_number("the standard deviation of the noise")

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability; refused where there is no added noise."""
        raise self._no_number("a quantile of the error")

    def probability_of_exact_answer(self) -> Finding:
        """The probability that the exact answer comes out; refused where there is none."""
        raise self._no_number("the probability of the exact answer")

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """The probability P[noise >= x] at each threshold x; by symmetry also P[noise <= -x]."""
        raise self._no_number("the tail of the noise")

    def _no_number(self, name: str) -> NotImplied:
        return NotImplied(name, "is not defined for a mechanism that adds no noise to a number", self, _NO_NUMBER)

    def _own(self, answer: Finding | Interval, neighbours: Neighbours | None) -> Finding | Interval:
        """The answer of the curve, with this mechanism in the place of the curve among its inputs."""
        relation = self.relation(neighbours)
        if isinstance(answer, Finding):
            return self._signed(answer, relation)
        return Interval(*(self._signed(part, relation) for part in (answer.lower, answer.mid, answer.upper)))

    def _signed(self, finding: Finding, relation: Neighbours) -> Finding:
        inputs = {name: tree for name, tree in finding.inputs.items() if name != "curve"}
        return replace(finding, inputs={"promise": repr(self), "neighbours": relation.name, **inputs})

    def _told(
        self,
        quantity: Quantity,
        value: ArrayLike,
        key: str,
        *,
        slack: float = 0.0,
        direction: Direction = Direction.EXACTLY,
        inputs: Mapping[str, Any] | None = None,
    ) -> Finding:
        """A finding about the noise, by one theorem."""
        basis = Basis(theorems=(key,), slack=slack)
        values = np.asarray(value, dtype=np.float64)
        return Finding(quantity, values, direction, {"promise": repr(self), **(inputs or {})}, basis)

    def _keep(self, **values: object) -> None:
        """Put validated values into the frozen fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)
