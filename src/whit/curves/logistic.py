"""The logistic pair: the shift of a logistic variable by epsilon, which multiplies the odds of every test by e^epsilon.

It is the worst case of a release whose losses lie within a range of epsilon, wherever that range is (theorem
bounded-range-profile). Its profile is (e^{epsilon/2} - e^{t/2})^2 / (e^epsilon - 1) between -epsilon and epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Face
from whit.curves.finite import FinitePair
from whit.curves.profile import ChordProfile, even_knots
from whit.numerics import ULP, Bracket, finite_positive, log1mexp

# Steps of the finite pair from 0 to epsilon.
FEWEST_STEPS = 64
MOST_STEPS = 512
STEPS_A_UNIT = 16


@dataclass(frozen=True)
class LogisticPair(Face):
    """The pair by its profile and its power, in closed form.

    Its loss is not the loss of any release that it bounds: only the profile is a bound, and so it is a face and not a
    loss distribution.
    """

    is_one_pair: ClassVar[bool] = True
    is_of_many: ClassVar[bool] = True

    shift: float

    def __post_init__(self) -> None:
        """Refuse a shift that is not a positive number."""
        way_out = "It is the width of the range of the losses; use a number such as 1."
        object.__setattr__(self, "shift", finite_positive("shift", self.shift, way_out))

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of D(t): (1 - e^{(t - epsilon)/2})^2 / (1 - e^{-epsilon}) in the range, 1 - e^t below it, 0 above."""
        t = np.asarray(epsilons, dtype=np.float64)
        gap = np.minimum(np.clip(t, -self.shift, self.shift) - self.shift, 0.0)
        whole = float(log1mexp(np.asarray(-self.shift)))
        with np.errstate(invalid="ignore"):
            inside = 2 * log1mexp(gap / 2) - whole
        mid = np.where(t >= self.shift, -np.inf, np.where(t < -self.shift, log1mexp(np.minimum(t, 0.0)), inside))
        # Each log is good to a few units of its own size and of 1; the gap is rounded once.
        size = np.where(np.isfinite(mid), np.abs(mid), 0.0) + 2 * abs(whole)
        error = ULP * (16 + 8 * size)
        return Bracket(mid - error, np.minimum(mid, 0.0), np.minimum(mid + error, 0.0))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power, whose odds are e^epsilon times those of the level."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        log_rest = log1mexp(levels)
        with np.errstate(invalid="ignore"):
            logit = np.where(levels >= 0.0, np.inf, levels - log_rest + self.shift)
        mid = -np.logaddexp(0.0, -logit)
        known = np.where(np.isfinite(logit), np.abs(levels) + np.abs(np.where(levels < 0.0, log_rest, 0.0)), 0.0)
        # The logit is off by a few units of its terms; the log of the power by that times what is left to 1.
        with np.errstate(over="ignore"):
            error = ULP * (4 * np.abs(mid) + 8 * (1 + known + self.shift) / (1 + np.exp(np.minimum(logit, 700.0))))
        error = np.where(np.isfinite(mid), error, 0.0)
        return Bracket(np.where(levels >= 0.0, 0.0, mid - error), mid, np.minimum(mid + error, 0.0))

    def reverse(self) -> LogisticPair:
        """This pair: it is symmetric."""
        return self

    def pair(self, steps: int | None = None) -> FinitePair:
        """A finite pair with a profile that is nowhere smaller: chords between so many equal steps of the loss."""
        if steps is None:
            steps = max(FEWEST_STEPS, math.ceil(min(float(MOST_STEPS), STEPS_A_UNIT * self.shift)))
        knots = even_knots(self.shift, steps)
        logs = self.log_delta(knots).upper
        return ChordProfile.oriented(knots, logs, knots, logs).pair()
