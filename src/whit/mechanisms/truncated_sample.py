"""Noise on a Poisson sample that is cut at a largest size, as where the batches of a training must fit a machine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves import Curve, Face, LossDistribution, Order, Replacement, ToldMixture, sampled
from whit.errors import NotImplied, require
from whit.mechanisms.details import Around, Detail, Written
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.mechanism import AdditiveNoise, Mechanism
from whit.mechanisms.sampling import NOISE, POPULATION, on_sample
from whit.numerics import ULP, count, log_binomial, probability, up
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

# The chance that the sample is cut is summed up to so many records, and bounded by Chernoff's inequality beyond.
SUMMED = 10**6
# A smaller chance counts as this.
RAREST = 1e-290


@dataclass(frozen=True)
class Cut:
    """What happens where the others fill the sample.

    least, most   bounds on the chance of it
    rate          how likely one more is drawn and kept then, at most
    """

    least: float
    most: float
    rate: float


@dataclass(frozen=True)
class TruncatedPoissonSample(Mechanism):
    """Noise on a Poisson sample that is cut to at most so many records, chosen at random where more are drawn.

    mechanism    noise that sees the records that are kept, with the change by one record as its sensitivity
    rate         the probability that a record is drawn
    largest      how many are kept at most
    population   how many records there are; under add/remove, in the larger of the two datasets

    Where the sample is cut, whoever enters it takes the place of somebody, so that there the sensitivity to a replaced
    record counts; and whoever is drawn may be left out. The number of records must be the true one: of fewer, less is
    left out, and the output may reveal more. The curve is an upper bound.

    >>> from whit.setting import Sensitivity
    >>> noise = Gaussian(1.0, sensitivity=Sensitivity(add_remove=1, replace=2))
    >>> print(TruncatedPoissonSample(noise, 0.01, largest=150, population=10_000).times(1000).epsilon(1e-6))
    epsilon is at most 2.14
    """

    knows_size = True

    around: ClassVar[Around] = on_sample(
        "on a sample at rate {rate} of {population}, cut at {largest}",
        Detail("largest", "SIZE", "Noise on a Poisson sample cut at this size.", Written.WHOLE, "cut_sample"),
        Detail("rate", "RATE", "The chance of each record of such a sample.", Written.NUMBER, "cut_rate", True),
        POPULATION,
    )

    mechanism: Mechanism
    rate: float
    largest: int
    population: int

    def __post_init__(self) -> None:
        """Refuse what is no noise on a number, a rate that is no probability, and numbers that are not whole."""
        way_out = "Pass Gaussian, Laplace, Geometric or DiscreteGaussian."
        rule = "must be noise whose loss on a sample is known"
        require(isinstance(self.mechanism, NOISE), name="mechanism", rule=rule, value=self.mechanism, way_out=way_out)
        self._keep(
            rate=probability("rate", self.rate, "It is the probability that a record is drawn, such as 0.01."),
            largest=count("largest", self.largest, "Use the most records that are kept, such as 512."),
            population=count("population", self.population, "Use the number of records, such as 60000."),
        )

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Adding, removing or replacing a record."""
        return (Neighbours.ADD_REMOVE, Neighbours.REPLACE)

    @property
    def basis(self) -> Basis:
        """What the mechanism rests on, the cut, and how the transform is computed where there is one."""
        own = ("subsampled-transform",) if isinstance(self.mechanism, Gaussian) else ()
        return self.mechanism.basis | Basis.of("poisson-subsampling", "truncated-poisson-sample", *own)

    @property
    def cut(self) -> float:
        """A bound on the chance that the others fill the sample."""
        return _cut(self.population - 1, self.rate, self.largest).most

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """An upper bound on the curve: that of the whole sample, and of a replaced record where it is cut."""
        if self.relation(neighbours) is Neighbours.ADD_REMOVE:
            return Curve(_told(self._cases()), Direction.AT_MOST, Order.PROFILE, self.basis)
        # Whether the sample is cut does not depend on the record: in each case it is one removed and one added.
        cases: list[tuple[Face, float]] = [(Replacement(face), chance) for face, chance in self._cases()]
        basis = self.basis | Basis.of("replacement-by-two-steps")
        return Curve(_told(cases), Direction.AT_MOST, Order.PROFILE, basis)

    def _cases(self) -> list[tuple[Face, float]]:
        """The pair of a removed record where the sample is whole and where it is cut, with the chance of each."""
        assert isinstance(self.mechanism, AdditiveNoise)  # nothing else is taken
        whole = sampled(self.mechanism.loss(Neighbours.ADD_REMOVE), self.rate)
        found = _cut(self.population - 1, self.rate, self.largest)
        if found.most == 0.0 or _larger(self.mechanism) is Neighbours.ADD_REMOVE:
            return [(whole, 1.0)]
        changed = sampled(self.mechanism.loss(Neighbours.REPLACE), found.rate)
        return [(whole, max(1.0 - found.least, RAREST) + ULP), (changed, found.most)]

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        way_out = "Use curve(), which is an upper bound."
        raise NotImplied("the loss on a sample that is cut", "is only known by its profile", self, way_out)

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise itself, without what the choice of the sample adds."""
        return self.mechanism.standard_deviation()

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: what comes out depends on the data. Draw the sample, then the noise of the mechanism."""
        way_out = "Use mechanism.sample for the noise."
        raise NotImplied("noise alone", "does not describe a release on a sample", self, way_out)


