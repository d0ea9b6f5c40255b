"""What an adversary asks about: a statement that is true of some datasets and false of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput
from whit.worlds.universe import ABSENT, Dataset, Record, Universe

Event: TypeAlias = Callable[[Dataset], bool]
"""A function from datasets to True or False."""


@dataclass(frozen=True)
class Present:
    """The person is in the data."""

    person: int

    def __call__(self, dataset: Dataset) -> bool:
        """Whether it is so in this dataset."""
        return dataset[self.person] is not ABSENT


@dataclass(frozen=True, init=False)
class Has:
    """The person is in the data with one of these records.

    >>> Has(0, "ill")(("ill", "well"))
    True
    """

    person: int
    records: tuple[Record, ...]

    def __init__(self, person: int, *records: Record) -> None:
        object.__setattr__(self, "person", person)
        object.__setattr__(self, "records", records)

    def __call__(self, dataset: Dataset) -> bool:
        """Whether it is so in this dataset."""
        return dataset[self.person] in self.records


@dataclass(frozen=True, init=False)
class Is:
    """The data are one of these datasets."""

    datasets: tuple[Dataset, ...]

    def __init__(self, *datasets: Dataset) -> None:
        object.__setattr__(self, "datasets", tuple(map(tuple, datasets)))

    def __call__(self, dataset: Dataset) -> bool:
        """Whether it is so in this dataset."""
        return dataset in self.datasets


def holds(universe: Universe, event: object) -> NDArray[np.bool_]:
    """Where an event is true, dataset by dataset; refuses one that does not fit the universe."""
    if isinstance(event, Present | Has):
        universe.person(event.person)
    if isinstance(event, Has):
        for record in event.records:
            universe.option(record)
    if isinstance(event, Is):
        for dataset in event.datasets:
            universe.place(dataset)
    if not callable(event):
        way_out = "Use Present(0), Has(0, record), Is(dataset), or a function from datasets to True or False."
        raise InvalidInput("event", "must be a statement about datasets", event, way_out)
    return np.array([bool(event(dataset)) for dataset in universe.datasets])
