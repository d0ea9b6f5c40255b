"""Kifer, Abowd, Ashmead and others (2022), neighbours that replace a record throughout: all but the 2020 Census.

What a promise by its parameters says of tests and of the loss: Sections 5 to 7, Tables 1, 2 and 6, the figures. Example
4.9, in which processing raises a tail; Example 5.8, a mixture; Example 7.2, a belief that is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import SupportsFloat

import numpy as np

from whit.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    ProbabilisticallyBoundedDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from whit.mechanisms import Finite, RandomizedResponse
from whit.papers import kaa22_census
from whit.papers.case import Case, Way, middle
from whit.plans import Rho
from whit.semantics import testing
from whit.setting import Neighbours
from whit.worlds import Belief, Has, Resampled, Universe, World

JESSIE = 0
"""The place of Jessie among the people of Example 7.2; everyone else is known and left out."""

# The test of Example 5.8: what it makes of 2, -2, 1 and 0.
_VERDICTS = [[0.0, 1.0], [0.05, 0.95], [1.0, 0.0], [0.0, 1.0]]


def gaussian(case: Case) -> GaussianDP:
    """Gaussian noise with this rho: mu^2 = 2 rho."""
    return GaussianDP(math.sqrt(2 * case.given("rho")), neighbours=Neighbours.REPLACE)


def concentrated(case: Case) -> ZeroConcentratedDP:
    """Any noise with this rho."""
    return ZeroConcentratedDP(case.given("rho"), neighbours=Neighbours.REPLACE)


def renyi(case: Case) -> RenyiDP:
    """Any noise with this divergence at one order."""
    return RenyiDP({case.given("alpha"): case.given("gamma")}, neighbours=Neighbours.REPLACE)


def pure(case: Case) -> PureDP:
    """Any noise with this epsilon."""
    return PureDP(case.given("eps"), neighbours=Neighbours.REPLACE)


def approximate(case: Case) -> ApproxDP:
    """Any noise with this epsilon and delta."""
    return ApproxDP(case.given("eps"), case.given("delta"), neighbours=Neighbours.REPLACE)


def variance(case: Case) -> float:
    """The variance of noise on one count, which changes by 1, that meets this rho."""
    return float(Rho(case.inputs["rho"]).spread(Fraction(1), 1, Fraction(1)))


def _at(promise: Callable[[Case], Guarantee], question: Callable[..., SupportsFloat], point: str) -> Way:
    """The way by a question to the promise of a case, at a level or an epsilon."""
    return Way(lambda case: float(question(promise(case), case.given(point))))


def mixture() -> Finite:
    """Example 5.8: one of two releases by the toss of a coin. The first answers 2 or -2, the second 1 or 0."""
    truth = float(RandomizedResponse(1.0).probability_of_exact_answer())
    first = np.array([[truth, 1 - truth, 0.0, 0.0], [1 - truth, truth, 0.0, 0.0]])
    other = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.01, 0.99]])
    return Finite(*((first + other) / 2))


def level(case: Case) -> float:
    """The level up to which a point of pbdp keeps the power at its delta; both releases of Example 5.8 have one."""
    promise = ProbabilisticallyBoundedDP(case.given("eps"), case.given("delta"))
    return float(testing.level(promise, promise.stated_delta))


def wrong_belief(case: Case) -> World:
    """Example 7.2: who is sure that nobody but Jessie may be in the group sees 101.3, a count of 100 with noise.

    The outcomes are "about 101.3" and any other. Only the ratio of the law of the first matters, e^(output - 1/2) for
    a count of 1 against 0: its own size is beyond what a number can hold.
    """
    prior, output = Fraction(case.inputs["prior"]), case.given("output")
    belief = Belief.product(Universe(1, (0, 1), all_present=True), [{1: prior, 0: 1 - prior}])
    likely = Fraction(1, 2), Fraction(1, 2)
    less = likely[0] * Fraction(math.exp(0.5 - output))
    return World.releasing(belief, lambda data: likely if data[JESSIE] == 1 else (less, 1 - less))


WAYS: Mapping[str, Way] = {
    "largest power under pure DP": _at(pure, testing.power, "level"),
    "largest power under approximate DP": _at(approximate, testing.power, "level"),
    "largest power against Gaussian noise": _at(gaussian, testing.power, "level"),
    "largest power under zCDP": _at(concentrated, testing.power, "level"),
    "delta of Gaussian noise": _at(gaussian, GaussianDP.delta, "eps"),
    "delta of pbdp of Gaussian noise": _at(gaussian, GaussianDP.bounded_delta, "eps"),
    "tail of the loss under zCDP": _at(concentrated, ZeroConcentratedDP.tail, "eps"),
    "tail of the loss under Renyi DP": _at(renyi, RenyiDP.tail, "eps"),
    "lower tail of the loss under zCDP": _at(concentrated, ZeroConcentratedDP.lower_tail, "eps"),
    "lower tail of the loss under Renyi DP": _at(renyi, RenyiDP.lower_tail, "eps"),
    "variance of Gaussian noise": Way(variance),
    "tail of the loss of two answers": Way.of(
        lambda eps: middle(RandomizedResponse(eps).times(2).tail(eps / 2)), "eps"
    ),
    "tail of the loss of the first answer": Way.of(lambda eps: middle(RandomizedResponse(eps).tail(eps / 2)), "eps"),
    "false alarms of the test of Example 5.8": Way.of(lambda: mixture().then(_VERDICTS).p[0]),
    "power of the test of Example 5.8": Way.of(lambda: mixture().then(_VERDICTS).q[0]),
    "level of a point of pbdp": Way(level),
    "power against the second release of Example 5.8": Way(
        lambda case: middle(testing.power(Finite([0.0, 1.0], [0.01, 0.99]), level(case)))
    ),
    "doubt left after the release": Way(lambda case: float(wrong_belief(case).posterior(Has(JESSIE, 0), 0))),
    "ratio of the posteriors": Way(
        lambda case: float(wrong_belief(case).posterior_ratio(Resampled(JESSIE), Has(JESSIE, 1), 0))
    ),
    **kaa22_census.WAYS,
}
"""What recomputes each quantity of the paper."""