def _larger(mechanism: AdditiveNoise) -> Neighbours:
    """Which change tells at least as much as the other: that by a replaced record, or that by an added one."""
    added, replaced = (mechanism.sensitivity.changes(each) for each in (Neighbours.ADD_REMOVE, Neighbours.REPLACE))
    if isinstance(mechanism, Gaussian):
        squares = [sum(Fraction(change) ** 2 for change in changes) for changes in (added, replaced)]
        return Neighbours.ADD_REMOVE if squares[0] >= squares[1] else Neighbours.REPLACE
    cells = max(len(added), len(replaced))
    ordered = [sorted((*each, *[0.0] * (cells - len(each))), reverse=True) for each in (added, replaced)]
    if all(a >= b for a, b in zip(*ordered, strict=True)):
        return Neighbours.ADD_REMOVE
    if all(a <= b for a, b in zip(*ordered, strict=True)):
        return Neighbours.REPLACE
    way_out = "State a replaced record by changes that are at least those of an added one, cell by cell."
    raise NotImplied("a sample that is cut", "needs one change that is the larger one", mechanism.sensitivity, way_out)


def _told(cases: list[tuple[Face, float]]) -> Face:
    """One of several pairs, where the release says which."""
    return ToldMixture(*zip(*cases, strict=True)) if len(cases) > 1 else cases[0][0]


@lru_cache(maxsize=64)
def _cut(others: int, rate: float, largest: int) -> Cut:
    """The chance that the others fill the sample, and the mean rate at which one more is kept then.

    Where m others are drawn, one more is drawn and kept with chance rate largest/(m + 1). If the others are many, only
    a bound on the chance is known: a rate that is no smaller than in a whole sample makes a larger chance tell more.
    """
    if largest > others or rate == 0.0:
        return Cut(0.0, 0.0, 0.0)
    if others > SUMMED:
        most = _chernoff(others, rate, largest)
        return Cut(most, most, rate)
    logs = log_binomial(others, rate, 1 - rate)
    lower, upper = (np.exp(np.minimum(end, 0.0))[largest:] for end in (logs.lower, logs.upper))
    least = math.fsum(lower) * (1 - 16 * ULP)
    most = min(max(math.fsum(upper) * (1 + 16 * ULP), RAREST), 1.0)
    share = largest * math.fsum(upper / np.arange(largest + 1, others + 2)) * (1 + 32 * ULP)
    highest = largest / (largest + 1) * (1 + 4 * ULP)
    return Cut(least, most, min(rate * (min(share / least, highest) if least > RAREST else highest), rate))


def _chernoff(trials: int, rate: float, wanted: int) -> float:
    """Chernoff's bound on the chance of at least so many successes."""
    share = wanted / trials
    if share <= rate or share == 1.0:
        return 1.0
    rarer = math.log1p((rate - share) / (1 - rate))
    parts = share * math.log(share / rate), (1 - share) * rarer
    # The parts are of opposite signs. Each log is off by the rounding of the share, however small the part is; all this
    # counts once for each trial, so that of very many nothing may be left.
    error = 16 * ULP * (parts[0] - parts[1] + share * (1 - rarer))
    return min(max(float(up(math.exp(-trials * max(sum(parts) - error, 0.0)), 4)), RAREST), 1.0)
