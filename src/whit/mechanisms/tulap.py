"""Tulap noise: the noise whose curve is all that epsilon and delta promise, and no more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, FinitePair
from whit.errors import NotImplied, require
from whit.guarantees import dominating_pair
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import NOISE_DEVIATION
from whit.mechanisms.noise import CellwiseNoise, drawn
from whit.mechanisms.staircase import Staircase
from whit.numerics import ULP, finite_positive, log1mexp, probability, real_array
from whit.setting import Parameter, Sensitivity
from whit.theory import Basis, Direction, Finding

SLACK = 64 * ULP
_COUNT = Sensitivity.count()

# More plateaus than this are not added up one by one.
MOST_PLATEAUS = 2**20


@dataclass(frozen=True, init=False, repr=False)
class Tulap(CellwiseNoise):
    """Tulap noise (truncated, uniform and Laplace), added to each cell: canonical noise for epsilon and delta.

    It is a difference of two geometric numbers and a uniform one between -1/2 and 1/2, which is staircase noise with
    plateaus in the middle between steps; with a delta it is cut off on both sides. For a change of one step its curve
    is that of the promise, at every level: no test that the promise allows is made harder than it has to be.

    >>> print(Tulap(1.0, 1e-3).delta([0.5, 1.0]))
    delta is 0.289 (rounded up; the largest of 2 values)
    >>> print(Tulap(1.0, 1e-3).error_quantile(1.0))
    error of the noise in 100 % of cases is 6.71 (rounded up)
    """

    whole: ClassVar[bool] = True
    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "tulap",
        "EPSILON",
        "Tulap noise that has this epsilon for a count, and no delta.",
        rising=True,
        bounded=True,
        keeps=(("epsilon", lambda epsilon: epsilon),),
    )

    details = (
        Detail("delta", "NUMBER", "The chance that a change of one step is given away.", Written.NUMBER),
        Detail("step", "NUMBER", "The change that the noise is made for. 1 if not given.", Written.NUMBER),
    )

    stated_epsilon: float
    stated_delta: float
    step: float

    def __init__(
        self, epsilon: float, delta: float = 0.0, *, step: float = 1.0, sensitivity: Sensitivity = _COUNT
    ) -> None:
        """Keep the parameters.

        Args:
            epsilon: the loss for each step by which a cell changes, apart from delta.
            delta: the probability that a change of one step is given away; with 0 the noise is not cut off.
            step: the change that the noise is made for.
            sensitivity: by how much one record can change the cells; with a delta, by one step each.
        """
        self._keep(
            stated_epsilon=finite_positive("epsilon", epsilon, "It is the loss for each step, a number such as 0.5."),
            stated_delta=probability("delta", delta, "Use a small probability such as 1e-6, or leave it out."),
            step=finite_positive("step", step, "Use the change of one count, such as 1."),
            sensitivity=sensitivity,
        )
        super().__post_init__()
        way_out = "Use a small probability such as 1e-6."
        require(self.stated_delta < 1.0, name="delta", rule="must be below 1", value=delta, way_out=way_out)

    noise_theorem: ClassVar[str] = "tulap-noise"
    basis = Basis.of("canonical-noise")
    """That the curve is all that the promise allows."""

    def _cell_loss(self, change: float) -> FinitePair:
        """That of the worst pair, for a change of one step; that of staircase noise where nothing is cut off."""
        if Fraction(change) == Fraction(self.step):
            return dominating_pair(self.stated_epsilon, self.stated_delta)
        if self.stated_delta == 0.0:
            return self._uncut._cell_loss(change)
        rule = "is known for changes of one step only, where the noise has a delta"
        way_out = "Pass the largest change as step, such as step=2, and the same one in the sensitivity."
        raise NotImplied("the loss of Tulap noise", rule, self, way_out)

    @property
    def _uncut(self) -> Staircase:
        """The noise before it is cut off: a staircase whose highest plateau is one step wide."""
        return Staircase(self.stated_epsilon, gamma=0.5, step=self.step)

    @property
    def _log_cut(self) -> tuple[float, float]:
        """Log of the share that is cut off on both sides together, 2 delta b/(1 - b + 2 delta b), and of the rest."""
        log_rest = float(log1mexp(-self.stated_epsilon))
        log_lost = math.log(2 * self.stated_delta) - self.stated_epsilon if self.stated_delta > 0.0 else -math.inf
        whole = float(np.logaddexp(log_rest, log_lost))
        return log_lost - whole, log_rest - whole

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        """Those of the noise before it is cut off, with the chance that is left of it."""
        log_cut, log_rest = self._log_cut
        with np.errstate(divide="ignore"):
            beyond = np.logaddexp(np.log1p(-chances), np.log(chances) + log_cut)
        within = chances * math.exp(log_rest)
        pairs = zip(np.ravel(within), np.ravel(beyond), strict=True)
        found = [self._uncut.error(float(chance), float(rest)) for chance, rest in pairs]
        errors = np.reshape([error for error, _ in found], chances.shape)
        # The logs that a chance is made of are rounded, and are no larger than epsilon and their own.
        rounding = 1 + 4 * (1 + abs(log_rest) + self.stated_epsilon)
        return errors, SLACK + rounding * max((slack for _, slack in found), default=0.0), Direction.EXACTLY

    def standard_deviation(self) -> Finding:
        """The root of the mean square; an upper bound where the noise has a delta and very many plateaus."""
        if self.stated_delta == 0.0:
            b, rest = math.exp(-self.stated_epsilon), -math.expm1(-self.stated_epsilon)
            return self._about_noise(NOISE_DEVIATION, self.step * math.sqrt(2 * b / rest**2 + 1 / 12), slack=SLACK)
        (end,), slack, _ = self._errors(np.ones(1))
        if end / self.step > MOST_PLATEAUS:
            # A density that falls from the middle spreads less than a flat one, and cutting it off makes it narrower.
            most = min(float(self._uncut.standard_deviation().value), float(end) / math.sqrt(3.0) * (1 + slack))
            return self._about_noise(NOISE_DEVIATION, most * (1 + SLACK), direction=Direction.AT_MOST)
        squares = self._height * self._squares(float(end) / self.step)
        return self._about_noise(NOISE_DEVIATION, self.step * math.sqrt(squares), slack=SLACK + 1e-13 + 4 * slack)

    @property
    def _height(self) -> float:
        """The density at 0, per step: (1 - b + 2 delta b)/(1 + b)."""
        b, rest = math.exp(-self.stated_epsilon), -math.expm1(-self.stated_epsilon)
        return (rest + 2 * self.stated_delta * b) / (1 + b)

    def _squares(self, end: float) -> float:
        """The mean square over the height, plateau by plateau up to the end."""
        last = max(math.floor(end + 0.5), 1)
        k = np.arange(1.0, last)
        whole = 1 / 12 + 2 * float(np.sum(np.exp(-self.stated_epsilon * k) * (k * k + 1 / 12)))
        start = last - 0.5
        part = (end - start) * (end**2 + end * start + start**2) / 3
        return whole + 2 * math.exp(-self.stated_epsilon * last) * part

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """P[noise >= x]: what is left of the tail before the cut; an upper bound where something is cut off."""
        x = real_array("thresholds", thresholds, "Use a number such as 1.")
        log_cut, log_rest = self._log_cut
        logs = np.reshape([self._uncut.log_tail(float(each)) for each in np.ravel(np.abs(x))], x.shape)
        sizes = np.abs(np.append(logs, [log_cut, log_rest]))
        error = SLACK + 8 * ULP * (self.stated_epsilon + float(np.max(sizes[np.isfinite(sizes)], initial=0.0)))
        before, half = np.exp(logs), math.exp(log_cut) / 2
        if self.stated_delta == 0.0:
            return self._about_tail(np.where(x >= 0, before, 1 - before), x, error)
        most, least = (
            (before * (1 + side) - half * (1 - side)) / math.exp(log_rest) * (1 + side) for side in (error, -error)
        )
        tail = np.where(x >= 0, np.maximum(most, 0.0), 1 - np.maximum(least, 0.0))
        return self._about_tail(tail, x, SLACK, bounded=True)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Noise for simulation. Not for release: noise made of floating-point numbers gives the data away."""
        shape = drawn(size)
        sizes, _, _ = self._errors(rng.random(shape))
        return np.asarray(sizes * rng.choice([-1.0, 1.0], size=shape))
