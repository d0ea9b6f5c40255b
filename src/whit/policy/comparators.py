"""Other ways to choose epsilon, to compare with: the naive rule, Lee and Clifton's, and the bound of the Primer."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, require
from whit.numerics import ULP, count, finite_positive, nonnegative, open_probability, positive, probability_array
from whit.theory import Basis, Direction, Finding, Quantity, Unit, echo

NAIVE = Quantity("epsilon of the naive rule", Unit.NUMBER)
LEE_CLIFTON = Quantity("epsilon of Lee and Clifton's rule", Unit.NUMBER)
PARTICIPATION = Quantity("posterior probability with the person in the survey", Unit.PROBABILITY)

SLACK = 32 * ULP

MOST = 10**15
"""The largest number of releases or of people."""

_RISK = "Use the largest posterior over prior that is acceptable, a number above 1 such as 3."
_RELEASES = "Use the number of releases, such as 12."
_CHANGE = "Use the largest change of the statistic, such as 2.5."
_POPULATION = "Use the number of people in the population, at least 2."
_POSTERIOR = "Use the largest acceptable posterior, such as 1/3."


def few(name: str, number: object, way_out: str) -> int:
    """A whole number of at least 1, and not beyond all that is ever counted."""
    k = count(name, number, way_out)
    require(k <= MOST, name=name, rule=f"must be a whole number of at most {MOST:.0e}", value=_size(k), way_out=way_out)
    return k


def _size(number: int) -> str:
    """A number, or how long it is: the longest are not written out."""
    return str(number) if number < 10**30 else f"a number of more than {number.bit_length() * 3 // 10} digits"


def naive_epsilon(relative_risk: float, *, releases: int = 1) -> Finding:
    """Half the logarithm of the accepted relative risk, divided among the releases: safe for every adversary.

    >>> print(naive_epsilon(3.0))
    epsilon of the naive rule is 0.55 (rounded up)
    """
    risk = positive("relative_risk", relative_risk, _RISK)
    require(1.0 <= risk < math.inf, name="relative_risk", rule="must be at least 1", value=risk, way_out=_RISK)
    k = few("releases", releases, _RELEASES)
    # Near 1 the logarithm is that of what lies above it.
    epsilon = math.log1p(risk - 1.0) / 2 / k if risk < 2.0 else math.log(risk) / 2 / k
    inputs = {"relative_risk": risk, "releases": k}
    return Finding(NAIVE, epsilon, Direction.EXACTLY, inputs, Basis(theorems=("disclosure-any-prior",), slack=SLACK))


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
