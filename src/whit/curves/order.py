"""In which order a curve dominates the truth: by its profile alone, or by its loss as well."""

from __future__ import annotations

from enum import Enum


class Order(Enum):
    """What a bound on a curve is a bound on.

    PROFILE   delta(epsilon) and the trade-off function are bounded; tails of the loss are not
    LOSS      the loss itself is bounded in law (losses rounded up), and with it the profile
    """

    PROFILE = "profile"
    LOSS = "loss"

    def __and__(self, other: Order) -> Order:
        """What is left when two curves are used together: the weaker of the two."""
        return Order.LOSS if self is other is Order.LOSS else Order.PROFILE


class Orientation(Enum):
    """Which of the two datasets is taken as the truth."""

    FORWARD = "forward"
    BACKWARD = "backward"
    WORST = "the worse of the two"
