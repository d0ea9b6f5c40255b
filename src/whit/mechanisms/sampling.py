"""Releases from a sample of the records: the sample as it is, or noise on a Poisson sample."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves import (
    Curve,
    FinitePair,
    LossDistribution,
    Order,
    Replacement,
    SmallReplacement,
    identical,
    merged_atoms,
    sampled,
)
from whit.errors import NotImplied, require
from whit.mechanisms.details import Around, Detail, Written
from whit.mechanisms.discrete_gaussian import DiscreteGaussian
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.geometric import Geometric
from whit.mechanisms.laplace import Laplace
from whit.mechanisms.mechanism import AdditiveNoise, Mechanism
from whit.mechanisms.noise import drawn, surely_infinite
from whit.mechanisms.randomized_response import RandomizedResponse
from whit.mechanisms.several_records import of_several_records, require_records
from whit.numerics import ULP, count, probability
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

NOISE = Gaussian | Laplace | Geometric | DiscreteGaussian
"""The noise on a number whose loss on a sample is known."""

POPULATION = Detail(
    "population", "SIZE", "How many records there are to draw from.", Written.WHOLE, "drawn_from", needed=True
)


def on_sample(phrase: str, *details: Detail) -> Around:
    """What is made of noise that sees a sample: the words for it, and what it is stated with."""
    return Around(
        inner="mechanism",
        takes=lambda promise: isinstance(promise, NOISE),
        goes_with="noise whose loss on a sample is known",
        way_out="Use {gaussian}, {laplace}, {geometric} or {discrete_gaussian}.",
        phrase=phrase,
        details=details,
    )


_KNOWN = "must be noise whose loss on a sample is known"


@dataclass(frozen=True)
class SimpleRandomSample(Mechanism):
    """A simple random sample without replacement, published as it is: the loss is infinite for whoever is drawn.

    size         how many records are drawn
    population   how many there are; under add/remove, in the larger of the two datasets

    >>> print(SimpleRandomSample(size=10, population=990).delta(5.0, neighbours=Neighbours.REPLACE))
    delta is 0.0102 (rounded up)
    """

    all_or_nothing = True

    details = (
        Detail(
            "size", "SIZE", "A sample of so many records, published as it is.", Written.WHOLE, "published_sample", True
        ),
        POPULATION,
    )
    instead: ClassVar[str] = "The chance to be drawn is the risk: check a few sizes."

    size: int
    population: int

    def __post_init__(self) -> None:
        """Refuse numbers that are not whole, and a sample larger than the population."""
        way_out = "Give the number of records drawn and the number there are, such as 100 of 10000."
        self._keep(size=count("size", self.size, way_out), population=count("population", self.population, way_out))
        rule = f"must be at most the population, {self.population}"
        require(self.size <= self.population, name="size", rule=rule, value=self.size, way_out=way_out)

    knows_size = True
    basis = Basis.of("sample-loss")
    """The loss of a published sample."""

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Added, removed and replaced records: nobody draws a sample of what one person sends."""
        return (Neighbours.ADD_REMOVE, Neighbours.REPLACE)

    def _loss(self, neighbours: Neighbours) -> FinitePair:
        """Whoever is not drawn leaves the sample of the others, which is all that the smaller dataset can give."""
        if self.size == self.population:
            return surely_infinite()
        drawn_chance, rest = math.log(self.size / self.population), self._log_rest()
        error = 8 * ULP * (1 + abs(drawn_chance))
        if neighbours is Neighbours.ADD_REMOVE:
            return FinitePair(np.array([rest]), np.array([rest]), drawn_chance, -np.inf, error, 4 * ULP * -rest)
        return FinitePair(np.zeros(1), np.array([rest]), drawn_chance, drawn_chance, error)

    def _log_rest(self) -> float:
        """Log of the probability of not being drawn, with all its digits whether that is rare or common."""
        if 2 * self.size <= self.population:
            return math.log1p(-self.size / self.population)
        return math.log((self.population - self.size) / self.population)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[np.int64]:
        """Samples as positions of records, along the last axis, for simulation; not for release."""
        shape = drawn(size)
        everybody = np.broadcast_to(np.arange(self.population), (*shape, self.population))
        return rng.permuted(everybody, axis=-1)[..., : self.size]


