"""What can be asked of a pair of distributions, whichever face it shows; and in which order a bound dominates.

Throughout, P is the law of the output on one dataset and Q that on its neighbour, Z = log P/Q is the privacy loss
and D(t) = E_P[(1 - e^{t-Z})+] the privacy profile. Everything is answered in log scale as a Bracket
(lower, mid, upper), so that numbers such as 1e-500 keep their digits and rounding errors stay on record.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit import curves
from whit.numerics import ULP, Bracket, add_up, first_true, log1mexp


class Order(Enum):
    """What a bound on a curve is a bound on.

    PROFILE   delta(epsilon) and the trade-off function are bounded; tails of the loss are not
    LOSS      the loss itself is bounded in law (losses rounded up), and with it the profile
    """

    PROFILE = "profile"
    LOSS = "loss"

    def __and__(self, other: Order) -> Order:
        """What is left when two curves are used together: the weaker of the two."""
        return Order.LOSS if self is other is Order.LOSS else Order.PROFILE


class Orientation(Enum):
    """Which of the two datasets is taken as the truth."""

    FORWARD = "forward"
    BACKWARD = "backward"
    WORST = "the worse of the two"


Array: TypeAlias = NDArray[np.float64]

# How far below the loss t the profile is read: any distance gives a bound, so the grid costs tightness, never truth.
WIDEST = np.exp(np.linspace(np.log(1e-9), np.log(800.0), 120))
STEP = np.log(WIDEST[1] / WIDEST[0])
POINTS = 31
ZOOMS = 3
# A dear profile is read at the nearest of these at once, and farther off at so many at a time.
AT_ONCE = 80
AT_A_TIME = 8
# The log of a probability that is known from above only is below this, unless its integral was too dear.
FAINT = -100.0
# Where a dear profile could lower the log of a bound by no more than this, it is not asked.
UNSEEN = 1e-5

# Below this log of a level, 1e-43429, a search for a threshold stops: the power is bounded by what it is there.
SMALLEST_LOG_LEVEL = -1e5


class Face(ABC):
    """One ordered pair (P, Q), known well enough to answer for its profile and its trade-off function."""

    is_one_pair: ClassVar[bool] = False
    """Whether it is the face of a single pair, whose power is concave in the level."""

    is_dear: ClassVar[bool] = False
    """Whether each power is searched for by a transform, so that three powers cost three times as much as one."""

    is_from_above: ClassVar[bool] = False
    """Whether it is a profile from above only: nothing is known from below, and no transform is."""

    is_of_many: ClassVar[bool] = False
    """Whether it bounds every release with a promise, so that its last digits say nothing of any one of them."""

    is_of_any_time: ClassVar[bool] = False
    """Whether its tails are those of the loss at any time on the way, and not at the end only."""

    tail_tolerance: ClassVar[float] = 1e-12
    """How closely it is worth to look for a threshold of its tail, relative to it."""

    @property
    def largest_loss(self) -> float:
        """No finite loss is above; infinite where no such bound is known without a search."""
        return np.inf

    @property
    def is_endless(self) -> bool:
        """Whether it is known without a search that no loss is the largest."""
        return False

    @property
    def is_told_by_profile(self) -> bool:
        """Whether the bound on the power gives no smaller profile than the one that is stated."""
        return False

    @abstractmethod
    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile D at each epsilon (any real number)."""

    @abstractmethod
    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the largest power of a test of Q against P, at each log of a level."""

    @abstractmethod
    def reverse(self) -> Face:
        """The pair in the other order (Q, P); this very object where the pair is symmetric."""

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta; infinite where there is none."""
        wanted = np.asarray(log_deltas, dtype=np.float64)

        def ends(eps: Array) -> Array:
            """The lower end of the profile in the first row, the middle in the second, the upper end in the third."""
            bracket, rows = self.log_delta(eps), eps.ndim - wanted.ndim - 1  # many points at once come before the rows
            ends = bracket.ends
            return np.stack([end.take(row, axis=rows) for row, end in enumerate(ends)], axis=rows)

        lower, middle, upper = smallest_epsilon(ends, np.stack([wanted] * 3))
        # Each is the first double that is found to do: rounding may let the lower one be the next after the upper one.
        return Bracket(np.minimum(lower, upper), middle, upper)

    def log_level(self, log_powers: ArrayLike) -> Bracket:
        """Log of the smallest level at which the power reaches each power, by its log; -inf where level 0 does."""
        return curves.searched_level(self, np.minimum(np.asarray(log_powers, dtype=np.float64), 0.0))

    def log_crossing(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest power that is at least e^epsilon times its level, at each epsilon."""
        return curves.searched_crossing(self, np.asarray(epsilons, dtype=np.float64))

    def renyi(self, excesses: Array) -> Bracket:
        """The Rényi divergence of order 1 + s, at each excess s > 0; at infinity the largest loss."""
        return curves.renyi_of_loss(self, excesses)

    @property
    def thrifty(self) -> Face:
        """This face, but where a probability is next to nothing it may be known from above only, if more were dear."""
        return self

    @property
    def rough(self) -> Face:
        """This face, as far as it is known without anything dear: its ends may lie farther apart."""
        return self

    @property
    def closest(self) -> Face:
        """This face, as closely as it is known: asked about delta and epsilon themselves."""
        return self

    def log_advantage(self) -> Bracket:
        """Log of the largest power minus level: the profile at 0, where no more is known."""
        return self.log_delta(0.0)

    def quantile(self, chances: Array) -> Array | None:
        """About the loss that is exceeded with each chance above 0, where that is in closed form."""
        return None

    def best_start(self, losses: Array) -> Array:
        """About the e < t at which D(e)/(1 - e^{e-t}) is smallest, where it is in reach without a search; else nan."""
        return np.full(losses.shape, np.nan)


class LossDistribution(Face):
    """A pair whose privacy loss is known in law: it answers for tails as well as for the profile.

    theorems   keys of what gives the law of the loss, for the basis of a curve
    """

    is_one_pair: ClassVar[bool] = True
    theorems: ClassVar[tuple[str, ...]] = ("hockey-stick",)

    @property
    def pairs(self) -> tuple[LossDistribution, ...]:
        """The single pairs, any of which may be the true one: this one alone, unless there are several."""
        return (self,)

    @property
    def mean_theorem(self) -> str:
        """Key of the theorem by which `mean_ratio` is known; empty where it is not."""
        return ""

    def mean_ratio(self, prior: float) -> tuple[float, float]:
        """The mean of the posterior over the prior, E[1/(p + (1 - p) e^-Z)], from below and above."""
        raise NotImplementedError

    @property
    @abstractmethod
    def log_infinity(self) -> float:
        """Log of the probability under P that the loss is infinite."""

    @abstractmethod
    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t] at each loss t."""

    @abstractmethod
    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t] at each loss t."""

    def log_cdf(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z <= t] at each loss t."""
        tail = self.log_tail(losses)
        return Bracket(log1mexp(tail.upper), log1mexp(tail.mid), log1mexp(tail.lower))

    def log_below(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z < -t] at each t >= 0: what P[Z >= -t] leaves, and at most e^-t times the other order beyond t."""
        t = np.asarray(losses, dtype=np.float64)
        rest = self.log_tail_closed(-t)
        ends = [log1mexp(np.minimum(end, 0.0)) for end in (rest.upper, rest.mid, rest.lower)]
        # log1mexp is good to a few units in the last place, of its own size and of 1.
        hair = [8 * ULP * (1 + np.abs(np.where(np.isfinite(end), end, 0.0))) for end in ends]
        most = add_up(self.reverse().log_tail(t).upper, -t)
        own = (ends[0] - hair[0], ends[1], ends[2] + hair[2])
        return Bracket(*(np.minimum(end, np.minimum(most, 0.0)) for end in own))

    @abstractmethod
    def reverse(self) -> LossDistribution:
        """The pair in the other order (Q, P)."""


@dataclass(frozen=True)
class WorstLoss(LossDistribution):
    """Several losses, any of which may be the true one: each answer is the largest of theirs."""

    is_one_pair: ClassVar[bool] = False

    parts: tuple[LossDistribution, ...]

    @classmethod
    def of(cls, pairs: Sequence[LossDistribution]) -> WorstLoss:
        """The worst of these pairs, each taken both ways."""
        return cls(tuple(loss for pair in pairs for loss in (pair, pair.reverse())))

    @property
    def pairs(self) -> tuple[LossDistribution, ...]:
        """All of them."""
        return self.parts

    @property
    def log_infinity(self) -> float:
        """Log of the largest probability of an infinite loss."""
        return max(part.log_infinity for part in self.parts)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest profile."""
        return self._largest(lambda part: part.log_delta(epsilons))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of the largest P[Z > t]."""
        return self._largest(lambda part: part.log_tail(losses))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of the largest P[Z >= t]."""
        return self._largest(lambda part: part.log_tail_closed(losses))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the largest power."""
        return self._largest(lambda part: part.log_power(log_levels))

    def renyi(self, excesses: Array) -> Bracket:
        """The largest divergence."""
        return self._largest(lambda part: part.renyi(excesses))

    def reverse(self) -> WorstLoss:
        """This loss: it holds every pair both ways."""
        return self

    def _largest(self, ask: Callable[[LossDistribution], Bracket]) -> Bracket:
        return reduce(lambda a, b: a.maximum(b), map(ask, self.parts))


def smallest_epsilon(log_delta: Callable[[Array], Array], wanted: Array) -> Array:
    """The smallest epsilon >= 0 at which a falling profile is at most each delta, by its log; infinite if none is."""
    least = log_delta(np.full(wanted.shape, np.inf))
    reachable = least <= wanted
    # Where no epsilon is enough, search for a delta that every epsilon meets and overwrite the answer.
    target = np.where(reachable, wanted, 0.0)
    # The log of a delta is rounded, so it is aimed a hair lower; but what no epsilon goes below is enough as it stands.
    aim = target - 4 * ULP * np.where(np.isfinite(target), np.abs(target), 0.0)

    def enough(eps: Array) -> NDArray[np.bool_]:
        value = log_delta(eps)
        return np.asarray((value <= aim) | ((value <= target) & (value <= least)))

    found = first_true(enough, np.zeros(wanted.shape), np.full(wanted.shape, np.inf))
    return np.where(reachable, found, np.inf)


def log_tail_bound(face: Face, losses: ArrayLike) -> Array:
    """Log of the smallest D(e)/(1 - e^{e-t}) over e < t: an upper bound on P[Z >= t] from an upper bound on D."""
    t = np.asarray(losses, dtype=np.float64)
    least = np.array(np.where(t > 0.0, face.log_delta(np.inf).upper, 0.0))
    finite = np.isfinite(t)
    if not finite.any():
        return least
    start = face.best_start(t)
    known = finite & np.isfinite(start)
    if known.any():
        least[known] = np.minimum(_bounds(face, t[known], (t - start)[known][..., None])[1, ..., 0], 0.0)
    asked = np.asarray(finite & ~known)
    if asked.any() and face.rough is not face:
        below, above = _smallest_bounds(face.rough, t[asked])
        least[asked], asked[asked] = above, ~(below >= above - UNSEEN)
    if asked.any():
        least[asked] = _smallest_bounds(face, t[asked])[1]
    return least


def _smallest_bounds(face: Face, t: Array) -> Array:
    """The smallest of the bounds at many distances below each t, by both ends of the profile: the second is proved."""
    distances = np.broadcast_to(WIDEST, (*t.shape, len(WIDEST)))
    step = float(STEP)
    # Far out, where the distances above vanish beside t, half of it will do.
    least = np.minimum(_bounds(face, t, np.maximum(t, 1.0)[..., None] / 2)[..., 0], 0.0)
    for zoom in range(ZOOMS + 1):
        bounds = _bounds(face, t, distances) if zoom else _step_by_step(face, t)
        least = np.minimum(least, bounds.min(axis=-1))
        best = np.take_along_axis(distances, bounds[1].argmin(axis=-1)[..., None], axis=-1)
        distances = best * np.exp(np.linspace(-step, step, POINTS))
        step *= 2 / (POINTS - 1)
    return least


def _step_by_step(face: Face, t: Array) -> Array:
    """The bounds at the widest distances; of a dear profile only up to where none farther off can be smaller.

    A bound is at least the profile at its place, which grows with the distance below t.
    """
    distances = np.broadcast_to(WIDEST, (*t.shape, len(WIDEST)))
    if not face.is_dear:
        return _bounds(face, t, distances)
    found = np.full((2, *distances.shape), np.inf)
    for first in (0, *range(AT_ONCE, len(WIDEST), AT_A_TIME)):
        part = slice(first, first + AT_A_TIME if first else AT_ONCE)
        found[..., part] = _bounds(face, t, distances[..., part])
        last = distances[..., part][..., -1]
        # The quotient at the last distance times its divisor is the profile there, up to the rounding that was added.
        if np.all(found[0][..., part][..., -1] + log1mexp(-last) - UNSEEN >= found[1].min(axis=-1)):
            break
    # Where an integral was too dear on the way, one for all distances together may not be.
    too_dear = np.isneginf(found[0]) & (found[1] > FAINT) & np.isfinite(found[1])
    return _bounds(face, t, distances) if np.any(too_dear) else found


def _bounds(face: Face, t: Array, distances: Array) -> Array:
    """The bound at each distance below each t, by the lower and by the upper end of the profile."""
    start = t[..., None] - distances
    # The distance that the subtraction left, not the one asked for: then the quotient is a bound as it stands.
    gap = np.maximum(t[..., None] - start, 0.0)
    log_mass = log1mexp(-gap)
    nothing, profile = np.isneginf(log_mass), face.log_delta(start)
    ends = np.stack([profile.lower, profile.upper])
    quotient = np.where(nothing, np.inf, ends - np.where(nothing, 0.0, log_mass))
    return np.asarray(quotient + ULP * (16 + 2 * np.abs(np.where(np.isfinite(quotient), quotient, 0.0))))
