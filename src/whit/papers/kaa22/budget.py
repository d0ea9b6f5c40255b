"""Shares and rhos of the 2020 Census redistricting data: Tables 3 to 5 and the scenarios of Section 8.

The rhos of Scenarios C to H do not follow from the tables (erratum 004.2). Two readings come near to them and are
recomputed as well: the two finest queries of the US left out, and the shares of the states taken for the US.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache

from whit.papers.case import Case, Way
from whit.papers.kaa22.noise import EVERYTHING, exposure
from whit.plans import Affected, Linked, Plan, Query, Share, Table, census_2020, expose, without

FINEST = ("VOTINGAGE x HISPANIC x CENRACE", "HHGQ x VOTINGAGE x HISPANIC x CENRACE")
"""The two finest queries about persons."""

_CELLS = {"TOTAL": 1, "CENRACE": 2**6 - 1, "HISPANIC": 2, "VOTINGAGE": 2, "HHINSTLEVELS": 3, "HHGQ": 8}
"""How many values each attribute has; races are the combinations of six, of which one at least holds."""


def cells(case: Case) -> float:
    """How many cells a query has: one for each combination of its attributes."""
    return float(math.prod(_CELLS[name] for name in case.inputs["query"].split(" x ")))


def share(query: Query) -> Fraction:
    """The share of a query in what its level has."""
    parameter = query.kind.parameter
    assert isinstance(parameter, Share)
    return parameter.share


def _rho(chosen: Callable[[Affected], bool]) -> Fraction:
    """The rho of some of the queries that somebody with everything at stake is exposed to."""
    return sum((each.rho / each.times for each in exposure(EVERYTHING).affected if chosen(each)), Fraction(0))


def _named(case: Case) -> Callable[[Affected], bool]:
    return lambda each: case.inputs["query"] in each.names.split(", ")


def _of_query(case: Case) -> float:
    named, level = _named(case), case.inputs["level"]
    return float(_rho(lambda each: named(each) and each.kind.level == level))


def _of_level(case: Case) -> float:
    chosen = [each for each in exposure(EVERYTHING).affected if each.kind.level == case.inputs["level"]]
    return float(sum(each.rho for each in chosen))


def _shares_of_queries(case: Case) -> float:
    queries = [each for each in census_2020.plan().table if each.kind.level == case.inputs["level"]]
    return float(sum(share(each) for each in queries if each.kind.counts == ""))


@cache
def without_the_finest() -> Plan:
    """The plan without the two finest queries of the US."""
    return without(census_2020.plan(), FINEST, levels=["US"])


@cache
def us_as_states() -> Plan:
    """The plan with the shares of the queries of the states in place of those of the US."""
    shares = {query.name: share(query) for query in census_2020.plan().table if query.kind.level == "State"}
    queries = [
        _with_share(each, shares[each.name]) if each.kind.level == "US" else each for each in census_2020.plan().table
    ]
    return replace(census_2020.plan(), table=Table.of(queries))


def _with_share(query: Query, wanted: Fraction) -> Query:
    parameter = query.kind.parameter
    assert isinstance(parameter, Share)
    return Query(query.name, replace(query.kind, parameter=Share(parameter.budget, wanted)))


def _scenario(plan: Callable[[], Plan]) -> Way:
    """The rho of a scenario, by some reading of the plan."""
    return Way(lambda case: float(expose(plan(), census_2020.SCENARIOS[case.inputs["scenario"]]).rho))


WAYS: Mapping[str, Way] = {
    "base rho": Way(lambda case: float(census_2020.plan().budget(case.inputs["unit"]).amount.value)),
    "sum of the shares of the levels": Way(
        lambda case: float(sum(census_2020.plan().budget(case.inputs["unit"]).levels.values()))
    ),
    "sum of the shares of the queries": Way(_shares_of_queries),
    "cells of a query": Way(cells),
    "rho of a query": Way(_of_query),
    "rho of a query over all levels": Way(lambda case: float(_rho(_named(case)))),
    "rho of a level": Way(_of_level),
    "rho of all queries": Way(lambda _: float(exposure(EVERYTHING).rho)),
    "rho of a scenario": _scenario(census_2020.plan),
    "rho of a scenario without housing units": _scenario(lambda: census_2020.plan(Linked.UNTOUCHED)),
    "rho of a scenario if a move empties one housing unit and fills another": _scenario(
        lambda: census_2020.plan(Linked.EMPTIED_AND_FILLED)
    ),
    "rho of a scenario without the two finest queries of the US": _scenario(without_the_finest),
    "rho of a scenario with the shares of the states for the US": _scenario(us_as_states),
}
"""What recomputes each of these quantities."""
