"""Noise on a Poisson sample that is cut at a largest size, as where the batches of a training must fit a machine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves import Curve, Face, LossDistribution, Order, Replacement, ToldMixture, sampled
from whit.errors import NotImplied, require
from whit.mechanisms.details import Around, Detail, Written
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.mechanism import AdditiveNoise, Mechanism
from whit.mechanisms.sampling import NOISE, POPULATION, on_sample
from whit.numerics import ULP, count, log_binomial, probability
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

# The chance that the sample is cut is summed up to so many records, and bounded by Chernoff's inequality beyond.
SUMMED = 10**6
# A smaller chance counts as this.
RAREST = 1e-290
# Numbers of records that are drawn are put together up to this ratio, and those beyond which this share is left. With a
# replaced record each case is dear.
CLOSE, CLOSE_IF_REPLACED = 1.01, 1.05
RARE = 1e-3


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
        """What the mechanism rests on, and the cut."""
        return self.mechanism.basis | Basis.of("poisson-subsampling", "truncated-poisson-sample")

    @property
    def cut(self) -> float:
        """A bound on the chance that the others fill the sample."""
        return float(min(math.fsum(chance for _, chance in self._cuts(CLOSE_IF_REPLACED)), 1.0))

    def _cuts(self, ratio: float) -> tuple[tuple[float, float], ...]:
        return _cuts(self.population - 1, self.rate, self.largest, ratio)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """An upper bound on the curve: that of the whole sample, and of a replaced record where it is cut."""
        if self.relation(neighbours) is Neighbours.ADD_REMOVE:
            return Curve(self._removed(CLOSE), Direction.AT_MOST, Order.PROFILE, self.basis)
        basis = self.basis | Basis.of("replacement-by-two-steps")
        return Curve(Replacement(self._removed(CLOSE_IF_REPLACED)), Direction.AT_MOST, Order.PROFILE, basis)

    def _removed(self, ratio: float) -> Face:
        assert isinstance(self.mechanism, AdditiveNoise)  # nothing else is taken
        whole = sampled(self.mechanism.loss(Neighbours.ADD_REMOVE), self.rate)
        if self.cut == 0.0 or _larger(self.mechanism) is Neighbours.ADD_REMOVE:
            return whole
        changed, cuts = self.mechanism.loss(Neighbours.REPLACE), self._cuts(ratio)
        faces = [sampled(changed, rate) for rate, _ in cuts]
        rest = 1.0 - math.fsum(chance for _, chance in cuts)
        if rest <= 0.0:
            whole, rest = faces[0], RAREST
        return ToldMixture((whole, *faces), (rest + ULP, *(chance for _, chance in cuts)))

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


@lru_cache(maxsize=64)
def _cuts(others: int, rate: float, largest: int, ratio: float) -> tuple[tuple[float, float], ...]:
    """The cases in which the others fill the sample: the rate at which one more is kept then, and the chance of it.

    Where m others are drawn, one more is drawn and kept with chance rate largest/(m + 1). Numbers m up to a
    ratio to each other are one case, with the largest of their rates.
    """
    if largest > others or rate == 0.0:
        return ()
    if others > SUMMED:
        return ((_kept(rate, largest, largest), _chernoff(others, rate, largest)),)
    chances = np.exp(np.minimum(log_binomial(others, rate, 1 - rate).upper, 0.0)) * (1 + 8 * ULP)
    tails = np.cumsum(chances[::-1])[::-1] * (1 + 8 * ULP * (1 + others))
    starts = [largest]
    while (following := math.ceil(ratio * (starts[-1] + 1))) <= others and tails[following] > RARE * tails[largest]:
        starts.append(following)
    ends = [*starts[1:], others + 1]
    cases = [math.fsum(chances[start:end]) * (1 + 8 * ULP) for start, end in pairwise([*starts, ends[-1]])]
    return tuple((_kept(rate, largest, m), min(max(case, RAREST), 1.0)) for m, case in zip(starts, cases, strict=True))


def _kept(rate: float, largest: int, others: int) -> float:
    """The chance that one more is drawn and kept, rounded up."""
    return min(math.nextafter(rate * (largest / (others + 1)), 1.0) * (1 + 4 * ULP), rate)


def _chernoff(trials: int, rate: float, wanted: int) -> float:
    """Chernoff's bound on the chance of at least so many successes."""
    share = wanted / trials
    if share <= rate or share == 1.0:
        return 1.0
    parts = share * math.log(share / rate), (1 - share) * math.log1p((rate - share) / (1 - rate))
    exponent = sum(parts) - 16 * ULP * (parts[0] - parts[1])  # they are of opposite signs
    return max(math.exp(-trials * max(exponent, 0.0)), RAREST)
