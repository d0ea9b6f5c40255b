"""Plans as TOML: they survive the file, and what is wrong is named by row and column."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from small_plans import plans, small_plan

from whit.errors import InvalidInput, WhitError
from whit.plans import census_2020
from whit.spec import load_plan, plan_from_toml, plan_to_csv, plan_to_toml

HEAD = """
name = "a plan"
unit = "person"
neighbours = "replace"
levels = ["Country", "Town"]
"""
BUDGET = """
[[budget]]
name = "people"
rho = 0.5
levels = {Country = "1/4", Town = "3/4"}
"""
QUERIES = """
[[query]]
name = "age"
attributes = ["age"]
budget = "people"
shares = {Country = "1/3", Town = "1"}
[[query]]
name = "sex"
attributes = ["sex"]
level = "Country"
budget = "people"
share = "2/3"
"""


def test_shares_by_level_are_one_query_each():
    plan = plan_from_toml(HEAD + BUDGET + QUERIES)
    assert [(each.name, each.kind.level) for each in plan.table] == [
        ("age", "Country"),
        ("age", "Town"),
        ("sex", "Country"),
    ]


@pytest.mark.parametrize("plan", [small_plan(), census_2020.plan()], ids=["small", "census"])
def test_a_plan_survives_its_file(plan):
    assert plan_from_toml(plan_to_toml(plan)) == plan
    assert plan_to_toml(plan_from_toml(plan_to_toml(plan))) == plan_to_toml(plan)


@settings(max_examples=30)
@given(plans())
def test_any_plan_survives_its_file(plan):
    assert plan_from_toml(plan_to_toml(plan)) == plan


def test_a_plan_is_read_from_files_with_its_queries_beside_it(tmp_path):
    text = plan_to_toml(small_plan()).partition("[[query]]")[0]
    (tmp_path / "plan.toml").write_text('queries = "queries.csv"\n' + text, encoding="utf-8")
    (tmp_path / "queries.csv").write_text(plan_to_csv(small_plan()), encoding="utf-8")
    assert load_plan(tmp_path / "plan.toml") == small_plan()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'level = "Country"',
            'level = "Contry"',
            r"row 3 \(sex\), column level must .*'Contry'. Did you mean 'Country'",
        ),
        ('share = "2/3"', 'share = "3/4"', "rows 1, 3, column share, budget people at Country must .*13/12"),
        ('share = "2/3"', 'share = "-2/3"', r"row 2 \(sex\), column share must be in \[0, 1\]; got -2/3"),
        ('share = "2/3"', "rho = -1\n", r"row 2 \(sex\), column parameter must be given once"),
        ('budget = "people"\nshare = "2/3"', "rho = -1\n", r"row 2 \(sex\), column rho must be above 0; got -1"),
        ('budget = "people"\nshare = "2/3"', "", r"row 2 \(sex\), column parameter must be given once; got nothing"),
        ('share = "2/3"', "", r"row 2 \(sex\), column share must be given"),
        ('unit = "person"', "", "the head of the plan, column unit must be given; got nothing"),
        ('unit = "person"', 'unit = ""', "the head of the plan, column unit must be given"),
        ('neighbours = "replace"', 'neighbours = "swap"', "head of the plan, column neighbours must .*'swap'"),
        ("rho = 0.5", "rho = -0.5", r"budget 1 \(people\), column rho must be above 0"),
        ("rho = 0.5", "rho = inf", r"budget 1 \(people\), column rho must be a number or a fraction"),
        ('attributes = ["sex"]', 'atributes = ["sex"]', r"row 2 \(sex\), column atributes .*mean 'attributes'"),
        ('attributes = ["sex"]', 'mechanism = "Cauchy"', r"row 2 \(sex\), column mechanism must be a law of noise"),
        ('attributes = ["sex"]', "add_remove = 1.5", r"row 2 \(sex\), column add_remove must be a whole number"),
        ('attributes = ["sex"]', "attributes = 3", r"row 2 \(sex\), column attributes must be a list of names"),
        ('name = "sex"', "", r"row 2 \(without a name\), column name must be given"),
        ('level = "Country"', "", r"row 2 \(sex\), column level must be given"),
        ('"3/4"}', '"1/4"}', "budget people, column levels must have shares that add up to 1; got 1/2"),
        ("[[query]]", "[query]", r"the plan, line 17: must have \[query\] once.*Write \[\[query\]\]"),
        ('name = "a plan"', 'name = "a plan"\ncolour = 1', "the head of the plan, column colour is not known"),
        ('name = "a plan"', 'name = "a plan"\nlinked = "maybe"', "the head of the plan, column linked must be one of"),
        ('name = "a plan"', 'name = "a plan"\nqueries = "x.csv"', "queries must name a file beside the plan"),
    ],
)
def test_what_is_wrong_is_named_by_row_and_column(old, new, said):
    text = HEAD + BUDGET + QUERIES
    assert old in text
    with pytest.raises(WhitError, match=said):
        plan_from_toml(text.replace(old, new))


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="the file .*nothing.toml must be readable .No such file"):
        load_plan(tmp_path / "nothing.toml")


def test_names_with_quotes_and_line_breaks_survive():
    text = plan_to_toml(plan_from_toml(HEAD.replace("a plan", 'a \\"plan\\" \\n\\u007f of ours') + BUDGET + QUERIES))
    assert plan_from_toml(text).name == 'a "plan" \n\x7f of ours'


def test_a_mistake_is_named_by_its_line_too():
    lines = (HEAD + BUDGET + QUERIES).splitlines()
    with pytest.raises(
        WhitError, match=rf"the plan, line {lines.index('rho = 0.5') + 1}: budget 1 .people., column rho"
    ):
        plan_from_toml((HEAD + BUDGET + QUERIES).replace("rho = 0.5", "rho = -1"))
    with pytest.raises(WhitError, match=rf"the plan, line {len(lines)}: row 2 .sex., column share must be in"):
        plan_from_toml((HEAD + BUDGET + QUERIES).replace('"2/3"', '"4/3"'))


def test_hyphens_and_small_letters_are_as_good():
    text = (
        HEAD.replace("a plan", "x")
        + "linked = 'as-the-person'\n"
        + BUDGET
        + QUERIES.replace('"sex"]', '"sex"]\nadd-remove = 2')
    )
    assert plan_from_toml(text).table.kinds[2].cells.add_remove == 2


def beside(folder, name: str) -> str:
    path = folder / "plan.toml"
    path.write_text(f"queries = {json.dumps(name)}\n{HEAD}", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.csv", "folder/../../secret.csv", "link.csv", "a\0b"])
def test_a_file_that_is_not_beside_the_plan_is_refused_and_nothing_of_it_is_told(tmp_path, name):
    (tmp_path / "secret.csv").write_text("hunter2:x\n", encoding="utf-8")
    folder = tmp_path / "plans"
    folder.mkdir()
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(InvalidInput, match="plan.toml, line 1: queries must (lie beside|be readable)") as refused:
        load_plan(beside(folder, name))
    assert "hunter2" not in str(refused.value)


def test_a_file_in_a_folder_beside_the_plan_is_read(tmp_path):
    text = plan_to_toml(small_plan()).partition("[[query]]")[0]
    (tmp_path / "plan.toml").write_text('queries = "tables/q.csv"\n' + text, encoding="utf-8")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "q.csv").write_text(plan_to_csv(small_plan()), encoding="utf-8-sig")
    assert load_plan(tmp_path / "plan.toml") == small_plan()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rho = 0.5", "rho = [1]", "column rho must be a number or a fraction"),
        (
            'name = "a plan"',
            'name = "a plan"\nsingle = [nan]',
            "column single must be one of the plan's; got NaN. Use one of",
        ),
        ('attributes = ["sex"]', 'mechanism = ["x"]', "column mechanism must be a law of noise"),
        ('name = "a plan"', 'name = "a plan"\nqueries = 3', "queries must"),
        ('levels = ["Country", "Town"]', "levels = 3", "column levels must be a list"),
    ],
)
def test_a_value_of_another_type_is_a_sentence(old, new, said):
    with pytest.raises(WhitError, match=said):
        plan_from_toml((HEAD + BUDGET + QUERIES).replace(old, new))
