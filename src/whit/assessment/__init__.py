"""One promise, one adversary, every question that applies.

assess         the questions, put to the schools
answers        what comes back: findings, and sentences where there is no answer; several as one
names          what is promised, in a few words
"""

from whit.assessment.answers import Assessment, Unanswered, Unasked
from whit.assessment.assess import QUESTIONS, assess
from whit.assessment.names import in_each, promise_name

__all__ = ["QUESTIONS", "Assessment", "Unanswered", "Unasked", "assess", "in_each", "promise_name"]
