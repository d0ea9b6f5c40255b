"""One of several candidates by their scores: exponential mechanism, permute-and-flip, report noisy max.

Each adds noise to every score and reports the candidate that comes first; the noise is what tells them apart.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import (
    LARGEST_LOSS,
    Array,
    Curve,
    Face,
    LaplaceLoss,
    LogisticPair,
    LossDistribution,
    Order,
    Promise,
    identical,
)
from whit.errors import NotImplied, require
from whit.guarantees import BoundedRange
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import drawn
from whit.numerics import finite_nonnegative, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Finding

_EPSILON = "Use a number such as 1; a score counts by epsilon/2 for each sensitivity that it has."
_SCORES = "Give the score of each candidate, in units of the sensitivity, such as [3.0, 5.0]."
_MONOTONE = "Use True if a record moves all scores the same way, as it does with counts under add/remove."


@dataclass(frozen=True, init=False, repr=False)
class Selection(Mechanism):
    """One of several candidates, where a record moves each score by at most its sensitivity.

    epsilon      a score counts by epsilon/2 for each sensitivity: the noise has the scale 2/epsilon
    monotone     whether a record moves all scores the same way; then half of epsilon is all that can be lost
    neighbours   the relation between datasets that the sensitivity is about

    Which scores there are is not known, so that what is said is a bound over all of them.
    """

    over_all_data = True
    details = (
        Detail("monotone", "", "A record moves all scores, or all answers, the same way.", Written.YES_NO),
        Detail("neighbours", "WORD", "The relation that the sensitivity is about.", Written.NEIGHBOURS),
    )

    stated_epsilon: float
    monotone: bool
    neighbours: Neighbours

    def __init__(
        self, epsilon: float, *, monotone: bool = False, neighbours: Neighbours = Neighbours.ADD_REMOVE
    ) -> None:
        known = isinstance(monotone, bool)
        require(known, name="monotone", rule="must be True or False", value=monotone, way_out=_MONOTONE)
        self._keep(
            stated_epsilon=finite_nonnegative("epsilon", epsilon, _EPSILON),
            monotone=monotone,
            neighbours=Neighbours.checked(neighbours),
        )

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The one relation that the sensitivity of the scores is about."""
        return (self.neighbours,)

    @property
    def spread(self) -> float:
        """By how much two scores can move against each other, times what they count by."""
        return self.stated_epsilon / 2 if self.monotone else self.stated_epsilon

    @abstractmethod
    def _face(self) -> Face:
        """The pair that dominates the release, for a spread above 0."""

    @abstractmethod
    def _noise(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """The noise of scores that count by 1."""

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the pair that dominates the release, whatever the scores are: an upper bound."""
        self.relation(neighbours)
        face = self._face() if self.spread > 0.0 else identical()
        return Curve(face, Direction.AT_MOST, Order.PROFILE, self.basis)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        rule = "depends on scores that are not known"
        raise NotImplied("the loss of a selection", rule, self, "Use curve(), which bounds it for all scores.")

    @property
    def is_exact(self) -> bool:
        """False: what is known is a bound over all scores."""
        return False

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The spread: by no more than that do the odds of any candidate change."""
        self.relation(neighbours)
        return Finding(LARGEST_LOSS, self.spread, Direction.AT_MOST, {"promise": self}, self.basis)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, scores: ArrayLike = (0.0, 0.0)
    ) -> NDArray[np.int64]:
        """Places of the candidates selected, for simulation; not for release."""
        known = real_array("scores", scores, _SCORES)
        listed = known.ndim == 1 and known.size > 0 and bool(np.all(np.isfinite(known)))
        require(listed, name="scores", rule="must be a list of finite numbers", value=scores, way_out=_SCORES)
        noise = self._noise(rng, (*drawn(size), len(known)))
        return np.asarray(np.argmax(known * (self.stated_epsilon / 2) + noise, axis=-1))

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        more = [f"monotone={self.monotone!r}"] if self.monotone else []
        related = [] if self.neighbours is Neighbours.ADD_REMOVE else [f"neighbours={self.neighbours!r}"]
        return f"{type(self).__name__}({', '.join([f'epsilon={self.stated_epsilon!r}', *more, *related])})"


@dataclass(frozen=True, init=False, repr=False)
class ExponentialMechanism(Selection):
    """Each candidate with a probability in proportion to e^{epsilon score/2}: the noise is that of Gumbel.

    >>> print(ExponentialMechanism(1.0).power(0.05))
    power of the best test is at most 12.6 %
    """

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "exponential_mechanism",
        "EPSILON",
        "One of several candidates by the exponential mechanism with this epsilon.",
        rising=True,
        bounded=True,
    )

    basis = Basis.of("exponential-mechanism", "bounded-range-profile")
    """Its range, and the worst case of it."""

    def _face(self) -> LogisticPair:
        return LogisticPair(self.spread)

    def _noise(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return rng.gumbel(size=shape)

    @property
    def kept(self) -> BoundedRange:
        """The range of its losses."""
        return BoundedRange(self.spread, neighbours=self.neighbours)

    def covered(self, neighbours: Neighbours | None = None, *, sides: int = 1) -> tuple[Promise, ...]:
        """The range, which holds for everybody."""
        self.relation(neighbours)
        return (self.kept,)

    def probabilities(self, scores: Sequence[float]) -> Array:
        """The probability of each candidate, by its score in units of the sensitivity."""
        known = real_array("scores", scores, _SCORES) * (self.stated_epsilon / 2)
        weights = np.exp(known - np.max(known))
        return np.asarray(weights / np.sum(weights))


@dataclass(frozen=True, init=False, repr=False)
class NoisyMaximum(Selection):
    """A selection by noise whose hazard rate is at most 1: as between two Laplace variables, epsilon apart."""

    basis = Basis.of("noisy-maximum")
    """The power of a test of the maximum."""

    def _face(self) -> LaplaceLoss:
        return LaplaceLoss(self.spread)


@dataclass(frozen=True, init=False, repr=False)
class PermuteAndFlip(NoisyMaximum):
    """Candidates in random order, each accepted with the probability e^{epsilon (score - best)/2}.

    It is report noisy max with exponential noise. Its losses need not lie within a range of epsilon.

    >>> print(PermuteAndFlip(1.0).power(0.05))
    power of the best test is at most 13.6 %
    """

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "permute_and_flip",
        "EPSILON",
        "One of several candidates by permute-and-flip with this epsilon.",
        rising=True,
        bounded=True,
    )

    def _noise(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return rng.exponential(size=shape)


@dataclass(frozen=True, init=False, repr=False)
class ReportNoisyMax(NoisyMaximum):
    """The candidate with the largest score after Laplace noise of the scale 2/epsilon.

    >>> print(ReportNoisyMax(2.0, monotone=True).delta(0.5))
    delta is at most 0.222
    """

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "noisy_max",
        "EPSILON",
        "One of several candidates by report noisy max, with Laplace noise and this epsilon.",
        rising=True,
        bounded=True,
    )

    def _noise(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return rng.laplace(size=shape)
