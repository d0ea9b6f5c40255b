"""Two-sided geometric noise: whole numbers of probability proportional to e^{-epsilon |k|}."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Curve, FinitePair
from whit.mechanisms.mechanism import EXACT_ANSWER, NOISE_DEVIATION
from whit.mechanisms.noise import CellwiseNoise, require_affordable, require_whole, whole_errors
from whit.numerics import ULP, finite_positive, log1mexp, real_array
from whit.setting import Neighbours, Parameter, Sensitivity
from whit.theory import Basis, Direction, Finding

SLACK = 16 * ULP
_COUNT = Sensitivity.count()


@dataclass(frozen=True, init=False, repr=False)
class Geometric(CellwiseNoise):
    """Two-sided geometric noise, added to each cell; epsilon is the loss for each unit by which a cell changes.

    >>> print(Geometric(1.0).probability_of_exact_answer())
    probability of the exact answer is 46.2 % (rounded down)
    """

    whole: ClassVar[bool] = True
    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "geometric",
        "EPSILON",
        "Geometric noise (discrete Laplace) that has this epsilon for a count.",
        rising=True,
        bounded=True,
        keeps=(("epsilon", lambda epsilon: epsilon),),
    )

    stated_epsilon: float

    def __init__(self, epsilon: float, *, sensitivity: Sensitivity = _COUNT) -> None:
        way_out = "It is the loss for each unit of change, a number such as 0.5."
        self._keep(stated_epsilon=finite_positive("epsilon", epsilon, way_out))
        self._keep(sensitivity=sensitivity)
        super().__post_init__()
        require_whole(self.sensitivity)

    noise_theorem: ClassVar[str] = "geometric-noise"
    basis = Basis.of("geometric-loss")
    """The finitely many losses of whole-number noise."""

    def steps(self, neighbours: Neighbours) -> Counter[Curve] | None:
        """The cells, if each can change by 1 and so by nothing less."""
        changes = Counter(self.sensitivity.changes(neighbours))
        if max(changes, default=1.0) > 1.0:
            return None
        return Counter({self._cell_curve(change): cells for change, cells in changes.items()})

    def _cell_loss(self, change: float) -> FinitePair:
        """Losses epsilon (s - 2i), i = 0 to s: i steps of the change s are undone by the noise."""
        require_affordable(change)
        steps = np.arange(change, -1.0, -1.0)
        losses = (change - 2 * steps) * self.stated_epsilon
        between = log1mexp(-self.stated_epsilon)
        ends = (steps == 0) | (steps == change)
        log_masses = -steps * self.stated_epsilon + np.where(ends, 0.0, between) - self._log_norm
        error = ULP * (8 + 4 * float(np.max(np.abs(log_masses))))
        # A product with a power of two, 1 above all, is exact.
        loss_error = 0.0 if change <= 2 else ULP * change * self.stated_epsilon
        return FinitePair(losses, log_masses, mass_error=error, loss_error=loss_error)

    @property
    def _log_norm(self) -> float:
        """Log of 1 + e^{-epsilon}."""
        return math.log1p(math.exp(-self.stated_epsilon))

    def standard_deviation(self) -> Finding:
        """The square root of 2 e^{-epsilon}, over 1 - e^{-epsilon}."""
        deviation = math.sqrt(2.0) * math.exp(-self.stated_epsilon / 2) / -math.expm1(-self.stated_epsilon)
        slack = SLACK + ULP * self.stated_epsilon
        return self._about_noise(NOISE_DEVIATION, deviation, slack=slack)

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        return whole_errors(self._log_beyond, chances, 0.0)

    def _log_beyond(self, b: Array) -> Array:
        """Log of P[|noise| > b] = 2 e^{-epsilon (b + 1)}/(1 + e^{-epsilon})."""
        with np.errstate(over="ignore"):
            return np.asarray(math.log(2.0) - self.stated_epsilon * (b + 1) - self._log_norm)

    def probability_of_exact_answer(self) -> Finding:
        """P[noise = 0] = tanh(epsilon/2)."""
        return self._about_noise(EXACT_ANSWER, math.tanh(self.stated_epsilon / 2), slack=SLACK)

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """P[noise >= x] = e^{-epsilon m}/(1 + e^{-epsilon}) with m the whole number from x on, if above 0."""
        x = real_array("thresholds", thresholds, "Use a whole number such as 1.")
        m = np.ceil(x)
        exponent = np.where(m > 0, m, 1 - m) * self.stated_epsilon
        outer = np.exp(-exponent - self._log_norm)
        slack = SLACK + 4 * ULP * float(np.max(exponent[np.isfinite(exponent)], initial=0.0))
        return self._about_tail(np.where(m > 0, outer, 1 - outer), x, slack)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[np.int64]:
        """Noise for simulation, the difference of two geometric draws. Not for release: it is no secure sampler."""
        chance = -math.expm1(-self.stated_epsilon)
        return rng.geometric(chance, size=size) - rng.geometric(chance, size=size)
