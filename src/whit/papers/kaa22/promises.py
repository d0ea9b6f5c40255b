"""What a promise by its parameters says of tests and of the loss: Sections 5 to 7, Tables 1, 2 and 6, the figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from whit.guarantees import ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from whit.papers.case import Case, Way
from whit.plans import Rho
from whit.semantics import testing
from whit.setting import Neighbours

Made = Callable[[Case], Guarantee]


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
    """The variance of noise on one count, which changes by 1, that keeps to this rho."""
    return float(Rho(case.inputs["rho"]).spread(Fraction(1), 1, Fraction(1)))


def _power(made: Made) -> Way:
    return Way(lambda case: float(testing.power(made(case), case.given("level"))))


def _tail(made: Made) -> Way:
    return Way(lambda case: float(made(case).tail(case.given("eps"))))


def _lower_tail(made: Callable[[Case], RenyiDP | ZeroConcentratedDP]) -> Way:
    return Way(lambda case: float(made(case).lower_tail(case.given("eps"))))


WAYS: Mapping[str, Way] = {
    "largest power under pure DP": _power(pure),
    "largest power under approximate DP": _power(approximate),
    "largest power against Gaussian noise": _power(gaussian),
    "largest power under zCDP": _power(concentrated),
    "delta of Gaussian noise": Way(lambda case: float(gaussian(case).delta(case.given("eps")))),
    "delta of pbdp of Gaussian noise": Way(lambda case: float(gaussian(case).bounded_delta(case.given("eps")))),
    "tail of the loss under zCDP": _tail(concentrated),
    "tail of the loss under Renyi DP": _tail(renyi),
    "lower tail of the loss under zCDP": _lower_tail(concentrated),
    "lower tail of the loss under Renyi DP": _lower_tail(renyi),
    "variance of Gaussian noise": Way(variance),
}
"""What recomputes each of these quantities."""
