"""Several releases together: Figures 2 and 3, section 4.2, Examples 4.1 and 4.2.

Example 4.1 does not say which delta it takes on the way from rho to the posterior; its numbers come out with the best
one after each number of days (erratum 000.4), which is `TextbookComposition`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from whit.curves import CompositionRule, OwnComposition, Promise
from whit.errors import InvalidInput
from whit.guarantees import (
    ApproxDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
)
from whit.guarantees.composition import AdvancedComposition, ListedComposition
from whit.guarantees.conversions import along, edge, epsilon_of_difference, largest_epsilon
from whit.numerics import largest_true, open_probability
from whit.papers.case import Case, Way
from whit.policy import Rule, limits, profiles, recommend
from whit.semantics.membership import DifferenceAtAnyPrior, PosteriorFrom, Risk, releases_until
from whit.theory import Basis

_TO_APPROXIMATE = (edge(ZeroConcentratedDP, ApproxDP, "zcdp-to-approximate"),)

_RULES: Mapping[str, Callable[[float], CompositionRule]] = {
    "basic": lambda _: OwnComposition(),
    "adv": AdvancedComposition,
    "opt": ListedComposition,
}


_TEXTBOOK = (
    *_TO_APPROXIMATE,
    edge(ApproxDP, ProbabilisticDP, "approximate-to-probabilistic"),
)
_FAILURE = "Use the chance that the limit may be exceeded, such as 0.01."


@dataclass(frozen=True)
class TextbookComposition:
    """Rhos added up, turned into (epsilon, delta) by the textbook and into a tail, with the best delta on the way.

    It is how Kazan et al. (2025) count the days of their Example 4.1. OwnComposition, which bounds the tail by the rho
    itself, is never worse. The failure must be the one that is asked about.
    """

    failure: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "failure", open_probability("failure", self.failure, _FAILURE))

    def __call__(self, promise: Promise, releases: int) -> Promise:
        """The tail of all releases together."""
        if not isinstance(promise, ZeroConcentratedDP):
            way_out = "Use a promise such as ZeroConcentratedDP(0.01), or another rule."
            raise InvalidInput("promise", "must be zero-concentrated for this rule", promise, way_out)
        return along(promise.times(releases), _TEXTBOOK, delta=self.failure).result

    def basis(self, promise: Promise) -> Basis:
        """The three theorems."""
        return Basis.of("zcdp-composition", "zcdp-to-approximate", "approximate-to-probabilistic")


@dataclass(frozen=True)
class FixedDelta:
    """Rhos added up and turned into (epsilon, delta) by the textbook, with one delta for every number of releases."""

    delta: float

    def __call__(self, promise: Promise, releases: int) -> Guarantee:
        """The promise of all releases together."""
        assert isinstance(promise, ZeroConcentratedDP)
        return along(promise.times(releases), _TO_APPROXIMATE, delta=self.delta).result

    def basis(self, promise: Promise) -> Basis:
        """The two theorems."""
        return Basis.of("zcdp-composition", "zcdp-to-approximate")


class Remembered(TextbookComposition):
    """The textbook rule, which works out each number of releases once."""

    def __call__(self, promise: Promise, releases: int) -> Guarantee:
        """The tail of all releases together."""
        assert isinstance(promise, ZeroConcentratedDP)
        return after_days(promise, releases, self.failure)


def total_epsilon(method: str, epsilon: float, releases: int, delta: float) -> float:
    """The epsilon of so many releases together, by one of the three parts of Theorem 2.8."""
    together = _RULES[method](delta)(PureDP(epsilon), releases)
    assert isinstance(together, PureDP | ApproxDP)
    return together.stated_epsilon


@cache
def after_days(daily: ZeroConcentratedDP, days: int, failure: float) -> ProbabilisticDP:
    """What the daily releases of Example 4.1 promise together, in the paper's way."""
    together = TextbookComposition(failure)(daily, days)
    assert isinstance(together, ProbabilisticDP)
    return together


def epsilon_of_the_reading(epsilon: float, releases: int, delta: float) -> float:
    """Advanced composition with the smaller drift of Kairouz, Oh and Viswanath (2015).

    The paper states another drift; with this one, delta = 1e-3 and no step from delta to the failure its 51 queries
    come out (erratum 000.1).
    """
    spread = epsilon * math.sqrt(2 * releases * math.log(1 / delta))
    return releases * epsilon * math.tanh(epsilon / 2) + spread


def _total_epsilon(case: Case) -> float:
    delta = float(case.inputs.get("delta", "0"))
    return total_epsilon(case.inputs["method"], case.given("eps_j"), int(case.given("k")), delta)


