"""Any linear release under a Gaussian prior: totals, tables of totals, means; with noise, without, or some of each.

Also how much noise keeps the relative score of every record below a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, Unreachable, require
from whit.numerics import finite_nonnegative, probability, up
from whit.persuasion.beliefs import numbers
from whit.persuasion.gaussian_scores import Shift, farthest, largest_gain, with_shrinkage
from whit.persuasion.linear_model import Array, Covariance, Statistics, covariance_of, pieces, statistics_of
from whit.persuasion.relative import RELATIVE_SCORE
from whit.persuasion.scores import DawidSebastiani, Score, require_score
from whit.persuasion.solution import Solution, gamma, noise_matrix, solve
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Tree, Unit

EXPLAINED = Quantity("share of the prior variance of a record that the release explains", Unit.PROBABILITY)
PREDICTED_SCORE = Quantity("relative privacy score for data that the prior predicts", Unit.NUMBER)

NOISE_DEVIATION = Quantity(
    "smallest standard deviation of the noise that meets the limit on the relative score", Unit.NUMBER, certain=True
)

FARTHEST = 1e100
"""Standard deviations between what is published and what the prior predicts, beyond which something is wrong."""

NEARLY_ALL = 1e-10
"""In an estimate, a share of the variance that is as close to 1 counts as 1."""


GRID = 41
"""Deviations that are looked at together; the interval between two of them is looked at again, twice."""

_MOST_STEPS = 200


@dataclass(frozen=True)
class ExposedRecord:
    """The record that a release exposes most, and its kappa."""

    record: int
    kappa: float

    def __str__(self) -> str:
        if np.isinf(self.kappa):
            return f"record {self.record} is determined by the release: there is no bound on what is learnt about it"
        return f"record {self.record} is exposed most, with a relative privacy score of {self.kappa:.6g}"


@dataclass(frozen=True, eq=False)
class LinearRelease:
    """Statistics A x, or A x + N(0, W), under the prior N(mean, S), and how much they explain of each record.

    All numbers come one for each record. They are upper bounds if the statistics are linearly independent, or made so
    by noise, by more than rounding; else they rest on a pseudo-inverse and are estimates.
    """

    statistics: Statistics
    mean: Array
    covariance: Covariance
    noise: Array
    solution: Solution

    @property
    def direction(self) -> Direction:
        """At most where bounds are proved, else about."""
        return Direction.AT_MOST if self.solution.regular else Direction.ABOUT

    def explained(self) -> Finding:
        """The share R_i^2 of the prior variance of each record that the release explains."""
        return self._finding(EXPLAINED, self._share(), {}, Basis.of("linear-release"))

    def kappa(self, published: ArrayLike) -> Finding:
        """The largest relative Dawid-Sebastiani score of each record, over all its values, once t is known.

        >>> two = linear_release([[0.5, 0.5]], [1.0, 1.0])
        >>> print(two.kappa([1.0]))
        relative privacy score is at most 2.7 (the largest of 2 values)
        """
        return self.under(DawidSebastiani(), published)

    def under(self, score: Score, published: ArrayLike) -> Finding:
        """The relative score by another score: LogProbability, RankedProbability, IntervalScore or DawidSebastiani."""
        gains = largest_gain(require_score(score), self._moved(published))
        more: dict[str, Tree] = {"score": score.name, "published": f"{self.statistics.number} statistics"}
        keys = Basis.of("linear-release")
        if not isinstance(score, DawidSebastiani):
            keys = keys | Basis.of("linear-release-scores")
        return self._finding(RELATIVE_SCORE, gains, more, keys)

    def kappa_within(self, reach: float, delta: float = 0.0) -> Finding:
        """The kappa of each record for every prior mean within reach: (A(x - mean))' (A S A')^- A(x - mean) <= reach.

        Definition 3, with the data fixed. Without noise it is reach - log(1 - R^2), at delta 0. With noise the
        statistics move, and delta must be above 0. The class of priors does not depend on the noise.

        >>> two = linear_release([[0.5, 0.5]], [1.0, 1.0])
        >>> print(two.kappa_within(2.0))
        relative privacy score is at most 2.7 (the largest of 2 values)
        """
        bound = finite_nonnegative("reach", reach, "Use a number such as 4: two standard deviations.")
        chance = probability("delta", delta, "Use a small number such as 1e-6.")
        squared = farthest(bound, self.solution.least_noisy, self.solution.noisy, chance)
        failures = Basis(failures=(Failure(chance, Randomness.MECHANISM),))
        basis = Basis.of("linear-release", "relative-privacy") | failures
        kappa = with_shrinkage(squared, self._share())
        return self._finding(RELATIVE_SCORE, kappa, {"reach": reach, "delta": delta}, basis)

    def kappa_predicted(self, delta: float) -> Finding:
        """The kappa of each record, except with probability delta over data and noise drawn as the prior predicts."""
        chance = probability("delta", delta, "Use a small number such as 0.01.")
        squared, share = farthest(0.0, np.ones(1), np.ones(1), chance), self._share()
        basis = Basis.of("linear-release")
        return self._finding(PREDICTED_SCORE, with_shrinkage(squared, share), {"delta": delta}, basis)

    def relative_scores(self, published: ArrayLike, data: ArrayLike) -> Finding:
        """The relative Dawid-Sebastiani score of each record, if these are the data; an estimate."""
        values = numbers("data", data, self.statistics.records)
        moved = self._moved(published)
        z, left = (values - self.mean) / moved.deviation, 1.0 - moved.share
        sure = left <= NEARLY_ALL
        safe = np.where(sure, 1.0, left)
        gains = np.where(sure, np.inf, z * z - (z - moved.signed) ** 2 / safe - np.log(safe))
        return Finding(RELATIVE_SCORE, gains, Direction.ABOUT, self._inputs({}), Basis.of("linear-release"))

    def most_exposed(self, found: Finding) -> ExposedRecord:
        """The record with the largest of the numbers that were found, the first of equals."""
        values = np.atleast_1d(np.asarray(found.value))
        return ExposedRecord(int(np.argmax(values)), float(values.max()))

    def _share(self) -> Array:
        """R^2 of each record, rounded up; an estimate close to 1 is 1."""
        least = self.covariance.variances * (1.0 - gamma(self.covariance.terms + 2))
        share = np.minimum(up(self.solution.upper / least, 2), 1.0)
        # However little is explained, a gain is possible: only a record that no statistic touches has none.
        share = np.where(self.solution.touched, np.maximum(share, np.finfo(float).tiny), 0.0)
        return share if self.solution.regular else np.where(share > 1.0 - NEARLY_ALL, 1.0, share)

    def _moved(self, published: ArrayLike) -> Shift:
        """How far each record's mean moves and its variance shrinks, with bounds."""
        values = numbers("published", published, self.statistics.number)
        solution, used = self.solution, self.solution.used
        predicted = self.statistics.of(self.mean)
        distance = ((values - predicted)[used]) / solution.scale
        rule = f"must lie within {FARTHEST:g} standard deviations of what the prior predicts"
        near_enough = bool(np.all(np.abs(distance) <= FARTHEST))
        require(near_enough, name="published", rule=rule, value="a number far beyond", way_out="Correct the mean.")
        few = gamma(self.statistics.records + len(distance) + 8)
        near = (np.abs(values) + self._sizes())[used] / solution.scale
        slack = few * float(np.linalg.norm(near))
        y = solution.inverse @ distance
        weight = float(np.linalg.norm(y))
        residual = float(np.linalg.norm(distance - solution.matrix @ y)) + 2.0 * slack
        residual += (few * float(np.linalg.norm(solution.matrix)) + solution.error) * weight
        shift, off = self._shifts(y)
        length = abs(float(y @ distance)) + weight * (few * float(np.linalg.norm(near)) + slack)
        if solution.regular:
            off = off + np.sqrt(solution.upper) * residual / np.sqrt(solution.least)
            length += weight * residual + residual**2 / solution.least
        return Shift.of(self.covariance, solution, shift, off * (1.0 + few), length * (1.0 + few), self._share())

    def _shifts(self, y: Array) -> tuple[Array, Array]:
        """C y for each record, and a bound on its rounding, that of C included."""
        used, scale, shifts, errors = self.solution.used, self.solution.scale, [], []
        rows = self.covariance.against(self.statistics)
        sizes = self.covariance.against(self.statistics, absolute=True)
        for part in pieces(self.statistics.records):
            shifts.append((rows(part)[:, used] / scale) @ y)
            errors.append((sizes(part)[:, used] / scale) @ np.abs(y))
        return np.concatenate(shifts), gamma(self.covariance.terms + len(y) + 8) * np.concatenate(errors)

    def _sizes(self) -> Array:
        """The statistics with absolute values, which bound the rounding of what the prior predicts."""
        total = np.zeros(self.statistics.number)
        for part in pieces(self.statistics.records):
            total += np.abs(self.mean[part]) @ np.abs(self.statistics.weights(part))
        return total

    def _finding(self, quantity: Quantity, values: Array, more: dict[str, Tree], basis: Basis) -> Finding:
        return Finding(quantity, values, self.direction, self._inputs(more), basis)

    def _inputs(self, more: dict[str, Tree]) -> dict[str, Tree]:
        release = {"statistics": repr(self.statistics), "prior": repr(self.covariance)}
        return {**release, "noise": f"variances up to {float(np.diag(self.noise).max()):g}", **more}


