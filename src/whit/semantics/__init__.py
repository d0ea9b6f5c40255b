"""The questions: what an adversary learns from a release, school by school.

membership       prior to posterior about one person, for an adversary who may know everyone else
disclosure       whether a person is in the data and with which value: relative and absolute risk
counterfactual   the posterior with the person in the data against the posterior without
testing          false-positive rate and power of the best test

The schools do not import each other. Each is loaded when it is first used.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
