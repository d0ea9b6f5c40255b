"""What holds whatever the prior: the largest ratio, difference and factor of odds; and the worst priors."""

from __future__ import annotations

from numpy.typing import ArrayLike

from whit.curves import Promise
from whit.semantics.membership import bayes
from whit.semantics.membership.bounds import Beliefs
from whit.semantics.membership.worst_priors import WorstPrior
from whit.setting import Knowledge, Neighbours, When
from whit.theory import Finding, Quantity, Unit

LARGEST_RATIO = Quantity("largest ratio of posterior to prior over all priors", Unit.NUMBER, key="largest_ratio")
LARGEST_DIFFERENCE = Quantity(
    "largest increase from prior to posterior over all priors", Unit.NUMBER, key="largest_difference"
)
ODDS_RATIO = Quantity("ratio of posterior odds to prior odds", Unit.NUMBER, key="odds_ratio")


def largest_ratio(
    promise: Promise,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest factor by which the probability of the truth can rise, e^t; with `sides=2` also the smallest, e^-t.

    >>> from whit.guarantees import PureDP
    >>> print(largest_ratio(PureDP(1.0), sides=2))
    largest ratio of posterior to prior over all priors is between 0.367 and 2.72
    """
    beliefs = Beliefs(promise, failure, sides, neighbours, knows, when)
    return beliefs.at_any_prior(LARGEST_RATIO, bayes.factor_down, bayes.factor_up, "ratio-bounds")


def largest_difference(
    promise: Promise,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The most by which the probability of the truth can rise, tanh(t / 4); with `sides=2` also the most it can fall.

    >>> from whit.guarantees import PureDP
    >>> print(largest_difference(PureDP(1.0)))
    largest increase from prior to posterior over all priors is at most 0.245
    """
    beliefs = Beliefs(promise, failure, sides, neighbours, knows, when)
    return beliefs.at_any_prior(LARGEST_DIFFERENCE, bayes.change_down, bayes.change_up, "difference-bounds")


def odds_ratio(
    promise: Promise,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest factor by which the odds of the truth can rise, e^t, at every prior; with `sides=2` also e^-t.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> print(odds_ratio(ZeroConcentratedDP(0.07), failure=0.01))
    ratio of posterior odds to prior odds is at most 3.34, except with probability 1 %
    """
    beliefs, keys = Beliefs(promise, failure, sides, neighbours, knows, when), ("posterior-odds", "posterior-bounds")
    return beliefs.at_any_prior(ODDS_RATIO, bayes.factor_down, bayes.factor_up, *keys)


def worst_prior(
    promise: Promise,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> WorstPrior:
    """The priors of the fact at which the bounds on ratio and difference are largest.

    The adversary who gains most from the release itself may have another prior, if the promise is looser than it is.

    >>> from whit.guarantees import ApproxDP
    >>> worst = worst_prior(ApproxDP(1.8, 1e-5), failure=0.05, sides=2)
    >>> print(worst.difference.when_true)
    worst prior of a true fact for the increase is 29 % (rounded up; failure probability 5 %)
    >>> print(worst.difference.when_false)
    worst prior of a false fact for the increase is 71.1 % (rounded up; failure probability 5 %)
    """
    return Beliefs(promise, failure, sides, neighbours, knows, when).worst_prior()