def linear_release(
    statistics: Statistics | ArrayLike,
    covariance: Covariance | ArrayLike,
    *,
    mean: ArrayLike = 0.0,
    noise: ArrayLike = 0.0,
) -> LinearRelease:
    """A linear release of n records under a Gaussian prior.

    statistics   Totals, Means, a LinearMap, several Together, or a matrix with a row for each statistic
    covariance   of the prior: Independent, Factors, Blocks or Full; a list of variances; or a matrix
    mean         of the prior, one number for all records or one for each
    noise        variance of Gaussian noise: one number, one for each statistic (0 for none), or a covariance matrix

    >>> from whit.persuasion import Totals
    >>> table = linear_release(Totals([0, 0, 0, 1, 1]), [1.0, 1.0, 1.0, 1.0, 1.0])
    >>> print(table.kappa_within(1.0))
    relative privacy score is at most 1.7 (the largest of 5 values)
    """
    published, prior = statistics_of(statistics), covariance_of(covariance)
    centre = np.array(np.broadcast_to(_mean(mean, prior.records), (prior.records,)))
    loud = noise_matrix(noise, published.number)
    return LinearRelease(published, centre, prior, loud, solve(published, prior, loud))


def side_by_side_scores(release: LinearRelease, scores: Sequence[Score], published: ArrayLike) -> dict[str, Finding]:
    """The largest relative score of each record under each of several scores, by the name of the score."""
    return {score.name: release.under(score, published) for score in scores}


