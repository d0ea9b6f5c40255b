"""The priors at which the bounds on ratio and increase are largest: of a fact that is true, and of one that is false.

Where the bound lies is known exactly, since it is a formula of the prior and the loss. Where the belief itself rises
most is another matter, as long as the loss is a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from whit.curves import Array
from whit.semantics.membership import bayes
from whit.theory import Answer, Basis, Direction, Finding, Quantity, Tree, Unit

# At the ends, 0 and 1, no belief rises: they are limits that a bound grows towards.
WORST_FOR_RATIO = (
    Quantity(
        "worst prior of a true fact for the ratio",
        Unit.PROBABILITY,
        key="worst_prior_of_ratio",
        certain=True,
        open_ends=True,
    ),
    Quantity(
        "worst prior of a false fact for the ratio",
        Unit.PROBABILITY,
        key="worst_prior_of_ratio",
        certain=True,
        open_ends=True,
    ),
)
"""The prior for which the bound on the ratio is largest: of a true fact, and of a false one."""

WORST_FOR_DIFFERENCE = (
    Quantity(
        "worst prior of a true fact for the increase", Unit.PROBABILITY, key="worst_prior", certain=True, open_ends=True
    ),
    Quantity(
        "worst prior of a false fact for the increase",
        Unit.PROBABILITY,
        key="worst_prior",
        certain=True,
        open_ends=True,
    ),
)
"""The prior for which the bound on the increase is largest: of a true fact, and of a false one."""


@dataclass(frozen=True, repr=False)
class WorstPriors(Answer):
    """The worst prior of the fact, such as presence, if it is true, and if it is false.

    when_true    an adversary who doubts what is so: the bound on the posterior of the fact has most room to rise
    when_false   an adversary who believes what is not so: that of its opposite has
    """

    when_true: Finding
    when_false: Finding

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The two priors."""
        return self.when_true, self.when_false

    def __str__(self) -> str:
        return str(self.when_true)


@dataclass(frozen=True, repr=False)
class WorstPrior(Answer):
    """The worst priors by the two measures.

    ratio        a limit: the bound on the ratio grows towards it and does not reach its supremum
    difference   a prior in the middle of doubt
    """

    ratio: WorstPriors
    difference: WorstPriors

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The four priors."""
        return self.ratio.findings + self.difference.findings

    @property
    def worst(self) -> Finding:
        """The prior at which the belief in what is true rises most."""
        return self.difference.when_true

    def __str__(self) -> str:
        return str(self.worst)


def worst_priors(loss: Finding, inputs: Mapping[str, Tree], by_rule: Callable[[Basis], Basis]) -> WorstPrior:
    """The worst priors of the bounds that follow from a loss.

    Args:
        loss: the largest loss, except with the failure probability.
        inputs: what the priors came from.
        by_rule: the theorems that stand for others, for somebody who does not know the rest.
    """
    t, direction = np.asarray(loss.value), Direction.EXACTLY if loss.proved else Direction.ABOUT
    # The prior is that of the bound, which is known exactly: mass that was cut off is in the bound already.
    rests_on = replace(loss.basis, truncation=0.0)

    def worst(quantities: tuple[Quantity, Quantity], of_true: Array, of_false: Array, basis: Basis) -> WorstPriors:
        both, theorems = zip(quantities, (of_true, of_false), strict=True), rests_on | by_rule(basis)
        return WorstPriors(*(Finding(quantity, each, direction, inputs, theorems) for quantity, each in both))

    by_difference = Basis(theorems=("worst-prior-difference",), slack=bayes.LOGISTIC_SLACK)
    return WorstPrior(
        worst(WORST_FOR_RATIO, np.zeros(t.shape), np.ones(t.shape), Basis.of("worst-prior-ratio")),
        worst(WORST_FOR_DIFFERENCE, bayes.logistic(-t / 2), bayes.logistic(t / 2), by_difference),
    )
