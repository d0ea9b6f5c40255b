"""Kazan and Reiter (2024): the epsilon that a risk profile allows, what it costs in noise, and other rules for it.

Theorems 1 to 5 and Table 4 are closed forms; here each epsilon is what `recommend` finds for pure differential privacy,
so that the closed forms are checked against a search that proves its answer. Noise is geometric, on a count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Geometric
from whit.numerics import largest_true
from whit.papers.case import Case, Way
from whit.policy import (
    Recommendation,
    Target,
    accuracy,
    crossing,
    lee_clifton_epsilon,
    participation_posterior,
    recommend,
)
from whit.policy.profiles import RiskProfile, box, capped, constant, difference
from whit.semantics.disclosure import largest_epsilon, relative_risk, safe_epsilon
from whit.setting import Adversary

DURHAM = Target(6.0, per=1000, of=4012)
"""Example 3: at most 6.0 infant deaths per 1,000 of 4,012 births."""

ONLY_CERTAIN = (1.0, 1.0)


def count_off_target(deviation: float) -> int:
    """The count of deaths whose rate differs from the target by this much, rounded as in the paper."""
    return int(DURHAM.exact_count) + round(deviation * DURHAM.of / DURHAM.per)


def geometric(profile: RiskProfile) -> Geometric:
    """The noise on a count with the epsilon that the paper recommends for a profile."""
    return Geometric(_epsilon(profile))


def _epsilon(profile: RiskProfile) -> float:
    """The largest epsilon of pure differential privacy that keeps to a profile."""
    return float(recommend(profile, PureDP).parameter)


def _largest(profile_of: Callable[[Case], RiskProfile]) -> Way:
    """The way to the largest epsilon of a kind of profile."""
    return Way(lambda case: _epsilon(profile_of(case)))


def _cap_or_ratio(case: Case) -> RiskProfile:
    """Equations 15, 16, 17 and 33: the belief that the case names is fixed, if any."""
    fixed = {name: case.given(short) for name, short in (("inclusion", "p"), ("value", "q")) if short in case.inputs}
    return capped(relative=case.given("r"), absolute=case.given("a"), **fixed)


def _in_a_box(case: Case) -> RiskProfile:
    p, q = (case.given("p0"), case.given("p1")), (case.given("q0"), case.given("q1"))
    return box(case.given("r"), inclusion=p, value=q)


def _one_left_out(case: Case) -> RiskProfile:
    """Appendix D.1: all of n people are equally likely to be the one who is missing, and the posterior is limited."""
    n, posterior = case.given("n"), _fraction(case, "a")
    return box(n * posterior, inclusion=(1 / n, 1 / n), value=ONLY_CERTAIN)


def _fraction(case: Case, name: str) -> float:
    return float(Fraction(case.inputs[name]))


def decider(found: Recommendation) -> Adversary:
    """The adversary who decides."""
    who = found.verdict.adversary
    assert who is not None  # a profile is decided by an adversary
    return who


def _beginning_of_no_limit(case: Case) -> float:
    def bounded(inclusion: ArrayLike) -> NDArray[np.bool_]:
        return np.isfinite(largest_epsilon(case.given("r"), inclusion=inclusion, value=case.given("q")).value)

    return float(largest_true(bounded, 0.0, 1.0))


def _crossing(case: Case) -> float:
    count = count_off_target(case.given("deviation"))
    return float(crossing(geometric(_cap_or_ratio(case)), count=count, target=DURHAM))


def _lee_clifton(case: Case) -> float:
    changes = {"removal": case.given("dT"), "exchange": case.given("dv")}
    return float(lee_clifton_epsilon(population=int(case.inputs["n"]), posterior=_fraction(case, "a"), **changes))


WAYS: Mapping[str, Way] = {
    "relative risk": Way.of(lambda eps, p, q: relative_risk(PureDP(eps), inclusion=p, value=q), "eps", "p", "q"),
    "largest epsilon for a cap or a ratio": _largest(_cap_or_ratio),
    "largest epsilon for a constant ratio": _largest(lambda case: constant(case.given("r"))),
    "largest epsilon for a ratio at value 1 alone": _largest(lambda case: box(case.given("r"), value=ONLY_CERTAIN)),
    # The closed form itself: next to certainty, the check of a recommendation by its own risk costs some digits.
    "largest epsilon at one adversary": Way.of(safe_epsilon, "r", "p", "q"),
    "largest epsilon in a box of beliefs": _largest(_in_a_box),
    "largest epsilon for a bounded difference": _largest(lambda case: difference(case.given("b"))),
    "largest epsilon if one person is left out": _largest(_one_left_out),
    "value of the adversary who decides": Way(lambda case: decider(recommend(_cap_or_ratio(case), PureDP)).value),
    "inclusion from which there is no limit": Way(_beginning_of_no_limit),
    "standard deviation of the noise": Way(lambda case: float(accuracy(geometric(_cap_or_ratio(case))).deviation)),
    "probability of the exact answer": Way(lambda case: float(accuracy(geometric(_cap_or_ratio(case))).exact)),
    "probability of crossing the target": Way(_crossing),
    "count at the target": Way.of(lambda rate, per, of: Target(rate, per=per, of=of).count, "rate", "per", "births"),
    "rate of a count": Way.of(DURHAM.rate_of, "deaths"),
    "epsilon of Lee and Clifton's rule": Way(_lee_clifton),
    "epsilon of a zero-concentrated promise": Way.of(
        lambda rho, delta: ZeroConcentratedDP(rho).epsilon(delta).value, "rho", "delta"
    ),
    "posterior with the person in the survey": Way.of(participation_posterior, "a0", "eps"),
}
