"""Release plans: many queries over attributes and a hierarchy of places, and what they reveal about one concern.

amounts      rho, mu, sigma and epsilon, without rounding; the noise of a cell, and what it tells
query        one query: attributes, level, parameter, cells; many queries, equal kinds stored once
plan         a plan with its budgets, valid once built
tables       a plan from plain tables, as files have them, and back
concern      what somebody wants kept
noise        the noise of the queries that a concern is exposed to, as one mechanism
exposure     which queries those are and why, and the guarantee that they leave
comparison   one plan beside another, one concern beside another, and the queries that cost a concern most
shown        plans, exposures and comparisons in a notebook, and as rows of a table
changes      a plan with queries left out, rescaled or given other shares
choice       the least noise with which every concern meets its limit
known        what is known for certain from what is published as it is
invariants   what is published as it is, together with the noisy queries
census_2020  the redistricting data of the 2020 Census
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
