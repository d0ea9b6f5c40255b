"""What an agency accepts: risk profiles, the largest relative risk for each adversary.

profile        what every profile has: limits, domain, bounds on boxes, closed forms; strictest: several at once
closed         with a formula for epsilon: constant, box, absolute_cap, difference, capped
grid           table: limits at some beliefs, interpolated
elicitation    answers to a short series of questions: the largest posterior at some priors, interpolated
arbitrary      custom: any function
"""

from whit.policy.profiles.arbitrary import Custom, custom
from whit.policy.profiles.closed import (
    AbsoluteCap,
    Capped,
    Difference,
    Flat,
    absolute_cap,
    box,
    capped,
    constant,
    difference,
)
from whit.policy.profiles.elicitation import ByPrior
from whit.policy.profiles.grid import Table, table
from whit.policy.profiles.profile import ClosedForm, Domain, RiskProfile, Strictest, strictest

__all__ = [
    "AbsoluteCap",
    "ByPrior",
    "Capped",
    "ClosedForm",
    "Custom",
    "Difference",
    "Domain",
    "Flat",
    "RiskProfile",
    "Strictest",
    "Table",
    "absolute_cap",
    "box",
    "capped",
    "constant",
    "custom",
    "difference",
    "strictest",
    "table",
]
