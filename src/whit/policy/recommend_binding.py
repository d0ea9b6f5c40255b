"""What decides a recommendation: an adversary of a profile, a limit, or a promise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from whit.assessment import promise_name
from whit.guarantees import Guarantee
from whit.policy.limits import Limit
from whit.theory import Finding


class Binding(ABC):
    """What decides, and how far the releases go towards it."""

    @abstractmethod
    def __str__(self) -> str:
        """A clause that says it."""


@dataclass(frozen=True)
class ProfileBinding(Binding):
    """The adversary with the least room between risk and limit.

    Attributes:
        inclusion: their probability that the person is in the data; 0 stands for the limit towards 0.
        value: their probability of the sensitive value; 0 stands for the limit towards 0.
        limit: the largest relative risk that the profile accepts from them.
        risk: the relative risk that the recommended parameter lets happen.
    """

    inclusion: float
    value: float
    limit: float
    risk: Finding

    def __str__(self) -> str:
        who = f"inclusion {_belief(self.inclusion)} and value {_belief(self.value)}"
        return f"an adversary with {who}, whose relative risk may be {self.limit:.4g}"


@dataclass(frozen=True)
class LimitBinding(Binding):
    """The limit, and how much of it is left."""

    limit: Limit
    left: Finding

    def __str__(self) -> str:
        given = {name: value for name, value in vars(self.limit).items() if value is not None}
        return f"the limit {', '.join(f'{name}={value:.15g}' for name, value in given.items())}"


@dataclass(frozen=True)
class PromiseBinding(Binding):
    """The promise, and the delta of the releases at its epsilon."""

    promise: Guarantee
    delta: Finding

    def __str__(self) -> str:
        return f"the promise {promise_name(self.promise)}"


def _belief(probability: float) -> str:
    return f"{probability:.4g}" if probability > 0.0 else "close to 0"
