"""What a risk profile judges, at each prior: the adversary with that prior who may come to the largest belief.

An adversary with the prior r has an inclusion p between r and 1 and the value r/p. The bound on their belief is over
r + (p - r) e^(-e_swap) + (1 - p) e^(-e_in), which is linear in p, so one of the ends of p decides.
"""

from __future__ import annotations

import numpy as np

from whit.curves import Promise
from whit.numerics import up
from whit.policy.profiles import RiskProfile
from whit.semantics import disclosure
from whit.telling.plots.answers import Array, safe, values
from whit.theory import Direction, Finding

Beliefs = tuple[Array, Array]


def ends(profile: RiskProfile, at: Array) -> tuple[Beliefs, Beliefs]:
    """Inclusions and values of the two adversaries at each prior; where the profile has none, those of everybody."""
    (least_p, most_p), (least_q, most_q) = profile.domain.inclusion, profile.domain.value
    lowest = np.maximum(_over(at, most_q), least_p)
    highest = np.minimum(_over(at, least_q), most_p)
    inside = lowest <= highest
    return _beliefs(np.where(inside, lowest, at), at), _beliefs(np.where(inside, highest, 1.0), at)


def _over(at: Array, belief: float) -> Array:
    return np.minimum(at / belief, 1.0) if belief > 0.0 else np.ones_like(at)


def _beliefs(inclusion: Array, at: Array) -> Beliefs:
    """The value with which an inclusion makes up the prior, rounded up, which makes the belief after it larger."""
    some = inclusion > 0.0
    exact = np.where(some, at, 1.0) / np.where(some, inclusion, 1.0)
    return inclusion, np.where(exact < 1.0, np.minimum(up(exact), 1.0), 1.0)


def judged_posterior(profile: RiskProfile, promised: Promise, at: Array, *, failure: float) -> Finding:
    """The largest probability of a disclosure after the release, over the adversaries of the profile at each prior."""
    found = [
        safe(disclosure.absolute_risk(promised, inclusion=inclusion, value=value, failure=failure))
        for inclusion, value in ends(profile, at)
    ]
    first, second = found
    return Finding(
        first.quantity,
        np.maximum(values(first), values(second)),
        Direction.combine(first.direction, second.direction),
        {**first.inputs, "inclusion": "the one that decides", "value": "the one that decides"},
        first.basis | second.basis,
    )
