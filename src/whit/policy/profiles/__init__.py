"""What an agency accepts: risk profiles, the largest relative risk for each adversary.

profile        what every profile has: limits, domain, bounds on boxes, notices, closed forms and what they are made of
flat           constant, box: one limit for everybody, or for everybody in a box of beliefs
cap_or_ratio   capped: a cap on the posterior or a limit on the ratio, whichever allows more
cap            absolute_cap: a cap on the posterior
change         difference: posterior minus prior
grid           table: limits at some beliefs, interpolated
by_prior       the largest posterior at some priors, interpolated: what elicitation makes
arbitrary      custom: any function
several        strictest: several profiles at once
"""

from whit.policy.profiles.arbitrary import Custom, custom
from whit.policy.profiles.by_prior import ByPrior
from whit.policy.profiles.cap import AbsoluteCap, absolute_cap
from whit.policy.profiles.cap_or_ratio import Capped, capped
from whit.policy.profiles.change import Difference, difference
from whit.policy.profiles.flat import Flat, box, constant
from whit.policy.profiles.grid import Table, table
from whit.policy.profiles.profile import ClosedForm, Domain, RiskProfile
from whit.policy.profiles.several import Strictest, strictest

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
