"""A small plan that several tests of plans use, and strategies for others."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from whit.mechanisms import DiscreteGaussian, Gaussian
from whit.plans import Budget, Cells, Kind, Linked, Plan, Query, Rho, Share, Unprotected
from whit.setting import PERSON, Neighbours

LEVELS = ["Country", "Region", "Town"]
ATTRIBUTES = ["age", "sex", "job"]
NO_CELLS = Cells(replace=0)


def small_plan(linked: Linked = Linked.WORST) -> Plan:
    """Two budgets, three levels, tables of people and one of homes."""
    people = Budget(
        "people", Rho("1/2"), {"Country": Fraction(1, 5), "Region": Fraction(3, 10), "Town": Fraction(1, 2)}
    )
    homes = Budget("homes", Rho("1/10"))
    queries = [
        Query("age", Kind(("age",), "Country", Share("people", 1))),
        Query("total", Kind((), "Region", Share("people", "1/3"), cells=NO_CELLS)),
        Query("age by sex", Kind(("age", "sex"), "Region", Share("people", "2/3"))),
        Query("total", Kind((), "Town", Share("people", "1/4"), cells=NO_CELLS)),
        Query("sex", Kind(("sex",), "Town", Share("people", "1/4"))),
        Query("job", Kind(("job",), "Town", Share("people", "1/2"))),
        Query("occupied", Kind(("occupied",), "Region", Share("homes", "1/2"), counts="home")),
        Query("occupied", Kind(("occupied",), "Town", Share("homes", "1/2"), counts="home")),
    ]
    return Plan.of(
        queries,
        name="a small census",
        levels=LEVELS,
        unit=PERSON,
        budgets=[people, homes],
        single=["Country"],
        linked=linked,
        unprotected=[Unprotected("number of homes", "It is known from maps.")],
        source="made up",
    )


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans without budgets: a few kinds, each some times."""
    queries = []
    for number in range(draw(st.integers(1, 5))):
        attributes = tuple(draw(st.sets(st.sampled_from(ATTRIBUTES), max_size=3)))
        law = draw(st.sampled_from([DiscreteGaussian, Gaussian]))
        rho = Rho(draw(st.fractions(min_value="1/50", max_value=1, max_denominator=50)))
        kind = Kind(tuple(sorted(attributes)), draw(st.sampled_from(LEVELS)), rho, law)  # type: ignore[type-abstract]
        queries += [Query(f"query {number}", kind)] * draw(st.integers(1, 3))
    neighbours = draw(st.sampled_from([Neighbours.ADD_REMOVE, Neighbours.REPLACE]))
    return Plan.of(queries, name="drawn", levels=LEVELS, unit=PERSON, neighbours=neighbours)
