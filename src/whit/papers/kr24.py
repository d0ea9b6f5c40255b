"""Kazan and Reiter (2024): the epsilon that a risk profile allows, what it costs in noise, and other rules for it.

Theorems 1 to 5 and Table 4 are closed forms; here each epsilon is what `recommend` finds for pure differential privacy,
so that the closed forms are checked against a search that proves its answer. Noise is geometric, on a count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, require
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Geometric
from whit.numerics import ULP, few, finite_positive, largest_true, nonnegative, open_probability, probability_array
from whit.papers.case import Case, Way
from whit.policy import Recommendation, Target, accuracy, crossing, recommend
from whit.policy.profiles import RiskProfile, box, capped, constant, difference
from whit.semantics.disclosure import largest_epsilon, relative_risk, safe_epsilon
from whit.setting import Adversary
from whit.theory import Basis, Direction, Finding, Quantity, Unit, echo

LEE_CLIFTON = Quantity("epsilon of Lee and Clifton's rule", Unit.NUMBER)
PARTICIPATION = Quantity("posterior probability with the person in the survey", Unit.PROBABILITY)

SLACK = 32 * ULP

_CHANGE = "Use the largest change of the statistic, such as 2.5."
_POPULATION = "Use the number of people in the population, at least 2."
_POSTERIOR = "Use the largest acceptable posterior, such as 1/3."

DURHAM = Target(6.0, per=1000, of=4012)
"""Example 3: at most 6.0 infant deaths per 1,000 of 4,012 births."""

ONLY_CERTAIN = (1.0, 1.0)


def lee_clifton_epsilon(*, population: int, posterior: float, removal: float, exchange: float) -> Finding:
    """What Lee and Clifton recommend for Laplace noise, if one person of a public population was left out.

    Args:
        population: how many people there are, one of whom is not in the data; the adversary finds all equally likely.
        posterior: the largest acceptable posterior that a certain one is.
        removal: the largest change of the statistic between data with n - 1 and with n - 2 of the people.
        exchange: the largest difference of the statistic between two sets of n - 1 people.

    >>> print(lee_clifton_epsilon(population=4, posterior=1/3, removal=4.0, exchange=1.0))
    epsilon of Lee and Clifton's rule is 1.63 (rounded up)
    """
    n = few("population", population, _POPULATION)
    require(n >= 2, name="population", rule="must be at least 2", value=n, way_out=_POPULATION)
    a = open_probability("posterior", posterior, _POSTERIOR)
    removed, exchanged = finite_positive("removal", removal, _CHANGE), finite_positive("exchange", exchange, _CHANGE)
    odds = (n - 1) * a / (1 - a)
    if odds < 1.0:
        rule = "must be at least the prior 1/n"
        raise InvalidInput("posterior", rule, a, f"Use a posterior above {1 / n:.6g}.")
    epsilon = removed / exchanged * math.log(odds)
    # Rounding of the odds moves their logarithm by as much, whatever its size.
    slack = SLACK + 8 * ULP * removed / exchanged / epsilon if epsilon > 0.0 else 0.0
    inputs = {"population": n, "posterior": a, "removal": removed, "exchange": exchanged}
    return Finding(LEE_CLIFTON, epsilon, Direction.EXACTLY, inputs, Basis(theorems=("lee-clifton",), slack=slack))


def participation_posterior(without: ArrayLike, epsilon: float) -> Finding:
    """How far a posterior can rise because the person took part, from what it is without them.

    >>> print(participation_posterior(0.1, 0.5))
    posterior probability with the person in the survey is at most 23.2 %
    """
    a0 = probability_array("without", without, "Use the posterior without the person, such as 0.1.")
    loss = 2 * nonnegative("epsilon", epsilon, "Use a number such as 0.5.")
    kept = math.exp(-loss)
    bound = np.where(a0 == 0.0, 0.0, a0 / np.where(a0 == 0.0, 1.0, a0 + kept * (1 - a0)))
    widened = np.minimum(bound * (1 + SLACK), 1.0) if loss > 0.0 else a0
    inputs = {"without": echo(a0), "epsilon": loss / 2}
    return Finding(PARTICIPATION, widened, Direction.AT_MOST, inputs, Basis.of("primer-participation"))


def count_off_target(deviation: float) -> int:
    """The count of deaths whose rate differs from the target by this much, rounded as in the paper."""
    return int(DURHAM.exact_count) + round(deviation * DURHAM.of / DURHAM.per)


def geometric(profile: RiskProfile) -> Geometric:
    """The noise on a count with the epsilon that the paper recommends for a profile."""
    return Geometric(_epsilon(profile))


def _epsilon(profile: RiskProfile) -> float:
    """The largest epsilon of pure differential privacy that meets a profile."""
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
