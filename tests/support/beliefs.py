"""Beliefs with and without a person, exactly and by enumeration: every dataset, every output, Bayes' rule.

A dataset is a tuple of records, one for each person. A belief is a vector of probabilities of the datasets, a kernel a
matrix with the law of the output on each of them. An output that the world without the person never gives has no
posterior there; its distance is then taken to be 1 and its ratio not looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Dataset = tuple[int, ...]


@dataclass(frozen=True)
class Universe:
    """All datasets of so many people with so many values of a record each, and those with one person less."""

    people: int
    values: int

    @property
    def datasets(self) -> list[Dataset]:
        """The datasets with everybody in them."""
        return list(product(range(self.values), repeat=self.people))

    @property
    def smaller(self) -> list[tuple[int, Dataset]]:
        """Who is missing, and the records of the others."""
        rest = list(product(range(self.values), repeat=self.people - 1))
        return [(person, others) for person in range(self.people) for others in rest]

    @property
    def replaced(self) -> list[tuple[int, int]]:
        """Pairs of places of datasets that differ in one record."""
        data = self.datasets
        return [(i, j) for i, j in combinations(range(len(data)), 2) if _differences(data[i], data[j]) == 1]

    @property
    def removed(self) -> list[tuple[int, int]]:
        """Pairs of places of a dataset and of a smaller one; the smaller ones follow after the datasets."""
        start, smaller = len(self.datasets), self.smaller
        return [
            (i, start + smaller.index((person, x[:person] + x[person + 1 :])))
            for i, x in enumerate(self.datasets)
            for person in range(self.people)
        ]

    def default(self, person: int, record: int = 0) -> list[int]:
        """The place of each dataset once the record of the person is replaced by a fixed one."""
        data = self.datasets
        return [data.index((*x[:person], record, *x[person + 1 :])) for x in data]

    def dropped(self, person: int) -> list[int]:
        """The place of each dataset once the record of the person is dropped."""
        data, start = self.datasets, len(self.datasets)
        return [start + self.smaller.index((person, x[:person] + x[person + 1 :])) for x in data]

    def sampled(self, person: int, belief: Array, kernel: Array) -> Array:
        """The law of the output on each dataset once the record is drawn from the belief given all the others."""
        data = self.datasets
        laws = np.array(kernel[: len(data)])
        for i, x in enumerate(data):
            rows = [data.index((*x[:person], value, *x[person + 1 :])) for value in range(self.values)]
            if belief[rows].sum() > 0:
                laws[i] = belief[rows] @ kernel[rows] / belief[rows].sum()
        return laws

    def record_of(self, person: int) -> Array:
        """A matrix that sums a belief over the datasets into one over the values of the person's record."""
        return np.array([[float(x[person] == value) for x in self.datasets] for value in range(self.values)])


def _differences(first: Dataset, second: Dataset) -> int:
    return sum(a != b for a, b in zip(first, second, strict=True))


def profile(kernel: Array, pairs: list[tuple[int, int]], epsilons: Array) -> Array:
    """The largest delta of any pair, in either order, at each epsilon."""
    first, second = kernel[[i for i, _ in pairs]], kernel[[j for _, j in pairs]]
    factor = np.exp(epsilons)[..., None, None]
    gaps = [np.maximum(p - factor * q, 0.0).sum(axis=-1).max(axis=-1) for p, q in ((first, second), (second, first))]
    return np.asarray(np.maximum(*gaps))


def largest_loss(kernel: Array, pairs: list[tuple[int, int]]) -> float:
    """The largest log ratio of any pair, in either order."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(kernel)
        gaps = {(i, j): np.abs(logs[i] - logs[j]) for i, j in pairs}
    return float(max(np.max(np.where((kernel[i] == 0) & (kernel[j] == 0), 0.0, gap)) for (i, j), gap in gaps.items()))


def output_law(belief: Array, laws: Array) -> Array:
    """The probability of each output by the adversary's own belief."""
    return np.asarray(belief @ laws)


def posterior(belief: Array, laws: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The belief after each output, as columns, and where it is defined."""
    joint = belief[:, None] * laws
    total = joint.sum(axis=0)
    return joint / np.where(total > 0, total, 1.0), total > 0


def distances(belief: Array, laws: Array, without: Array) -> Array:
    """The total variation distance of the two posteriors at each output."""
    with_person, possible = posterior(belief, laws)
    other, defined = posterior(belief, without)
    return np.where(possible, np.where(defined, np.abs(with_person - other).sum(axis=0) / 2, 1.0), 0.0)


def ratios(belief: Array, laws: Array, without: Array, record: Array) -> Array:
    """The ratio of the two posteriors of each value of a record (rows) at each output; 1 where it is not defined."""
    with_person, here = posterior(belief, laws)
    other, there = posterior(belief, without)
    top, bottom = record @ with_person, record @ other
    good = here & there & (bottom > 0)
    return np.where(good, top / np.where(good, bottom, 1.0), 1.0)


def random_kernel(rng: np.random.Generator, rows: int, outputs: int) -> Array:
    """Laws of the output: far apart or close, with zeros or without."""
    spread, share = rng.choice([0.1, 0.5, 2.0]), rng.choice([0.02, 0.3, 1.0])
    laws = (1 - share) * rng.dirichlet(np.ones(outputs)) + share * rng.dirichlet(np.full(outputs, spread), size=rows)
    if rng.random() < 0.4:
        laws = np.where(rng.random(laws.shape) < 0.2, 0.0, laws) + 1e-3 * np.eye(outputs)[0]
    return np.asarray(laws / laws.sum(axis=1, keepdims=True))


def random_belief(rng: np.random.Generator, size: int) -> Array:
    """A belief about the datasets, records of different people mostly depending on each other."""
    return rng.dirichlet(np.full(size, rng.choice([0.1, 0.5, 2.0])))


Without = Callable[[Universe, int, Array, Array], Array]
"""The laws of the output on each dataset in a world without a person."""

WITHOUT: dict[str, Without] = {
    "DEFAULT_RECORD": lambda universe, person, _, kernel: kernel[universe.default(person)],
    "DROPPED": lambda universe, person, _, kernel: kernel[universe.dropped(person)],
    "POSTERIOR_SAMPLE": lambda universe, person, belief, kernel: universe.sampled(person, belief, kernel),
}
