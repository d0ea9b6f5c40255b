"""One promise, one adversary, every question that applies.

assess         the questions, put to the schools
answers        what comes back: findings, and sentences where there is no answer
stacked        several promises in one assessment
promise_name   what is promised, in a few words
"""

from whit.assessment.answers import Answer, Assessment, Unanswered, Unasked
from whit.assessment.assess import QUESTIONS, assess
from whit.assessment.promise_name import in_each, promise_name

__all__ = ["QUESTIONS", "Answer", "Assessment", "Unanswered", "Unasked", "assess", "in_each", "promise_name"]
