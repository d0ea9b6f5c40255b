"""Discrete Gaussian noise: whole numbers of probability proportional to e^{-k^2/2 sigma^2}."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Curve, DiscreteGaussianLoss, DiscreteGaussianSum, LossDistribution, identical
from whit.errors import TooCostly
from whit.mechanisms.mechanism import EXACT_ANSWER, NOISE_DEVIATION, AdditiveNoise
from whit.mechanisms.noise import drawn, require_whole, surely_infinite, whole_errors
from whit.numerics import ULP, down, finite_nonnegative, logsumexp, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Finding

# Lists of the noise with more points than this are refused: they would take gigabytes.
MOST_LISTED = 2**24

# From this sigma on it is the standard deviation to 30 digits.
ALIKE = 2.0


@dataclass(frozen=True, repr=False)
class DiscreteGaussian(AdditiveNoise):
    """Discrete Gaussian noise of parameter sigma, added to each cell; sigma is nearly its standard deviation.

    >>> print(DiscreteGaussian(10.0).delta(0.1))
    delta is 0.00877 (rounded up)
    """

    whole: ClassVar[bool] = True
    parameter: ClassVar[Parameter] = Parameter(
        "sigma",
        "discrete_gaussian",
        "SIGMA",
        "Discrete Gaussian noise with this sigma.",
        rising=False,
        bounded=False,
        steady=False,  # the largest losses do not fall steadily while sigma rises
        reach=1e10,  # losses take long to work out where sigma is large
    )

    sigma: float

    def __post_init__(self) -> None:
        """Refuse a sigma that is negative or no number, and changes that are not whole."""
        super().__post_init__()
        require_whole(self.sensitivity)
        way_out = "It is the scale of the noise, a number such as 10."
        self._keep(sigma=finite_nonnegative("sigma", self.sigma, way_out))

    @property
    def has_noise(self) -> bool:
        """Whether sigma is above 0."""
        return self.sigma > 0

    noise_theorem: ClassVar[str] = "discrete-gaussian-noise"
    basis = Basis.of("discrete-gaussian-loss")
    """The lattice of losses."""

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        changes = tuple(int(change) for change in self.sensitivity.changes(neighbours))
        if not changes or not self.has_noise:
            return surely_infinite() if changes else identical()
        return DiscreteGaussianLoss(self.sigma, changes)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve, with the mass that was cut off on record."""
        curve = super().curve(neighbours)
        if not isinstance(curve.face, DiscreteGaussianLoss):
            return curve
        # What is cut off is below the smallest double, which then stands for it.
        cut = max(float(np.exp(curve.face.log_cut)), math.ulp(0.0))
        return replace(curve, basis=curve.basis | Basis(truncation=cut))

    def steps(self, neighbours: Neighbours) -> Counter[Curve] | None:
        """The one cell, if it can change by 1 and so by nothing less."""
        return Counter([self.curve(neighbours)]) if self.sensitivity.changes(neighbours) == (1.0,) else None

    @property
    def _law(self) -> DiscreteGaussianSum:
        return DiscreteGaussianSum(self.sigma)

    def standard_deviation(self) -> Finding:
        """The root of the mean of k^2, a sum of positive terms; sigma from 2 on, where no double tells them apart."""
        if not self.has_noise:
            return self._about_noise(NOISE_DEVIATION, 0.0)
        if self.sigma >= ALIKE:
            found = self._about_noise(NOISE_DEVIATION, self.sigma)
            return replace(found, other_end=float(down(self.sigma)))
        law, k = self._law, self._positive()
        log_masses = law.log_masses(k)
        deviation = float(np.exp((np.log(2.0) + logsumexp(log_masses + 2 * np.log(k))) / 2))
        return self._about_noise(NOISE_DEVIATION, deviation, slack=self._slack())

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        log_tails = self._log_tails()

        def log_beyond(b: Array) -> Array:
            place = np.minimum(b, len(log_tails) - 1).astype(np.int64)
            return np.where(np.isposinf(b), -np.inf, np.log(2.0) + log_tails[place])

        return whole_errors(log_beyond, chances, self._slack())

    def probability_of_exact_answer(self) -> Finding:
        """P[noise = 0], one over the sum of all e^{-k^2/2 sigma^2}."""
        if not self.has_noise:
            return super().probability_of_exact_answer()
        chance = float(np.exp(self._law.log_weights[0]))
        return self._about_noise(EXACT_ANSWER, min(chance, 1.0), slack=self._law.error + 4 * ULP)

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """P[noise >= x]."""
        x = real_array("thresholds", thresholds, "Use a whole number such as 1.")
        if not self.has_noise:
            return self._no_tail(x)
        m, log_tails = np.ceil(x), self._log_tails()
        place = np.minimum(np.where(m > 0, m - 1, -m), len(log_tails) - 1).astype(np.int64)
        outer = np.exp(log_tails[place])
        beyond = bool(np.any(place == len(log_tails) - 1))
        tail = np.where(m > 0, outer, np.where(place == len(log_tails) - 1, 1.0, 1 - outer))
        return self._about_tail(tail, x, self._slack(), bounded=beyond)

    def _positive(self) -> Array:
        return np.arange(1.0, self._last + 1)

    @property
    def _last(self) -> int:
        """The last point that is listed: all that a double can tell, or 14 sigma where the noise is large."""
        last = min(self._law.reach, max(math.ceil(14 * self.sigma), 100_000))
        if last > MOST_LISTED:
            way_out = "Use the error of Gaussian noise, which differs by one part in sigma^2."
            raise TooCostly("the list of the noise", f"must have at most {MOST_LISTED} points", self, way_out)
        return last

    def _log_tails(self) -> Array:
        """Log of P[noise > b] for b = 0, 1, ...; the last entry bounds all that lies beyond."""
        law = self._law
        logs = np.append(law.log_masses(self._positive()), law.log_beyond(self._last))
        return np.asarray(np.logaddexp.accumulate(logs[::-1])[::-1])

    def _slack(self) -> float:
        """Bound on the relative error of the probabilities and of their sums."""
        law = self._law
        return law.mass_error(law.log_masses(self._positive())) + ULP * (16 + 2 * self._last)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[np.int64]:
        """Noise for simulation, by inversion. Not for release: it is no secure sampler."""
        if not self.has_noise:
            return np.zeros(drawn(size), dtype=np.int64)
        support = np.arange(-self._last, self._last + 1, dtype=np.float64)
        steps = np.cumsum(np.exp(self._law.log_masses(support)))
        places = np.searchsorted(steps, rng.random(drawn(size)) * steps[-1], side="right")
        return np.asarray(support[places], dtype=np.int64)
