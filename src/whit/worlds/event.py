"""What an adversary asks about: a statement that is true of some datasets and false of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, NotImplied
from whit.theory import Direction, Finding, Quantity, Unit
from whit.worlds.rational import Exactly, rational, told
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


_THRESHOLD = "Use a number such as 0.5."


@dataclass(frozen=True)
class Law:
    """The values that a quantity takes over the outcomes, in rising order, with their probabilities.

    quantity    what it is that varies
    values      the values, each once
    chances     their probabilities
    undefined   the probability of outcomes after which the quantity is not defined
    inputs      what the law came from
    theorem     what it rests on
    """

    quantity: Quantity
    values: tuple[Exactly, ...]
    chances: tuple[Fraction, ...]
    undefined: Fraction
    inputs: Mapping[str, Any]
    theorem: str

    def beyond(self, threshold: float, *, closed: bool = False) -> Finding:
        """The probability that the value exceeds a threshold; reaches it, if closed. Undefined values do not count."""
        verb = "reaches" if closed else "exceeds"
        name = f"probability that the {self.quantity.name} {verb} the threshold"
        return self._told(name, self.chance_beyond(threshold, closed=closed), threshold=threshold)

    def below(self, threshold: float) -> Finding:
        """The probability that the value is less than a threshold. Undefined values do not count."""
        less = 1 - self.undefined - self.chance_beyond(threshold, closed=True)
        return self._told(
            f"probability that the {self.quantity.name} is less than the threshold", less, threshold=threshold
        )

    def chance_beyond(self, threshold: float, *, closed: bool = False) -> Fraction:
        """The probability of `beyond`, as a fraction."""
        limit = rational("threshold", threshold, _THRESHOLD)
        atoms = zip(self.values, self.chances, strict=True)
        over = (chance for value, chance in atoms if value > limit or (closed and value == limit))
        return sum(over, start=Fraction(0))

    def largest(self) -> Finding:
        """The largest value that has a positive probability."""
        if not self.values:
            rule = "has no value: it is not defined after any outcome"
            raise NotImplied(self.quantity.name, rule, "0/0", "Use a belief that does not rule out all the outcomes.")
        return told(self.quantity, self.values[-1], Direction.EXACTLY, self.inputs, self.theorem)

    def shifted(self, quantity: Quantity, shift: Fraction) -> Law:
        """The law of the value plus a number."""
        return replace(self, quantity=quantity, values=tuple(value + shift for value in self.values))

    def _told(self, name: str, chance: Fraction, **inputs: float) -> Finding:
        quantity = Quantity(name, Unit.PROBABILITY)
        return told(quantity, chance, Direction.EXACTLY, {**self.inputs, **inputs}, self.theorem)
