"""What a number rests on: theorems, and what may still go wrong.

Four things that are not one are kept apart here: the delta of a promise is part of its inputs and appears nowhere in
a basis; the chance that a statement fails is a Failure, one for each randomness; rounding is slack; mass that was
cut off is truncation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from whit import theory
from whit.errors import require
from whit.numerics import add_up, finite_nonnegative, probability
from whit.theory.keys import require_theorem


class Randomness(Enum):
    """The chance over which a statement may fail."""

    MECHANISM = "the noise of the release"
    SIMULATION = "the draws of a simulation"


@dataclass(frozen=True)
class Failure:
    """The probability that a statement is false, and over which randomness."""

    probability: float
    over: Randomness

    def __post_init__(self) -> None:
        way_out = "Give the chance that the statement is false, such as 0.01."
        object.__setattr__(self, "probability", probability("the probability of failure", self.probability, way_out))
        require(
            isinstance(self.over, Randomness),
            name="the randomness of a failure",
            rule="must be a Randomness",
            value=self.over,
            way_out="Use Randomness.MECHANISM or Randomness.SIMULATION.",
        )


@dataclass(frozen=True)
class Basis:
    """The theorems that a number follows from, and how far it may be trusted.

    A basis brings itself into one form: each theorem once, in the order of first mention; one failure for each
    randomness, by the union bound; no failure of probability 0.

    Attributes:
        theorems: keys of the registry.
        failures: the chances that the statement is false.
        slack: relative rounding error, already added on the safe side of a bound.
        truncation: probability mass that was cut off, already added on the safe side of a bound.
    """

    theorems: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    slack: float = 0.0
    truncation: float = 0.0

    def __post_init__(self) -> None:
        for key in self.theorems:
            require_theorem(key)
        object.__setattr__(self, "theorems", tuple(dict.fromkeys(self.theorems)))
        object.__setattr__(self, "failures", _one_per_randomness(self.failures))
        for name in ("slack", "truncation"):
            way_out = "Use 0 where nothing was rounded or cut off."
            object.__setattr__(self, name, finite_nonnegative(name, getattr(self, name), way_out))

    @classmethod
    def of(cls, *keys: str) -> Basis:
        """The basis of a result that follows from these theorems, with nothing else to say.

        >>> Basis.of("gaussian-profile").assumptions
        ('neighbours-as-stated', 'unit-as-stated', 'noise-as-modelled')
        """
        return cls(theorems=keys)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Keys of the assumptions that the theorems make, each once."""
        return tuple(dict.fromkeys(name for key in self.theorems for name in theory.theorem(key).assumptions))

    def __or__(self, other: Basis) -> Basis:
        """The basis of a result that needs both: theorems joined, failures, slack and truncation added."""
        if not isinstance(other, Basis):
            return NotImplemented
        return Basis(
            theorems=self.theorems + other.theorems,
            failures=self.failures + other.failures,
            slack=float(add_up(self.slack, other.slack)),
            truncation=float(add_up(self.truncation, other.truncation)),
        )


def _one_per_randomness(failures: tuple[Failure, ...]) -> tuple[Failure, ...]:
    """The union bound for each randomness, rounded up and cut at 1; failures that cannot happen are left out."""
    totals = dict.fromkeys(Randomness, 0.0)
    for failure in failures:
        totals[failure.over] = min(1.0, float(add_up(totals[failure.over], failure.probability)))
    return tuple(Failure(total, over) for over, total in totals.items() if total > 0.0)
