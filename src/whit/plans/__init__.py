"""Release plans: many queries over attributes and a hierarchy of places, and what they leave somebody with a concern.

amounts      rho, mu, sigma and epsilon, without rounding; the noise of a cell, and what it tells
query        one query: attributes, level, parameter, cells
table        many queries, equal kinds stored once
budget       an amount and how it is divided
linked       how queries about linked units are read
plan         a plan, valid once built
checks       whether its parts fit together
rows         one row of a table as a query, and back
tables       a plan from plain tables, as files have them, and back
concern      what somebody wants kept
affected     which queries that exposes, and why
lattice      few cells with discrete Gaussian noise, by a list of all sums
exposed      the noise of these queries as one mechanism
exposure     a plan as somebody with a concern meets it
pairs        the rhos of many concerns at once
costs        which query costs a concern most
invariants   what is published as it is, together with the noisy queries
changes      a plan with queries left out, rescaled or given other shares
comparison   one plan beside another
choice       the scale at which every concern keeps to its limit
exact        fractions, and the doubles next to them
census_2020  the redistricting data of the 2020 Census
"""

from __future__ import annotations

from whit.front_door import front_door
from whit.plans.costs import costs as costs

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.plans.exposure import affected as affected

__all__, __getattr__, __dir__ = front_door(__name__)
