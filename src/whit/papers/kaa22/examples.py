"""Example 4.9, in which processing raises a tail; Example 5.8, a mixture; Example 7.2, a belief that is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from whit.guarantees import ProbabilisticallyBoundedDP
from whit.mechanisms import Finite, RandomizedResponse
from whit.papers.case import Case, Way, middle
from whit.semantics import testing
from whit.worlds import Belief, Has, Resampled, Universe, World

JESSIE = 0
"""The place of Jessie among the people of Example 7.2; everyone else is known and left out."""

_VERDICTS = [[0.0, 1.0], [0.05, 0.95], [1.0, 0.0], [0.0, 1.0]]
"""The test of Example 5.8: what it makes of 2, -2, 1 and 0."""


def mixture() -> Finite:
    """Example 5.8: one of two releases by the toss of a coin. The first answers 2 or -2, the second 1 or 0."""
    truth = float(RandomizedResponse(1.0).probability_of_exact_answer())
    first = np.array([[truth, 1 - truth, 0.0, 0.0], [1 - truth, truth, 0.0, 0.0]])
    other = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.01, 0.99]])
    return Finite(*((first + other) / 2))


def point(case: Case) -> ProbabilisticallyBoundedDP:
    """The point of pbdp that both releases of Example 5.8 have."""
    return ProbabilisticallyBoundedDP(case.given("eps"), case.given("delta"))


def level(case: Case) -> float:
    """The level up to which a point of pbdp keeps the power at its delta."""
    promise = point(case)
    return float(testing.level(promise, promise.stated_delta))


def wrong_belief(case: Case) -> World:
    """Example 7.2: who is sure that nobody but Jessie may be in the group sees 101.3, a count of 100 with noise.

    The outcomes are "about 101.3" and any other. Of the law of the first only the ratio matters, e^(output - 1/2) for
    a count of 1 against 0: its own size is beyond what a number can hold.
    """
    prior, output = Fraction(case.inputs["prior"]), case.given("output")
    belief = Belief.product(Universe(1, (0, 1), all_present=True), [{1: prior, 0: 1 - prior}])
    likely = Fraction(1, 2), Fraction(1, 2)
    less = likely[0] * Fraction(math.exp(0.5 - output))
    return World.releasing(belief, lambda data: likely if data[JESSIE] == 1 else (less, 1 - less))


WAYS: Mapping[str, Way] = {
    "tail of the loss of two answers": Way(
        lambda case: middle(RandomizedResponse(case.given("eps")).times(2).tail(case.given("eps") / 2))
    ),
    "tail of the loss of the first answer": Way(
        lambda case: middle(RandomizedResponse(case.given("eps")).tail(case.given("eps") / 2))
    ),
    "false alarms of the test of Example 5.8": Way(lambda _: float(mixture().then(_VERDICTS).p[0])),
    "power of the test of Example 5.8": Way(lambda _: float(mixture().then(_VERDICTS).q[0])),
    "level of a point of pbdp": Way(level),
    "power against the second release of Example 5.8": Way(
        lambda case: middle(testing.power(Finite([0.0, 1.0], [0.01, 0.99]), level(case)))
    ),
    "doubt left after the release": Way(lambda case: float(wrong_belief(case).posterior(Has(JESSIE, 0), 0))),
    "ratio of the posteriors": Way(
        lambda case: float(wrong_belief(case).posterior_ratio(Resampled(JESSIE), Has(JESSIE, 1), 0))
    ),
}
"""What recomputes each of these quantities."""
