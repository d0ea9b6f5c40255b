"""What to ask where nothing but certainty bounds a belief: a failure probability, if the answer gets better by it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from whit.assessment import assess_one
from whit.curves import Promise, largest_loss
from whit.setting import Adversary, Neighbours
from whit.theory import NEARLY_CERTAIN

HINTED = 0.01
"""The failure that is suggested."""

NOT_ALWAYS = (
    "No bound below 100 % holds for every outcome. "
    "Add --failure 0.01 for a bound that holds except with probability 1 %."
)
"""What is said where a failure would give a bound."""

TOO_FREQUENT = "No bound below 100 % holds, because an outcome that gives the fact away is too frequent."
"""What is said where no small failure excepts what gives the fact away."""

TOO_LITTLE = (
    "No bound below 100 % holds for every outcome. A bound that may fail with probability 1 % also exceeds 99.9 %. "
    "More noise or fewer releases would lower it."
)
"""What is said where a failure leaves the adversary nearly certain."""


def hint_of(
    promise: Promise, adversaries: Iterable[Adversary], *, neighbours: Neighbours | None, failure: float
) -> tuple[str, ...]:
    """What to ask instead of a bound that always holds, where the promise has none."""
    if not has_no_bound(promise, neighbours=neighbours, failure=failure):
        return ()
    if float(promise.delta(math.inf, neighbours=neighbours)) >= HINTED:
        return (TOO_FREQUENT,)
    return (NOT_ALWAYS,) if any(_helps(promise, each, neighbours) for each in adversaries) else (TOO_LITTLE,)


def has_no_bound(promise: Promise, *, neighbours: Neighbours | None, failure: float) -> bool:
    """Whether no failure was allowed, and the loss has no bound without one."""
    return failure == 0.0 and math.isinf(float(largest_loss(promise, 0.0, neighbours=neighbours)))


def _helps(promise: Promise, adversary: Adversary, neighbours: Neighbours | None) -> bool:
    """Whether an adversary would be less than nearly sure; one who was before, than halfway from there to certainty."""
    enough = max(float(NEARLY_CERTAIN), (1.0 + adversary.prior) / 2.0)
    if _is_hopeless(promise, adversary, neighbours, enough):
        return False
    questions = ("posterior", "absolute_risk")
    found = assess_one(promise, adversary, neighbours=neighbours, failure=HINTED, questions=questions)
    bound = found.posterior.worst or found.absolute_risk.worst
    return bound is not None and float(bound) < enough


def _is_hopeless(promise: Promise, adversary: Adversary, neighbours: Neighbours | None, enough: float) -> bool:
    """Whether one point of the profile shows that no bound helps: the search for the best one can take a minute.

    Beyond the loss that makes the posterior enough, the chance is at least delta there, and the adversary expects it
    with their prior at least. Twice the failure is beyond all rounding.
    """
    if adversary.value != 1.0 or not 0.0 < adversary.prior < 1.0:
        return False
    loss = math.log(enough / (1.0 - enough)) - math.log(adversary.prior / (1.0 - adversary.prior))
    return adversary.prior * float(promise.delta(loss, neighbours=neighbours)) > 2.0 * HINTED
