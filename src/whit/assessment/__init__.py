"""One promise, one adversary, every question that applies.

assess    the questions, put to the schools: all of them, or those that concern one adversary
population  of how many people a bound is expected to fail
compare   the same questions put to several promises
every_kind  the same promise as every kind has it
sentences  the most useful question first, and each answer in one plain sentence
shown     an assessment in a notebook, and as rows of a table
answers   what comes back: findings, and sentences where there is no answer
"""

from __future__ import annotations

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.assessment.assess import assess as assess
from whit.assessment.compare import compare as compare
from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