def least_noise(
    statistics: Statistics | ArrayLike, covariance: Covariance | ArrayLike, limit: float, *, reach: float, delta: float
) -> Finding:
    """A standard deviation of independent noise on every statistic, with which no kappa_within exceeds the limit.

    Less noise than the answer may do in part of the range: with delta above 0 a little noise can raise kappa, because
    the statistics then move. So candidates are looked at from the least one upwards, and the answer itself is checked.

    >>> print(least_noise([[1.0, 0.0], [1.0, 1.0]], [1.0, 1.0], 20.0, reach=4.0, delta=1e-3))
    smallest standard deviation of the noise that meets the limit on the relative score is at most 3.37e-4 (failure
    probability 0.1 %)
    """
    published, prior = statistics_of(statistics), covariance_of(covariance)
    most = finite_nonnegative("limit", limit, "Use a number such as 10.")
    chance = probability("delta", delta, "Use a small number such as 1e-6.")
    exact = linear_release(published, prior)
    if exact.kappa_within(reach, chance).largest <= most:
        return _noise_found(exact, 0.0, most, reach, chance)
    deviation = _candidate(published, prior, most, reach, chance)
    for _ in range(_MOST_STEPS):
        release = linear_release(published, prior, noise=deviation * deviation)
        if release.kappa_within(reach, chance).largest <= most:
            return _noise_found(release, deviation, most, reach, chance)
        deviation *= 1.0 + 1e-3
    raise _none(most)


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


def _noise_found(release: LinearRelease, deviation: float, most: float, reach: float, delta: float) -> Finding:
    inputs: dict[str, Tree] = {"statistics": repr(release.statistics), "prior": repr(release.covariance)}
    inputs |= {"limit": most, "reach": reach, "delta": delta}
    basis = Basis.of("linear-release", "relative-privacy") | Basis(failures=(Failure(delta, Randomness.MECHANISM),))
    return Finding(NOISE_DEVIATION, deviation, release.direction, inputs, basis)


def _none(most: float) -> Unreachable:
    way_out = "Allow a larger limit, a smaller reach or a larger delta."
    return Unreachable("the limit", "must be one that some noise keeps", most, way_out)


def _mean(mean: ArrayLike, records: int) -> Array:
    try:
        return numbers("mean", np.broadcast_to(np.asarray(mean, dtype=np.float64), (records,)), records)
    except (ValueError, TypeError) as wrong:
        rule = f"must be one number, or {records} of them"
        raise InvalidInput("mean", rule, mean, "Give the prior mean of each record.") from wrong
