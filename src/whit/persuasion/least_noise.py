"""How much noise keeps the relative score of every record of a linear release below a limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import Unreachable
from whit.numerics import finite_nonnegative, probability
from whit.persuasion.covariance import Covariance, covariance_of
from whit.persuasion.gaussian_scores import farthest, with_shrinkage
from whit.persuasion.linear import LinearRelease, linear_release
from whit.persuasion.statistics import Array, Statistics, pieces, statistics_of
from whit.theory import Basis, Failure, Finding, Quantity, Randomness, Tree, Unit

NOISE_DEVIATION = Quantity(
    "least standard deviation of noise that keeps the relative score within the limit", Unit.NUMBER
)

GRID = 41
"""Deviations that are looked at together; the interval between two of them is looked at again, twice."""

_MOST_STEPS = 200


def least_noise(
    statistics: Statistics | ArrayLike, covariance: Covariance | ArrayLike, limit: float, *, reach: float, delta: float
) -> Finding:
    """A standard deviation of independent noise on every statistic, with which no kappa_within exceeds the limit.

    Less noise than the answer may do in part of the range: with delta above 0 a little noise can raise kappa, because
    the statistics then move. So candidates are looked at from the least one upwards, and the answer itself is checked.

    >>> print(least_noise([[1.0, 0.0], [1.0, 1.0]], [1.0, 1.0], 20.0, reach=4.0, delta=1e-3))
    least standard deviation of noise that keeps the relative score within the limit is at most 3.37e-4
    """
    published, prior = statistics_of(statistics), covariance_of(covariance)
    most = finite_nonnegative("limit", limit, "Use a number such as 10.")
    chance = probability("delta", delta, "Use a small number such as 1e-6.")
    exact = linear_release(published, prior)
    if _worst(exact, reach, chance) <= most:
        return _told(exact, 0.0, most, reach, chance)
    deviation = _candidate(published, prior, most, reach, chance)
    for _ in range(_MOST_STEPS):
        release = linear_release(published, prior, noise=deviation * deviation)
        if _worst(release, reach, chance) <= most:
            return _told(release, deviation, most, reach, chance)
        deviation *= 1.0 + 1e-3
    raise _none(most)


def _worst(release: LinearRelease, reach: float, delta: float) -> float:
    return float(np.max(release.kappa_within(reach, delta).value))


def _candidate(statistics: Statistics, covariance: Covariance, most: float, reach: float, delta: float) -> float:
    """The least deviation on a grid, twice refined, that keeps the limit by a quick computation without bounds."""
    paths = _Paths(statistics, covariance)
    grid = paths.unit * np.logspace(-7.0, 7.0, GRID)
    kept = paths.worst(grid, reach, delta) <= most
    if not kept.any():
        raise _none(most)
    for _ in range(2):
        first = int(np.argmax(kept))
        if first == 0:
            return float(grid[0])
        grid = np.geomspace(grid[first - 1], grid[first], GRID)
        kept = paths.worst(grid, reach, delta) <= most
        kept[-1] = True
    return float(grid[int(np.argmax(kept))])


class _Paths:
    """What the statistics explain of each record as the noise grows, from one eigendecomposition of A S A'."""

    def __init__(self, statistics: Statistics, covariance: Covariance) -> None:
        self.statistics, self.covariance = statistics, covariance
        rows, total = covariance.against(statistics), np.zeros((statistics.number, statistics.number))
        for part in pieces(statistics.records):
            total += statistics.weights(part).T @ rows(part)
        self.values, self.vectors = np.linalg.eigh((total + total.T) / 2)
        self.values = np.maximum(self.values, 0.0)
        self.unit = float(np.sqrt(self.values[-1])) or 1.0
        self.shares = self.values / (self.values[-1] or 1.0)

    def worst(self, deviations: Array, reach: float, delta: float) -> Array:
        """The largest kappa over the records for each deviation of the noise."""
        noise = (deviations / self.unit) ** 2  # in these units no square is too large for a double
        once, largest = 1.0 / (self.shares[:, None] + noise), np.zeros(noise.shape)
        rows, variances = self.covariance.against(self.statistics), self.covariance.variances
        for part in pieces(self.statistics.records):
            squares = (rows(part) @ self.vectors / self.unit) ** 2
            explained = squares @ once
            share = np.minimum(explained / variances[part, None], 1.0)
            loud = noise * (squares @ once**2) / np.where(explained > 0, explained, 1.0)
            loud = np.clip(loud, 0.0, 1.0)
            kappa = with_shrinkage(farthest(reach, loud, loud, delta), share)
            largest = np.maximum(largest, kappa.max(axis=0))
        return largest


def _told(release: LinearRelease, deviation: float, most: float, reach: float, delta: float) -> Finding:
    inputs: dict[str, Tree] = {
        "statistics": repr(release.statistics),
        "prior": repr(release.covariance),
        "limit": most,
        "reach": reach,
        "delta": delta,
    }
    basis = Basis.of("linear-release", "relative-privacy") | Basis(failures=(Failure(delta, Randomness.MECHANISM),))
    return Finding(NOISE_DEVIATION, deviation, release.direction, inputs, basis)


def _none(most: float) -> Unreachable:
    way_out = "Allow a larger limit, a smaller reach or a larger delta."
    return Unreachable("the limit", "must be one that some noise keeps", most, way_out)
