"""The 2020 Census in Kifer and others (2022): Tables 2 to 6, Section 5.2.1, the scenarios of Section 8.

The discrete Gaussian noise is composed exactly where the paper drew a million samples. Every composition is made once:
that of everything takes in 71 queries with 142 cells of 38 different variances.

The rhos of Scenarios C to H do not follow from the tables (erratum 004.2). Two readings come near to them and are
recomputed as well: the two finest queries of the US left out, and the shares of the states taken for the US.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from whit.errors import UnknownKey
from whit.guarantees import GaussianDP, ZeroConcentratedDP
from whit.numerics import nearest_up
from whit.papers.case import Case, Way, middle
from whit.plans import (
    Affected,
    Exposed,
    Exposure,
    Linked,
    Plan,
    Query,
    Share,
    Table,
    WholeRecord,
    census_2020,
    expose,
    without,
)
from whit.semantics import testing
from whit.setting import Neighbours
from whit.theory import Finding

COMPOSED = 1e-9
"""How near a numerical composition comes.

At the level of blocks the losses lie on a lattice, which moves the power by parts in 10^11 from the value of the cases,
the one of Gaussian noise (erratum 004.14).
"""

EVERYTHING = "everything"
"""The concern of somebody for whom any part of the record matters."""

LEVELS = (0.01, 0.05, 0.10)
"""The levels of Tables 2 and 6."""

# How narrow the brackets are: the discrete and the continuous Gaussian differ by less than 10^-9.
_WIDTH = 1e-10

_RHOS = {
    "A": "0.1115",
    "B": "0.926",
    "C": "0.952",
    "D": "0.945",
    "E": "1.32",
    "F": "0.555",
    "G": "0.969",
    "H": "0.968",
    EVERYTHING: "2.63",
}
PRINTED_RHOS: Mapping[str, Fraction] = {concern: Fraction(rho) for concern, rho in _RHOS.items()}
"""The rhos as they are printed; those of Scenarios C to H do not follow from Tables 3 to 5."""

# The two finest queries about persons.
_FINEST = ("VOTINGAGE x HISPANIC x CENRACE", "HHGQ x VOTINGAGE x HISPANIC x CENRACE")

# How many values each attribute has; races are the combinations of six, of which one at least holds.
_CELLS = {"TOTAL": 1, "CENRACE": 2**6 - 1, "HISPANIC": 2, "VOTINGAGE": 2, "HHINSTLEVELS": 3, "HHGQ": 8}


@cache
def exposure(concern: str, linked: Linked = Linked.AS_THE_PERSON) -> Exposure:
    """The plan of the Census as somebody with one of the concerns A to H meets it, or with everything at stake."""
    about = WholeRecord() if concern == EVERYTHING else census_2020.SCENARIOS[concern]
    return expose(census_2020.plan(linked), about)


@cache
def exact(concern: str) -> Exposed:
    """The noise of all queries that the concern is exposed to, between narrow brackets."""
    return exposure(concern).composed(relative_width=_WIDTH)


def gaussian(rho: Fraction) -> GaussianDP:
    """What Gaussian noise with a printed rho promises, its mu rounded up.

    >>> print(gaussian(Fraction("0.926")).power(0.05))
    power of the best test is at most 38.9 %
    """
    return GaussianDP(math.nextafter(math.sqrt(2 * rho), math.inf), neighbours=Neighbours.REPLACE)


def concentrated(rho: Fraction) -> ZeroConcentratedDP:
    """What any noise with a printed rho promises, with a double that is not below it."""
    return ZeroConcentratedDP(nearest_up(rho), neighbours=Neighbours.REPLACE)


@dataclass(frozen=True)
class Scenario:
    """One of the scenarios, with what is printed beside what follows from the tables.

    Attributes:
        letter: A to H.
        exposure: the queries, and the guarantee that follows.
    """

    letter: str
    exposure: Exposure

    @property
    def printed_rho(self) -> Fraction:
        """The rho in the text of section 8.2."""
        return PRINTED_RHOS[self.letter]

    @property
    def follows(self) -> bool:
        """Whether the printed rho is that of the tables, as far as it is printed."""
        digits = len(_RHOS[self.letter].partition(".")[2])
        return abs(self.exposure.exact_rho - self.printed_rho) <= Fraction(1, 2 * 10**digits)

    @property
    def as_printed(self) -> GaussianDP:
        """What Gaussian noise with the printed rho would promise."""
        return gaussian(self.printed_rho)

    def __str__(self) -> str:
        verdict = "follows from the tables" if self.follows else "does not follow from the tables"
        rho = float(self.exposure.exact_rho)
        return f"{self.letter}: rho {rho:.5f}; printed {float(self.printed_rho):g}, which {verdict}"


def scenario(letter: str, *, linked: Linked = Linked.AS_THE_PERSON) -> Scenario:
    """One of the scenarios A to H.

    >>> print(scenario("A"))
    A: rho 0.11150; printed 0.1115, which follows from the tables
    >>> print(scenario("C"))
    C: rho 1.01029; printed 0.952, which does not follow from the tables
    """
    if letter not in census_2020.SCENARIOS:
        raise UnknownKey("a scenario", "must be one of those of section 8.2", letter, "Use a letter from A to H.")
    return Scenario(letter, exposure(letter, linked))


@dataclass(frozen=True)
class PowerRow:
    """The largest power at some levels, by three arguments.

    Attributes:
        levels: the rates of false alarms.
        gaussian: if the noise were Gaussian of the same variance.
        discrete: of the noise itself, the exact composition between certified bounds.
        bound: what rho alone proves of any noise.
    """

    levels: tuple[float, ...]
    gaussian: Finding
    discrete: Finding
    bound: Finding

    @classmethod
    def of(cls, concern: str) -> PowerRow:
        """The powers against the noise that a concern is exposed to."""
        promises = exposure(concern).continuous, exact(concern), exposure(concern).zcdp
        return cls(LEVELS, *(testing.power(promise, LEVELS) for promise in promises))


def table_2() -> PowerRow:
    """Table 2: anything about one person's record, all queries.

    >>> print(table_2().discrete)
    power of the best test is 84.5 % (rounded up; the largest of 3 values)
    """
    return PowerRow.of(EVERYTHING)


def table_6() -> PowerRow:
    """Table 6: the block within the custom block group, Scenario A."""
    return PowerRow.of("A")


def cells(case: Case) -> float:
    """How many cells a query has: one for each combination of its attributes."""
    return float(math.prod(_CELLS[name] for name in case.inputs["query"].split(" x ")))


def _share(query: Query) -> Share:
    parameter = query.kind.parameter
    assert isinstance(parameter, Share)  # as all queries of the Census have
    return parameter


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
    return float(sum(_share(each).share for each in queries if each.kind.counts == ""))


@cache
def without_the_finest() -> Plan:
    """The plan without the two finest queries of the US."""
    return without(census_2020.plan(), _FINEST, levels=["US"])


@cache
def us_as_states() -> Plan:
    """The plan with the shares of the queries of the states in place of those of the US."""
    plan = census_2020.plan()
    states = {query.name: _share(query) for query in plan.table if query.kind.level == "State"}
    queries = [
        Query(each.name, replace(each.kind, parameter=states[each.name])) if each.kind.level == "US" else each
        for each in plan.table
    ]
    return replace(plan, table=Table.of(queries))


def _scenario(plan: Callable[[], Plan]) -> Way:
    """The rho of a scenario, by some reading of the plan."""
    return Way(lambda case: float(expose(plan(), census_2020.SCENARIOS[case.inputs["scenario"]]).rho))


WAYS: Mapping[str, Way] = {
    "largest power against the discrete Gaussian noise": Way(
        lambda case: middle(testing.power(exact(case.inputs["concern"]), case.given("level"))), within=COMPOSED
    ),
    "largest power against Gaussian noise at the rho of the tables": Way(
        lambda case: middle(testing.power(exposure(case.inputs["scenario"]).continuous, case.given("level")))
    ),
    "epsilon of pbdp of the discrete Gaussian noise": Way(
        lambda case: middle(exact(EVERYTHING).bounded_epsilon(case.given("delta"))), within=COMPOSED
    ),
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
"""What recomputes each quantity about the Census."""
