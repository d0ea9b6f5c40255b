"""What is left of a bare promise if the mechanism sees a random sample of the records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, TypeVar

from whit.errors import NotImplied
from whit.guarantees.epsilon_delta import ApproxDP, PureDP
from whit.guarantees.guarantee import product_up
from whit.numerics import ULP, probability
from whit.setting import Neighbours
from whit.theory import Basis

Stated = TypeVar("Stated", PureDP, ApproxDP)

_RATE = "It is the probability that a record is in the sample, such as 0.01."


@dataclass(frozen=True)
class Amplified(Generic[Stated]):
    """What a promise becomes on a sample.

    Attributes:
        promise: what is promised of the whole, in the parameters of the given promise.
        basis: the theorem that it rests on.
    """

    promise: Stated
    basis: Basis


def amplified(promise: Stated, rate: float) -> Amplified[Stated]:
    """The promise of the whole if the mechanism that makes this one sees each record with a probability.

    A promise about added and removed records holds for a Poisson sample, one about replaced records for a sample of
    fixed size without replacement. Nobody learns who is in the sample.

    >>> amplified(ApproxDP(1.0, 1e-6), 0.01).promise
    ApproxDP(epsilon=0.017036863236182462, delta=1e-08)
    """
    q = probability("rate", rate, _RATE)
    way_out = "State it by epsilon, or by epsilon and delta, under add/remove or replacement."
    stated: object = promise
    if not isinstance(stated, PureDP | ApproxDP) or stated.neighbours is Neighbours.LOCAL:
        raise NotImplied("what a promise becomes on a sample", "is known for epsilon and delta", promise, way_out)
    changed: dict[str, float] = {"epsilon": _epsilon_up(promise.stated_epsilon, q)}
    if isinstance(promise, ApproxDP):
        changed["delta"] = min(product_up(q, promise.stated_delta), promise.stated_delta)
    return Amplified(promise.restated(**changed), Basis.of("amplification-by-sampling"))


def _epsilon_up(epsilon: float, q: float) -> float:
    """log(1 + q (e^epsilon - 1)), rounded up, and at most epsilon."""
    if q in (0.0, 1.0) or epsilon == 0.0:
        return epsilon * q
    small = epsilon < 1.0
    nearest = math.log1p(q * math.expm1(epsilon)) if small else epsilon + math.log(q - (1 - q) * -math.exp(-epsilon))
    error = 8 * ULP * (nearest if small else 1 + epsilon + abs(math.log(q)))
    return min(math.nextafter(nearest + error, math.inf), epsilon)
