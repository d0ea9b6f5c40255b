"""Kazan, Sharma, Zhang, Jiang and Yan (2025), add/remove neighbours throughout.

Several releases together: Figures 2 and 3, section 4.2, Examples 4.1 and 4.2. Example 4.1 does not say which delta it
takes on the way from rho to the posterior; its numbers come out with the best one after each number of days (erratum
000.4), which is `TextbookComposition`.

From a promise to beliefs: Section 3, Examples 1.1, 4.1 and 4.3, Figures 1 and 3 to 7. All bounds are two-sided, as in
the paper: the belief neither rises nor falls further, except with probability delta'.

From beliefs back to a promise: Theorem 3.5(2) and Example A.1, which shows that its part (1) has no converse.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import SupportsFloat

import numpy as np
from numpy.typing import NDArray

from whit.curves import CompositionRule, OwnComposition, Promise
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, Guarantee, ProbabilisticDP, PureDP, ZeroConcentratedDP
from whit.guarantees.composition import AdvancedComposition, BasicComposition, ListedComposition
from whit.guarantees.conversions import (
    along,
    both_sides_epsilon,
    edge,
    epsilon_of_difference,
    largest_epsilon,
    other_side_epsilon,
)
from whit.mechanisms import Finite
from whit.numerics import largest_true, open_probability
from whit.papers.case import Case, Way, middle
from whit.policy import Rule, limits, profiles, recommend
from whit.semantics.membership import (
    DifferenceAtAnyPrior,
    PosteriorFrom,
    Risk,
    difference,
    largest_difference,
    largest_ratio,
    posterior,
    ratio,
    releases_until,
    worst_prior,
)
from whit.theory import Basis, Finding
from whit.worlds import ABSENT, Belief, Dataset, Present, Universe, World

_TO_APPROXIMATE = (edge(ZeroConcentratedDP, ApproxDP, "zcdp-to-approximate"),)
_THEOREM_3_9 = (edge(ApproxDP, ProbabilisticDP, "approximate-to-probabilistic"),)

_RULES: Mapping[str, Callable[[float], CompositionRule]] = {
    "basic": lambda _: BasicComposition(),
    "adv": AdvancedComposition,
    "opt": ListedComposition,
}

_FAILURE = "Use the chance that the limit may be exceeded, such as 0.01."
_THERE: Dataset = ("yes",)
_GONE: Dataset = (ABSENT,)
_PRIORS = 200

# The change of belief that Example A.1 keeps to is attained; a double is within this share of it.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class TextbookComposition:
    """Rhos added up, turned into (epsilon, delta) by the textbook and into a tail, with the best delta on the way.

    It is how Kazan et al. (2025) count the days of their Example 4.1. OwnComposition, which bounds the tail by the rho
    itself, is never worse. The failure must be the one that is asked about.
    """

    failure: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "failure", open_probability("failure", self.failure, _FAILURE))

    def __call__(self, promise: Promise, releases: int) -> ProbabilisticDP:
        """The tail of all releases together; each number of releases is worked out once."""
        if not isinstance(promise, ZeroConcentratedDP):
            way_out = "Use a promise such as ZeroConcentratedDP(0.01), or another rule."
            raise InvalidInput("promise", "must be zero-concentrated for this rule", promise, way_out)
        return after_days(promise, releases, self.failure)

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
        return along(promise.added_up(releases), _TO_APPROXIMATE, delta=self.delta).result

    def basis(self, promise: Promise) -> Basis:
        """The two theorems."""
        return Basis.of("zcdp-composition", "zcdp-to-approximate")


@cache
def after_days(daily: ZeroConcentratedDP, days: int, failure: float) -> ProbabilisticDP:
    """What the daily releases of Example 4.1 promise together, in the paper's way."""
    together = along(daily.added_up(days), (*_TO_APPROXIMATE, *_THEOREM_3_9), delta=failure).result
    assert isinstance(together, ProbabilisticDP)
    return together


def total_epsilon(method: str, epsilon: float, releases: int, delta: float) -> float:
    """The epsilon of so many releases together, by one of the three parts of Theorem 2.8."""
    together = _RULES[method](delta)(PureDP(epsilon), releases)
    assert isinstance(together, PureDP | ApproxDP)
    return together.stated_epsilon


def epsilon_of_the_reading(epsilon: float, releases: int, delta: float) -> float:
    """Advanced composition with the smaller drift of Kairouz, Oh and Viswanath (2015).

    The paper states another drift; with this one, delta = 1e-3 and no step from delta to the failure its 51 queries
    come out (erratum 000.1).
    """
    spread = epsilon * math.sqrt(2 * releases * math.log(1 / delta))
    return releases * epsilon * math.tanh(epsilon / 2) + spread


