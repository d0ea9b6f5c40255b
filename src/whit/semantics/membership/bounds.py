"""The posterior, its ratio to the prior, its difference from the prior and its odds, at a prior.

`prior` and posterior are the adversary's probabilities of what is true: that the person is in the data, if they are,
and that they are not, if they are not. So an adversary who believes with 30 % in the presence of a person who is absent
has the prior 0.7. With `sides=1` the answer is an upper bound that holds but for the failure. With `sides=2` it is an
interval that holds but for the failure whichever is true: then the prior may be that of the fact or of its opposite.

`failure` is a chance over the noise of the release: 0 asks for what always holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from numpy.typing import ArrayLike

from whit.curves import Array
from whit.errors import WhitError
from whit.semantics.membership import bayes
from whit.semantics.membership.between import Between
from whit.semantics.membership.fact import inputs
from whit.semantics.membership.largest import failure_array, prior_array, proved_loss
from whit.semantics.membership.worst_priors import WorstPrior, worst_priors_of
from whit.semantics.promised import Promised
from whit.semantics.shapes import paired
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit

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

    def between(self, loss: Finding, priors: Array, came_from: dict[str, Tree]) -> Between:
        """What lies between two numbers, for the truth and for its opposite."""
        basis = loss.basis | self.basis
        below = Direction.AT_LEAST if loss.direction is Direction.AT_MOST else loss.direction
        lower = Finding(self.of_either, bayes.applied(self.below, priors, loss.value), below, came_from, basis)
        highest = bayes.applied(self.above, priors, loss.value)
        return Between(lower, Finding(self.of_either, highest, loss.direction, lower.inputs, basis))


_POSTERIOR = Rule(
    POSTERIOR_OF_TRUTH, POSTERIOR, bayes.posterior_up, bayes.lowest_posterior, Basis.of("posterior-bounds")
)
_RATIO = Rule(RATIO_OF_TRUTH, RATIO, bayes.ratio_up, bayes.ratio_down, Basis.of("ratio-bounds"))
_DIFFERENCE = Rule(
    DIFFERENCE_OF_TRUTH, DIFFERENCE, bayes.difference_up, bayes.difference_down, Basis.of("difference-bounds")
)
_ODDS = Rule(ODDS_OF_TRUTH, ODDS, bayes.odds_up, bayes.odds_down, Basis.of("posterior-odds", "posterior-bounds"))


def posterior(
    promised: Promised,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding | Between:
    """The largest posterior of the truth but for the failure, or with `sides=2` the interval of the posterior.

    >>> from whit.guarantees import ApproxDP, PureDP
    >>> print(posterior(PureDP(1.0), 0.5))
    posterior probability of the truth is at most 73.2 %
    >>> print(posterior(ApproxDP(1.8, 1e-5), [0.1, 0.5], failure=0.05, sides=2))
    posterior probability is between 14.1 % and 85.9 % (the largest of 2 values)
    """
    return Beliefs(promised, failure, sides, neighbours).posterior(prior)


def ratio(
    promised: Promised,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding | Between:
    """The largest ratio of posterior and prior of the truth, or with `sides=2` the interval of the ratio.

    At the prior 0 it is the limit of small priors.

    >>> from whit.guarantees import PureDP
    >>> print(ratio(PureDP(1.0), 0.1))
    ratio of posterior and prior probability of the truth is at most 2.32
    """
    return Beliefs(promised, failure, sides, neighbours).ratio(prior)


def difference(
    promised: Promised,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding | Between:
    """The largest rise of the probability of the truth, or with `sides=2` the interval of its change.

    >>> from whit.guarantees import PureDP
    >>> print(difference(PureDP(1.0), 0.1))
    posterior minus prior probability of the truth is at most 0.132
    """
    return Beliefs(promised, failure, sides, neighbours).difference(prior)


def odds(
    promised: Promised,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
) -> Finding | Between:
    """The largest posterior odds of the truth, or with `sides=2` the interval of the odds.

    Odds keep their digits where the posterior is too close to 1: what is left to doubt is 1 / (1 + odds).

    >>> from whit.guarantees import PureDP
    >>> print(odds(PureDP(1.0), 0.5))
    posterior odds of the truth are at most 2.72
    """
    return Beliefs(promised, failure, sides, neighbours).odds(prior)


@dataclass(frozen=True, eq=False, repr=False)
class Beliefs:
    r"""What a promise does to beliefs, question by question; all of them follow from one loss, which is found once.

    >>> from whit.guarantees import PureDP
    >>> beliefs = Beliefs(PureDP(1.0), failure=0.0, sides=1, neighbours=None)
    >>> print(beliefs.posterior(0.5), beliefs.odds(0.5), sep="\n")
    posterior probability of the truth is at most 73.2 %
    posterior odds of the truth are at most 2.72
    """

    promised: Promised
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
            return proved_loss(self.promised, self.failure, self.sides, self.neighbours)
        except WhitError as refused:
            return refused

    def posterior(self, prior: ArrayLike) -> Finding | Between:
        """The posterior at a prior."""
        return self._by(_POSTERIOR, prior)

    def ratio(self, prior: ArrayLike) -> Finding | Between:
        """The ratio of posterior and prior at a prior."""
        return self._by(_RATIO, prior)

    def difference(self, prior: ArrayLike) -> Finding | Between:
        """The posterior minus the prior, at a prior."""
        return self._by(_DIFFERENCE, prior)

    def odds(self, prior: ArrayLike) -> Finding | Between:
        """The posterior odds at a prior."""
        return self._by(_ODDS, prior)

    def worst_prior(self) -> WorstPrior:
        """The priors that gain most."""
        return worst_priors_of(self.loss, self._inputs())

    def _by(self, rule: Rule, prior: ArrayLike) -> Finding | Between:
        priors = prior_array(prior)
        paired(_ONE_FAILURE, prior=priors, failure=failure_array(self.failure))
        loss, came_from = self.loss, self._inputs(prior=prior)
        return rule.upper(loss, priors, came_from) if self.sides == 1 else rule.between(loss, priors, came_from)

    def _inputs(self, **numbers: ArrayLike) -> dict[str, Tree]:
        known = inputs(self.promised, self.neighbours, **numbers, failure=self.failure)
        return {**known, "sides": self.sides}
