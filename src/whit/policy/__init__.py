"""What is acceptable, and the parameter that keeps to it.

profiles      risk profiles: the largest relative risk for each adversary
limits        limits on one risk: posterior, ratio, difference, advantage, power, predictive value
elicitation   answers to a short series of questions, made into a profile
recommend     the parameter of a family that tells most and keeps to a profile, a limit or a promise
families      the promises and mechanisms among which it is chosen, and how they compose
spent         earlier releases about the same people
minimise      a proof by boxes that a profile is kept, and the largest loss that does
accuracy      what the noise costs: spread, error, the exact answer, a target that is crossed
frontier      risk against accuracy, in both directions
profile_room  whether any promise or mechanism keeps to a profile
comparators   other rules for epsilon
"""

from whit.policy import elicitation, limits, profiles
from whit.policy.accuracy import Accuracy, Target, accuracy, crossing
from whit.policy.comparators import lee_clifton_epsilon, naive_epsilon, participation_posterior
from whit.policy.families import Rule
from whit.policy.frontier import Step, frontier, noise_of_deviation, noise_of_error
from whit.policy.profile_room import ProfileRoom, profile_room
from whit.policy.recommend import Recommendation, recommend
from whit.policy.recommend_binding import ProfileBinding

__all__ = [
    "Accuracy",
    "ProfileBinding",
    "ProfileRoom",
    "Recommendation",
    "Rule",
    "Step",
    "Target",
    "accuracy",
    "crossing",
    "elicitation",
    "frontier",
    "lee_clifton_epsilon",
    "limits",
    "naive_epsilon",
    "noise_of_deviation",
    "noise_of_error",
    "participation_posterior",
    "profile_room",
    "profiles",
    "recommend",
]
