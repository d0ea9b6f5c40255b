"""What to ask instead of a bound that always holds, where there is none."""

from __future__ import annotations

import math

from whit.curves import Promise, largest_loss
from whit.errors import NotImplied
from whit.semantics import membership
from whit.setting import Neighbours

NOT_ALWAYS = ("No bound below 1 holds always; ask with --failure 0.01 for one that holds but for that chance.",)
"""What is said where nothing but certainty bounds a belief."""


def unbounded(promised: Promise, neighbours: Neighbours | None) -> bool:
    """Whether no bound on the loss is known to hold always."""
    return math.isinf(float(largest_loss(promised, 0.0, neighbours=neighbours)))


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def why_unbounded(promised: Promise, failure: float, sides: int, neighbours: Neighbours | None) -> tuple[str, ...]:
    """The sentence of `whit assess` about a promise without a bound on beliefs.

    >>> from whit.guarantees import ApproxDP
    >>> why_unbounded(ApproxDP(1.0, 1e-6), 0.0, 1, None)[0][-31:]
    'Ask with failure=1e-05 or more.'
    """
    try:
        membership.posterior(promised, 0.5, failure=failure, sides=sides, neighbours=neighbours)
    except NotImplied as refused:
        return (capital(str(refused)),)
    return NOT_ALWAYS