def _first_query(case: Case) -> float:
    one, risk = PureDP(case.given("eps_j")), PosteriorFrom(case.given("p"))
    if case.inputs["method"] == "reading":
        return _first_query_of_the_reading(case, risk)
    rule = _RULES[case.inputs["method"]](case.given("delta"))
    found = releases_until(one, risk, case.given("limit"), failure=case.given("delta_prime"), sides=2, rule=rule)
    return float(found.first_beyond)


def _first_query_of_the_reading(case: Case, risk: Risk) -> float:
    most, each = risk.loss_within(case.given("limit")), (case.given("eps_j"), case.given("delta"))
    return float(next(k for k in itertools.count(1) if epsilon_of_the_reading(each[0], k, each[1]) > most))


def _first_day(case: Case, risk: Risk, rule: CompositionRule) -> float:
    daily, failure = ZeroConcentratedDP(case.given("rho_daily")), case.given("delta_prime")
    return float(releases_until(daily, risk, case.given("limit"), failure=failure, sides=2, rule=rule).first_beyond)


def _loss_within_difference(case: Case) -> float:
    return float(epsilon_of_difference(case.given("D")))


def _epsilon_within_difference(case: Case) -> float:
    return float(largest_epsilon(_loss_within_difference(case), case.given("delta"), case.given("delta_prime")))


def _listed(case: Case) -> float:
    """The largest epsilon by Theorem 2.8(3)."""
    total = ApproxDP(case.given("eps_total"), case.given("delta_total"))
    return _recommended(total, int(case.given("k")), case.given("delta_j"))


def _recommended(total: ApproxDP, releases: int, delta: float) -> float:
    rule, spent = Rule.OPTIMAL_LIST, total.stated_delta
    found = recommend(total, ApproxDP, releases=releases, delta=delta, total_delta=spent, rule=rule)
    return float(found.parameter)


def _exact(case: Case) -> float:
    """The largest epsilon for which the worst pair, composed, keeps to the total."""
    given = (case.given("delta_j"), int(case.given("k")), case.given("eps_total"))

    def kept(epsilon: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(_delta_of_all(float(epsilon), *given) <= case.given("delta_total"))

    return float(largest_true(kept, 0.01, 0.8))


def _delta_of_all(epsilon: float, delta: float, releases: int, total_epsilon: float) -> float:
    """The delta of all releases together at an epsilon: exactly that of their worst pair."""
    together = OwnComposition()(ApproxDP(epsilon, delta).curve(), releases)
    return float(together.delta(total_epsilon))


def _pure_epsilon_of_each(case: Case) -> float:
    return float(recommend(limits.difference(case.given("D")), PureDP, releases=int(case.given("k"))).parameter)


def _gain(case: Case) -> float:
    total = ApproxDP(_epsilon_within_difference(case), case.given("delta"))
    return _recommended(total, int(case.given("k")), case.given("delta_j")) / _pure_epsilon_of_each(case)


WAYS: Mapping[str, Way] = {
    "total epsilon": Way(_total_epsilon),
    "total delta": Way(
        lambda case: _delta_of_all(
            case.given("eps"), case.given("delta_j"), int(case.given("k")), case.given("eps_total")
        )
    ),
    "first number of queries beyond the posterior limit": Way(_first_query),
    "first day beyond the posterior limit": Way(
        lambda case: _first_day(case, PosteriorFrom(case.given("p")), Remembered(case.given("delta_prime")))
    ),
    "first day beyond the difference limit": Way(
        lambda case: _first_day(case, DifferenceAtAnyPrior(), Remembered(case.given("delta_prime")))
    ),
    "first day beyond the posterior limit, delta fixed": Way(
        lambda case: _first_day(case, PosteriorFrom(case.given("p")), FixedDelta(case.given("delta")))
    ),
    "loss that keeps to the difference": Way(_loss_within_difference),
    "epsilon that keeps to the difference": Way(_epsilon_within_difference),
    "largest epsilon of each release": Way(lambda case: (_listed if case.inputs["method"] == "opt" else _exact)(case)),
    "largest epsilon of each release, pure": Way(_pure_epsilon_of_each),
    "largest epsilon of each release, pure, any value": Way(
        lambda case: float(
            recommend(profiles.difference(case.given("D")), PureDP, releases=int(case.given("k"))).parameter
        )
    ),
    "factor gained over pure promises": Way(_gain),
}
"""What recomputes each quantity about several releases."""
