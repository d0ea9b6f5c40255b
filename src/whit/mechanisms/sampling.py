"""Publishing a sample of the records as they are: no noise, and no loss for those who are not drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.curves import FinitePair
from whit.errors import require
from whit.mechanisms.deterministic import surely_infinite
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import drawn
from whit.numerics import ULP, count
from whit.setting import Neighbours
from whit.theory import Basis


@dataclass(frozen=True)
class SimpleRandomSample(Mechanism):
    """A simple random sample without replacement, published as it is: the loss is infinite for whoever is drawn.

    size         how many records are drawn
    population   how many there are; under add/remove, in the larger of the two datasets

    >>> print(SimpleRandomSample(size=10, population=990).delta(5.0, neighbours=Neighbours.REPLACE))
    delta is 0.0102 (rounded up)
    """

    size: int
    population: int

    def __post_init__(self) -> None:
        """Refuse numbers that are not whole, and a sample larger than the population."""
        way_out = "Give the number of records drawn and the number there are, such as 100 of 10000."
        self._keep(size=count("size", self.size, way_out), population=count("population", self.population, way_out))
        rule = f"must be at most the population, {self.population}"
        require(self.size <= self.population, name="size", rule=rule, value=self.size, way_out=way_out)

    @property
    def basis(self) -> Basis:
        """The loss of a published sample."""
        return Basis.of("sample-loss")

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
