"""All the datasets there can be, which of them are neighbours, and the statements that an adversary asks about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import combinations, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, NotImplied, TooCostly, require
from whit.numerics import count
from whit.setting import Neighbours


class Absence(Enum):
    """What stands in a dataset at the place of a person who is not in it."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        """The name that the module offers."""
        return "ABSENT"


ABSENT = Absence.ABSENT
"""The place of a person who is not in the data."""

Record: TypeAlias = Hashable
"""What is known of a person in the data: any value that can be compared, such as "ill" or 1."""

Dataset: TypeAlias = tuple[Record, ...]
"""One place for each person: a record, or ABSENT."""

LARGEST = 100_000
"""The most datasets, and the most pairs of a dataset and an outcome, that a referee goes through."""

_SMALLER = "Use fewer people, fewer records or fewer outcomes: the referee goes through all of them."


@dataclass(frozen=True)
class Universe:
    """So many people, each of them absent or with one of the records.

    people        how many
    records       the records that a person can have
    all_present   whether everybody is known to be in the data

    People are counted from 0, as the places of a dataset are.

    >>> Universe(1, ("ill", "well")).datasets
    ((ABSENT,), ('ill',), ('well',))
    """

    people: int
    records: tuple[Record, ...]
    all_present: bool = False

    def __init__(self, people: int, records: Sequence[Record], *, all_present: bool = False) -> None:
        object.__setattr__(self, "people", count("people", people, "Use the number of people, such as 2."))
        object.__setattr__(self, "records", _records(records))
        object.__setattr__(self, "all_present", bool(all_present))
        within(len(self.options) ** self.people, "a universe", "datasets")

    @property
    def options(self) -> tuple[Record, ...]:
        """What can stand at the place of a person."""
        return self.records if self.all_present else (ABSENT, *self.records)

    @cached_property
    def datasets(self) -> tuple[Dataset, ...]:
        """All of them, in the order in which beliefs and kernels list them: the last person changes first."""
        return tuple(product(self.options, repeat=self.people))

    @cached_property
    def _places(self) -> dict[Dataset, int]:
        return {dataset: place for place, dataset in enumerate(self.datasets)}

    def place(self, dataset: object) -> int:
        """The place of a dataset in the list of all."""
        try:
            return self._places[tuple(dataset)]  # type: ignore[arg-type]
        except (KeyError, TypeError) as unknown:
            rule = f"must have one of {self.options} for each of {self.people} people"
            raise InvalidInput("a dataset", rule, dataset, "Use one of universe.datasets.") from unknown

    def person(self, person: object) -> int:
        """A person of this universe, or a refusal."""
        if isinstance(person, int) and not isinstance(person, bool) and person in range(self.people):
            return person
        rule = f"must be a whole number from 0 to {self.people - 1}"
        raise InvalidInput("person", rule, person, "Use 0 for the first person.")

    def option(self, record: object) -> Record:
        """What can stand at the place of a person, or a refusal."""
        if record in self.options:
            return record
        rule = "must be one of the records of the universe, or ABSENT where people can be absent"
        raise InvalidInput("record", rule, record, f"Use one of {self.options}.")

    def altered(self, place: int, person: int, record: Record) -> int:
        """The place of the dataset that has this record of a person, and is otherwise the one at the place."""
        dataset = self.datasets[place]
        return self._places[(*dataset[:person], record, *dataset[person + 1 :])]

    def rest(self, place: int, person: int) -> Dataset:
        """The dataset at the place, without the place of the person."""
        dataset = self.datasets[place]
        return dataset[:person] + dataset[person + 1 :]

    def neighbours(self, relation: Neighbours) -> tuple[tuple[int, int], ...]:
        """The pairs of datasets, by their places, that are neighbours; each pair once.

        One person is present in one and absent in the other (ADD_REMOVE), or has one record in one and another record
        in the other (REPLACE and LOCAL).

        >>> Universe(1, ("ill", "well")).neighbours(Neighbours.ADD_REMOVE)
        ((0, 1), (0, 2))
        """
        swaps = self._swaps(Neighbours.checked(relation))
        if not swaps:
            rule = f"has no neighbours under {relation!r}"
            raise NotImplied("the universe", rule, self, "Use another relation, or let people be absent.")
        return tuple(
            (place, self.altered(place, person, second))
            for place, dataset in enumerate(self.datasets)
            for person in range(self.people)
            for first, second in swaps
            if dataset[person] == first
        )

    def _swaps(self, relation: Neighbours) -> tuple[tuple[Record, Record], ...]:
        """What may change into what at the place of one person."""
        if relation is Neighbours.ADD_REMOVE:
            return () if self.all_present else tuple((ABSENT, record) for record in self.records)
        return tuple(combinations(self.records, 2))


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


def within(size: int, name: str, things: str, way_out: str = _SMALLER) -> None:
    """Refuse what is too large to be gone through."""
    if size > LARGEST:
        raise TooCostly(name, f"must have at most {LARGEST} {things}", size, way_out)


def _records(records: object) -> tuple[Record, ...]:
    """Different records, at least one."""
    way_out = 'List what a person can have, such as ("ill", "well").'
    rule = "must be a list of different records, none of them ABSENT"
    if not isinstance(records, Sequence) or isinstance(records, str):
        raise InvalidInput("records", rule, records, way_out)
    hashable = all(isinstance(record, Hashable) for record in records)
    good = hashable and 0 < len(records) == len(set(records)) and ABSENT not in records
    require(good, name="records", rule=rule, value=records, way_out=way_out)
    return tuple(records)
