"""The published average without noise, and the class of Gaussian priors for which it keeps a promise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, require
from whit.numerics import count, down, finite_positive, up
from whit.persuasion.beliefs import numbers
from whit.persuasion.covariance import Full
from whit.persuasion.relative import RELATIVE_SCORE
from whit.theory import Basis, Direction, Finding, Quantity, Unit, echo

DISTANCE = Quantity("squared distance of the average from its prior mean, in units of its variance", Unit.NUMBER)
CONCENTRATION = Quantity("condition number over the share of the variance that others hold", Unit.NUMBER)


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
        number = count("records", self.records, "Use the number of records, at least 2.")
        require(
            number >= 2, name="records", rule="must be at least 2", value=number, way_out="Publish no average of 1."
        )
        if Fraction(self.r2) * (number - 1) < number:
            rule = f"must be at least n/(n - 1) = {number / (number - 1):.6g}, or no prior at all is in the class"
            raise InvalidInput("r2", rule, self.r2, "Use a larger r2; a statement about no prior says nothing.")

    @staticmethod
    def least_r2(records: int) -> Fraction:
        """The smallest r2 for which the class is not empty, n/(n - 1), exactly."""
        number = count("records", records, "Use the number of records, at least 2.")
        require(
            number >= 2, name="records", rule="must be at least 2", value=number, way_out="Publish no average of 1."
        )
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
