"""Membership: how far a release moves the belief of an adversary who wonders about one fact about a person.

The fact is what the neighbours say: that the person is in the data or not (add/remove), or that their record is one
record and not another (replace, local). The adversary gives it a prior; the release gives it a posterior. What they
know of everyone else is asked for: they may believe anything of the others, or know them all.

bounds        posterior, ratio, difference and odds, at a prior, except with a failure
any_prior     ratio, difference and odds at any prior, and the priors that gain most
worst_priors  the priors at which these bounds are largest, of a true fact and of a false one
any_time      beliefs in what is false, and an account of what was spent, at every moment
expectation   the expected posterior, of any promise
law           the law of the posterior where the noise is known; by itself, since it loads the normal distribution
bayes         Bayes's rule, rounded outwards
releases      how many releases keep a limit, and the risk after each number of them
unit_change   a promise to a person on one day as one to that person over a year
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