@dataclass(frozen=True, repr=False)
class PoissonSubsampled(Mechanism):
    """Noise on a Poisson sample, as in training with noisy gradients (DP-SGD).

    With rate q, removing someone compares (1 - q) N(0) + q N(1) with N(0); adding someone compares them the other way
    round, which is the backward orientation. At rate 0 nothing is seen, at rate 1 everybody. Of randomized response,
    those who are drawn report; who they are may be known.

    mechanism   the noise, with the change by one record as its sensitivity
    rate        the probability that a record is drawn
    records     how many records one person has at most, each drawn by itself; a person comes and goes with all of them

    >>> print(PoissonSubsampled(Gaussian(1.0), 0.01).times(1000).power(0.01))
    power of the best test is 2.92 % (rounded up)
    >>> print(PoissonSubsampled(Gaussian(1.0), 0.01, records=3).times(1000).power(0.01))
    power of the best test is 14.2 % (rounded up)
    """

    around: ClassVar[Around] = Around(
        inner="mechanism",
        takes=lambda promise: isinstance(promise, NOISE | RandomizedResponse),
        goes_with="noise whose loss on a sample is known",
        way_out="Use {gaussian}, {laplace}, {geometric}, {discrete_gaussian} or {randomized_response}.",
        phrase="on a sample at rate {rate}",
        details=(
            Detail(
                "rate",
                "RATE",
                "Noise that sees each record with this probability (Poisson sampling).",
                Written.NUMBER,
                "sampling_rate",
            ),
            Detail("records", "K", "The most records of one person, each drawn by itself.", Written.WHOLE),
        ),
        also={"records": ", {records} records of each person"},
    )

    mechanism: Mechanism
    rate: float
    records: int = 1

    def __post_init__(self) -> None:
        """Refuse a mechanism whose subsampled loss is not known, and a rate that is no probability."""
        require(
            isinstance(self.mechanism, NOISE | RandomizedResponse),
            name="mechanism",
            rule=_KNOWN,
            value=self.mechanism,
            way_out="Pass Gaussian, Laplace, Geometric, DiscreteGaussian or RandomizedResponse.",
        )
        self._keep(rate=probability("rate", self.rate, "It is the probability that a record is sampled, such as 0.01."))
        self._keep(records=require_records(self.records, self.mechanism))

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Adding, removing or replacing a record; of randomized response, any two answers of the one who reports."""
        return self.mechanism.relations if self._reports else (Neighbours.ADD_REMOVE, Neighbours.REPLACE)

    @property
    def _reports(self) -> bool:
        return isinstance(self.mechanism, RandomizedResponse)

    @property
    def basis(self) -> Basis:
        """What the mechanism rests on, subsampling, and how its transform is computed where there is need of one."""
        if self._reports:
            return self.mechanism.basis | Basis.of("mixtures")
        if self.records > 1:
            return self.mechanism.basis | Basis.of("sampled-records-of-one-person")
        dense = isinstance(self.mechanism, Gaussian | Laplace)
        own = ("poisson-subsampling", "subsampled-transform") if dense else ("poisson-subsampling",)
        return self.mechanism.basis | Basis.of(*own)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve between the neighbours that are easiest to tell apart; of a replaced record, an upper bound."""
        relation = self.relation(neighbours)
        if relation is Neighbours.REPLACE and not self._reports:
            return self._replaced()
        curve = super().curve(relation)
        return curve.by_profile() if isinstance(self.mechanism, DiscreteGaussian) else curve

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        if neighbours is Neighbours.REPLACE and not self._reports:
            way_out = "Use curve(), which is an upper bound."
            raise NotImplied("the loss of a replaced record", "is only known by its profile", self, way_out)
        base = self.mechanism.loss(neighbours)
        if self.records > 1:
            return of_several_records(base, self.rate, self.records)
        return _seldom(base, self.rate) if self._reports else sampled(base, self.rate)

    def _replaced(self) -> Curve:
        """An upper bound on the curve of a record that is replaced, or of all records of a person."""
        if self.rate == 1 and self.records == 1:
            curve = self.mechanism.curve(Neighbours.REPLACE)
            return replace(curve, basis=curve.basis | self.basis)
        removed = self.loss(Neighbours.ADD_REMOVE)
        small = self.records == 1 and _changes_no_more(self.mechanism)
        face = SmallReplacement(removed) if small else Replacement(removed)
        own = Basis.of("sampled-small-replacement" if small else "replacement-by-two-steps")
        return Curve(face, Direction.AT_MOST, Order.PROFILE, self.basis | own)

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise itself, without what the choice of the sample adds."""
        return self.mechanism.standard_deviation()

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: what comes out depends on the data. Draw the sample, then the noise of the mechanism."""
        way_out = "Use mechanism.sample for the noise."
        raise NotImplied("noise alone", "does not describe a release on a sample", self, way_out)

    def to_dict(self) -> dict[str, Any]:
        """The kind and its parameters; that a person has one record is left out."""
        named = super().to_dict()
        return named if self.records > 1 else {name: value for name, value in named.items() if name != "records"}

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism; that a person has one record is left out."""
        several = f", records={self.records!r}" if self.records > 1 else ""
        return f"PoissonSubsampled(mechanism={self.mechanism!r}, rate={self.rate!r}{several})"


def _changes_no_more(mechanism: Mechanism) -> bool:
    """Whether it is known that replacing a record tells no more than adding one, where everybody is seen."""
    assert isinstance(mechanism, AdditiveNoise)  # nothing else is asked
    added, replaced = (mechanism.sensitivity.changes(each) for each in (Neighbours.ADD_REMOVE, Neighbours.REPLACE))
    if isinstance(mechanism, Gaussian):
        squares = [sum(Fraction(change) ** 2 for change in changes) for changes in (replaced, added)]
        return squares[0] <= squares[1]
    return replaced == added or (len(replaced) <= 1 and len(added) == 1 and sum(replaced) <= added[0])


@dataclass(frozen=True)
class SampledWithoutReplacement(Mechanism):
    """Noise on a simple random sample of fixed size: every subset of that size is as likely as any other.

    mechanism    noise that sees the sample
    size         how many records are drawn
    population   how many there are; under add/remove, in the larger of the two datasets

    What a record that is drawn tells is what replacing it in the sample does, so that the sensitivity to a replaced
    record counts under both relations. The curve is an upper bound.

    >>> print(SampledWithoutReplacement(Gaussian(1.0), size=10, population=1000).times(100).epsilon(1e-6))
    epsilon is at most 0.999
    """

    knows_size = True
    around: ClassVar[Around] = on_sample(
        "on a sample of {size} out of {population}",
        Detail("size", "SIZE", "Noise on a sample of so many records, all alike likely.", Written.WHOLE, "sample_size"),
        POPULATION,
    )

    mechanism: Mechanism
    size: int
    population: int

    def __post_init__(self) -> None:
        """Refuse what is no noise on a number, and a sample larger than the population."""
        way_out = "Pass Gaussian, Laplace, Geometric or DiscreteGaussian."
        known = isinstance(self.mechanism, NOISE)
        require(known, name="mechanism", rule=_KNOWN, value=self.mechanism, way_out=way_out)
        drawn_of = SimpleRandomSample(self.size, self.population)  # refuses sizes that are none
        self._keep(size=drawn_of.size, population=drawn_of.population)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Replacing a record, or adding or removing one while as many are drawn."""
        return (Neighbours.REPLACE, Neighbours.ADD_REMOVE)

    @property
    def basis(self) -> Basis:
        """What the mechanism rests on, and sampling."""
        return self.mechanism.basis | Basis.of("sampling-without-replacement")

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """An upper bound on the curve."""
        relation, rate = self.relation(neighbours), self.size / self.population
        exact = Fraction(self.size, self.population)
        rate = rate if Fraction(rate) >= exact else math.nextafter(rate, 1.0)  # a larger sample tells more
        removed = sampled(self.mechanism.loss(Neighbours.REPLACE), rate)
        face = SmallReplacement(removed) if relation is Neighbours.REPLACE and rate < 1 else removed
        return Curve(face, Direction.AT_MOST, Order.PROFILE, self.basis)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        way_out = "Use curve(), which is an upper bound."
        raise NotImplied("the loss on a sample of fixed size", "is only known by its profile", self, way_out)

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise itself, without what the choice of the sample adds."""
        return self.mechanism.standard_deviation()

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: what comes out depends on the data. Draw the sample, then the noise of the mechanism."""
        way_out = "Use SimpleRandomSample for the sample and mechanism.sample for the noise."
        raise NotImplied("noise alone", "does not describe a release on a sample", self, way_out)


def _seldom(loss: LossDistribution, rate: float) -> LossDistribution:
    """The loss of a report that is made with this chance, and of none otherwise."""
    assert isinstance(loss, FinitePair)  # that of randomized response is
    if rate in (0.0, 1.0):
        return loss if rate else identical()
    losses, log_masses = np.append(loss.losses, 0.0), np.append(loss.log_masses + math.log(rate), math.log1p(-rate))
    return merged_atoms(
        losses,
        log_masses,
        log_infinity=-np.inf,
        log_missing=-np.inf,
        mass_error=loss.mass_error + 8 * ULP * (1 + float(np.max(np.abs(log_masses)))),
        loss_error=loss.loss_error,
        infinity_error=0.0,
    )
