"""A Gaussian belief about n records, what it becomes once linear statistics are published, and the published average.

With V = A S A' + W, K = S A' V^- and t published, the belief N(mu, S) becomes the one with mean mu + K (t - A mu) and
covariance (I - K A) S (I - K A)' + K W K'. It is worked out in floating point, for few records, and is an estimate; for
bounds ask `linear_release`. The average without noise keeps a promise for a class of Gaussian priors.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, TooCostly, require
from whit.numerics import ULP, count, down, finite_positive, real_array, up
from whit.persuasion.beliefs import numbers
from whit.persuasion.linear_model import (
    Array,
    Covariance,
    Full,
    LinearMap,
    Rows,
    Statistics,
    covariance_of,
    statistics_of,
)
from whit.persuasion.relative import RELATIVE_SCORE
from whit.persuasion.solution import noise_matrix
from whit.theory import Basis, Direction, Finding, Quantity, Unit, echo

DISTANCE = Quantity("squared distance of the average from its prior mean, in units of its variance", Unit.NUMBER)
CONCENTRATION = Quantity("ratio of the condition number to the others' share of the variance", Unit.NUMBER)

LARGEST = 2000
"""Records for which a matrix of all pairs is made."""

_RANK = 1e-12  # an eigenvalue below this, for each statistic and relative to the diagonal, counts as zero
_POSSIBLE = 1e-8  # how far an outcome may be off what the prior allows, relative to its size
_QUIET = 1e-14  # a variance of noise below this, for each statistic and relative to the largest, counts as zero


@dataclass(frozen=True, eq=False, repr=False)
class Remaining(Covariance):
    """The covariance that exact statistics leave: singular, as some sums of records, or records, are now known."""

    matrix: Array

    def __post_init__(self) -> None:
        """The diagonal is 0 for a record that is known."""
        object.__setattr__(self, "variances", np.diag(self.matrix))
        object.__setattr__(self, "terms", len(self.matrix))

    def against(self, statistics: Statistics, *, absolute: bool = False) -> Rows:
        """Refused: bounds need a prior that is not singular."""
        rule = f"must be positive definite, to bound what {statistics.number} statistics tell"
        way_out = "Start from the prior before the first release, and give both releases Together to linear_release."
        raise InvalidInput("the covariance", rule, "what exact statistics have left of one", way_out)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class GaussianBelief:
    """The belief N(mean, covariance) about n records.

    mean         one number for all records, or one for each
    covariance   Independent, Factors, Blocks or Full; a list of variances; or a matrix

    >>> belief = GaussianBelief(0.0, [1.0, 1.0]).after([[1.0, 1.0]], [3.0])
    >>> belief.mean.round(9).tolist(), belief.deviations.round(9).tolist()
    ([1.5, 1.5], [0.707106781, 0.707106781])
    """

    mean: Array
    covariance: Covariance

    def __init__(self, mean: ArrayLike, covariance: Covariance | ArrayLike) -> None:
        prior = covariance_of(covariance)
        centre = real_array("mean", mean, "Give one number for all records, or one for each.")
        centre = np.full(prior.records, float(centre)) if centre.ndim == 0 else centre.copy()
        centre = numbers("mean", centre, prior.records)
        centre.setflags(write=False)
        object.__setattr__(self, "mean", centre)
        object.__setattr__(self, "covariance", prior)

    @property
    def records(self) -> int:
        """The number of records."""
        return self.covariance.records

    @property
    def deviations(self) -> Array:
        """The standard deviation of each record, 0 if it is known."""
        return np.sqrt(self.covariance.variances)

    def after(
        self, statistics: Statistics | ArrayLike, outcome: ArrayLike, *, noise: ArrayLike = 0.0
    ) -> GaussianBelief:
        """The belief once these statistics are published with this outcome.

        noise   variance of Gaussian noise: one number, one for each statistic (0 for none), or a covariance matrix

        With noise in all statistics the covariance is Full; without, it is singular, and is Remaining.
        """
        published = statistics_of(statistics)
        self._require_fitting(published)
        loud = noise_matrix(noise, published.number)
        a, s = published.weights(slice(0, self.records)).T, self._matrix()
        told = numbers("outcome", outcome, published.number)
        with np.errstate(over="ignore", invalid="ignore"):
            distance, size = told - a @ self.mean, np.abs(told) + np.abs(a) @ np.abs(self.mean)
        near = bool(np.all(np.isfinite(size)))
        way_out = "Measure the data in a larger unit."
        require(near, name="the statistics", rule="must have finite means", value="an overflow", way_out=way_out)
        gain = _gain(a, s, loud, distance, size)
        kept = np.eye(self.records) - gain @ a
        left = kept @ s @ kept.T + gain @ loud @ gain.T
        mean = self.mean + gain @ distance
        return GaussianBelief(mean, self._left((left + left.T) / 2, loud))

    def _require_fitting(self, published: Statistics) -> None:
        rule = f"must be about the {self.records} records of the belief"
        fits = published.records == self.records
        require(fits, name="statistics", rule=rule, value=published.records, way_out="Use one set of records.")
        if self.records > LARGEST:
            way_out = "Use linear_release, which bounds what is learnt about each record without such a matrix."
            rule = f"needs a matrix of all pairs of records, and is worked out for at most {LARGEST} of them"
            raise TooCostly("a belief after a release", rule, self.records, way_out)

    def _matrix(self) -> Array:
        if isinstance(self.covariance, Full | Remaining):
            return self.covariance.matrix
        return self.covariance.against(LinearMap(np.eye(self.records)))(slice(0, self.records))

    def _left(self, matrix: Array, noise: Array) -> Covariance:
        """The covariance that is left: full where it is certainly not singular."""
        known = np.diag(matrix) <= self.records * ULP * self.covariance.variances
        matrix = np.where(known[:, None] | known, 0.0, matrix)
        quiet = float(np.linalg.eigvalsh(noise)[0]) <= _QUIET * len(noise) * float(np.abs(noise).max())
        if quiet or isinstance(self.covariance, Remaining):
            return Remaining(matrix)
        try:
            return Full(matrix)
        except InvalidInput:
            return Remaining(matrix)

    def __repr__(self) -> str:
        """The size, and the structure of the covariance."""
        return f"GaussianBelief about {self.records} records, {type(self.covariance).__name__}"


@dataclass(frozen=True)
class AveragePriors:
    """The Gaussian priors of n records for which the average, published without noise, keeps r1 + log r2.

    r1   the largest squared distance of the average from its prior mean, in units of its prior variance
    r2   how strong the prior may be: the condition number of its correlations is at most r2 (1 - s_i^2 / sum of s_j^2)

    There is such a prior only if r2 is at least n/(n - 1).

    >>> print(AveragePriors(2.0, 2.0, records=2).kappa())
    relative privacy score is 2.7 (rounded up)
    """

    r1: float
    r2: float
    records: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "r1", finite_positive("r1", self.r1, "Use a number such as 4."))
        object.__setattr__(self, "r2", finite_positive("r2", self.r2, "Use a number such as 2."))
        least = self.least_r2(self.records)
        if Fraction(self.r2) < least:
            rule = f"must be at least n/(n - 1) = {float(least):.6g}, or no prior at all is in the class"
            raise InvalidInput("r2", rule, self.r2, "Use a larger r2; a statement about no prior says nothing.")

    @staticmethod
    def least_r2(records: int) -> Fraction:
        """The smallest r2 for which the class is not empty, n/(n - 1), exactly."""
        number, rule = count("records", records, "Use the number of records, at least 2."), "must be at least 2"
        require(number >= 2, name="records", rule=rule, value=number, way_out="Publish no average of 1.")
        return Fraction(number, number - 1)

    def kappa(self) -> Finding:
        """The smallest kappa of the average at delta 0, by the Dawid-Sebastiani score of each record: r1 + log r2."""
        logarithm = np.log(self.r2)
        lower, upper = down(self.r1 + down(logarithm, 2), 2), up(self.r1 + up(logarithm, 2), 2)
        inputs = {"r1": self.r1, "r2": self.r2, "records": self.records}
        basis = Basis.of("private-average")
        return Finding(RELATIVE_SCORE, upper, Direction.EXACTLY, inputs, basis, lower)

    @staticmethod
    def needed(data: ArrayLike, covariance: ArrayLike, mean: ArrayLike) -> tuple[Finding, Finding]:
        """The smallest r1 and r2 with which a prior belongs to the class for these data; estimates."""
        prior = Full(covariance)
        size = prior.records
        require(size >= 2, name="covariance", rule="must be about at least 2 records", value=size, way_out="Add one.")
        distance = np.mean(numbers("data", data, size) - numbers("mean", mean, size))
        squared = distance**2 / (prior.matrix.sum() / size**2)
        deviations = np.sqrt(prior.variances)
        eigenvalues = np.linalg.eigvalsh(prior.matrix / np.outer(deviations, deviations))
        others = 1.0 - prior.variances / prior.variances.sum()
        strength = float(eigenvalues[-1] / eigenvalues[0] / others.min())
        inputs = {"data": echo(data), "covariance": echo(covariance), "mean": echo(mean)}
        basis = Basis.of("private-average")
        return (
            Finding(DISTANCE, float(squared), Direction.ABOUT, inputs, basis),
            Finding(CONCENTRATION, strength, Direction.ABOUT, inputs, basis),
        )


def _gain(a: Array, s: Array, noise: Array, distance: Array, size: Array) -> Array:
    """K = C V^-, by the eigenvalues of V in units of its diagonal; an outcome that cannot be is refused."""
    with np.errstate(over="ignore", invalid="ignore"):
        diagonal = np.einsum("ij,jk,ik->i", np.abs(a), np.abs(s), np.abs(a), optimize=True) + np.diag(noise)
    finite = bool(np.all(np.isfinite(diagonal)))
    way_out = "Measure the data in a larger unit."
    require(finite, name="the statistics", rule="must have finite variances", value="an overflow", way_out=way_out)
    c = s @ a.T
    v = a @ c + noise
    scale = np.where(diagonal > 0, np.sqrt(diagonal), 1.0)
    values, vectors = np.linalg.eigh((v + v.T) / 2 / np.outer(scale, scale))
    some = values > _RANK * len(values)
    inside = vectors[:, some]
    far = distance / scale
    off = np.abs(far - inside @ (inside.T @ far))
    possible = bool(np.all(off <= _POSSIBLE * np.max(size / scale)))
    rule = "must be one that the belief allows, as totals without noise that depend on each other must agree"
    require(possible, name="outcome", rule=rule, value=f"{(off * scale).max():g} off", way_out="Correct the totals.")
    return np.asarray((c / scale) @ (inside / values[some]) @ inside.T / scale)
