"""One promise, one adversary, every question that applies.

assess         the questions, put to the schools
answers        what comes back: findings, and sentences where there is no answer
one_adversary  one number for each thing, by what an adversary knows of the others
stacked        several promises in one assessment
names          what is promised, in a few words
"""

from whit.assessment.answers import Assessment, Unanswered, Unasked
from whit.assessment.assess import QUESTIONS, assess
from whit.assessment.names import in_each, promise_name
from whit.assessment.one_adversary import assess_one

__all__ = ["QUESTIONS", "Assessment", "Unanswered", "Unasked", "assess", "assess_one", "in_each", "promise_name"]
