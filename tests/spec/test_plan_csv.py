"""The queries of a plan as CSV."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from small_plans import LEVELS, plans, small_plan
from stopwatch import at_most

from whit.errors import WhitError
from whit.plans import Budget, Plan, Rho
from whit.setting import PERSON
from whit.spec import plan_from_csv, plan_to_csv


def read(text: str, **head) -> Plan:
    return plan_from_csv(text, **{"name": "x", "unit": PERSON, "levels": LEVELS, **head})


def head_of(plan: Plan) -> dict[str, object]:
    names = ("name", "unit", "neighbours", "levels", "budgets", "single", "linked", "unprotected", "source")
    return {name: getattr(plan, name) for name in names}


def test_a_plan_survives_its_table():
    assert read(plan_to_csv(small_plan()), **head_of(small_plan())) == small_plan()


@settings(max_examples=30)
@given(plans())
def test_any_plan_survives_its_table(plan):
    assert read(plan_to_csv(plan), **head_of(plan)) == plan


def test_a_table_from_a_spreadsheet_is_read():
    text = "\ufeffname,level,attributes,rho\r\nage by sex, Town ,age; sex,1/3\r\n\r\ntotal,Region,,0.25\r\n"
    plan = read(text)
    assert [each.kind.attributes for each in plan.table] == [("age", "sex"), ()]
    assert [each.kind.parameter for each in plan.table] == [Rho("1/3"), Rho("1/4")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,level,rho\nage,Twon,1", r"row 1 \(age\), column level must be one of .*'Twon'. Did you mean 'Town'"),
        ("name,level,rho\nage,Town,1\nsex,Town,-1", r"row 2 \(sex\), column rho must be above 0; got -1"),
        ("name,level,rho\nage,,1", r"row 1 \(age\), column level must be given; got nothing"),
        ("name,level,rho\n,Town,1", r"row 1 \(\), column name must be given"),
        ("name,level,rho\nage,Town", "row 1 must have 3 cells; got 2 cells"),
        ("name,rho\nage,1", "the head of the table, column level must be given"),
        ("name,level,rhoo\nage,Town,1", "the head of the table, column rhoo is not known.*mean 'rho'"),
        ("name,level,rho,sigma\nage,Town,1,2", r"row 1 \(age\), column parameter must be given once; got rho, sigma"),
        ("name,level,mechanism,rho\nage,Town,Laplace,1", r"row 1 \(age\), column rho cannot be .* Laplace"),
        ('name,level,rho\n"age,Town,1', "the table must be CSV"),
        ("", "the head of the table, column name must be given"),
        (
            "name,level,rho,rho\nage,Town,0.5,5e-5",
            "the head of the table, column rho must be there once; got 2 of them",
        ),
        ("name,level,rho, RHO \nage,Town,0.5,5e-5", "column rho must be there once; got 2 of them"),
        ("name,level,rho,add-remove,add_remove\nage,Town,1,1,2", "column add_remove must be there once; got 2 of them"),
        ("name,level,rho,add-remvoe\nage,Town,1,1", "column add_remvoe is not known.*mean 'add_remove'"),
        ("name,level,rho\n", "the queries of a plan must be at least one"),
    ],
)
def test_what_is_wrong_is_named_by_row_and_column(text, said):
    with pytest.raises(WhitError, match=said):
        read(text)


@pytest.mark.parametrize("head", ["name,level,rho,add-remove,replace", " Name ,LEVEL,Rho,Add_Remove,replace"])
def test_columns_are_known_with_hyphens_and_capitals_as_the_keys_of_toml_are(head):
    [kind] = read(f"{head}\nage,Town,1,3,6").table.kinds
    assert (kind.cells.add_remove, kind.cells.replace) == (3, 6)


def test_shares_over_one_are_named_by_row_and_column():
    text = "name,level,budget,share\na,Town,people,3/4\nb,Town,people,1/2\n"
    with pytest.raises(WhitError, match="rows 1, 2, column share, budget people at all must add up to 1; got 5/4"):
        read(text, budgets=[Budget("people", Rho(1))])


def test_a_missing_unit_is_named():
    with pytest.raises(WhitError, match="the plan, column unit must be stated"):
        read("name,level,rho\nage,Town,1", unit=None)


def test_a_large_table_is_read_in_seconds():
    rows = "\n".join(f"q{i},Town,a{i % 7},1/1000" for i in range(100_000))
    with at_most(seconds=5):
        plan = read(f"name,level,attributes,rho\n{rows}\n")
    assert len(plan.table) == 100_000
    assert len(plan.table.kinds) == 7


@pytest.mark.parametrize("number", ["1e-32033", "1e-320\u06633", "1e1_0000", "1e+99999"])
def test_an_exponent_of_many_digits_is_refused_however_it_is_written(number):
    with pytest.raises(WhitError, match="must be a number or a fraction"):
        read(f"name,level,attributes,rho\nage,Town,age,{number}\n")
