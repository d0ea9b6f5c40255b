"""The priors at which an adversary gains most, in ratio and in difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise
from whit.numerics import ULP
from whit.semantics.membership.question import inputs, proved_loss
from whit.setting import Neighbours
from whit.theory import Answer, Basis, Direction, Finding, Quantity, Tree, Unit

WORST_FOR_RATIO = Quantity("prior of the fact towards which the bound on the ratio grows", Unit.PROBABILITY)
WORST_FOR_DIFFERENCE = Quantity("prior of the fact at which the bound on the difference is largest", Unit.PROBABILITY)

# 1 / (1 + e^x): exp within two doubles, a sum and a quotient.
_SLACK = 8 * ULP


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


def worst_prior(
    promise: Promise, *, failure: ArrayLike = 0.0, sides: int = 1, neighbours: Neighbours | None = None
) -> WorstPrior:
    """The priors of the fact at which the bounds on ratio and difference are largest.

    The adversary who gains most from the release itself may have another prior, if the promise is looser than it is.

    >>> from whit.guarantees import ApproxDP
    >>> worst = worst_prior(ApproxDP(1.8, 1e-5), failure=0.05, sides=2)
    >>> print(worst.difference.when_true)
    prior of the fact at which the bound on the difference is largest is 29 % (rounded up)
    >>> print(worst.difference.when_false)
    prior of the fact at which the bound on the difference is largest is 71.1 % (rounded up)
    """
    loss = proved_loss(promise, failure, sides, neighbours)
    return worst_priors_of(loss, {**inputs(promise, neighbours, failure=failure), "sides": sides})


def worst_priors_of(loss: Finding, came_from: Mapping[str, Tree]) -> WorstPrior:
    """The worst priors of a loss that is known already."""
    t = np.asarray(loss.value)
    # The prior is that of the bound, which is known exactly: mass that was cut off is in the bound already.
    rests_on = replace(loss.basis, truncation=0.0)

    def found(quantity: Quantity, value: Array, basis: Basis) -> Finding:
        direction = Direction.ABOUT if loss.direction is Direction.ABOUT else Direction.EXACTLY
        return Finding(quantity, value, direction, came_from, rests_on | basis)

    by_ratio = Basis.of("worst-prior-ratio")
    by_difference = Basis.of("worst-prior-difference") | Basis(slack=_SLACK)
    return WorstPrior(
        WorstPriors(
            found(WORST_FOR_RATIO, np.zeros(t.shape), by_ratio), found(WORST_FOR_RATIO, np.ones(t.shape), by_ratio)
        ),
        WorstPriors(
            found(WORST_FOR_DIFFERENCE, _logistic(-t / 2), by_difference),
            found(WORST_FOR_DIFFERENCE, _logistic(t / 2), by_difference),
        ),
    )


def _logistic(x: Array) -> Array:
    """1 / (1 + e^-x)."""
    with np.errstate(over="ignore", under="ignore"):
        small = np.exp(-np.abs(x))
    return np.where(x >= 0.0, 1.0, small) / (1.0 + small)