def _total_epsilon(case: Case) -> float:
    return total_epsilon(case.inputs["method"], case.given("eps_j"), int(case.given("k")), case.given("delta", 0.0))


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


def _first_day(risk: Callable[[Case], Risk], rule: Callable[[Case], CompositionRule]) -> Way:
    def compute(case: Case) -> float:
        daily, failure = ZeroConcentratedDP(case.given("rho_daily")), case.given("delta_prime")
        found = releases_until(daily, risk(case), case.given("limit"), failure=failure, sides=2, rule=rule(case))
        return float(found.first_beyond)

    return Way(compute)


def _posterior(case: Case) -> Risk:
    return PosteriorFrom(case.given("p"))


def _textbook(case: Case) -> CompositionRule:
    return TextbookComposition(case.given("delta_prime"))


def _epsilon_within_difference(limit: float, delta: float, failure: float) -> Finding:
    return largest_epsilon(float(epsilon_of_difference(limit)), delta, failure)


def _largest_listed(total: ApproxDP, releases: float, delta: float) -> float:
    """The largest epsilon of each release by Theorem 2.8(3)."""
    rule, spent = Rule.OPTIMAL_LIST, total.stated_delta
    found = recommend(total, ApproxDP, releases=int(releases), delta=delta, total_delta=spent, rule=rule)
    return float(found.parameter)


