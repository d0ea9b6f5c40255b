"""What a plan promises to somebody with a concern."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_plans import ATTRIBUTES, LEVELS, plans, small_plan
from stopwatch import at_most

from whit.errors import NotImplied
from whit.mechanisms import Geometric, Laplace
from whit.plans import (
    About,
    Epsilon,
    Kind,
    Linked,
    Plan,
    Presence,
    Query,
    Rho,
    Sigma,
    Table,
    WholeRecord,
    census_2020,
    expose,
)
from whit.setting import PERSON, Neighbours
from whit.spec import plan_from_csv, plan_from_toml
from whit.theory import Direction


def test_the_rhos_add_up_without_rounding():
    """By hand, about age: Country 1/2*1/5*1, Region 1/2*3/10*2/3."""
    exposure = expose(small_plan(), About(["age"]))
    assert exposure.exact_rho == Fraction(1, 10) + Fraction(1, 10)
    assert exposure.rho.direction is Direction.EXACTLY
    assert exposure.zcdp.rho >= exposure.exact_rho
    assert exposure.number == 2
    assert len(exposure.affected) + len(exposure.untouched) == len(exposure.plan.table.kinds)


def test_the_whole_record_has_the_budgets_and_what_linked_units_add():
    exposure = expose(small_plan(Linked.UNTOUCHED), WholeRecord())
    assert exposure.exact_rho == Fraction(1, 2)


def test_presence_is_half_of_a_replacement_and_under_its_own_relation():
    presence = expose(small_plan(Linked.UNTOUCHED), Presence())
    assert presence.exact_rho == Fraction(1, 4)
    assert presence.zcdp.neighbours is Neighbours.ADD_REMOVE
    assert presence.release.relations == (Neighbours.ADD_REMOVE,)


@settings(max_examples=12)
@given(plans(), st.sampled_from(ATTRIBUTES), st.floats(0.001, 0.9))
def test_rho_alone_proves_no_less_power_than_the_noise_has(plan, attribute, level):
    if attribute not in plan.attributes:
        return
    exposure = expose(plan, About([attribute]))
    assert float(exposure.release.power(level).lower) <= float(exposure.zcdp.power(level).upper)


@pytest.mark.parametrize("word", ["laplace", "geometric"])
@given(budget=st.fractions(Fraction(1, 1000), 20, max_denominator=9999))
def test_noise_of_a_budget_that_no_double_holds_is_not_said_to_spend_less(word, budget):
    head = 'name = "a"\nunit = "person"\nneighbours = "add-remove"\nlevels = ["all"]\n'
    query = f'[[query]]\nname = "q"\nlevel = "all"\nmechanism = "{word}"\nepsilon = "{budget}"\n'
    release = expose(plan_from_toml(head + query, "the plan"), Presence()).release
    assert Fraction(float(release.epsilon(0.0).upper)) >= budget


@pytest.mark.parametrize("level", [0.01, 0.1, 0.6])
def test_the_exact_power_is_nearly_that_of_gaussian_noise(level):
    exposure = expose(small_plan(), WholeRecord())
    exact, continuous = exposure.release.power(level), exposure.continuous.power(level)
    # Variances from 8 to 20: the lattice has a step of 1/80, and moves the power by its square.
    assert float(exact.upper) == pytest.approx(float(continuous.upper), abs=1e-4)
    assert float(exact.upper) - float(exact.lower) < 1e-9


def test_the_basis_says_what_it_rests_on_and_the_inputs_which_reading():
    exposure = expose(small_plan(Linked.WORST), About(["age"]))
    assert "concern-to-queries" in exposure.rho.basis.theorems
    assert "plan-is-complete" in exposure.release.power(0.05).basis.assumptions
    assert exposure.rho.inputs["linked"] == "WORST"
    assert "linked records worst" in str(exposure.release.power(0.05).inputs["promise"])
    assert exposure.reading == Linked.WORST.value
    assert exposure.unprotected[0].name == "number of homes"
    assert exposure.reasons[0].startswith("age at Country depends on age")


def test_an_epsilon_that_always_holds_does_not_follow_from_gaussian_noise():
    with pytest.raises(NotImplied, match="an epsilon that always holds does not follow from Gaussian noise"):
        _ = expose(small_plan(), About(["age"])).pure


def test_laplace_noise_has_a_rho_that_is_an_upper_bound():
    kind = Kind(("age",), "Town", Epsilon(1), law=Laplace)
    exposure = expose(Plan.of([Query("age", kind)], name="x", levels=LEVELS, unit=PERSON), About(["age"]))
    assert exposure.rho.direction is Direction.AT_MOST
    assert "laplace-zcdp" in exposure.rho.basis.theorems
    assert "pure-to-zcdp" not in exposure.rho.basis.theorems
    # Two cells of epsilon 1/2: the divergences of each, over their order, have epsilon + e^-epsilon - 1 as their limit.
    assert float(exposure.rho) == pytest.approx(2 * (0.5 + np.expm1(-0.5)), rel=1e-12)


def test_geometric_noise_has_the_rho_of_its_epsilon():
    kind = Kind(("age",), "Town", Epsilon(1), law=Geometric)
    exposure = expose(Plan.of([Query("age", kind)], name="x", levels=LEVELS, unit=PERSON), About(["age"]))
    assert "pure-to-zcdp" in exposure.rho.basis.theorems
    assert "laplace-zcdp" not in exposure.rho.basis.theorems
    assert float(exposure.rho) == pytest.approx(2 * 0.5 * np.tanh(0.25), rel=1e-12)


def test_a_concern_that_nothing_touches_learns_nothing():
    plan = Plan.of(
        [Query("sex", Kind(("sex",), "Town", Rho(1))), Query("age", Kind(("age",), "Town", Rho(1)))],
        name="x",
        levels=LEVELS,
        unit=PERSON,
    )
    from_sex = expose(plan, About(["sex"]))
    assert from_sex.number == 1
    nothing = expose(small_plan(Linked.UNTOUCHED), About(["occupied"]))
    assert nothing.number == 2


def test_a_million_queries_of_few_kinds_are_assessed_in_seconds():
    """A million counts with sigma 1000, of 50 kinds: mu^2 = 2 * 20000 / 10^6 for each attribute."""
    kinds = tuple(Kind((f"attribute {i}",), "Town", Sigma(1000)) for i in range(50))
    table = Table(kinds, tuple(map(str, range(10**6))), np.arange(10**6) % 50)
    plan = Plan("many", PERSON, Neighbours.REPLACE, ("Town",), table)
    with at_most(seconds=5):
        exposure = expose(plan, About(["attribute 3"]))
        power = exposure.release.power(0.05)
    assert exposure.number == 20_000
    assert exposure.exact_rho == Fraction(20_000, 10**6)
    assert float(power.upper) == pytest.approx(float(exposure.continuous.power(0.05).upper), rel=1e-5)


def test_a_plan_of_twenty_thousand_budgets_is_added_up_in_seconds():
    rows = "\n".join(f"q{at},Town,a{at},1/{1000 + at}" for at in range(20_000))
    plan = plan_from_csv(
        f"name,level,attributes,rho\n{rows}\n", name="x", unit=PERSON, levels=["Town"], neighbours=Neighbours.ADD_REMOVE
    )
    with at_most(seconds=10):
        rho = expose(plan, Presence()).exact_rho
    assert float(rho) == pytest.approx(sum(1.0 / (1000 + at) for at in range(20_000)))


def test_where_the_reading_of_linked_units_is_said_to_be_idle_every_reading_gives_the_same_queries():
    """Checked against all readings of the plan of the Census, concern by concern; and it matters somewhere."""
    said = []
    for concern in (*census_2020.SCENARIOS.values(), About(["CENRACE"]), WholeRecord(), Presence()):
        every = [expose(census_2020.plan(reading), concern) for reading in Linked]
        rhos = {each.exact_rho for each in every}
        said.append(every[0].depends_on_reading)
        assert said[-1] or len(rhos) == 1
    assert {*said} == {True, False}
