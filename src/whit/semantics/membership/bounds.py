"""The posterior, its ratio to the prior, its difference from it and its odds: at a prior, at any, and at the worst.

`prior` and posterior are the adversary's probabilities of what is true: that the person is in the data, if they are,
and that they are not, if they are not. So an adversary who believes with 30 % in the presence of a person who is absent
has the prior 0.7. With `sides=1` the answer is an upper bound that holds except with the failure probability. With
`sides=2` it is an interval that does so whichever is true: then the prior may be that of the fact or of its opposite.

`failure` is a chance over the noise of the release: 0 asks for what always holds. For somebody who may believe anything
of the others (`knows`), it is over the noise and over the others as that person believes them to be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise, ever_loss, largest_loss, mixed_loss, require_promise
from whit.errors import NotImplied, WhitError
from whit.numerics import paired, unmasked_probabilities
from whit.semantics.membership import bayes
from whit.semantics.membership.worst_priors import WorstPrior, worst_priors
from whit.setting import Knowledge, Neighbours, When, failures, one_or_two
from whit.theory import Basis, Finding, Quantity, Randomness, Tree, Unit, echo

_ONE_FAILURE = "Use one failure, or one for each prior."
PRIOR_WAY_OUT = "Use the adversary's probability before the release, such as 0.5."
_STOPPING = Basis.of("at-every-moment")
FACTS = {
    Neighbours.ADD_REMOVE: "that the person is in the data, or that they are not",
    Neighbours.REPLACE: "that the person's record is one of two given ones, or that it is the other",
    Neighbours.LOCAL: "that the record which the person holds is one of two given ones, or that it is the other",
}
"""What the prior and the posterior are about, under each relation: the fact or its opposite, whichever is true."""

OF_A_CURVE = "that the data are one of the two datasets that the curve compares, or that they are the other"
"""What the prior and the posterior are about, for a bare curve."""

# Chances of failure that are offered where the one asked for gives nothing.
_OFFERED = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.25, 0.5)
_ELSE = (
    "No failure probability up to 0.5 bounds it either, so that the promise leaves nothing to say at a useful one. "
    "Use a promise that bounds the loss, such as pure differential privacy, or the mechanism itself."
)


def inputs(promise: Promise, neighbours: Neighbours | None, **numbers: ArrayLike) -> dict[str, Tree]:
    """What a finding came from: the promise, the relation, the fact in question and the numbers."""
    relation = require_promise(promise).relation(neighbours)
    return {
        "promise": echo(promise),
        "neighbours": echo(relation),
        "fact": OF_A_CURVE if relation is None else FACTS[relation],
        **{name: echo(value) for name, value in numbers.items()},
    }


def prior_array(prior: ArrayLike) -> Array:
    """Priors, 0 and 1 included."""
    return unmasked_probabilities("prior", prior, PRIOR_WAY_OUT)


def compared(
    promise: Promise, knows: Knowledge, neighbours: Neighbours | None = None, when: When = When.END
) -> Promise:
    """What somebody compares: two datasets, at the end or ever; or mixtures of them if they do not know the others.

    What bounds mixtures bounds them at every moment too.
    """
    if Knowledge.checked(knows) is Knowledge.ANY_BELIEF:
        return promise.mixed(neighbours)
    return promise if When.checked(when) is When.END else promise.ever(neighbours)


def randomness(knows: Knowledge) -> Randomness:
    """What a failure is a chance over: the noise, and the other records too for somebody who does not know them."""
    return Randomness.MECHANISM if Knowledge.checked(knows) is Knowledge.EVERYONE_ELSE else Randomness.BELIEF


def known_loss(
    promise: Promise,
    failure: ArrayLike,
    *,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge,
    when: When = When.END,
) -> Finding:
    """The largest loss except with the probability of failure, for somebody who knows so much of the others.

    Whoever does not know the others compares mixtures; the profile bounds their loss, at every moment.
    """
    both, ever = one_or_two(sides), When.checked(when) is When.EVER
    if require_promise(promise).known_by(knows) is Knowledge.ANY_BELIEF:
        found = mixed_loss(promise, failure, neighbours, sides=both)
        return replace(found, basis=found.basis | _STOPPING) if ever and found.basis.failures else found
    if ever:
        return ever_loss(promise, failure, neighbours, sides=both)
    return largest_loss(promise, failure, sides=both, neighbours=neighbours)


def proved_loss(
    promise: Promise,
    failure: ArrayLike,
    sides: int,
    neighbours: Neighbours | None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest loss except with the probability of failure; refused where a promise bounds none.

    An infinite loss of a mechanism is an answer: it has such losses.

    >>> from whit.guarantees import ApproxDP
    >>> proved_loss(ApproxDP(1.0, 1e-6), 0.0, 1, None)
    Traceback (most recent call last):
    whit.errors.NotImplied: the posterior is not bounded by this promise at a failure probability of 0 (its
    delta is 1e-06); got ApproxDP(epsilon=1.0, delta=1e-06). Ask with failure=1e-05 or more.
    """
    chances = failures(failure)
    loss_at = partial(known_loss, promise, sides=sides, neighbours=neighbours, knows=knows, when=when)
    loss = loss_at(failure)
    nothing = np.isinf(loss.value)
    if not np.any(nothing) or promise.is_exact:
        return loss
    asked = float(np.max(chances[nothing]))
    rule = f"is not bounded by this promise at a failure probability of {asked:g}{_delta(promise, neighbours, asked)}"
    # One after the other: the first one is often enough, and a loss may take long to find.
    enough = next((chance for chance in _OFFERED if np.isfinite(loss_at(chance).value)), None)
    if enough is None:
        raise NotImplied("the posterior", rule, promise, _ELSE, parameter="failure")
    suggested = {"failure": enough}
    way_out = "Ask with {failure} or more."
    raise NotImplied("the posterior", rule, promise, way_out, parameter="failure", suggested=suggested)