def _largest_of_each(case: Case) -> float:
    """The largest epsilon of each release, by Theorem 2.8(3) or by the worst pair composed."""
    total, limit = case.given("eps_total"), case.given("delta_total")
    if case.inputs["method"] == "opt":
        return _largest_listed(ApproxDP(total, limit), case.given("k"), case.given("delta_j"))

    def kept(epsilon: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(_delta_of_all(float(epsilon), case.given("delta_j"), case.given("k"), total) <= limit)

    return float(largest_true(kept, 0.01, 0.8))


def _delta_of_all(epsilon: float, delta: float, releases: float, total_epsilon: float) -> float:
    """The delta of all releases together at an epsilon: exactly that of their worst pair."""
    together = OwnComposition()(ApproxDP(epsilon, delta).curve(), int(releases))
    return float(together.delta(total_epsilon))


def _pure_epsilon_of_each(limit: float, releases: float) -> SupportsFloat:
    return recommend(limits.difference(limit), PureDP, releases=int(releases)).parameter


def _gain(limit: float, delta: float, failure: float, releases: float, each: float) -> float:
    total = ApproxDP(float(_epsilon_within_difference(limit, delta, failure)), delta)
    return _largest_listed(total, releases, each) / float(_pure_epsilon_of_each(limit, releases))


@dataclass(frozen=True)
class Believer:
    """Whom a case is about: somebody with a prior, a promise, and the chance that it fails."""

    promise: Guarantee
    prior: float
    failure: float

    @classmethod
    def of(cls, case: Case) -> Believer:
        """By the inputs of a case."""
        failure = case.given("delta_prime", 0.0)
        return cls(_promise(case, failure), case.given("p", 0.5), failure)

    @property
    def worst(self) -> float:
        """The prior of one who is present from which the probability can rise most."""
        return float(worst_prior(self.promise, failure=self.failure, sides=2).difference.when_true)

    def ask(self, question: Callable[..., Finding], *prior: float | list[float]) -> Finding:
        """A question about the posterior from a prior, or from all."""
        return question(self.promise, *prior, failure=self.failure, sides=2)

    def larger(self, question: Callable[..., Finding]) -> float:
        """The larger answer of presence and absence."""
        return float(np.max(self.ask(question, [self.prior, 1 - self.prior]).value))


def _promise(case: Case, failure: float) -> Guarantee:
    if "rho_daily" in case.inputs:
        return after_days(ZeroConcentratedDP(case.given("rho_daily")), int(case.given("k")), failure)
    delta = case.given("delta", 0.0)
    if delta == 0.0:
        return PureDP(case.given("eps"))
    # Figure 3 takes delta for that of the whole, whichever rule gives the epsilon.
    epsilon = _total_epsilon(case) if "eps_j" in case.inputs else case.given("eps")
    return along(ApproxDP(epsilon, delta), _THEOREM_3_9, delta=failure).result


def _loss(who: Believer) -> float:
    """As the promise states it: at a failure of 1 nothing need be promised, and yet the theorem states a number."""
    assert isinstance(who.promise, ProbabilisticDP)
    return who.promise.stated_epsilon


def _lowest(finding: Finding) -> float:
    """The lower end of a two-sided bound."""
    assert finding.lower is not None
    return float(finding.lower)


def _asking(question: Callable[[Believer], SupportsFloat]) -> Way:
    return Way(lambda case: float(question(Believer.of(case))))


def _unbounded_from(formula: Callable[[NDArray[np.float64]], Finding]) -> Way:
    """The last epsilon at which the formula is a number (erratum 000.5)."""
    return Way.of(lambda: largest_true(lambda epsilon: np.isfinite(formula(epsilon).value), 0.0, 10.0))


def _response_or_nothing(case: Case) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Example A.1 where the person is there and where not: randomized response, or, mostly, nothing."""
    delta = Fraction(case.inputs["delta"])
    other = delta * Fraction(math.exp(-float(both_sides_epsilon(case.given("eps")))))
    nothing = 1 - delta - other
    return (delta, other, nothing), (other, delta, nothing)


def _within_epsilon(case: Case) -> float:
    there, gone = (np.array(law, dtype=float) for law in _response_or_nothing(case))
    return 1 - middle(Finite(there, gone).two_sided_tail(case.given("eps")))


def _keeping_the_difference(case: Case) -> float:
    """The least over 199 priors, and over both truths, in exact arithmetic."""
    limit = float(largest_difference(PureDP(case.given("eps"))).value) * (1 + _ROUNDING)
    there, gone = _response_or_nothing(case)

    def kept(prior: Fraction, truth: Dataset) -> Fraction:
        belief = Belief(Universe(1, ("yes",)), {_THERE: prior, _GONE: 1 - prior})
        law = World(belief, [gone, there]).law_of_difference(Present(0), truth=truth)
        return law.chance_beyond(-limit, closed=True) - law.chance_beyond(limit)

    priors = (Fraction(k, _PRIORS) for k in range(1, _PRIORS))
    return float(min(kept(prior, truth) for prior in priors for truth in (_THERE, _GONE)))


_SEVERAL_RELEASES: Mapping[str, Way] = {
    "total epsilon": Way(_total_epsilon),
    "total delta": Way.of(_delta_of_all, "eps", "delta_j", "k", "eps_total"),
    "first number of queries beyond the posterior limit": Way(_first_query),
    "first day beyond the posterior limit": _first_day(_posterior, _textbook),
    "first day beyond the difference limit": _first_day(lambda _: DifferenceAtAnyPrior(), _textbook),
    "first day beyond the posterior limit, delta fixed": _first_day(
        _posterior, lambda case: FixedDelta(case.given("delta"))
    ),
    "loss within the difference": Way.of(epsilon_of_difference, "D"),
    "epsilon within the difference": Way.of(_epsilon_within_difference, "D", "delta", "delta_prime"),
    "largest epsilon of each release": Way(_largest_of_each),
    "largest epsilon of each release, pure": Way.of(_pure_epsilon_of_each, "D", "k"),
    "largest epsilon of each release, pure, any value": Way.of(
        lambda limit, k: recommend(profiles.difference(limit), PureDP, releases=int(k)).parameter, "D", "k"
    ),
    "factor gained over pure promises": Way.of(_gain, "D", "delta", "delta_prime", "k", "delta_j"),
}

_BELIEFS: Mapping[str, Way] = {
    "bound on the loss": _asking(_loss),
    "largest posterior": _asking(lambda who: who.ask(posterior, who.prior)),
    "smallest posterior": _asking(lambda who: _lowest(who.ask(posterior, who.prior))),
    "largest ratio from the prior": _asking(lambda who: who.ask(ratio, who.prior)),
    "largest difference from the prior": _asking(lambda who: who.ask(difference, who.prior)),
    "largest ratio over all priors": _asking(lambda who: who.ask(largest_ratio)),
    "smallest ratio over all priors": _asking(lambda who: _lowest(who.ask(largest_ratio))),
    "largest difference over all priors": _asking(lambda who: who.ask(largest_difference)),
    "worst prior of one who is present": _asking(lambda who: who.worst),
    "worst prior of one who is absent": _asking(
        lambda who: worst_prior(who.promise, failure=who.failure, sides=2).difference.when_false
    ),
    "posterior at the worst prior": _asking(lambda who: who.ask(posterior, who.worst)),
    "ratio at the worst prior": _asking(lambda who: who.ask(ratio, who.worst)),
    "larger ratio of presence and absence": _asking(lambda who: who.larger(ratio)),
    "larger difference of presence and absence": _asking(lambda who: who.larger(difference)),
}

_CONVERSE: Mapping[str, Way] = {
    "bound on the loss from the difference, both sides": Way.of(both_sides_epsilon, "eps"),
    "epsilon from which both sides are unbounded": _unbounded_from(both_sides_epsilon),
    "epsilon from which the other side is unbounded": _unbounded_from(other_side_epsilon),
    "probability that the loss is within epsilon": Way(_within_epsilon),
    "least probability of keeping the difference": Way(_keeping_the_difference),
}

WAYS: Mapping[str, Way] = {**_SEVERAL_RELEASES, **_BELIEFS, **_CONVERSE}
"""What recomputes each quantity of the paper."""
