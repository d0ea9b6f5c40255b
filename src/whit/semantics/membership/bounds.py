"""The posterior, its ratio to the prior, its difference from the prior and its odds, at a prior and at any.

`prior` and posterior are the adversary's probabilities of what is true: that the person is in the data, if they are,
and that they are not, if they are not. So an adversary who believes with 30 % in the presence of a person who is absent
has the prior 0.7. With `sides=1` the answer is an upper bound that holds but for the failure. With `sides=2` it is an
interval that holds but for the failure whichever is true: then the prior may be that of the fact or of its opposite.

`failure` is a chance over the noise of the release: 0 asks for what always holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise
from whit.errors import WhitError
from whit.numerics import Bracket, paired, up
from whit.semantics.membership import bayes
from whit.semantics.membership.question import inputs, prior_array, proved_loss
from whit.semantics.membership.worst_priors import WorstPrior, worst_priors_of
from whit.setting import Neighbours, failures
from whit.theory import Basis, Finding, Quantity, Tree, Unit

POSTERIOR_OF_TRUTH = Quantity("posterior probability of the truth", Unit.PROBABILITY)
POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY)
RATIO_OF_TRUTH = Quantity("ratio of posterior and prior probability of the truth", Unit.NUMBER)
RATIO = Quantity("ratio of posterior and prior probability", Unit.NUMBER)
DIFFERENCE_OF_TRUTH = Quantity("posterior minus prior probability of the truth", Unit.NUMBER)
DIFFERENCE = Quantity("posterior minus prior probability", Unit.NUMBER)
ODDS_OF_TRUTH = Quantity("posterior odds of the truth", Unit.NUMBER)
ODDS = Quantity("posterior odds", Unit.NUMBER)

_ONE_FAILURE = "Use one failure, or one for each prior."


@dataclass(frozen=True)
class Rule:
    """How a bound on the loss becomes a bound on something else: from above, from below, and by which theorems."""

    of_truth: Quantity
    of_either: Quantity
    above: bayes.Formula
    below: bayes.Formula
    basis: Basis

    def upper(self, loss: Finding, priors: Array, came_from: dict[str, Tree]) -> Finding:
        """What is at most so much, for the truth."""
        value = bayes.applied(self.above, priors, loss.value)
        return Finding(self.of_truth, value, loss.direction, came_from, loss.basis | self.basis)

    def between(self, loss: Finding, priors: Array, came_from: dict[str, Tree]) -> Finding:
        """What lies between two numbers, for the truth and for its opposite."""
        ends = [bayes.applied(formula, priors, loss.value) for formula in (self.below, self.above)]
        return two_sided(self.of_either, ends[0], ends[1], loss, came_from, self.basis)


def two_sided(
    quantity: Quantity, lowest: Array, highest: Array, loss: Finding, came_from: Mapping[str, Tree], basis: Basis
) -> Finding:
    """An upper bound with the lower bound that holds beside it, except with one probability of failure for both."""
    lower = lowest if loss.proved else None
    return Finding(quantity, highest, loss.direction, came_from, loss.basis | basis, lower)


_POSTERIOR = Rule(
    POSTERIOR_OF_TRUTH, POSTERIOR, bayes.posterior_up, bayes.lowest_posterior, Basis.of("posterior-bounds")
)
_RATIO = Rule(RATIO_OF_TRUTH, RATIO, bayes.ratio_up, bayes.ratio_down, Basis.of("ratio-bounds"))
_DIFFERENCE = Rule(
    DIFFERENCE_OF_TRUTH, DIFFERENCE, bayes.difference_up, bayes.difference_down, Basis.of("difference-bounds")
)
_ODDS = Rule(ODDS_OF_TRUTH, ODDS, bayes.odds_up, bayes.odds_down, Basis.of("posterior-odds", "posterior-bounds"))


def posterior(
    promise: Promise,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding:
    """The largest posterior of the truth but for the failure, or with `sides=2` the interval of the posterior.

    >>> from whit.guarantees import ApproxDP, PureDP
    >>> print(posterior(PureDP(1.0), 0.5))
    posterior probability of the truth is at most 73.2 %
    >>> print(posterior(ApproxDP(1.8, 1e-5), [0.1, 0.5], failure=0.05, sides=2))
    posterior probability is between 14.1 % and 85.9 % (the largest of 2 values)
    """
    return Beliefs(promise, failure, sides, neighbours).posterior(prior)


def ratio(
    promise: Promise,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding:
    """The largest ratio of posterior and prior of the truth, or with `sides=2` the interval of the ratio.

    At the prior 0 it is the limit of small priors.

    >>> from whit.guarantees import PureDP
    >>> print(ratio(PureDP(1.0), 0.1))
    ratio of posterior and prior probability of the truth is at most 2.32
    """
    return Beliefs(promise, failure, sides, neighbours).ratio(prior)


def difference(
    promise: Promise,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding:
    """The largest rise of the probability of the truth, or with `sides=2` the interval of its change.

    >>> from whit.guarantees import PureDP
    >>> print(difference(PureDP(1.0), 0.1))
    posterior minus prior probability of the truth is at most 0.132
    """
    return Beliefs(promise, failure, sides, neighbours).difference(prior)


def odds(
    promise: Promise,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding:
    """The largest posterior odds of the truth, or with `sides=2` the interval of the odds.

    Odds keep their digits where the posterior is too close to 1: what is left to doubt is 1 / (1 + odds).

    >>> from whit.guarantees import PureDP
    >>> print(odds(PureDP(1.0), 0.5))
    posterior odds of the truth are at most 2.72
    """
    return Beliefs(promise, failure, sides, neighbours).odds(prior)


@dataclass(frozen=True, eq=False, repr=False)
class Beliefs:
    r"""What a promise does to beliefs, question by question; all of them follow from one loss, which is found once.

    >>> from whit.guarantees import PureDP
    >>> beliefs = Beliefs(PureDP(1.0), failure=0.0, sides=1, neighbours=None)
    >>> print(beliefs.posterior(0.5), beliefs.odds(0.5), sep="\n")
    posterior probability of the truth is at most 73.2 %
    posterior odds of the truth are at most 2.72
    """

    promise: Promise
    failure: ArrayLike
    sides: int
    neighbours: Neighbours | None

    @property
    def loss(self) -> Finding:
        """The largest loss but for the failure; refused as `proved_loss` refuses it."""
        if isinstance(self._found, WhitError):
            raise self._found
        return self._found

    @cached_property
    def _found(self) -> Finding | WhitError:
        try:
            return proved_loss(self.promise, self.failure, self.sides, self.neighbours)
        except WhitError as refused:
            return refused

    def posterior(self, prior: ArrayLike) -> Finding:
        """The posterior at a prior."""
        return self._by(_POSTERIOR, prior)

    def ratio(self, prior: ArrayLike) -> Finding:
        """The ratio of posterior and prior at a prior."""
        return self._by(_RATIO, prior)

    def difference(self, prior: ArrayLike) -> Finding:
        """The posterior minus the prior, at a prior."""
        return self._by(_DIFFERENCE, prior)

    def odds(self, prior: ArrayLike) -> Finding:
        """The posterior odds at a prior."""
        return self._by(_ODDS, prior)

    def worst_prior(self) -> WorstPrior:
        """The priors that gain most."""
        return worst_priors_of(self.loss, self._inputs())

    def _by(self, rule: Rule, prior: ArrayLike) -> Finding:
        priors = prior_array(prior)
        paired(_ONE_FAILURE, prior=priors, failure=failures(self.failure))
        loss, came_from = self.loss, self._inputs(prior=prior)
        return rule.upper(loss, priors, came_from) if self.sides == 1 else rule.between(loss, priors, came_from)

    def _inputs(self, **numbers: ArrayLike) -> dict[str, Tree]:
        known = inputs(self.promise, self.neighbours, **numbers, failure=self.failure)
        return {**known, "sides": self.sides}


LARGEST_RATIO = Quantity("ratio of posterior and prior probability at any prior", Unit.NUMBER)
LARGEST_DIFFERENCE = Quantity("posterior minus prior probability at any prior", Unit.NUMBER)
ODDS_RATIO = Quantity("ratio of posterior and prior odds", Unit.NUMBER)

# The error allowed to numpy's tanh, in doubles.
_TANH_ULPS = 4


def largest_ratio(
    promise: Promise, *, failure: ArrayLike = 0.0, sides: int = 1, neighbours: Neighbours | None = None
) -> Finding:
    """The largest factor by which the probability of the truth can rise, e^t; with `sides=2` also the smallest, e^-t.

    >>> from whit.guarantees import PureDP
    >>> print(largest_ratio(PureDP(1.0), sides=2))
    ratio of posterior and prior probability at any prior is between 0.367 and 2.72
    """
    loss = proved_loss(promise, failure, sides, neighbours)
    ends = _factors(loss)
    return _answer(LARGEST_RATIO, loss, ends, Basis.of("ratio-bounds"), promise, failure, sides, neighbours)


def largest_difference(
    promise: Promise, *, failure: ArrayLike = 0.0, sides: int = 1, neighbours: Neighbours | None = None
) -> Finding:
    """The most by which the probability of the truth can rise, tanh(t / 4); with `sides=2` also the most it can fall.

    >>> from whit.guarantees import PureDP
    >>> print(largest_difference(PureDP(1.0)))
    posterior minus prior probability at any prior is at most 0.245
    """
    loss = proved_loss(promise, failure, sides, neighbours)
    change = largest_change(np.asarray(loss.value))
    basis = Basis.of("difference-bounds")
    return _answer(LARGEST_DIFFERENCE, loss, (-change, change), basis, promise, failure, sides, neighbours)


def odds_ratio(
    promise: Promise, *, failure: ArrayLike = 0.0, sides: int = 1, neighbours: Neighbours | None = None
) -> Finding:
    """The largest factor by which the odds of the truth can rise, e^t, at every prior; with `sides=2` also e^-t.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> print(odds_ratio(ZeroConcentratedDP(0.07), failure=0.01))
    ratio of posterior and prior odds is at most 3.34
    """
    loss = proved_loss(promise, failure, sides, neighbours)
    basis = Basis.of("posterior-odds", "posterior-bounds")
    return _answer(ODDS_RATIO, loss, _factors(loss), basis, promise, failure, sides, neighbours)


def largest_change(t: Array) -> Array:
    """tanh(t / 4), rounded up."""
    return np.where(t == 0.0, 0.0, np.minimum(up(np.tanh(t / 4), _TANH_ULPS), 1.0))


def _factors(loss: Finding) -> tuple[Array, Array]:
    """e^-t rounded down and e^t rounded up."""
    t = np.asarray(loss.value)
    return Bracket.exact(-t).exp().lower, Bracket.exact(t).exp().upper


def _answer(
    quantity: Quantity,
    loss: Finding,
    ends: tuple[Array, Array],
    basis: Basis,
    promise: Promise,
    failure: ArrayLike,
    sides: int,
    neighbours: Neighbours | None,
) -> Finding:
    """The upper end, or both."""
    came_from = {**inputs(promise, neighbours, failure=failure), "sides": sides}
    if sides == 1:
        return Finding(quantity, ends[1], loss.direction, came_from, loss.basis | basis)
    return two_sided(quantity, ends[0], ends[1], loss, came_from, basis)
