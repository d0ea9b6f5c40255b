"""How often, and when, the records of one person enter the steps of a matrix mechanism."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, require
from whit.numerics import count


class Participation(ABC):
    """The sets of steps that one person may take part in."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The participation in words, from which `participation_of` reads it again."""

    @abstractmethod
    def most(self, steps: int) -> int:
        """In how many of so many steps one person takes part, at most."""

    @abstractmethod
    def distance(self, steps: int) -> int:
        """How many steps lie at least from one part to the next."""

    @abstractmethod
    def heaviest(self, weights: NDArray[Any]) -> NDArray[Any]:
        """The largest sum of weights, one for each step along the last axis, over the sets; weights are at least 0."""


@dataclass(frozen=True)
class Once(Participation):
    """In one step: a single epoch."""

    @property
    def words(self) -> str:
        """Once."""
        return "once"

    def most(self, steps: int) -> int:
        """One."""
        return 1

    def distance(self, steps: int) -> int:
        """More than there are: no two steps are taken."""
        return steps

    def heaviest(self, weights: NDArray[Any]) -> NDArray[Any]:
        """The largest weight."""
        return np.asarray(np.max(weights, axis=-1))


@dataclass(frozen=True)
class Epochs(Participation):
    """In the same step of each of so many epochs, which are equally long: (k, b)-participation."""

    number: int

    @property
    def words(self) -> str:
        """How many epochs."""
        return f"{self.number} epochs"

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", count("number", self.number, "Use the number of epochs, such as 10."))

    def most(self, steps: int) -> int:
        """As many as there are epochs; refused where these do not fit."""
        rule = f"must divide the number of steps, {steps}"
        way_out = "Use epochs of equal length, or Separated for others."
        require(steps % self.number == 0, name="the number of epochs", rule=rule, value=self.number, way_out=way_out)
        return self.number

    def distance(self, steps: int) -> int:
        """The length of an epoch."""
        return steps // self.most(steps)

    def heaviest(self, weights: NDArray[Any]) -> NDArray[Any]:
        """The largest sum over the steps of equal place in their epochs."""
        by_epoch = weights.reshape(*weights.shape[:-1], self.number, self.distance(weights.shape[-1]))
        return np.asarray(np.max(np.sum(by_epoch, axis=-2), axis=-1))


@dataclass(frozen=True)
class Separated(Participation):
    """In steps that lie so many apart at least, and in so many of them at most: b-min-separation.

    >>> Separated(by=2).most(5)
    3
    """

    by: int
    at_most: int | None = None

    @property
    def words(self) -> str:
        """How far apart, and how often at most."""
        return f"{self.by} apart" if self.at_most is None else f"{self.by} apart at most {self.at_most} times"

    def __post_init__(self) -> None:
        way_out = "Use whole numbers, such as by=100 and at_most=5."
        object.__setattr__(self, "by", count("by", self.by, way_out))
        if self.at_most is not None:
            object.__setattr__(self, "at_most", count("at_most", self.at_most, way_out))

    def most(self, steps: int) -> int:
        """As many as fit, or as are allowed."""
        fitting = math.ceil(steps / self.by)
        return fitting if self.at_most is None else min(fitting, self.at_most)

    def distance(self, steps: int) -> int:
        """As stated."""
        return self.by

    def heaviest(self, weights: NDArray[Any]) -> NDArray[Any]:
        """For one part more at a time: take a step and the best of those far enough behind it, or leave it out."""
        steps = weights.shape[-1]
        best = np.zeros((*weights.shape[:-1], steps + self.by), dtype=weights.dtype)
        for _ in range(self.most(steps)):
            best[..., :steps] = weights + best[..., self.by :]
            best = np.maximum.accumulate(best[..., ::-1], axis=-1)[..., ::-1]
        return np.asarray(best[..., 0])


_WORDS = re.compile(r"once|(\d+) epochs?|(\d+) apart(?:,? at most (\d+) times?)?")


def participation_of(text: str) -> Participation:
    """The participation that is said in words.

    >>> participation_of("10 epochs"), participation_of("100 apart at most 5 times")
    (Epochs(number=10), Separated(by=100, at_most=5))
    """
    found = _WORDS.fullmatch(" ".join(text.lower().split()))
    if found is None:
        way_out = 'Use once, "10 epochs", "100 apart" or "100 apart at most 5 times".'
        raise InvalidInput("participation", "must say which steps one person enters", text, way_out)
    epochs, by, at_most = (None if each is None else int(each) for each in found.groups())
    if by is not None:
        return Separated(by, at_most)
    return Once() if epochs is None else Epochs(epochs)
