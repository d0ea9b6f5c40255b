"""Disclosure: what an adversary learns about whether a person is in the data, and with which value.

risk        bounds on relative and absolute risk, at given beliefs and at all of them; their two factors
exact       the risk of each outcome of a finite mechanism
inversion   the largest epsilon that keeps to a limit
losses      the losses of adding and of replacing a record that the bounds rest on
bound       their arithmetic, on the safe side
"""

from whit.semantics.disclosure.bound import root_down, safe_epsilon
from whit.semantics.disclosure.exact import exact_risk, largest_exact_risk
from whit.semantics.disclosure.inversion import largest_epsilon, largest_swap_loss
from whit.semantics.disclosure.risk import (
    absolute_risk,
    inclusion_part,
    inclusion_ratio,
    relative_risk,
    relative_risk_at_any_prior,
    value_part,
    value_ratio,
)

__all__ = [
    "absolute_risk",
    "exact_risk",
    "inclusion_part",
    "inclusion_ratio",
    "largest_epsilon",
    "largest_exact_risk",
    "largest_swap_loss",
    "relative_risk",
    "relative_risk_at_any_prior",
    "root_down",
    "safe_epsilon",
    "value_part",
    "value_ratio",
]
