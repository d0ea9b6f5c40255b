"""What was already released about the same people, composed with what is to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from whit.curves import Promise, composed
from whit.errors import InvalidInput
from whit.guarantees import Guarantee
from whit.mechanisms import Mechanism, compose
from whit.setting import Neighbours

Earlier: TypeAlias = Promise
"""An earlier release: its promise, its mechanism, or a curve that others computed."""

_WAY_OUT = "Pass what was promised before, such as [PureDP(0.5)] or [Gaussian(10.0).times(12)]."


def earlier(spent: object) -> tuple[Earlier, ...]:
    """The earlier releases as a tuple; a single one may stand alone.

    >>> from whit.guarantees import PureDP
    >>> earlier(PureDP(0.5))
    (PureDP(epsilon=0.5),)
    """
    given = spent if isinstance(spent, Sequence) and not isinstance(spent, str) else (spent,)
    for each in given:
        if not isinstance(each, Promise):
            raise InvalidInput("spent", "must be promises, mechanisms or curves", each, _WAY_OUT)
    return tuple(given)


def together(now: Promise, spent: Sequence[Earlier], relation: Neighbours) -> Promise:
    """The new release and the earlier ones as one, between neighbours of this relation.

    Mechanisms compose by their losses and promises by their rules; where both are among them, their curves compose.

    >>> from whit.guarantees import PureDP
    >>> together(PureDP(0.25), [PureDP(0.5)], Neighbours.ADD_REMOVE)
    PureDP(epsilon=0.75)
    """
    if not spent:
        return now
    everything = [now, *spent]
    mechanisms = [each for each in everything if isinstance(each, Mechanism)]
    if len(mechanisms) == len(everything):
        return compose(*mechanisms)
    promises = [each.under(relation) for each in everything if isinstance(each, Guarantee)]
    if len(promises) == len(everything):
        return compose(*promises).promise
    return composed([each.composable(relation) for each in everything])
