"""What is acceptable, whether a release meets it, and the parameter that does.

profiles           risk profiles: the largest relative risk for each adversary; elicitation makes them from answers
limit              what a limit on one risk is
limits             limits on one risk: posterior, ratio, difference, advantage, power, predictive value, success
decision           check: whether a promise or a mechanism meets a profile, a limit or a promise
verdict            the answer: Allowed, Not allowed or Not shown, by which number, and who decides
recommendation     recommend: the parameter of a family with the least noise that meets it
families           the promises and mechanisms among which it is chosen, and how they compose
like_family        releases like a given one, with only the parameter open
common_factor      releases of several kinds, with only a factor of all their noise open
family_of          which of them a class stands for, with its options
criteria           limits and promises with the chance that they may fail, as both of these need them
profile_criterion  the same of a risk profile, by the two losses of the release
reasons            whether a number is within a limit, and the sentence that says why
minimise           a proof by boxes that a profile is kept, and the largest loss that does
stated             what is accepted in the words of options, and the sentence that says what to use
stricter           requirements like a given one, stricter and looser
shown              verdicts and recommendations in a notebook, and as rows of a table
noise_cost         what the noise costs: spread, error, the exact answer, a target; and risk against accuracy
"""

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