def _delta(promise: Promise, neighbours: Neighbours | None, asked: float) -> str:
    """The delta of the promise, where that is the reason."""
    delta = promise.stated_under(neighbours).get("delta")
    return f" (its delta is {delta:g})" if isinstance(delta, float) and asked <= delta else ""


POSTERIOR_OF_TRUTH = Quantity("posterior probability of the truth", Unit.PROBABILITY, key="posterior")
POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY, key="posterior")
RATIO_OF_TRUTH = Quantity("ratio of posterior to prior of the truth", Unit.NUMBER, key="ratio")
RATIO = Quantity("ratio of posterior to prior", Unit.NUMBER, key="ratio")
DIFFERENCE_OF_TRUTH = Quantity("increase from prior to posterior of the truth", Unit.NUMBER, key="difference")
DIFFERENCE = Quantity("change from prior to posterior", Unit.NUMBER, key="difference")
ODDS_OF_TRUTH = Quantity("posterior odds of the truth", Unit.NUMBER, key="odds")
ODDS = Quantity("posterior odds", Unit.NUMBER, key="odds")


@dataclass(frozen=True)
class Rule:
    """How a bound on the loss becomes a bound on something else: from above, from below, and by which theorems."""

    of_truth: Quantity
    of_either: Quantity
    above: bayes.Formula
    below: bayes.Formula
    basis: Basis


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
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest posterior of the truth, except with the failure probability; with `sides=2` an interval.

    >>> from whit.guarantees import ApproxDP, PureDP
    >>> print(posterior(PureDP(1.0), 0.5))
    posterior probability of the truth is at most 73.2 %
    >>> print(posterior(ApproxDP(1.8, 1e-5), [0.1, 0.5], failure=0.05, sides=2))
    posterior probability is between 14.1 % and 85.9 % (the largest of 2 values), except with probability 5 %
    """
    return Beliefs(promise, failure, sides, neighbours, knows, when).posterior(prior)


def ratio(
    promise: Promise,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest ratio of posterior and prior of the truth, or with `sides=2` the interval of the ratio.

    At the prior 0 it is the limit of small priors.

    >>> from whit.guarantees import PureDP
    >>> print(ratio(PureDP(1.0), 0.1))
    ratio of posterior to prior of the truth is at most 2.32
    """
    return Beliefs(promise, failure, sides, neighbours, knows, when).ratio(prior)


