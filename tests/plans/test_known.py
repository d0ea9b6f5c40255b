"""What exact totals determine, against the rank of a matrix, and the sums evaluated on random values."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.errors import InvalidInput, NotImplied, TooCostly, WhitError
from whit.plans import census_2020, known_from_totals, left_by_invariants
from whit.spec import load_plan, plan_from_toml, plan_to_toml

PLAN = """name = "homes"
unit = "person"
neighbours = "add_remove"
levels = ["Country"]
[[query]]
name = "age"
attributes = ["age"]
level = "Country"
epsilon = "1"
mechanism = "laplace"
[[unprotected]]
name = "number of homes"
reason = "It is known from the register."
file = "homes.csv"
"""
HOMES = "row,column,value\na,x,\na,y,\na,Total,1\nb,x,{}\nb,y,\nb,Total,7\nTotal,x,4\nTotal,y,4\nTotal,Total,8\n"


@pytest.mark.parametrize("seed", range(25))
def test_a_record_is_known_exactly_where_it_is_in_the_span_of_the_totals(seed):
    random = np.random.default_rng(seed)
    tables = {f"t{at}": random.integers(-1, 3, size=7) for at in range(3)}
    rows = {f"{name}, cell {code}": codes == code for name, codes in tables.items() for code in set(codes) - {-1}}
    matrix = np.array([row.astype(float) for row in rows.values()])
    rank = np.linalg.matrix_rank(matrix)
    inside = [at for at in range(7) if np.linalg.matrix_rank(np.vstack([matrix, np.eye(7)[at]])) == rank]
    found = known_from_totals(tables)
    assert [each.record for each in found] == inside
    values = random.integers(-50, 50, size=7)
    for each in found:
        text, divisor = re.fullmatch(r"\((.*)\) / (\d+)", each.sum).groups() if "/" in each.sum else (each.sum, 1)
        total = 0
        for sign, times, cell in re.findall(r"(?:^|([-+]) )(?:(\d+) times )?(t\d, cell \d+)", text):
            total += (-1 if sign == "-" else 1) * int(times or 1) * values[rows[cell]].sum()
        assert total == int(divisor) * values[each.record]


def test_too_many_records_are_refused():
    with pytest.raises(TooCostly, match="the records must be at most 2000 to be audited; got 2001"):
        known_from_totals({"one": np.zeros(2001, dtype=int)})


@pytest.fixture
def homes(tmp_path):
    def saved(value: str = ""):
        (tmp_path / "homes.csv").write_text(HOMES.format(value), encoding="utf-8")
        (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
        return tmp_path / "plan.toml"

    return saved


def test_what_is_left_after_the_exact_numbers_of_a_plan(homes):
    found = left_by_invariants(load_plan(homes()))
    # a is 1 in all, so its two cells are 0 or 1, and those of b move with them.
    assert str(found.interval(("a", "x"))) == "a × x is in 0 to 1"
    assert found.number == 2
    assert left_by_invariants(load_plan(homes("3"))).interval(("a", "x")).determined


def test_the_command_says_what_the_exact_numbers_determine(homes):
    def plan(value: str) -> str:
        result = CliRunner().invoke(whit, ["plan", str(homes(value)), "--about", "age", "--prior", "0.5"])
        assert result.exit_code == 0
        return " ".join(result.output.split())

    assert "From the exact numbers alone 3 of 3 cells that are not among them are known exactly." in plan("3")
    assert "a × x is exactly 1: 4 (Total × x) - 3 (b × x)." in plan("3")
    assert "From the exact numbers alone 0 of 4 cells" in plan("")
    assert "differ in at most 4 records, and so many losses add up (theorem noise-within-what-is-left)." in plan("")


def test_a_plan_without_numbers_is_refused_with_the_theorem():
    with pytest.raises(
        NotImplied, match=r"must be there to say .* \(noise-within-what-is-left\); got none. Name their"
    ):
        left_by_invariants(census_2020.plan())


def test_the_name_of_the_table_is_written_and_read_back(homes):
    plan = load_plan(homes())
    assert 'file = "homes.csv"' in plan_to_toml(plan)
    with pytest.raises(WhitError, match="file must stand in a file"):
        plan_from_toml(plan_to_toml(plan))


def test_a_table_that_is_not_there_is_refused_with_its_place(homes):
    path = homes()
    path.write_text(PLAN.replace("homes.csv", "other.csv"), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"other.csv"):
        load_plan(path)
