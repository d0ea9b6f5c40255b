"""Membership: how far a release moves the belief of an adversary who knows everything but one fact about a person.

The fact is what the neighbours say: that the person is in the data or not (add/remove), or that their record is one
record and not another (replace, local). The adversary gives it a prior; the release gives it a posterior.

bounds        posterior, ratio, difference and odds, at a prior, at any and at the worst, except with a failure
expectation   the expected posterior, of any promise
law           the law of the posterior where the noise is known; by itself, since it loads the normal distribution
bayes         Bayes's rule, rounded outwards
releases      how many releases keep a limit, and the risk after each number of them
unit_change   a promise to a person on one day as one to that person over a year
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