def difference(
    promise: Promise,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest rise of the probability of the truth, or with `sides=2` the interval of its change.

    >>> from whit.guarantees import PureDP
    >>> print(difference(PureDP(1.0), 0.1))
    increase from prior to posterior of the truth is at most 0.132
    """
    return Beliefs(promise, failure, sides, neighbours, knows, when).difference(prior)


def odds(
    promise: Promise,
    prior: ArrayLike,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest posterior odds of the truth, or with `sides=2` the interval of the odds.

    Odds keep their digits where the posterior is too close to 1: what is left to doubt is 1 / (1 + odds).

    >>> from whit.guarantees import PureDP
    >>> print(odds(PureDP(1.0), 0.5))
    posterior odds of the truth are at most 2.72
    """
    return Beliefs(promise, failure, sides, neighbours, knows, when).odds(prior)


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
    knows: Knowledge = Knowledge.EVERYONE_ELSE
    when: When = When.END

    def __post_init__(self) -> None:
        object.__setattr__(self, "knows", require_promise(self.promise).known_by(self.knows))

    @property
    def loss(self) -> Finding:
        """The largest loss, except with the failure probability; refused as `proved_loss` refuses it."""
        if isinstance(self._found, WhitError):
            raise self._found
        return self._found

    @cached_property
    def _found(self) -> Finding | WhitError:
        try:
            return proved_loss(self.promise, self.failure, self.sides, self.neighbours, self.knows, self.when)
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

    def at_any_prior(
        self, quantity: Quantity, below: bayes.LossFormula, above: bayes.LossFormula, *keys: str
    ) -> Finding:
        """What follows from the loss alone, by these formulas and theorems."""
        t = np.asarray(self.loss.value)
        return self._bound(quantity, below(t), above(t), self._by_rule(Basis.of(*keys)))

    def worst_prior(self) -> WorstPrior:
        """The priors that gain most."""
        return worst_priors(self.loss, self._inputs(), self._by_rule)

    def _by(self, rule: Rule, prior: ArrayLike) -> Finding:
        priors, basis = prior_array(prior), self._by_rule(rule.basis)
        paired(_ONE_FAILURE, prior=priors, failure=failures(self.failure))
        t = self.loss.value
        highest = bayes.applied(rule.above, priors, t)
        lowest = None if self.sides == 1 else bayes.applied(rule.below, priors, t)
        found = self._bound(rule.of_truth if self.sides == 1 else rule.of_either, lowest, highest, basis, prior=prior)
        # The posterior that the bound amounts to; odds have no largest value.
        with np.errstate(over="ignore", invalid="ignore"):
            amounts_to = {_POSTERIOR: highest, _RATIO: highest * priors, _DIFFERENCE: highest + priors}.get(rule)
        short = amounts_to is not None and bayes.rounded_to_one(amounts_to, priors, t)
        return replace(found, short_of_certainty=short)

    def _by_rule(self, basis: Basis) -> Basis:
        """The theorems by which the loss bounds a belief: the rules for a known rest hold for mixtures by another."""
        known = self.knows is Knowledge.EVERYONE_ELSE
        return basis if known else replace(basis, theorems=("beliefs-when-the-rest-is-random",))

    def _bound(
        self, quantity: Quantity, lowest: Array | None, highest: Array, basis: Basis, **numbers: ArrayLike
    ) -> Finding:
        """The upper bound, and with two sides the lower one: both hold except with one failure probability."""
        lower = lowest if self.sides == 2 and self.loss.proved else None
        return Finding(quantity, highest, self.loss.direction, self._inputs(**numbers), self.loss.basis | basis, lower)

    def _inputs(self, **numbers: ArrayLike) -> dict[str, Tree]:
        known = inputs(self.promise, self.neighbours, **numbers, failure=self.failure)
        moment = {"when": self.when.name} if self.when is When.EVER else {}
        return {**known, "sides": self.sides, "knows": self.knows.name, **moment}
