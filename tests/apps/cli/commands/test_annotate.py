"""`whit annotate`: a file with risk columns, and what was read, written and rounded."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.assessment import assess
from whit.guarantees import PureDP
from whit.setting import Adversary


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("who,epsilon\na,1\nb,0.5\nc,1\n", encoding="utf-8")


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(whit, ["annotate", *arguments, "--jobs", "1"])
    assert result.exit_code == code, result.output
    return result.output


def rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_file_is_written_and_the_command_says_what_was_read():
    said = run("in.csv", "--out", "out.csv", "--prior", "0.1")
    assert "out.csv: 3 rows with 2 distinct settings, from epsilon." in said
    assert "out.csv.basis.json says what the numbers rest on." in said
    found = rows("out.csv")
    assert [row["who"] for row in found] == ["a", "b", "c"]
    expected = assess(PureDP(1.0), Adversary(prior=0.1)).posterior
    assert float(found[0]["posterior"]) == float(expected)


def test_limits_are_met_together():
    limits = ("--limit", "posterior=0.3, prior=0.1", "--limit", "difference=0.1, prior=0.1")
    run("in.csv", "--out", "out.csv", *limits)
    assert [row["within"] for row in rows("out.csv")] == ["false", "true", "false"]
    assert float(rows("out.csv")[0]["limit_used"]) > 1.0 > float(rows("out.csv")[1]["limit_used"])


def test_charges_add_up_for_each_unit_and_rounding_says_its_cost():
    Path("charges.csv").write_text("who,cost\na,0.5\nb,0.25\na,0.75\n", encoding="utf-8")
    unit = ("--unit", "who", "--book", "pure", "--column", "epsilon=cost", "--digits", "2")
    said = run("charges.csv", "--out", "out.csv", *unit)
    assert "rounded to 2 significant digits, to the safe side. This raises the posterior by at most" in said
    found = {row["who"]: row for row in rows("out.csv")}
    assert found["a"]["total"] == "1250000000000"
    assert found["a"]["total_used"] == "1300000000000"


def test_the_document_says_the_same():
    tree = json.loads(run("in.csv", "--out", "out.csv", "--json"))
    assert tree["command"] == "annotate"
    assert tree["result"] == {
        "rows": 3,
        "settings": 2,
        "read": {"epsilon": "epsilon"},
        "basis": "out.csv.basis.json",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--column", "rho"), "--column must be made of name=value"),
        (("--column", "rho=cost"), "the column of rho cannot be cost."),
        (("--column", "gold=who"), "No word of a setting has the name gold."),
        (("--same", "epsilon=1"), "column epsilon must not be given for every row as well"),
        (("--unit", "who"), "unit and book go together"),
        (("--digits", "9"), "digits must be a whole number from 0 to 6; got 9."),
        (("--limit", "posterior=2, prior=0.1"), "posterior"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(arguments, said):
    assert said in " ".join(run("in.csv", "--out", "out.csv", *arguments, code=2).split())
    assert not Path("out.csv").exists()


def test_what_must_be_the_same_for_a_unit_is_asked_for_without_python():
    Path("in.csv").write_text("who,epsilon,prior\na,1,0.1\nb,0.5,0.2\n", encoding="utf-8")
    said = " ".join(run("in.csv", "--out", "out.csv", "--unit", "who", "--book", "pure", code=2).split())
    assert "State prior once, as what is the same for all rows; or leave out unit and book." in said
    assert "{" not in said


def test_a_table_without_a_promise_is_refused_with_an_option():
    Path("in.csv").write_text("who,cost\na,1\n", encoding="utf-8")
    said = " ".join(run("in.csv", "--out", "out.csv", code=2).split())
    assert "Name the columns, such as --column epsilon=eps." in said


def test_a_bad_row_is_named():
    Path("in.csv").write_text("who,epsilon\na,1\nb,many\n", encoding="utf-8")
    said = " ".join(run("in.csv", "--out", "out.csv", code=2).split())
    assert "in.csv, row 2: column epsilon must be a number; got many." in said
