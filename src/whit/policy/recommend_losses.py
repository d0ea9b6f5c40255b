"""The losses of releases, as the search for a parameter needs them: worked out once for each promise."""

from __future__ import annotations

from functools import lru_cache

from whit import curves
from whit.curves import Promise
from whit.setting import Neighbours
from whit.theory import Finding


@lru_cache(maxsize=64)
def sure_loss(promised: Promise, relation: Neighbours) -> Finding:
    """The loss that is never exceeded; infinite where there is none."""
    return curves.sure_loss(promised, relation)


@lru_cache(maxsize=64)
def mixed_loss(promised: Promise, failure: float, relation: Neighbours) -> Finding:
    """The loss between neighbours in a form that stays true of adversaries who do not know the other records."""
    return curves.mixed_loss(promised, failure, relation)


def mixed_tail(promised: Promise, loss: float, relation: Neighbours) -> float:
    """An upper bound on the probability that the loss exceeds a number, in that form."""
    return float(promised.mixed(relation).beyond(loss))


def tail_beyond(promised: Promise, loss: float, sides: int, relation: Neighbours) -> float:
    """An upper bound on the probability that the loss exceeds a number, on one side or on both."""
    return float(promised.beyond(loss, sides=sides, neighbours=relation))
