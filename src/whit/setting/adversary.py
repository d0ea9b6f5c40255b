"""Who is asking: what they believe before the release, what they know, and how surely they want an answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from numbers import Integral
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import Incompatible, InvalidInput, require
from whit.numerics import probability, probability_array

_WAY_OUT = "Give a prior alone, or inclusion and value together."


class Knowledge(Enum):
    """What the adversary takes for granted about the other people in the data; the value is a sentence that says it."""

    ANY_BELIEF = "The adversary may believe anything about the other people, also that their data depend on each other."
    EVERYONE_ELSE = "The adversary knows the records of everyone else."

    @classmethod
    def checked(cls, knows: object) -> Knowledge:
        """What the adversary knows, if it is one of Knowledge; else an error that says which there are."""
        if isinstance(knows, cls):
            return knows
        raise InvalidInput("knows", "must be one of Knowledge", knows, f"Use one of {list(cls)}.")

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Knowledge.{self.name}"


@dataclass(frozen=True, init=False)
class Adversary:
    """Somebody with a belief about one person, held before the release, and with some knowledge of the others.

    The belief is `inclusion`, the probability that the person is in the data, and `value`, the probability that their
    record has the sensitive value, given that it is in the data. A `prior` alone is the belief about a single fact that
    the record decides, such as membership: it stands for that inclusion and a value of 1.

    >>> Adversary(inclusion=0.05, value=0.1)
    Adversary(inclusion=0.05, value=0.1, knows=Knowledge.ANY_BELIEF)
    >>> Adversary(prior=0.5) == Adversary(inclusion=0.5, value=1.0)
    True
    """

    inclusion: float
    value: float
    knows: Knowledge

    @overload
    def __init__(self, *, prior: float, knows: Knowledge = ...) -> None: ...

    @overload
    def __init__(self, *, inclusion: float, value: float, knows: Knowledge = ...) -> None: ...

    def __init__(
        self,
        *,
        prior: float | None = None,
        inclusion: float | None = None,
        value: float | None = None,
        knows: Knowledge = Knowledge.ANY_BELIEF,
    ) -> None:
        Knowledge.checked(knows)
        for name, belief in zip(("inclusion", "value"), _belief(prior, inclusion, value), strict=True):
            object.__setattr__(self, name, belief)
        object.__setattr__(self, "knows", knows)

    @property
    def prior(self) -> float:
        """The probability that the person is in the data with the sensitive value."""
        return self.inclusion * self.value


def _belief(prior: float | None, inclusion: float | None, value: float | None) -> tuple[float, float]:
    """The two probabilities of the normal form."""
    if prior is not None and inclusion is None and value is None:
        return probability("prior", prior, "Use a number such as 0.5."), 1.0
    if prior is None and inclusion is not None and value is not None:
        way_out = "Use a number such as 0.1."
        return probability("inclusion", inclusion, way_out), probability("value", value, way_out)
    given = {"prior": prior, "inclusion": inclusion, "value": value}
    names = " and ".join(name for name, number in given.items() if number is not None)
    rule = "must have either a prior, or an inclusion and a value"
    raise Incompatible("an adversary", rule, names or "none of them", _WAY_OUT)


FAILURE_WAY_OUT = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."


def one_failure(failure: object) -> float:
    """The chance with which a statement may be false, 0 and 1 included."""
    return probability("failure", failure, FAILURE_WAY_OUT)


def failures(failure: ArrayLike) -> NDArray[np.float64]:
    """The chances with which statements may be false, 0 and 1 included."""
    return unmasked_probabilities("failure", failure, FAILURE_WAY_OUT)


def one_or_two(sides: object) -> int:
    """The number of sides: 1 for rises of a belief alone, 2 for falls as well."""
    if not isinstance(sides, bool) and isinstance(sides, Integral) and sides in (1, 2):
        return int(sides)
    raise InvalidInput("sides", "must be 1 or 2", sides, "Use 2 to bound falls as well.")


def unmasked_probabilities(name: str, values: ArrayLike, way_out: str) -> NDArray[np.float64]:
    """Probabilities of any shape; one that is masked is not known, and is refused."""
    whole = not np.any(getattr(values, "mask", False))  # np.ma.is_masked would load all of numpy.ma for this
    require(whole, name=name, rule="must have no masked values", value="a masked array", way_out=way_out)
    return probability_array(name, values, way_out)
