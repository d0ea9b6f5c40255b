"""One report among many others that are shuffled: an upper bound on the profile of what it still reveals.

Each other report is a clone with some probability: a fair coin, which falls to the one side or the other of the report
that is asked about. That report itself falls to its own side with odds e^epsilon. Of C clones A fall to one side, and
what is seen is the number on each side, a and b. The loss is log((e^epsilon a + b)/(e^epsilon b + a)), and so

    a > (1 + u)(C + 1)/2 with u = tanh(t/2)/tanh(epsilon/2)

is where it is above t. More clones never tell more: a fair coin can be added to what is seen by anybody. So numbers of
clones are put together, each group counted as its smallest number, and probabilities are rounded up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves.face import Array
from whit.curves.finite import FinitePair
from whit.curves.profile import ChordProfile, mirrored
from whit.numerics import ULP, Bracket, distinct, up

# The number of clones is followed so many deviations below its middle and above it, and some numbers more.
BELOW, ABOVE, MORE = 17.0, 7.0, 60
# The coins are followed as many deviations above their middle: to a probability of 1e-147.
FAR = 26.0
# At most about so many probabilities are tabled, for at least and at most so many numbers of clones.
CELLS = 2**22
FEWEST, MOST = 16, 1024
# The chords of the profile have so many knots for each deviation of the loss, up to so many; then a few more.
FINE, NEAR, MORE_KNOTS = 20, 14, 40
# The lowest line for a level is looked for around the best knot, ever closer.
ZOOMS, AROUND = 8, np.linspace(-1.0, 1.0, 33)


@dataclass(frozen=True)
class Clones:
    """The profile of a report among others.

    loss     the largest loss of one report by itself, above 0
    others   how many other reports there are
    share    the probability that another report is a clone, or less
    """

    loss: float
    others: int
    share: float

    def log_delta(self, epsilons: Array) -> Array:
        """Log of an upper bound on the profile, at each epsilon of at least 0."""
        t = np.minimum(epsilons.ravel(), self.loss)
        rows = max(1, CELLS // (4 * len(self._numbers)))
        sums = [self._delta(t[start : start + rows]) for start in range(0, len(t), rows)]
        with np.errstate(divide="ignore"):
            logs = np.log(np.concatenate([*sums, np.zeros(0)]))
        hair = 4 * ULP * (1 + np.where(np.isfinite(logs), np.abs(logs), 0.0))
        return np.where(epsilons >= self.loss, -np.inf, np.minimum(logs + hair, 0.0).reshape(epsilons.shape))

    def _delta(self, t: Array) -> Array:
        """The bound at some epsilons, as a sum over the groups of numbers of clones."""
        alone = -np.expm1(t - self.loss) / (1 + math.exp(-self.loss))
        # A growth that is too small makes the bound larger.
        growth = np.expm1(np.minimum(t, 600.0))
        ahead = np.tanh(t / 2) / math.tanh(self.loss / 2)
        firsts = np.floor((1 + ahead)[:, None] / 2 * (self._numbers + 1.0)).astype(np.int64)
        # Where rounding decides on which side an outcome lies, the neighbours are tried as well.
        tried = [self._beyond(firsts + shift, alone[:, None], growth[:, None]) for shift in (0, 1, 2)]
        each = np.maximum(np.max(tried, axis=0), 0.0)
        return np.asarray((each @ self._chances + alone * self._rest) * (1 + ULP * (16 + 4 * len(self._numbers))))

    def _beyond(self, first: NDArray[np.int64], alone: Array, growth: Array) -> Array:
        """P - e^t Q of the outcomes from a number on, for each number of clones, rounded up."""
        coins, tails, error = self._coins
        place = first - (self._numbers + 1) // 2
        last = coins.shape[1] - 1
        row = np.arange(len(self._numbers))
        here = coins[row, np.clip(place - 1, 0, last)] * (1 + error)
        beyond = np.where(place <= last, tails[row, np.clip(place, 0, last)], 0.0) * (1 - error)
        return np.asarray(alone * here - growth * beyond)

    @cached_property
    def _window(self) -> tuple[int, Array, float, float]:
        """The first number of clones that is followed, and the chances of all, of more and of fewer, rounded up."""
        n, p, q = self.others, self.share, float(up(1 - self.share))
        if n == 0 or p == 0.0:
            return 0, np.ones(1), 0.0, 0.0
        middle, deviation = min(int((n + 1) * p), n), math.sqrt(n * p * q)
        low = max(0, middle - int(BELOW * deviation) - MORE)
        high = min(n, middle + int(ABOVE * deviation) + MORE)
        rising, falling = np.arange(middle, high, dtype=np.float64), np.arange(middle, low, -1, dtype=np.float64)
        odds = math.log(p) - math.log(q)
        above = np.cumsum(np.log((n - rising) / (rising + 1)) + odds)
        below = np.cumsum(np.log(falling / (n - falling + 1)) - odds)
        weights = np.exp(np.concatenate([below[::-1], [0.0], above]))
        error = 8 * ULP * (8 + len(weights)) * (2 + abs(odds))
        whole = float(np.sum(weights)) * (1 - error)
        # Beyond the ends the weights fall at least as fast as a geometric series.
        fewer = low * q / ((n - low + 1) * p)
        more = (n - high) * p / ((high + 1) * q)
        outside = [float(weights[end]) * r / (1 - r) for end, r in ((0, fewer), (-1, more))]
        chances, left, right = ((1 + error) * np.asarray(each) / whole for each in (weights, *outside))
        return low, chances, float(right), float(left)

    @cached_property
    def _groups(self) -> tuple[NDArray[np.int64], Array]:
        """The smallest number of clones in each group, and the chance of the group."""
        low, chances, more, _ = self._window
        columns = self._columns(low + len(chances))
        width = math.ceil(len(chances) / min(max(CELLS // columns, FEWEST), MOST))
        starts = np.arange(0, len(chances), width)
        sums = np.add.reduceat(chances, starts) * (1 + 2 * ULP * width)
        sums[-1] += more
        return low + starts, sums

    @property
    def _numbers(self) -> NDArray[np.int64]:
        return self._groups[0]

    @property
    def _chances(self) -> Array:
        return self._groups[1]

    @property
    def _rest(self) -> float:
        """The chance that there are fewer clones than any number that is followed: counted as none."""
        return self._window[3]

    def _columns(self, clones: int) -> int:
        """How many outcomes above the middle are tabled."""
        return min(clones // 2, int(FAR * math.sqrt(clones) / 2) + MORE) + 2

    @cached_property
    def _coins(self) -> tuple[Array, Array, float]:
        """The chances of so many heads among the clones, from the middle on, rounded up; their tails, rounded down."""
        c = self._numbers[:, None].astype(np.float64)
        k = (self._numbers[:, None] + 1) // 2 + np.arange(self._columns(int(self._numbers[-1])) - 1)
        steps = np.maximum((c - k) / (k + 1), 0.0)
        weights = np.cumprod(np.concatenate([np.ones(c.shape), steps], axis=1), axis=1)
        sums = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]
        # The middle of an even number is there once, all else on both sides.
        whole = 2 * sums[:, :1] - (c % 2 == 0)
        return weights / whole, sums / whole, ULP * (64 + 8 * weights.shape[1])

    @property
    def knots(self) -> Array:
        """Epsilons from 0 to the largest loss or just beyond it, on a lattice: so their sums are few."""
        deviation = 2 * math.tanh(self.loss / 2) / math.sqrt(1 + self.others * self.share)
        step = min(deviation, self.loss) / FINE
        last = math.ceil(self.loss / step * (1 + 8 * ULP))
        near = np.arange(0.0, min(NEAR * FINE, last))
        far = np.rint(np.geomspace(near[-1], last, MORE_KNOTS))
        return distinct(np.concatenate([near, far])) * step


@dataclass(frozen=True, eq=False, repr=False)
class ClonesProfile(ChordProfile):
    """The profile of a report among clones: as it is where it is asked for, by chords where it is composed."""

    clones: Clones | None = None

    @classmethod
    def among(cls, clones: Clones) -> ClonesProfile:
        """The profile with its chords."""
        logs = clones.log_delta(clones.knots)
        chords = ChordProfile.oriented(clones.knots, logs, clones.knots, logs)
        return cls(chords.forward, chords.backward, clones=clones)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the bound at each epsilon; there is none from below."""
        assert self.clones is not None  # a field with no default may not follow those of the base
        t = np.asarray(epsilons, dtype=np.float64)
        logs = self.clones.log_delta(np.abs(t))
        other = mirrored(np.abs(t), logs)
        hair = 8 * ULP * (1 + np.where(np.isfinite(other), np.abs(other), 0.0))
        return Bracket.exact(np.where(t < 0, np.minimum(other + hair, 0.0), logs))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the lowest line D(t) + e^t level: any t gives a bound, so the search costs tightness, never truth."""
        levels = np.asarray(log_levels, dtype=np.float64)
        inside = np.isfinite(levels) & (levels < 0)
        flat = np.where(inside, levels, -1.0).ravel()[:, None]
        knots = np.append(-self.forward.epsilons[-2:0:-1], self.forward.epsilons[:-1])
        points, width, lowest = knots[None, :], float(np.max(np.diff(knots))), np.zeros(flat.shape)
        for _ in range(ZOOMS):
            lines = np.logaddexp(self.log_delta(points).upper, points + flat)
            lowest = np.minimum(lowest, np.min(lines, axis=1, keepdims=True))
            best = np.take_along_axis(np.broadcast_to(points, lines.shape), lines.argmin(axis=1)[:, None], axis=1)
            points = best + width * AROUND
            width *= AROUND[1] - AROUND[0]
        hair = 8 * ULP * (1 + np.abs(lowest) + np.abs(flat))
        found = np.minimum(lowest + hair, 0.0).reshape(levels.shape)
        return Bracket.exact(np.where(inside, found, np.where(levels >= 0, 0.0, -np.inf)))

    @cached_property
    def finite(self) -> FinitePair:
        """A pair with the profile of the chords, for compositions."""
        return self.pair()

    def reverse(self) -> ClonesProfile:
        """This pair: both sides are alike."""
        return self

    def __repr__(self) -> str:
        """The reports by their number."""
        assert self.clones is not None  # as above
        return f"<ClonesProfile: a report of largest loss {self.clones.loss:g} among {self.clones.others} others>"
