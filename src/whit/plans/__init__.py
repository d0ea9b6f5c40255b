"""Release plans: many queries over attributes and a hierarchy of places, and what they leave somebody with a concern.

amounts      rho, mu, sigma and epsilon, without rounding
law          the noise of a cell, and what it tells
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

from whit.plans import census_2020
from whit.plans.affected import Affected, affected, every_query
from whit.plans.amounts import Amount, Epsilon, Mu, Rho, Sigma
from whit.plans.budget import Budget
from whit.plans.changes import moved, scaled, without
from whit.plans.choice import PlanRecommendation, recommend_scale, recommend_shares
from whit.plans.comparison import Comparison, compare
from whit.plans.concern import About, Anywhere, Concern, Presence, Settled, WholeRecord, Within
from whit.plans.costs import Cost, costs
from whit.plans.exposed import Exposed
from whit.plans.exposure import RHO, Exposure, expose
from whit.plans.invariants import Beside, InvariantsRelease, invariants_release
from whit.plans.linked import Linked
from whit.plans.pairs import all_pairs, rhos
from whit.plans.plan import Plan, Unprotected
from whit.plans.query import Cells, Kind, Query, Share
from whit.plans.table import Table
from whit.plans.tables import plan_of, queries_of, rows_of, tables_of

__all__ = [
    "RHO",
    "About",
    "Affected",
    "Amount",
    "Anywhere",
    "Beside",
    "Budget",
    "Cells",
    "Comparison",
    "Concern",
    "Cost",
    "Epsilon",
    "Exposed",
    "Exposure",
    "InvariantsRelease",
    "Kind",
    "Linked",
    "Mu",
    "Plan",
    "PlanRecommendation",
    "Presence",
    "Query",
    "Rho",
    "Settled",
    "Share",
    "Sigma",
    "Table",
    "Unprotected",
    "WholeRecord",
    "Within",
    "affected",
    "all_pairs",
    "census_2020",
    "compare",
    "costs",
    "every_query",
    "expose",
    "invariants_release",
    "moved",
    "plan_of",
    "queries_of",
    "recommend_scale",
    "recommend_shares",
    "rhos",
    "rows_of",
    "scaled",
    "tables_of",
    "without",
]
