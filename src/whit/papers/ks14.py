"""Kasiviswanathan and Smith (2014): semantic privacy and differential privacy, as stated, as proved, at best.

A semantic level is the largest distance between the beliefs of an adversary with and without a person's record. Where
the paper's number is above 1, and says nothing, it is given before it is cut off there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from whit.curves import DiscreteGaussianLoss
from whit.guarantees import PureDP, SemanticPrivacy
from whit.guarantees.conversions import (
    approximate_epsilon,
    conditioning_failure,
    convert,
    failure_by_conditioning,
    level_by_conditioning,
    level_printed,
    pointwise_failure,
    total_variation,
)
from whit.mechanisms import Gaussian, Laplace, RandomizedResponse
from whit.numerics import largest_true
from whit.papers import ks14_bounds
from whit.papers.case import Case, Way, middle

SOLVED = 1e-11
"""Nearness of a number at which two curves cross: their difference loses digits where it vanishes."""


def sigma(case: Case) -> float:
    """The noise of Appendix B: variance log(1/delta)/epsilon^2."""
    return math.sqrt(-math.log(case.given("delta"))) / case.given("eps")


def _smallest_level(case: Case) -> float:
    found = convert(PureDP(case.given("eps")), to=SemanticPrivacy).result
    assert isinstance(found, SemanticPrivacy)  # as asked
    return found.level


def _epsilon_without_failure(case: Case) -> float:
    found = convert(SemanticPrivacy(case.given("s")), to=PureDP).result
    assert isinstance(found, PureDP)  # as asked
    return found.stated_epsilon


def _both_tails(case: Case) -> float:
    loss, epsilon = RandomizedResponse(case.given("eps_rr")).loss(), case.given("eps")
    return math.exp(loss.log_tail(epsilon).mid) + 1 - math.exp(loss.log_tail_closed(-epsilon).mid)


def _theorem_2_4(case: Case) -> ks14_bounds.Printed:
    return ks14_bounds.theorem_2_4(case.given("eps"), case.given("delta"), people=int(case.inputs["n"]))


def _level_by_conditioning(epsilon: float, delta: float, people: int, exceptional: float = 0.0) -> float:
    return float(level_by_conditioning.kernel(epsilon, delta, population=people, exceptional=exceptional))


def _failure_delivered(case: Case) -> float:
    people, exceptional = int(case.inputs["n"]), case.given("delta1")
    given = case.given("eps"), case.given("delta")
    return float(failure_by_conditioning(*given, population=people, exceptional=exceptional))


def _level_delivered(case: Case) -> float:
    people, exceptional = int(case.inputs["n"]), case.given("delta1")
    return _level_by_conditioning(case.given("eps"), case.given("delta"), people, exceptional)


def _likelihood_ratio(case: Case) -> float:
    """Of two neighbouring counts, if noise has taken n away: its density at whole numbers is that of discrete noise."""
    losses = DiscreteGaussianLoss(sigma(case)).below.losses
    return math.exp(losses[len(losses) // 2 - int(case.inputs["n"])])


def _laplace(case: Case) -> float:
    return float(Laplace(case.given("scale")).standard_deviation())


WAYS: Mapping[str, Way] = {
    "semantic level of a pure promise, as stated": Way(lambda case: float(level_printed.kernel(case.given("eps")))),
    "semantic level of a pure promise, as the proof has it": Way(
        lambda case: float(level_printed.kernel(2 * case.given("eps")))
    ),
    "smallest semantic level of a pure promise": Way(_smallest_level),
    "epsilon from a semantic level with a failure": Way(lambda case: float(approximate_epsilon(case.given("s")))),
    "epsilon from a semantic level without a failure": Way(_epsilon_without_failure),
    "largest epsilon for which three times it is enough": Way(
        lambda _: float(largest_true(lambda e: approximate_epsilon.kernel(e / 2) <= 3 * e, 0.1, 0.99)), SOLVED
    ),
    "largest semantic level for which six times it is enough": Way(
        lambda _: float(largest_true(lambda s: approximate_epsilon.kernel(s) <= 6 * s, 0.1, 0.49)), SOLVED
    ),
    "two-sided tail of randomized response": Way(_both_tails),
    "point-wise failure at twice epsilon": Way(
        lambda case: float(pointwise_failure(case.given("eps"), case.given("delta")))
    ),
    "statistical distance": Way(lambda case: float(total_variation.kernel(case.given("eps"), case.given("delta")))),
    "failure after conditioning": Way(
        lambda case: float(conditioning_failure(case.given("eps"), case.given("delta"), case.given("dhat")))
    ),
    "semantic level of an approximate promise, as stated": Way(lambda case: float(_theorem_2_4(case).distance)),
    "failure of the semantic level, as stated": Way(lambda case: float(_theorem_2_4(case).failure)),
    "epsilon from which the stated level is void": Way(
        lambda _: float(largest_true(lambda e: np.asarray(_level_by_conditioning(float(e), 0.0, 1) <= 1.0), 0.01, 1.0))
    ),
    "failure that the proof delivers": Way(_failure_delivered),
    "semantic level that the proof delivers": Way(_level_delivered),
    "delta of Gaussian noise": Way(lambda case: middle(Gaussian(sigma(case)).delta(case.given("eps")))),
    "likelihood ratio under Gaussian noise": Way(_likelihood_ratio),
    "standard deviation of Laplace noise": Way(_laplace),
}
