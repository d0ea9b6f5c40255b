"""What is acceptable, whether a release meets it, and the parameter that does.

profiles           risk profiles: the largest relative risk for each adversary; elicitation makes them from answers
limit              what a limit on one risk is
limits             limits on one risk: posterior, ratio, difference, advantage, power, predictive value, success
decision           check: whether a promise or a mechanism meets a profile, a limit or a promise
verdict            the answer: kept, broken or open, by which number, and who decides
recommendation     recommend: the parameter of a family with the least noise that meets it
families           the promises and mechanisms among which it is chosen, and how they compose
like_family        releases like a given one, with only the parameter open
family_of          which of them a class stands for, with its options
criteria           limits and promises with the chance that they may fail, as both of these need them
profile_criterion  the same of a risk profile, by the two losses of the release
minimise           a proof by boxes that a profile is kept, and the largest loss that does
accuracy           what the noise costs: spread, error, the exact answer, a target; and risk against accuracy
"""

from whit.policy import limits, profiles
from whit.policy.accuracy import (
    Accuracy,
    Step,
    Target,
    accuracy,
    crossing,
    frontier,
    noise_of_deviation,
    noise_of_error,
)
from whit.policy.decision import check
from whit.policy.families import Rule
from whit.policy.profile_criterion import posterior_line
from whit.policy.profiles import elicitation
from whit.policy.recommendation import Recommendation, Requirement, naive_epsilon, recommend
from whit.policy.verdict import Outcome, Verdict

__all__ = [
    "Accuracy",
    "Outcome",
    "Recommendation",
    "Requirement",
    "Rule",
    "Step",
    "Target",
    "Verdict",
    "accuracy",
    "check",
    "crossing",
    "elicitation",
    "frontier",
    "limits",
    "naive_epsilon",
    "noise_of_deviation",
    "noise_of_error",
    "posterior_line",
    "profiles",
    "recommend",
]
